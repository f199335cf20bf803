"""`pbem site …`: what a moderator of the site looks after."""

from dataclasses import asdict

import click

from pbem.cli.groups import Group
from pbem.cli.opened import opened
from pbem.cli.shown import as_json, print_json, show
from pbem.cli.words import WORDS, _
from pbem.site.overview import Lost, Row, Trouble, Waited, overview


@click.group(cls=Group, help=_("The site as a whole, for those who moderate it."))
def site() -> None:
    """The site as a whole."""


@site.command(
    "games",
    help=_("All games that are not over, the most urgent first: who is waited for, what is in trouble."),
)
@as_json
def games(as_json: bool) -> None:
    """All games, by urgency."""
    with opened() as service, service.reading() as session:
        found = overview(session, WORDS)
    if as_json:
        print_json(asdict(found))
        return
    headings = {"urgency": _("state"), "code": _("game"), "stage": _("stage"), "since": _("since")}
    headings |= {"deadline": _("deadline"), "waited": _("waited for"), "letters": _("letters that fail")}
    show([_cells(row) for row in found.games], headings | {"troubles": _("seats in trouble")}, False)
    if found.mails:
        click.echo()
        click.echo(_("Mails that were set aside:"))
        columns = {"number": "#", "game": _("game"), "received": _("received")}
        show([asdict(each) for each in found.mails], columns, False)
    if found.letters:
        click.echo()
        click.echo(_("Letters of no game that did not arrive:"))
        columns = {"number": "#", "kind": _("kind"), "fate": _("fate"), "queued": _("when"), "said": _("what was said")}
        show([asdict(each) for each in found.letters], columns, False)


def _cells(row: Row) -> dict[str, object]:
    return {
        **asdict(row),
        "stage": " ".join(filter(None, (row.turn, row.stage, "" if row.installed else _("(rules not installed)")))),
        "waited": [_waited(each) for each in row.waited],
        "letters": [_lost(each) for each in row.letters],
        "troubles": [_trouble(each) for each in row.troubles],
    }


def _waited(each: Waited) -> str:
    since = f"{each.since:%Y-%m-%d %H:%M}" if each.since is not None else "-"
    return f"{each.side} ({since})"


def _lost(each: Lost) -> str:
    return f"{each.side or '-'} {each.kind} {each.fate}"


def _trouble(each: Trouble) -> str:
    return f"{each.side} {each.what}{f' {each.missed}' if each.missed else ''}"
