"""The command line: `pbem --help`."""

import os

import click

from pbem.cli import account, backing, board, components, doctor, game, mail, record, running, simulating, site
from pbem.cli.groups import Group
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
        if command is not mail.ingest:
            require_utf8(words)
        return name, command, words

    def invoke(self, ctx: click.Context) -> object:
        """What can't be done is told in a sentence."""
        with told():
            return super().invoke(ctx)


@click.group(
    cls=_Main,
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


for command in (
    running.up,
    running.status,
    running.migrate,
    backing.backup,
    backing.restore,
    running.settings_page,
    running.sweep,
    running.listen,
    mail.ingest,
    mail.fetch,
    mail.mail,
    doctor.doctor,
    account.login_link,
    account.account,
    game.game,
    site.site,
    board.board,
    record.verify,
    components.components,
    simulating.simulate,
):
    main.add_command(command)
