"""The rules bound to a setup: the contract's functions by their means."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.brass_empire import (
    byhand,
    changes,
    defaults,
    ending,
    foresight,
    founding,
    imagine,
    invariants,
    language,
    naming,
    obstacles,
    race,
    stages,
    view,
)
from engine.brass_empire.cards import CORPORATIONS
from engine.brass_empire.choices import BrassChoice
from engine.brass_empire.events import BrassEvent
from engine.brass_empire.play import GameOver, Play
from engine.brass_empire.state import State
from engine.brass_empire.steps import ANSWER, PENDING, RUN, SPACE
from engine.brass_empire.tables import tables
from engine.brass_empire.view import BrassView
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


class BrassEmpireRules:
    """Brass Empire for one setup."""

    state_type = State
    choice_type = BrassChoice
    intent_type = language.INTENTS
    event_type = BrassEvent
    view_type = BrassView
    change_type = byhand.BrassChange
    faction = "corporation"

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.tables = tables(setup)

    def start(self, chance: Chance, events: list[Event]) -> State:
        """The companies at the table, at the first decision."""
        play = founding.begin(self.tables, chance, events)
        _run(play)
        return play.state

    def pending(self, state: State) -> Decision | None:
        """What is asked now."""
        if not state.stack:
            return None
        step = state.stack[-1]
        return PENDING[type(step)](self.tables, state, step)

    def space(self, state: State, seat: int) -> Space:
        """The legal choices of a seat that is asked. Raises Illegal with code `not_asked` for another."""
        decision = self.pending(state)
        if decision is None or seat not in decision.seats:
            raise Illegal("not_asked")
        made: Space = SPACE[type(state.stack[-1])](self.tables, state, seat)
        return made

    def apply(self, state: State, answers: Mapping[int, Choice], chance: Chance, events: list[Event]) -> None:
        """Carry out the choices, and play on to the next decision."""
        play = Play(self.tables, state, chance, events)
        step = state.stack[-1]
        try:
            ANSWER[type(step)](play, step, answers)
            _go_on(play)
        except GameOver:
            ending.finish(play)
        play.flush()

    def default(self, state: State, seat: int) -> BrassChoice:
        """What a silent seat does."""
        made: BrassChoice = defaults.default(self.tables, state, seat)
        return made

    def fit(self, state: State, seat: int, intent: Intent) -> Choice:
        """The legal choice that an order's intent makes of what is asked."""
        return language.fit(self, state, seat, intent)

    def holds(self, view: BrassView, condition: Condition) -> bool:
        """Whether a fact holds in what a seat sees."""
        return language.holds(self.tables, view, condition)

    def foresee(
        self, view: BrassView, kind: str, round_: int, intent: Intent
    ) -> tuple[Sequence[Consequence], BrassView | None]:
        """What would come of an act of one's own turn, as far as it can be known, and the view after it."""
        return foresight.foresee(self, view, kind, intent)

    def obstacle(self, view: BrassView, kind: str, round_: int, intent: Intent) -> Obstacle | None:
        """What stands against an order that is sent ahead."""
        return obstacles.obstacle(self.tables, view, intent)

    def lasting(self, view: BrassView, condition: Condition) -> bool:
        """Whether what a fact says now stays so in the rest of the stage."""
        return obstacles.lasting(self.tables, view, condition)

    def stage(self, state: State, pace: str) -> Stage:
        """The stage of the pending decision."""
        return stages.stage(self.tables, state, pace)

    def agenda(self, view: BrassView, pace: str) -> Sequence[Asked]:
        """What the rest of the stage may ask of the seat whose view it is."""
        return stages.agenda(self.tables, view, pace)

    def view(self, state: State, seat: int | None) -> BrassView:
        """What a seat knows."""
        return view.view(self.tables, state, seat)

    def imagine(self, view: BrassView, chance: Chance) -> State:
        """A state that the seat must think possible."""
        return imagine.imagine(self.tables, view, chance)

    @property
    def last_turn(self) -> int:
        """The last round that can be played (see `engine.contract.Limited`)."""
        return self.tables.turn_limit

    def standings(self, state: State) -> Sequence[Standing]:
        """Places and brass if the game ended now."""
        return ending.standings(self.tables, state)

    def changes(self, events: Iterable[Any], me: int) -> Sequence[changes.Change]:
        """What changed most for a company in what it saw happen."""
        return changes.changes(self.tables, events, me)

    def charted(self, state: State) -> Mapping[str, Sequence[int]]:
        """Score as if the game ended, and tokens of each company."""
        seats = range(self.setup.seats)
        scores = {each.seat: each.score for each in ending.standings(self.tables, state)}
        return {"score": [scores[seat] for seat in seats], "tokens": [state.companies[seat].brass for seat in seats]}

    def spot(self, view: BrassView, part: str, value: Any) -> str:
        """What the picture calls what a part of a choice names (see `engine.contract.Pictured`)."""
        return naming.spot(part, value)

    def race(self, view: BrassView) -> Sequence[race.Runner]:
        """Tokens and the worth of cards, by side."""
        return race.race(self.tables, view)

    def factions(self, state: State) -> Sequence[str]:
        """By seat its corporation."""
        return [CORPORATIONS[company.corp] for company in state.companies[: self.tables.seats]]

    def changeable(self, state: State) -> ChangeSpace:
        """What a moderator may change by hand."""
        return byhand.space(self.tables, state)

    def change(self, state: State, change: byhand.BrassChange, events: list[Event]) -> None:
        """Make a change by hand."""
        byhand.change(self.tables, state, change, events)

    def settle(self, state: State) -> None:
        """Raises Illegal `lapses` where the turn could only be ended."""
        byhand.settle(self.tables, state)

    def called(self, part: str, value: Any) -> str:
        """What orders would call a value of a part of a change."""
        return byhand.called(self.tables, part, value)

    def invariants(self, state: State) -> Iterable[str]:
        """What does not hold in a state."""
        return invariants.broken(self.tables, state)


def _run(play: Play) -> None:
    """Play on; a game that is over asks nothing more."""
    try:
        _go_on(play)
    except GameOver:
        ending.finish(play)
    play.flush()


def _go_on(play: Play) -> None:
    stack = play.state.stack
    while stack:
        step = stack[-1]
        if RUN[type(step)](play, step):
            return
