"""Messages between players: written as the order language has them, kept with the game."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, or_, select

from engine.orders.lexicon import lexicon
from pbem import clock
from pbem.games.position import holds, seat_rows
from pbem.games.resolve import numbers
from pbem.games.rules import module_of, setup_of
from pbem.reports.game import game_words
from pbem.sheets.lines import tongue_of
from pbem.sheets.submitting import Post, submit
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
    to, body = _recipients(game, seat), _in_one_piece(text)
    if not to or not body:
        return back_to(f"/games/{code}/messages", "nothing_written")
    order = f"to {' and '.join(to)}:\n{body}"
    key = blake2b(f"{request.form.get('key', '')[:120]}\n{order}".encode(), digest_size=16).hexdigest()
    assert game.id is not None
    submit(service(), Post(game.id, seat.number, order, "page", f"press/{game.code}/{seat.number}/{key}", clock.now()))
    return back_to(f"/games/{code}/messages", "written")


def _recipients(game: Game, seat: Seat) -> list[str]:
    """The names, in the order language, of those that were chosen."""
    chosen = request.form.getlist("to")
    module = module_of(game)
    words = lexicon(module.language.words, tongue_of(module, me().words.language))
    if EVERYONE in chosen:
        return [words.say(EVERYONE)]
    if MODERATOR in chosen:
        return [words.say(MODERATOR)]
    sides = module.seat_names[: setup_of(game).seats]
    return [words.say(name) for number, name in enumerate(sides) if str(number) in chosen and number != seat.number]


def _in_one_piece(text: str) -> str:
    """A message ends at an empty line or at `end`: neither may stand inside one that is meant as a whole."""
    lines = [line.strip() for line in text.split("\n")]
    return "\n".join(f"{line}." if line.lower() == "end" else line for line in lines if line)


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
