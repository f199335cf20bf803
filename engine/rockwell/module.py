"""What the entry point names."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.contract import Bot, BotMaker, PlannerMaker, Rules, Setup
from engine.rockwell import naming
from engine.rockwell.ahead.sharp import sharp
from engine.rockwell.bot import steady
from engine.rockwell.components import OPTIONS, SETS, VERSION
from engine.rockwell.language import LANGUAGE
from engine.rockwell.planner import planner
from engine.rockwell.rules import RockwellRules
from engine.rockwell.stages import PACES
from engine.standins import at_random


def _steady(rules: Rules) -> Bot:
    return steady


class RockwellModule:
    """Rockwell for two, three and four companies."""

    name = "rockwell"
    version = VERSION
    seat_names = naming.SEAT_NAMES
    seat_numbers = range(2, 5)
    paces = PACES
    templates = Path(__file__).parents[2] / "templates" / "rockwell"
    language: Any = LANGUAGE
    components = SETS
    bots: Mapping[str, BotMaker] = {"random": at_random, "steady": _steady, "sharp": sharp}
    planners: Mapping[str, PlannerMaker] = {"steady": planner}

    def bind(self, setup: Setup) -> RockwellRules:
        """The rules for a setup. Raises BadSetup, naming the place."""
        return RockwellRules(setup)

    def named(self, part: str, value: Any) -> str:
        """What lists of figures call a value of a part of a choice."""
        return naming.named(part, value)

    def options(self) -> Mapping[str, Sequence[Any]]:
        """The variants that the rulings leave open."""
        return OPTIONS


MODULE = RockwellModule()
