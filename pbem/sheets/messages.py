"""Messages of a seat as it sees them, and the order by which one is written: for page and API."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, col, or_, select

from engine.orders.lexicon import Lexicon
from engine.orders.tokens import MAX_LINES, fold
from pbem.games.position import numbers
from pbem.reports.game import GameWords
from pbem.sheets.pressing import UNSIGNED
from pbem.storage.models import Game, Press, Seat

MOST = 200
"""Messages that are shown."""
EVERYONE = "all"
MODERATOR = "moderator"

_MINE = (
    select(Press)
    .where(
        col(Press.game_id) == bindparam("game"),
        or_(
            col(Press.sender) == bindparam("sender"),
            col(Press.seats) == bindparam("alone"),
            col(Press.seats).like(bindparam("first")),
            col(Press.seats).like(bindparam("last")),
            col(Press.seats).like(bindparam("between")),
        ),
    )
    .order_by(col(Press.id).desc())
    .limit(bindparam("most"))
)


class TooManyLines(ValueError):
    """The message has more lines than an order is read of."""


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


def messages_of(reading: Session, game: Game, seat: Seat, said: GameWords, most: int = MOST) -> list[Message]:
    """What was written to the seat and by it, the newest first."""
    return [_message(row, seat, said, over=game.status == "over") for row in _rows(reading, game, seat, most)]


def message_order(words: Lexicon, to: Sequence[str], text: str, *, unsigned: bool) -> str:
    """The order that sends a text, in one piece: it ends at an empty line or one that says `end`, so neither may stand
    inside it as a line. `to` are names as `recipients` gives them. Raises TooManyLines."""
    lines = [f"{words.say('press')} {', '.join(to)}{f' {words.say(UNSIGNED)}' if unsigned else ''}:"]
    for line in filter(None, map(str.strip, text.splitlines())):
        if fold(line).strip(" .") == fold(words.say("end")):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    if len(lines) > MAX_LINES:
        raise TooManyLines
    return "\n".join(lines)


def recipients(words: Lexicon, sides: Sequence[str], own: int, chosen: Collection[str]) -> list[str]:
    """The names, in the order language, of those that were chosen among numbers of seats, `all` and `moderator`."""
    seats = [words.say(name) for number, name in enumerate(sides) if str(number) in chosen and number != own]
    others = [words.say(each) for each in (EVERYONE, MODERATOR) if each in chosen]
    return others + (seats if EVERYONE not in chosen else [])


def _message(row: Press, seat: Seat, said: GameWords, *, over: bool) -> Message:
    """As its reader or writer is to see it: who is not named stays so until the game is over."""
    mine = row.sender == seat.number
    author = said.seat(row.sender) if row.sender is not None and (mine or over or not row.anonymous) else ""
    veiled = row.veiled and mine and not over
    readers = [] if veiled else [said.seat(number) for number in numbers(row.seats)]
    return Message(author, readers, row.text, mine, row.at, row.everyone, row.to_moderator, row.sender is None, veiled)


def _rows(reading: Session, game: Game, seat: Seat, most: int) -> list[Press]:
    number = seat.number
    mine = {"game": game.id, "sender": number, "most": most}
    to_me = {"alone": f"{number}", "first": f"{number},%", "last": f"%,{number}", "between": f"%,{number},%"}
    return list(reading.exec(_MINE, params={**mine, **to_me}))
