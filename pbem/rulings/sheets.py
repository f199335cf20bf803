"""A moderator's acts on what a seat has ordered."""

from dataclasses import replace

from sqlmodel import Session

from pbem import clock
from pbem.context import Service
from pbem.errors import Busy, Refused
from pbem.games.due import PLAYED
from pbem.games.notices import looked_letters, ruling_letters
from pbem.games.position import game_row, players_of, seat_rows
from pbem.games.recording import put_on_record
from pbem.games.telling import told
from pbem.letters import put
from pbem.rulings.authority import ADMITTED, Actor, check_apart, check_seen, plays, ruler
from pbem.rulings.record import id_of, ruling_on
from pbem.sheets.received import Post
from pbem.sheets.submitting import Taken, submit
from pbem.storage.models import Account, Game


def enter_orders(service: Service, code: str, seat: int, text: str, actor: Actor) -> Taken:
    """Write to a seat's sheet as its player could; the player gets the acknowledgement, all are told that it was done.

    The acknowledgement shows what else is on the sheet and what the seat has: all are told at once that the moderator
    saw it. Raises Refused `no_seat` and as `extend_deadline`, and what `submit` raises.
    """
    return _write_for(service, code, seat, text, actor, "orders_entered")


def withdraw_orders(service: Service, code: str, seat: int, actor: Actor) -> Taken:
    """Take all orders off a seat's sheet, as its player's `clear` would. Raises as `enter_orders`."""
    return _write_for(service, code, seat, "clear", actor, "orders_withdrawn")


def admit_late(service: Service, code: str, seat: int, actor: Actor) -> Taken:
    """Use a seat's late orders for what is open now, as its player's `use` would. Raises as `enter_orders`.

    Who plays in the game as well is not shown what the seat has: then it is told as a ruling, not as a look.
    """
    return _write_for(service, code, seat, "use", actor, ADMITTED)


def _write_for(service: Service, code: str, seat: int, text: str, actor: Actor, name: str) -> Taken:
    """A submission for a seat, on record in the same transaction, and the letters that say that it was seen."""
    with service.reading() as session:
        game, _ = _ruled(session, code, seat, actor, name)
    _catch_up(service, id_of(game), seat)
    actor = replace(actor, stage=game.stage_number)  # what was waited for may have let play go on
    with service.reading() as session:
        game, account = _ruled(session, code, seat, actor, name)
        players = players_of(session, id_of(game))
        shows = not plays(session, game, account)
    number = game.next_ruling
    ruling = ruling_on(game, account, actor, name, {"seat": seat}, secret=shows)
    letters = (looked_letters if shows else ruling_letters)(service, game, told(ruling), players)

    def beside(session: Session, game: Game) -> None:
        check_seen(game, actor)
        if game.next_ruling != number:
            raise Busy  # another ruling came between: its letters would have the same keys
        put_on_record(session, game, ruling_on(game, account, actor, name, {"seat": seat}, secret=shows))
        actor.noted(session)
        put(session, *letters)

    post = Post(id_of(game), seat, text, "moderator", f"moderator/{game.code}/{number}/{seat}", clock.now())
    taken = submit(service, post, beside)
    return taken if shows else replace(taken, acknowledgement=None)


def _ruled(session: Session, code: str, seat: int, actor: Actor, name: str) -> tuple[Game, Account | None]:
    """The game, and whose ruling it is. Raises Refused."""
    game = game_row(session, code)
    account = ruler(session, game, actor)
    if not 0 <= seat < len(seat_rows(session, id_of(game))):
        raise Refused("no_seat")
    if game.status not in PLAYED:
        raise Refused("wrong_status", status=game.status)
    check_seen(game, actor)
    check_apart(session, game, account, name, actor)
    return game, account


def _catch_up(service: Service, game_id: int, seat: int) -> None:
    """What the player had mailed before comes before the ruling, which is told as the last word. Raises Busy."""
    from pbem.mail.catchingup import catch_up  # noqa: PLC0415 - a mail that is read there may itself be such a ruling

    catch_up(service, game_id, seat)
