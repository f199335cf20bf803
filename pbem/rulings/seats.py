"""A moderator's acts on who plays a seat."""

from typing import Any

from sqlmodel import Session

from pbem import clock
from pbem.accounts import check_wanted, ensure_account, main_address
from pbem.context import Service
from pbem.errors import Busy, Refused
from pbem.games.lifecycle import Guest, check_level, check_number, invite, replace_guest
from pbem.games.position import Player, expected, game_row, holds, numbers, position, seat_rows
from pbem.games.rules import module_of
from pbem.games.settling import settling
from pbem.games.standbys import Offer, check_newcomer, offer_letter, put_offer
from pbem.games.telling import asks_of
from pbem.games.vacating import vacate
from pbem.rulings.authority import OFFERED, Actor, leader, ruler
from pbem.rulings.record import id_of, rule
from pbem.storage.models import Game, Seat


def stand_in(service: Service, code: str, number: int, level: str, actor: Actor) -> None:
    """Let a stand-in of that level play a seat from now on, for its player or where it has none.

    What the seat's sheet says comes first, and its player goes on getting reports; what the sheet does not answer the
    stand-in does, and the game does not wait. Raises Refused `no_seat`, `unknown_level`, `standin_already`, and as
    `extend_deadline`.
    """

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if not 0 <= number < len(seats):
            raise Refused("no_seat")
        check_level(module_of(game), level)
        if seats[number].standin == level:
            raise Refused("standin_already", level=level)
        seats[number].standin = level
        _wait_for(game, set(numbers(game.waiting)) - {number})
        game.settle_until = settling(game, seats)
        return {"seat": number, "level": level}

    rule(service, code, actor, "standin_set", act, at_once=True)


def give_back(service: Service, code: str, number: int, actor: Actor) -> None:
    """End what a stand-in does for a seat: its player, if it has one, is waited for again.

    Raises Refused `no_seat`, `no_standin` where none plays it, and as `extend_deadline`; and Busy.
    """
    with service.reading() as session:
        game = game_row(session, code)
        asked = game.status == "playing" and number in asks_of(position(session, id_of(game)))
    version = game.version

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if not 0 <= number < len(seats):
            raise Refused("no_seat")
        if not seats[number].standin:
            raise Refused("no_standin")
        if game.version != version:
            raise Busy  # whether the seat is asked now may be another thing
        seats[number].standin = ""
        if asked and expected(seats[number]):
            _ask_again(game, seats, number)
        return {"seat": number}

    rule(service, code, actor, "standin_ended", act, at_once=True)


def replace_player(service: Service, code: str, number: int, guest: Guest, actor: Actor) -> None:
    """Ask somebody to take a seat over; before the game begins, invite them to it.

    The seat stays whose it is until they accept. Raises Refused `no_seat`, `unwanted`, `bad_address`,
    `too_many_invitations`, what `pbem.games.standbys.check_newcomer` raises, and as `extend_deadline`; before the game
    begins what `pbem.games.lifecycle.replace_guest` raises.
    """
    with service.reading() as session:
        game = game_row(session, code)
        account = (leader if game.status == "inviting" else ruler)(session, game, actor)
    if game.status == "inviting":
        replace_guest(service, code, number, guest)
        invite(service, code, only=number)
        return
    host = account.name if account is not None else service.settings.sender_name
    with service.writing() as session:
        check_number(service, session, game, 1)
        check_wanted(session, guest.address)
        settings = service.settings
        asked = ensure_account(session, settings.language, settings.time_zone, guest.address, guest.name)
        assert asked.id is not None
        player = Player(asked, main_address(session, asked.id))
    offer = Offer(number, player, host, actor.reason.strip())
    with service.reading() as session:
        if not 0 <= number < len(seat_rows(session, id_of(game))):
            raise Refused("no_seat")
        check_newcomer(session, game, number, asked)
        written = offer_letter(service, position(session, id_of(game)), offer)

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        return {"seat": number}

    def beside(session: Session, game: Game) -> None:
        check_newcomer(session, game, number, asked)
        put_offer(session, game, offer, written)

    rule(service, code, actor, OFFERED, act, at_once=True, beside=beside)


def open_seat(service: Service, code: str, number: int, actor: Actor) -> None:
    """Take a seat from its player at once: it is nobody's, and goes to who waits for one.

    Raises Refused `no_seat`, `nobody_there`, and as `extend_deadline`.
    """

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if not 0 <= number < len(seats):
            raise Refused("no_seat")
        if not holds(seats[number]):
            raise Refused("nobody_there")
        vacate(game, seats, number)
        return {"seat": number}

    rule(service, code, actor, "seat_taken_away", act, at_once=True)


def _ask_again(game: Game, seats: list[Seat], number: int) -> None:
    """At the brisk pace it is one more seat to wait for; at the strict one play itself finds that it is, and asks."""
    if game.pace == "brisk":
        _wait_for(game, {*numbers(game.waiting), number})
        game.settle_until = settling(game, seats)
    else:
        game.settle_until = clock.now()


def _wait_for(game: Game, seats: set[int]) -> None:
    game.waiting = ",".join(map(str, sorted(seats)))
