"""The figures of what stand-ins made use of: `uses` has what was counted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.numerals import whole_number
from pbem.simulation.uses import AMOUNT, Key, Use

MOST_TOGETHER = 16
"""Two parts are shown together where they have no more values than that."""

Figures = dict[str, Any]


def uses_shown(uses: Mapping[Key, Use], seats: int) -> list[Figures]:
    """Each part of each kind of decision with the use of its values.

    `against_even` is how often those who took a value won, as a multiple of a seat's even share: 1 is even. Where the
    first part says what the second one is (an `act`: a `card` to buy, a `unit` to attack with), the second is shown act
    by act, as `buy card`.
    """
    shown: list[Figures] = []
    for (kind, part), values in sorted(_grouped(uses), key=lambda group: group[0]):
        if AMOUNT in values:
            shown.append({"kind": kind, "part": part, "amount": _amount(values[AMOUNT])})
        else:
            rows = [_use(value, values[value], seats) for value in _ordered(values)]
            shown.append({"kind": kind, "part": part, "values": rows})
    return shown


def untaken(shown: Sequence[Figures]) -> list[Figures]:
    """What was on offer and nobody took, in all games, by kind and part."""
    found = []
    for part in shown:
        values = [use["value"] for use in part.get("values", ()) if not use["taken"]]
        if values:
            found.append({"kind": part["kind"], "part": part["part"], "values": values})
    return found


def _grouped(uses: Mapping[Key, Use]) -> Iterator[tuple[tuple[str, str], dict[str, Use]]]:
    """By kind and part, as they are shown, the uses of each value."""
    listed: dict[tuple[str, tuple[str, ...]], dict[tuple[str, ...], Use]] = {}
    for (kind, parts, values), use in uses.items():
        listed.setdefault((kind, parts), {})[values] = use
    pairs = [(kind, parts) for kind, parts in listed if len(parts) > 1]
    acts = {(kind, first) for kind, (first, _) in pairs if sum(1 for each in pairs if each[0] == kind) > 1}
    of_acts = {(kind, second) for kind, (first, second) in pairs if (kind, first) in acts}
    for (kind, parts), found in listed.items():
        if len(parts) > 1 and (kind, parts[0]) in acts:
            for act in {values[0] for values in found}:
                yield (kind, f"{act} {parts[1]}"), {second: use for (of, second), use in found.items() if of == act}
        elif len(parts) > 1 and len(found) <= MOST_TOGETHER:
            yield (kind, " ".join(parts)), {" ".join(values): use for values, use in found.items()}
        elif len(parts) == 1 and (kind, parts[0]) not in of_acts:
            yield (kind, parts[0]), {value: use for (value,), use in found.items()}


def _amount(use: Use) -> Figures:
    return {"asked": use.offered, "above_nothing": use.taken, "mean": round(use.total / use.offered, 2)}


def _use(value: str, use: Use, seats: int) -> Figures:
    against = round(use.won / use.taken * seats, 3) if use.taken else None
    return {"value": value, "offered": use.offered, "taken": use.taken, "against_even": against}


def _ordered(values: Mapping[str, Use]) -> Sequence[str]:
    """Numbers by size, words by the alphabet."""
    return sorted(
        values, key=lambda value: [(_number(word) is None, _number(word) or 0, word) for word in value.split()]
    )


def _number(word: str) -> int | None:
    size = whole_number(word.removeprefix("-"))
    return -size if size is not None and word.startswith("-") else size
