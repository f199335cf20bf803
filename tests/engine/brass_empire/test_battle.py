"""Battle: BE-BAT."""

import pytest

from engine.brass_empire.choices import COMPANIES, Attack, Convert, Mine, Steal
from engine.brass_empire.events import AttackedCompany, BrassTaken, Destroyed, GameEnded, WentOut
from tests.engine.brass_empire.position import Position


def _battle(seats: int = 2, **options: object) -> Position:
    position = Position(seats, battle=True, **options)  # type: ignore[arg-type]
    for seat in range(seats):
        position.hand(seat, "clerk").deck(seat, *["clerk"] * 6)
    return position


@pytest.mark.rule("BE-BAT-1")
def test_each_company_has_twenty_health_and_there_is_no_pool_and_no_mining() -> None:
    """Units do other things."""
    position = _battle(3)
    assert [company.brass for company in position.opened.companies] == [20, 20, 20]
    assert position.opened.pool == 0
    unit = position.piece(0, "overclocked_wagon")
    assert position.why_not(Mine((unit,))) == "no_mining_in_battle"


@pytest.mark.rule("BE-BAT-2")
def test_what_gives_brass_restores_health_up_to_twenty() -> None:
    """With `health_cap` off beyond it."""
    position = _battle().hand(0, "claim_baron", "clerk").brass(18, 20).play("claim_baron")
    assert position.company(0).brass == 20
    free = _battle(health_cap=False).hand(0, "claim_baron", "clerk").brass(18, 20).play("claim_baron")
    assert free.company(0).brass == 21


@pytest.mark.rule("BE-BAT-3", "BE-BAT-11", "BE-BAT-6")
def test_a_unit_may_attack_a_company_wardens_or_not() -> None:
    """It loses health equal to the attack and does not strike back."""
    position = _battle().resources(0, 2)
    unit = position.piece(0, "overclocked_wagon")
    position.piece(1, "iron_palisade")
    assert position.why_not(Attack(unit, 1)) == "guarded"
    position.attack(unit, COMPANIES + 1)
    assert position.company(1).brass == 17
    assert position.told(AttackedCompany)[0].left == 17
    assert position.company(0).pieces[0].damage == 0


@pytest.mark.rule("BE-BAT-4")
def test_destroying_cards_yields_nothing() -> None:
    """Neither brass nor health."""
    position = _battle().resources(0, 2).brass(10, 10)
    position.attack(position.piece(0, "sky_dreadnought"), position.piece(1, "kiln_golem"))
    assert position.told(Destroyed)
    assert position.told(BrassTaken) == []
    assert position.company(0).brass == 10


@pytest.mark.rule("BE-BAT-5")
def test_at_nothing_a_company_is_out_and_the_last_one_standing_wins() -> None:
    """The game is over at once."""
    position = _battle().brass(20, 3)
    position.attack(position.piece(0, "sky_dreadnought"), COMPANIES + 1)
    assert position.told(WentOut) == [WentOut(1)]
    assert position.told(GameEnded)[0].winners == (0,)
    assert position.asked() == ("", ())


@pytest.mark.rule("BE-BAT-9")
def test_the_cards_of_a_company_that_is_out_leave_the_game_and_its_turn_is_passed_over() -> None:
    """Without effect: no Chroniker draws."""
    position = _battle(3).brass(20, 3, 20)
    position.piece(1, "chroniker")
    position.reserve(1, "gumshoe").discard(1, "manager")
    company = position.company(1)
    had = [*company.hand, *company.deck, *company.discard, *company.reserve, *position.cards("chroniker")]
    position.attack(position.piece(0, "sky_dreadnought"), COMPANIES + 1)
    assert [*company.hand, *company.deck, *company.discard, *company.pieces, *company.reserve] == []
    assert sorted(position.state.gone) == sorted(had)
    assert position.state.seat == 2
    position.end().end()
    assert position.state.seat == 2


@pytest.mark.rule("BE-BAT-7")
def test_two_construction_restore_one_health() -> None:
    """By the platform."""
    position = _battle().resources(0, 4).brass(10, 20).do(Convert(2))
    assert position.company(0).brass == 12


@pytest.mark.rule("BE-BAT-8")
def test_stealing_takes_health_and_restores_as_much() -> None:
    """The victim may go out by it."""
    position = _battle(3).brass(10, 20, 1)
    position.demolish(position.piece(0, "wiretap_office")).do(Steal(2))
    assert [company.brass for company in position.state.companies] == [11, 20, 0]
    assert position.state.out == [2]


@pytest.mark.rule("BE-BAT-10")
def test_companies_are_placed_by_how_long_they_lasted_and_the_last_team_wins() -> None:
    """Who fell first is last."""
    position = _battle(3).brass(20, 3, 3)
    position.resources(0, 2)
    position.attack(position.piece(0, "sky_dreadnought"), COMPANIES + 2)
    position.attack(position.piece(0, "sky_dreadnought"), COMPANIES + 1)
    assert [(each.seat, each.place) for each in position.rules.standings(position.state)] == [(0, 1), (1, 2), (2, 3)]
    team = _battle(4, teams=True).brass(20, 3, 1, 3).resources(0, 2)
    team.state.out = []
    team.attack(team.piece(0, "sky_dreadnought"), COMPANIES + 1)
    assert team.asked() == ("turns", (0,))
    team.attack(team.piece(0, "sky_dreadnought"), COMPANIES + 3)
    assert team.asked() == ("", ())
    assert [(each.seat, each.place) for each in team.rules.standings(team.state)][:2] == [(0, 1), (2, 1)]
    early = _battle(4, teams=True).brass(20, 3, 0, 3).resources(0, 2)
    early.state.out = [2]
    early.attack(early.piece(0, "sky_dreadnought"), COMPANIES + 1)
    early.attack(early.piece(0, "sky_dreadnought"), COMPANIES + 3)
    assert [(each.seat, each.place) for each in early.rules.standings(early.state)][:2] == [(0, 1), (2, 1)]


@pytest.mark.rule("BE-SET-13", "BE-BAT-9")
def test_a_round_begins_clockwise_of_a_first_company_that_is_out() -> None:
    """The next one that is still in has the first turn of it."""
    position = _battle(3).brass(3, 20, 20).end()
    position.attack(position.piece(1, "sky_dreadnought"), COMPANIES)
    assert position.state.seat == 2
    position.end()
    assert (position.state.round, position.state.seat) == (2, 1)


@pytest.mark.rule("BE-BAT-12")
def test_a_battle_in_which_nobody_has_a_card_left_ends_with_the_round() -> None:
    """Nobody could do anything ever again; the most health wins, and who has as much shares the place."""
    position = _battle(3).brass(7, 9, 9)
    position.clear()
    position.hand(0, "clerk").end()
    assert position.asked() == ("turns", (0,))
    position.clear()
    position.end()
    assert position.asked() == ("", ())
    (ended,) = position.told(GameEnded)
    assert (ended.reason, ended.winners) == ("spent", (1, 2))
    assert [(each.seat, each.place) for each in position.rules.standings(position.state)] == [(1, 1), (2, 1), (0, 3)]
    assert "over" not in set(position.rules.invariants(position.state))


@pytest.mark.rule("BE-BAT-12")
def test_a_card_that_is_left_to_anybody_keeps_the_battle_going() -> None:
    """With it something may still be bought."""
    position = _battle()
    position.clear()
    position.hand(1, "clerk")
    position.end().end()
    assert position.state.round == 2
    assert position.told(GameEnded) == []


@pytest.mark.rule("BE-BAT-12")
def test_a_battle_ends_after_its_last_round_whoever_is_left() -> None:
    """`battle_rounds`; teams are placed by the sum of their health, those who fell last by how long they lasted."""
    position = _battle(battle_rounds=20).brass(6, 5)
    position.state.round = 19
    position.end().end()
    assert position.told(GameEnded) == []
    position.end().end()
    (ended,) = position.told(GameEnded)
    assert (ended.reason, ended.winners) == ("rounds", (0,))
    team = _battle(4, teams=True, battle_rounds=20).brass(9, 6, 0, 4)
    team.state.round = 20
    team.state.out = [2]
    team.end().end().end()
    assert team.told(GameEnded)[0].winners == (1, 3)
    assert "over" not in set(team.rules.invariants(team.state))
