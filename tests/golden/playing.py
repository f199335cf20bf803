"""A golden game as it is played: by its stored choices, or anew by stand-ins and by orders on sheets."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import msgspec

from engine.chance import pick_from
from engine.conformance.orders import variants
from engine.contract import Bot, Choice, Decision, Pick, Rules, RulesModule, Setup, Space
from engine.journal import Entry, commitment
from engine.orders.reader import read
from engine.orders.shape import Alternative, Order
from engine.orders.sheet import Answer, Sheet, answer
from engine.orders.sheet import Kept as OrderKept
from engine.orders.writer import write
from engine.play import Record
from engine.registry import bind, load
from engine.rockwell.choices import Drill
from engine.rockwell.geometry import BORDER, CENTRE
from engine.spaces import sample
from engine.table import Answered, Table
from pbem import clock
from pbem.games.position import Player, Position, Ref
from pbem.games.telling import Outlook, Telling, asks_of
from pbem.reports.data import Report
from pbem.storage.models import Account, Game, Seat
from tests.golden.stored import Kept

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
PLAYERS = ("Anouk", "Bram", "Chloé", "Dmitri")
Said = Mapping[int, Answer]
Decide = Callable[[Rules, Any, Decision, Said], Mapping[int, Answered]]
"""What the seats choose, by what their sheets say."""


class Differs(Exception):
    """The stored choices are no longer what is asked."""


@dataclass(frozen=True)
class Still(clock.Clock):
    """A clock that stands still."""

    def now(self) -> datetime:
        """Always noon."""
        return NOON


@dataclass
class Plan:
    """What a game is played by: of each decision what was chosen, and of each stage what stood on the sheets."""

    rules: str
    setup: Setup
    pace: str
    secret: bytes
    words: tuple[str, ...]
    decide: Decide
    sheets: Callable[[int, Position], dict[int, Sheet]]


@dataclass
class Played:
    """What came of it: entries, sheets by stage, and by stage the reports of all seats and of the public."""

    entries: list[Entry] = field(default_factory=list)
    sheets: list[dict[int, Sheet]] = field(default_factory=list)
    reports: list[list[Report]] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    """The data of all that happened, secret or not."""
    refused: set[str] = field(default_factory=set)
    """The reasons for which orders were passed over."""


def play(plan: Plan) -> Played:
    """Play a game to its end."""
    clock.use(Still())
    played = Played()
    rules = bind(plan.rules, plan.setup)
    table, entry, events = Table.begin(rules, plan.secret, plan.words)
    position = _position(plan, rules, table)
    records = [Record(entry, tuple(events), {})]
    while True:
        played.entries += [record.entry for record in records]
        played.events += [event.data for record in records for event in record.events]
        _tell(played, position, records)
        if rules.pending(table.state) is None:
            return played
        sheets = plan.sheets(len(played.sheets), position)
        played.sheets.append(sheets)
        number = position.game.stage_number + 1
        position = replace(position, game=Game(**{**position.game.model_dump(), "stage_number": number}), sheets=sheets)
        records = list(_stage(plan, position, played))


def _stage(plan: Plan, position: Position, played: Played) -> Iterator[Record]:
    """Play to the end of the stage."""
    rules, table = position.rules, position.table
    stage = rules.stage(table.state, plan.pace)
    used: frozenset[Ref] = frozenset()
    while (decision := rules.pending(table.state)) is not None and rules.stage(table.state, plan.pace) == stage:
        said = {
            seat: answer(rules, table.state, seat, decision, position.sheets.get(seat, Sheet()), used)
            for seat in decision.seats
        }
        chosen = plan.decide(rules, table.state, decision, said)
        entry, events = table.decide(chosen, stage.key)
        used |= {given.ref for given in chosen.values() if given.ref is not None}
        tried = {seat: each.tried for seat, each in said.items() if each.tried}
        played.refused |= {each.reason for tries in tried.values() for each in tries}
        yield Record(entry, tuple(events), tried)


def _position(plan: Plan, rules: Rules, table: Table) -> Position:
    module = load(plan.rules)
    game = Game(
        code="golden",
        title="Golden",
        rules=plan.rules,
        rules_version=plan.setup.version,
        setup=msgspec.msgpack.encode(plan.setup),
        pace=plan.pace,
        stage_seconds=48 * 3600,
        settling_seconds=0,
        secret=plan.secret,
        secret_hash=commitment(plan.secret),
        created=NOON,
        id=1,
        status="playing",
    )
    seats = range(plan.setup.seats)
    rows = [
        Seat(id=n + 1, game_id=1, number=n, name=module.seat_names[n], account_id=n + 1, joined=NOON) for n in seats
    ]
    players = {n: Player(Account(id=n + 1, name=PLAYERS[n], created=NOON), f"p{n}@x.example") for n in seats}
    return Position(game, rows, players, module, rules, table, {n: Sheet() for n in seats}, [], [], {})


def _tell(played: Played, position: Position, records: Sequence[Record]) -> None:
    """The reports as a stage opens, or at the end."""
    rules, table, game = position.rules, position.table, position.game
    over = rules.pending(table.state) is None
    stage = rules.stage(table.state, game.pace)
    left = {seat: sheet.standing() for seat, sheet in position.sheets.items()}
    deadline = None if over else NOON + timedelta(seconds=game.stage_seconds)
    outlook = Outlook(stage, asks_of(position), deadline, closed=True, over=over, sheets=left)
    telling = Telling(position, records, outlook, ())
    played.reports.append([telling.report(seat) for seat in (*range(len(position.seats)), None)])


def by_stored(game: Kept) -> Plan:
    """A game as it was: its choices, each by the order that gave it. Raises Differs in play where they don't fit."""
    entries = iter(game.entries[1:])

    def decide(rules: Rules, state: Any, decision: Decision, said: Said) -> dict[int, Answered]:
        entry = next(entries, None)
        if entry is None or (entry.kind, entry.round) != (decision.kind, decision.round):
            raise Differs(f"{decision} is asked where {entry.kind if entry else 'nothing'} was")
        if tuple(given.seat for given in entry.answers) != decision.seats:
            raise Differs(f"entry {entry.number}: {decision.seats} are asked")
        for given in entry.answers:
            now = said[given.seat]
            if now.ref != given.ref or (now.ref is not None and now.choice != given.choice):
                raise Differs(f"entry {entry.number}: the sheet of seat {given.seat} says {now}, and said {given}")
        return {
            given.seat: Answered(given.choice, given.source, given.ref, given.alternative) for given in entry.answers
        }

    def sheets(stage: int, position: Position) -> dict[int, Sheet]:
        return game.sheets[stage] if stage < len(game.sheets) else {}

    return Plan(game.rules, game.setup, game.pace, game.secret, game.words, decide, sheets)


class Curious:
    """A stand-in that of several legal choices takes the one whose like it has made least."""

    def __init__(self, otherwise: Bot) -> None:
        self._otherwise = otherwise
        self._made: Counter[Any] = Counter()

    def __call__(self, view: Any, decision: Decision, space: Space, pick: Pick) -> Choice:
        """What it chooses; bids and the like it leaves to another."""
        offered = [sample(space, pick) for _ in range(TRIED)]
        like = min((_like(choice) for choice in offered), key=lambda like: (self._made[like], len(like)))
        if len(like) == 1 and decision.kind != "workshop":
            return self._otherwise(view, decision, space, pick)
        self._made[like] += 1
        return next(choice for choice in offered if _like(choice) == like)


TRIED = 40
"""How many choices a curious stand-in looks at."""


def _like(choice: Choice) -> tuple[str, ...]:
    """What is said in a choice beside the least that there is to say."""
    plain = msgspec.to_builtins(choice)
    if not isinstance(choice, Drill):
        return (plain["type"],)
    said = [name for name in ("second", "die", "hire", "bribe", "onto", "anyway") if name in plain]
    ends = (choice.to, choice.second)
    where = ["border"] if max(ends) >= BORDER else ["centre"] if CENTRE in ends else []
    return ("drill", *said, *where)


class Company:
    """Who plays a seat anew: by orders, some of which can't be done or are for another moment; else a stand-in."""

    def __init__(self, seat: int, bot: Bot, random: Random) -> None:
        self.seat = seat
        self.is_silent = False
        self._bot = bot
        self._random = random
        self._earlier: list[Order] = []

    def orders(self, position: Position) -> list[Order]:
        """What it writes for a stage; in some it is silent, in most it lets the stand-in play."""
        random, rules, language = self._random, position.rules, position.module.language
        self.is_silent = random.random() < 0.07
        view = rules.view(position.table.state, self.seat)
        written: list[Order] = []
        for asked in rules.agenda(view, position.game.pace) if random.random() < 0.3 else ():
            ideas = list(language.ideas(rules, view, asked.kind, asked.round))
            written += random.sample(ideas, min(len(ideas), 1 + asked.times // 2))
        stale = random.sample(self._earlier, min(len(self._earlier), 2)) if random.random() < 0.5 else []
        if written and random.random() < 0.3:
            text = f"if {random.choice('ABCD')}3 is revealed, {write(written[0], language, view)}"
            written[:1] = [*read(text, language, view).orders, *written[:1]]
        odd = [self._altered(rules, order) for order in random.sample(written, min(len(written), 3))]
        self._earlier += written
        return [*(order for order in odd if _can_be_written(position.module, order, view)), *stale, *written]

    def _altered(self, rules: Rules, order: Order) -> Order:
        """An order like it, whose first alternative is another: most can't be done."""
        intents = variants(rules, order.alternatives[0].intent, self._random)
        alternatives = tuple(Alternative(intent) for intent in intents[:1]) or order.alternatives
        return msgspec.structs.replace(order, alternatives=alternatives)

    def choose(self, rules: Rules, state: Any, decision: Decision, pick: Pick) -> Answered:
        """What it does where its sheet does not answer."""
        if self.is_silent or (decision.kind == "first" and self._random.random() < 0.5):
            return Answered(rules.default(state, self.seat), "default")
        choice = self._bot(rules.view(state, self.seat), decision, rules.space(state, self.seat), pick)
        return Answered(choice, "standin")


def _can_be_written(module: RulesModule, order: Order, view: Any) -> bool:
    """Whether a player could have sent it."""
    try:
        return read(write(order, module.language, view), module.language, view).orders == (order,)
    except (IndexError, KeyError):
        return False


def anew(rules: str, setup: Setup, pace: str, seed: int) -> Plan:
    """A game by orders on sheets, and where they say nothing by stand-ins, some of them random."""
    random = Random(seed)
    pick = pick_from(random)
    module, bound = load(rules), bind(rules, setup)
    bots: list[Bot] = [module.bots[random.choice(("random", "steady"))](bound) for _ in range(setup.seats)]
    players = [Curious(bot) if random.random() < 0.6 else bot for bot in bots]
    companies = [Company(seat, player, random) for seat, player in enumerate(players)]

    def decide(rules: Rules, state: Any, decision: Decision, said: Said) -> dict[int, Answered]:
        return {
            seat: Answered(said[seat].choice, "order", said[seat].ref, said[seat].alternative)
            if said[seat].choice is not None
            else companies[seat].choose(rules, state, decision, pick)
            for seat in decision.seats
        }

    def sheets(stage: int, position: Position) -> dict[int, Sheet]:
        made = {}
        for company in companies:
            orders = company.orders(position)
            kept = [OrderKept((stage * 4 + company.seat + 1, index), order) for index, order in enumerate(orders)]
            made[company.seat] = Sheet(tuple(kept))
        return made

    words = tuple(f"word {seat} of {seed}" for seat in range(setup.seats))
    return Plan(rules, setup, pace, seed.to_bytes(32, "big"), words, decide, sheets)


def kept(plan: Plan, played: Played) -> Kept:
    """A played game as it is stored."""
    return Kept(plan.rules, plan.setup, plan.pace, plan.secret, plan.words, played.entries, played.sheets)
