"""A game from its record, for moderators of the site: the file, and who is asked to take its seats."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from pbem.accounts import main_address
from pbem.errors import Refused
from pbem.games.lifecycle import Guest
from pbem.records.checking import BadRecord
from pbem.records.importing import Arrival, import_record
from pbem.records.problems import problem
from pbem.rulings.authority import MAX_REASON, Actor, check_length
from pbem.storage.models import Account
from pbem.web.pages import back_to, limited, me, page, service, signed_in, visitor
from pbem.web.site import only_moderators

routes = Blueprint("importing", __name__)

MOST_BYTES = 8_000_000
MOST_GUESTS = 5_000
"""Characters."""


@routes.before_app_request
def make_room() -> None:
    """A record may be longer than a form; that of a moderator of the site, and of nobody else."""
    known = visitor() if request.endpoint == "importing.make" else None
    if known is None:
        return
    with service().reading() as reading:
        account = reading.get(Account, known.id)
    if account is not None and account.moderator:
        request.max_content_length = MOST_BYTES


@routes.get("/import")
@signed_in
def form() -> ResponseReturnValue:
    """What is asked for."""
    only_moderators()
    return _form()


@routes.post("/import")
@signed_in
def make() -> ResponseReturnValue:
    """Makes the game, and leads to its desk; what is wrong with the file is told with its line."""
    account = only_moderators()
    assert account.id is not None
    with service().reading() as reading:
        address = main_address(reading, account.id)
    given = request.files.get("file")
    reason = request.form.get("reason", "")
    check_length(reason)
    guests = _guests(limited(request.form.get("players", ""), MOST_GUESTS))
    arrival = Arrival(guests, address, Actor(" ".join(reason.split()), address))
    try:
        code = import_record(service(), given.read() if given is not None else b"", arrival)
    except BadRecord as bad:
        params = {"line": bad.line, "problem": problem(bad, me().words)}
        return _form(409, wrong=me().words.gettext("Line %(line)s of the file: %(problem)s.") % params)
    return back_to(f"/games/{code}/desk", "imported")


def _form(status: int = 200, wrong: str = "") -> ResponseReturnValue:
    return page("import", status, wrong=wrong, most=MOST_GUESTS, most_reason=MAX_REASON)


def _guests(text: str) -> dict[str, Guest]:
    found: dict[str, Guest] = {}
    for line in filter(str.strip, text.splitlines()):
        side, mark, guest = line.partition("=")
        if not mark or side.strip().lower() in found:
            raise Refused("guest_line", given=line[:60])
        found[side.strip().lower()] = Guest.written(guest)
    return found
