"""The worlds that a seat must think possible, in each of which the others do what they did.

What others did unseen, or drew unseen, is another thing there. A world in which what they did is not legal, or in
which the rules themselves announce something else of what was hidden, is one that the seat can tell apart: skipped.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

import msgspec
from tinygame.state import Drew, Out

from engine.brass_empire.events import Built, Dismissed, Laid, Lapsed, TurnEnded
from engine.brass_empire.events import Drew as DrewCards
from engine.brass_empire.events import Played as PlayedCards
from engine.brass_empire.rules import BrassEmpireRules
from engine.brass_empire.state import Asking
from engine.chance import RandomChance
from engine.contract import Event, Setup
from engine.orders.shape import Alternative, Order
from engine.orders.sheet import Kept, Sheet, answer
from engine.rockwell.achievements import HOLDINGS
from engine.rockwell.events import Claimed, GameEnded, Insured
from engine.rockwell.language.intents import InsureOf
from engine.table import Answered, Table
from pbem.games.position import Played, Position
from pbem.games.resolve import Outcome, resolve

Script = dict[tuple[int, int], Any]
"""The choice that each order of the others stands for."""


@dataclass(frozen=True)
class Hidden:
    """What is hidden in a game, and how it may be another thing.

    `unseen` is, by kind of decision, another order for what nobody else sees; `event` another thing than what only
    some seats saw; `apart` whether a seat, by what the rules announce of hidden things or let it draw, lawfully tells
    apart two plays.
    """

    unseen: Mapping[str, Callable[[Any, int, Random], Any]]
    event: Callable[[Any, Random], Any]
    apart: Callable[["Seen", "Seen", int], bool]


@dataclass(frozen=True)
class Made:
    """A choice that a seat made, and the order that asks for it."""

    kind: str
    round: int
    seat: int
    choice: Any
    intent: Any


@dataclass(frozen=True)
class Seen:
    """The events of a play that a seat saw, and the public view and its own after it."""

    events: list[Any]
    public: Any
    view: Any

    def of(self, *types: type) -> list[Any]:
        """The events of some types."""
        return [data for data in self.events if isinstance(data, types)]


def _some(cubes: Any, random: Random) -> tuple[int, int, int, int]:
    zinc, copper, silver, gold = (random.randint(0, count) for count in cubes)
    return zinc, copper, silver, gold


def _insured(data: Any, random: Random) -> Any:
    return Insured(data.seat, _some((3, 3, 3, 3), random))


def _claimed(one: Seen, other: Seen, seat: int) -> bool:
    """Whether other stocks met achievements, or were laid open at the end."""
    claims = [
        [data for data in seen.of(Claimed) if data.achievement in {holding for holding, _, _ in HOLDINGS}]
        for seen in (one, other)
    ]
    ends = one.of(GameEnded), other.of(GameEnded)
    return claims[0] != claims[1] or (all(ends) and ends[0] != ends[1])


def _drew(one: Seen, other: Seen, seat: int) -> bool:
    """Whether the seat drew other cards, or who is out laid down others."""
    cards = [[data.card for data in seen.of(Drew) if data.seat == seat] for seen in (one, other)]
    laid_down = bool(one.of(Out)) and bool(other.of(Out)) and one.public.discard != other.public.discard
    return laid_down or any(a != b for a, b in zip(*cards, strict=False))


def _other_cards(data: Any, random: Random) -> Any:
    """Other cards drawn, another building laid face down, another card that could be played no more."""
    if isinstance(data, Laid):
        return Laid(data.seat, random.choice((4, 5, 7)))
    if isinstance(data, Lapsed):
        return Lapsed(data.seat, random.randrange(2))
    return DrewCards(data.seat, data.count, data.shuffled, tuple(random.randrange(2) for _ in data.cards))


def _showed(one: Seen, other: Seen, seat: int) -> bool:
    """Whether companies showed other cards: those played, dismissed, discarded unplayed, or laid face down before.

    What lies face down shows its corporation also by what a card does that is played after it (BE-EFF-28).
    """
    shown = [
        [_shows(data) for data in seen.of(PlayedCards, TurnEnded, Built, Dismissed)] + _asked_beside(seen.public)
        for seen in (one, other)
    ]
    return shown[0] != shown[1]


def _shows(data: Any) -> tuple[Any, ...]:
    made = (data.labor, data.construction) if isinstance(data, PlayedCards) else ()
    return (type(data), data.cards, *made)


def _asked_beside(public: Any) -> list[Any]:
    """The effects that are asked and happen only beside another card that was played."""
    beside = _beside(public.seats)
    return [each.effect for each in public.stack if isinstance(each, Asking) and each.effect in beside]


@cache
def _beside(seats: int) -> frozenset[int]:
    effects = BrassEmpireRules(Setup(seats)).tables.effects
    return frozenset(
        number for each in effects if (each.do, each.scope) == ("if_corp", "played") for number in each.then
    )


def _shown(one: Seen, other: Seen, seat: int) -> bool:
    """Whether the seat can see by its view that another thing happened."""
    return bool(one.view != other.view or one.public != other.public)


ANY = Hidden({}, lambda data, random: data, _shown)
"""Of a game of which no more is said."""
GAMES = {
    "brass_empire": Hidden({}, _other_cards, _showed),
    "rockwell": Hidden(
        {"insure": lambda state, seat, random: InsureOf(_some(state.companies[seat].cubes, random))},
        _insured,
        _claimed,
    ),
    "tinygame": Hidden({}, lambda data, random: Drew(data.seat, random.randint(1, 6)), _drew),
}


def worlds(
    before: Position, snapshot: bytes, real: Outcome, seat: int, random: Random, tries: int
) -> Iterator[Outcome]:
    """What comes of `before` in as many imagined states as are tried and can be used; `real` is what came of it."""
    hidden, rules = GAMES.get(before.game.rules, ANY), before.rules
    view = rules.view(table_of(before, snapshot).state, seat)
    here, made = _seen(real, seat), list(_made(before, snapshot, real))
    for _ in range(tries):
        table = table_of(before, snapshot)
        table.state = rules.imagine(view, RandomChance(random))
        script: Script = {}
        sheets = _sheets(before, made, seat, table.state, random, script)
        position = replace(before, table=table, sheets=sheets, **_past(before, seat, hidden, random))
        world = resolve(position)
        if not _as_scripted(world, seat, script) or _by_default(world, seat) != _by_default(real, seat):
            continue
        if not hidden.apart(here, _seen(world, seat), seat):
            yield world


def imagined(position: Position, seat: int, random: Random) -> Position:
    """The position in another state that the seat must think possible."""
    table = table_of(position, position.table.snapshot())
    table.state = position.rules.imagine(position.rules.view(table.state, seat), RandomChance(random))
    past = _past(position, seat, GAMES.get(position.game.rules, ANY), random)
    sheets = {number: sheet if number == seat else Sheet() for number, sheet in position.sheets.items()}
    return replace(position, table=table, sheets=sheets, **past)


def typed(stands: Position) -> Position:
    """With events as the rules' own structs, of which others can be imagined."""
    kind = stands.rules.event_type
    untold = [
        (number, [msgspec.structs.replace(event, data=msgspec.convert(event.data, kind)) for event in events])
        for number, events in stands.untold
    ]
    return replace(stands, untold=untold)


def table_of(position: Position, snapshot: bytes) -> Table:
    """A table of the position's game that stands where the snapshot was taken."""
    return Table.restore(position.rules, position.game.secret, [""] * len(position.seats), snapshot)


def _past(before: Position, seat: int, hidden: Hidden, random: Random) -> dict[str, Any]:
    """What was played before, with other things where the seat saw nothing."""

    def other(event: Event) -> Event:
        if event.seats is None or seat in event.seats:
            return event
        return msgspec.structs.replace(event, data=hidden.event(event.data, random))

    untold = [(number, [other(event) for event in events]) for number, events in before.untold]
    played = [
        Played(each.entry, {seat: each.tried[seat]} if seat in each.tried else {}, each.stored_events)
        for each in before.played
    ]
    return {"untold": untold, "played": played}


def _sheets(
    before: Position, made: Sequence[Made], seat: int, state: Any, random: Random, script: Script
) -> dict[int, Sheet]:
    """The seat's own sheet; for each other that has one, what comes to the choices that it made, where they are seen.

    Who is silent is silent in every world: all are told of that.
    """
    hidden = GAMES.get(before.game.rules, ANY)
    orders: dict[int, list[Kept]] = {number: [] for number in before.sheets}
    for each in made:
        number, intent = each.seat, each.intent
        if number == seat or not before.sheets[number].orders:
            continue
        ref = (1_000_000 + number, len(orders[number]))
        unseen = hidden.unseen.get(each.kind)
        if unseen is not None and random.random() < 0.5:
            intent = unseen(state, number, random)
        else:
            script[ref] = each.choice
        orders[number].append(Kept(ref, Order(each.kind, (Alternative(intent),), each.round)))
    return {number: before.sheets[seat] if number == seat else Sheet(tuple(kept)) for number, kept in orders.items()}


def _made(before: Position, snapshot: bytes, real: Outcome) -> Iterator[Made]:
    """The choices made, and those that a sheet holds for the decision at which play stopped."""
    table, language = table_of(before, snapshot), before.module.language

    def made(kind: str, round_: int, seat: int, choice: Any) -> Made:
        view = before.rules.view(table.state, seat)
        return Made(kind, round_, seat, choice, language.intent(before.rules, view, choice))

    for entry in (record.entry for record in real.records):
        yield from [made(entry.kind, entry.round, given.seat, given.choice) for given in entry.answers]
        table.decide({given.seat: Answered(given.choice, given.source) for given in entry.answers})
    decision = before.rules.pending(table.state)
    if decision is None or real.outlook.closed:
        return
    for seat, said in _said(real).items():
        if said.choice is not None:
            yield made(decision.kind, decision.round, seat, said.choice)


def _said(outcome: Outcome) -> dict[int, Any]:
    position = outcome.position
    rules, state = position.rules, position.table.state
    decision = rules.pending(state)
    assert decision is not None
    refs = {given.ref for record in outcome.records for given in record.entry.answers if given.ref is not None}
    used = position.used | refs
    return {seat: answer(rules, state, seat, decision, position.sheets[seat], used) for seat in decision.seats}


def _as_scripted(world: Outcome, seat: int, script: Script) -> bool:
    """Whether all that the others were to do was legal and came to what they did."""
    if any(tried for record in world.records for number, tried in record.tried.items() if number != seat):
        return False
    given = [each for record in world.records for each in record.entry.answers if each.seat != seat]
    if any(each.ref in script and script[each.ref] != each.choice for each in given if each.ref is not None):
        return False
    if world.outlook.closed:
        return True
    return not any(said.tried for number, said in _said(world).items() if number != seat)


def _by_default(outcome: Outcome, seat: int) -> list[tuple[str, int, Any]]:
    """What was chosen where others are silent, and can be seen."""
    position = outcome.position
    unseen = GAMES.get(position.game.rules, ANY).unseen
    return [
        (record.entry.kind, given.seat, given.choice)
        for record in outcome.records
        for given in record.entry.answers
        if given.seat != seat and not position.sheets[given.seat].orders and record.entry.kind not in unseen
    ]


def _seen(outcome: Outcome, seat: int) -> Seen:
    position = outcome.position
    seen = [event.seen_by(seat) for record in outcome.records for event in record.events]
    public, view = (position.rules.view(position.table.state, each) for each in (None, seat))
    return Seen([data for data in seen if data is not None], public, view)
