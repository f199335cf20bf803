"""Rules modules keep the laws of the contract, and the suite finds each kind of module that does not."""

import random
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import pytest
from tinygame import MODULE
from tinygame.changing import Card, Swapped
from tinygame.rules import Choose, TinyRules
from tinygame.state import Attack, Attacked, Bid, Defend, Defended, Drew, Out, State, View

from engine.conformance import LAWS, Broken, cases, conform
from engine.contract import (
    Asked,
    Bot,
    BotMaker,
    Chance,
    Choice,
    Decision,
    Event,
    Part,
    Pick,
    Rules,
    Setup,
    Space,
    Stage,
)
from engine.errors import Illegal
from engine.spaces import every, sample


@pytest.mark.parametrize(("law", "seed"), cases(range(3)))
def test_tinygame_keeps_the_law(law: str, seed: int) -> None:
    """The contract's second user conforms with each number of seats."""
    LAWS[law](MODULE, MODULE.bind(Setup(2 + seed)), seed)


class _AsksAnyone(TinyRules):
    """`asked`: offers choices to seats that are not asked."""

    def space(self, state: State, seat: int) -> Choose:
        decision = self.pending(state)
        return super().space(state, decision.seats[0] if decision and seat not in decision.seats else seat)


class _BadDefault(TinyRules):
    """`offered`: its default is not legal."""

    def default(self, state: State, seat: int) -> Choice:
        return Bid(0)


class _SharedCopy(State, omit_defaults=True):
    """A state whose copies share their hands."""

    def copy(self) -> State:
        return _share(super().copy(), self.hands)


def _share(state: State, hands: list[list[int]]) -> State:
    fields = {name: getattr(state, name) for name in state.__struct_fields__}
    return _SharedCopy(**{**fields, "hands": hands})


class _SharesHands(TinyRules):
    """`copies`: a copy is not its own."""

    def start(self, chance: Chance, events: list[Event]) -> State:
        state = super().start(chance, events)
        return _share(state, state.hands)


class _FullState(State, omit_defaults=False):
    """A state that encodes its defaults."""


class _EncodesDefaults(TinyRules):
    """`plain_state`: fields at their defaults are encoded."""

    state_type = _FullState


class _HidesDraws(TinyRules):
    """`encoding`: one of its events can't be read back."""

    event_type: Any = Attacked | Defended | Out


class _Silent(Choose, frozen=True):
    """A space without reasons."""

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        return "", {}


class _NoReasons(TinyRules):
    """`altered`: refuses without saying why."""

    def space(self, state: State, seat: int) -> Choose:
        space = super().space(state, seat)
        return _Silent(space.make, space.parts)


class _Forced(TinyRules):
    """`singles`: asks though everyone knows that there is but one choice."""

    def space(self, state: State, seat: int) -> Choose:
        space = super().space(state, seat)
        return Choose(Defend, (Part("card", [0]),)) if space.make is Defend else space


class _Peeks(TinyRules):
    """`known`: what a seat may do depends on what it can't see."""

    def space(self, state: State, seat: int) -> Choose:
        space = super().space(state, seat)
        if space.make is Attack and 6 in state.hands[space.parts[0].values[0]]:
            return Choose(Attack, (Part("target", space.parts[0].values[:1]), space.parts[1]))
        return space


class _Tells(TinyRules):
    """`told`: tells all what only one may see."""

    def apply(self, state: State, answers: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:
        super().apply(state, answers, chance, events)
        events += [Event(Drew(seat, hand[-1])) for seat, hand in enumerate(state.hands) if hand]


class _PeeksAtOrders(TinyRules):
    """`sheets`: why an order can't be carried out depends on what the seat can't see."""

    def fit(self, state: State, seat: int, intent: Any) -> Choice:
        if isinstance(intent, Bid) and any(intent.card in hand for at, hand in enumerate(state.hands) if at != seat):
            raise Illegal("taken")
        return super().fit(state, seat, intent)


class _RefusesExamples(TinyRules):
    """`written`: what its language gives as an example can't be done."""

    def fit(self, state: State, seat: int, intent: Any) -> Choice:
        raise Illegal("never")


class _Forgets(TinyRules):
    """`imagined`: what it imagines is not what the seat saw."""

    def imagine(self, view: View, chance: Chance) -> State:
        state = super().imagine(view, chance)
        state.turn = 0
        return state


class _Miscounts(TinyRules):
    """`sound`: breaks an invariant in play."""

    def invariants(self, state: State) -> Iterable[str]:
        return ["turn"] if state.turn == 2 else []


class _Circles(TinyRules):
    """`stages`: a stage comes back."""

    def stage(self, state: State, pace: str) -> Stage:
        return Stage(state.turn % 2, "turn")


class _Surprises(TinyRules):
    """`stages`: asks for what no agenda foresaw."""

    def agenda(self, view: View, pace: str) -> tuple[Asked, ...]:
        return (Asked("bid"),) if view.step == "bid" else ()


class _Endless(TinyRules):
    """`ends`: goes on for ever."""

    def apply(self, state: State, answers: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:
        chance.draw("cards", 6)


class _OwnDice(TinyRules):
    """`repeatable`: has randomness of its own."""

    def apply(self, state: State, answers: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:
        super().apply(state, answers, chance, events)
        state.attacker = random.randrange(self.setup.seats) if state.steps == ["bid"] else state.attacker


class _TellsSwaps(TinyRules):
    """`changed`: shows everyone which card of a hand a moderator changed."""

    def change(self, state: State, change: Any, events: list[Event]) -> None:
        super().change(state, change, events)
        if isinstance(change, Card):
            events.append(Event(Swapped(change.seat, change.old, change.new)))
            state.card = state.hands[change.seat][0]


class _LuckyChanges(TinyRules):
    """`changed`: gives as many lives as its own dice say."""

    def change(self, state: State, change: Any, events: list[Event]) -> None:
        super().change(state, change, events)
        state.lives[state.living()[0]] = random.randrange(1, 10)


BREAKERS: list[tuple[str, type[TinyRules]]] = [
    ("asked", _AsksAnyone),
    ("offered", _BadDefault),
    ("copies", _SharesHands),
    ("plain_state", _EncodesDefaults),
    ("encoding", _HidesDraws),
    ("altered", _NoReasons),
    ("singles", _Forced),
    ("known", _Peeks),
    ("told", _Tells),
    ("imagined", _Forgets),
    ("sheets", _PeeksAtOrders),
    ("written", _RefusesExamples),
    ("sound", _Miscounts),
    ("stages", _Circles),
    ("stages", _Surprises),
    ("ends", _Endless),
    ("repeatable", _OwnDice),
    ("changed", _TellsSwaps),
    ("changed", _LuckyChanges),
]


@pytest.mark.parametrize(("law", "broken"), BREAKERS)
def test_the_suite_finds_a_module_that_breaks_the_law(law: str, broken: type[TinyRules]) -> None:
    """Each of these modules breaks one law, and that law's check says so."""
    rules = broken(Setup(3))
    with pytest.raises((Broken, msgspec.ValidationError)):
        _play_games(law, rules)


def _unsteady(rules: Rules) -> Bot:
    """A maker of stand-ins with chance of their own."""
    return lambda view, decision, space, pick: every(space, 100)[0 if random.random() < 0.5 else -1]


def _touching(rules: Rules) -> Bot:
    """A maker of stand-ins that mark what they have seen."""

    def choose(view: Any, decision: Decision, space: Space, pick: Pick) -> Choice:
        view.turn += 1
        return sample(space, pick)

    return choose


def _illegal(rules: Rules) -> Bot:
    """A maker of stand-ins that play a card that there is not."""
    return lambda view, decision, space, pick: Bid(99)


@pytest.mark.parametrize(("law", "make"), [("blind", _unsteady), ("blind", _touching), ("stand_ins", _illegal)])
def test_the_suite_finds_a_stand_in_that_breaks_the_law(law: str, make: BotMaker) -> None:
    """One that draws on something else than its picks, one that changes its view, one that breaks the rules."""

    class Odd:
        bots: Mapping[str, BotMaker] = {"odd": make}

        def __getattr__(self, name: str) -> Any:
            return getattr(MODULE, name)

    with pytest.raises(Broken):
        LAWS[law](Odd(), MODULE.bind(Setup(3)), 1)


def _play_games(law: str, rules: TinyRules) -> None:
    for seed in range(5):
        LAWS[law](MODULE, rules, seed)


def test_conform_checks_every_law() -> None:
    """One call runs the whole suite and stops at the first law broken."""
    conform(MODULE, Setup(2, {"turns": 3}), [4])

    class Broke:
        bind = staticmethod(_AsksAnyone)

        def __getattr__(self, name: str) -> Any:
            return getattr(MODULE, name)

    with pytest.raises(Broken) as raised:
        conform(Broke(), Setup(3), range(5))
    assert raised.value.law == "asked"
