"""The rules of a stored game: found by name, bound to its setup once in a process."""

from functools import lru_cache

import msgspec

from engine import registry
from engine.contract import Rules, RulesModule, Setup
from engine.errors import BadSetup, UnknownRules, UnknownVersion
from pbem.storage.models import Game


def module_of(game: Game) -> RulesModule:
    """The rules module. Raises UnknownRules where it is not installed."""
    return module_named(game.rules)


def setup_of(game: Game) -> Setup:
    """What fixes the rules of this game."""
    return msgspec.msgpack.decode(game.setup, type=Setup)


def rules_of(game: Game) -> Rules:
    """The rules bound to the game's setup. Raises UnknownRules, UnknownVersion, BadSetup."""
    return bound(game.rules, game.setup)


def installed(game: Game) -> bool:
    """Whether its rules are installed here, in a version that plays it."""
    try:
        rules_of(game)
    except (UnknownRules, UnknownVersion, BadSetup):
        return False
    return True


@lru_cache
def module_named(name: str) -> RulesModule:
    """The rules module of that name. Raises UnknownRules."""
    return registry.load(name)


@lru_cache(maxsize=64)
def bound(name: str, setup: bytes) -> Rules:
    """Rules bound to a stored setup. Raises UnknownRules, UnknownVersion, BadSetup."""
    return registry.bind(name, msgspec.msgpack.decode(setup, type=Setup))
