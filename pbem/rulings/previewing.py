"""Looking over what comes of a stage before it is sent: it is held, resolved on a copy, and let go as it was shown."""

from typing import Any

from sqlmodel import Session

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.advance import untold
from pbem.games.due import due_but_for_review, past_deadline, unread_in_time
from pbem.games.position import Position, game_row, position
from pbem.games.posting import post
from pbem.games.recording import put_on_record
from pbem.games.resolve import resolve
from pbem.games.telling import Telling
from pbem.games.writing import write
from pbem.rulings.authority import Actor, check_apart, check_seen, ruler
from pbem.rulings.looking import Shown
from pbem.rulings.record import id_of, rule, ruling_on
from pbem.storage.models import Game, Seat
from pbem.storage.sessions import locked_game

HELD, PREVIEWED, SENT = "held_for_review", "previewed", "sent"


def hold_for_review(service: Service, code: str, actor: Actor) -> None:
    """Let nothing be played or sent until the moderator sends it (`send`) or takes the game up again (`resume`).

    The deadline stays, and orders after it are late. Raises Refused `held_already`, and as `extend_deadline`.
    """

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if game.status != "playing":
            raise Refused("wrong_status", status=game.status)
        if game.review:
            raise Refused("held_already")
        game.review = True
        return {}

    rule(service, code, actor, HELD, act, at_once=True)


def preview(service: Service, code: str, actor: Actor) -> Shown:
    """What would be played now and each report that would be sent, from a copy: a look at hidden things, told at once.

    `version` of it is what `send` asks for. Raises Refused `not_due` where the stage waits for orders, `unread_mail`,
    `sealed_yet` before the deadline where sealed answers are in it, and as `extend_deadline`.
    """
    with service.reading() as session:
        game = game_row(session, code)
        account = ruler(session, game, actor)
        check_apart(session, game, account, PREVIEWED, actor)
        stands = _due(session, game, actor)
    if not past_deadline(stands.game, clock.now()) and _has_sealed(stands):
        raise Refused("sealed_yet", deadline=stands.game.deadline)
    rule(service, code, actor, PREVIEWED, lambda game, seats: {"stage": game.stage_key}, secret=True, at_once=True)
    with service.reading() as session:
        stands = position(session, id_of(game))
        rulings = untold(session, id_of(game))
    outcome = resolve(stands)
    telling = Telling(outcome.position, outcome.records, outcome.outlook, rulings)
    return Shown(tuple(telling.report(seat) for seat in sorted(outcome.asked)), stands.game.version)


def send(service: Service, code: str, version: int, actor: Actor) -> None:
    """Play and send what was shown with that version of the game.

    Raises Refused `changed_since` where anything has happened since, `not_due`, `unread_mail`, and as
    `extend_deadline`.
    """
    with service.reading() as session:
        game = game_row(session, code)
        account = ruler(session, game, actor)
        check_apart(session, game, account, PREVIEWED, actor)
        stands = _due(session, game, actor)
        if game.version != version:
            raise Refused("changed_since")
        rulings = untold(session, id_of(game))
    outcome = resolve(stands)
    posted = post(service, Telling(outcome.position, outcome.records, outcome.outlook, rulings), outcome.asked)

    def on_record(session: Session) -> None:
        game = locked_game(session, id_of(stands.game))
        put_on_record(session, game, ruling_on(game, account, actor, SENT, {"stage": stands.game.stage_key}))
        session.add(game)

    if not write(service, version, outcome, posted, rulings, on_record):
        raise Refused("changed_since")


def _due(session: Session, game: Game, actor: Actor) -> Position:
    """The position of a game that would be played on now. Raises Refused."""
    check_seen(game, actor)
    if game.status != "playing" or game.aside:
        raise Refused("wrong_status", status=game.status)
    if not due_but_for_review(game, game.settle_until, clock.now()):
        raise Refused("not_due")
    if unread_in_time(session, game):
        raise Refused("unread_mail")
    return position(session, id_of(game))


def _has_sealed(stands: Position) -> bool:
    """Whether what would be played has answers in it that nobody may see before the deadline."""
    return any(len(record.entry.answers) > 1 for record in resolve(stands).records)
