"""Who waits for a seat of a game that is played, and what they are offered."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import col, select

from pbem.accounts import account_of, create_account
from pbem.context import Service
from pbem.games.gathering import Newcomer, come
from pbem.storage.models import Game, Letter, Seat, Standby, Tenure
from tests.pbem.year.people import Person


@dataclass(frozen=True)
class Offered:
    """A seat that an account is offered, and the letter that says so."""

    seat: int
    account_id: int
    letter: Letter


def line_up(service: Service, game_id: int, person: Person) -> bool:
    """Let somebody wait for a seat of a game that is played; False where they are in it, or have been."""
    with service.reading() as session:
        account = account_of(session, person.address)
        game = session.get_one(Game, game_id)
        number = account.id if account is not None else None
        seats = (
            select(each.id).where(col(each.game_id) == game_id, col(each.account_id) == number)
            for each in (Seat, Tenure, Standby)
        )
        is_in = number is not None and any(session.exec(query).first() is not None for query in seats)
    if game.status != "playing" or is_in:
        return False
    if number is None:
        create_account(service, person.address, person.name)
        with service.reading() as session:
            made = account_of(session, person.address)
        assert made is not None
        number = made.id
    assert number is not None
    come(service, game_id, Newcomer(number))
    return True


def offers(service: Service, game_id: int) -> Sequence[Offered]:
    """What is offered in the game, by letters that went out."""
    with service.reading() as session:
        query = (
            select(Standby, Letter)
            .join(Letter, col(Letter.id) == col(Standby.letter_id))
            .where(col(Standby.game_id) == game_id, col(Standby.seat).is_not(None), col(Letter.fate) == "sent")
            .order_by(col(Standby.id))
        )
        return [
            Offered(row.seat, row.account_id, letter) for row, letter in session.exec(query) if row.seat is not None
        ]
