"""Groups of commands that show the whole help text of each, and commands that are imported when they are asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module

import click


class Later(Mapping[str, click.Command]):
    """Commands by name, each imported from its module when it is looked at: it need not wait for what others import.

    There it is called as on the command line, with `_` for `-`.
    """

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules
        self._commands: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._commands:
            self._commands[name] = getattr(import_module(self._modules[name]), name.replace("-", "_"))
        return self._commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


class Group(click.Group):
    """A group whose list of commands cuts nothing."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list; long texts go on in the next line."""
        commands = [(name, self.commands[name]) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help or "") for name, command in commands if not command.hidden])


Group.group_class = Group
