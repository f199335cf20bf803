"""Open seats: whoever comes takes one that is free or waits for one, in order of arrival, and may leave again."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from pbem import clock
from pbem.accounts import main_address
from pbem.context import Service, nudge
from pbem.door import TEND
from pbem.errors import Busy, Refused
from pbem.games.gatheringletters import date_letters, left_letter, observer_waits_letters, waiting_letter
from pbem.games.inbox import mark_read
from pbem.games.lifecycle import word_kept
from pbem.games.notices import declined_letters, joined_letter
from pbem.games.position import Player, game_row, players_of, seat_rows
from pbem.games.rules import module_of
from pbem.games.seating import CHOICE, begin, check_seating, free, is_free, is_open
from pbem.letters import put
from pbem.mail.letters import is_sendable
from pbem.observing.observers import forget as forget_observer
from pbem.observing.observers import observer_of
from pbem.storage.models import Account, Game, Letter, Seat, Standby, Unwanted
from pbem.storage.sessions import locked_game

TRIES = 20
GATHERS = ("inviting", "starting", "playing")
"""States of a game in which it may take somebody, or let them wait."""


@dataclass(frozen=True)
class Newcomer:
    """Who comes for a seat: an account, the number of the side that it wants or None for any, a word for the draws."""

    account_id: int
    wish: int | None = None
    word: str = ""


@dataclass(frozen=True)
class Manner:
    """How a game takes players: `Game` says what these mean."""

    seating: str
    listed: bool
    starts_at: datetime | None


def change_manner(service: Service, code: str, manner: Manner) -> None:
    """Change how a game takes players; those who have a seat or are invited are told where it begins at another time.

    Raises Refused `no_game`, `wrong_status`, and what `check_seating` raises.
    """
    with service.reading() as session:
        game = game_row(session, code)
        assert game.id is not None
        players = players_of(session, game.id)
    if game.status not in GATHERS or (game.status != "inviting" and manner.starts_at is not None):
        raise Refused("wrong_status", status=game.status)
    check_seating(manner.seating, listed=manner.listed, starts_at=manner.starts_at)
    is_moved = manner.starts_at != game.starts_at and game.status == "inviting"
    letters = date_letters(service, game, players, manner.starts_at) if is_moved else []
    with service.writing() as session:
        game = locked_game(session, game.id)
        game.seating, game.listed, game.starts_at = manner.seating, manner.listed, manner.starts_at
        game.version += 1
        game.tend_at = clock.now()
        seats = seat_rows(session, game.id) if game.id is not None else []
        if game.status == "inviting" and not any(map(is_open, seats)) and game.starts_at is None:
            begin(session, game, seats)
        session.add(game)
        put(session, *letters)


def come(service: Service, game_id: int, newcomer: Newcomer, inbound_id: int | None = None) -> int | None:
    """Take a free seat, or a place behind those who wait for one; its number, None for who waits. Twice does it once.

    Raises Refused `not_open`, `wrong_status`, `side_taken` where others are free, `no_seat`, and Busy.
    """
    for _ in range(TRIES):
        with service.reading() as session:
            game, seats = _open_game(session, game_id), seat_rows(session, game_id)
            account = session.get_one(Account, newcomer.account_id)
            player = Player(account, main_address(session, newcomer.account_id))
            mine = seat_of(seats, newcomer.account_id)
            number = mine.number if mine is not None else _free_seat(game, seats, newcomer.wish)
            place = waiting_place(session, game, newcomer.account_id) or waiting_count(session, game) + 1
            watching = observer_of(session, game_id, newcomer.account_id)
            told = observer_waits_letters(service, session, game, player) if watching is not None else []
        if mine is not None and mine.joined is not None:
            letters: list[Letter] = []
        elif number is not None:
            letters = [_seated_letter(service, game, seats, number, player, newcomer.word)]
        else:
            letters = [waiting_letter(service, game, player, place), *told]
        with service.writing() as session:
            row = locked_game(session, game_id)
            if row.version != game.version:
                continue
            mark_read(session, inbound_id)
            _welcome(session, player)
            if number is not None:
                _sit(session, row, number, newcomer)
            elif waiting_place(session, row, newcomer.account_id) is None:
                _wait(session, row, newcomer)
            put(session, *letters)
            return number
    raise Busy


def leave(service: Service, game_id: int, account_id: int, inbound_id: int | None = None) -> None:
    """Wait no longer, or give up a seat of a game that has not begun. Raises Refused `not_waiting`, `leave_resign`."""
    with service.reading() as session:
        game, seats = session.get_one(Game, game_id), seat_rows(session, game_id)
        mine, place = seat_of(seats, account_id), waiting_place(session, game, account_id)
        if mine is not None and game.status != "inviting":
            raise Refused("leave_resign")
        if mine is None and place is None:
            raise Refused("not_waiting")
        player = Player(session.get_one(Account, account_id), main_address(session, account_id))
        letters = [left_letter(service, game, player)]
        if mine is not None:
            letters += declined_letters(service, session, game, mine, players_of(session, game_id))
    with service.writing() as session:
        game = locked_game(session, game_id)
        mark_read(session, inbound_id)
        seat = seat_of(seat_rows(session, game_id), account_id)
        if seat is not None and game.status == "inviting":
            free(game, seat)
            session.add_all([seat, game])
        for row in _rows(session, game):
            if row.account_id == account_id:
                session.delete(row)
        put(session, *letters)
        nudge(session, TEND, game_id)


def seat_next(service: Service, game_id: int) -> bool:
    """Give a seat that is free before the game begins to the first who waits for it and can be told; whether it was."""
    with service.reading() as session:
        game, seats = session.get_one(Game, game_id), seat_rows(session, game_id)
        if game.status != "inviting":
            return False
        found = next(
            (
                (row, number)
                for row in _rows(session, game)
                for number in [_free_seat(game, seats, row.wish, is_strict=True)]
                if row.waits and number is not None and is_sendable(main_address(session, row.account_id))
            ),
            None,
        )
        if found is None:
            return False
        row, number = found
        player = Player(session.get_one(Account, row.account_id), main_address(session, row.account_id))
        letter = _seated_letter(service, game, seats, number, player, "")
    with service.writing() as session:
        locked = locked_game(session, game_id)
        again = session.get(Standby, row.id)
        if locked.version == game.version and again is not None:
            session.delete(again)
            _sit(session, locked, number, Newcomer(row.account_id))
            put(session, letter)
    return True


def seat_of(seats: list[Seat], account_id: int) -> Seat | None:
    """The seat of the account, or the one that it is invited to."""
    return next((seat for seat in seats if seat.account_id == account_id and seat.resigned is None), None)


def free_seats(game: Game, seats: list[Seat]) -> list[int]:
    """The seats that whoever comes may have now."""
    return [seat.number for seat in seats if is_free(seat)] if game.status == "inviting" else []


def side_named(game: Game, text: str) -> int | None:
    """The number of the side of that name in the rules' own language; None where it is none."""
    names = module_of(game).seat_names
    plain = text.strip().lower()
    return names.index(plain) if plain in names else None


def _open_game(session: Session, game_id: int) -> Game:
    game = session.get_one(Game, game_id)
    if not game.seating:
        raise Refused("not_open")
    if game.status not in GATHERS:
        raise Refused("wrong_status", status=game.status)
    return game


def _free_seat(game: Game, seats: list[Seat], wish: int | None, *, is_strict: bool = False) -> int | None:
    """The seat that who comes gets now; None where they have to wait."""
    found = free_seats(game, seats)
    if wish is not None and not 0 <= wish < len(seats):
        raise Refused("no_seat")
    if not found or game.seating != CHOICE or wish is None:
        return found[0] if found else None
    if wish in found:
        return wish
    if is_strict:
        return None
    raise Refused("side_taken", known=", ".join(seats[number].name for number in found))


def _sit(session: Session, game: Game, number: int, newcomer: Newcomer) -> None:
    """In the rows of a locked game. Who sits there already is left as they are."""
    assert game.id is not None
    seats = seat_rows(session, game.id)
    seat = seats[number]
    if seat.joined is not None:
        return
    forget_observer(session, game, newcomer.account_id)
    seat.account_id, seat.joined = newcomer.account_id, clock.now()
    seat.public_word = word_kept(newcomer.word)
    game.version += 1
    if not any(map(is_open, seats)) and game.starts_at is None:
        begin(session, game, seats)
    session.add_all([seat, game])


def _wait(session: Session, game: Game, newcomer: Newcomer) -> None:
    assert game.id is not None
    wish = newcomer.wish if game.seating == CHOICE else None
    session.add(Standby(game_id=game.id, account_id=newcomer.account_id, wish=wish, waits=True, created=clock.now()))
    game.version += 1
    game.tend_at = clock.now()
    session.add(game)
    nudge(session, TEND, game.id)


def _welcome(session: Session, player: Player) -> None:
    """Who comes by themselves is glad of letters again."""
    unwanted = session.get(Unwanted, player.address)
    if unwanted is not None:
        session.delete(unwanted)


def _seated_letter(service: Service, game: Game, seats: list[Seat], number: int, player: Player, word: str) -> Letter:
    missing = sum(is_open(seat) and seat.number != number for seat in seats)
    return joined_letter(service, game, seats[number], player, word_kept(word), missing)


def _rows(session: Session, game: Game) -> list[Standby]:
    mine = col(Standby.game_id) == game.id, col(Standby.waits).is_(True)
    return list(session.exec(select(Standby).where(*mine).order_by(col(Standby.id))))


def waiting_count(session: Session, game: Game) -> int:
    """How many wait for a seat."""
    mine = col(Standby.game_id) == game.id, col(Standby.waits).is_(True)
    return session.exec(select(func.count()).select_from(Standby).where(*mine)).one()


def waiting_place(session: Session, game: Game, account_id: int) -> int | None:
    """The place of the account among those who wait, 1 for the first; None where it does not wait."""
    accounts = [row.account_id for row in _rows(session, game)]
    return accounts.index(account_id) + 1 if account_id in accounts else None
