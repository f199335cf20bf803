"""The command line: `pbem --help`."""

import os

import click

from pbem.cli.groups import Group, Later
from pbem.cli.told import told
from pbem.cli.typed import require_utf8
from pbem.cli.words import _
from pbem.settings import CONFIG


class _Main(Group):
    """All commands."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """What they are given is text, but for the addresses of a mail: a mail server takes other bytes too."""
        name, command, words = super().resolve_command(ctx, args)
        if name != "ingest":
            require_utf8(words)
        return name, command, words

    def invoke(self, ctx: click.Context) -> object:
        """What can't be done is told in a sentence."""
        with told():
            return super().invoke(ctx)


COMMANDS = {
    "up": "running",
    "status": "status",
    "migrate": "running",
    "backup": "backing",
    "restore": "backing",
    "settings": "settings",
    "sweep": "sweeping",
    "listen": "listening",
    "ingest": "ingesting",
    "fetch": "fetching",
    "mail": "mail",
    "doctor": "doctor",
    "login-link": "account",
    "account": "account",
    "game": "game",
    "site": "site",
    "board": "board",
    "verify": "record",
    "components": "components",
    "simulate": "simulating",
}
"""The module of each, in this package."""


@click.group(
    cls=_Main,
    commands=Later({name: f"{__name__}.{module}" for name, module in COMMANDS.items()}),
    help=_(
        "A moderator for slow board games played by email. `pbem up` runs the service; the other commands work on the "
        "same settings while it runs. Settings come from PBEM_… in the environment and from a file: `pbem settings`."
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--config", type=click.Path(exists=True, dir_okay=False), help=_("The file of settings, .toml or .env."))
@click.version_option(package_name="pbem")
def main(config: str | None) -> None:
    """Take the file of settings, for this process and those that it starts."""
    if config is not None:
        os.environ[CONFIG] = os.path.abspath(config)
