"""Teams of two: BE-TEA."""

import pytest

from engine.brass_empire.choices import Acquire, Attack, Buy, Discard, Strike
from engine.brass_empire.events import Acquired, Bought
from engine.brass_empire.tables import tables
from engine.contract import Setup
from engine.errors import BadSetup
from tests.engine.brass_empire.position import Position


def _teams(seats: int = 4, **options: object) -> Position:
    position = Position(seats, teams=True, **options)  # type: ignore[arg-type]
    for seat in range(seats):
        position.hand(seat, "clerk").deck(seat, *["clerk"] * 6)
    return position


@pytest.mark.rule("BE-TEA-1", "BE-VAR-8")
def test_four_or_six_companies_play_in_teams_seated_apart() -> None:
    """Teams alternate; no other number can."""
    assert _teams(4).tables.mates == (2, 3, 0, 1)
    assert _teams(6).tables.mates == (3, 4, 5, 0, 1, 2)
    for seats in (1, 2, 3, 5):
        with pytest.raises(BadSetup, match="teams"):
            tables(Setup(seats, {"teams": True}))


@pytest.mark.rule("BE-TEA-2", "BE-TEA-7", "BE-TEA-10")
def test_a_teammate_is_never_a_target_and_never_harmed() -> None:
    """Any member of another team is; "each opponent" are all of these."""
    position = _teams().hand(0, "spark_drone", "parlor_saboteur", "clerk").brass(0, 1, 1, 1)
    for seat in (1, 2, 3):
        position.hand(seat, *["clerk"] * 4)
    mate, foe = position.piece(2, "kiln_golem"), position.piece(3, "kiln_golem")
    unit = position.piece(0, "overclocked_wagon")
    assert position.why_not(Attack(unit, mate)) == "no_such_target"
    assert position.why_not(Attack(unit, 2)) == "no_such_target"
    for target in (foe, 1, 3):
        assert position.why_not(Attack(unit, target)) == ""
    position.play("spark_drone")
    assert position.offered("target") == [1, 3, foe]
    position.do(Strike(1)).play("parlor_saboteur")
    assert position.asked() == ("discard", (1, 3))
    clerk = (position.card("clerk"),)
    position.do(Discard(clerk), Discard(clerk))
    assert len(position.company(2).hand) == 4
    office = position.piece(0, "wiretap_office")
    position.demolish(office)
    assert position.offered("seat") == [1, 3]


@pytest.mark.rule("BE-TEA-3")
def test_for_one_more_a_card_goes_to_the_teammate() -> None:
    """Labor from the labor row, construction from the design row; into its discard pile at once."""
    position = _teams().resources(5, 3).row(0, "manager").row(1, "spark_drone")
    position.buy("manager", 0, mate=True)
    assert position.told(Bought)[0] == Bought(0, position.card("manager"), 0, 4, 0, 2)
    assert position.names(position.company(2).discard) == ["manager"]
    position.buy("spark_drone", 1, mate=True)
    assert (position.state.labor, position.state.construction) == (0, 0)
    assert position.names(position.company(2).discard) == ["manager", "spark_drone"]
    poor = _teams().resources(3).row(0, "manager")
    assert poor.why_not(Buy(poor.card("manager"), 0, True)) == "cannot_pay_more"


@pytest.mark.rule("BE-TEA-8")
def test_a_card_had_free_may_be_passed_on_and_a_reserve_card_not() -> None:
    """For the same extra 1."""
    position = _teams().hand(0, "contract_lobbyist", "clerk").row(1, "spark_drone").resources(9, 1)
    position.reserve(0, "gumshoe").play("contract_lobbyist")
    position.do(Acquire(position.card("spark_drone"), 1, True))
    assert position.told(Acquired)[0].to == 2
    assert position.state.construction == 0
    assert position.names(position.company(2).discard) == ["spark_drone"]
    assert position.why_not(Buy(position.card("gumshoe"), 2, True)) == "cannot_pay_more"


@pytest.mark.rule("BE-TEA-5")
def test_teammates_see_each_others_hand_only_where_the_table_wants_it() -> None:
    """With `team_hands`; the opponents never."""
    closed = _teams().hand(0, "manager")
    assert closed.rules.view(closed.state, 2).mate == []
    position = _teams(team_hands=True).hand(0, "manager")
    assert position.names(position.rules.view(position.state, 2).mate) == ["manager"]
    for seat in (1, 3):
        assert position.rules.view(position.state, seat).mate == position.company((seat + 2) % 4).hand


@pytest.mark.rule("BE-TEA-4", "BE-TEA-9")
def test_the_highest_sum_wins_and_ties_are_broken_by_the_teams_sums() -> None:
    """Both of a team share its place and score."""
    position = _teams().brass(1, 5, 6, 3)
    assert [(each.seat, each.place, each.score) for each in position.rules.standings(position.state)] == [
        (1, 1, 8),
        (3, 1, 8),
        (0, 2, 7),
        (2, 2, 7),
    ]
    position.brass(1, 5, 7, 3)
    assert {each.place for each in position.rules.standings(position.state)} == {1}
    position.discard(0, "clerk")
    assert [each.seat for each in position.rules.standings(position.state) if each.place == 1] == [1, 3]


@pytest.mark.rule("BE-TEA-6")
def test_a_warden_guards_its_own_companys_buildings_only() -> None:
    """Not the teammate's."""
    position = _teams()
    unit = position.piece(0, "overclocked_wagon")
    position.piece(1, "iron_palisade")
    assert position.why_not(Attack(unit, 1)) == "guarded"
    assert position.why_not(Attack(unit, 3)) == ""
    assert position.why_not(Attack(unit, position.piece(3, "supply_yard"))) == ""
