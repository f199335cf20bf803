"""`pbem board`: how a game stands, as all may see it."""

from pathlib import Path

import click

from pbem.cli.opened import opened
from pbem.cli.words import WORDS, _
from pbem.games.drawing import public_board
from pbem.persontext import escaped_line
from pbem.reports.board import png


@click.command(
    "board",
    help=_("How GAME stands, of what all its players may see: in words, or as the picture that their letters show."),
)
@click.argument("code", metavar="GAME")
@click.option("--text", "form", flag_value="text", default="text", help=_("Print it in words; so it is without any."))
@click.option("--svg", "form", flag_value="svg", help=_("Print the picture as SVG."))
@click.option("--png", "file", type=click.Path(dir_okay=False, writable=True), help=_("Write the picture to a file."))
def board(code: str, form: str, file: str | None) -> None:
    """How a game stands."""
    with opened() as service:
        shown = public_board(service, code, WORDS)
    if not shown.svg and (file is not None or form == "svg"):
        raise click.ClickException(_("This game has no picture; --text says how it stands."))
    if file is not None:
        _write(Path(file), png(shown.svg))
    elif form == "svg":
        click.echo(shown.svg)
    else:
        head = _("%(title)s, turn %(turn)s: %(stage)s") % {
            "title": escaped_line(shown.title),
            "turn": shown.turn,
            "stage": shown.stage,
        }
        click.echo("\n".join([head, "", *shown.lines]))


def _write(file: Path, picture: bytes) -> None:
    try:
        file.write_bytes(picture)
    except OSError as error:
        raise click.FileError(str(file), error.strerror) from error
