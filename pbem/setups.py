"""What a game is played with, for people: its component set, its options as they are written."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.contract import RulesModule, SetName, Setup
from pbem.errors import Refused

LONG_RUN = 4
"""Numbers in a row that are written as a range."""


def unusual(module: RulesModule, setup: Setup) -> dict[str, Any]:
    """The options of a setup that are not at their defaults."""
    offered, given = module.options(), setup.options
    return {name: given[name] for name, values in offered.items() if name in given and given[name] != values[0]}


def set_name(module: RulesModule, setup: Setup) -> SetName | None:
    """The component set of a setup, None for rules that take none."""
    return module.components.name(setup.components) if module.components is not None else None


def written(value: Any) -> str:
    """The value of an option as it is written behind its name."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def choices(values: Sequence[Any]) -> str:
    """The values that an option may have, the default first; numbers in a row as a range."""
    found: list[list[Any]] = []
    for value in values:
        follows = found and type(value) is int and found[-1][-1] == value - 1
        if follows:
            found[-1].append(value)
        else:
            found.append([value])
    return ", ".join(_row(run) for run in found)


def _row(run: Sequence[Any]) -> str:
    """Numbers in a row: each by itself where there are few."""
    return f"{run[0]}–{run[-1]}" if len(run) >= LONG_RUN else ", ".join(map(written, run))


def read_options(module: RulesModule, given: Mapping[str, str]) -> dict[str, Any]:
    """Options from their written form. Raises Refused `unknown_option`, `option_value`."""
    offered = module.options()
    read = {}
    for name, text in given.items():
        if name not in offered:
            raise Refused("unknown_option", option=name, known=", ".join(offered))
        meant = [value for value in offered[name] if written(value) == text.strip().lower()]
        if not meant:
            raise Refused("option_value", option=name, given=text, legal=choices(offered[name]))
        read[name] = meant[0]
    return read
