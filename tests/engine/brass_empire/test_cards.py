"""The card file: what it holds, and what is refused in one."""

import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from engine.brass_empire.cards import BUILT_IN, POOLS, SETS, built_in, read
from engine.brass_empire.tables import tables
from engine.contract import SetName, Setup
from engine.errors import BadSetup


def _file() -> dict[str, Any]:
    """The built-in file under another name."""
    parsed = tomllib.loads(BUILT_IN.read_text(encoding="utf-8"))
    parsed["set"]["name"] = "Ours"
    return parsed


def _at(file: dict[str, Any], card: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in file["card"] if each["id"] == card)
    return found


def test_the_built_in_cards_fill_the_box() -> None:
    """55 starting, 30 reserve, 100 labor and 90 design cards; every reserve of six is worth as much brass."""
    for pool, count in POOLS.items():
        assert sum(card.copies for card in built_in() if card.pool == pool) == count
    reserves = [
        [card for card in built_in() if card.pool == "reserve" and card.corporation == name]
        for name in ("mcglynn", "frontier", "omni_edo", "harlem", "windcraft")
    ]
    assert {sum(card.copies for card in reserve) for reserve in reserves} == {6}
    assert len({sum(card.copies * card.brass for card in reserve) for reserve in reserves}) == 1


def test_a_card_says_which_of_its_fields_the_rulebook_fixes() -> None:
    """What is named in the rulebook is told from what this project made up."""
    by_id = {card.id: card for card in built_in()}
    assert by_id["manager"].provenance == "rulebook"
    assert "cost_labor" in by_id["manager"].known
    assert by_id["paymaster"].provenance == "reconstructed"
    assert by_id["paymaster"].known == []


def test_a_new_card_of_known_primitives_needs_no_code() -> None:
    """Another card in the place of one is played by what its data says."""
    file = _file()
    card = _at(file, "paymaster")
    card["name"], card["id"] = "Night Auditor", "night_auditor"
    card["effects"] = [
        {
            "when": "play",
            "do": "choose",
            "options": [[{"do": "draw", "n": 2}], [{"do": "steal_brass", "n": 1}, {"do": "gain_labor", "n": 1}]],
        }
    ]
    made = tables(Setup(2, components=file))
    assert made.names[[id_ for id_, _ in made.names].index("night_auditor")] == ("night_auditor", "Night Auditor")


def _change(card: str, **fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda file: _at(file, card).update(fields)


EFFECT = {"when": "play", "do": "gain_labor", "n": 1}
BAD: dict[str, tuple[Callable[[dict[str, Any]], None], str, str]] = {
    "a missing card": (lambda file: file["card"].remove(_at(file, "sky_dreadnought")), "card_count", "card"),
    "one copy too many": (_change("clerk", copies=36), "card_count", "card"),
    "an unknown primitive": (_change("manager", effects=[{**EFFECT, "do": "heal"}]), "word", "effects[0].do"),
    "an unknown trigger": (_change("manager", effects=[{**EFFECT, "when": "lunch"}]), "word", "effects[0].when"),
    "a trigger of another type": (
        _change("manager", effects=[{**EFFECT, "when": "turn"}]),
        "wrong_trigger",
        "effects[0].when",
    ),
    "an effect without its number": (
        _change("manager", effects=[{"when": "play", "do": "draw"}]),
        "missing",
        "effects[0].n",
    ),
    "a number where none belongs": (
        _change("iron_palisade", effects=[{"when": "static", "do": "warden", "n": 2}]),
        "unknown_key",
        "effects[0].n",
    ),
    "a warden that happens": (
        _change("spark_drone", effects=[{"when": "play", "do": "warden"}]),
        "static",
        "effects[0].when",
    ),
    "one option": (
        _change("manager", effects=[{"when": "play", "do": "choose", "options": [[{"do": "draw", "n": 1}]]}]),
        "size",
        "effects[0].options",
    ),
    "an employee that fights": (_change("manager", attack=1), "employee_fights", "card"),
    "a unit without health": (_change("kiln_golem", health=0), "no_health", "health"),
    "an employee among the designs": (_change("manager", pool="design"), "wrong_pool", "pool"),
    "an unknown field": (_change("manager", wage=3), "unknown_key", "wage"),
    "the same id twice": (_change("manager", id="clerk"), "twice", "id"),
    "a dearer reserve": (_change("gumshoe", brass=2), "reserve_value", "card"),
    "a smaller reserve": (
        lambda file: (_change("gumshoe", copies=2)(file), _change("jetpack_courier", copies=4)(file))[0],
        "reserve_count",
        "card",
    ),
    "no platform": (_change("mining_platform", starts_in_play=False), "platforms", "card"),
    "a platform without rates": (
        lambda file: _at(file, "mining_platform").pop("convert_brass"),
        "missing",
        "convert_brass",
    ),
    "a clerk too many each": (_change("clerk", per_player=8), "per_player", "per_player"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_is_refused_with_its_place(what: str) -> None:
    """The code says what is wrong, the place where."""
    change, code, place = BAD[what]
    file = _file()
    change(file)
    with pytest.raises(BadSetup) as refused:
        read(file)
    assert refused.value.code == code
    assert place in refused.value.place


def test_all_that_is_wrong_is_told_at_once() -> None:
    """Each fault with its place and, where it breaks one, the statement of the rules."""
    file = _file()
    _change("manager", effects=[{**EFFECT, "when": "turn"}])(file)
    _change("kiln_golem", health=0, pool="labor")(file)
    faults = {fault.code: fault for fault in SETS.check(file)}
    assert sorted(faults) == ["card_count", "no_health", "wrong_pool", "wrong_trigger"]
    assert faults["wrong_pool"].rule == "BE-SET-4"


def test_a_word_that_none_knows_is_told_with_those_that_are_known() -> None:
    """As words, for it is no number; those that may be left out too."""
    file = _file()
    _change("manager", effects=[{**EFFECT, "when": "ply"}])(file)
    _change("gumshoe", corporation="mcglyn")(file)
    for fault in SETS.check(file):
        assert fault.code == "word"
        assert set(fault.params) == {"expected"}
        assert ("'play', 'built'" if fault.place[-1] == "when" else "'mcglynn', 'frontier'") in fault.params["expected"]


def test_the_reserve_that_differs_from_the_others_is_the_one_that_is_told() -> None:
    """Once, whether its cards or their worth are wrong."""
    file = _file()
    _change("gumshoe", brass=5)(file)
    _change("jetpack_courier", copies=2)(file)
    found = [fault for fault in SETS.check(file) if fault.code.startswith("reserve")]
    told = [(fault.code, fault.params["corporation"]) for fault in found]
    assert told == [("reserve_value", "mcglynn"), ("reserve_count", "frontier")]


def test_a_changed_set_needs_a_name_of_its_own() -> None:
    """So that no report calls it the built-in one."""
    file = _file()
    assert SETS.check(file) == []
    assert SETS.name(file) == SetName("Ours", 1, False)
    file["set"]["name"] = SETS.name(None).name
    _change("manager", brass=2)(file)
    assert [fault.code for fault in SETS.check(file)] == ["name_taken"]


def test_effects_nest_no_deeper_than_three() -> None:
    """Limits stand before anything is made of it."""
    effect: dict[str, Any] = {"do": "draw", "n": 1}
    for _ in range(3):
        effect = {"do": "if_corp", "corp": "harlem", "scope": "played", "then": [effect]}
    file = _file()
    _change("manager", effects=[{**effect, "when": "play"}])(file)
    with pytest.raises(BadSetup) as refused:
        read(file)
    assert refused.value.code == "too_deep"
