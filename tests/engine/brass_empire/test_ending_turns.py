"""The end of the turn, demolishing and dismissing: BE-END."""

import tomllib

import pytest

from engine.brass_empire.cards import BUILT_IN
from engine.brass_empire.choices import Accept, Demolish, Dismiss
from engine.brass_empire.events import BrassTaken, Destroyed, Drew
from tests.engine.brass_empire.position import Position


@pytest.mark.rule("BE-END-1", "BE-END-9")
def test_employees_played_and_the_rest_of_the_hand_are_discarded_and_five_drawn() -> None:
    """Units and buildings stay."""
    position = Position().hand(0, "manager", "kiln_golem", "clerk").hand(1, "clerk").deck(0, *["union_worker"] * 7)
    position.play("manager", "kiln_golem").end()
    assert position.names(position.company(0).hand) == ["union_worker"] * 5
    assert sorted(position.names(position.company(0).discard)) == ["clerk", "manager"]
    assert position.in_play(0) == ["kiln_golem"]


@pytest.mark.rule("BE-END-2", "BE-END-8")
def test_when_the_deck_has_run_out_the_discard_pile_is_shuffled_and_drawing_goes_on() -> None:
    """With both empty nothing more is drawn."""
    position = Position().hand(0, "tower_archivist", "clerk").deck(0, "manager").discard(0, "paymaster")
    position.play("tower_archivist")
    assert sorted(position.names(position.company(0).hand)) == ["clerk", "manager", "paymaster"]
    assert position.told(Drew)[0].shuffled
    empty = Position().hand(0, "tower_archivist", "clerk").deck(0, "manager").play("tower_archivist")
    assert empty.told(Drew)[0].count == 1


@pytest.mark.rule("BE-END-3", "BE-END-13")
def test_employees_played_this_turn_are_neither_drawn_nor_dismissed_before_it_ends() -> None:
    """The one that dismisses can't dismiss itself, nor what was played before it."""
    position = Position().hand(0, "manager", "severance_officer", "clerk").discard(0, "union_worker")
    position.play("manager", "severance_officer")
    assert sorted(position.names(card for card in position.offered("card") if card != "stop")) == [
        "clerk",
        "union_worker",
    ]
    draw = Position().hand(0, "manager", "tower_archivist", "clerk").play("manager", "tower_archivist")
    assert draw.told(Drew) == []


@pytest.mark.rule("BE-END-4", "BE-EFF-5")
def test_dismissed_cards_leave_the_game() -> None:
    """Up to as many as the effect says, from hand and discard pile, or none."""
    position = Position().hand(0, "clerk", "manager").discard(0, "union_worker", "clerk")
    facility = position.piece(0, "sorting_facility")
    position.demolish(facility)
    cards = tuple(sorted(position.cards("manager", "union_worker")))
    position.do(Dismiss(cards))
    assert sorted(position.names(position.state.gone)) == ["manager", "union_worker"]
    assert position.names(position.company(0).hand) == ["clerk"]
    none = Position().hand(0, "severance_officer", "clerk").play("severance_officer").do(Dismiss(()))
    assert none.state.gone == []


@pytest.mark.rule("BE-END-5", "BE-END-14", "BE-EFF-15")
def test_a_demolished_building_goes_to_the_discard_pile_for_its_effect() -> None:
    """It yields no brass."""
    position = Position().hand(0, "clerk").brass(0, 0)
    silo = position.piece(0, "parts_silo")
    position.demolish(silo)
    assert position.names(position.company(0).discard) == ["parts_silo"]
    assert position.state.construction == 2
    assert position.told(BrassTaken) == []
    assert [company.brass for company in position.state.companies] == [0, 0]


def _with_destroyed() -> dict[str, object]:
    """A card file in which the Clockwerks Factory also draws when it is destroyed."""
    file = tomllib.loads(BUILT_IN.read_text(encoding="utf-8"))
    file["set"]["name"] = "Ours"
    (factory,) = [card for card in file["card"] if card["id"] == "clockwerks_factory"]
    factory["effects"].append({"when": "destroyed", "do": "draw", "n": 1, "optional": True})
    return file


@pytest.mark.rule("BE-END-6")
def test_demolishing_destroys_so_destroyed_effects_happen_too() -> None:
    """Not with `demolish_triggers_destroyed` off."""
    position = Position(components=_with_destroyed()).hand(0, "clerk").deck(0, "manager", "paymaster")
    position.demolish(position.piece(0, "clockwerks_factory"))
    assert len(position.company(0).hand) == 2
    position.do(Accept())
    assert len(position.company(0).hand) == 3
    off = Position(components=_with_destroyed(), demolish_triggers_destroyed=False).hand(0, "clerk")
    off.deck(0, "manager", "paymaster").demolish(off.piece(0, "clockwerks_factory"))
    assert off.asked()[0] == "turns"


@pytest.mark.rule("BE-END-7")
def test_a_cards_own_text_goes_before_the_rules() -> None:
    """Where all draw five, a belfry makes it six."""
    position = Position().hand(0, "clerk").hand(1, "clerk").deck(0, *["clerk"] * 9)
    position.piece(0, "signal_belfry")
    position.end()
    assert len(position.company(0).hand) == 6


@pytest.mark.rule("BE-END-11")
def test_a_demolished_building_can_be_drawn_or_dismissed_by_its_own_effect() -> None:
    """It lies in the pile before that happens."""
    position = Position().hand(0, "clerk")
    position.demolish(position.piece(0, "clockwerks_factory"))
    assert sorted(position.names(position.company(0).hand)) == ["clerk", "clockwerks_factory"]
    facility = Position().hand(0, "clerk")
    facility.demolish(facility.piece(0, "sorting_facility"))
    facility.do(Dismiss((facility.card("sorting_facility"),)))
    assert facility.names(facility.state.gone) == ["sorting_facility"]


@pytest.mark.rule("BE-END-10")
def test_a_building_destroyed_by_others_gives_no_demolish_effect() -> None:
    """It goes to the discard pile, and that is all."""
    position = Position().hand(0, "clerk").brass(0, 0)
    unit = position.piece(0, "sky_dreadnought")
    position.attack(unit, position.piece(1, "ore_hopper"))
    assert position.told(Destroyed)
    assert position.company(1).brass == 0


@pytest.mark.rule("BE-END-12")
def test_only_a_built_building_with_a_demolish_effect_is_demolished() -> None:
    """The turn that it flips too; never the platform, nor one that would do nothing."""
    position = Position().hand(0, "clerk")
    yard = position.piece(0, "supply_yard")
    hidden = position.piece(0, "ore_hopper", down=True)
    assert "demolish" not in position.acts()
    silo = position.piece(0, "parts_silo")
    assert position.why_not(Demolish(yard)) == "no_demolish"
    assert position.why_not(Demolish(hidden)) == "under_construction"
    assert position.why_not(Demolish(0)) == "no_such_piece"
    assert position.why_not(Demolish(silo)) == ""


@pytest.mark.rule("BE-END-15")
def test_a_card_drawn_in_anothers_turn_stays_in_the_hand() -> None:
    """Over five too."""
    position = Position().hand(0, "clerk").hand(1, *["clerk"] * 5).deck(1, "manager").resources(0, 2)
    unit = position.piece(0, "sky_dreadnought")
    position.attack(unit, position.piece(1, "chroniker")).do(Accept())
    assert len(position.company(1).hand) == 6
    position.deck(0, *["clerk"] * 9).end()
    assert len(position.company(1).hand) == 6
