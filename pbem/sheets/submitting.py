"""A submission is read once, kept in its normal form, and acknowledged; all of it in one short transaction."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from engine.contract import Asked
from engine.orders.reader import read
from engine.orders.shape import Command, Reading
from engine.orders.sheet import Kept
from engine.orders.writer import examples
from engine.play import unanswered, unwritten
from pbem import clock
from pbem.context import Service, nudge
from pbem.door import ADVANCE
from pbem.errors import Busy, Refused
from pbem.games.absence import come_back, go_away, tell_games
from pbem.games.away import put_off
from pbem.games.due import is_due
from pbem.games.inbox import mark_read
from pbem.games.position import Position, position, seat_rows
from pbem.games.resolve import numbers
from pbem.games.settling import settling
from pbem.letters import put
from pbem.reports.data import Acknowledgement
from pbem.sheets.acknowledging import Acknowledger
from pbem.sheets.acting import Acts, Circumstances, acts_of
from pbem.sheets.answers import HELD_BACK, Answers, status_letter
from pbem.sheets.folding import Folded, fold, seal
from pbem.sheets.lines import tongue_of
from pbem.sheets.stored import decode_reading, encode_reading, encode_sheet
from pbem.storage.models import Game, Letter, Press, Seat, Submission
from pbem.storage.sessions import locked_game

TRIES = 20
MOST_SHOWN = 3
LONGEST_SHOWN = 60
CHANGING = frozenset({"ready", "not_ready", "clear", "cancel", "never_mind", "use"})
"""Commands that change the sheet or what is waited for, where they can be followed."""
ASKING = frozenset({"show", "status", "history", "help", "new_token", "resign", "confirm"})
"""Commands that are answered by letters of their own."""


@dataclass(frozen=True)
class Post:
    """What came for a seat. `key` is unique for good: the same mail or form twice counts once.

    `source`: mail, page, command, moderator, standin. `asked` are line and stage key of the letter that it answers;
    None for what is open now. `received` is when we got it.
    """

    game_id: int
    seat: int
    text: str
    source: str
    key: str
    received: datetime
    asked: tuple[int, str] | None = None
    inbound_id: int | None = None


@dataclass(frozen=True)
class Taken:
    """What was made of a post. `number` is that of the submission, None where nothing was kept."""

    acknowledgement: Acknowledgement | None
    number: int | None = None
    duplicate: bool = False


@dataclass(frozen=True)
class _Read:
    """A post against the position that it came to."""

    stands: Position
    reading: Reading
    late: bool
    folded: Folded
    missing: tuple[Asked, ...]
    ready: bool
    nonce: bytes
    acts: Acts
    admitted: tuple[int, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The commands in it that can be followed."""
        commands = enumerate(self.reading.commands)
        return frozenset(command.name for place, command in commands if place not in self.acts.refused)

    @property
    def followed(self) -> list[Command]:
        """The commands that are followed: with `check` nothing that would reach others or change the seat."""
        commands = enumerate(self.reading.commands)
        return [
            command
            for place, command in commands
            if place not in self.acts.refused and not (self.checked and command.name in HELD_BACK)
        ]

    @property
    def checked(self) -> bool:
        """Whether nothing is to be kept."""
        return "check" in self.names

    @property
    def kept(self) -> bool:
        """Whether there is something to keep."""
        return not self.checked and bool(self.reading.orders or self.names)

    @property
    def outcome(self) -> str:
        """The code of what was made of it."""
        if self.checked:
            return "checked"
        if not self.reading.orders and not self.names & CHANGING:
            return "nothing"
        return "late" if self.late else "kept"

    @property
    def heading(self) -> str:
        """The code of what it was that was kept."""
        if self.reading.orders:
            return "orders"
        if self.admitted:
            return "admitted"
        if self.folded.changed:
            return "changed"
        return "waits" if self.folded.ready is False else "ready" if self.folded.ready else "orders"

    @property
    def answered_otherwise(self) -> bool:
        """Whether it only asks for letters, so that an acknowledgement would say nothing."""
        plain = not self.reading.orders and not self.reading.problems and not self.acts.refused
        return plain and bool(self.names) and self.names <= ASKING


Beside = Callable[[Session, Game], None]
"""What is written in the same transaction."""


def submit(service: Service, post: Post, beside: Beside | None = None) -> Taken:
    """Read it, keep it, acknowledge it by mail (not to a page), and let play go on where it may.

    In a game that is not being played it is answered with how the player's games stand, and nothing is kept. Raises
    Refused `no_game`, `no_seat`, for a moderator's lines that would change nothing `nothing_read`, `nothing_late`, and
    Busy.
    """
    for _ in range(TRIES):
        with service.reading() as session:
            if session.exec(select(Submission.id).where(col(Submission.key) == post.key)).first() is not None:
                break
            game = session.get(Game, post.game_id)
            if game is None or game.status != "playing":
                return _answer_unplayed(service, session, post)
            stands = position(session, post.game_id)
            found = _read_post(service, session, stands, post)
            if post.source == "moderator":
                _refuse_idle(found, post.seat)
            answers = Answers(service, session, stands, post.seat, post.key, found.followed)
            letters, press = answers.letters(), answers.press()
        goes_on = _settling(stands, post.seat, found)
        acknowledgement = _acknowledgement(found, post, goes_on)
        if post.source != "page" and not found.answered_otherwise:
            letters = [answers.acknowledgement(acknowledgement), *letters]
        if _keep(service, post, found, goes_on, letters, press, beside):
            if not found.checked and (found.acts.absence is not None or found.acts.is_back):
                tell_games(service, stands.players[post.seat].account, post.key)
            return Taken(acknowledgement, stands.game.next_submission if found.kept else None)
    else:
        raise Busy
    with service.writing() as session:
        mark_read(session, post.inbound_id, "duplicate")
    return Taken(None, duplicate=True)


def _refuse_idle(found: _Read, seat: int) -> None:
    """A moderator's lines that would change nothing are no ruling: nothing is written, and nobody is told."""
    uses = any(command.name == "use" for command in found.reading.commands)
    if uses and not found.admitted:
        raise Refused("nothing_late")
    if not found.reading.orders and not found.names:
        shown = ", ".join(f"`{line.text[:LONGEST_SHOWN]}`" for line in found.reading.lines[:MOST_SHOWN])
        raise Refused("nothing_read", lines=shown or "``", example=_example(found, seat))


def _example(found: _Read, seat: int) -> str:
    """An order that this seat might give now, the nearest to what was written where there is one."""
    near = [line.problem.nearest for line in found.reading.lines if line.problem is not None and line.problem.nearest]
    stands, tongue = found.stands, _tongue(found.stands, seat)
    view = stands.rules.view(stands.table.state, seat)
    for asked in found.missing if not near else ():
        near += examples(stands.module.language, stands.rules, view, asked.kind, asked.round, tongue)
    return near[0] if near else "ready"


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


def _read_post(service: Service, session: Session, stands: Position, post: Post) -> _Read:
    game = stands.game
    if game.status != "playing":
        raise Refused("wrong_status", status=game.status)
    if not 0 <= post.seat < len(stands.seats):
        raise Refused("no_seat")
    view = stands.rules.view(stands.table.state, post.seat)
    reading = read(post.text, stands.module.language, view, _tongue(stands, post.seat), stands.rules)
    late = _is_late(game, post)
    too_late = _came_too_late(game, post)
    admitted = {} if too_late else _admitted(session, stands, post.seat, reading)
    kept = tuple(admitted.values())
    overseen = game.moderator_id is not None or bool(service.settings.operator)
    acts = acts_of(stands, post.seat, reading, Circumstances(None if too_late else sum(map(len, kept)), overseen))
    folded = fold(stands.sheets[post.seat], game.next_submission, reading, late=late, admitted=kept)
    missing = unanswered(stands.rules, stands.table.state, post.seat, folded.after, stands.used, game.pace)
    seat = stands.seats[post.seat]
    nonce = _nonce(seat, folded)
    ready = _ready(seat, folded, missing)
    return _Read(stands, reading, late, folded, missing, ready, nonce, acts, tuple(admitted))


def _is_late(game: Game, post: Post) -> bool:
    """Whether it is for a stage that has closed, or came after the deadline of the one that is open."""
    return post.asked not in (None, (game.line, game.stage_key)) or _came_too_late(game, post)


def _came_too_late(game: Game, post: Post) -> bool:
    """Whether it came after the deadline of the stage that is open: not even `use` counts then, but a ruling does."""
    if game.deadline is None or game.aside or post.source == "moderator":
        return False
    return post.received > game.deadline


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
        )
        .order_by(col(Submission.number))
    ).all()
    return {row.number: _once(row.number, decode_reading(stands.rules, row.reading)) for row in rows}


def _once(number: int, reading: Reading) -> tuple[Kept, ...]:
    """The orders of a submission but for its standing ones, which counted at once."""
    return tuple(Kept((number, index), order) for index, order in enumerate(reading.orders) if not order.always)


def _nonce(seat: Seat, folded: Folded) -> bytes:
    """The salt of the seal: the same as long as the sheet is, so that the last seal that was told can be opened."""
    return seat.nonce if seat.nonce and not folded.changed else secrets.token_bytes(16)


def _ready(seat: Seat, folded: Folded, missing: tuple[Asked, ...]) -> bool:
    """Orders that answer all that is asked make a seat ready unless it says otherwise; standing orders never do."""
    if folded.ready is not None:
        return folded.ready
    answered = not any(asked.required for asked in missing)
    if folded.orders:
        return answered
    return seat.ready and (answered or not folded.changed)


def _settling(stands: Position, number: int, found: _Read) -> datetime | None:
    """From when play goes on once this is kept."""
    seats = list(stands.seats)
    if found.kept:
        seats[number] = Seat(**{**seats[number].model_dump(), "ready": found.ready})
    return settling(stands.game, seats)


def _acknowledgement(found: _Read, post: Post, goes_on: datetime | None, outcome: str = "") -> Acknowledgement:
    stands = found.stands
    outcome = outcome or found.outcome
    stored = found.kept or found.nonce == stands.seats[post.seat].nonce
    view = stands.rules.view(stands.table.state, post.seat)
    maker = Acknowledger(stands, post.seat, view, _tongue(stands, post.seat))
    return maker.acknowledgement(
        found.reading,
        found.folded,
        outcome,
        found.missing,
        _later(found, post.seat),
        found.acts,
        heading=found.heading,
        ready=found.ready,
        settling=goes_on if found.ready else None,
        seal=seal(found.folded.after, found.nonce) if stored and outcome != "checked" else "",
        deadline=_deadline(found, post.seat),
    )


def _deadline(found: _Read, seat: int) -> datetime | None:
    """The deadline as it is, or as an absence that is entered just now puts it off."""
    game, absence = found.stands.game, found.acts.absence
    is_awaited = seat in numbers(game.waiting) and not found.ready
    if absence is None or not is_awaited:
        return game.deadline
    return put_off(game, game.deadline, (seat,), {seat: (absence,)})


def _later(found: _Read, seat: int) -> tuple[Asked, ...]:
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


def _keep(
    service: Service,
    post: Post,
    found: _Read,
    goes_on: datetime | None,
    letters: list[Letter],
    press: list[Press],
    beside: Beside | None,
) -> bool:
    """Write it if the game is as it was read."""
    reading = encode_reading(found.reading)
    sheet = encode_sheet(found.folded.after)
    now = clock.now()
    with service.writing() as session:
        game = locked_game(session, post.game_id)
        if game.version != found.stands.game.version:
            return False
        mark_read(session, post.inbound_id)
        if beside is not None:
            beside(session, game)
        session.add_all(press)
        put(session, *letters)
        if found.kept:
            session.add(_submission(game, post, found, reading, now))
            seat = seat_rows(session, post.game_id)[post.seat]
            _seat(seat, found, sheet)
            _absence(session, found, post.seat)
            for number in found.admitted:
                _use_up(session, post.game_id, number, now)
            game.next_submission += 1
            game.settle_until = goes_on
            session.add(seat)
        game.version += 1
        session.add(game)
        if is_due(game, now):
            nudge(session, ADVANCE, post.game_id)
    return True


def _submission(game: Game, post: Post, found: _Read, reading: bytes, now: datetime) -> Submission:
    line, stage_key = post.asked or (game.line, game.stage_key)
    return Submission(
        game_id=post.game_id,
        seat=post.seat,
        number=game.next_submission,
        key=post.key,
        line=line,
        stage_key=stage_key,
        received=post.received,
        stored=now,
        source=post.source,
        inbound_id=post.inbound_id,
        text=post.text,
        reading=reading,
        late=found.late,
    )


def _seat(seat: Seat, found: _Read, sheet: bytes) -> None:
    seat.sheet, seat.nonce = sheet, found.nonce
    seat.ready = found.ready
    if found.folded.ready is not None or found.folded.changed:
        seat.passes = found.folded.ready is True and any(asked.required for asked in found.missing)
    if found.folded.orders:
        seat.sent, seat.silent = True, False
    elif found.folded.ready:
        seat.sent = True


def _use_up(session: Session, game_id: int, number: int, now: datetime) -> None:
    row = session.exec(
        select(Submission).where(col(Submission.game_id) == game_id, col(Submission.number) == number)
    ).one()
    row.used_late = now
    session.add(row)


def _absence(session: Session, found: _Read, seat: int) -> None:
    """The player's absences: a new one takes the place of those that it overlaps; who is back is away no longer."""
    player = found.stands.players.get(seat)
    if player is None or player.account.id is None:
        return
    if found.acts.is_back:
        come_back(session, player.account.id)
    if found.acts.absence is not None:
        go_away(session, player.account.id, found.acts.absence)
