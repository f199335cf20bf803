"""Rockwell keeps the laws of any rules module."""

import pytest

from engine.conformance import LAWS
from engine.contract import Setup
from engine.rockwell import MODULE
from engine.rockwell.components import OPTIONS

OTHER = Setup(3, {name: values[-1] for name, values in OPTIONS.items()})
SLOW = {"imagined", "known", "sheets", "written"}


@pytest.mark.parametrize("law", LAWS)
def test_four_companies_conform(law: str) -> None:
    """Every law, with the options as they are by default."""
    LAWS[law](MODULE, MODULE.bind(Setup(4)), 1)


@pytest.mark.parametrize("law", [law for law in LAWS if law not in SLOW])
def test_three_companies_with_all_options_turned_conform(law: str) -> None:
    """The laws that are quickly checked."""
    LAWS[law](MODULE, MODULE.bind(OTHER), 2)
