"""What a rules module is: the contract between a game and everything that plays, stores, shows or mails it.

A package offers a `RulesModule` under the entry-point group `pbem.rules`. Bound to a setup it gives `Rules`: pure
functions over a plain-data state. State, choices, events and views are `msgspec.Struct`s of ids and numbers; a dict in
them has text for keys.

Obligations, checked for any module by `engine.conformance`:

* The same setup, answers and chance outcomes give the same states to the byte, in any process.
* `state.copy()` shares nothing that either copy may change. A state survives encoding at any decision.
* `pending` never shows a decision that has but one legal choice for reasons that all may know: such a step is
  carried out by the rules themselves. One whose singleness only the seat knows is shown like any other.
* `apply` is called with legal choices only, one for each seat of the decision; it plays on to the next decision.
* A view is built from what the seat may know. Spaces, defaults, fits, agendas and facts of a seat are functions of
  its view: they are equal on the real state and on any state that `imagine` makes from that view.
* The view of an imagined state is the view that it was imagined from.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self, TypeAlias, Union, runtime_checkable

import msgspec

Pick: TypeAlias = Callable[[int], int]
"""A source of whole numbers for sampling and stand-ins: `pick(n)` is in 0..n-1."""

Choice: TypeAlias = Any
"""A rules module's own frozen Struct, tagged; what a seat answers to a decision."""

Intent: TypeAlias = Any
"""A rules module's own frozen Struct, tagged; what an order line says before it meets a decision."""

Change: TypeAlias = Any
"""A rules module's own frozen Struct, tagged; what a moderator makes otherwise in a state by hand."""

View: TypeAlias = Any
"""A rules module's own Struct: what one seat knows, or, for no seat, what everyone does."""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that fixes the rules of one game. `components` is a parsed component file, None for the built-in set."""

    seats: int
    options: dict[str, Any] = {}
    components: dict[str, Any] | None = None
    version: int = 1


class Chance(Protocol):
    """Where outcomes come from. A stream is a name such as `cards/3`; streams never shift one another."""

    def draw(self, stream: str, n: int) -> int:
        """One outcome in 0..n-1, n at least 1."""
        ...


class Decision(msgspec.Struct, frozen=True):
    """What is asked at one moment.

    `seats` in seat order: one, or all that answer a sealed decision. `round` counts from 1 where the kind comes up
    in rounds, else 0. A `private` decision exists only because of something hidden: it never stops the game.
    """

    kind: str
    seats: tuple[int, ...]
    round: int = 0
    sealed: bool = False
    private: bool = False


class Stage(msgspec.Struct, frozen=True):
    """The stretch of play that one deadline covers. `name` is the rules module's code for it."""

    turn: int
    name: str

    @property
    def key(self) -> str:
        """Unique within one line of a game's journal, such as `3-drilling`."""
        return f"{self.turn}-{self.name}"


class Asked(msgspec.Struct, frozen=True):
    """One thing that a stage asks of a seat, as far as can be foreseen from its view.

    `times` is how many decisions of this kind and round may come up at most. One that is not `required` does not
    keep a seat from being ready: its default is harmless or it may never come up.
    """

    kind: str
    round: int = 0
    times: int = 1
    required: bool = True


class Event(msgspec.Struct, frozen=True):
    """Something that happened. `data` is a rules module's own tagged Struct.

    With `seats` None everyone sees `data`; else those seats do, and the others see `instead`, or nothing.
    """

    data: Any
    seats: tuple[int, ...] | None = None
    instead: Any = None

    def seen_by(self, seat: int | None) -> Any:
        """What that seat sees of it (None for the public), or None where it sees nothing."""
        if self.seats is None or seat in self.seats:
            return self.data
        return self.instead


class Part(msgspec.Struct, frozen=True):
    """What the next part of a choice may be: its name and its legal values, a list or a `range`, never empty."""

    name: str
    values: Sequence[Any]


class Space(Protocol):
    """The legal choices of one seat at one decision, part by part.

    This one definition lists choices, samples them, and says whether one is legal (`engine.spaces`). `chosen` is
    always a tuple of values taken from the parts before.
    """

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """What comes after the parts chosen so far; None when the choice is complete."""
        ...

    def build(self, chosen: tuple[Any, ...]) -> Choice:
        """The choice that the complete parts make."""
        ...

    def split(self, choice: Choice) -> tuple[Any, ...]:
        """The parts of a choice, legal or not, in the order in which `part` asks for them.

        Raises Illegal with code `wrong_kind` for a choice to another kind of decision.
        """
        ...

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """Why `value` can't follow `chosen`: a code and its parameters."""
        ...


class State(Protocol):
    """A rules module's own Struct. Control flow is in it as a stack of steps."""

    def copy(self) -> Self:
        """A state that shares nothing that either may change."""
        ...


class Standing(msgspec.Struct, frozen=True):
    """A seat's place at the end, or as things stand: 1 is first, ties share a place. `sources` adds up to `score`.

    A seat that plays alone, against what the rules themselves move, is second where it has not won.
    """

    seat: int
    place: int
    score: int
    sources: dict[str, int] = {}


class Condition(msgspec.Struct, frozen=True, tag="fact"):
    """One fact of the rules module's own (`code`) with its parameters; `expected` False for its opposite."""

    code: str
    params: dict[str, Any] = {}
    expected: bool = True


class Foreseen(msgspec.Struct, frozen=True, tag="foreseen"):
    """Holds of an alternative that would have a consequence of that code and at least these parameters (`Foresight`).

    It stands with alternatives only: `c2 to C3 if this extracts`.
    """

    code: str
    params: dict[str, Any] = {}
    expected: bool = True


Fact: TypeAlias = Union[Condition, Foreseen]


class Every(msgspec.Struct, frozen=True, tag="every"):
    """Holds when all of its parts do."""

    parts: tuple[Union[Condition, Foreseen, "Every", "Either"], ...]


class Either(msgspec.Struct, frozen=True, tag="either"):
    """Holds when one of its parts does."""

    parts: tuple[Union[Condition, Foreseen, "Every", "Either"], ...]


Test: TypeAlias = Union[Condition, Foreseen, Every, Either]


class Consequence(msgspec.Struct, frozen=True):
    """Something that an act would bring about in the open: a rules module's own code, and parameters."""

    code: str
    params: dict[str, Any] = {}


class Obstacle(msgspec.Struct, frozen=True):
    """What stands against an order before its decision comes up: a code as of `Illegal`, and its parameters.

    `for_good` says that it can't go away before the stage ends; else it is so as things are now.
    """

    code: str
    params: dict[str, Any] = {}
    for_good: bool = True


class Bot(Protocol):
    """A stand-in: chooses from what its seat may see."""

    def __call__(self, view: View, decision: Decision, space: Space, pick: Pick) -> Choice: ...


class Rules(Protocol):
    """A rules module bound to a setup. Holds static tables only; every function is pure but for its arguments."""

    @property
    def setup(self) -> Setup:
        """What the rules are bound to."""
        ...

    @property
    def state_type(self) -> type[Any]:
        """The Struct that states are decoded to; it and all in it are declared with `omit_defaults`."""
        ...

    @property
    def choice_type(self) -> Any:
        """The union of choice Structs, for decoding."""
        ...

    @property
    def intent_type(self) -> Any:
        """The union of intent Structs, for decoding."""
        ...

    @property
    def event_type(self) -> Any:
        """The union of event data Structs, for decoding."""
        ...

    @property
    def view_type(self) -> type[Any]:
        """The Struct of views."""
        ...

    def start(self, chance: Chance, events: list[Event]) -> Any:
        """The state after set-up, played on to the first decision."""
        ...

    def pending(self, state: Any) -> Decision | None:
        """What is asked now; None when the game is over."""
        ...

    def space(self, state: Any, seat: int) -> Space:
        """The legal choices of a seat. Raises Illegal `not_asked` unless the pending decision asks that seat."""
        ...

    def apply(self, state: Any, answers: Mapping[int, Choice], chance: Chance, events: list[Event]) -> None:
        """Carry out one legal choice for each seat of the pending decision, and play on to the next decision."""
        ...

    def default(self, state: Any, seat: int) -> Choice:
        """What a seat does that does not answer the pending decision."""
        ...

    def fit(self, state: Any, seat: int, intent: Intent) -> Choice:
        """The choice that an order's intent makes of the pending decision. Raises Illegal, and Hold for a pause."""
        ...

    def holds(self, view: View, condition: Condition) -> bool:
        """Whether a fact holds in what a seat sees. Raises Illegal for a code that it can't see or does not know."""
        ...

    def stage(self, state: Any, pace: str) -> Stage:
        """The stage that the pending decision, or the end of the game, belongs to."""
        ...

    def agenda(self, view: View, pace: str) -> Sequence[Asked]:
        """What the rest of the present stage may ask of the seat whose view this is, in order of play."""
        ...

    def view(self, state: Any, seat: int | None) -> View:
        """What a seat knows; what everyone knows for None."""
        ...

    def imagine(self, view: View, chance: Chance) -> Any:
        """A full state that the seat must think possible, at the same decision."""
        ...

    def standings(self, state: Any) -> Sequence[Standing]:
        """Places and scores if the game ended now, in order of place; final when nothing is pending."""
        ...

    def invariants(self, state: Any) -> Iterable[str]:
        """The codes of all broken invariants; none in a sound state."""
        ...


BotMaker: TypeAlias = Callable[[Rules], Bot]
"""Makes a stand-in for the rules as bound: what it needs of them to look ahead (`imagine`, `apply`, `space`)."""


class Planner(Protocol):
    """A stand-in that writes a sheet as a careful player would, from what its seat may see."""

    def __call__(self, view: View, pace: str, pick: Pick) -> Sequence[str]:
        """Lines, in English, that order all that the rest of the stage may ask of the seat whose view this is."""
        ...


PlannerMaker: TypeAlias = Callable[[Rules], Planner]
"""Makes a planner for the rules as bound."""


@runtime_checkable
class Planning(Protocol):
    """Beside `RulesModule`, for a module some of whose stand-ins can write sheets."""

    @property
    def planners(self) -> Mapping[str, PlannerMaker]:
        """Makers of planners, by levels of its stand-ins."""
        ...


@runtime_checkable
class Naming(Protocol):
    """Beside `RulesModule`, for a module whose choices have parts of bare numbers."""

    def named(self, part: str, value: Any) -> str:
        """What lists of figures call a value of a part of a choice: the names that orders use."""
        ...


@runtime_checkable
class Pictured(Protocol):
    """Beside `Rules`, for a game whose picture shows what choices are about.

    Its `board.svg.j2` gives `target` a place for each name that `spot` may give (see templates/rockwell/README.md).
    """

    def spot(self, view: View, part: str, value: Any) -> str:
        """The name of the place that a value of a part of a choice of that seat means, empty where there is none."""
        ...


@runtime_checkable
class Charted(Protocol):
    """Beside `Rules`, for a game whose course is plotted when it is over."""

    def charted(self, state: Any) -> Mapping[str, Sequence[int]]:
        """Figures of all seats, in order, by a code that the game's words have a name for (`figure_<code>`)."""
        ...


@runtime_checkable
class Factions(Protocol):
    """Beside `Rules`, for a game whose seats play different things, such as corporations with cards of their own."""

    @property
    def faction(self) -> str:
        """The code of what they are: `corporation`."""
        ...

    def factions(self, state: Any) -> Sequence[str]:
        """By seat what it plays, as lists of figures call it, once the game is over."""
        ...


@runtime_checkable
class Moving(Protocol):
    """Beside `Rules`, for a game whose picture draws not only how things stand but how they came there."""

    def moved(self, events: Iterable[Any]) -> Sequence[Any]:
        """Of public events, oldest first, those that the picture draws, such as the moves of the last round."""
        ...


@runtime_checkable
class Limited(Protocol):
    """Beside `Rules`, for a game that can be set to end after a number of turns at the latest."""

    @property
    def last_turn(self) -> int:
        """The last turn that can be played, counted as `Stage.turn` is; 0 where no number of turns was set."""
        ...


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong with a component set.

    `place` leads to it, keys and indices from the outermost in. `rule` is the id of the statement of the rules that it
    breaks, empty where it breaks only the form of the file. The words are the module's (`components.j2`) or those of
    all games.
    """

    code: str
    place: tuple[str | int, ...] = ()
    params: dict[str, Any] = {}
    rule: str = ""


class SetName(msgspec.Struct, frozen=True):
    """What a component set is called; `built_in` where it is the module's own."""

    name: str
    edition: int
    built_in: bool


class ComponentSets(Protocol):
    """How a rules module takes component sets that a moderator typed from a box. They reach it parsed."""

    @property
    def built_in(self) -> Path:
        """The built-in set as a TOML file: what one's own is made from."""
        ...

    def check(self, components: Mapping[str, Any]) -> Sequence[Fault]:
        """All that is wrong with a set, whatever it holds; `bind` takes those with nothing wrong and no others."""
        ...

    def name(self, components: Mapping[str, Any] | None) -> SetName:
        """What a sound set is called, the built-in one for None."""
        ...


@runtime_checkable
class Foresight(Protocol):
    """What `Rules` may offer beside: what an act would come to if nothing else changed."""

    def foresee(self, view: View, kind: str, round_: int, intent: Intent) -> tuple[Sequence[Consequence], View | None]:
        """What everyone would see come of an intent at a decision of that kind, and the view after it, None where it
        can't be known how play goes on.

        It follows from the view alone, and says nothing that chance decides. Raises Illegal where it could not be
        done, with code `not_foreseen` for a kind of which nothing can be said.
        """
        ...


@runtime_checkable
class Outlook(Protocol):
    """What `Rules` may offer beside: what stands against an order that is sent ahead."""

    def obstacle(self, view: View, kind: str, round_: int, intent: Intent) -> Obstacle | None:
        """Why an intent can't answer a decision of that kind in the rest of the stage, for good or as things are.

        It follows from the view alone. None where nothing is known against it.
        """
        ...

    def lasting(self, view: View, condition: Condition) -> bool:
        """Whether it is certain that what a fact says now stays so in the rest of the stage. From the view alone."""
        ...


@runtime_checkable
class Changing(Protocol):
    """What `Rules` may offer beside: changes that a moderator makes to a state by hand (`engine.changes`).

    The states that they lead to keep all invariants; those between two changes of one list need not.
    """

    @property
    def change_type(self) -> Any:
        """The union of change Structs, for decoding. Each has its kind as tag, and its parts as fields in order."""
        ...

    def changeable(self, state: Any) -> Space:
        """Every change that may be made now, part by part: the kind first, an amount as what it is to be.

        Raises Illegal `in_the_middle` where an act is half done, and `game_over`.
        """
        ...

    def change(self, state: Any, change: Change, events: list[Event]) -> None:
        """Make a change that `changeable` holds. What its events tell a seat follows from the change and its view."""
        ...

    def settle(self, state: Any) -> None:
        """After the last of a list: what everyone concludes from how things stand. The state is sound but for that.

        Raises Illegal `lapses` where what is asked now would be asked no more.
        """
        ...

    def called(self, part: str, value: Any) -> str:
        """The name of a value of a part of a change, as orders would call it; no two of one part share theirs."""
        ...


class RulesModule(Protocol):
    """What the entry point of a game names."""

    @property
    def name(self) -> str:
        """The id, such as `rockwell`: also the name of its folder of templates."""
        ...

    @property
    def version(self) -> int:
        """The newest rules version; all from 1 to this one are played."""
        ...

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The ids of the sides in seat order, as many as the largest number of seats (`red`, `green`)."""
        ...

    @property
    def seat_numbers(self) -> range:
        """How many seats a game may have."""
        ...

    @property
    def paces(self) -> tuple[str, ...]:
        """The paces for which it declares stages."""
        ...

    @property
    def templates(self) -> Path:
        """The folder that holds its own templates."""
        ...

    @property
    def language(self) -> Any:
        """Its part of the order language, an `engine.orders.Language`."""
        ...

    @property
    def components(self) -> ComponentSets | None:
        """The component sets that it takes; None where it takes none."""
        ...

    @property
    def bots(self) -> Mapping[str, BotMaker]:
        """Makers of stand-ins by level, the weakest first; every module has `random`."""
        ...

    def bind(self, setup: Setup) -> Rules:
        """The rules for that setup. Raises BadSetup, naming the place."""
        ...

    def options(self) -> Mapping[str, Sequence[Any]]:
        """Each option's name with its legal values, the default first."""
        ...
