"""The play phase: BE-PLY."""

import pytest

from engine.brass_empire.choices import Attack, Dismiss, Mine, Pick, Play
from engine.brass_empire.events import Dismissed, Laid, Lapsed, Played
from tests.engine.brass_empire.position import Position


@pytest.mark.rule("BE-PLY-1")
def test_any_number_of_cards_is_played_free_in_any_order() -> None:
    """What is not played is discarded at the end of the turn."""
    position = Position().hand(0, "manager", "clerk", "union_worker", "paymaster").deck(0, *["clerk"] * 5)
    position.play("union_worker", "manager")
    assert (position.state.labor, position.state.construction) == (2, 1)
    assert position.names(position.told(Played)[0].cards) == ["union_worker", "manager"]
    position.hand(1, "clerk").play("paymaster").end()
    assert sorted(position.names(position.company(0).discard)) == ["clerk", "manager", "paymaster", "union_worker"]


@pytest.mark.rule("BE-PLY-2")
def test_an_employee_gives_its_effects_at_once_and_is_discarded_at_the_end() -> None:
    """Until then it is in no pile."""
    position = Position().hand(0, "manager", "clerk").hand(1, "clerk").deck(0, *["clerk"] * 5)
    position.play("manager")
    assert position.state.labor == 2
    assert position.company(0).discard == []
    position.end()
    assert "manager" in position.names(position.company(0).discard)


@pytest.mark.rule("BE-PLY-3", "BE-PLY-7", "BE-PLY-9", "BE-PLY-12", "BE-EFF-1")
def test_a_unit_is_mobilized_face_up_and_stays() -> None:
    """Its mobilize effect happens then, not each turn; it can be attacked from that moment on."""
    position = Position().hand(0, "vanguard_mercenary", "clerk").hand(1, "clerk")
    position.deck(0, *["clerk"] * 5).deck(1, *["clerk"] * 5)
    enemy = position.piece(1, "kiln_golem")
    position.play("vanguard_mercenary")
    assert position.state.labor == 1
    (piece,) = position.company(0).pieces
    assert (piece.down, piece.fresh) == (False, True)
    position.end()
    assert position.why_not(Attack(enemy, piece.id)) == ""
    position.end()
    assert position.in_play(0) == ["vanguard_mercenary"]
    assert position.state.labor == 0


@pytest.mark.rule("BE-PLY-4")
def test_a_building_is_played_face_down() -> None:
    """And does nothing yet."""
    position = Position().hand(0, "relay_pylon", "clerk").play("relay_pylon")
    (piece,) = position.company(0).pieces
    assert piece.down
    assert position.state.labor == 0


@pytest.mark.rule("BE-PLY-5")
def test_a_choice_is_made_as_the_card_is_played() -> None:
    """It is asked before anything else, or said with the card."""
    position = Position().hand(0, "shift_foreman", "clerk").play("shift_foreman")
    assert position.asked() == ("effect", (0,))
    position.do(Pick(1))
    assert position.state.construction == 2
    said = Position().hand(0, "shift_foreman", "clerk").play("shift_foreman", wishes=(Pick(0),))
    assert said.state.labor == 2
    assert said.asked()[0] == "turns"


@pytest.mark.rule("BE-PLY-11")
def test_a_condition_must_hold_at_that_moment() -> None:
    """What is played afterwards does not count."""
    after = Position().hand(0, "rivet_hand", "line_supervisor", "clerk")
    after.play("line_supervisor", "rivet_hand")
    assert after.state.construction == 3
    before = Position().hand(0, "rivet_hand", "line_supervisor", "clerk")
    before.play("rivet_hand", "line_supervisor")
    assert before.state.construction == 2


@pytest.mark.rule("BE-PLY-6")
def test_labor_and_construction_last_to_the_end_of_the_turn() -> None:
    """The action phase included; then they are lost."""
    position = Position().hand(0, "manager", "clerk").hand(1, "clerk").row(0, "scroll_broker").deck(0, "clerk")
    unit = position.piece(0, "overclocked_wagon")
    position.play("manager").mine(unit).buy("scroll_broker")
    assert position.state.labor == 0
    position.resources(2, 3).end()
    assert (position.state.labor, position.state.construction) == (0, 0)


@pytest.mark.rule("BE-PLY-8")
def test_a_company_acts_in_its_own_turn_alone() -> None:
    """In another's it is asked only what a card says happens there."""
    position = Position().hand(0, "parlor_saboteur", "clerk").hand(1, *["clerk"] * 3, "manager")
    assert position.asked() == ("turns", (0,))
    assert position.why_not(Play((position.card("clerk"),)), seat=0) == ""
    position.play("parlor_saboteur")
    assert position.asked() == ("discard", (1,))


@pytest.mark.rule("BE-PLY-10")
def test_effects_happen_in_the_order_printed_each_whole_before_the_next() -> None:
    """Efficiency Monk draws first, so that what it drew may be dismissed."""
    position = Position().hand(0, "efficiency_monk", "clerk").deck(0, "paymaster")
    position.play("efficiency_monk")
    assert position.names(position.company(0).hand) == ["clerk", "paymaster"]
    assert position.card("paymaster") in position.offered("card")


@pytest.mark.rule("BE-PLY-3")
def test_a_unit_mobilized_this_turn_does_not_act() -> None:
    """The turn after it may."""
    position = Position().hand(0, "overclocked_wagon", "clerk").play("overclocked_wagon")
    (piece,) = position.company(0).pieces
    assert position.why_not(Mine((piece.id,))) == "no_unit_ready"


@pytest.mark.parametrize("rest", [("manager", "clerk", "clerk"), ("clerk", "manager", "clerk")])
def test_a_card_that_could_be_played_no_more_is_told_to_its_company_alone(rest: tuple[str, ...]) -> None:
    """What it had in mind, and where among the others, nobody else sees: they see the cards that are played."""
    position = Position().hand(0, "efficiency_monk", *rest).deck(0, "clerk")
    position.play("efficiency_monk", *rest).do(Dismiss((position.card("manager"),)))
    assert position.told(Lapsed) == [Lapsed(0, position.card("manager"))]
    others = [event.seen_by(1) for event in position.events if event.seen_by(1) is not None]
    assert [type(each) for each in others] == [Dismissed, Played]
    assert others[1].cards == (position.card("clerk"),) * 2


@pytest.mark.parametrize("rest", [("supply_yard", "clerk"), ("clerk", "supply_yard")])
def test_where_a_building_was_laid_among_other_cards_is_not_told(rest: tuple[str, ...]) -> None:
    """What a company had in mind to play, and in which order, nobody else knows while it is asked."""
    position = Position().hand(0, "efficiency_monk", "manager", *rest).deck(0, "clerk")
    position.play("efficiency_monk", *rest).do(Dismiss((position.card("manager"),)))
    assert [type(event.data) for event in position.events] == [Dismissed, Laid, Played]
