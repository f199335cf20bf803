"""The seats of a game that has not begun: which are free, how open ones are given, and the beginning itself."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlmodel import Session

from engine.chance import KeyedChance
from pbem import clock
from pbem.context import nudge
from pbem.door import ADVANCE
from pbem.errors import Refused
from pbem.games.position import words_of
from pbem.games.recording import SERVICE
from pbem.storage.models import Game, Ruling, Seat

CHOICE, DRAW = "choice", "draw"
SEATINGS = (CHOICE, DRAW)
"""How seats are given: each chooses among those that are free, in order of arrival; or all are drawn at the start."""
FURTHEST_START = timedelta(days=366)
"""How far ahead a game can begin on a date."""
DRAWN = "seats_drawn"
"""The act on record of the draw: its params `seats` are those that were drawn among, `went` where each went."""


def check_seating(seating: str, *, listed: bool, starts_at: datetime | None) -> None:
    """Raises Refused `bad_seating`, `not_open` for a listed game that takes nobody, `start_past`, `start_far`."""
    if seating not in ("", *SEATINGS):
        raise Refused("bad_seating", given=seating, known=", ".join(SEATINGS))
    if listed and not seating:
        raise Refused("not_open")
    if starts_at is not None and starts_at <= clock.now():
        raise Refused("start_past")
    if starts_at is not None and starts_at > clock.now() + FURTHEST_START:
        raise Refused("start_far", days=FURTHEST_START.days)


def is_open(seat: Seat) -> bool:
    """Whether a game that is to begin by itself still waits for somebody to take the seat."""
    return seat.joined is None and not seat.standin


def is_free(seat: Seat) -> bool:
    """Whether nobody has the seat, or is invited to it: it may go to whoever comes."""
    return is_open(seat) and seat.account_id is None


def free(game: Game, seat: Seat) -> None:
    """Let a seat be nobody's, before the game begins; its reply addresses are void."""
    seat.account_id, seat.joined, seat.invited, seat.reminded, seat.public_word = None, None, None, None, ""
    seat.generation += 1
    game.version += 1
    game.tend_at = clock.now()  # somebody may wait for it


def begin(session: Session, game: Game, seats: Sequence[Seat]) -> None:
    """Let the game begin, in its rows. `game` is locked, and stored by the caller."""
    if game.seating == DRAW:
        _draw(session, game, [seat for seat in seats if not seat.standin])
    game.status = "starting"
    game.settle_until = clock.now()
    game.tend_at = clock.now()  # guests who have not joined are told
    assert game.id is not None
    nudge(session, ADVANCE, game.id)


def _draw(session: Session, game: Game, seats: Sequence[Seat]) -> None:
    """Draw from the game's secret and all words who sits where. Older reply addresses are void: they name a seat."""
    went = _went(game.secret, words_of(list(seats)))
    held = [(seat.account_id, seat.joined, seat.invited, seat.public_word) for seat in seats]
    generation = max(seat.generation for seat in seats) + 1
    for place, at in enumerate(went):
        seat = seats[at]
        seat.account_id, seat.joined, seat.invited, seat.public_word = held[place]
        seat.generation = generation
        session.add(seat)
    assert game.id is not None
    numbers = [seat.number for seat in seats]
    params = {"seats": numbers, "went": [numbers[at] for at in went]}
    session.add(
        Ruling(
            game_id=game.id,
            number=game.next_ruling,
            line=game.line,
            actor=SERVICE,
            act=DRAWN,
            reason="",
            params=msgspec.json.encode(params).decode(),
            at=clock.now(),
        )
    )
    game.next_ruling += 1


class _Drawn(msgspec.Struct, frozen=True):
    """What is on record of it: the seats, in order, and by each player of those in turn the one that it got."""

    seats: list[int]
    went: list[int]


def draw_fits(secret: bytes, words: Sequence[str], params: Mapping[str, Any]) -> bool:
    """Whether a draw of sides on record is what the secret and the words make of it; `words` are by seat as they are
    since: each went with its player."""
    try:
        drawn = msgspec.convert(params, _Drawn)
    except msgspec.ValidationError:
        return False
    if sorted(drawn.went) != drawn.seats or not {*drawn.seats} <= {*range(len(words))}:
        return False
    before = [words[seat] for seat in drawn.went]
    return [drawn.seats[at] for at in _went(secret, before)] == drawn.went


def _went(secret: bytes, words: Sequence[str]) -> list[int]:
    """Where each of those goes who sit in that order, with these words."""
    chance = KeyedChance(secret, list(words), 0, {})
    went = list(range(len(words)))
    for last in range(len(words) - 1, 0, -1):
        other = chance.draw("seats", last + 1)
        went[last], went[other] = went[other], went[last]
    return went
