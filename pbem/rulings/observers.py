"""A moderator's acts on who observes a game: somebody is invited to, or observes it no longer."""

from typing import Any

from sqlmodel import Session

from pbem import clock
from pbem.accounts import check_wanted, ensure_account, main_address
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.lifecycle import Guest, check_number
from pbem.games.policy import NOBODY, policy_of
from pbem.games.position import Player, game_row
from pbem.letters import put
from pbem.observing.letters import ASKED_BY_HOST, Welcome, ended_letter, welcome_letter, withdraw
from pbem.observing.observers import check_apart, known_observers, note_observed, observer_of
from pbem.rulings.authority import OBSERVER_INVITED, OBSERVER_REMOVED, Actor, leader, ruler
from pbem.rulings.record import Beside, id_of, rule
from pbem.storage.models import Account, Game, Observer, Seat
from pbem.storage.sessions import locked_game


def invite_observer(service: Service, code: str, guest: Guest, actor: Actor) -> None:
    """Invite somebody by mail to observe the game; who had been barred from it may again.

    Raises Refused `not_observable` where nobody may, `plays_here`, `leads_here`, `unwanted`, `bad_address`,
    `too_many_invitations`, and as `extend_deadline`; before the game begins it is no ruling.
    """
    with service.reading() as session:
        game = game_row(session, code)
        account = (leader if game.status == "inviting" else ruler)(session, game, actor)
        if policy_of(game).observers == NOBODY:
            raise Refused("not_observable")
        check_number(service, session, game, 1)
        check_wanted(session, guest.address)
    settings = service.settings
    with service.writing() as session:
        asked = ensure_account(session, settings.language, settings.time_zone, guest.address, guest.name)
        assert asked.id is not None
        check_apart(session, game, asked.id)
        player = Player(asked, main_address(session, asked.id))
    host = account.name if account is not None else settings.sender_name
    why = Welcome(ASKED_BY_HOST, f"{clock.now():%Y%m%d%H%M%S%f}", host, actor.reason.strip())
    letter, link = welcome_letter(service, game, player, why)

    def beside(session: Session, game: Game) -> None:
        assert player.account.id is not None
        check_apart(session, game, player.account.id)
        row = observer_of(session, id_of(game), player.account.id)
        row = row or Observer(game_id=id_of(game), account_id=player.account.id, created=clock.now())
        row.invited, row.barred = True, None
        session.add_all([row, link])
        put(session, letter)

    _do(service, game, actor, OBSERVER_INVITED, beside)


def remove_observer(service: Service, code: str, number: int, actor: Actor) -> None:
    """Let somebody observe the game no longer, nor come back uninvited; they are told, with the reason.

    `number` is that of the observer as they are listed. Raises Refused `no_observer`, and as `extend_deadline`.
    """
    with service.reading() as session:
        game = game_row(session, code)
        (leader if game.status == "inviting" else ruler)(session, game, actor)
        row = _observer(session, game, number)
        player = Player(session.get_one(Account, row.account_id), main_address(session, row.account_id))
    letter = ended_letter(service, game, player, actor.reason.strip())

    def beside(session: Session, game: Game) -> None:
        row = _observer(session, game, number)
        row.since, row.invited, row.barred = None, False, clock.now()
        session.add(row)
        session.flush()
        note_observed(session, game)
        withdraw(session, id_of(game), row.account_id)
        put(session, letter)

    _do(service, game, actor, OBSERVER_REMOVED, beside)


def _observer(session: Session, game: Game, number: int) -> Observer:
    row = session.get(Observer, number)
    if row is None or row.game_id != game.id or row.barred is not None:
        known = [str(each.id) for each, _ in known_observers(session, game)]
        raise Refused("no_observer", given=number, known=", ".join(known)) if known else Refused("no_observers")
    return row


def _do(service: Service, game: Game, actor: Actor, name: str, beside: Beside) -> None:
    """As a ruling, which names nobody; before the game begins without one."""
    if game.status == "inviting":
        with service.writing() as session:
            beside(session, locked_game(session, id_of(game)))
        return

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        return {}

    rule(service, game.code, actor, name, act, beside=beside)
