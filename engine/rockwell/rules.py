"""The rules bound to a setup: who handles which step of the stack, and the contract's functions by their means."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.changes import ChangeSpace
from engine.contract import (
    Asked,
    Chance,
    Choice,
    Condition,
    Consequence,
    Decision,
    Event,
    Intent,
    Obstacle,
    Setup,
    Space,
    Stage,
    Standing,
)
from engine.errors import Illegal
from engine.rockwell import (
    achievements,
    auction,
    automaton_moving,
    automaton_raising,
    byhand,
    changes,
    components,
    danger,
    defaults,
    drawing,
    drilling,
    ending,
    extraction,
    foresight,
    imagine,
    insurance,
    invariants,
    language,
    market,
    moved,
    obstacles,
    opening,
    placing,
    reckoning,
    stages,
    view,
    workshop,
)
from engine.rockwell.choices import RockwellChoice
from engine.rockwell.components import Tables
from engine.rockwell.events import RockwellEvent
from engine.rockwell.play import Play
from engine.rockwell.state import (
    Acting,
    Auction,
    AutomatonMoving,
    AutomatonRaising,
    Danger,
    Drilling,
    Insuring,
    Market,
    Placing,
    Ripe,
    State,
    Workshop,
)
from engine.rockwell.view import Ground, Rival, RockwellView, ground


class Asks(NamedTuple):
    """How a step that asks is handled. `run` says whether the step waits for an answer; if not it has moved on."""

    pending: Callable[[Tables, State, Any], Decision]
    space: Callable[[Tables, State, int], Space]
    run: Callable[[Play, Any], bool]
    answer: Callable[[Play, Any, Any], None]


def _asks(module: Any) -> Asks:
    return Asks(module.pending, module.space, module.run, module.answer)


ASKS: dict[type, Asks] = {
    Auction: _asks(auction),
    Placing: _asks(placing),
    Insuring: _asks(insurance),
    Drilling: _asks(drilling),
    Ripe: _asks(extraction),
    Danger: _asks(danger),
    Market: _asks(market),
    Workshop: _asks(workshop),
    AutomatonMoving: _asks(automaton_moving),
    AutomatonRaising: _asks(automaton_raising),
}
RUN: dict[type, Callable[[Play, Any], bool]] = {Acting: drilling.proceed}
RUN.update((step, asks.run) for step, asks in ASKS.items())


class RockwellRules:
    """Rockwell for one setup."""

    state_type = State
    choice_type = RockwellChoice
    intent_type = language.INTENTS
    event_type = RockwellEvent
    view_type = RockwellView
    change_type = byhand.RockwellChange

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.tables = components.tables(setup)

    def start(self, chance: Chance, events: list[Event]) -> State:
        """The game set up, at its first auction."""
        play = opening.begin(self.tables, chance, events)
        _run(play)
        return play.state

    def pending(self, state: State) -> Decision | None:
        """What is asked now."""
        if not state.stack:
            return None
        step = state.stack[-1]
        return ASKS[type(step)].pending(self.tables, state, step)

    def space(self, state: State, seat: int) -> Space:
        """The legal choices of a seat that is asked. Raises Illegal with code `not_asked` for another."""
        step = state.stack[-1] if state.stack else None
        asks = ASKS.get(type(step))
        if asks is None or seat not in asks.pending(self.tables, state, step).seats:
            raise Illegal("not_asked")
        return asks.space(self.tables, state, seat)

    def apply(self, state: State, answers: Mapping[int, Choice], chance: Chance, events: list[Event]) -> None:
        """Carry out the choices, and play on to the next decision."""
        play = Play(self.tables, state, chance, events)
        step = state.stack[-1]
        ASKS[type(step)].answer(play, step, answers)
        _run(play)

    def default(self, state: State, seat: int) -> RockwellChoice:
        """What a silent seat does."""
        return defaults.default(self.tables, state, seat)

    def fit(self, state: State, seat: int, intent: Intent) -> Choice:
        """The legal choice that an order's intent makes of what is asked."""
        return language.fit(self, state, seat, intent)

    def holds(self, view: RockwellView, condition: Condition) -> bool:
        """Whether a fact holds in what a seat sees."""
        return language.holds(view, condition)

    def foresee(
        self, view: RockwellView, kind: str, round_: int, intent: Intent
    ) -> tuple[Sequence[Consequence], RockwellView]:
        """What an act would come to if nothing else changed; the codes stand in `foresight`."""
        return foresight.foresee(self, view, kind, round_, intent)

    def obstacle(self, view: RockwellView, kind: str, round_: int, intent: Intent) -> Obstacle | None:
        """What stands against an order that is sent ahead."""
        return obstacles.obstacle(self.tables, view, kind, round_, intent)

    def lasting(self, view: RockwellView, condition: Condition) -> bool:
        """Whether what a fact says now stays so in the rest of the stage."""
        return obstacles.lasting(view, condition)

    def stage(self, state: State, pace: str) -> Stage:
        """The stage of the pending decision."""
        return stages.stage(state, pace)

    def agenda(self, view: RockwellView, pace: str) -> Sequence[Asked]:
        """What the rest of the stage may ask of the seat whose view it is."""
        return stages.agenda(self.tables, view, pace)

    def view(self, state: State, seat: int | None) -> RockwellView:
        """What a seat knows."""
        return view.view(state, seat)

    def imagine(self, view: RockwellView, chance: Chance) -> State:
        """A state that the seat must think possible."""
        return imagine.imagine(view, chance)

    @property
    def last_turn(self) -> int:
        """The last turn that can be played (see `engine.contract.Limited`)."""
        return self.tables.turn_limit

    def standings(self, state: State) -> Sequence[Standing]:
        """Places and prestige if the game ended now."""
        return ending.standings(self.tables, state)

    def charted(self, state: State) -> Mapping[str, Sequence[int]]:
        """Prestige as if the game ended, money and cubes of each company."""
        scores = {each.seat: each.score for each in ending.standings(self.tables, state)}
        return {
            "prestige": [scores[seat] for seat in range(len(state.companies))],
            "money": [company.money for company in state.companies],
            "cubes": [sum(company.cubes) for company in state.companies],
        }

    def moved(self, events: Iterable[Any]) -> Sequence[Any]:
        """The moves of the last round, which the picture draws as arrows (see `engine.contract.Moving`)."""
        return moved.moved(events)

    def anchors(self, view: RockwellView) -> Sequence[drawing.Anchor]:
        """The middles of all spots in the picture of a public view."""
        return drawing.anchors(view)

    def drawing(self, view: RockwellView, events: Iterable[Any]) -> drawing.Drawing:
        """Where everything stands in the picture of a public view; `events` are those that `moved` gave."""
        return drawing.drawing(self.tables, view, events)

    def spot(self, view: RockwellView, part: str, value: Any) -> str:
        """What the picture calls what a part of a choice names (see `engine.contract.Pictured`)."""
        return drawing.named(view.seat, part, value)

    def changes(self, events: Iterable[Any], view: RockwellView, me: int) -> Sequence[changes.Change]:
        """What changed most for a seat, out of what it saw."""
        return changes.changes(self.tables, events, view, me)

    def ground(self, view: RockwellView) -> Sequence[Ground]:
        """The tiles and who is on them."""
        return ground(view)

    def stocks(self, view: RockwellView) -> tuple[reckoning.Known, ...]:
        """What the view tells of every stock."""
        return reckoning.stocks(view)

    def race(self, view: RockwellView, held: tuple[reckoning.Known, ...]) -> Sequence[reckoning.Race]:
        """What every company lacks for each achievement that is left."""
        return reckoning.race(self.tables, view, held)

    def tallies(self, view: RockwellView, held: tuple[reckoning.Known, ...]) -> Sequence[reckoning.Tally]:
        """What the end of the game would give every company now."""
        return reckoning.tallies(self.tables, view, held)

    def delivered(self, company: Rival) -> int:
        """The prestige of the delivery tiles that a company has taken."""
        return ending.delivered(self.tables, company)

    def changeable(self, state: State) -> ChangeSpace:
        """What a moderator may change by hand."""
        return byhand.space(self.tables, state)

    def change(self, state: State, change: byhand.RockwellChange, events: list[Event]) -> None:
        """Make a change by hand."""
        byhand.change(self.tables, state, change, events)

    def settle(self, state: State) -> None:
        """What all can tell of stocks after changes by hand. Raises Illegal where what is asked would lapse."""
        for company in state.companies:
            achievements.note(company)
        step, after = state.stack[-1], state.copy()
        if not RUN[type(step)](Play(self.tables, after, byhand.NO_CHANCE, []), step):
            raise Illegal("lapses")

    def called(self, part: str, value: Any) -> str:
        """What orders would call a value of a part of a change."""
        return byhand.called(self.tables, part, value)

    def invariants(self, state: State) -> Iterable[str]:
        """What does not hold in a state."""
        return invariants.broken(self.tables, state)


def _run(play: Play) -> None:
    stack = play.state.stack
    while stack:
        step = stack[-1]
        if RUN[type(step)](play, step):
            return
