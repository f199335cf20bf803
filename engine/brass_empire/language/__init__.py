"""How orders for Brass Empire are written: words, intents, conditions, and what they come to at a decision."""

from engine.brass_empire.language.facts import holds
from engine.brass_empire.language.fit import fit
from engine.brass_empire.language.grammar import LANGUAGE
from engine.brass_empire.language.intents import INTENTS

__all__ = ["INTENTS", "LANGUAGE", "fit", "holds"]
