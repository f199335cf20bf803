"""The action phase: BE-ACT."""

import pytest

from engine.brass_empire.choices import Accept, Act, Attack, Decline, Dismiss, Mine, Strike
from engine.brass_empire.events import Attacked, BrassTaken, Destroyed, Mined, PoolEmpty
from engine.brass_empire.state import DOWN
from tests.engine.brass_empire.position import Position, with_effects


def _two(*own: str, foe: str = "kiln_golem", **options: object) -> tuple[Position, list[int], int]:
    """A position with units of seat 0 that may act, and one card of seat 1; seat 0 has more to do afterwards."""
    position = Position(**options).hand(0, "clerk").hand(1, "clerk").brass(0, 0).resources(0, 2)  # type: ignore[arg-type]
    return position, [position.piece(0, name) for name in own], position.piece(1, foe)


@pytest.mark.rule("BE-ACT-1")
def test_each_unit_in_play_before_this_turn_takes_one_action() -> None:
    """Mine, attack, or the action printed on it; not a second one, and not in the turn of its mobilization."""
    position, (first, second, titan), foe = _two("overclocked_wagon", "kiln_golem", "voltaic_titan")
    fresh = position.piece(0, "overclocked_wagon", fresh=True)
    position.mine(first).attack(second, foe)
    assert position.why_not(Attack(first, foe)) == "unit_acted"
    assert position.why_not(Mine((second,))) == "unit_acted"
    assert position.why_not(Mine((fresh,))) == "unit_fresh"
    position.act(titan, Strike(1))
    assert position.why_not(Act(titan)) == "no_unit_ready"


@pytest.mark.rule("BE-ACT-2")
def test_mining_takes_brass_equal_to_the_attack_from_the_pool() -> None:
    """Each unit its own."""
    position, units, _ = _two("overclocked_wagon", "kiln_golem")
    position.mine(*units)
    assert [event.brass for event in position.told(Mined)] == [3, 2]
    assert (position.company(0).brass, position.state.pool) == (5, 45)


@pytest.mark.rule("BE-ACT-3", "BE-ACT-5")
def test_both_deal_their_attack_to_each_other_at_the_same_time_and_damage_stays() -> None:
    """Golem against golem: two damage each, still there in the next turn."""
    position, (unit,), foe = _two("kiln_golem")
    position.attack(unit, foe)
    assert (position.told(Attacked)[0].dealt, position.told(Attacked)[0].suffered) == (2, 2)
    assert [company.pieces[0].damage for company in position.state.companies] == [2, 2]
    killer, (wagon,), shinobi = _two("kiln_golem", foe="rooftop_shinobi")
    killer.attack(wagon, shinobi)
    assert killer.in_play(1) == []
    assert killer.company(0).pieces[0].damage == 2
    position.deck(0, *["clerk"] * 9).deck(1, *["clerk"] * 9).end().end()
    assert [company.pieces[0].damage for company in position.state.companies] == [2, 2]


@pytest.mark.rule("BE-ACT-4")
def test_a_unit_mobilized_this_turn_still_hits_back() -> None:
    """In the opponent's turn after it; but it neither attacks nor mines."""
    own, _, foe = _two("kiln_golem")
    new = own.piece(0, "kiln_golem", fresh=True)
    assert [own.why_not(choice) for choice in (Attack(new, foe), Mine((new,)))] == ["unit_fresh", "unit_fresh"]
    position, (unit,), _ = _two("kiln_golem")
    fresh = position.piece(1, "kiln_golem", fresh=True)
    position.attack(unit, fresh)
    assert position.company(0).pieces[0].damage == 2


@pytest.mark.rule("BE-ACT-6", "BE-ACT-7", "BE-ACT-22")
def test_a_destroyed_card_goes_to_its_owners_discard_pile_for_its_brass_value() -> None:
    """It comes back undamaged when it is played again."""
    position, (unit,), foe = _two("sky_dreadnought", foe="payroll_vault")
    position.company(1).pieces[0] = position.company(1).pieces[0].__class__(foe, position.card("payroll_vault"), 2)
    position.attack(unit, foe)
    assert position.names(position.company(1).discard) == ["payroll_vault"]
    assert [(event.seat, event.brass) for event in position.told(BrassTaken)] == [(0, 3)]
    again = Position().hand(0, "kiln_golem", "clerk").play("kiln_golem")
    assert again.company(0).pieces[0].damage == 0


@pytest.mark.rule("BE-ACT-15")
def test_a_card_without_brass_value_gives_one() -> None:
    """The platform among them."""
    position, (unit,), _ = _two("overclocked_wagon")
    position.attack(unit, 1)
    assert [event.brass for event in position.told(BrassTaken)] == [1]


@pytest.mark.rule("BE-ACT-16")
def test_a_defender_whose_card_destroys_the_attacker_takes_brass_too() -> None:
    """Both destroyed: both take."""
    position, (unit,), foe = _two("overclocked_wagon", foe="lacquered_ronin")
    position.attack(unit, foe)
    taken = {event.seat: event.brass for event in position.told(BrassTaken)}
    assert taken == {0: 2, 1: 2}
    assert position.in_play(0) == position.in_play(1) == []


@pytest.mark.rule("BE-ACT-8")
def test_a_card_destroyed_by_an_effect_yields_no_brass() -> None:
    """The platform included."""
    position, (titan,), _ = _two("voltaic_titan")
    position.act(titan, Strike(1))
    assert position.company(1).platform == DOWN
    assert position.told(BrassTaken) == []
    assert [company.brass for company in position.state.companies] == [0, 0]
    assert position.state.pool == 50


@pytest.mark.rule("BE-ACT-9")
def test_buildings_neither_attack_nor_mine() -> None:
    """Though they have an attack of their own, with which they hit back."""
    position, (bastion, unit), foe = _two("flak_bastion", "kiln_golem", foe="flak_bastion")
    assert position.why_not(Attack(bastion, foe)) == "no_unit"
    assert position.why_not(Mine((bastion,))) == "no_unit"
    position.attack(unit, foe)
    assert position.company(0).pieces[1].damage == 2


@pytest.mark.rule("BE-ACT-10", "BE-ACT-17", "BE-ACT-19")
def test_a_warden_guards_its_owners_other_buildings_and_not_units() -> None:
    """The platform among them; of several wardens any may be attacked."""
    position, (unit,), golem = _two("kiln_golem")
    yard = position.piece(1, "supply_yard")
    palisade = position.piece(1, "iron_palisade")
    vault = position.piece(1, "payroll_vault")
    assert position.why_not(Attack(unit, yard)) == "guarded"
    assert position.why_not(Attack(unit, 1)) == "guarded"
    for target in (palisade, vault, golem):
        assert position.why_not(Attack(unit, target)) == ""


@pytest.mark.rule("BE-ACT-10")
def test_a_warden_that_is_a_unit_guards_buildings_too() -> None:
    """While it stands."""
    position, (unit, strong), sentry = _two("kiln_golem", "sky_dreadnought", foe="spring_sentry")
    assert position.why_not(Attack(unit, 1)) == "guarded"
    position.attack(strong, sentry)
    assert position.why_not(Attack(unit, 1)) == ""


@pytest.mark.rule("BE-ACT-18")
def test_an_effects_damage_ignores_wardens() -> None:
    """A guarded yard is struck, and a guarded platform."""
    position, (titan, other), _ = _two("voltaic_titan", "voltaic_titan", foe="iron_palisade")
    yard = position.piece(1, "supply_yard")
    position.act(titan, Strike(yard))
    assert position.company(1).pieces[1].damage == 3
    position.act(other, Strike(1))
    assert position.company(1).platform == DOWN


@pytest.mark.rule("BE-ACT-11")
def test_units_act_one_at_a_time_in_the_order_wanted() -> None:
    """The first breaks the warden, the second strikes what it guarded."""
    position, (first, second), palisade = _two("sky_dreadnought", "overclocked_wagon", foe="iron_palisade")
    position.attack(first, palisade).attack(second, 1)
    assert position.company(1).platform == DOWN


@pytest.mark.rule("BE-ACT-13")
def test_a_destroyed_card_lies_in_the_discard_pile_before_its_effect() -> None:
    """Chroniker draws itself back when there is nothing else to draw."""
    position, (unit,), foe = _two("sky_dreadnought", foe="chroniker")
    position.attack(unit, foe)
    assert position.asked() == ("effect", (1,))
    position.do(Accept())
    assert sorted(position.names(position.company(1).hand)) == ["chroniker", "clerk"]


@pytest.mark.rule("BE-ACT-20")
def test_attack_and_kill_effects_happen_though_the_unit_was_destroyed() -> None:
    """Tesla Trooper falls and its company draws one more; Boarding Corsair falls and steals."""
    position, (trooper,), _ = _two("tesla_trooper")
    strong = position.piece(1, "sky_dreadnought")
    position.attack(trooper, strong)
    assert position.in_play(0) == []
    assert position.state.end_draw == 1
    corsair, (unit,), foe = _two("boarding_corsair", foe="overclocked_wagon")
    corsair.brass(0, 5).attack(unit, foe)
    assert corsair.in_play(0) == corsair.in_play(1) == []
    assert corsair.company(1).brass == 5 + 2 - 1


@pytest.mark.rule("BE-ACT-14")
def test_of_cards_destroyed_together_the_active_companys_come_first() -> None:
    """Then the others clockwise."""
    position, (unit,), foe = _two("tower_colossus", foe="tower_colossus")
    for company in position.state.companies:
        company.pieces[0] = company.pieces[0].__class__(company.pieces[0].id, company.pieces[0].card, 3)
    position.deck(0, "clerk").deck(1, "clerk").attack(unit, foe)
    assert position.asked() == ("effect", (0,))
    position.do(Decline())
    assert position.asked() == ("effect", (1,))


@pytest.mark.rule("BE-ACT-12")
def test_brass_is_paid_in_full_though_the_pool_holds_less() -> None:
    """Mining three of a pool of one."""
    position, (unit,), _ = _two("overclocked_wagon")
    position.brass(49, 0).mine(unit)
    assert (position.company(0).brass, position.state.pool, position.state.spare) == (52, 0, 2)
    assert position.told(PoolEmpty)


@pytest.mark.rule("BE-ACT-23", "BE-EFF-16")
def test_destroyed_effects_happen_whatever_destroyed_the_card_and_in_anyones_turn() -> None:
    """By an effect in the opponent's turn; in combat the defender's, and the attacker's own."""
    position, (titan,), foe = _two("voltaic_titan", foe="chroniker")
    position.company(1).pieces[0] = position.company(1).pieces[0].__class__(foe, position.card("chroniker"), 2)
    position.deck(1, "manager").act(titan, Strike(foe))
    assert position.told(Destroyed)
    assert position.asked() == ("effect", (1,))
    position.do(Accept())
    assert "manager" in position.names(position.company(1).hand)
    for own, other, seat in (("sky_dreadnought", "chroniker", 1), ("chroniker", "sky_dreadnought", 0)):
        position, (unit,), foe = _two(own, foe=other)
        position.deck(0, "manager").deck(1, "manager").attack(unit, foe)
        assert position.asked() == ("effect", (seat,))


@pytest.mark.rule("BE-ACT-21")
def test_whether_a_platform_stands_is_taken_from_before_the_battle() -> None:
    """The defender's is down: it takes nothing for the attacker that it destroys, the attacker does for it."""
    position, (unit,), foe = _two("overclocked_wagon", foe="lacquered_ronin")
    position.company(1).platform = DOWN
    position.attack(unit, foe)
    assert [event.seat for event in position.told(BrassTaken)] == [0]
    armed = Position(components=with_effects("mining_platform", attack=2)).hand(0, "clerk").hand(1, "clerk")
    armed.attack(armed.piece(0, "overclocked_wagon"), 1)
    assert armed.company(1).platform == DOWN
    assert [(event.seat, event.brass) for event in armed.told(BrassTaken)] == [(0, 1), (1, 2)]


@pytest.mark.rule("BE-EFF-17", "BE-EFF-18", "BE-EFF-19", "BE-EFF-20")
def test_what_happens_after_an_attack_a_kill_mining_and_by_an_action() -> None:
    """Each at its moment, and only then."""
    position, (bailiff,), foe = _two("cogwork_bailiff", foe="kiln_golem")
    position.attack(bailiff, foe)
    assert position.state.end_draw == 0
    killer, (bailiff,), foe = _two("cogwork_bailiff", foe="rooftop_shinobi")
    killer.attack(bailiff, foe)
    assert killer.state.end_draw == 1
    platform, (bailiff,), _ = _two("cogwork_bailiff")
    platform.attack(bailiff, 1)
    assert platform.state.end_draw == 1
    miner, (handcar,), _ = _two("steam_handcar")
    miner.mine(handcar)
    assert miner.company(0).brass == 2
    cycle, (unit,), foe = _two("zhan_shi_cycle", foe="iron_palisade")
    cycle.discard(0, "clerk").attack(unit, foe)
    cycle.do(Dismiss((cycle.card("clerk"),)))
    assert cycle.names(cycle.state.gone) == ["clerk"]
    steal, (unit,), foe = _two("boarding_corsair", foe="rooftop_shinobi")
    steal.brass(0, 3).attack(unit, foe)
    assert steal.company(1).brass == 2
    titan, (unit, other), foe = _two("voltaic_titan", "kiln_golem", foe="iron_palisade")
    titan.act(unit, Strike(foe))
    assert titan.why_not(Act(unit)) == "no_unit_with_action"
    assert [titan.why_not(choice) for choice in (Attack(unit, foe), Mine((unit,)))] == ["unit_acted", "unit_acted"]
    assert titan.why_not(Mine((other,))) == ""
