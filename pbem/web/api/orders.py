"""Orders of my seat: checked, sent, and whether the game is to wait for more. The same ways as mail and page go."""

import secrets
from datetime import datetime
from hashlib import blake2b
from typing import Any, Literal

import msgspec
from pydantic import Field

from pbem import clock
from pbem.mail.catchingup import catch_up, submit_in_turn
from pbem.reports.data import Acknowledgement, encode
from pbem.reports.render import acknowledgement_letter
from pbem.sheets.received import Post
from pbem.sheets.submitting import Taken, check
from pbem.storage.models import Game, Seat
from pbem.web.api.access import Caller
from pbem.web.api.calls import Answer, Body, Calls
from pbem.web.api.problems import Refusal
from pbem.web.pages import seat_of, service
from pbem.web.seat import MAX_TEXT
from pbem.web.standing import standing
from pbem.words import Words

calls = Calls()

NO_NUL = r"^[^\x00]*$"
STAGE = r"^[0-9]{1,9}/[0-9]{1,9}-[a-z_]{1,60}$"
Key = Field(
    default="",
    max_length=120,
    pattern=NO_NUL,
    description="The same, sent again with the same key, counts once. Without a key each call counts.",
)
Stage = Field(
    default="",
    pattern=f"^$|{STAGE}",
    description="The mark of the stage that it is for, as `show_seat` has it; empty for the one that is open.",
)


class CheckedText(Body):
    """Orders to be looked at."""

    text: str = Field(max_length=MAX_TEXT, pattern=NO_NUL, description="One order a line, as in a mail.")
    stage: str = Stage


class SentText(CheckedText):
    """Orders to be kept."""

    key: str = Key


class Readiness(Body):
    """Whether the game need not wait for this seat."""

    ready: bool
    stage: str = Stage
    key: str = Key


class Read(Answer):
    """What was made of what was sent."""

    outcome: Literal["kept", "checked", "late", "nothing", "counted_before"] = Field(
        description="`checked`: nothing was kept, and the rest is what would be; `late`: kept for a stage that has"
        " closed; `nothing`: nothing in it was an order; `counted_before`: the same was sent before with that key."
    )
    ready: bool
    sheet: list[str] = Field(description="All orders that stand.")
    deadline: datetime | None
    seal: str = Field(description="Commits to the sheet without showing it, hexadecimal; empty where none was made.")
    text: str = Field(description="The acknowledgement as in the mail, in your language; empty for `counted_before`.")
    data: dict[str, Any] | None = Field(description="What the text is made from.")


@calls.check("/games/<code>/orders/check")
def check_orders(who: Caller, code: str, given: CheckedText) -> Read:
    """Read orders as they would be, and what would come of them; nothing is kept and nobody is told."""
    game, seat = playing(code, who)
    post = _post(game, seat, given.text, given.stage, "")
    catch_up(service(), post.game_id, post.seat)
    return read_told(check(service(), post), who.words)


@calls.post("/games/<code>/orders")
def send_orders(who: Caller, code: str, given: SentText) -> Read:
    """Send orders and commands, as in a mail; they are acknowledged by mail too, as you have chosen letters to come."""
    game, seat = playing(code, who)
    return _taken_told(kept(game, seat, given.text, given.key, given.stage), code, who)


@calls.post("/games/<code>/ready")
def set_ready(who: Caller, code: str, given: Readiness) -> Read:
    """Say that the game need not wait for my seat, or that it shall."""
    game, seat = playing(code, who)
    said = "ready" if given.ready else "not ready"
    return _taken_told(kept(game, seat, said, given.key, given.stage), code, who)


def playing(code: str, who: Caller) -> tuple[Game, Seat]:
    """The caller's seat. Raises Refusal where the game takes no orders."""
    game, seat = seat_of(code, who.id)
    if game.status != "playing" or game.aside:
        raise Refusal(409, "no_orders_now")
    return game, seat


def kept(game: Game, seat: Seat, text: str, key: str, stage: str = "") -> Taken:
    """What was made of a text that is kept, after all that the player had mailed before. Raises Refusal."""
    taken = submit_in_turn(service(), _post(game, seat, text, stage, key))
    if taken.acknowledgement is None and not taken.duplicate:
        raise Refusal(409, "no_orders_now")  # it has ended meanwhile
    return taken


def _taken_told(taken: Taken, code: str, who: Caller) -> Read:
    """What was made of it; of what had counted before, how the seat stands now."""
    if taken.acknowledgement is not None:
        return read_told(taken.acknowledgement, who.words)
    game, seat = seat_of(code, who.id)
    with service().reading() as reading:
        now = standing(reading, game, seat, who.words)
    return Read(
        outcome="counted_before", ready=now.ready, sheet=now.sheet, deadline=now.deadline, seal="", text="", data=None
    )


def read_told(told: Acknowledgement, words: Words) -> Read:
    """An acknowledgement."""
    return Read(
        outcome=told.outcome,  # type: ignore[arg-type]
        ready=told.ready,
        sheet=list(told.sheet),
        deadline=told.deadline,
        seal=told.seal,
        text=acknowledgement_letter(told, words).text,
        data=msgspec.json.decode(encode(told), type=dict[str, Any]),
    )


def _post(game: Game, seat: Seat, text: str, stage: str, key: str) -> Post:
    assert game.id is not None
    line, _, stage_key = stage.partition("/")
    mark = blake2b(f"{key}\n{text}".encode(), digest_size=16).hexdigest() if key else secrets.token_hex(16)
    return Post(
        game_id=game.id,
        seat=seat.number,
        text=text.replace("\r\n", "\n"),
        source="api",
        key=f"api/{game.code}/{seat.number}/{mark}",
        received=clock.now(),
        asked=(int(line), stage_key) if stage else None,
        generation=seat.generation,
    )
