"""A moderator's acts on a game: each has a reason, is on record, and is told to the players."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlmodel import Session, col, select

from pbem import clock
from pbem.authority import ADMITTED, EXTENDED, FORCED, Actor, check_apart, check_seen, plays, ruler
from pbem.context import Service, nudge
from pbem.door import ADVANCE
from pbem.errors import Busy, Refused
from pbem.games.due import GRACE_SECONDS, PLAYED, is_due
from pbem.games.lifecycle import MOST_HOURS, check_level, start
from pbem.games.nmr import hold
from pbem.games.notices import looked_letters, ruling_letters
from pbem.games.policy import PAUSED, changed, encode, policy_of
from pbem.games.position import Position, expected, game_row, numbers, players_of, position, seat_rows
from pbem.games.recording import put_on_record
from pbem.games.rules import module_of
from pbem.games.settling import settling
from pbem.games.telling import asks_of, told
from pbem.letters import put
from pbem.sheets.received import Post
from pbem.sheets.submitting import Taken, submit
from pbem.storage.models import Account, Game, Ruling, Seat
from pbem.storage.sessions import locked_game

TRIES = 20


def start_game(service: Service, code: str, actor: Actor) -> None:
    """Begin with those who have joined; told in the first report.

    Raises Refused `no_game`, `wrong_status`, `no_reason`, `not_moderator`, `all_not_joined` where nobody has.
    """
    with service.reading() as session:
        account = ruler(session, game_row(session, code), actor)
    start(service, code, lambda game: _ruling(game, account, actor, "started", {}))


def extend_deadline(service: Service, code: str, hours: float, actor: Actor) -> datetime:
    """Put the deadline off by that many hours, from now where it has passed; the new one.

    Raises Refused `no_game`, `wrong_status`, `no_reason`, `not_moderator`, `bad_hours`, `deadline_past` where it would
    lie behind.
    """
    if not abs(hours) <= MOST_HOURS:
        raise Refused("bad_hours")

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        now = clock.now()
        deadline = max(game.deadline or now, now if hours > 0 else datetime.min.replace(tzinfo=now.tzinfo))
        deadline += timedelta(hours=hours)
        if deadline <= now:
            raise Refused("deadline_past")
        game.deadline, game.sequence = deadline, game.sequence + 1
        return {"until": deadline.isoformat()}

    ruling = _rule(service, code, actor, EXTENDED, act, at_once=True)
    return datetime.fromisoformat(msgspec.json.decode(ruling.params)["until"])


def put_deadline_off(service: Service, game: Game, span: timedelta, actor: Actor) -> None:
    """Put the deadline of the game's present stage off, that long from now; the ruling names the stage.

    Raises Refused `wrong_status` where the stage has closed meanwhile, and as `extend_deadline`.
    """
    stage, deadline = (game.line, game.stage_key), clock.now() + span

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if (game.line, game.stage_key) != stage:
            raise Refused("wrong_status", status=game.status)
        game.deadline, game.sequence = deadline, game.sequence + 1
        return {"until": deadline.isoformat(), "stage": game.stage_key}

    _rule(service, game.code, actor, EXTENDED, act, at_once=True)


def end_deadline(service: Service, code: str, actor: Actor) -> None:
    """Let the deadline be now: what is missing is dealt with as if it had passed. Raises as `extend_deadline`."""

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        game.deadline, game.sequence = clock.now() - clock.span(GRACE_SECONDS), game.sequence + 1
        game.settle_until = clock.now()
        return {}

    _rule(service, code, actor, "deadline_ended", act)


def force_stage(service: Service, code: str, actor: Actor) -> None:
    """Play on now with what the sheets say, whoever is not ready. Raises as `extend_deadline`."""

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        game.forced, game.settle_until = True, clock.now()
        return {}

    _rule(service, code, actor, FORCED, act)


def resume(service: Service, code: str, actor: Actor) -> None:
    """Take up a game that was set aside, or that stands still, with a whole stage's time to its deadline.

    Raises as `extend_deadline`.
    """
    with service.reading() as session:
        held = game_row(session, code).held

    def unhold(game: Game, seats: list[Seat]) -> dict[str, Any]:
        game.held, game.held_since, game.quiet = "", None, 0
        deadline = clock.now() + timedelta(seconds=game.stage_seconds)
        game.deadline, game.sequence = deadline, game.sequence + 1
        game.settle_until = settling(game, seats)
        return {"until": deadline.isoformat()}

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if not game.aside:
            raise Refused("wrong_status", status=game.status)
        game.aside, game.problem, game.failures, game.not_before = False, "", 0, None
        if game.deadline is not None:
            game.deadline, game.sequence = clock.now() + timedelta(seconds=game.stage_seconds), game.sequence + 1
        return {}

    if held:
        _rule(service, code, actor, "unpaused", unhold, at_once=True)
    else:
        _rule(service, code, actor, "resumed", act, at_once=True)


def pause(service: Service, code: str, actor: Actor) -> None:
    """Let the game stand still until it is taken up again: orders are kept, and no deadline runs.

    Raises Refused `paused_already` and as `extend_deadline`.
    """

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if game.status != "playing":
            raise Refused("wrong_status", status=game.status)
        if game.held == PAUSED:
            raise Refused("paused_already")
        hold(game, PAUSED)
        return {}

    _rule(service, code, actor, "paused", act, at_once=True)


def change_policy(service: Service, code: str, given: Mapping[str, str], actor: Actor) -> None:
    """Change what the game does when no orders come; `given` are settings as written.

    Raises Refused `nothing_changed`, what `pbem.games.policy.changed` raises, and as `extend_deadline`.
    """

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        before = policy_of(game)
        after = changed(before, given, module_of(game).bots)
        if after == before:
            raise Refused("nothing_changed")
        game.policy, game.tend_at = encode(after), clock.now()
        return {"policy": ", ".join(f"{name}={getattr(after, name)}" for name in given)}

    _rule(service, code, actor, "policy_changed", act, at_once=True)


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
        game = game_row(session, code)
        account = ruler(session, game, actor)
        players = players_of(session, _id(game))
    if game.status not in PLAYED:
        raise Refused("wrong_status", status=game.status)
    check_seen(game, actor)
    shows = not plays(players, account)
    check_apart(game, players, account, name)
    number = game.next_ruling
    ruling = _ruling(game, account, actor, name, {"seat": seat}, secret=shows)
    letters = (looked_letters if shows else ruling_letters)(service, game, told(ruling), players)

    def beside(session: Session, game: Game) -> None:
        check_seen(game, actor)
        if game.next_ruling != number:
            raise Busy  # another ruling came between: its letters would have the same keys
        put_on_record(session, game, _ruling(game, account, actor, name, {"seat": seat}, secret=shows))
        put(session, *letters)

    post = Post(_id(game), seat, text, "moderator", f"moderator/{game.code}/{number}/{seat}", clock.now())
    taken = submit(service, post, beside)
    return taken if shows else replace(taken, acknowledgement=None)


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

    _rule(service, code, actor, "standin_set", act, at_once=True)


def give_back(service: Service, code: str, number: int, actor: Actor) -> None:
    """End what a stand-in does for a seat: its player, if it has one, is waited for again.

    Raises Refused `no_seat`, `no_standin` where none plays it, and as `extend_deadline`; and Busy.
    """
    with service.reading() as session:
        game = game_row(session, code)
        asked = game.status == "playing" and number in asks_of(position(session, _id(game)))
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

    _rule(service, code, actor, "standin_ended", act, at_once=True)


def _ask_again(game: Game, seats: list[Seat], number: int) -> None:
    """At the brisk pace it is one more seat to wait for; at the strict one play itself finds that it is, and asks."""
    if game.pace == "brisk":
        _wait_for(game, {*numbers(game.waiting), number})
        game.settle_until = settling(game, seats)
    else:
        game.settle_until = clock.now()


def _wait_for(game: Game, seats: set[int]) -> None:
    game.waiting = ",".join(map(str, sorted(seats)))


def look(service: Service, code: str, actor: Actor) -> Position:
    """The whole position, hidden things and all; every player is told of the look at once, before it is shown.

    Raises as `extend_deadline`.
    """
    with service.reading() as session:
        game = game_row(session, code)
        ruler(session, game, actor)

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        return {}

    _rule(service, code, actor, "looked", act, secret=True, at_once=True)
    with service.reading() as session:
        return position(session, _id(game))


def rulings_of(service: Service, code: str) -> list[Ruling]:
    """All rulings on a game, in order. Raises Refused `no_game`."""
    with service.reading() as session:
        game = game_row(session, code)
        return list(session.exec(select(Ruling).where(col(Ruling.game_id) == game.id).order_by(col(Ruling.number))))


Act = Callable[[Game, list[Seat]], dict[str, Any]]
"""Changes the rows of a game and its seats; what it was, as parameters of the ruling."""


def _rule(
    service: Service, code: str, actor: Actor, name: str, act: Act, *, secret: bool = False, at_once: bool = False
) -> Ruling:
    """Do it and put it on record in one transaction; told by letter too where it can't wait for the next report."""
    for _ in range(TRIES):
        with service.reading() as session:
            game = game_row(session, code)
            account = ruler(session, game, actor)
            players = players_of(session, _id(game))
            seats = seat_rows(session, _id(game))
        version, letters = game.version, []
        if game.status not in PLAYED:
            raise Refused("wrong_status", status=game.status)
        check_seen(game, actor)
        check_apart(game, players, account, name)
        if at_once or plays(players, account):
            # Composed from the row as read: it is written only if that is still the row.
            ruling = _ruling(game, account, actor, name, act(game, seats), secret=secret)
            letters = (looked_letters if secret else ruling_letters)(service, game, told(ruling), players)
        with service.writing() as session:
            game = locked_game(session, _id(game))
            if game.version != version:
                continue
            seats = seat_rows(session, _id(game))
            ruling = _ruling(game, account, actor, name, act(game, seats), secret=secret)
            game.version += 1
            put_on_record(session, game, ruling)
            session.add_all([game, *seats])
            put(session, *letters)
            if is_due(game, clock.now()):
                nudge(session, ADVANCE, _id(game))
        return ruling
    raise Busy


def _ruling(
    game: Game,
    account: Account | None,
    actor: Actor,
    name: str,
    params: dict[str, Any],
    *,
    secret: bool = False,
) -> Ruling:
    ruling = Ruling(
        game_id=_id(game),
        number=game.next_ruling,
        line=game.line,
        account_id=account.id if account is not None else None,
        actor=account.name if account is not None else "operator",
        act=name,
        reason=actor.reason.strip(),
        params=msgspec.json.encode(params).decode(),
        secret=secret,
        at=clock.now(),
    )
    game.next_ruling += 1
    return ruling


def _id(game: Game) -> int:
    assert game.id is not None
    return game.id
