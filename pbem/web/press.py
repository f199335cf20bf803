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
from pbem.games.position import holds, numbers, seat_rows
from pbem.games.rules import module_of, setup_of
from pbem.reports.game import game_words
from pbem.sheets.lines import tongue_of
from pbem.sheets.received import Post
from pbem.sheets.submitting import submit
from pbem.storage.models import Game, Press, Seat
from pbem.web.pages import back_to, me, my_seat, page, service, signed_in

routes = Blueprint("press", __name__)

MOST = 200
"""Messages that are shown."""
MAX_TEXT = 5_000
EVERYONE = "all"
MODERATOR = "moderator"


@dataclass(frozen=True)
class Message:
    """One message as its reader or writer sees it."""

    author: str
    readers: list[str]
    text: str
    mine: bool
    at: datetime


@routes.get("/games/<code>/messages")
@signed_in
def listed(code: str) -> ResponseReturnValue:
    """What was written to this seat and by it, the newest first."""
    game, seat = my_seat(code)
    said = game_words(game.rules, setup_of(game), me().words.language)
    assert game.id is not None
    with service().reading() as reading:
        rows = _press(reading, game, seat)
        seats = seat_rows(reading, game.id)
    messages = [
        Message(
            said.seat(row.sender),
            [said.seat(number) for number in numbers(row.seats)],
            row.text,
            row.sender == seat.number,
            row.at,
        )
        for row in rows
    ]
    others = [(str(each.number), said.seat(each.number)) for each in seats if holds(each) and each.id != seat.id]
    return page("messages", game=game, messages=messages, others=others, most=MAX_TEXT, key=secrets.token_urlsafe(12))


@routes.post("/games/<code>/messages")
@signed_in
def send(code: str) -> ResponseReturnValue:
    """Writes to the chosen sides."""
    game, seat = my_seat(code)
    if game.status != "playing" or game.aside:
        return back_to(f"/games/{code}/messages", "no_messages_now")
    text = request.form.get("text", "").replace("\r\n", "\n")
    if len(text) > MAX_TEXT:
        abort(413)
    module = module_of(game)
    words = lexicon(module.language.words, tongue_of(module, me().words.language))
    sides = module.seat_names[: setup_of(game).seats]
    to = _recipients(words, sides, seat.number)
    if not to or not text.strip():
        return back_to(f"/games/{code}/messages", "nothing_written")
    order = _in_one_piece(f"{words.say('press')} {', '.join(to)}", text, words.say("end"))
    key = blake2b(f"{request.form.get('key', '')[:120]}\n{order}".encode(), digest_size=16).hexdigest()
    assert game.id is not None
    key = f"press/{game.code}/{seat.number}/{key}"
    submit(service(), Post(game.id, seat.number, order, "page", key, clock.now(), generation=seat.generation))
    return back_to(f"/games/{code}/messages", "written")


def _recipients(words: Lexicon, sides: Sequence[str], own: int) -> list[str]:
    """The names, in the order language, of those that were chosen."""
    chosen = request.form.getlist("to")
    for everybody in (EVERYONE, MODERATOR):
        if everybody in chosen:
            return [words.say(everybody)]
    return [words.say(name) for number, name in enumerate(sides) if str(number) in chosen and number != own]


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
