"""Buying and the platform: BE-BUY, BE-PLT."""

import pytest

from engine.brass_empire.choices import FROM_RESERVE, Attack, Buy, Convert, Mine, Rebuild, Strike
from engine.brass_empire.events import BrassTaken, Destroyed, Refilled
from engine.brass_empire.state import DOWN, EMPTY
from tests.engine.brass_empire.position import Position


@pytest.mark.rule("BE-BUY-1")
def test_any_number_is_bought_from_both_rows_and_the_own_reserve() -> None:
    """Whatever the corporation, for labor and construction."""
    position = Position().hand(0, "clerk").resources(10, 4)
    position.row(0, "manager", "scroll_broker").row(1, "spark_drone").reserve(0, "gumshoe")
    position.buy("scroll_broker").buy("spark_drone", 1).buy_reserve("gumshoe").buy("manager")
    assert (position.state.labor, position.state.construction) == (0, 2)
    assert len(position.company(0).discard) == 4


@pytest.mark.rule("BE-BUY-2")
def test_a_bought_card_is_in_the_discard_pile_at_once() -> None:
    """With `bought_at_end` on only when the turn is over."""
    position = Position().hand(0, "clerk").resources(3).row(0, "manager").buy("manager")
    assert position.names(position.company(0).discard) == ["manager"]
    late = Position(bought_at_end=True).hand(0, "clerk").hand(1, "clerk").resources(3).row(0, "manager")
    late.deck(0, *["clerk"] * 5).buy("manager")
    assert late.company(0).discard == []
    late.end()
    assert "manager" in late.names(late.company(0).discard)


@pytest.mark.rule("BE-BUY-2")
def test_a_bought_card_may_be_drawn_in_the_same_turn() -> None:
    """It is shuffled with the rest of the pile when the deck has run out."""
    position = Position().hand(0, "tower_archivist", "clerk").resources(3).row(0, "manager").buy("manager")
    position.play("tower_archivist")
    assert "manager" in position.names(position.company(0).hand)


@pytest.mark.rule("BE-BUY-3", "BE-BUY-6")
def test_a_place_in_a_row_is_refilled_at_once_or_stays_empty() -> None:
    """By the top of the row's deck; with none left the place is empty."""
    position = Position().hand(0, "clerk").resources(9).row(0, "manager", "contractor", deck=("paymaster",))
    position.buy("manager")
    assert position.names(position.state.rows[0])[:2] == ["paymaster", "contractor"]
    assert position.told(Refilled)[0].card == position.card("paymaster")
    position.buy("contractor")
    assert position.state.rows[0][1] == EMPTY
    assert position.told(Refilled)[0].card == EMPTY


@pytest.mark.rule("BE-BUY-4")
def test_reserve_cards_are_not_replaced() -> None:
    """What is bought is gone."""
    position = Position().hand(0, "clerk").resources(9).reserve(0, "gumshoe", "gumshoe").buy_reserve("gumshoe")
    assert position.names(position.company(0).reserve) == ["gumshoe"]
    assert position.told(Refilled) == []


@pytest.mark.rule("BE-BUY-5")
def test_what_can_not_be_paid_in_full_is_refused_with_its_price() -> None:
    """And what is not on offer is told so."""
    position = Position().hand(0, "clerk").resources(2, 5).row(0, "manager").row(1, "kiln_golem")
    assert position.why_not(Buy(position.card("manager"), 0)) == "cannot_pay"
    assert position.why_not(Buy(position.card("paymaster"), 0)) == "not_on_offer"
    assert position.why_not(Buy(position.card("gumshoe"), FROM_RESERVE)) == "not_in_reserve"
    assert position.why_not(Buy(position.card("kiln_golem"), 1)) == "cannot_pay"


@pytest.mark.rule("BE-PLT-1", "BE-PLT-4")
def test_two_construction_make_one_brass_as_often_as_one_wants() -> None:
    """It comes from the pool; an odd one is left."""
    position = Position().hand(0, "clerk").resources(0, 7).brass(0, 0).do(Convert(1)).do(Convert(2))
    assert (position.company(0).brass, position.state.pool, position.state.construction) == (3, 47, 1)
    assert position.why_not(Convert(1)) == "no_construction"


@pytest.mark.rule("BE-PLT-2", "BE-PLT-5", "BE-PLT-3", "BE-PLT-8", "BE-PLT-10")
def test_a_destroyed_platform_is_turned_over_and_of_no_use() -> None:
    """No conversion, no mining, no target; and it is not rebuilt by itself."""
    position = Position().hand(0, "clerk").hand(1, "clerk").deck(0, *["clerk"] * 5).deck(1, *["clerk"] * 5)
    unit = position.piece(0, "overclocked_wagon")
    other = position.piece(1, "overclocked_wagon")
    position.attack(unit, 1)
    assert position.company(1).platform == DOWN
    assert position.company(1).discard == []
    assert position.state.seat == 1
    position.resources(0, 9)
    assert position.why_not(Convert(1)) == "platform_down"
    assert position.why_not(Mine((other,))) == "platform_down"
    position.end()
    assert position.why_not(Attack(unit, 1)) == "target_down"


@pytest.mark.rule("BE-PLT-6", "BE-PLT-7")
def test_it_is_rebuilt_for_one_construction_whole_and_of_use_at_once() -> None:
    """At any time in its owner's turn, after a unit has acted too."""
    position = Position().hand(0, "clerk").resources(0, 3).brass(0, 0)
    position.company(0).platform = DOWN
    position.do(Rebuild())
    assert (position.company(0).platform, position.state.construction) == (0, 2)
    position.do(Convert(1))
    assert position.company(0).brass == 1


@pytest.mark.rule("BE-PLT-13")
def test_a_damaged_platform_that_stands_is_not_mended() -> None:
    """Rebuilding is for a destroyed one."""
    position = Position().hand(0, "clerk").resources(0, 3)
    position.company(0).platform = 1
    assert position.why_not(Rebuild()) == "platform_stands"


@pytest.mark.rule("BE-PLT-9")
def test_without_a_platform_destroying_in_combat_brings_no_brass() -> None:
    """The card is destroyed all the same."""
    position = Position().hand(0, "clerk").brass(0, 0)
    unit, victim = position.piece(0, "sky_dreadnought"), position.piece(1, "kiln_golem")
    position.company(0).platform = DOWN
    position.attack(unit, victim)
    assert [event.card for event in position.told(Destroyed)] == [position.card("kiln_golem")]
    assert position.told(BrassTaken) == []
    assert position.company(0).brass == 0


@pytest.mark.rule("BE-PLT-11")
def test_card_texts_that_gain_brass_work_without_a_platform() -> None:
    """Railcar Thief takes its brass."""
    position = Position().hand(0, "railcar_thief", "clerk").brass(0, 0)
    position.company(0).platform = DOWN
    position.play("railcar_thief")
    assert position.company(0).brass == 1


@pytest.mark.rule("BE-PLT-12")
def test_the_platform_is_a_building_for_what_strikes_buildings() -> None:
    """And not for what strikes units."""
    position = Position().hand(0, "spark_drone", "clerk")
    position.piece(1, "kiln_golem")
    position.play("spark_drone")
    assert 1 in position.offered("target")
    position.do(Strike(1))
    assert position.company(1).platform == 1
    sniper = Position().hand(0, "pendulum_sniper", "clerk")
    sniper.play("pendulum_sniper")
    assert sniper.company(1).platform == 0
