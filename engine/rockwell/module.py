"""What the entry point names."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.contract import Bot, Choice, Decision, Pick, Setup, Space, View
from engine.rockwell.bot import steady
from engine.rockwell.components import OPTIONS, VERSION
from engine.rockwell.language import LANGUAGE
from engine.rockwell.rules import RockwellRules
from engine.rockwell.stages import PACES
from engine.spaces import sample


def random_bot(view: View, decision: Decision, space: Space, pick: Pick) -> Choice:
    """Any legal choice, part by part."""
    return sample(space, pick)


class RockwellModule:
    """Rockwell for two, three and four companies."""

    name = "rockwell"
    version = VERSION
    seat_names = ("red", "green", "purple", "white")
    seat_numbers = range(2, 5)
    paces = PACES
    templates = Path(__file__).parents[2] / "templates" / "rockwell"
    language: Any = LANGUAGE
    bots: Mapping[str, Bot] = {"random": random_bot, "steady": steady}

    def bind(self, setup: Setup) -> RockwellRules:
        """The rules for a setup. Raises BadSetup, naming the place."""
        return RockwellRules(setup)

    def options(self) -> Mapping[str, Sequence[Any]]:
        """The variants that the rulings leave open."""
        return OPTIONS


MODULE = RockwellModule()
