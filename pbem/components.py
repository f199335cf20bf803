"""Component files that moderators type: read within limits, checked by the rules, each fault with its line."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Item

from engine import registry
from engine.components import Place
from engine.contract import ComponentSets, Fault, RulesModule
from engine.errors import UnknownRules
from pbem.errors import Refused

MAX_BYTES = 200_000
MAX_DEPTH = 16
_STRINGS = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*',
    re.DOTALL,
)
_MARK = "pbem-mark"


@dataclass(frozen=True)
class Found:
    """A fault and the line of the file that it is on, counted from 1; 0 where that can't be told."""

    fault: Fault
    line: int


class BadSet(Exception):
    """A component file whose set can't be played with: all that is wrong, at least one."""

    def __init__(self, file: Path, module: RulesModule, found: Sequence[Found]) -> None:
        super().__init__(len(found))
        self.file = file
        self.module = module
        self.found = tuple(found)


def read_set(file: Path, rules: str = "") -> tuple[RulesModule, dict[str, Any]]:
    """The rules and the parsed set of a file; without `rules`, those whose built-in set it is most like.

    Raises BadSet with all that is wrong with the set, and Refused for what is no component file at all: `file_kind`,
    `file_size`, `file_text` (not UTF-8), `file_form` (no TOML), `file_depth`, `file_unread`; `unknown_rules`,
    `no_components` for rules that take none, `which_rules` where they must be named.
    """
    named = module_named(rules) if rules else None
    sets = sets_of(named) if named is not None else None
    text = _text(file)
    components = _parsed(file, text)
    module = named or _likeliest(components)
    faults = (sets or sets_of(module)).check(components)
    if faults:
        lines = lines_of(text, [fault.place for fault in faults])
        raise BadSet(file, module, sorted((Found(fault, lines[fault.place]) for fault in faults), key=_by_line))
    return module, components


def _by_line(found: Found) -> int:
    return found.line


def module_named(rules: str) -> RulesModule:
    """The rules of a name. Raises Refused `unknown_rules`."""
    try:
        return registry.load(rules)
    except UnknownRules as error:
        raise Refused("unknown_rules", rules=rules, known=", ".join(error.known)) from error


def sets_of(module: RulesModule) -> ComponentSets:
    """How the rules take component sets. Raises Refused `no_components`."""
    if module.components is None:
        raise Refused("no_components", rules=module.name)
    return module.components


def takers() -> list[RulesModule]:
    """The rules that take component sets."""
    return [module for module in map(registry.load, registry.names()) if module.components is not None]


def only_taker() -> RulesModule:
    """The rules that take component sets where there is but one such. Raises Refused `which_rules`."""
    modules = takers()
    if len(modules) != 1:
        raise _which(modules)
    return modules[0]


def _likeliest(components: Mapping[str, Any]) -> RulesModule:
    modules = takers()
    alike = [len(components.keys() & _keys(module)) for module in modules]
    best = max(alike, default=0)
    if not best or alike.count(best) > 1:
        raise _which(modules)
    return modules[alike.index(best)]


def _which(modules: Sequence[RulesModule]) -> Refused:
    return Refused("which_rules", known=", ".join(module.name for module in modules))


def _keys(module: RulesModule) -> set[str]:
    return set(tomllib.loads(sets_of(module).built_in.read_text(encoding="utf-8")))


def _text(file: Path) -> str:
    if not file.exists():
        raise Refused("file_unread", file=str(file))
    if not file.is_file():
        raise Refused("file_kind", file=str(file))
    try:
        with file.open("rb") as opened:
            raw = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise Refused("file_unread", file=str(file)) from error
    if len(raw) > MAX_BYTES:
        raise Refused("file_size", file=str(file), most=MAX_BYTES)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Refused("file_text", file=str(file), line=line) from error


def _parsed(file: Path, text: str) -> dict[str, Any]:
    line = _too_deep(text)
    if line:
        raise Refused("file_depth", file=str(file), line=line, most=MAX_DEPTH)
    try:
        return tomllib.loads(text)
    except ValueError as error:  # also for numbers with too many digits
        raise Refused("file_form", file=str(file), problem=str(error)) from error


def _too_deep(text: str) -> int:
    """The line on which brackets, or dotted keys, go deeper than they may; 0 for none. Looks before anything parses."""
    bare = _STRINGS.sub(lambda found: "\n" * found[0].count("\n"), text)
    depth = 0
    for number, line in enumerate(bare.split("\n"), 1):
        for mark in line:
            depth += (mark in "[{") - (mark in "]}")
            if depth > MAX_DEPTH:
                return number
        if any(part.count(".") > MAX_DEPTH for part in re.split("[,={]", line)):
            return number
    return 0


def lines_of(text: str, places: Iterable[Place]) -> dict[Place, int]:
    """On which line of a sound TOML text each place begins: for what is not there, what it would be in."""
    places = list(places)
    try:
        document = tomlkit.parse(text)
    except TOMLKitError:  # it may see an odd file otherwise than the parser that the set came from
        return dict.fromkeys(places, 0)
    there = {place: _innermost(document, place) for place in places}
    lines: dict[Place, int] = {(): 1}
    left = sorted(set(there.values()) - {()}, key=len, reverse=True)
    while left:
        # A mark in each of them at once, inner ones first: one parse finds many.
        marked: list[Place] = []
        for place in left:
            if not any(other[: len(place)] == place for other in marked):
                _mark(document, place, len(marked))
                marked.append(place)
        written = document.as_string()
        lines |= {place: _line_of(written, number) for number, place in enumerate(marked)}
        left = [place for place in left if place not in lines]
        document = tomlkit.parse(text)
    return {place: lines[inner] for place, inner in there.items()}


def _innermost(document: tomlkit.TOMLDocument, place: Place) -> Place:
    """As much of a place as the file has; of a table its first entry, for a table has no line of its own."""
    node: Any = document
    for depth, step in enumerate(place):
        try:
            node = node[step]
        except (KeyError, IndexError, TypeError):
            place = place[:depth]
            break
    while isinstance(node, Mapping) and not isinstance(node, InlineTable) and node:
        first = next(iter(node))
        place, node = (*place, first), node[first]
    return place


def _mark(document: tomlkit.TOMLDocument, place: Place, number: int) -> None:
    node: Any = document
    for step in place[:-1]:
        node = node[step]
    kept = node[place[-1]].as_string().count("\n") if isinstance(node[place[-1]], Item) else 0
    node[place[-1]] = tomlkit.string(f"{_MARK}{number};" + "\n" * kept, multiline=kept > 0)


def _line_of(written: str, number: int) -> int:
    return written.count("\n", 0, written.index(f"{_MARK}{number};")) + 1
