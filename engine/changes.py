"""Changes that a moderator makes to a state by hand: carried out as one list, and read and written as lines.

What may be changed the rules say (`engine.contract.Changing`), as a space like that of any choice.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, NamedTuple, get_args

import msgspec

from engine.contract import Change, Changing, Event, Part, Rules, Space
from engine.errors import Illegal
from engine.journal import canonical
from engine.spaces import check

MOST = 20
"""How many changes one list may have."""
LONGEST = 200
"""How many characters a line may have."""
_SHOWN = 12
_NUMBER = re.compile(r"\$?(\d{1,3}(?:[,.']\d{3})+|\d{1,9})(?= |$)")


def changed(rules: Rules, state: Any, changes: Sequence[Change]) -> tuple[Any, list[Event]]:
    """The state after all of the changes, and what happened. `state` itself is untouched.

    Raises Illegal: as `engine.spaces.check` for the first change that can't be made, `breaks` with the codes of all
    invariants that the end would break (`broken`), `lapses` where what is asked would be asked no more,
    `nothing_changed`, `no_changes` for rules that know none, or for an empty list, `too_many_changes`.
    """
    changing = _changing(rules)
    if not changes:
        raise Illegal("no_changes")
    if len(changes) > MOST:
        raise Illegal("too_many_changes", {"most": MOST})
    after = state.copy()
    events: list[Event] = []
    for change in changes:
        check(changing.changeable(after), change)
        changing.change(after, change, events)
    _check_sound(rules, after)
    _check_asked(rules, state, after)
    changing.settle(after)
    _check_sound(rules, after)
    if canonical(after) == canonical(state):
        raise Illegal("nothing_changed")
    return after, events


def read_changes(rules: Rules, state: Any, lines: Sequence[str]) -> tuple[Change, ...]:
    """What the lines say, one change each, every one as things stand after those before it; empty lines are nothing.

    Whether the end is sound is for `changed` to say. Raises Illegal with the number of the line (`line`): `not_read`,
    `number_not_read`, `unfinished`, `too_much_said`, `too_long`; and `too_many_changes`, `no_changes`.
    """
    changing = _changing(rules)
    after = state.copy()
    made: list[Change] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if len(made) == MOST:
            raise Illegal("too_many_changes", {"most": MOST})
        with _told_of_line(number):
            change = read_change(changing, changing.changeable(after), line)
        changing.change(after, change, [])
        made.append(change)
    if not made:
        raise Illegal("no_changes")
    return tuple(made)


def check_words(rules: Rules, state: Any, lines: Sequence[str]) -> None:
    """Refuses lines for what everybody can tell of them: who is refused by it has learnt nothing hidden.

    It looks at how much there is, at the kind of each change, and at its side where that comes first. Raises Illegal
    as `read_changes`, with what can stand there whatever the state, and as `Changing.changeable`.
    """
    changing = _changing(rules)
    space = changing.changeable(state)
    structs = get_args(changing.change_type) or (changing.change_type,)
    kinds = {_plain(changing.called("kind", each.__struct_config__.tag)): each for each in structs}
    written = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not written:
        raise Illegal("no_changes")
    if len(written) > MOST:
        raise Illegal("too_many_changes", {"most": MOST})
    for number, line in written:
        if len(line) > LONGEST:
            raise Illegal("too_long", {"line": number})
        with _told_of_line(number):
            kind, rest = _one_of(list(kinds), _plain(line), "kind")
            if kinds[kind].__struct_fields__[:1] == ("seat",):
                part = space.part((kinds[kind].__struct_config__.tag,))
                beside = part.values if part is not None else ()  # such as an automaton, which has no seat
                sides = [changing.called("seat", seat) for seat in (*range(rules.setup.seats), *beside)]
                _one_of(list(dict.fromkeys(map(_plain, sides))), rest, "seat")


@contextmanager
def _told_of_line(number: int) -> Iterator[None]:
    """What is refused says in which line."""
    try:
        yield
    except Illegal as illegal:
        raise Illegal(
            illegal.code,
            {"line": number, **illegal.params},
            part=illegal.part,
            given=illegal.given,
            nearest=illegal.nearest,
        ) from illegal


def read_change(rules: Changing, space: Space, line: str) -> Change:
    """The change that a line says: the names of its parts in their order. Raises as `read_changes`, with no number."""
    if len(line) > LONGEST:
        raise Illegal("too_long")
    rest = _plain(line)
    chosen: tuple[Any, ...] = ()
    while (part := space.part(chosen)) is not None:
        value, rest = _next(rules, part, rest)
        chosen = (*chosen, value)
    if rest:
        raise Illegal("too_much_said", {"given": rest})
    return space.build(chosen)


def write_change(rules: Changing, space: Space, change: Change) -> str:
    """The line that `read_change` reads as this change. Raises Illegal as the space's `split`."""
    values = space.split(change)
    names = []
    for place, value in enumerate(values):
        part = space.part(values[:place])
        names.append(rules.called(part.name if part is not None else "", value))
    return " ".join(names)


class Kind(NamedTuple):
    """One kind of change: its Struct, and what the next part may be after those chosen, None when it is complete."""

    make: Callable[..., Change]
    part: Callable[[tuple[Any, ...]], Part | None]


class ChangeSpace:
    """The space of all kinds, by their tags. A kind of which the first part has no value is not on offer."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self._kinds = kinds

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """See `engine.contract.Space`."""
        return self._kinds[chosen[0]].part(chosen[1:]) if chosen else Part("kind", list(self._offered()))

    def build(self, chosen: tuple[Any, ...]) -> Change:
        """See `engine.contract.Space`."""
        return self._kinds[chosen[0]].make(*chosen[1:])

    def split(self, choice: Change) -> tuple[Any, ...]:
        """See `engine.contract.Space`."""
        for tag, kind in self._kinds.items():
            if type(choice) is kind.make:
                return (tag, *msgspec.structs.astuple(choice))
        raise Illegal("wrong_kind", given=choice)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """See `engine.contract.Space`."""
        return "not_to_be_changed", {}

    def _offered(self) -> Iterator[str]:
        for tag, kind in self._kinds.items():
            part = kind.part(())
            if part is not None and len(part.values):
                yield tag


def _changing(rules: Rules) -> Changing:
    if not isinstance(rules, Changing):
        raise Illegal("no_changes")
    return rules


def _check_sound(rules: Rules, state: Any) -> None:
    broken = tuple(dict.fromkeys(rules.invariants(state)))
    if broken:
        raise Illegal("breaks", {"broken": broken})


def _check_asked(rules: Rules, before: Any, after: Any) -> None:
    """What is asked stays the same question, though others may be asked it."""
    was, now = rules.pending(before), rules.pending(after)
    if was is None or now is None or (was.kind, was.round) != (now.kind, now.round) or not now.seats:
        raise Illegal("lapses")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _one_of(names: Sequence[str], rest: str, part: str) -> tuple[str, str]:
    """The name of that part that the text begins with, and the rest of it; an only name need not be said."""
    fitting = [name for name in names if rest == name or rest.startswith(f"{name} ")]
    if not fitting and len(names) == 1:
        return names[0], rest
    if not fitting:
        near = get_close_matches(rest.split(" ", maxsplit=1)[0], names, _SHOWN) or names[:_SHOWN]
        code = "not_read" if rest else "unfinished"
        raise Illegal(code, {"given": rest, "could": tuple(near)}, part=part, given=rest)
    name = max(fitting, key=len)
    return name, rest[len(name) :].lstrip()


def _next(rules: Changing, part: Part, rest: str) -> tuple[Any, str]:
    """The value of a part that the text begins with, and the rest of the text; an only value need not be said."""
    if isinstance(part.values, range):
        return _number(part, part.values, rest)
    names = {_plain(rules.called(part.name, value)): value for value in part.values}
    name, rest = _one_of(list(names), rest, part.name)
    return names[name], rest


def _number(part: Part, values: range, rest: str) -> tuple[int, str]:
    found = _NUMBER.match(rest)
    number = int(re.sub(r"\D", "", found[1])) if found else -1
    if found is None or number not in values:
        params = {"given": rest, "least": values[0], "most": values[-1]}
        raise Illegal("number_not_read", params, part=part.name, given=rest)
    return number, rest[found.end() :].lstrip()
