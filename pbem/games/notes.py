"""What a player notes to themselves about a game: nobody else sees it, and it goes when the seat passes on."""

from sqlalchemy import bindparam, delete
from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.storage.models import Note, Seat
from pbem.storage.sessions import locked_game

MOST = 10_000
"""Characters of one player's notes on one game."""
_NOTE = select(Note).where(
    col(Note.game_id) == bindparam("game"),
    col(Note.seat) == bindparam("seat"),
    col(Note.account_id) == bindparam("account"),
)


def notes_of(session: Session, seat: Seat) -> str:
    """The notes of the seat's present player."""
    row = _row(session, seat)
    return row.text if row is not None else ""


def keep_notes(service: Service, seat: Seat, before: str, text: str) -> bool:
    """Keep the notes as they were changed from `before`; where they are otherwise by now, both stand, and it is True.

    Raises Refused `notes_too_long`, with nothing changed.
    """
    with service.writing() as session:
        locked_game(session, seat.game_id)
        row = _row(session, seat)
        kept = row.text if row is not None else ""
        both = kept not in (before, text)
        whole = f"{kept}\n\n{text}" if both else text
        if len(whole) > MOST:
            raise Refused("notes_too_long", most=MOST)
        if row is None:
            assert seat.account_id is not None
            row = Note(game_id=seat.game_id, seat=seat.number, account_id=seat.account_id, text="", changed=clock.now())
        row.text, row.changed = whole, clock.now()
        session.add(row)
    return both


def forget_notes(session: Session, game_id: int, seat: int, account_id: int) -> None:
    """The notes of a player who has the seat no more."""
    theirs = col(Note.game_id) == game_id, col(Note.seat) == seat, col(Note.account_id) == account_id
    session.execute(delete(Note).where(*theirs))


def _row(session: Session, seat: Seat) -> Note | None:
    mine = {"game": seat.game_id, "seat": seat.number, "account": seat.account_id}
    return session.exec(_NOTE, params=mine).one_or_none()
