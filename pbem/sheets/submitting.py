"""A submission is read once, kept in its normal form, and acknowledged; all of it in one short transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import msgspec
from sqlalchemy import bindparam, exists
from sqlmodel import Session, col, select

from engine.contract import Asked
from engine.orders.reader import read
from engine.orders.shape import Order, Reading
from engine.orders.sheet import Kept
from engine.orders.writer import examples
from engine.play import may_be_used, unanswered, unwritten
from pbem.context import Service
from pbem.errors import Busy, Refused
from pbem.games.absence import tell_games
from pbem.games.away import put_off
from pbem.games.due import came_too_late, closes
from pbem.games.inbox import mark_read
from pbem.games.position import Position, holds, numbers, position, position_of, seat_row, seat_rows
from pbem.games.settling import settling_with
from pbem.letters import put
from pbem.reports.data import Acknowledgement
from pbem.sheets.acknowledging import Acknowledger
from pbem.sheets.acting import Circumstances, acts_of
from pbem.sheets.answers import Answers, status_letter
from pbem.sheets.folding import Folded, fold, fold_in, new_salt, seal, written
from pbem.sheets.keeping import Beside, Outgoing, keep
from pbem.sheets.lines import tongue_of
from pbem.sheets.pressing import Desk, answered_by, as_answer, deliveries, row
from pbem.sheets.pressletters import press_letters
from pbem.sheets.received import ASKING, CHANGING, Post, Received
from pbem.sheets.since import sent_since
from pbem.sheets.stored import of_present_player, orders_for_once
from pbem.sheets.takingback import Corrections, corrections, told_of
from pbem.sheets.undoing import CannotUndo, Undo, undo
from pbem.storage.models import Game, Seat, StageTime, Submission
from pbem.voting.proposals import VOTES, Voting, proposed_by, voting

TRIES = 20
SHEET_ALONE = CHANGING | {"check"}
"""Commands that are about a seat's sheet, and so need no player."""
MOST_SHOWN = 3
LONGEST_SHOWN = 60
_CLOSED = select(StageTime).where(
    col(StageTime.game_id) == bindparam("game"),
    col(StageTime.line) == bindparam("line"),
    col(StageTime.stage_key) == bindparam("stage"),
)
_ASKED = select(Game, exists().where(col(Submission.key) == bindparam("key"))).where(col(Game.id) == bindparam("game"))
"""The game that a post is for, and whether the post was taken before."""


@dataclass(frozen=True)
class Taken:
    """What was made of a post. `number` is that of the submission, None where nothing was kept."""

    acknowledgement: Acknowledgement | None
    number: int | None = None
    duplicate: bool = False


def submit(service: Service, post: Post, beside: Beside | None = None) -> Taken:
    """Read it, keep it, acknowledge it by mail (not to a page), and let play go on where it may.

    In a game that is not being played it is answered with how the player's games stand, and nothing is kept. Raises
    Refused `no_game`, `no_seat`, `seat_passed`, for a moderator's lines that would change nothing `nothing_read`,
    `nothing_late`, `nobody_there`, `players_alone`, and Busy.
    """
    for _ in range(TRIES):
        with service.reading() as session:
            asked = session.exec(_ASKED, params={"game": post.game_id, "key": post.key}).one_or_none()
            game, is_taken = asked or (None, False)
            if is_taken:
                break
            if game is None or game.status != "playing":
                _check_holder(seat_row(session, post.game_id, post.seat), post)
                return _answer_unplayed(service, session, post)
            stands = position_of(session, game, seat_rows(session, post.game_id))
            _check_holder(next((seat for seat in stands.seats if seat.number == post.seat), None), post)
            found = _read_post(service, session, stands, post)
            if post.source == "moderator":
                _check_entered(found, post.seat)
            stands = found.stands
            goes_on = _settling(stands, post.seat, found)
            acknowledgement = _acknowledgement(found, post, goes_on)
            outgoing = Outgoing([], [], _corrections(service, session, found, post.seat))
            if holds(stands.seats[post.seat]):
                answers = Answers(service, session, stands, post.seat, post.key, found.followed)
                press = found.acts.press if not found.checked else ()
                letters = [*answers.letters(), *press_letters(service, session, stands, post.seat, press)]
                if _acknowledged_by_mail(post, found):
                    letters = [answers.acknowledgement(acknowledgement), *letters]
                outgoing = replace(outgoing, letters=letters, press=[row(each, stands, post.seat) for each in press])
        if keep(service, post, found, goes_on, outgoing, beside):
            if not found.checked and (found.acts.absence is not None or found.acts.is_back):
                tell_games(service, stands.players[post.seat].account, post.key)
            return Taken(acknowledgement, stands.game.next_submission if found.kept else None)
    else:
        raise Busy
    with service.writing() as session:
        mark_read(session, post.inbound_id, "duplicate")
    return Taken(None, duplicate=True)


def _acknowledged_by_mail(post: Post, found: Received) -> bool:
    """A page shows it; a program is told, but its player hears of what was kept."""
    if post.source == "page" or found.answered_otherwise:
        return False
    return post.source != "api" or found.kept


def _check_holder(seat: Seat | None, post: Post) -> None:
    """Raises Refused `seat_passed` where the seat has another player or other reply addresses than its sender knew."""
    if post.generation is not None and (seat is None or seat.generation != post.generation):
        raise Refused("seat_passed")


def _check_entered(found: Received, seat: int) -> None:
    """Refuses a moderator's lines that would change nothing, which are no ruling, and those that only a player says.

    The latter are votes, messages, absences, how letters are to come. Nothing is written then, and nobody is told.
    """
    if found.names - SHEET_ALONE and not holds(found.stands.seats[seat]):
        raise Refused("nobody_there")
    for line in found.reading.lines:
        if line.command is not None and line.command.name not in SHEET_ALONE | ASKING:
            raise Refused("players_alone", line=line.text[:LONGEST_SHOWN])
    uses = any(command.name == "use" for command in found.reading.commands)
    if uses and not found.admitted:
        raise Refused("nothing_late")
    if not found.reading.orders and not found.names:
        shown = ", ".join(f"`{line.text[:LONGEST_SHOWN]}`" for line in found.reading.lines[:MOST_SHOWN])
        raise Refused("nothing_read", lines=shown or "``", example=_example(found, seat))


def _example(found: Received, seat: int) -> str:
    """An order that this seat might give now, the nearest to what was written where there is one."""
    near = [line.problem.nearest for line in found.reading.lines if line.problem is not None and line.problem.nearest]
    stands, tongue = found.stands, _tongue(found.stands, seat)
    view = stands.rules.view(stands.table.state, seat)
    for asked in found.missing if not near else ():
        near += examples(stands.module.language, stands.rules, view, asked.kind, asked.round, tongue)
    return near[0] if near else "ready"


def _corrections(service: Service, session: Session, found: Received, seat: int) -> Corrections:
    """What the others are told of an act that is taken back after play had used it."""
    undo, game_id = found.undo, found.stands.game.id
    if undo is None or undo.note is None or game_id is None:
        return {}
    told = {report.seat for report in told_of(session, game_id, undo.first)}
    return corrections(service, found.stands, told, undo, seat)


def _answer_unplayed(service: Service, session: Session, post: Post) -> Taken:
    """Before a game begins and after it has ended there is nothing to order: say how things stand."""
    letter = status_letter(service, session, post.game_id, post.seat, post.key)
    with service.writing() as writing:
        mark_read(writing, post.inbound_id)
        put(writing, letter)
    return Taken(None)


def check(service: Service, post: Post) -> Acknowledgement:
    """What would be made of it; nothing is kept and nobody is told. Raises Refused as `submit` does."""
    with service.reading() as session:
        stands = position(session, post.game_id)
        found = _read_post(service, session, stands, post)
    return _acknowledgement(found, post, None, "checked")


def _read_post(service: Service, session: Session, stands: Position, post: Post) -> Received:
    game = stands.game
    if game.status != "playing":
        raise Refused("wrong_status", status=game.status)
    if not 0 <= post.seat < len(stands.seats):
        raise Refused("no_seat")
    view = stands.rules.view(stands.table.state, post.seat)
    reading = read(post.text, stands.module.language, view, _tongue(stands, post.seat), stands.rules)
    answered = answered_by(session, post.game_id, post.seat, post.message) if post.message else None
    if answered is not None:
        reading = as_answer(reading)
    late = _is_late(game, post)
    too_late = _came_too_late(game, post)
    admitted = {} if too_late else _admitted(session, stands, post.seat, reading)
    kept = tuple(admitted.values())
    since = sent_since(session, stands, post)
    before = stands.sheets[post.seat]
    undone = _undone(session, stands, post.seat, reading, late=late, overtaken=bool(since.acts))
    taken_back = undone if isinstance(undone, Undo) and not too_late else None
    back_to = None
    if taken_back is not None:
        stands, back_to = taken_back.stands, taken_back.sheet
    if since.acts:
        folded = fold_in(before, game.next_submission, reading, since.acts, late=late, admitted=kept)
    else:
        folded = fold(before, game.next_submission, reading, late=late, admitted=kept, back_to=back_to)
    overseen = game.moderator_id is not None or bool(service.settings.operator)
    press = deliveries(Desk(session, stands, stands.seats[post.seat], post.key, overseen, answered), reading)
    late_orders = None if too_late else sum(map(len, kept))
    around = Circumstances(late_orders, overseen, undone, _voting(session, stands, reading), press, since.commands)
    acts = acts_of(stands, post.seat, reading, around)
    missing = unanswered(stands.rules, stands.table.state, post.seat, folded.after, stands.used, game.pace)
    seat = stands.seats[post.seat]
    nonce = _nonce(seat, folded)
    mine = (game.next_submission, *admitted)
    brought = [each.order for each in folded.after.orders if each.ref[0] in mine and not each.order.always]
    ready = _ready(stands, seat, folded, missing, brought)
    late_by = _late_by(session, game, post) if late else None
    old = late and post.asked is not None and post.asked[0] != game.line
    used = tuple(admitted)
    sealed = seat.seal.hex() if nonce == seat.nonce else seal(folded.after, nonce)
    overtaken = since.at if not late else None
    return Received(
        stands, reading, late, folded, missing, ready, nonce, sealed, acts, used, taken_back, late_by, old, overtaken
    )


def _voting(session: Session, stands: Position, reading: Reading) -> Voting:
    """How the voting stands, where the post speaks of it."""
    speaks = any(command.name in VOTES or proposed_by(command) is not None for command in reading.commands)
    return voting(session, stands.game) if speaks else Voting()


def _late_by(session: Session, game: Game, post: Post) -> int | None:
    """The seconds between what closed the stage that it is for, the end of its grace or its own, and its receipt.

    None where that is not known, or where it came before: its sender was asked about it first.
    """
    if post.asked is None or post.asked == (game.line, game.stage_key):
        return _seconds_after(closes(game.deadline, game), post.received) if game.deadline is not None else None
    line, key = post.asked
    closed = session.exec(_CLOSED, params={"game": game.id, "line": line, "stage": key}).all()
    if not closed:
        return None
    over, deadline = closed[0].closed, closed[0].deadline
    return _seconds_after(over if deadline is None else min(over, closes(deadline, game)), post.received)


def _seconds_after(over: datetime, received: datetime) -> int | None:
    """None for what came before."""
    seconds = round((received - over).total_seconds())
    return seconds if seconds > 0 else None


def _undone(
    session: Session, stands: Position, seat: int, reading: Reading, *, late: bool, overtaken: bool
) -> Undo | CannotUndo | None:
    """What `undo` comes to, where it is said."""
    if not any(command.name == "undo" for command in reading.commands):
        return None
    if late:
        return CannotUndo("undo_late")
    if overtaken:
        return CannotUndo("undo_overtaken")
    try:
        return undo(session, stands, seat)
    except CannotUndo as problem:
        return problem


def _is_late(game: Game, post: Post) -> bool:
    """Whether it is for a stage that has closed, or came after the deadline of the one that is open."""
    return post.asked not in (None, (game.line, game.stage_key)) or _came_too_late(game, post)


def _came_too_late(game: Game, post: Post) -> bool:
    """Whether it came after the deadline of the stage that is open: not even `use` counts then, but a ruling does."""
    if game.aside or post.source == "moderator":
        return False
    return came_too_late(game, post.received)


def _admitted(session: Session, stands: Position, seat: int, reading: Reading) -> dict[int, tuple[Kept, ...]]:
    """The orders that `use` takes up, by submission: the seat's late ones that were not used yet, oldest first."""
    if not any(command.name == "use" for command in reading.commands):
        return {}
    rows = session.exec(
        select(Submission)
        .where(
            col(Submission.game_id) == stands.game.id,
            col(Submission.seat) == seat,
            col(Submission.late).is_(True),
            col(Submission.used_late).is_(None),
            col(Submission.undone).is_(None),
            of_present_player(stands.seats[seat]),
        )
        .order_by(col(Submission.number))
    ).all()
    return {row.number: orders_for_once(stands.rules, row) for row in rows}


def _nonce(seat: Seat, folded: Folded) -> bytes:
    """The salt of the seal: the same as long as the sheet is, so that the last seal that was told can be opened."""
    return seat.nonce if seat.nonce and not folded.changed else new_salt()


def _ready(stands: Position, seat: Seat, folded: Folded, missing: tuple[Asked, ...], brought: Sequence[Order]) -> bool:
    """Orders that answer all that is asked make a seat ready unless it says otherwise; standing orders never do.

    Nor do orders, those that it has `brought`, that nothing in this stage can come of any more.
    """
    if folded.ready is not None:
        return folded.ready
    answered = not any(asked.required for asked in missing)
    if not folded.orders:
        return seat.ready and (answered or not folded.changed)
    return answered and (
        seat.ready or may_be_used(stands.rules, stands.table.state, seat.number, brought, stands.game.pace)
    )


def _settling(stands: Position, number: int, found: Received) -> datetime | None:
    """From when play goes on once this is kept."""
    ready = {seat.number for seat in stands.seats if seat.ready}
    if found.kept:
        ready = ready | {number} if found.ready else ready - {number}
    return settling_with(stands.game, stands.seats, ready)


def _acknowledgement(found: Received, post: Post, goes_on: datetime | None, outcome: str = "") -> Acknowledgement:
    stands = found.stands
    outcome = outcome or found.outcome
    stored = found.kept or found.nonce == stands.seats[post.seat].nonce
    view = stands.rules.view(stands.table.state, post.seat)
    maker = Acknowledger(stands, post.seat, view, _tongue(stands, post.seat))
    made = maker.acknowledgement(
        found.reading,
        found.folded,
        outcome,
        found.missing,
        _later(found, post.seat),
        found.acts,
        heading=found.heading,
        ready=found.ready,
        settling=goes_on if found.ready else None,
        seal=found.seal if stored and outcome != "checked" else "",
        deadline=_deadline(found, post.seat),
        late_by=found.late_by,
        overtaken=found.overtaken,
    )
    awaited = post.seat in numbers(stands.game.waiting)
    once = [each for each in written(0, found.reading) if not each.order.always]
    return msgspec.structs.replace(
        made,
        entered=post.source == "moderator",
        awaited=awaited,
        late_kept=len(once) if found.late else 0,
        held=stands.game.stopped,
    )


def _deadline(found: Received, seat: int) -> datetime | None:
    """The deadline as it is, or as an absence that is entered just now puts it off."""
    game, absence = found.stands.game, found.acts.absence
    is_awaited = seat in numbers(game.waiting) and not found.ready
    if absence is None or not is_awaited:
        return game.deadline
    return put_off(game, game.deadline, (seat,), {seat: (absence,)})


def _later(found: Received, seat: int) -> tuple[Asked, ...]:
    """What the strict pace may ask one by one in the rest of the stage; the brisk one asks all of it at once."""
    stands = found.stands
    if stands.game.pace == "brisk" or found.late:
        return ()
    now = {(asked.kind, asked.round) for asked in found.missing}
    rest = unwritten(stands.rules, stands.table.state, seat, found.folded.after, stands.used, stands.game.pace)
    return tuple(asked for asked in rest if asked.required and (asked.kind, asked.round) not in now)


def _tongue(stands: Position, seat: int) -> str:
    player = stands.players.get(seat)
    return tongue_of(stands.module, player.account.language if player else "en")
