"""Component files that moderators type: read within limits, checked by the rules, each fault with its line."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import registry
from engine.contract import ComponentSets, Fault, RulesModule
from engine.errors import UnknownRules
from pbem.errors import Refused
from pbem.tomlfiles import lines_of, read_toml


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
    text, components = read_toml(file)
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
