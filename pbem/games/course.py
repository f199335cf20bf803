"""What the service itself does to a game's course: on record like a ruling, and told to all its players at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlmodel import Session

from pbem import clock
from pbem.context import Service, nudge
from pbem.door import ADVANCE
from pbem.games.due import is_due
from pbem.games.notices import compose, nobody_left, overseers, spoken, thread
from pbem.games.position import holds, players_of, seat_rows
from pbem.games.recording import SERVICE, put_on_record
from pbem.games.telling import told
from pbem.letters import Envelope, Recipient, finish, put
from pbem.mail.identity import Purpose
from pbem.reports.data import Told
from pbem.reports.ruled import rulings_told
from pbem.storage.models import Game, Letter, Ruling, Seat
from pbem.storage.sessions import locked_game

ABANDONED = "abandoned"
"""The act of the step by which a game ends that nothing is heard from."""


@dataclass(frozen=True)
class Step:
    """One thing that is done. `change` makes it so in the rows of the game and its seats, and may be called twice.

    `act` is a code of `pbem.reports.ruled` with its parameters; `silent` are the seats whose players are told that
    their orders are missing.
    """

    act: str
    params: Mapping[str, Any]
    change: Callable[[Game, list[Seat]], None]
    silent: frozenset[int] = field(default_factory=frozenset)
    asks: bool = False
    """Whether the game's moderator is to decide how it goes on."""
    beside: Callable[[Session, Game], None] | None = None
    """What is written in the same transaction."""
    apart: frozenset[int] = field(default_factory=frozenset)
    """Seats whose players are told by letters of their own."""


def take(service: Service, game_id: int, version: int, step: Step) -> bool:
    """Do it, put it on record and tell it; False, with nothing written, where the game has changed meanwhile."""
    with service.reading() as session:
        game, seats = session.get_one(Game, game_id), seat_rows(session, game_id)
        if game.version != version:
            return False
        session.expunge_all()
        readers = [seat.number for seat in seats if holds(seat) and seat.number not in step.apart]
        step.change(game, seats)
        letters = _letters(service, session, game, seats, readers, step)
    with service.writing() as session:
        game = locked_game(session, game_id)
        if game.version != version:
            return False
        seats = seat_rows(session, game_id)
        step.change(game, seats)
        ruling = _ruling(game, step)
        game.next_ruling += 1
        game.version += 1
        put_on_record(session, game, ruling)
        session.add_all([game, *seats])
        put(session, *letters)
        if step.beside is not None:
            step.beside(session, game)
        if is_due(game, clock.now()):
            nudge(session, ADVANCE, game_id)
    return True


def _ruling(game: Game, step: Step) -> Ruling:
    assert game.id is not None
    return Ruling(
        game_id=game.id,
        number=game.next_ruling,
        line=game.line,
        actor=SERVICE,
        act=step.act,
        reason="",
        params=msgspec.json.encode(step.params).decode(),
        at=clock.now(),
    )


def _letters(
    service: Service, session: Session, game: Game, seats: list[Seat], readers: list[int], step: Step
) -> list[Letter]:
    """To every player, and to whoever leads the game. `game` is as the step leaves it."""
    assert game.id is not None
    players, ruling = players_of(session, game.id), told(_ruling(game, step))
    to = [
        Recipient.of(players[seat].account, players[seat].address, seat, seats[seat].generation)
        for seat in readers
        if seat in players
    ]
    letters = []
    for each in (*to, *overseers(service, session, game)):
        nobody = nobody_left(game, seats, each.words) if step.act != ABANDONED else ""
        letters.append(_letter(service, game, each, ruling, step, nobody))
    return letters


def _letter(service: Service, game: Game, to: Recipient, ruling: Told, step: Step, nobody: str) -> Letter:
    params = {
        "title": game.title,
        "sentences": rulings_told([ruling], spoken(game, to.words), to.words),
        "nobody": nobody,
        "mine": to.seat in step.silent,
        "asks": step.asks and to.seat is None and to.account_id is not None,
        "deadline": game.deadline,
    }
    key = f"course/{game.code}/{game.next_ruling}/{step.act}/{to.address}/{'' if to.seat is None else to.seat}"
    envelope = Envelope("course", key, Purpose.ORDERS if to.seat is not None else Purpose.NOTICE, game, thread(game))
    return finish(service, envelope, to, compose("course", to.words, params))
