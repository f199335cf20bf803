"""Component sets: whether the form of a set is right, all that is wrong with it at once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from engine.contract import Fault

Place: TypeAlias = tuple[str | int, ...]

_TYPES = {"int_type": "number", "bool_type": "truth", "string_type": "text", "list_type": "list", "tuple_type": "list"}
_TABLES = ("model_type", "model_attributes_type", "dict_type")
_SIZES = ("too_short", "too_long", "string_too_short", "string_too_long")
_BOUNDS = ("greater_than_equal", "less_than_equal")


class Form(BaseModel):
    """A table of a component file: nothing but the keys that it declares."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def place_said(place: Place) -> str:
    """A place as it is written: `tiles.A[3].power`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).lstrip(".")


def form_faults(form: type[Form], components: Mapping[str, Any]) -> list[Fault]:
    """What does not fit the form.

    Codes: `missing`, `unknown_key` (`known` keys, `close` the nearest), `size` (`given`, and `least` or `most`),
    `bound` (`given`, and `least` or `most`), `type` (`expected`: number, truth, text, list, table), `word` (`expected`:
    the words as they are written; `number` where a number would do as well), `text` for odd characters in a name.
    """
    try:
        form.model_validate(components)
    except ValidationError as error:
        return _merged(_fault(form, components, each) for each in error.errors(include_url=False))
    return []


def sound(components: Mapping[str, Any], faults: Sequence[Fault], *place: str) -> Any:
    """What stands at a place, None where its form is not right: it can't be looked at more closely then."""
    bad = (fault.place for fault in faults if fault.code != "unknown_key")
    if any(at[: len(place)] == place[: len(at)] for at in bad):
        return None
    return _at(components, place)


def _merged(faults: Iterable[Fault]) -> list[Fault]:
    """One a place: what may be a number or a word is told once."""
    merged: dict[Place, Fault] = {}
    for fault in faults:
        if fault.code == "word" and fault.place in merged and merged[fault.place].code != "word":
            fault.params["number"] = True
        merged[fault.place] = fault
    return list(merged.values())


def _fault(form: type[Form], components: Mapping[str, Any], error: ErrorDetails) -> Fault:
    place, kind, given = tuple(_steps(components, error["loc"])), error["type"], error["input"]
    bounds = error.get("ctx", {})
    if kind == "missing":
        return Fault("missing", place)
    if kind == "extra_forbidden":
        known = _keys(form, place[:-1])
        return Fault("unknown_key", place, {"known": known, "close": get_close_matches(str(place[-1]), known, 1)})
    if kind in _SIZES:
        limits = {"least": bounds.get("min_length"), "most": bounds.get("max_length")}
        return Fault("size", place, {"given": len(given), **_set(limits)})
    if kind in _BOUNDS:
        return Fault("bound", place, {"given": given, **_set({"least": bounds.get("ge"), "most": bounds.get("le")})})
    if kind == "literal_error":
        return Fault("word", place, {"expected": bounds["expected"]})
    if kind == "string_pattern_mismatch":
        return Fault("text", place)
    return Fault("type", place, {"expected": "table" if kind in _TABLES else _TYPES[kind]})


def _set(limits: Mapping[str, Any]) -> dict[str, Any]:
    return {name: limit for name, limit in limits.items() if limit is not None}


def _steps(components: Mapping[str, Any], loc: Sequence[str | int]) -> Iterator[str | int]:
    """The steps of a place that are in the file; behind them pydantic names the alternatives of a type."""
    node: Any = components
    for step in loc:
        inside = isinstance(node, Mapping) if isinstance(step, str) else isinstance(node, list)
        if not inside:
            return
        yield step
        node = node.get(step) if isinstance(step, str) else node[step] if step < len(node) else None


def _keys(form: Any, place: Place) -> list[str]:
    """The keys that a table at a place may have."""
    for step in place:
        form = form.model_fields[step].annotation if isinstance(step, str) else _item(form)
    return list(form.model_fields)


def _item(form: Any) -> Any:
    """What a list is of."""
    return get_args(form)[0]


def _at(components: Any, place: Place) -> Any:
    for step in place:
        components = components[step]
    return components
