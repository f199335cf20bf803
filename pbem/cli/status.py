"""What the service has to do."""

import click

from pbem.cli.opened import opened
from pbem.cli.shown import as_json, show
from pbem.cli.words import _
from pbem.measures import measures


@click.command("status", help=_("What the service has to do, what is stuck, and when work was last looked for."))
@as_json
def status(as_json: bool) -> None:
    """What the service has to do."""
    with opened() as service, service.reading() as session:
        found = measures(session)
    counts = {"game": found.games, "inbound": found.mails, "letter": found.letters}
    rows = [
        {"what": what, "state": state, "number": number}
        for what, by_state in counts.items()
        for state, number in by_state.items()
    ]
    rows.append({"what": "game", "state": "aside", "number": found.aside})
    rows.append({"what": "task", "state": "aside", "number": found.tasks_aside})
    rows.append({"what": "game", "state": "waiting for players", "number": found.awaiting_players})
    for task, owed in found.owed.items():
        rows.append({"what": "owed", "state": task, "number": owed.number})
        rows.append({"what": "oldest", "state": task, "number": int(owed.oldest)})
    rows += [{"what": "process", "state": name, "number": int(age)} for name, age in sorted(found.beats.items())]
    number = _("how many (processes, oldest: seconds since)")
    show(rows, {"what": _("what"), "state": _("state"), "number": number}, as_json)
