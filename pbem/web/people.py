"""The accounts, for the moderators of the site: found by name or address, and settled on request."""

from dataclasses import dataclass

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, or_, select

from pbem.accounts import account_of, main_address, normal
from pbem.errors import Refused
from pbem.games.leading import is_masked
from pbem.games.names import Names
from pbem.rulings.authority import MAX_REASON, Actor, check_length
from pbem.site.blocking import block, unblock
from pbem.site.deleting import delete_account
from pbem.site.merging import merge
from pbem.site.record import record_of
from pbem.storage.models import Account, Address, Game, Seat
from pbem.web.pages import back_to, me, page, service, signed_in
from pbem.web.site import only_moderators

routes = Blueprint("people", __name__, url_prefix="/site/people")

MOST = 100
MAX_FIND = 254


@dataclass(frozen=True)
class Person:
    """One account in the list."""

    id: int
    name: str
    address: str
    blocked: bool
    moderator: bool


@routes.get("")
@signed_in
def found() -> ResponseReturnValue:
    """The accounts whose name or address has what is looked for, the newest first."""
    only_moderators()
    wanted = request.args.get("find", "").strip()[:MAX_FIND]
    with service().reading() as reading:
        people = _found(reading, wanted)
    return page("people", people=people[:MOST], more=len(people) > MOST, find=wanted, most=MAX_FIND)


@routes.get("/<int:number>")
@signed_in
def show(number: int) -> ResponseReturnValue:
    """One account: its addresses, its games, what was done to it, and the forms."""
    own = only_moderators()
    with service().reading() as reading:
        account = _account(reading, number)
        mine = select(Address.address).where(col(Address.account_id) == number)
        addresses = list(reading.exec(mine.order_by(col(Address.main).desc(), col(Address.id))))
        rows = reading.exec(
            select(Game, Seat)
            .join(Seat, col(Seat.game_id) == col(Game.id))
            .where(col(Seat.account_id) == number, col(Seat.resigned).is_(None))
            .order_by(col(Game.id).desc())
            .limit(MOST)
        ).all()
        led = reading.exec(select(Game.title).where(col(Game.moderator_id) == number).order_by(col(Game.id))).all()
        record = record_of(reading, number)
    return page(
        "person",
        person=account,
        addresses=addresses,
        seats=[_told(game, seat) for game, seat in rows],
        led=led,
        record=record,
        own=own.id == number,
        most_reason=MAX_REASON,
    )


@routes.post("/<int:number>/block")
@signed_in
def shut_out(number: int) -> ResponseReturnValue:
    """Blocks the account."""
    only_moderators()
    block(service(), number, _actor())
    return back_to(f"/site/people/{number}", "account_blocked")


@routes.post("/<int:number>/unblock")
@signed_in
def let_in(number: int) -> ResponseReturnValue:
    """Lets the account in again."""
    only_moderators()
    unblock(service(), number, _actor())
    return back_to(f"/site/people/{number}", "account_unblocked")


@routes.post("/<int:number>/merge")
@signed_in
def take_in(number: int) -> ResponseReturnValue:
    """Gives everything of the account of another address to this one."""
    only_moderators()
    with service().reading() as reading:
        other = account_of(reading, _typed())
    if other is None or other.id is None:
        raise Refused("no_such_account")
    merge(service(), number, other.id, _actor())
    return back_to(f"/site/people/{number}", "accounts_merged")


@routes.post("/<int:number>/delete")
@signed_in
def forget(number: int) -> ResponseReturnValue:
    """Deletes the person's data, where the account's main address was typed."""
    only_moderators()
    with service().reading() as reading:
        _account(reading, number)
        if main_address(reading, number) != _typed():
            raise Refused("not_typed")
    delete_account(service(), number, _actor())
    return back_to("/site/people", "account_deleted")


def _found(reading: Session, wanted: str) -> list[Person]:
    """One more than are shown, if there are."""
    query = select(Account, Address.address).join(Address, col(Address.account_id) == col(Account.id))
    if wanted:
        has = col(Address.address).contains(wanted.lower(), autoescape=True)
        query = query.where(or_(has, col(Account.name).icontains(wanted, autoescape=True)))
    rows = reading.exec(query.order_by(col(Account.id).desc(), col(Address.main).desc()).limit(10 * MOST))
    people: dict[int, Person] = {}
    for account, address in rows:
        assert account.id is not None
        person = Person(account.id, account.name, address, account.blocked is not None, account.moderator)
        people.setdefault(account.id, person)
    return list(people.values())


def _account(reading: Session, number: int) -> Account:
    account = reading.get(Account, number)
    if account is None or account.deleted is not None:
        abort(404)
    return account


def _told(game: Game, seat: Seat) -> tuple[str, str, str, bool]:
    """Title, status, side, and whether the rules are installed; no side in an anonymous game: the reader may play."""
    said = Names(game, me().words)
    return game.title, game.status, "" if is_masked(game) else said.seat(seat), said.installed


def _typed() -> str:
    """The address that was typed. Raises Refused `bad_address`."""
    return normal(request.form.get("address", "")[:MAX_FIND])


def _actor() -> Actor:
    """Who acts, and why."""
    reason = request.form.get("reason", "")
    check_length(reason)
    with service().reading() as reading:
        return Actor(" ".join(reason.split()), main_address(reading, me().id))
