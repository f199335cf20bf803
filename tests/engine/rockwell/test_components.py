"""The component set and the options: what is checked, and which place is named."""

import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.components import place_said
from engine.contract import Fault, SetName, Setup
from engine.errors import BadSetup, UnknownVersion
from engine.rockwell import MODULE
from engine.rockwell.components import BUILT_IN, OPTIONS, SETS, tables
from engine.rockwell.layout import exists, lay


def built_in() -> dict[str, Any]:
    """A fresh copy of the built-in set, parsed."""
    return tomllib.loads(BUILT_IN.read_text(encoding="utf-8"))


def faults(change: Callable[[dict[str, Any]], object]) -> list[Fault]:
    """What is wrong with the built-in set after a change."""
    components = built_in()
    components["set"]["name"] = "mine"
    change(components)
    found = SETS.check(components)
    if found:
        with pytest.raises(BadSetup) as caught:
            tables(Setup(4, components=components))
        assert (caught.value.code, caught.value.place) == (found[0].code, place_said(found[0].place))
    return list(found)


def test_the_built_in_set_is_sound_as_a_file_of_ones_own() -> None:
    """It makes the same tables either way, for any number of companies."""
    for seats in (2, 3, 4):
        assert tables(Setup(seats, components=built_in())) == tables(Setup(seats))


def test_values_go_by_the_number_of_companies() -> None:
    """Boards, safety and mineshafts of three; three achievements a pile."""
    three, four = tables(Setup(3)), tables(Setup(4))
    assert four.grants == ((1, 1, 1, 1), (3, 3, 2, 2), (3, 3, 3, 2))
    assert three.grants == ((1, 1, 1, 1), (4, 3, 2), (3, 3, 2))
    assert (four.safety, three.safety) == ((1500, 2000, 2500), (2000, 2500, 3000))
    assert (four.mineshaft, three.mineshaft) == ((1500, 2000, 2500), (2000, 2500, 3000))
    assert three.achievements[0] == (4, 3, 2)


def both(components: dict[str, Any]) -> None:
    """Six tiles draw from a pile of five cards."""
    components["extraction"]["pile_1"].append(components["extraction"]["pile_2"].pop())
    for tile in components["tiles"]["A"][:6]:
        tile["pile"] = 2


WRONG: list[tuple[Callable[[dict[str, Any]], object], str, str, str]] = [
    (lambda c: c["tiles"]["A"].pop(), "size", "tiles.A", "RW-SET-2"),
    (lambda c: c["tiles"]["A"].append(c["tiles"]["A"][0]), "size", "tiles.A", "RW-SET-2"),
    (lambda c: c["tiles"].pop("D"), "missing", "tiles.D", "RW-SET-2"),
    (lambda c: c["tiles"]["A"][3].update(power=0), "bound", "tiles.A[3].power", "RW-SET-2"),
    (lambda c: c["tiles"]["A"][3].update(power=True), "type", "tiles.A[3].power", "RW-SET-2"),
    (lambda c: c["tiles"]["B"][2].update(pile=9), "bound", "tiles.B[2].pile", "RW-SET-2"),
    (lambda c: c["tiles"]["B"][2].update(colour="red"), "unknown_key", "tiles.B[2].colour", "RW-SET-2"),
    (lambda c: c["extraction"]["pile_3"].pop(), "card_count", "extraction", "RW-SET-9"),
    (lambda c: c["extraction"]["pile_3"][1].pop(), "missing", "extraction.pile_3[1][4]", "RW-SET-9"),
    (lambda c: c["extraction"]["pile_3"][1].append(1), "size", "extraction.pile_3[1]", "RW-SET-9"),
    (both, "pile_too_small", "extraction.pile_2", "RW-EXT-3"),
    (lambda c: c["extraction"].update(pile_9=[]), "unknown_key", "extraction.pile_9", "RW-SET-9"),
    (lambda c: c["deliveries"]["zinc"].pop(), "size", "deliveries.zinc", "RW-SET-10"),
    (
        lambda c: c["deliveries"]["gold"][1]["cost"].__setitem__(3, 4),
        "cost_falls",
        "deliveries.gold[1].cost",
        "RW-SET-10",
    ),
    (lambda c: c["deliveries"]["gold"][0]["cost"].__setitem__(3, 0), "no_cost", "deliveries.gold[0].cost", "RW-WRK-16"),
    (lambda c: c["prices"]["power"].__setitem__(1, 0), "bound", "prices.power[1]", "RW-WRK-2"),
    (lambda c: c["prices"]["power"].__setitem__(1, 2.5), "type", "prices.power[1]", "RW-WRK-2"),
    (lambda c: c["prices"]["power"].__setitem__(1, 10**30), "bound", "prices.power[1]", "RW-WRK-2"),
    (lambda c: c["prices"]["safety"]["fewer"].__setitem__(0, -1), "bound", "prices.safety.fewer[0]", "RW-WRK-4"),
    (lambda c: c["prices"]["market"].update(gold=800), "market_order", "prices.market", "RW-MKT-1"),
    (lambda c: c["prices"]["subcontractor"].__setitem__(3, 500), "cost_falls", "prices.subcontractor[3]", "RW-SUB-1"),
    (
        lambda c: c["boards"]["four"].update(stock_exchange=[4], workshop=[4]),
        "too_few_slots",
        "boards.four.workshop",
        "RW-VP-4",
    ),
    (
        lambda c: c["boards"]["fewer"].update(stock_exchange=[4], workshop=[4]),
        "too_few_slots",
        "boards.fewer.workshop",
        "RW-VP-4",
    ),
    (
        lambda c: c["boards"]["four"]["control_center"].__setitem__(0, "x"),
        "word",
        "boards.four.control_center[0]",
        "RW-BRB-1",
    ),
    (lambda c: c["safety"]["lowers_loss_by"].__setitem__(2, "most"), "word", "safety.lowers_loss_by[2]", "RW-DNG-3"),
    (lambda c: c["achievements"].pop("ten_silver"), "missing", "achievements.ten_silver", "RW-SET-11"),
    (lambda c: c["achievements"]["six_of_each"].reverse(), "prestige_rises", "achievements.six_of_each", "RW-SET-11"),
    (lambda c: [tile.update(power=3) for tile in c["tiles"]["D"]], "no_layout", "tiles", "RW-SET-3"),
    (lambda c: c.pop("start"), "missing", "start", "RW-SET-12"),
    (lambda c: c.update(start=3), "type", "start", "RW-SET-12"),
    (lambda c: c["set"].update(name="reconstructed", edition=2), "name_taken", "set.name", ""),
    (lambda c: c["set"].update(name="a\nb"), "text", "set.name", ""),
    (lambda c: c["set"].update(name="a" * 61), "size", "set.name", ""),
]


@pytest.mark.parametrize(("change", "code", "place", "rule"), WRONG, ids=[f"{each[2]}-{each[1]}" for each in WRONG])
def test_what_is_wrong_is_named_with_its_place_and_rule(
    change: Callable[[dict[str, Any]], object], code: str, place: str, rule: str
) -> None:
    """Each check of the component file's head, alone."""
    (fault,) = faults(change)
    assert (fault.code, place_said(fault.place), fault.rule) == (code, place, rule)


def test_all_that_is_wrong_is_told_at_once() -> None:
    """A slip of form in one table does not hide what does not go together in another."""

    def change(components: dict[str, Any]) -> None:
        components["tiles"]["A"].pop()
        components["prices"]["markt"] = components["prices"].pop("market")
        components["deliveries"]["copper"][2]["cost"] = [0, 1, 0, 0]
        components["deliveries"]["zinc"].pop()
        components["extraction"]["pile_4"].pop()

    assert {place_said(fault.place): fault.code for fault in faults(change)} == {
        "tiles.A": "size",
        "prices.market": "missing",
        "prices.markt": "unknown_key",
        "deliveries.copper[2].cost": "cost_falls",
        "deliveries.zinc": "size",
        "extraction": "card_count",
    }


def test_a_fault_says_what_would_be_right() -> None:
    """The bound, the keys that there are, the words."""
    (slip,) = faults(lambda c: c["tiles"]["B"][2].update(powr=3))
    assert slip.params == {"known": ["power", "pile", "yields"], "close": ["power"]}
    (bound,) = faults(lambda c: c["prices"]["mobility"].__setitem__(0, 0))
    assert bound.params == {"given": 0, "least": 1}
    (word,) = faults(lambda c: c["safety"]["lowers_loss_by"].__setitem__(2, "most"))
    assert word.params == {"expected": "'all'", "number": True}


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["A", "B", "power", "pile_1", "name", "zinc", "four"]), inner, max_size=4)
    ),
)


@given(st.sampled_from(sorted(built_in())), ANY)
def test_whatever_a_file_holds_is_told_and_never_breaks_the_check(table: str, anything: Any) -> None:
    """Any value in the place of any table."""
    assert SETS.check({**built_in(), table: anything})


def test_a_set_has_its_own_name() -> None:
    """The built-in one is known however it is given; another says what it is called."""
    own = built_in()
    own["set"] = {"name": "my box", "edition": 3}
    assert SETS.check(own) == []
    assert SETS.name(own) == SetName("my box", 3, built_in=False)
    assert SETS.name(None) == SETS.name(built_in()) == SetName("reconstructed", 1, built_in=True)


def test_one_short_board_is_allowed() -> None:
    """Each company still finds a slot for at least one of its vice presidents."""
    components = built_in()
    components["set"]["name"] = "mine"
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


def test_that_there_is_no_layout_is_found_whichever_stratum_is_to_blame() -> None:
    """Rings above that can be laid in thousands of ways do not make the search endless."""
    free, tight = [1, 2, 3, 4, 5, 6, 7, 8], [1, 1, 1, 2, 2, 2, 3, 3]
    assert not exists([free, free, free, [1] * 5 + [2] * 3])
    assert not exists([free, [1, 2] * 4, tight, [1, 3] * 4])
    assert exists([free, [1, 2] * 4, tight, free])
