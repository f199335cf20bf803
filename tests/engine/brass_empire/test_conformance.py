"""Brass Empire keeps the laws of any rules module."""

import pytest

from engine.brass_empire import MODULE
from engine.conformance import LAWS
from engine.contract import Setup

VARIANTS = [
    Setup(1),
    Setup(2),
    Setup(4),
    Setup(6),
    Setup(4, {"teams": True, "team_hands": True, "bought_at_end": True}),
    Setup(2, {"battle": True}),
    Setup(3, {"first_edition": True, "demolish_triggers_destroyed": False}),
    Setup(3, {"custom_reserve": True, "corporation_cards_in_pools": True}),
]


def _name(setup: Setup) -> str:
    return "-".join([str(setup.seats), *setup.options])


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("setup", VARIANTS, ids=_name)
def test_every_variant_conforms(setup: Setup, law: str) -> None:
    """Every law on a random game of each."""
    LAWS[law](MODULE, MODULE.bind(setup), 1)
