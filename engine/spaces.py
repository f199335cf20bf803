"""What can be done with any space of choices: say whether a choice is legal, draw one, list them."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from engine.contract import Choice, Pick, Space
from engine.errors import Illegal

_NEAREST = 5


def check(space: Space, choice: Choice) -> None:
    """Raises Illegal, naming the first part that is wrong, unless the space holds the choice."""
    values = space.split(choice)
    for index, value in enumerate(values):
        chosen = values[:index]
        part = space.part(chosen)
        if part is None:
            raise Illegal("too_many_parts", given=value)
        if value not in part.values:
            code, params = space.why_not(chosen, value)
            raise Illegal(code, params, part=part.name, given=value, nearest=nearest(part.values, value))
    part = space.part(values)
    if part is not None:
        raise Illegal("incomplete", part=part.name, nearest=part.values[:_NEAREST])
    # Parts alone don't make the choice: whatever it says beside them must be what they say.
    if space.build(values) != choice:
        raise Illegal("inconsistent", given=choice)


def allows(space: Space, choice: Choice) -> bool:
    """Whether the space holds the choice."""
    try:
        check(space, choice)
    except Illegal:
        return False
    return True


def sample(space: Space, pick: Pick) -> Choice:
    """A choice drawn part by part, each value of a part as likely as the next."""
    next_part = space.part
    chosen: tuple[Any, ...] = ()
    part = next_part(chosen)
    while part is not None:
        values = part.values
        count = len(values)
        chosen = (*chosen, values[pick(count)] if count > 1 else values[0])
        part = next_part(chosen)
    return space.build(chosen)


def complete(space: Space, chosen: tuple[Any, ...]) -> Choice:
    """The choice that begins with the parts chosen and takes the first value of every other part.

    Raises Illegal as `check` does where the parts chosen are not legal.
    """
    for index, value in enumerate(chosen):
        part = space.part(chosen[:index])
        if part is None:
            raise Illegal("too_many_parts", given=value)
        if value not in part.values:
            code, params = space.why_not(chosen[:index], value)
            raise Illegal(code, params, part=part.name, given=value, nearest=nearest(part.values, value))
    while (part := space.part(chosen)) is not None:
        chosen = (*chosen, part.values[0])
    return space.build(chosen)


def closest(space: Space, wanted: tuple[Any, ...]) -> Choice:
    """The choice whose parts are those wanted as far as they are legal, each other one the value nearest to it."""
    chosen: tuple[Any, ...] = ()
    while (part := space.part(chosen)) is not None:
        value = wanted[len(chosen)] if len(chosen) < len(wanted) else None
        chosen = (*chosen, value if value in part.values else nearest(part.values, value)[0])
    return space.build(chosen)


def every(space: Space, limit: int) -> list[Choice]:
    """The first `limit` choices in the order of their parts; all of them if there are fewer."""
    return [space.build(chosen) for chosen in islice(_walk(space), limit)]


def single(space: Space) -> bool:
    """Whether the space holds one choice only."""
    return len(every(space, 2)) == 1


def nearest(values: Sequence[Any], given: object) -> tuple[Any, ...]:
    """At most five of a part's values: those closest to a number given, else the first in the order of listing."""
    if not isinstance(given, int):
        return tuple(values[:_NEAREST])
    if isinstance(values, range):
        return _nearest_of_range(values, given)
    numbers = [value for value in values if isinstance(value, int)]
    if not numbers:
        return tuple(values[:_NEAREST])
    return tuple(sorted(numbers, key=lambda value: (abs(value - given), value))[:_NEAREST])


def _nearest_of_range(values: range, given: int) -> tuple[int, ...]:
    place = (given - values.start) // values.step
    low = max(0, min(place - _NEAREST, len(values) - _NEAREST))
    close = values[low : max(0, place) + _NEAREST + 1] or values[-_NEAREST:]
    return tuple(sorted(close, key=lambda value: (abs(value - given), value))[:_NEAREST])


def _walk(space: Space) -> Iterator[tuple[Any, ...]]:
    """All complete parts, depth first."""
    unfinished: list[tuple[tuple[Any, ...], int]] = [((), 0)]
    while unfinished:
        chosen, place = unfinished.pop()
        part = space.part(chosen)
        if part is None:
            yield chosen
            continue
        if place + 1 < len(part.values):
            unfinished.append((chosen, place + 1))
        unfinished.append(((*chosen, part.values[place]), 0))
