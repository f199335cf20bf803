"""An absence entered or ended, and what comes of it in each of the player's games: told, and the time changed."""

from sqlmodel import Session, col, delete, select, update

from pbem import clock
from pbem.context import Service, nudge
from pbem.door import ADVANCE
from pbem.errors import Busy
from pbem.games.away import WAIT, Absences, Away, absences, away_now, put_off
from pbem.games.due import is_due
from pbem.games.notices import Gone, absence_letters
from pbem.games.position import expected, numbers, players_of, seat_rows
from pbem.games.settling import settling
from pbem.letters import put
from pbem.storage.models import Absence, Account, Game, Seat
from pbem.storage.sessions import locked_game

TRIES = 20


def go_away(session: Session, account_id: int, away: Away) -> None:
    """Enter an absence in place of those that it overlaps."""
    mine = col(Absence.account_id) == account_id
    session.execute(delete(Absence).where(mine, col(Absence.begins) < away.ends, col(Absence.ends) > away.begins))
    session.add(Absence(account_id=account_id, begins=away.begins, ends=away.ends, created=clock.now()))


def come_back(session: Session, account_id: int) -> None:
    """End the absence that runs now; where none does, take back those that are to come."""
    now, mine = clock.now(), col(Absence.account_id) == account_id
    running = mine, col(Absence.begins) <= now, col(Absence.ends) > now
    if not session.connection().execute(update(Absence).where(*running).values(ends=now)).rowcount:
        session.execute(delete(Absence).where(mine, col(Absence.begins) > now))


def tell_games(service: Service, account: Account, key: str) -> None:
    """Tell the others in each of the account's games, and change its times as its policy says.

    `key` makes the letters unique. Should the process end in the middle, the deadline of a game that was not reached
    is put off when it passes. Raises Busy.
    """
    with service.reading() as session:
        query = (
            select(Seat.game_id, Seat.number)
            .join(Game, col(Game.id) == col(Seat.game_id))
            .where(col(Seat.account_id) == account.id, col(Seat.resigned).is_(None), col(Game.status) == "playing")
        )
        games = session.exec(query.order_by(col(Seat.game_id))).all()
    for game_id, number in games:
        _tell(service, game_id, number, key)


def _tell(service: Service, game_id: int, number: int, key: str) -> None:
    for _ in range(TRIES):
        with service.reading() as session:
            game = session.get_one(Game, game_id)
            seats, players, away = seat_rows(session, game_id), players_of(session, game_id), absences(session, game_id)
            session.expunge(game)
            version, before, mine = game.version, game.deadline, away.get(number, ())
            _change(game, seats, number, away)
            moved = game.deadline if game.deadline != before else None
            gone = Gone(seats[number], mine[-1] if mine else None, moved)
            letters = absence_letters(service, session, game, gone, players, key)
        with service.writing() as session:
            game = locked_game(session, game_id)
            if game.version != version:
                continue
            _change(game, seat_rows(session, game_id), number, away)
            game.version += 1
            session.add(game)
            put(session, *letters)
            if is_due(game, clock.now()):
                nudge(session, ADVANCE, game_id)
        return
    raise Busy


def _change(game: Game, seats: list[Seat], number: int, away: Absences) -> None:
    """What the absence of a seat's player does to the stage that is open."""
    waiting = numbers(game.waiting)
    unready = [each for each in waiting if expected(seats[each]) and not seats[each].ready]
    deadline = put_off(game, game.deadline, unready, away)
    if deadline != game.deadline:
        game.deadline, game.sequence = deadline, game.sequence + 1
    gone = away_now(away)
    if game.absence != WAIT and number in gone and any(expected(seat) and seat.number not in gone for seat in seats):
        game.waiting = ",".join(str(each) for each in waiting if each != number)
        game.settle_until = settling(game, seats)
