"""A choice made step by step from the legal ones: what can come next, and the order line that it comes to.

Nothing here knows a game: the lines say what each step means.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from engine.contract import Pictured, Rules, RulesModule, Space, View
from engine.numerals import whole_number
from engine.orders.shape import Alternative, Order
from engine.orders.writer import write
from engine.spaces import complete, every
from pbem.games.position import Position
from pbem.sheets.lines import tongue_of

AT_ONCE = 24
"""Choices that are shown all together rather than step by step."""
MOST_VALUES = 200
"""Values of one step that are shown."""


@dataclass(frozen=True)
class Option:
    """A next step: `path` is the way with it, `line` the order that it comes to.

    Where more is to be chosen after it (`whole` is False), the line has the first of whatever can follow.
    """

    path: str
    line: str
    whole: bool
    spot: str = ""
    """The place of the game's picture that it means, if it has one (`engine.contract.Pictured`)."""


@dataclass(frozen=True)
class Numbers:
    """Numbers that can come next, with the lines that the least and the most of them come to."""

    least: int
    most: int
    step: int
    lines: tuple[str, str]


@dataclass(frozen=True)
class Step:
    """Where one stands on the way to a choice of that kind: there are options, or numbers, or it is whole."""

    kind: str
    path: str
    line: str
    options: Sequence[Option] = ()
    numbers: Numbers | None = None

    @property
    def whole(self) -> bool:
        """Whether all is chosen."""
        return not self.options and self.numbers is None


def is_asked(position: Position, seat: int) -> bool:
    """Whether the decision that play stands at is the seat's."""
    decision = position.rules.pending(position.table.state)
    return decision is not None and seat in decision.seats


def step(position: Position, seat: int, path: str, language: str, state: Any = None) -> Step | None:
    """What can be chosen next on a way; None where the seat is not asked, or the way is not one of a choice.

    `state` is that of a decision that will come up (`pbem.sheets.ahead`), None for how things stand. `path` has the
    place of each value among those of its part, with dots between; of a range of numbers, the number.
    """
    rules = position.rules
    state = position.table.state if state is None else state
    decision = rules.pending(state)
    if decision is None or seat not in decision.seats:
        return None
    space = rules.space(state, seat)
    chosen = chosen_by(space, path)
    if chosen is None:
        return None
    tongue = tongue_of(position.module, language)
    saying = _Orders(position.module, rules, rules.view(state, seat), tongue, decision.kind, decision.round)
    if not path:
        all_ = every(space, AT_ONCE + 1)
        if 1 < len(all_) <= AT_ONCE:
            return Step(decision.kind, path, "", _each(space, all_, saying))
    return next_step(space, chosen, path, saying)


class Saying(Protocol):
    """How choices of a kind are written."""

    @property
    def kind(self) -> str:
        """What a `Step` gives as its kind."""
        ...

    def line(self, choice: Any) -> str:
        """The line of a choice."""
        ...

    def spot(self, part: str, value: Any) -> str:
        """The place of the picture that a value of a part means, empty for none."""
        ...


def next_step(space: Space, chosen: tuple[Any, ...], path: str, saying: Saying) -> Step:
    """The next part that leaves something to choose, behind the parts chosen, which `path` leads to."""
    part = space.part(chosen)
    while part is not None and len(part.values) == 1:
        value = part.values[0]
        path = _joined(path, value if isinstance(part.values, range) else 0)
        chosen = (*chosen, value)
        part = space.part(chosen)
    line = saying.line(complete(space, chosen))
    if part is None:
        return Step(saying.kind, path, line)
    values = part.values
    if isinstance(values, range):
        least, most = (saying.line(complete(space, (*chosen, values[place]))) for place in (0, -1))
        return Step(saying.kind, path, line, numbers=Numbers(values[0], values[-1], values.step, (least, most)))
    options = []
    for place, value in enumerate(islice(values, MOST_VALUES)):
        further = (*chosen, value)
        said = saying.line(complete(space, further))
        whole = space.part(further) is None
        options.append(Option(_joined(path, place), said, whole, saying.spot(part.name, value)))
    return Step(saying.kind, path, line, options)


@dataclass(frozen=True)
class _Orders:
    """Writes choices as orders."""

    module: RulesModule
    rules: Rules
    view: View
    tongue: str
    kind: str
    round: int

    def line(self, choice: Any) -> str:
        """The order of a choice."""
        intent = self.module.language.intent(self.rules, self.view, choice)
        order = Order(self.kind, (Alternative(intent),), self.round)
        return write(order, self.module.language, self.view, self.tongue)

    def spot(self, part: str, value: Any) -> str:
        """As the rules name it."""
        return self.rules.spot(self.view, part, value) if isinstance(self.rules, Pictured) else ""


def _each(space: Space, choices: Sequence[Any], saying: Saying) -> list[Option]:
    """All choices, each with its way; of those that no line can tell apart the first."""
    found: dict[str, Option] = {}
    for choice in choices:
        line = saying.line(choice)
        found.setdefault(line, Option(_path(space, choice), line, whole=True, spot=_last_spot(space, choice, saying)))
    return list(found.values())


def _last_spot(space: Space, choice: Any, saying: Saying) -> str:
    """The place that the last part with one names."""
    values, found = space.split(choice), ""
    for index, value in enumerate(values):
        part = space.part(values[:index])
        assert part is not None
        found = saying.spot(part.name, value) or found
    return found


def _path(space: Space, choice: Any) -> str:
    values = space.split(choice)
    places = []
    for index, value in enumerate(values):
        part = space.part(values[:index])
        assert part is not None
        places.append(value if isinstance(part.values, range) else list(part.values).index(value))
    return ".".join(map(str, places))


def chosen_by(space: Space, path: str) -> tuple[Any, ...] | None:
    """The values of a way, None where it is not one of a choice."""
    chosen: tuple[Any, ...] = ()
    for word in path.split(".") if path else ():
        part = space.part(chosen)
        number = whole_number(word)
        if part is None or number is None:
            return None
        if isinstance(part.values, range):
            if number not in part.values:
                return None
            chosen = (*chosen, number)
        elif number < len(part.values):
            chosen = (*chosen, part.values[number])
        else:
            return None
    return chosen


def _joined(path: str, place: int) -> str:
    return f"{path}.{place}" if path else str(place)
