"""Messages between players: written as the order language has them, kept with the game."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, or_, select

from engine.orders.lexicon import Lexicon, lexicon
from engine.orders.tokens import MAX_LINES, fold
from pbem import clock
from pbem.games.policy import policy_of
from pbem.games.position import holds, numbers, seat_rows
from pbem.games.rules import module_of, setup_of
from pbem.reports.game import GameWords, game_words
from pbem.reports.render import acknowledgement_params
from pbem.sheets.lines import tongue_of
from pbem.sheets.pressing import MUTING, UNSIGNED, muted
from pbem.sheets.received import Post
from pbem.sheets.submitting import submit
from pbem.storage.models import Game, Press, Seat
from pbem.web.pages import back_to, me, my_seat, page, service, signed_in

routes = Blueprint("press", __name__)

MOST = 200
"""Messages that are shown."""
MAX_TEXT = 20_000
"""Characters of the form; how long a message may be is the game's choice."""
EVERYONE = "all"
MODERATOR = "moderator"


@dataclass(frozen=True)
class Message:
    """One message as its reader or writer sees it."""

    author: str
    """Empty where it is not told."""
    readers: list[str]
    text: str
    mine: bool
    at: datetime
    everyone: bool = False
    moderator: bool = False
    """Whether it went to the moderator too."""
    from_moderator: bool = False
    veiled: bool = False
    """Whether it answers an anonymous message, so that its writer does not know whom it went to."""


@routes.get("/games/<code>/messages")
@signed_in
def listed(code: str) -> ResponseReturnValue:
    """What was written to this seat and by it, the newest first."""
    game, seat = my_seat(code)
    return _page(game, seat)


def _page(game: Game, seat: Seat, text: str = "", problems: Sequence[str] = ()) -> ResponseReturnValue:
    """With a text that was not sent, and why."""
    said = game_words(game.rules, setup_of(game), me().words.language)
    policy = policy_of(game)
    assert game.id is not None
    with service().reading() as reading:
        rows = _press(reading, game, seat)
        seats = seat_rows(reading, game.id)
    not_mailed = muted(seat)
    sides = [(str(each.number), said.seat(each.number)) for each in seats if each.number != seat.number]
    return page(
        "messages",
        game=game,
        messages=[_message(row, seat, said, over=game.status == "over") for row in rows],
        others=[side for side in sides if holds(seats[int(side[0])])],
        mutable=[(number, side, number in not_mailed) for number, side in sides],
        unsigned_muted=UNSIGNED in not_mailed,
        press=policy.press,
        may_write=not seat.press_muted,
        most=policy.press_length,
        a_day=policy.press_a_day,
        key=secrets.token_urlsafe(12),
        text=text,
        problems=problems,
    )


def _message(row: Press, seat: Seat, said: GameWords, *, over: bool) -> Message:
    """As its reader or writer is to see it: who is not named stays so until the game is over."""
    mine = row.sender == seat.number
    author = said.seat(row.sender) if row.sender is not None and (mine or over or not row.anonymous) else ""
    veiled = row.veiled and mine and not over
    readers = [] if veiled else [said.seat(number) for number in numbers(row.seats)]
    return Message(author, readers, row.text, mine, row.at, row.everyone, row.to_moderator, row.sender is None, veiled)


@routes.post("/games/<code>/messages")
@signed_in
def send(code: str) -> ResponseReturnValue:
    """Writes to the chosen sides; what can't be sent is shown again with the reason."""
    game, seat = my_seat(code)
    if game.status != "playing" or game.aside:
        return back_to(f"/games/{code}/messages", "no_messages_now")
    text = request.form.get("text", "").replace("\r\n", "\n")
    if len(text) > MAX_TEXT:
        abort(413)
    words, sides = _language(game)
    to = _recipients(words, sides, seat.number)
    if not to or not text.strip():
        return back_to(f"/games/{code}/messages", "nothing_written")
    unsigned = f" {words.say(UNSIGNED)}" if request.form.get("anonymous") else ""
    order = _in_one_piece(f"{words.say('press')} {', '.join(to)}{unsigned}", text, words.say("end"))
    problems = _submitted(game, seat, order)
    return _page(game, seat, text, problems) if problems else back_to(f"/games/{code}/messages", "written")


@routes.post("/games/<code>/mutes")
@signed_in
def mute(code: str) -> ResponseReturnValue:
    """Messages of a side, or anonymous ones, are mailed no longer, or again; they stand on the page all the same."""
    game, seat = my_seat(code)
    if game.status != "playing" or game.aside:
        return back_to(f"/games/{code}/messages", "no_messages_now")
    words, sides = _language(game)
    whom, act = request.form.get("whom", ""), request.form.get("act", "")
    names = {str(number): words.say(name) for number, name in enumerate(sides)} | {UNSIGNED: words.say(UNSIGNED)}
    if act not in MUTING or whom not in names:
        abort(400)
    problems = _submitted(game, seat, f"{words.say(act)} {names[whom]}")
    return _page(game, seat, "", problems) if problems else back_to(f"/games/{code}/messages", "muting_changed")


def _language(game: Game) -> tuple[Lexicon, Sequence[str]]:
    """The order language in the player's words, and the ids of the sides in it."""
    module = module_of(game)
    words = lexicon(module.language.words, tongue_of(module, me().words.language))
    return words, module.seat_names[: setup_of(game).seats]


def _submitted(game: Game, seat: Seat, order: str) -> list[str]:
    """Sends it, once for each form; why it was not taken, in sentences."""
    key = blake2b(f"{request.form.get('key', '')[:120]}\n{order}".encode(), digest_size=16).hexdigest()
    assert game.id is not None
    key = f"press/{game.code}/{seat.number}/{key}"
    taken = submit(service(), Post(game.id, seat.number, order, "page", key, clock.now(), generation=seat.generation))
    if taken.acknowledgement is None:
        return []
    return [reason for _, reason, _ in acknowledgement_params(taken.acknowledgement, me().words)["problems"]]


def _recipients(words: Lexicon, sides: Sequence[str], own: int) -> list[str]:
    """The names, in the order language, of those that were chosen."""
    chosen = request.form.getlist("to")
    seats = [words.say(name) for number, name in enumerate(sides) if str(number) in chosen and number != own]
    others = [words.say(each) for each in (EVERYONE, MODERATOR) if each in chosen]
    return others + (seats if EVERYONE not in chosen else [])


def _in_one_piece(to: str, text: str, end: str) -> str:
    """The order: a message ends at an empty line or one that says `end`, so neither may stand inside it as a line."""
    lines = [f"{to}:"]
    for line in filter(None, map(str.strip, text.splitlines())):
        if fold(line).strip(" .") == fold(end):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    if len(lines) > MAX_LINES:
        abort(413)
    return "\n".join(lines)


def _press(reading: Session, game: Game, seat: Seat) -> list[Press]:
    number = str(seat.number)
    to_me = or_(
        col(Press.seats) == number,
        col(Press.seats).startswith(f"{number},"),
        col(Press.seats).endswith(f",{number}"),
        col(Press.seats).contains(f",{number},"),
    )
    query = (
        select(Press)
        .where(col(Press.game_id) == game.id, or_(col(Press.sender) == seat.number, to_me))
        .order_by(col(Press.id).desc())
        .limit(MOST)
    )
    return list(reading.exec(query))
