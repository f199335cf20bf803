"""What a player must confirm before it is done: leaving a game, new reply addresses."""

from datetime import timedelta

from sqlmodel import Session

from pbem import clock
from pbem.context import Service, nudge
from pbem.door import ADVANCE
from pbem.errors import Refused
from pbem.games.due import is_due
from pbem.games.inbox import mark_read
from pbem.games.notices import newtoken_letter, resigned_letters
from pbem.games.position import players_of, seat_rows
from pbem.games.vacating import vacate
from pbem.letters import put
from pbem.sheets.answers import CONFIRM_HOURS
from pbem.storage.models import Game, Letter, Seat
from pbem.storage.sessions import locked_game

RESIGN, NEW_TOKEN = "confirm-resign", "confirm-new_token"
KINDS = frozenset({RESIGN, NEW_TOKEN})
"""The kinds of letter that ask for a confirmation which `confirm` understands."""


def confirm(service: Service, letter_id: int, inbound_id: int | None = None) -> str:
    """Do what the letter asked to confirm; its kind. Confirming twice does it once.

    Raises Refused `nothing_to_confirm`, or `link_void` where it is too old or the seat's addresses are new since.
    """
    with service.reading() as session:
        letter = session.get(Letter, letter_id)
    if letter is None or letter.kind not in KINDS or letter.game_id is None or letter.seat is None:
        raise Refused("nothing_to_confirm")
    if letter.queued + timedelta(hours=CONFIRM_HOURS) < clock.now():
        raise Refused("link_void")
    if letter.kind == RESIGN:
        resign(service, letter.game_id, letter.seat, letter.generation, inbound_id)
    else:
        new_token(service, letter.game_id, letter.seat, letter.generation, inbound_id)
    return letter.kind


def resign(service: Service, game_id: int, number: int, generation: int, inbound_id: int | None = None) -> None:
    """Leave the seat: it is nobody's, and takes defaults. Raises Refused `link_void` for another generation."""
    with service.reading() as session:
        game, seats = _found(session, game_id, number)
        players = players_of(session, game_id)
        session.expunge_all()
        vacate(game, seats, number)
        letters = resigned_letters(service, session, game, seats, number, players)
    with service.writing() as session:
        game = locked_game(session, game_id)
        seats = seat_rows(session, game_id)
        seat = seats[number]
        mark_read(session, inbound_id)
        if seat.resigned is not None:
            return
        _same(seat, generation)
        vacate(game, seats, number)
        game.version += 1
        session.add_all([seat, game])
        put(session, *letters)
        if is_due(game, clock.now()):
            nudge(session, ADVANCE, game_id)


def new_token(service: Service, game_id: int, number: int, generation: int, inbound_id: int | None = None) -> None:
    """Make the seat's older reply addresses void. Raises Refused `link_void` for another generation."""
    with service.reading() as session:
        game, seats = _found(session, game_id, number)
        letter = newtoken_letter(service, game, seats[number], players_of(session, game_id)[number])
    with service.writing() as session:
        game = locked_game(session, game_id)
        seat = seat_rows(session, game_id)[number]
        mark_read(session, inbound_id)
        _same(seat, generation)
        seat.generation += 1
        game.version += 1
        session.add_all([seat, game])
        put(session, letter)


def _found(session: Session, game_id: int, number: int) -> tuple[Game, list[Seat]]:
    game = session.get(Game, game_id)
    seats = seat_rows(session, game_id)
    if game is None or not 0 <= number < len(seats):
        raise Refused("no_seat")
    return game, seats


def _same(seat: Seat, generation: int) -> None:
    if seat.generation != generation:
        raise Refused("link_void")
