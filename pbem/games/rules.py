"""The rules of a stored game: found by name, bound to its setup once in a process."""

from functools import lru_cache

import msgspec

from engine import registry
from engine.contract import Rules, RulesModule, Setup
from pbem.storage.models import Game


def module_of(game: Game) -> RulesModule:
    """The rules module. Raises UnknownRules where it is not installed."""
    return _module(game.rules)


def setup_of(game: Game) -> Setup:
    """What fixes the rules of this game."""
    return msgspec.msgpack.decode(game.setup, type=Setup)


def rules_of(game: Game) -> Rules:
    """The rules bound to the game's setup. Raises UnknownRules, UnknownVersion, BadSetup."""
    return _bound(game.rules, game.setup)


@lru_cache
def _module(name: str) -> RulesModule:
    return registry.load(name)  # looks through all installed packages: once a process is enough


@lru_cache(maxsize=64)
def _bound(name: str, setup: bytes) -> Rules:
    return registry.bind(name, msgspec.msgpack.decode(setup, type=Setup))
