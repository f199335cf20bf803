"""`pbem game templates`: the templates of games, and what is wrong with one."""

from typing import Any

import click

from pbem.cli.shown import as_json, print_json, show
from pbem.cli.words import WORDS, _
from pbem.errors import Refused
from pbem.gametemplates import BadTemplate, names, read_template, said
from pbem.refusals import said as refused
from pbem.settings import Settings, settings


@click.command("templates", help=_("The templates of games, and what is wrong with each, if anything."))
@as_json
def templates(as_json: bool) -> None:
    """The templates of games; the exit status is 1 where one can't be used."""
    rows = [_row(settings(), name) for name in names(settings())]
    if as_json:
        print_json(rows)
    else:
        headings = {"name": _("name"), "rules": _("rules"), "seats": _("seats"), "title": _("title")}
        show([{name: row[name] for name in headings} for row in rows], headings, form=False)
        for row in rows:
            for problem in row["problems"]:
                click.echo(problem)
    if any(row["problems"] for row in rows):
        raise SystemExit(1)


def _row(ours: Settings, name: str) -> dict[str, Any]:
    try:
        plan = read_template(ours, name).plan
    except BadTemplate as bad:
        return {"name": name, "rules": "", "seats": None, "title": "", "problems": said(bad, WORDS)}
    except Refused as why:
        return {"name": name, "rules": "", "seats": None, "title": "", "problems": [refused(why, WORDS)]}
    seats = plan.free + len(plan.standins)
    return {"name": name, "rules": plan.rules, "seats": seats, "title": plan.title, "problems": []}


COMMANDS = (templates,)
