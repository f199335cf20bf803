"""Invitations that nobody answers: reminded once, then expired, so that the seat is free; and games with a date.

What is due follows from the rows; the sweep comes by at the game's `tend_at` (`pbem.games.tending`).
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import INVITED, INVITED_FOR, new_link
from pbem.context import Service
from pbem.games.due import PLAYED
from pbem.games.gathering import waiting_count
from pbem.games.gatheringletters import began_without_letter
from pbem.games.notices import compose, guide_url, overseers, spoken, thread
from pbem.games.position import Player, players_of, seat_rows
from pbem.games.seating import DRAW, begin, free
from pbem.letters import Envelope, Recipient, finish, put
from pbem.mail.identity import Purpose
from pbem.storage.models import Game, Letter, Seat, SignInLink
from pbem.storage.sessions import locked_game

INVITATIONS = ("invitation", "invitation-again")
"""The kinds of letter that invite."""


def next_look(service: Service, session: Session, game: Game) -> datetime | None:
    """When something is due for a game that has not begun; None where nothing is to come."""
    if game.status != "inviting" or game.id is None:
        return None
    moments = [game.starts_at]
    for seat in seat_rows(session, game.id):
        moments.append(_answer_by(service, seat))
        moments.append(_remind_at(service, seat))
    return min(filter(None, moments), default=None)


def expire_one(service: Service, game_id: int) -> bool:
    """Free a seat whose guest has not answered in time, and say so to guest and moderator; whether there was one."""
    with service.reading() as session:
        game = session.get_one(Game, game_id)
        seat = _first(session, game, {seat.number: _answer_by(service, seat) for seat in _asked(session, game)})
        if seat is None:
            return False
        letters = _expired_letters(service, session, game, seat, players_of(session, game_id)[seat.number])
    with service.writing() as session:
        now = locked_game(session, game_id)
        if now.version == game.version:
            row = seat_rows(session, game_id)[seat.number]
            free(now, row)
            session.add_all([now, row])
            put(session, *letters)
    return True


def welcome_back(service: Service, letter: Letter) -> bool:
    """Keep a seat anew for a guest who answers an invitation that has expired, where nobody else has it meanwhile.

    Whether the answer is one to an invitation that stands.
    """
    if letter.kind not in INVITATIONS or letter.game_id is None or letter.seat is None:
        return False
    with service.writing() as session:
        game = locked_game(session, letter.game_id)
        seats = seat_rows(session, letter.game_id)
        seat = seats[letter.seat]
        if game.status != "inviting" or seat.joined is not None or seat.standin:
            return False
        if seat.account_id == letter.account_id:
            return True
        elsewhere = any(other.account_id == letter.account_id for other in seats)
        untouched = seat.account_id is None and seat.generation == letter.generation + 1
        if not untouched or elsewhere or not _has_expired(session, game, letter):
            return False
        seat.account_id, seat.invited = letter.account_id, clock.now()
        game.version += 1
        game.tend_at = clock.now()
        session.add_all([seat, game])
    return True


def _has_expired(session: Session, game: Game, letter: Letter) -> bool:
    """Whether it is an invitation that ran out; one that was declined or withdrawn did not."""
    key = _expired_key(game, letter.seat, letter.generation)
    return session.exec(select(Letter.id).where(col(Letter.key) == key)).first() is not None


def remind_one(service: Service, game_id: int) -> bool:
    """Remind a guest who has not answered, once; whether there was one."""
    with service.reading() as session:
        game = session.get_one(Game, game_id)
        seat = _first(session, game, {seat.number: _remind_at(service, seat) for seat in _asked(session, game)})
        if seat is None:
            return False
        until = _answer_by(service, seat)
        assert until is not None
        letter, link = _reminder(service, game, seat, players_of(session, game_id)[seat.number], until)
    with service.writing() as session:
        now = locked_game(session, game_id)
        if now.version == game.version:
            row = seat_rows(session, game_id)[seat.number]
            row.reminded = until
            now.version += 1
            session.add_all([row, now, link])
            put(session, letter)
    return True


def leave_out(service: Service, game_id: int) -> bool:
    """Free the seat of a guest without whom the game has begun, and tell them; whether there was one."""
    with service.reading() as session:
        game = session.get_one(Game, game_id)
        seats = seat_rows(session, game_id) if game.status in PLAYED else []
        seat = next((each for each in seats if each.account_id is not None and each.joined is None), None)
        if seat is None:
            return False
        player = players_of(session, game_id)[seat.number]
        letter = began_without_letter(service, game, player, waiting_count(session, game))
    with service.writing() as session:
        now = locked_game(session, game_id)
        if now.version == game.version:
            row = seat_rows(session, game_id)[seat.number]
            free(now, row)
            session.add_all([now, row])
            put(session, letter)
    return True


def begin_if_due(service: Service, game_id: int) -> bool:
    """Begin a game whose date has come with those who have joined; without any it waits for whoever leads it."""
    with service.reading() as session:
        game = session.get_one(Game, game_id)
        if game.status != "inviting" or game.starts_at is None or game.starts_at > clock.now():
            return False
        letters = _nobody_letters(service, session, game)
    with service.writing() as session:
        game = locked_game(session, game_id)
        seats = seat_rows(session, game_id)
        if game.status != "inviting" or game.starts_at is None:
            return True
        game.starts_at = None
        game.version += 1
        if any(seat.joined is not None for seat in seats):
            begin(session, game, seats)
        else:
            put(session, *letters)
        session.add(game)
    return True


def _asked(session: Session, game: Game) -> list[Seat]:
    """The seats whose guests have been invited and have not answered."""
    if game.status != "inviting" or game.id is None:
        return []
    return [
        seat
        for seat in seat_rows(session, game.id)
        if seat.account_id is not None and seat.joined is None and seat.invited is not None
    ]


def _first(session: Session, game: Game, due: Mapping[int, datetime | None]) -> Seat | None:
    """The first seat for which it is time."""
    now = clock.now()
    return next(
        (seat for seat in _asked(session, game) if (at := due.get(seat.number)) is not None and at <= now), None
    )


def _answer_by(service: Service, seat: Seat) -> datetime | None:
    """Until when the seat is kept for its guest; None where it is not kept for anybody."""
    if seat.invited is None or seat.joined is not None or seat.account_id is None:
        return None
    return seat.invited + timedelta(hours=service.settings.invitation_hours)


def _remind_at(service: Service, seat: Seat) -> datetime | None:
    """When its guest is reminded; None where that was done, or is too late to be of use."""
    hours, until = service.settings.invitation_reminder_hours, _answer_by(service, seat)
    if until is None or not hours or seat.reminded is not None or seat.invited is None:
        return None
    at = seat.invited + timedelta(hours=hours)
    return at if at < until else None


def _reminder(service: Service, game: Game, seat: Seat, player: Player, until: datetime) -> tuple[Letter, SignInLink]:
    """As the invitation, in short: a plain reply of `join` takes the seat, and so does the link."""
    assert player.account.id is not None
    secret, link = new_link(player.account.id, INVITED, f"/games/{game.code}", INVITED_FOR)
    to = Recipient.of(player.account, player.address, seat.number, seat.generation)
    said = spoken(game, to.words)
    params = {
        "title": game.title,
        "rules": said.title(),
        "player": player.account.name,
        "side": "" if game.seating == DRAW else said.seat(seat.number),
        "url": f"{service.settings.url}/sign-in/{secret}",
        "guide": guide_url(service),
        "answer_by": until,
    }
    key = f"invitation-again/{game.code}/{seat.number}/{seat.generation}"
    envelope = Envelope("invitation-again", key, Purpose.INVITATION, game, thread(game))
    return finish(service, envelope, to, compose("invitation_again", to.words, params)), link


def _expired_letters(service: Service, session: Session, game: Game, seat: Seat, player: Player) -> list[Letter]:
    """To the guest, and to whoever leads the game."""
    guest = Recipient.of(player.account, player.address)
    letters = []
    for to in (guest, *overseers(service, session, game)):
        params = {
            "title": game.title,
            "player": player.account.name,
            "side": "" if game.seating == DRAW else spoken(game, to.words).seat(seat.number),
            "own": to is guest,
        }
        key = _expired_key(game, seat.number, seat.generation, "guest" if to is guest else to.address)
        envelope = Envelope("expired", key, Purpose.NOTICE, game, thread(game))
        letters.append(finish(service, envelope, to, compose("expired", to.words, params)))
    return letters


def _expired_key(game: Game, seat: int | None, generation: int, whom: str = "guest") -> str:
    return f"expired/{game.code}/{seat}/{generation}/{whom}"


def _nobody_letters(service: Service, session: Session, game: Game) -> list[Letter]:
    """To whoever leads a game that was to begin now, and that nobody has joined."""
    letters = []
    for to in overseers(service, session, game):
        envelope = Envelope("nobody", f"nobody/{game.code}/{game.version}/{to.address}", Purpose.NOTICE, game)
        letters.append(finish(service, envelope, to, compose("nobody", to.words, {"title": game.title})))
    return letters
