"""Putting a moderator's act on a game on record, in the transaction that makes it true, and telling it."""

from collections.abc import Callable
from typing import Any

import msgspec
from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service, nudge
from pbem.door import ADVANCE
from pbem.errors import Busy, Refused
from pbem.games.due import PLAYED, is_due
from pbem.games.notices import looked_letters, ruling_letters
from pbem.games.position import MOVED, Position, game_row, players_of, position, seat_rows
from pbem.games.recording import OPERATOR, PLAYERS, SERVICE, put_on_record
from pbem.games.telling import told
from pbem.letters import put
from pbem.persontext import one_line
from pbem.rulings.authority import MOVED_BACK, Actor, check_apart, check_seen, plays, ruler
from pbem.storage.models import Account, Game, Ruling, Seat
from pbem.storage.sessions import locked_game

TRIES = 20
STATES = {MOVED_BACK: (MOVED,)}
"""In which states of a game an act is possible, where it is not in one that is played."""

Act = Callable[[Game, list[Seat]], dict[str, Any]]
"""Changes the rows of a game and its seats; what it was, as parameters of the ruling."""
Beside = Callable[[Session, Game], None]
"""What else is written in the same transaction."""


def rule(
    service: Service,
    code: str,
    actor: Actor,
    name: str,
    act: Act,
    *,
    secret: bool = False,
    at_once: bool = False,
    beside: Beside | None = None,
) -> Ruling:
    """Do it and put it on record in one transaction; told by letter too where it can't wait for the next report."""
    for _ in range(TRIES):
        with service.reading() as session:
            game = game_row(session, code)
            account = ruler(session, game, actor)
            players = players_of(session, id_of(game))
            is_player = plays(session, game, account)
            seats = seat_rows(session, id_of(game))
            version, letters = game.version, []
            if game.status not in STATES.get(name, PLAYED):
                raise Refused("wrong_status", status=game.status)
            check_seen(game, actor)
            check_apart(session, game, account, name, actor)
        if at_once or is_player:
            # Composed from the row as read: it is written only if that is still the row.
            ruling = ruling_on(game, account, actor, name, act(game, seats), secret=secret)
            letters = (looked_letters if secret else ruling_letters)(service, game, told(ruling), players)
        with service.writing() as session:
            game = locked_game(session, id_of(game))
            if game.version != version:
                continue
            seats = seat_rows(session, id_of(game))
            ruling = ruling_on(game, account, actor, name, act(game, seats), secret=secret)
            put_on_record(session, game, ruling)
            actor.noted(session)
            if beside is not None:
                beside(session, game)
            game.version += 1
            session.add_all([game, *seats])
            put(session, *letters)
            if is_due(game, clock.now()):
                nudge(session, ADVANCE, id_of(game))
        return ruling
    raise Busy


def on_game(session: Session, code: str, actor: Actor, name: str) -> tuple[Account | None, Position]:
    """Who rules on a game that is being played, and how it stands, where they may do an act of that name.

    Raises Refused `no_game`, `wrong_status`, `no_reason`, `not_moderator`, `plays_too`, `ruled_meanwhile`.
    """
    game = game_row(session, code)
    account = ruler(session, game, actor)
    if game.status != "playing":
        raise Refused("wrong_status", status=game.status)
    check_seen(game, actor)
    check_apart(session, game, account, name, actor)
    return account, position(session, id_of(game))


def ruling_on(
    game: Game,
    account: Account | None,
    actor: Actor,
    name: str,
    params: dict[str, Any],
    *,
    secret: bool = False,
) -> Ruling:
    """The record of an act, with the next number of the game's rulings; `account` None is the operator."""
    ruling = Ruling(
        game_id=id_of(game),
        number=game.next_ruling,
        line=game.line,
        account_id=account.id if account is not None else None,
        actor=actor.by if actor.agreed else _called(account) if account is not None else actor.by or OPERATOR,
        act=name,
        reason=actor.reason,
        params=msgspec.json.encode(params).decode(),
        secret=secret,
        at=clock.now(),
    )
    game.next_ruling += 1
    return ruling


def _called(account: Account) -> str:
    """The account's name, in quotes where it is a word for who is no account: nobody passes for the players' vote."""
    words = OPERATOR, PLAYERS, SERVICE
    name = one_line(account.name)  # an earlier release took it as it was written
    return f"“{name}”" if name.lower() in words else name


def rulings_of(service: Service, code: str) -> list[Ruling]:
    """All rulings on a game, in order. Raises Refused `no_game`."""
    with service.reading() as session:
        game = game_row(session, code)
        return list(session.exec(select(Ruling).where(col(Ruling.game_id) == game.id).order_by(col(Ruling.number))))


def id_of(game: Game) -> int:
    """The number of a stored game's row."""
    assert game.id is not None
    return game.id
