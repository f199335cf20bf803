"""Rockwell keeps the laws of any rules module."""

import pytest

from engine.conformance import LAWS
from engine.contract import Setup
from engine.rockwell import MODULE
from engine.rockwell.components import OPTIONS

TURNED = {name: values[-1] for name, values in OPTIONS.items()}
SLOW = {"imagined", "known", "sheets", "written"}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_number_of_companies_conforms(seats: int, law: str) -> None:
    """Every law, with the options as they are by default."""
    LAWS[law](MODULE, MODULE.bind(Setup(seats)), 1)


@pytest.mark.parametrize(("seats", "law"), [(2, law) for law in LAWS if law not in SLOW] + [(3, law) for law in LAWS])
def test_companies_with_all_options_turned_conform(seats: int, law: str) -> None:
    """Every law with three; with two those that are quickly checked."""
    LAWS[law](MODULE, MODULE.bind(Setup(seats, TURNED)), 2)
