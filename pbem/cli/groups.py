"""Groups of commands that show the whole help text of each."""

import click


class Group(click.Group):
    """A group whose list of commands cuts nothing."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list; long texts go on in the next line."""
        commands = [(name, self.commands[name]) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help or "") for name, command in commands if not command.hidden])


Group.group_class = Group
