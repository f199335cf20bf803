"""The rules modules that are installed, found by the entry-point group `pbem.rules`."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from engine.contract import Rules, RulesModule, Setup
from engine.errors import BadSetup, UnknownRules, UnknownVersion

GROUP = "pbem.rules"


def names() -> tuple[str, ...]:
    """The names of all rules modules, in alphabetical order."""
    return tuple(sorted(_found()))


def load(name: str) -> RulesModule:
    """The rules module of that name. Raises UnknownRules."""
    found = _found()
    if name not in found:
        raise UnknownRules(name, tuple(sorted(found)))
    module: RulesModule = found[name].load()
    return module


def bind(name: str, setup: Setup) -> Rules:
    """The rules of that name for a setup.

    Raises UnknownRules, UnknownVersion for a rules version that the module does not play, and BadSetup for seats,
    options or components that it can't be played with.
    """
    module = load(name)
    if not 1 <= setup.version <= module.version:
        raise UnknownVersion(f"{name} of version {setup.version}; known are 1 to {module.version}")
    if setup.seats not in module.seat_numbers:
        raise BadSetup("seats", "seats", {"given": setup.seats, "allowed": tuple(module.seat_numbers)})
    offered = module.options()
    for option, value in setup.options.items():
        if option not in offered:
            raise BadSetup("unknown_option", f"options.{option}", {"known": tuple(offered)})
        if not any(type(value) is type(legal) and value == legal for legal in offered[option]):
            raise BadSetup("option_value", f"options.{option}", {"given": value, "allowed": tuple(offered[option])})
    return module.bind(setup)


@cache  # it looks through all installed packages: once a process is enough
def _found() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
