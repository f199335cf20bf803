"""Rules modules are found by entry point, and bound only to what they can play."""

import pytest
import tinygame

from engine import registry
from engine.contract import Setup
from engine.errors import BadSetup, UnknownRules, UnknownVersion


def test_a_third_partys_package_adds_its_game() -> None:
    """A package that is merely installed is found by its name."""
    assert "tinygame" in registry.names()
    assert registry.load("tinygame") == tinygame.MODULE
    assert registry.bind("tinygame", Setup(4, {"lives": 3})).setup.seats == 4


def test_an_unknown_name_is_told_with_those_there_are() -> None:
    """The error lists what is installed."""
    with pytest.raises(UnknownRules, match="tinygame") as raised:
        registry.load("no-such-game")
    assert "tinygame" in raised.value.known


@pytest.mark.parametrize("version", [0, 2])
def test_a_version_that_the_module_does_not_play_is_refused(version: int) -> None:
    """A game of tomorrow's rules is left alone."""
    with pytest.raises(UnknownVersion):
        registry.bind("tinygame", Setup(3, version=version))


@pytest.mark.parametrize(
    ("setup", "place"),
    [
        (Setup(1), "seats"),
        (Setup(5), "seats"),
        (Setup(3, {"lifes": 2}), "options.lifes"),
        (Setup(3, {"lives": 9}), "options.lives"),
        (Setup(3, components={}), "components"),
    ],
)
def test_a_setup_that_can_not_be_played_names_its_place(setup: Setup, place: str) -> None:
    """Seats, options and components are looked at before a game is made."""
    with pytest.raises(BadSetup) as raised:
        registry.bind("tinygame", setup)
    assert raised.value.place == place
