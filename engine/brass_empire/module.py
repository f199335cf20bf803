"""What the entry point names."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.brass_empire import naming
from engine.brass_empire.ahead.sharp import sharp
from engine.brass_empire.bot import steady
from engine.brass_empire.cards import SETS
from engine.brass_empire.language import LANGUAGE
from engine.brass_empire.rules import BrassEmpireRules
from engine.brass_empire.stages import PACES, SEAT_NAMES
from engine.brass_empire.tables import OPTIONS, SEATS, VERSION
from engine.contract import BotMaker, Setup
from engine.standins import at_random


class BrassEmpireModule:
    """Brass Empire for one to six companies."""

    name = "brass_empire"
    version = VERSION
    seat_names = SEAT_NAMES
    seat_numbers = SEATS
    paces = PACES
    templates = Path(__file__).parents[2] / "templates" / "brass_empire"
    language: Any = LANGUAGE
    components = SETS
    bots: Mapping[str, BotMaker] = {"random": at_random, "steady": steady, "sharp": sharp}

    def bind(self, setup: Setup) -> BrassEmpireRules:
        """The rules for a setup. Raises BadSetup, naming the place."""
        return BrassEmpireRules(setup)

    def named(self, part: str, value: Any) -> str:
        """What lists of figures call a value of a part of a choice."""
        return naming.named(part, value)

    def options(self) -> Mapping[str, Sequence[Any]]:
        """The variants, and what the rulings leave open."""
        return OPTIONS


MODULE = BrassEmpireModule()
