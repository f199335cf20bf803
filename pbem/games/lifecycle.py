"""How a game comes to be: created, its players invited, their seats taken, begun when the last has joined."""

import secrets
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, SQLModel, col, func, select

from engine import registry
from engine.contract import RulesModule, Setup
from engine.errors import BadSetup, EngineError
from engine.journal import canonical, commitment
from pbem import clock
from pbem.accounts import DECLINED, check_wanted, ensure_account, never_again
from pbem.context import Service
from pbem.errors import Refused
from pbem.games import policy, schedule
from pbem.games.away import POLICIES, WAIT
from pbem.games.inbox import mark_read
from pbem.games.notices import Host, declined_letters, invitation, joined_letter, leading_letter
from pbem.games.position import game_row, players_of, seat_rows
from pbem.games.seating import CHOICE, begin, check_seating, free, is_open
from pbem.games.titles import drawn_code, is_code, titled
from pbem.letters import OPTIONAL, numbers_of, put
from pbem.observing.observers import forget as forget_observer
from pbem.persontext import one_line
from pbem.setups import choices, written
from pbem.storage.models import Account, Game, Letter, Seat
from pbem.storage.sessions import locked_game

MAX_WORD = 40
MOST_HOURS = 366 * 24
"""How long a stage can last, and how far a deadline can be moved at once."""


@dataclass(frozen=True)
class Guest:
    """Somebody to be invited: an address, and a name where there is no account yet."""

    address: str
    name: str = ""
    twice: bool = False
    """Whether it may hold another seat of the game as well, and so see what is secret between them."""

    @classmethod
    def written(cls, text: str, *, twice: bool = False) -> "Guest":
        """From `ADDRESS` or `NAME=ADDRESS`."""
        name, mark, address = text.strip().rpartition("=")
        return cls(address, name.strip() if mark else "", twice)


@dataclass(frozen=True)
class Plan:
    """What a game is made from. `moderator` is an address, empty for the operator alone.

    `standins` names the sides that stand-ins play, with their levels; `guests` are for the others, in seat order;
    `free` is how many seats behind those are open to whoever comes, `seating` how such seats are given. `listed` shows
    that to everybody who signs in. `starts_at` is when it begins with those who have joined, None for when all have.
    `stage_hours` and `settle_minutes` None take the settings' own. `components` is a parsed component file.
    """

    rules: str
    guests: Sequence[Guest]
    pace: str = "strict"
    stage_hours: float | None = None
    settle_minutes: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    components: dict[str, Any] | None = None
    moderator: str = ""
    absence: str = WAIT
    policy: Mapping[str, str] = field(default_factory=dict)
    """What is other than by default when no orders come: `pbem.games.policy.Policy` as written."""
    schedule: Mapping[str, str] = field(default_factory=dict)
    """When stages may end: `pbem.games.schedule.Schedule` as written; its zone is the settings' by default."""
    title: str = ""
    code: str = ""
    standins: Mapping[str, str] = field(default_factory=dict)
    free: int = 0
    seating: str = ""
    listed: bool = False
    starts_at: datetime | None = None
    anonymous: bool = False
    """Whether players learn only at the end who plays which side."""


def create_game(service: Service, plan: Plan) -> str:
    """A game that waits for its players; its code. Nobody is told yet.

    Raises Refused `unknown_rules`, `unknown_option`, `option_value`, `option_seats` for a variant that is for others,
    `no_components`, `bad_components` (with place), `bad_seats`, `bad_pace`, `unknown_policy`, `policy_value`,
    what `schedule.changed` raises, `bad_address`, `bad_time`, `bad_absence`, `bad_side` and `unknown_level` for a
    stand-in, `odd_code`, `same_player`, `long_name`, `long_title`, `bad_code` where there is a game of that code, and
    what `pbem.games.seating.check_seating` raises.
    """
    setup = _checked(plan)
    settings = service.settings
    hours = settings.stage_hours if plan.stage_hours is None else plan.stage_hours
    minutes = settings.settle_minutes if plan.settle_minutes is None else plan.settle_minutes
    if not (0 < hours <= MOST_HOURS and 0 <= minutes <= MOST_HOURS * 60):
        raise Refused("bad_time")
    known = (*POLICIES, *registry.load(plan.rules).bots)
    if plan.absence not in known:
        raise Refused("bad_absence", given=plan.absence, known=", ".join(known))
    times = schedule.changed(schedule.Schedule(zone=settings.time_zone), plan.schedule)
    silence = policy.changed(policy.Policy(), plan.policy, registry.load(plan.rules).bots)
    check_seating(plan.seating or (CHOICE if plan.free else ""), listed=plan.listed, starts_at=plan.starts_at)
    secret = secrets.token_bytes(32)
    code = plan.code.strip().lower() or drawn_code()
    if not is_code(code):
        raise Refused("odd_code")
    title = titled(plan.title)
    with service.writing() as session:
        if session.exec(select(Game.id).where(col(Game.code) == code)).first() is not None:
            raise Refused("bad_code", given=code)
        game = Game(
            code=code,
            title=title or code,
            rules=plan.rules,
            rules_version=setup.version,
            setup=canonical(setup),
            pace=plan.pace,
            stage_seconds=round(hours * 3600),
            settling_seconds=round(minutes * 60),
            absence=plan.absence,
            policy=policy.encode(silence),
            schedule=schedule.encode(times),
            grace_seconds=times.grace * 60,
            seating=plan.seating or (CHOICE if plan.free else ""),
            listed=plan.listed,
            anonymous=plan.anonymous,
            starts_at=plan.starts_at,
            tend_at=clock.now(),
            moderator_id=_account(service, session, Guest(plan.moderator)).id if plan.moderator else None,
            secret=secret,
            secret_hash=commitment(secret),
            head=commitment(secret),
            created=clock.now(),
        )
        session.add(game)
        session.flush()
        guests = iter(plan.guests)
        seated: list[Account] = []
        for number, name in enumerate(_sides(plan)):
            seat = Seat(game_id=_id(game), number=number, name=name, standin=plan.standins.get(name, ""))
            guest = next(guests, None) if not seat.standin else None
            if guest is not None:
                check_wanted(session, guest.address)
                account = _account(service, session, guest)
                _sit_once(guest, account, seated)
                seated.append(account)
                seat.account_id = account.id
            session.add(seat)
    return code


def invite(service: Service, code: str, note: str = "", only: int | None = None) -> int:
    """Invite everyone who has not joined, by mail; how many letters were written. Twice sends nobody two letters.

    `only` is the number of a seat, for its guest alone.

    Raises Refused `no_game`, `wrong_status`, `unwanted` where somebody asked not to be invited, and
    `too_many_invitations`.
    """
    with service.reading() as session:
        game = _waiting(game_row(session, code))
        seats, players = seat_rows(session, _id(game)), players_of(session, _id(game))
        host = session.get(Account, game.moderator_id) if game.moderator_id is not None else None
        leading = [leading_letter(service, session, game, host)] if host is not None else []
        guests = [seat for seat in seats if seat.joined is None and only in (None, seat.number)]
        check_number(service, session, game, len(guests))
        for seat in guests:
            if seat.number in players:
                check_wanted(session, players[seat.number].address)
    name = host.name if host is not None else service.settings.sender_name
    invitations = [
        invitation(service, game, seats, seat, players[seat.number], Host(name, note))
        for seat in guests
        if seat.number in players
    ]
    with service.writing() as session:
        put(session, *leading)
        for letter, link in invitations:
            if not numbers_of(session, [letter.key]):
                session.add(link)
                put(session, letter)
        _note_invited(session, _id(game), {letter.seat for letter, _ in invitations})
    return len(invitations)


def _note_invited(session: Session, game_id: int, guests: Set[int | None]) -> None:
    """From now on their answers are awaited: see `pbem.games.guests`."""
    game, now = locked_game(session, game_id), clock.now()
    for seat in seat_rows(session, game_id):
        if seat.number in guests and seat.joined is None and seat.invited is None:
            seat.invited = now
            session.add(seat)
    game.tend_at = now
    session.add(game)


def join(service: Service, game_id: int, number: int, word: str = "", inbound_id: int | None = None) -> None:
    """Take the seat that one is invited to; the game starts when the last has. Joining twice changes nothing.

    `word` is mixed into all draws. `inbound_id` is the mail that said so, read by this. Raises Refused `no_seat`,
    `wrong_status`.
    """
    word = word_kept(word)
    with service.reading() as session:
        game = session.get(Game, game_id)
        players = players_of(session, game_id)
        seats = seat_rows(session, game_id)
    if game is None or number not in players:
        raise Refused("no_seat")
    missing = sum(is_open(seat) and seat.number != number for seat in seats)
    letter = joined_letter(service, game, seats[number], players[number], word, missing)
    with service.writing() as session:
        game = _waiting(locked_game(session, game_id))
        seats = seat_rows(session, game_id)
        seat = seats[number]
        mark_read(session, inbound_id)
        if seat.joined is not None:
            return
        assert seat.account_id is not None
        forget_observer(session, game, seat.account_id)
        seat.joined, seat.public_word = clock.now(), word
        session.add(seat)
        put(session, letter)
        game.version += 1
        if not any(is_open(other) for other in seats) and game.starts_at is None:
            begin(session, game, seats)
        session.add(game)


def word_kept(text: str) -> str:
    """A public word as a seat has it, and as all draws are mixed with it."""
    return one_line(text)[:MAX_WORD].strip()


def decline(service: Service, game_id: int, number: int, inbound_id: int | None = None) -> None:
    """Turn an invitation down: the seat is nobody's until the moderator invites another. Raises as `join` does."""
    with service.reading() as session:
        game = session.get(Game, game_id)
        players = players_of(session, game_id)
        if game is None or number not in players:
            raise Refused("no_seat")
        letters = declined_letters(service, session, game, seat_rows(session, game_id)[number], players)
    with service.writing() as session:
        game = _waiting(locked_game(session, game_id))
        seat = seat_rows(session, game_id)[number]
        mark_read(session, inbound_id)
        never_again(session, players[number].address, DECLINED)
        free(game, seat)
        session.add_all([seat, game])
        put(session, *letters)


def replace_guest(service: Service, code: str, number: int, guest: Guest) -> None:
    """Give a seat that nobody has joined, or that a stand-in has, to another guest, who is then to be invited.

    Raises as `join` does.
    """
    with service.writing() as session:
        game = _waiting(locked_game(session, _id(game_row(session, code))))
        seats = seat_rows(session, _id(game))
        if not 0 <= number < len(seats):
            raise Refused("no_seat")
        if seats[number].joined is not None:
            raise Refused("seat_taken")
        check_wanted(session, guest.address)
        account = _account(service, session, guest)
        others = [player.account for seat, player in players_of(session, _id(game)).items() if seat != number]
        _sit_once(guest, account, others)
        free(game, seats[number])
        seats[number].account_id, seats[number].standin = account.id, ""
        session.add_all([seats[number], game])


def start(service: Service, code: str, beside: Callable[[Game], SQLModel]) -> None:
    """Begin with those who have joined; the seats of the others are nobody's and take defaults.

    `beside` gives a row, such as a ruling, to be written in the same transaction: see `pbem.rulings.start_game`.
    Raises Refused `no_game`, `wrong_status`, `all_not_joined` where nobody has.
    """
    with service.writing() as session:
        game = _waiting(locked_game(session, _id(game_row(session, code))))
        seats = seat_rows(session, _id(game))
        if all(seat.joined is None for seat in seats):
            raise Refused("all_not_joined")
        game.version += 1
        begin(session, game, seats)
        session.add_all([game, beside(game)])


def check_number(service: Service, session: Session, game: Game, more: int) -> None:
    """Raises Refused `too_many_invitations` where the game's moderator has written so many in a day."""
    most = service.settings.invitations_a_day
    written = select(func.count()).select_from(Letter).join(Game, col(Game.id) == col(Letter.game_id))
    written = written.where(
        col(Letter.kind).in_(OPTIONAL),
        col(Letter.queued) > clock.now() - timedelta(days=1),
        col(Game.moderator_id).is_not_distinct_from(game.moderator_id),
    )
    if session.exec(written).one() + more > most:
        raise Refused("too_many_invitations", most=most)


def _checked(plan: Plan) -> Setup:
    try:
        module = registry.load(plan.rules)
    except EngineError as error:
        raise Refused("unknown_rules", rules=plan.rules, known=", ".join(registry.names())) from error
    if plan.pace not in module.paces:
        raise Refused("bad_pace", pace=plan.pace, known=", ".join(module.paces))
    seats = len(plan.guests) + len(plan.standins) + plan.free
    if seats not in module.seat_numbers or plan.free < 0 or not (plan.guests or plan.free):
        numbers = ", ".join(map(str, module.seat_numbers))
        raise Refused("bad_seats", seats=seats, known=numbers)
    for name, level in plan.standins.items():
        if name not in module.seat_names[:seats]:
            raise Refused("bad_side", given=name, known=", ".join(module.seat_names[:seats]))
        check_level(module, level)
    if plan.components is not None and module.components is None:
        raise Refused("no_components", rules=plan.rules)
    setup = Setup(seats, dict(plan.options), plan.components, module.version)
    try:
        registry.bind(plan.rules, setup)
    except BadSetup as error:
        raise _bad_setup(error) from error
    return setup


def _bad_setup(error: BadSetup) -> Refused:
    place: str = error.place
    params: dict[str, Any] = error.params
    if error.code == "unknown_option":
        return Refused("unknown_option", option=place.removeprefix("options."), known=", ".join(params["known"]))
    if error.code == "option_value":
        option, given = place.removeprefix("options."), written(params["given"])
        return Refused("option_value", option=option, given=given, legal=choices(params["allowed"]))
    if error.code == "variant_seats":
        numbers = ", ".join(map(str, params["allowed"]))
        return Refused("option_seats", option=place.removeprefix("options."), seats=params["given"], known=numbers)
    return Refused("bad_components", place=place)


def _sit_once(guest: Guest, account: Account, others: Sequence[Account]) -> None:
    """One person holds one seat unless it is meant otherwise."""
    if not guest.twice and account.id in {other.id for other in others}:
        raise Refused("same_player", address=guest.address)


def check_level(module: RulesModule, level: str) -> None:
    """Raises Refused `unknown_level` where the rules have no such stand-in."""
    if level not in module.bots:
        raise Refused("unknown_level", given=level, levels=", ".join(module.bots))


def _sides(plan: Plan) -> Sequence[str]:
    return registry.load(plan.rules).seat_names[: len(plan.guests) + len(plan.standins) + plan.free]


def _account(service: Service, session: Session, guest: Guest) -> Account:
    settings = service.settings
    return ensure_account(session, settings.language, settings.time_zone, guest.address, guest.name)


def _waiting(game: Game) -> Game:
    if game.status != "inviting":
        raise Refused("wrong_status", status=game.status)
    return game


def _id(game: Game) -> int:
    assert game.id is not None
    return game.id
