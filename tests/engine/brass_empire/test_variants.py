"""Other variants: BE-VAR."""

from collections import Counter

import pytest

from engine.brass_empire.choices import ANY, RESERVE, Corporation, Mine, Reserve
from engine.brass_empire.events import BrassTaken, Opened
from engine.brass_empire.founding import offered
from engine.brass_empire.language.intents import ReserveOf
from engine.brass_empire.rules import BrassEmpireRules
from engine.brass_empire.state import DOWN, Founding, Reserving, State
from engine.brass_empire.tables import tables
from engine.contract import Event, Obstacle, Setup
from engine.errors import BadSetup, Illegal
from engine.spaces import check
from tests.engine.brass_empire.position import Position, Script


@pytest.mark.rule("BE-VAR-1", "BE-VAR-6")
def test_in_the_first_edition_a_card_destroyed_in_combat_yields_one_brass() -> None:
    """Whatever its value; the destroyer's platform must stand, and effects yield nothing."""
    position = Position(first_edition=True).hand(0, "clerk").resources(0, 2)
    position.attack(position.piece(0, "sky_dreadnought"), position.piece(1, "chroniker"))
    assert [event.brass for event in position.told(BrassTaken)] == [1]
    down = Position(first_edition=True).hand(0, "clerk").resources(0, 2)
    down.company(0).platform = DOWN
    down.attack(down.piece(0, "sky_dreadnought"), down.piece(1, "kiln_golem"))
    assert down.told(BrassTaken) == []
    effect = Position(first_edition=True).hand(0, "spark_drone", "clerk")
    effect.company(1).platform = DOWN
    effect.piece(1, "rooftop_shinobi")
    effect.play("spark_drone")
    assert effect.told(BrassTaken) == []


@pytest.mark.rule("BE-VAR-5")
def test_in_the_first_edition_units_mine_without_a_platform() -> None:
    """In the revised one they don't."""
    position = Position(first_edition=True).hand(0, "clerk")
    position.company(0).platform = DOWN
    assert position.why_not(Mine((position.piece(0, "kiln_golem"),))) == ""


def _founded(seats: int = 2, **options: object) -> tuple[BrassEmpireRules, State, Script]:
    """A game with custom reserves whose first company is asked for its own."""
    rules, script = BrassEmpireRules(Setup(seats, {"custom_reserve": True, **options})), Script()
    state = rules.start(script, [])
    while isinstance(state.stack[0], Founding):
        decision = rules.pending(state)
        assert decision is not None
        rules.apply(state, {decision.seats[0]: Corporation(ANY)}, script, [])
    return rules, state, script


def _numbers(rules: BrassEmpireRules, *cards: str) -> list[int]:
    number = {card.id: place for place, card in enumerate(rules.tables.cards)}
    return sorted(number[card] for card in cards)


def _code(rules: BrassEmpireRules, state: State, *cards: str) -> str:
    try:
        check(rules.space(state, 0), Reserve(tuple(_numbers(rules, *cards))))
    except Illegal as illegal:
        return illegal.code
    return ""


@pytest.mark.rule("BE-VAR-2")
def test_a_reserve_is_made_of_cards_of_the_corporation_worth_the_same_for_all() -> None:
    """Ten at most; `reserve_brass` says how much."""
    rules, state, _ = _founded(reserve_brass=8)
    assert rules.pending(state) is not None
    assert _code(rules, state, "grand_horologist", "watch_engraver", "beat_constable") == ""
    assert _code(rules, state, "grand_horologist", "watch_engraver") == "reserve_worth"
    short = ReserveOf(tuple((card, 1) for card in _numbers(rules, "grand_horologist", "watch_engraver")))
    told = rules.obstacle(rules.view(state, 0), RESERVE, 0, short)
    assert told == Obstacle("reserve_worth", {"needed": 8, "most": 10, "has": 7, "count": 2})
    assert _code(rules, state, "grand_horologist", "chroniker", "railcar_thief") == "not_for_reserve"
    assert _code(rules, state, "grand_horologist", "grand_horologist") in ("not_for_reserve", "reserve_worth")
    eleven = ["pendulum_sniper"] * 3 + ["beat_constable"] * 3 + ["watch_engraver"] * 3 + ["gumshoe"] * 2
    many, other, _ = _founded(reserve_brass=11)
    assert _code(many, other, *eleven) == "reserve_worth"


@pytest.mark.rule("BE-VAR-7", "BE-VAR-3")
def test_cards_chosen_from_the_pools_are_taken_out_of_them() -> None:
    """The corporations' own cards that no reserve has are left out, or go into the pools."""
    for in_pools in (False, True):
        rules, state, script = _founded(corporation_cards_in_pools=in_pools)
        events: list[Event] = []
        while isinstance(state.stack[0], Reserving):
            decision = rules.pending(state)
            assert decision is not None
            (seat,) = decision.seats
            chosen = rules.default(state, seat)
            if seat == 0:
                number = {card.id: place for place, card in enumerate(rules.tables.cards)}
                names = ("grand_horologist", "watch_engraver", "chroniker")
                chosen = Reserve(tuple(sorted(number[name] for name in names)))
                check(rules.space(state, seat), chosen)
            rules.apply(state, {seat: chosen}, script, events)
        assert any(isinstance(event.data, Opened) for event in events)
        assert list(rules.invariants(state)) == []
        found = Counter(rules.tables.cards[card].id for card in _everywhere(state))
        assert (found["grand_horologist"], found["chroniker"], found["hiring_agent"]) == (1, 2, 2)
        assert found["gumshoe"] == (3 if in_pools else 0)
        assert found["volt_militia"] == (3 if in_pools else 0)


def _everywhere(state: State) -> list[int]:
    found = [card for pile in (*state.rows, *state.decks) for card in pile if card >= 0]
    for company in state.companies:
        found += [*company.hand, *company.deck, *company.discard, *company.reserve]
    return found


@pytest.mark.rule("BE-VAR-7")
def test_no_more_copies_are_chosen_than_the_box_holds() -> None:
    """Two companies of one corporation share the pools' copies."""
    rules, state, script = _founded(6)
    number = {card.id: place for place, card in enumerate(rules.tables.cards)}
    corps = [company.corp for company in state.companies]
    (shared,) = {corp for corp in corps if corps.count(corp) == 2}
    first, second = (seat for seat in range(6) if corps[seat] == shared)
    before = offered(rules.tables, state, second)
    rules.apply(state, {first: rules.default(state, first)}, script, [])
    own = rules.tables.reserves[shared]
    assert [before.count(card) for card in set(own)] == [2 * own.count(card) for card in set(own)]
    after = offered(rules.tables, state, second)
    assert len(after) == len(before) - len(own)
    assert before.count(number["grand_horologist"]) == 1


@pytest.mark.rule("BE-VAR-4")
def test_the_table_may_set_the_size_of_the_pool() -> None:
    """Whatever the number of companies."""
    assert Position(2, pool=30).opened.pool == 30
    assert Position(5, pool=120).opened.pool == 120


@pytest.mark.rule("BE-VAR-8")
def test_which_variant_is_for_how_many_companies() -> None:
    """First edition, custom reserve and battle for two to six; the automaton for one."""
    for name in ("first_edition", "custom_reserve", "battle"):
        for seats in range(2, 7):
            tables(Setup(seats, {name: True}))
        with pytest.raises(BadSetup, match=name):
            tables(Setup(1, {name: True}))
    assert [tables(Setup(seats)).solo for seats in range(1, 7)] == [True] + [False] * 5
