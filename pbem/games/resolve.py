"""From a position to what comes of it: pure play, no database. What is written and told is made from the outcome."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from engine.journal import Note
from engine.orders.sheet import Sheet
from engine.play import Over, Record, StageEnded, Waiting, run
from engine.table import Table
from pbem import clock
from pbem.games.away import put_off
from pbem.games.due import past_deadline
from pbem.games.nmr import missing, standins_for
from pbem.games.position import Player, Position, expected, numbers, words_of
from pbem.games.rules import module_of, rules_of
from pbem.games.schedule import schedule_of, stage_end
from pbem.games.telling import Outlook, asks_of
from pbem.storage.models import Game, Seat


@dataclass(frozen=True)
class Outcome:
    """What was played and how things stand after it.

    `silent` are the seats over which the deadline of this stage has passed; `settle_until` the moment from which play
    goes on without orders, None where it waits for some.
    """

    position: Position
    records: Sequence[Record]
    outlook: Outlook
    silent: frozenset[int] = frozenset()
    settle_until: datetime | None = None
    put_off: bool = False
    """Whether nothing was played: the deadline that has passed waits for somebody who is away."""
    unsent: frozenset[int] = frozenset()
    """The seats over which a deadline passed just now without orders of theirs."""

    @property
    def asked(self) -> frozenset[int]:
        """The seats that are told: all when a stage has closed, else those that are asked now and were not before."""
        held = self.position.held
        if self.outlook.closed:
            return held
        known = frozenset() if self.records else frozenset(numbers(self.position.game.waiting))
        return frozenset(self.outlook.waiting) & held - known


def begin(game: Game, seats: list[Seat], players: Mapping[int, Player], notes: Sequence[Note] = ()) -> Outcome:
    """The game's set-up, the rulings made before it, and the opening of its first stage."""
    rules = rules_of(game)
    table, entry, events = Table.begin(rules, game.secret, words_of(seats))
    sheets = {seat.number: Sheet() for seat in seats}
    start = Position(game, seats, players, module_of(game), rules, table, sheets, [], [], {})
    records = [Record(entry, tuple(events), {}), *(Record(table.note(note), (), {}) for note in notes)]
    return _opened(start, records)


def resolve(position: Position) -> Outcome:
    """Play on from where the game stands, as far as sheets, readiness and pace go."""
    game, table, rules = position.game, position.table, position.rules
    if game.agreed:
        return _ended(position, ())
    later = _put_off(position)
    if later is not None:
        return later
    forced = game.forced or past_deadline(game, clock.now())
    silent = _silent(position) if forced else frozenset(seat.number for seat in position.seats if seat.silent)
    ready = frozenset(seat.number for seat in position.seats if seat.ready)
    passing = frozenset(seat.number for seat in position.seats if seat.passes)
    taking = silent | _unasked(position)
    unsent = missing(position) if forced else frozenset()
    standins = position.standins | standins_for(position, unsent)
    table.seals = position.seals
    played = run(table, game.pace, position.sheets, position.used, taking, ready, passing, standins)
    if isinstance(played.stop, Waiting):
        stage = rules.stage(table.state, game.pace)
        deadline = _deadline(position, played.stop.seats, played=bool(played.records))
        deadline = put_off(game, deadline, played.stop.seats, position.away)
        outlook = Outlook(stage, played.stop.seats, deadline, closed=False, over=False, sheets=position.sheets)
        return Outcome(position, played.records, outlook, silent, unsent=unsent)
    if isinstance(played.stop, StageEnded):
        return replace(_opened(position, played.records), unsent=unsent)
    assert isinstance(played.stop, Over)
    return replace(_ended(position, played.records), unsent=unsent)


def _put_off(position: Position) -> Outcome | None:
    """The deadline has passed, but somebody who is waited for is away: a later one, and nothing is played.

    Not where the moderator has ended the deadline or the stage: then play goes on at once (`settle_until`).
    """
    game, now = position.game, clock.now()
    if not past_deadline(game, now) or game.forced or game.settle_until is not None:
        return None
    waiting = tuple(number for number in numbers(game.waiting) if not position.seats[number].ready)
    deadline = put_off(game, game.deadline, waiting, position.away)
    if deadline is None or deadline <= now:
        return None
    stage = position.rules.stage(position.table.state, game.pace)
    outlook = Outlook(stage, numbers(game.waiting), deadline, closed=False, over=False, sheets=position.sheets)
    silent = frozenset(seat.number for seat in position.seats if seat.silent)
    return Outcome(position, (), outlook, silent, put_off=True)


def _deadline(position: Position, waiting: Sequence[int], *, played: bool) -> datetime | None:
    """Until when those are waited for who are asked within a stage.

    After a deadline has passed, or where there was none because the game stood still, it is a whole stage's time; else
    whoever is asked only now has half of one at least.
    """
    game, now = position.game, clock.now()
    if game.deadline is None or past_deadline(game, now):
        return _whole(position, waiting)
    if not played:
        return game.deadline
    half = now + timedelta(seconds=game.stage_seconds // 2)
    return game.deadline if game.deadline >= half else schedule_of(game).first(half)


def _silent(position: Position) -> frozenset[int]:
    """Over whom a deadline passes: at the strict pace those who were asked and are waited for; else all.

    All as well where the moderator has the stage played to its end.
    """
    if position.game.pace == "brisk" or position.game.forced:
        return frozenset(seat.number for seat in position.seats)
    waiting = numbers(position.game.waiting)
    return frozenset(seat.number for seat in position.seats if seat.silent or seat.number in waiting)


def _unasked(position: Position) -> frozenset[int]:
    """Who is not waited for in this run, whatever is missing."""
    if position.game.pace == "brisk":
        return frozenset(seat.number for seat in position.seats)
    return frozenset(seat.number for seat in position.seats if not expected(seat)) | position.excused


def _opened(position: Position, records: Sequence[Record]) -> Outcome:
    """The next stage opens: only standing orders stay, and everybody is asked anew."""
    game, rules = position.game, position.rules
    if rules.pending(position.table.state) is None:
        return _ended(position, records)
    stage = rules.stage(position.table.state, game.pace)
    waiting, deadline = awaited(position)
    outlook = Outlook(stage, waiting, deadline, closed=True, over=False, sheets=_standing(position))
    return Outcome(position, records, outlook, settle_until=at_once(position, waiting))


def at_once(position: Position, waiting: Iterable[int]) -> datetime | None:
    """From when a stage that opens now and waits for these is played without orders; None where that is its deadline.

    Where stand-ins play for all who are left, each stage has its time: else the stages would follow one another at
    once, perhaps for ever, and nobody could take a seat up again.
    """
    return clock.now() if position.expected and not tuple(waiting) else None


def awaited(position: Position) -> tuple[tuple[int, ...], datetime | None]:
    """Whose orders a stage that is opened now, or anew, waits for, and until when."""
    waiting = tuple(seat for seat in asks_of(position) if seat in position.expected - position.excused)
    return waiting, put_off(position.game, _whole(position, waiting), waiting, position.away)


def _whole(position: Position, waiting: Iterable[int]) -> datetime:
    """The end of a stage that opens now and waits for these."""
    people = [position.players[seat].account for seat in waiting if seat in position.players]
    return stage_end(position.game, clock.now(), people)


def _ended(position: Position, records: Sequence[Record]) -> Outcome:
    stage = position.rules.stage(position.table.state, position.game.pace)
    return Outcome(position, records, Outlook(stage, (), None, closed=True, over=True, sheets=_standing(position)))


def _standing(position: Position) -> dict[int, Sheet]:
    return {seat: sheet.standing() for seat, sheet in position.sheets.items()}
