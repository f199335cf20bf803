"""The component set and the options: what is checked, and which place is named."""

import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from engine.contract import Setup
from engine.errors import BadSetup, UnknownVersion
from engine.rockwell import MODULE
from engine.rockwell.components import BUILT_IN, OPTIONS, tables
from engine.rockwell.layout import exists, lay


def built_in() -> dict[str, Any]:
    """A fresh copy of the built-in set, parsed."""
    return tomllib.loads(BUILT_IN.read_text(encoding="utf-8"))


def refused(change: Callable[[dict[str, Any]], object], seats: int = 4) -> tuple[str, str]:
    """Code and place of what is wrong with the built-in set after a change."""
    components = built_in()
    change(components)
    with pytest.raises(BadSetup) as caught:
        tables(Setup(seats, components=components))
    return caught.value.code, caught.value.place


def test_the_built_in_set_is_sound_as_a_file_of_ones_own() -> None:
    """It makes the same tables either way, for any number of companies."""
    for seats in (2, 3, 4):
        assert tables(Setup(seats, components=built_in())) == tables(Setup(seats))


def test_values_go_by_the_number_of_companies() -> None:
    """Boards, safety and mineshafts of three; three achievements a pile."""
    three, four = tables(Setup(3)), tables(Setup(4))
    assert four.grants == ((1, 1, 1, 1), (4, 3, 2, 2), (4, 3, 3, 2))
    assert three.grants == ((1, 1, 1, 1), (4, 3, 2), (4, 3, 2))
    assert (four.safety, three.safety) == ((1500, 2000, 2500), (2000, 2500, 3000))
    assert (four.mineshaft, three.mineshaft) == ((1500, 2000, 2500), (2000, 2500, 3000))
    assert three.achievements[0] == (4, 3, 2)


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        (lambda c: c["tiles"]["A"].pop(), "form", "tiles.A"),
        (lambda c: c["tiles"].pop("D"), "missing", "tiles.D"),
        (lambda c: c["tiles"]["A"][3].update(power=0), "form", "tiles.A.3.power"),
        (lambda c: c["tiles"]["B"][2].update(pile=9), "form", "tiles.B.2.pile"),
        (lambda c: c["tiles"]["B"][2].update(colour="red"), "unknown", "tiles.B.2.colour"),
        (lambda c: c["extraction"]["pile_3"].pop(), "card_count", "extraction"),
        (lambda c: c["extraction"]["pile_1"].append(c["extraction"]["pile_2"].pop()), "pile_too_small", None),
        (lambda c: c["extraction"].update(pile_9=[]), "unknown", "extraction.pile_9"),
        (lambda c: c["deliveries"]["zinc"].pop(), "form", "deliveries.zinc"),
        (lambda c: c["deliveries"]["gold"][1].update(cost=[0, 0, 0, 4]), "cost_falls", "deliveries.gold.1.cost"),
        (lambda c: c["prices"]["power"].__setitem__(1, 0), "form", "prices.power.1"),
        (lambda c: c["prices"]["market"].update(gold=800), "market_order", "prices.market"),
        (lambda c: c["prices"]["subcontractor"].__setitem__(3, 500), "cost_falls", "prices.subcontractor.3"),
        (
            lambda c: c["boards"]["four"].update(stock_exchange=[4], workshop=[4]),
            "too_few_slots",
            "boards.four.workshop",
        ),
        (lambda c: c["achievements"].pop("ten_silver"), "missing", "achievements.ten_silver"),
        (lambda c: c["achievements"]["six_of_each"].reverse(), "prestige_rises", "achievements.six_of_each"),
        (lambda c: [tile.update(power=3) for tile in c["tiles"]["A"]], "no_layout", "tiles"),
        (lambda c: c.pop("start"), "missing", "start"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    change: Callable[[dict[str, Any]], object], code: str, place: str | None
) -> None:
    """Each check of the component file's head."""
    if place is None:
        # Five cards are enough for every built-in pile: let six tiles draw from the smallest.
        def both(components: dict[str, Any]) -> None:
            change(components)
            for tile in components["tiles"]["A"][:6]:
                tile["pile"] = 2

        assert refused(both) == (code, "extraction.pile_2")
        return
    assert refused(change) == (code, place)


def test_one_short_board_is_allowed() -> None:
    """Each company still finds a slot for at least one of its vice presidents."""
    components = built_in()
    components["boards"]["four"]["workshop"] = [4, 3]
    assert tables(Setup(4, components=components)).grants[2] == (4, 3)


def test_options_have_defaults_and_refuse_what_they_do_not_know() -> None:
    """The name of the option is the place."""
    made = tables(Setup(4))
    assert all(getattr(made, name) == values[0] for name, values in OPTIONS.items())
    assert MODULE.options() == OPTIONS
    for options, code, place in (
        ({"passing": True}, "unknown_option", "options.passing"),
        ({"phase_order": "dice"}, "option_value", "options.phase_order"),
        ({"award_for_none": 1}, "option_value", "options.award_for_none"),
    ):
        with pytest.raises(BadSetup) as caught:
            tables(Setup(4, options))
        assert (caught.value.code, caught.value.place) == (code, place)
    for name, values in OPTIONS.items():
        assert getattr(tables(Setup(4, {name: values[1]})), name) == values[1]


def test_a_version_that_is_not_known_is_left_alone() -> None:
    """Neither an older nor a newer one is played."""
    for version in (0, 2):
        with pytest.raises(UnknownVersion):
            tables(Setup(4, version=version))


def test_a_layout_is_found_whenever_there_is_one() -> None:
    """The only way is to alternate, and above and below must differ; with nine of a kind there is none."""
    ring, other = [1, 2] * 4, [3, 4] * 4
    laid = lay([ring, ring, other, ring], lambda n: n - 1)
    assert laid[0] != laid[8]
    assert exists([ring, ring, ring, ring])
    assert not exists([[1] * 5 + [2] * 3, other, other, other])
