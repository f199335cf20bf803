"""A seat passes to another player, who gets its story and all that it knows; who held it keeps nothing of it."""

from dataclasses import dataclass, replace
from datetime import timedelta

import msgspec
from sqlmodel import Session, col, select, update

from engine.play import unanswered
from pbem import clock
from pbem.accounts import main_address
from pbem.context import Service
from pbem.errors import Busy, Refused
from pbem.games.course import Step, take
from pbem.games.inbox import mark_read
from pbem.games.inviting import farewell
from pbem.games.notes import forget_notes
from pbem.games.notices import compose, composed, guide_url, seat_url, spoken, thread
from pbem.games.position import Player, Position, holds, numbers, position, seat_rows
from pbem.games.posting import BOARD, picture_of, stored
from pbem.games.schedule import schedule_of
from pbem.games.settling import settling
from pbem.games.standbys import check_newcomer, offered_to
from pbem.games.telling import Outlook, Telling, asks_of
from pbem.letters import Envelope, Recipient, finish, put
from pbem.mail.identity import Purpose
from pbem.mail.withdrawing import withdraw
from pbem.reports import data
from pbem.reports.render import Story, chapter, report_letter
from pbem.storage.models import Account, Game, Letter, Picture, Report, Seat, Tenure
from pbem.words import Words

TRIES = 20
TAKEN, PASSED = "taken", "seat_replaced"
"""The kind of report that a new holder gets, and the act on record."""
STORY = "story"
"""The kind of letter that carries it, with all that went before."""
LONGEST_STORY = 40_000
"""Characters of earlier reports in that letter; older ones stand on the page."""


@dataclass(frozen=True)
class Passing:
    """A seat that passes on. `before` is who has it until now, None for nobody; `after` with the generation to come."""

    number: int
    before: Player | None
    after: Player
    reason: str
    is_asked: bool


@dataclass(frozen=True)
class Written:
    """What is stored and sent beside the step itself."""

    report: Report
    picture: Picture | None
    letters: list[Letter]


def accept(service: Service, game_id: int, account_id: int, inbound_id: int | None = None) -> None:
    """Take the seat that one is offered.

    Raises Refused `offer_gone`, what `check_newcomer` raises, `wrong_status` where the game is not played, and Busy.
    """
    for _ in range(TRIES):
        with service.reading() as session:
            row = offered_to(session, game_id, account_id)
            assert row.seat is not None
            account = session.get_one(Account, account_id)
            game = session.get_one(Game, game_id)
            if game.status != "playing" or game.aside:
                raise Refused("wrong_status", status=game.status)
            check_newcomer(session, game, row.seat, account)
            stands = position(session, game_id, to_come=row.seat)
            earlier = _reports(session, game, row.seat)
            address = main_address(session, account_id)
        seat = stands.seats[row.seat]
        passing = Passing(
            number=row.seat,
            before=stands.players.get(row.seat) if holds(seat) else None,
            after=Player(account, address, seat.generation + 1),
            reason=row.reason,
            is_asked=_is_asked(stands, row.seat),
        )
        written = _written(service, stands, passing, earlier)
        if take(service, game_id, stands.game.version, _step(stands, passing, written, account_id, inbound_id)):
            return
    raise Busy


def _is_asked(stands: Position, number: int) -> bool:
    """Whether the game would wait for the seat as it stands, if it had a player who is not ready."""
    if number not in asks_of(stands):
        return False
    sheet, pace = stands.sheets[number], stands.game.pace
    return pace == "brisk" or bool(unanswered(stands.rules, stands.table.state, number, sheet, stands.used, pace))


def _step(stands: Position, passing: Passing, written: Written, account_id: int, inbound_id: int | None) -> Step:
    number, told = passing.number, stands.table.number

    def change(game: Game, seats: list[Seat]) -> None:
        _pass_on(game, seats, passing)

    def beside(session: Session, game: Game) -> None:
        assert game.id is not None
        mark_read(session, inbound_id)
        session.delete(offered_to(session, game.id, account_id))
        seat = seat_rows(session, game.id)[number]
        seat.told = told
        session.add(seat)
        _let_go(session, stands, passing)
        for row in (written.report, written.picture):
            if row is not None:
                session.merge(row)
        put(session, *written.letters)

    return Step(PASSED, {"seat": number}, change, beside=beside, apart=frozenset({number}))


def _pass_on(game: Game, seats: list[Seat], passing: Passing) -> None:
    """What becomes of the rows. The sheet stays: the new player sees it, and may change it."""
    seat, now = seats[passing.number], clock.now()
    seat.account_id, seat.joined, seat.resigned, seat.standin = passing.after.account.id, now, None, ""
    seat.generation = passing.after.generation
    seat.ready = seat.passes = seat.sent = seat.silent = False
    seat.missed = seat.extensions = 0
    seat.mutes, seat.press_muted = "", False  # both are about who held it
    seat.reminded, seat.calendar_at = None, None
    if passing.is_asked:
        game.waiting = ",".join(map(str, sorted({*numbers(game.waiting), passing.number})))
        if not game.held:
            half = schedule_of(game).first(now + timedelta(seconds=game.stage_seconds // 2))
            game.deadline = max(game.deadline or now, half)
            game.sequence += 1
    game.settle_until = settling(game, seats)


def _let_go(session: Session, stands: Position, passing: Passing) -> None:
    """Who held the seat last is remembered, and gets none of what still waits to be sent."""
    held = stands.seats[passing.number]
    if held.account_id is None or held.joined is None:
        return
    left = held.resigned or clock.now()
    assert stands.game.id is not None
    session.add(
        Tenure(game_id=stands.game.id, account_id=held.account_id, seat=passing.number, joined=held.joined, left=left)
    )
    forget_notes(session, stands.game.id, passing.number, held.account_id)
    theirs = col(Letter.game_id) == stands.game.id, col(Letter.seat) == passing.number
    gone = withdraw(session, *theirs, col(Letter.account_id) == held.account_id)
    session.execute(update(Letter).where(col(Letter.id).in_(gone)).values(problem=PASSED))


def _written(service: Service, stands: Position, passing: Passing, earlier: list[Report]) -> Written:
    """The report that says how the seat stands, the letter that carries it, and what its former player is told."""
    number, after = passing.number, passing.after
    game = Game(**stands.game.model_dump())
    seats = [Seat(**seat.model_dump()) for seat in stands.seats]
    _pass_on(game, seats, passing)
    now = replace(stands, game=game, seats=seats, players={**stands.players, number: after})
    stage = stands.rules.stage(stands.table.state, game.pace)
    outlook = Outlook(stage, numbers(game.waiting), game.deadline, closed=False, over=False, sheets=stands.sheets)
    telling = Telling(now, (), outlook, ())
    report = msgspec.structs.replace(telling.report(number), occasion=TAKEN)
    to = Recipient.of(after.account, after.address, number, after.generation)
    picture = picture_of(telling, to)
    row = stored(telling, report, picture)
    row.kind = TAKEN
    made = report_letter(
        report,
        to.words,
        f"cid:{BOARD}" if picture else "",
        guide_url(service),
        _story(service, game, earlier, to.words),
    )
    key = f"{STORY}/{game.code}/{number}/{after.generation}"
    envelope = Envelope(STORY, key, Purpose.ORDERS, game, thread(game, stage.turn))
    letter = finish(service, envelope, to, composed(made, {BOARD: picture.png} if picture else {}))
    return Written(row, picture, [letter, *_farewells(service, stands, passing)])


def _story(service: Service, game: Game, earlier: list[Report], words: Words) -> Story:
    """What the seat was told before, oldest first; the newest of it as far as it fits into a letter."""
    chapters: list[tuple[str, list[str]]] = []
    size = 0
    for row in earlier:
        heading, sentences = chapter(data.decode_report(row.data), words)
        size += len(heading) + sum(map(len, sentences))
        if size > LONGEST_STORY:
            break
        if sentences:
            chapters.append((heading, sentences))
    is_whole = size <= LONGEST_STORY
    return Story(tuple(reversed(chapters)), f"{seat_url(service, game)}/reports", is_whole)


def _farewells(service: Service, stands: Position, passing: Passing) -> list[Letter]:
    """To who had the seat until now: that it has another player, and that the deadline is off their calendar."""
    if passing.before is None:
        return []
    game, before, seat = stands.game, passing.before, stands.seats[passing.number]
    to = Recipient.of(before.account, before.address)
    params = {
        "title": game.title,
        "side": spoken(game, to.words).seat(passing.number),
        "player": before.account.name,
        "reason": passing.reason,
    }
    key = f"replaced/{game.code}/{passing.number}/{before.generation}"
    envelope = Envelope("replaced", key, Purpose.NOTICE, game, thread(game))
    return [
        finish(service, envelope, to, compose("replaced", to.words, params)),
        *farewell(service, game, seat, before),
    ]


def _reports(session: Session, game: Game, seat: int) -> list[Report]:
    """What the seat was told, the newest first."""
    query = select(Report).where(col(Report.game_id) == game.id, col(Report.seat) == seat)
    return list(session.exec(query.order_by(col(Report.id).desc())))
