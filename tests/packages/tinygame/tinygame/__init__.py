"""A game of hidden cards, small enough to test everything that plays games: the contract's second user."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.contract import BotMaker, Setup
from engine.errors import BadSetup
from engine.standins import at_random
from tinygame.bot import steady
from tinygame.language import TinyLanguage
from tinygame.rules import TinyRules
from tinygame.state import SEATS


class Module:
    """What the entry point names."""

    name = "tinygame"
    version = 1
    seat_names = SEATS
    seat_numbers = range(2, len(SEATS) + 1)
    paces = ("strict", "brisk")
    templates = Path(__file__).parent / "templates"
    language: Any = TinyLanguage()
    components = None
    bots: Mapping[str, BotMaker] = {"random": at_random, "steady": steady}

    def bind(self, setup: Setup) -> TinyRules:
        """The rules for a setup. Raises BadSetup where it has components, which this game has none of."""
        if setup.components is not None:
            raise BadSetup("no_components", "components")
        return TinyRules(setup)

    def options(self) -> Mapping[str, Sequence[Any]]:
        """How many lives each seat starts with, and after how many turns the game ends at the latest."""
        return {"lives": (2, 1, 3), "turns": (8, 3, 20)}


MODULE = Module()
