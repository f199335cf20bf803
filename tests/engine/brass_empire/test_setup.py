"""Set-up: BE-SET."""

from collections import Counter

import pytest

from engine.brass_empire import MODULE
from engine.brass_empire.choices import ANY, Corporation
from engine.brass_empire.events import CorporationTaken, Drew, Laid
from engine.brass_empire.rules import BrassEmpireRules
from engine.brass_empire.state import Founding
from engine.brass_empire.view import UNKNOWN
from engine.contract import Setup
from engine.errors import BadSetup
from engine.registry import bind
from tests.engine.brass_empire.position import Position, Script

TEN = ["clerk"] * 7 + ["union_worker"] * 3


@pytest.mark.rule("BE-SET-1")
def test_one_to_six_companies_play() -> None:
    """No fewer, no more; one against the automaton."""
    for seats in range(1, 7):
        rules = bind("brass_empire", Setup(seats))
        assert isinstance(rules, BrassEmpireRules)
        assert rules.tables.sides == (2 if seats == 1 else seats)
    assert MODULE.seat_numbers == range(1, 7)
    with pytest.raises(BadSetup):
        BrassEmpireRules(Setup(7))


@pytest.mark.rule("BE-SET-2", "BE-SET-6", "BE-SET-12")
@pytest.mark.parametrize("seats", [1, 2, 5, 6])
def test_each_company_has_ten_cards_five_in_hand_and_a_platform_in_play(seats: int) -> None:
    """Seven Clerks and three Union Workers, shuffled: nothing of their order exists before it is drawn."""
    position = Position(seats)
    for company in position.opened.companies[:seats]:
        assert sorted(position.names(company.hand + company.deck)) == TEN
        assert len(company.hand) == len(company.deck) == 5
        assert company.platform == 0
        assert company.pieces == []
    assert position.chance.drawn.count(("deck/0", 10)) == 1


@pytest.mark.rule("BE-SET-3", "BE-SET-10")
def test_each_company_buys_from_the_six_cards_of_its_corporation_alone() -> None:
    """All of them are on offer at once, and no other company's."""
    position = Position(2)
    position.state = position.opened
    first, second = position.state.companies
    assert position.names(first.reserve) == ["gumshoe"] * 3 + ["clockwerks_factory"] * 2 + ["miltonian_barracks"]
    assert len(second.reserve) == 6
    assert not set(first.reserve) & set(second.reserve)
    position.resources(9, 9)
    own = {card for source, card in position.offered("card", "buy") if source == 2}
    assert own == set(first.reserve)


@pytest.mark.rule("BE-SET-4")
def test_units_and_buildings_are_one_deck_and_employees_the_other_with_six_of_each_on_offer() -> None:
    """190 cards less the twelve that lie face up."""
    position = Position(4)
    state, kind = position.opened, position.tables.kind
    assert [len(row) for row in state.rows] == [6, 6]
    assert [len(deck) for deck in state.decks] == [94, 84]
    assert {kind[card] for card in state.rows[0] + state.decks[0]} == {0}
    assert {kind[card] for card in state.rows[1] + state.decks[1]} == {1, 2}


@pytest.mark.rule("BE-SET-5", "BE-SET-15")
def test_the_mining_pool_goes_by_the_number_of_companies() -> None:
    """50, 50, 60, 75, 80 for two to six; 40 against the automaton."""
    assert [Position(seats).opened.pool for seats in range(1, 7)] == [40, 50, 50, 60, 75, 80]


@pytest.mark.rule("BE-SET-13")
def test_the_first_company_is_drawn_and_play_goes_clockwise() -> None:
    """From the third of four: third, fourth, first, second."""
    script = Script()
    script.ready["first"] = [2]
    rules = BrassEmpireRules(Setup(4))
    state = rules.start(script, [])
    order = []
    while isinstance(state.stack[0], Founding):
        decision = rules.pending(state)
        assert decision is not None
        order.append(decision.seats[0])
        rules.apply(state, {decision.seats[0]: Corporation(ANY)}, script, [])
    assert order == [2, 3, 0, 1]
    turns = []
    for _ in range(5):
        decision = rules.pending(state)
        assert decision is not None
        turns.append(state.seat)
        rules.apply(state, {state.seat: position_end()}, script, [])
    assert turns == [2, 3, 0, 1, 2]


def position_end() -> object:
    """The choice that ends a turn."""
    from engine.brass_empire.choices import End  # noqa: PLC0415 - one test's own

    return End()


@pytest.mark.rule("BE-SET-8", "BE-SET-7")
def test_what_is_secret_and_what_is_public() -> None:
    """Others see how many cards are in hand and deck, never which; rows, discard piles, brass and the like are open."""
    position = Position(2).hand(0, "manager", "clerk").deck(0, "paymaster").discard(0, "union_worker").brass(3, 4)
    mine, theirs, public = (position.rules.view(position.state, seat) for seat in (0, 1, None))
    assert position.names(mine.hand) == ["clerk", "manager"]
    for view in (theirs, public):
        assert view.hand == []
        assert (view.companies[0].hand, view.companies[0].deck) == (2, 1)
        assert position.names(view.companies[0].discard) == ["union_worker"]
        assert [side.brass for side in view.companies] == [3, 4]
        assert sorted(position.names(view.companies[0].unseen)) == ["clerk", "manager", "paymaster"]
    position.play("manager").end()
    (event,) = [event for event in position.events if isinstance(event.data, Drew)]
    assert event.seats == (0,)
    assert event.instead == Drew(0, event.data.count, event.data.shuffled, dealt=True)


@pytest.mark.rule("BE-SET-14")
def test_which_building_lies_face_down_is_secret() -> None:
    """That one lies there is public."""
    position = Position(2).hand(0, "supply_yard", "clerk")
    position.play("supply_yard")
    (event,) = [event for event in position.events if isinstance(event.data, Laid)]
    assert (event.seats, event.data.card, event.instead) == ((0,), position.card("supply_yard"), Laid(0, -1))
    assert position.rules.view(position.state, 0).companies[0].pieces[0].card == position.card("supply_yard")
    for seat in (1, None):
        view = position.rules.view(position.state, seat)
        (piece,) = view.companies[0].pieces
        assert (piece.card, piece.down) == (UNKNOWN, True)
        assert view.played == [UNKNOWN]


@pytest.mark.rule("BE-SET-11")
def test_companies_choose_different_corporations_and_the_rest_are_drawn() -> None:
    """A taken one is refused; who lets chance decide gets one that nobody named, drawn after all were asked."""
    rules, script = BrassEmpireRules(Setup(3)), Script()
    events: list[object] = []
    state = rules.start(script, events)  # type: ignore[arg-type]
    rules.apply(state, {0: Corporation(ANY)}, script, [])
    rules.apply(state, {1: Corporation(0)}, script, [])
    assert Corporation(0).corp not in rules.space(state, 2).part(()).values  # type: ignore[union-attr]
    script.ready["corporations"] = [2]
    told: list[object] = []
    rules.apply(state, {2: Corporation(4)}, script, told)  # type: ignore[arg-type]
    assert [company.corp for company in state.companies] == [3, 0, 4]
    drawn = [event.data for event in told if isinstance(event.data, CorporationTaken)]  # type: ignore[attr-defined]
    assert CorporationTaken(0, 3, True) in drawn
    five = Position(5)
    assert sorted(company.corp for company in five.opened.companies) == [0, 1, 2, 3, 4]


@pytest.mark.rule("BE-SET-16")
def test_a_sixth_company_shares_a_corporation_and_takes_copies_of_its_own() -> None:
    """Five different ones and one twice; its reserve and starting deck are whole."""
    position = Position(6)
    corps = Counter(company.corp for company in position.opened.companies)
    assert sorted(corps.values()) == [1, 1, 1, 1, 2]
    assert all(len(company.reserve) == 6 for company in position.opened.companies)
    rules = BrassEmpireRules(Setup(6))
    state = rules.start(Script(), [])
    offered = []
    for seat, corp in enumerate((0, 0, 1, 2, 3)):
        offered.append(list(rules.space(state, seat).part(()).values)[1:])  # type: ignore[union-attr]
        rules.apply(state, {seat: Corporation(corp)}, Script(), [])
    assert offered == [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [1, 2, 3, 4], [2, 3, 4], [3, 4]]
    assert list(position.rules.invariants(position.opened)) == []


@pytest.mark.rule("BE-SET-9")
def test_reserves_of_corporations_that_nobody_plays_are_not_in_the_game() -> None:
    """Neither in a deck nor anywhere else."""
    state = Position(2).opened
    tables = Position(2).tables
    there = {company.corp for company in state.companies}
    away = {card for corp, reserve in enumerate(tables.reserves) if corp not in there for card in reserve}
    found = set(state.rows[0] + state.rows[1] + state.decks[0] + state.decks[1])
    for company in state.companies:
        found |= {*company.deck, *company.hand, *company.reserve}
    assert not found & away
