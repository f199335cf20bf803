"""The primitives that cards are made of: BE-EFF."""

import pytest

from engine.brass_empire.choices import Accept, Acquire, Decline, Discard, Dismiss, Pick, Steal, Strike
from engine.brass_empire.events import BrassTaken, Destroyed, Drew, Struck
from tests.engine.brass_empire.position import Position, with_effects


@pytest.mark.rule("BE-EFF-2", "BE-EFF-22")
def test_labor_and_construction_are_gained_in_ones_own_turn_alone() -> None:
    """A card that makes them when it is destroyed in another's turn makes nothing."""
    gains = (
        {"when": "destroyed", "do": "gain_labor", "n": 2},
        {"when": "destroyed", "do": "gain_construction", "n": 2},
    )
    position = Position(components=with_effects("kiln_golem", *gains)).hand(0, "clerk").hand(1, "clerk").resources(0, 2)
    position.attack(position.piece(0, "sky_dreadnought"), position.piece(1, "kiln_golem"))
    assert (position.state.labor, position.state.construction) == (0, 2)
    own = Position().hand(0, "line_supervisor", "clerk").play("line_supervisor")
    assert (own.state.labor, own.state.construction) == (1, 1)


@pytest.mark.rule("BE-EFF-3")
def test_brass_gained_comes_from_the_pool_and_is_never_capped_by_it() -> None:
    """Three of a pool of two."""
    position = Position().hand(0, "claim_baron", "clerk").brass(48, 0).play("claim_baron")
    assert (position.company(0).brass, position.state.pool) == (51, 0)
    assert [event.brass for event in position.told(BrassTaken)] == [3]


@pytest.mark.rule("BE-EFF-4")
def test_cards_are_drawn_at_once() -> None:
    """They can be played in the same turn."""
    position = Position().hand(0, "tower_archivist", "clerk").deck(0, "manager", "paymaster").play("tower_archivist")
    assert position.told(Drew)[0].count == 2
    position.play("manager")
    assert position.state.labor == 2


@pytest.mark.rule("BE-EFF-23")
def test_more_cards_at_the_end_of_the_turn_add_up() -> None:
    """Two troopers, seven cards; the next turn five again."""
    position = Position().hand(0, "clerk").hand(1, "clerk").deck(0, *["union_worker"] * 30).deck(1, *["clerk"] * 9)
    position.resources(0, 2)
    for _ in range(2):
        position.attack(position.piece(0, "tesla_trooper"), position.piece(1, "payroll_vault"))
    position.end()
    assert position.state.seat == 1
    assert len(position.company(0).hand) == 7
    position.end().end()
    assert len(position.company(0).hand) == 5


@pytest.mark.rule("BE-EFF-24", "BE-EFF-21")
def test_a_larger_hand_while_the_card_is_face_up() -> None:
    """Not while it is under construction."""
    position = Position().hand(0, "clerk").hand(1, "clerk").deck(0, *["clerk"] * 20)
    position.piece(0, "signal_belfry")
    position.piece(0, "miltonian_barracks")
    position.piece(0, "signal_belfry", down=True)
    position.end()
    assert len(position.company(0).hand) == 7


@pytest.mark.rule("BE-EFF-6", "BE-EFF-25")
def test_opponents_discard_at_the_same_time_and_never_below_the_floor() -> None:
    """Those with more than three cards, one each of their own choice, neither seeing the other's."""
    position = Position(4).hand(0, "parlor_saboteur", *["clerk"] * 5)
    position.hand(1, "clerk", "clerk", "clerk", "manager").hand(2, *["clerk"] * 3).hand(3, *["clerk"] * 5)
    position.play("parlor_saboteur")
    decision = position.rules.pending(position.state)
    assert decision is not None
    assert (decision.kind, decision.seats, decision.sealed) == ("discard", (1, 3), True)
    position.do(Discard((position.card("manager"),)), Discard((position.card("clerk"),)))
    assert [len(company.hand) for company in position.state.companies] == [5, 3, 3, 4]
    assert position.names(position.company(1).discard) == ["manager"]
    assert position.asked() == ("turns", (0,))


@pytest.mark.rule("BE-EFF-6")
def test_no_more_is_discarded_than_is_above_the_floor() -> None:
    """Three of five with a floor of three are two."""
    effect = {"when": "play", "do": "opp_discard", "n": 3, "floor": 3}
    position = Position(components=with_effects("parlor_saboteur", effect)).hand(0, "parlor_saboteur", "clerk")
    position.hand(1, *["clerk"] * 4, "manager").play("parlor_saboteur")
    assert position.why_not(Discard((position.card("clerk"),))) == "too_few_cards"
    position.do(Discard((position.card("clerk"), position.card("clerk"))))
    assert len(position.company(1).hand) == 3


@pytest.mark.rule("BE-EFF-7")
def test_damage_must_be_dealt_to_a_target_of_the_kind_if_there_is_one() -> None:
    """To one card of the player's choice; none comes back; without a target nothing happens."""
    position = Position().hand(0, "pendulum_sniper", "clerk")
    first, second = position.piece(1, "kiln_golem"), position.piece(1, "kiln_golem")
    position.piece(1, "supply_yard")
    position.play("pendulum_sniper")
    assert position.offered("target") == [first, second]
    assert position.why_not(Decline()) == "wrong_kind"
    position.do(Strike(second))
    assert [piece.damage for piece in position.company(1).pieces] == [0, 2, 0]
    one = Position().hand(0, "pendulum_sniper", "clerk")
    one.piece(1, "kiln_golem")
    one.play("pendulum_sniper")
    assert len(one.told(Struck)) == 1
    none = Position().hand(0, "pendulum_sniper", "clerk").play("pendulum_sniper")
    assert none.told(Struck) == []
    assert none.asked()[0] == "turns"


@pytest.mark.rule("BE-EFF-27")
def test_what_may_be_declined_and_what_may_not() -> None:
    """`optional` effects, dismissing and acquiring; the rest never."""
    position = Position().hand(0, "clerk").deck(1, "manager").hand(1, "clerk")
    position.attack(position.piece(0, "sky_dreadnought"), position.piece(1, "chroniker"))
    position.do(Decline())
    assert position.names(position.company(1).hand) == ["clerk"]
    position = Position().hand(0, "severance_officer", "clerk").play("severance_officer")
    assert position.why_not(Dismiss(())) == ""
    position = Position().hand(0, "contract_lobbyist", "clerk").row(1, "rooftop_shinobi").play("contract_lobbyist")
    assert position.why_not(Decline()) == ""
    position = Position().hand(0, "shift_foreman", "clerk").play("shift_foreman")
    assert position.why_not(Decline()) == "wrong_kind"
    optional = {"when": "play", "do": "damage", "n": 2, "target": "unit", "optional": True}
    position = Position(components=with_effects("pendulum_sniper", optional)).hand(0, "pendulum_sniper", "clerk")
    position.piece(1, "rooftop_shinobi")
    position.play("pendulum_sniper").do(Accept())
    assert position.told(Destroyed)


@pytest.mark.rule("BE-EFF-8", "BE-WIN-6")
def test_tokens_are_stolen_of_one_opponent_of_choice_or_all_if_it_has_fewer() -> None:
    """They don't pass through the pool."""
    position = Position(3).hand(0, "clerk").brass(0, 5, 1)
    office = position.piece(0, "wiretap_office")
    pool = position.state.pool
    position.demolish(office)
    assert position.offered("seat") == [1, 2]
    position.do(Steal(2))
    assert [company.brass for company in position.state.companies] == [1, 5, 0]
    assert position.state.pool == pool
    again = Position(3).hand(0, "clerk").brass(0, 5, 0)
    again.demolish(again.piece(0, "wiretap_office"))
    assert [company.brass for company in again.state.companies] == [2, 3, 0]


@pytest.mark.rule("BE-EFF-9")
def test_a_row_card_is_had_free_up_to_a_total_cost() -> None:
    """Of the pool named, never of a reserve; it goes to the discard pile and its place is refilled."""
    position = Position().hand(0, "contract_lobbyist", "clerk").reserve(0, "clockwerks_factory")
    position.row(1, "rooftop_shinobi", "kiln_golem", deck=("spark_drone",)).row(0, "scroll_broker")
    position.play("contract_lobbyist")
    assert position.offered("card") == ["stop", (1, position.card("rooftop_shinobi"))]
    assert position.why_not(Acquire(position.card("kiln_golem"), 1)) == "too_dear"
    assert position.why_not(Acquire(position.card("scroll_broker"), 0)) == "not_in_row"
    position.do(Acquire(position.card("rooftop_shinobi"), 1))
    assert position.names(position.company(0).discard) == ["rooftop_shinobi"]
    assert position.names(position.state.rows[1][:2]) == ["spark_drone", "kiln_golem"]
    both = Position().hand(0, "takeover_counsel", "clerk").row(0, "scroll_broker").row(1, "spark_drone")
    both.play("takeover_counsel")
    assert len(both.offered("card")) == 3


@pytest.mark.rule("BE-EFF-10")
def test_one_of_the_options_happens() -> None:
    """And not the other."""
    position = Position().hand(0, "prairie_surveyor", "clerk").brass(0, 0).play("prairie_surveyor")
    assert position.why_not(Pick(2)) == "no_such_option"
    position.do(Pick(1))
    assert (position.state.labor, position.company(0).brass) == (0, 1)


@pytest.mark.rule("BE-EFF-26", "BE-EFF-28")
def test_another_card_of_the_corporation_played_earlier_counts() -> None:
    """A second copy and a building laid face down too; never the card itself."""
    alone = Position().hand(0, "beat_constable", "clerk").play("beat_constable")
    assert alone.state.labor == 1
    twice = Position().hand(0, "beat_constable", "beat_constable", "clerk")
    twice.play("beat_constable", "beat_constable")
    assert twice.state.labor == 3
    laid = Position().hand(0, "beat_constable", "records_annex", "clerk").play("records_annex", "beat_constable")
    assert laid.state.labor == 2


@pytest.mark.rule("BE-EFF-26", "BE-EFF-28")
def test_another_card_of_the_corporation_face_up_in_play_counts() -> None:
    """Units and buildings face up; not one under construction, and never the card itself."""
    position = Position().hand(0, "precinct_sergeant", "clerk").deck(0, "manager")
    position.piece(0, "records_annex", down=True)
    position.play("precinct_sergeant")
    assert position.told(Drew) == []
    position = Position().hand(0, "precinct_sergeant", "clerk").deck(0, "manager")
    position.piece(0, "records_annex")
    position.play("precinct_sergeant")
    assert position.told(Drew)
    own = {
        "when": "play",
        "do": "if_corp",
        "corp": "omni_edo",
        "scope": "in_play",
        "then": [{"do": "gain_labor", "n": 1}],
    }
    itself = Position(components=with_effects("kiln_golem", own)).hand(0, "kiln_golem", "kiln_golem", "clerk")
    itself.play("kiln_golem")
    assert itself.state.labor == 0
    itself.play("kiln_golem")
    assert itself.state.labor == 1
