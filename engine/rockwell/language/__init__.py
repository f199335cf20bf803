"""How orders for Rockwell are written: words, intents, conditions, and what they come to at a decision."""

from engine.rockwell.language.fit import choice_of, fit
from engine.rockwell.language.grammar import LANGUAGE
from engine.rockwell.language.intents import INTENTS
from engine.rockwell.language.truth import holds

__all__ = ["INTENTS", "LANGUAGE", "choice_of", "fit", "holds"]
