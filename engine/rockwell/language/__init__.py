"""How orders for Rockwell are written: words, intents, conditions, and what they come to at a decision."""

from engine.rockwell.language.facts import holds
from engine.rockwell.language.fit import fit
from engine.rockwell.language.grammar import LANGUAGE
from engine.rockwell.language.intents import INTENTS

__all__ = ["INTENTS", "LANGUAGE", "fit", "holds"]
