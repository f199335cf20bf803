"""Alone against the automaton: BE-SOL."""

import pytest

from engine.brass_empire.choices import Attack, Convert
from engine.brass_empire.events import (
    Attacked,
    AutomatonGained,
    AutomatonTook,
    BrassTaken,
    GameEnded,
    Mined,
    TurnBegan,
)
from engine.brass_empire.state import DOWN
from tests.engine.brass_empire.position import Position


def _solo(**options: object) -> Position:
    """One company with a card in hand and cards to draw."""
    return Position(1, **options).hand(0, "clerk").deck(0, *["clerk"] * 20)  # type: ignore[arg-type]


@pytest.mark.rule("BE-SOL-1")
def test_the_company_begins_and_the_automaton_plays_after_each_of_its_turns() -> None:
    """Without being asked."""
    position = _solo()
    assert position.asked() == ("turns", (0,))
    position.end()
    assert [event.seat for event in position.told(TurnBegan)] == [1, 0]
    assert position.asked() == ("turns", (0,))
    assert position.state.round == 2


@pytest.mark.rule("BE-SOL-8")
def test_the_cards_to_the_left_shift_right_and_the_new_one_enters_leftmost() -> None:
    """When any card leaves a row."""
    position = _solo().resources(9)
    position.row(0, "manager", "contractor", "paymaster", "gumshoe", "hiring_agent", "rivet_hand", deck=("clerk",))
    position.buy("paymaster")
    assert position.names(position.state.rows[0]) == [
        "clerk",
        "manager",
        "contractor",
        "gumshoe",
        "hiring_agent",
        "rivet_hand",
    ]


@pytest.mark.rule("BE-SOL-2")
def test_its_turn_starts_with_one_brass_and_one_more_for_each_building() -> None:
    """Units don't count."""
    position = _solo().brass(0, 0)
    position.piece(1, "iron_palisade")
    position.piece(1, "supply_yard")
    position.end()
    assert [event.brass for event in position.told(AutomatonGained)] == [3]


@pytest.mark.rule("BE-SOL-3", "BE-SOL-9", "BE-SOL-11")
def test_its_units_attack_the_platform_while_the_company_has_more_tokens_and_else_mine() -> None:
    """In the order that it got them, each deciding anew; equal tokens count as not more."""
    position = _solo().brass(4, 1)
    position.piece(1, "spark_drone")
    position.piece(1, "balloon_skiff")
    position.piece(1, "kiln_golem")
    position.end()
    # 4 to 2: the drone and the skiff destroy the platform, for 1 brass; now it is down, so the golem mines.
    assert [event.card for event in position.told(Attacked)] == position.cards("spark_drone", "balloon_skiff")
    assert [event.card for event in position.told(Mined)] == position.cards("kiln_golem")
    assert position.company(0).platform == DOWN
    assert position.company(1).brass == 1 + 1 + 1 + 2
    mine = _solo().brass(0, 0).resources(0, 2)
    mine.attack(mine.piece(0, "spark_drone"), mine.piece(1, "flak_bastion"))
    assert [(event.seat, event.brass) for event in mine.told(BrassTaken)] == [(1, 1)]
    equal = _solo().brass(2, 1)
    equal.piece(1, "spark_drone")
    equal.end()
    assert equal.told(Attacked) == []
    assert len(equal.told(Mined)) == 1


@pytest.mark.rule("BE-SOL-10")
def test_its_units_attack_wardens_first() -> None:
    """The one with the least health left, then the one longest in play."""
    position = _solo().brass(9, 0)
    position.piece(0, "payroll_vault")
    position.piece(0, "iron_palisade", damage=2)
    position.piece(0, "volt_militia", damage=0)
    position.piece(0, "spring_sentry", damage=1)
    position.piece(1, "spark_drone")
    position.end()
    assert [event.target for event in position.told(Attacked)] == position.cards("volt_militia")
    damaged = _solo().brass(9, 0)
    damaged.piece(0, "volt_militia")
    damaged.piece(0, "iron_palisade", damage=4)
    damaged.piece(1, "spark_drone")
    damaged.end()
    assert [event.target for event in damaged.told(Attacked)] == damaged.cards("iron_palisade")


@pytest.mark.rule("BE-SOL-4", "BE-SOL-16", "BE-SOL-13", "BE-SOL-18")
def test_it_takes_the_rightmost_employee_and_with_seven_tokens_a_design_card() -> None:
    """Its tokens are counted after mining; from an empty row it takes nothing."""
    position = _solo().brass(0, 5)
    position.row(0, "manager", "contractor").row(1, "kiln_golem", "supply_yard").end()
    assert [event.card for event in position.told(AutomatonTook)] == position.cards("contractor")
    assert position.names(position.company(1).discard) == ["contractor"]
    rich = _solo().brass(0, 5)
    rich.row(0, "manager").row(1, "kiln_golem", "supply_yard")
    rich.piece(1, "spark_drone")
    rich.end()
    assert rich.in_play(1) == ["spark_drone", "supply_yard"]
    assert not rich.company(1).pieces[1].down
    empty = _solo().brass(0, 9).end()
    assert empty.told(AutomatonTook) == []
    assert empty.company(1).brass == 9 + 1


@pytest.mark.rule("BE-SOL-12")
def test_a_card_that_it_took_acts_from_its_next_turn_on() -> None:
    """Not in the turn that it takes it."""
    position = _solo().brass(0, 9).row(1, "kiln_golem").end()
    assert position.told(Mined) == []
    position.end()
    assert [event.card for event in position.told(Mined)] == position.cards("kiln_golem")


@pytest.mark.rule("BE-SOL-17")
def test_its_cards_do_nothing_but_guard() -> None:
    """It pays nothing and no text works for it, but a warden guards its buildings."""
    position = _solo().brass(0, 9)
    position.row(1, "freight_locomotive")
    handcar = position.piece(1, "steam_handcar")
    position.piece(1, "iron_palisade")
    yard = position.piece(1, "supply_yard")
    unit = position.piece(0, "kiln_golem")
    assert position.why_not(Attack(unit, yard)) == "guarded"
    assert position.why_not(Attack(unit, handcar)) == ""
    position.end()
    assert [event.brass for event in position.told(Mined)] == [1]
    assert position.company(1).brass == 9 + 3 + 1


@pytest.mark.rule("BE-SOL-5")
def test_its_destroyed_cards_go_to_its_score_pile() -> None:
    """And never come back: the next turn finds it without them. Employees lie there from the start."""
    position = _solo().brass(0, 0).resources(0, 2)
    position.attack(position.piece(0, "sky_dreadnought"), position.piece(1, "kiln_golem"))
    assert position.in_play(1) == []
    assert position.names(position.company(1).discard) == ["kiln_golem"]
    position.row(0, "manager").end()
    assert position.told(Mined) == []
    assert position.names(position.company(1).discard) == ["kiln_golem", "manager"]


@pytest.mark.rule("BE-SOL-14")
def test_its_tokens_can_be_stolen_its_cards_damaged_and_it_discards_nothing() -> None:
    """It has no hand."""
    position = _solo().brass(0, 3)
    position.hand(0, "patent_poacher", "parlor_saboteur", "pendulum_sniper", "clerk")
    position.piece(1, "kiln_golem")
    position.play("patent_poacher", "parlor_saboteur", "pendulum_sniper")
    assert position.asked() == ("turns", (0,))
    assert [company.brass for company in position.state.companies] == [1, 2]
    assert position.company(1).pieces[0].damage == 2


@pytest.mark.rule("BE-SOL-6", "BE-SOL-15")
def test_the_game_ends_with_the_last_token_at_once() -> None:
    """The gain is paid in full, in either turn; with `equal_turns` the automaton has its turn first."""
    position = _solo().brass(39, 0).resources(0, 4).do(Convert(2))
    assert position.asked() == ("", ())
    assert (position.company(0).brass, position.state.pool) == (41, 0)
    (ended,) = position.told(GameEnded)
    assert ended.winners == (0,)
    theirs = _solo().brass(30, 9)
    theirs.piece(1, "supply_yard")
    theirs.piece(1, "kiln_golem")
    theirs.row(0, "manager").end()
    assert theirs.asked() == ("", ())
    assert (theirs.told(Mined), theirs.told(AutomatonTook)) == ([], [])
    assert theirs.company(1).brass == 11
    equal = _solo(equal_turns=True).brass(39, 0).resources(0, 4).do(Convert(2))
    assert equal.asked() == ("turns", (0,))
    equal.end()
    assert equal.asked() == ("", ())
    assert [event.brass for event in equal.told(AutomatonGained)] == [1]


@pytest.mark.rule("BE-SOL-6", "BE-SOL-7")
def test_the_automatons_score_is_tokens_and_the_cards_that_it_took() -> None:
    """Equal brass is no win for the company."""
    position = _solo().deck(0).hand(0, "clerk").brass(19, 20).resources(0, 2)
    position.discard(1, "clerk").do(Convert(1))
    (ended,) = position.told(GameEnded)
    assert [(score.tokens, score.cards) for score in ended.scores] == [(20, 0), (20, 0)]
    assert ended.winners == (1,)
    assert [(each.place, each.score) for each in position.rules.standings(position.state)] == [(2, 20)]
    cards = _solo().deck(0).hand(0, "clerk").brass(29, 10).resources(0, 2)
    cards.discard(1, "fleet_commodore")
    cards.piece(1, "chroniker")
    cards.do(Convert(1))
    assert [(score.tokens, score.cards) for score in cards.told(GameEnded)[0].scores] == [(30, 0), (10, 9)]
    assert [(each.place, each.score) for each in cards.rules.standings(cards.state)] == [(1, 30)]


@pytest.mark.rule("BE-SOL-11")
def test_it_takes_brass_for_what_it_destroys_in_combat() -> None:
    """Though it has no platform; a destroyed card of the company asks as ever, and its turn goes on after."""
    position = _solo().brass(9, 0)
    position.piece(0, "spring_sentry", damage=2)
    position.piece(1, "spark_drone")
    position.piece(1, "spark_drone")
    position.end()
    assert position.told(BrassTaken)[0] == BrassTaken(1, 1, "destroyed", position.card("spring_sentry"))
    assert len(position.told(Attacked)) == 2
