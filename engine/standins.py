"""Stand-ins that any rules module can offer."""

from engine.contract import Bot, Choice, Decision, Pick, Rules, Space, View
from engine.spaces import sample


def at_random(rules: Rules) -> Bot:
    """A stand-in that makes any legal choice, part by part."""
    return _any


def _any(view: View, decision: Decision, space: Space, pick: Pick) -> Choice:
    return sample(space, pick)
