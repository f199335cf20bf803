"""What a company does that does not answer."""

from random import Random

import pytest

from engine.chance import RandomChance, pick_from
from engine.contract import Setup
from engine.rockwell import MODULE
from engine.rockwell.choices import (
    AutomatonMove,
    AutomatonRaise,
    Bid,
    Cover,
    Drill,
    First,
    Insure,
    Pass,
    Place,
    RockwellChoice,
)
from engine.rockwell.state import (
    CONTROL,
    EXCHANGE,
    WORKSHOP,
    Auction,
    AutomatonMoving,
    AutomatonRaising,
    Insuring,
    Placing,
    Step,
)
from engine.spaces import allows, sample
from tests.engine.rockwell.late import GREEN, PURPLE, RED, WHITE, at_market, at_workshop, on_board, rich
from tests.engine.rockwell.position import Position, tile

NOTHING = (0, 0, 0, 0)


def default(position: Position) -> RockwellChoice:
    """What the first seat that is asked does when it is silent; a legal choice."""
    seat = position.asked()[1][0]
    choice = position.rules.default(position.state, seat)
    assert allows(position.rules.space(position.state, seat), choice)
    return choice


@pytest.mark.rule("RW-DEF-1")
def test_who_is_silent_bids_nothing() -> None:
    """However rich it is."""
    assert default(rich(Position()).step(Auction())) == Bid(0, NOTHING)


@pytest.mark.rule("RW-DEF-2")
@pytest.mark.parametrize(
    ("control", "exchange", "workshop", "expected"),
    [
        ((), (), (), Place(CONTROL, 0)),
        ((GREEN,), (), (), Place(EXCHANGE, 0)),
        ((GREEN,), (-1, GREEN), (PURPLE, WHITE), Place(CONTROL, 1)),
        ((GREEN, WHITE), (PURPLE, GREEN), (-1, PURPLE, -1), Place(WORKSHOP, 0)),
        ((-1, RED), (GREEN, PURPLE), (PURPLE, WHITE), Place(EXCHANGE, 2)),
        ((-1, RED), (GREEN, PURPLE, WHITE), (PURPLE, -1), Place(WORKSHOP, 1)),
    ],
)
def test_who_is_silent_places_on_the_leftmost_slot_of_the_board_with_most_free(
    control: tuple[int, ...], exchange: tuple[int, ...], workshop: tuple[int, ...], expected: Place
) -> None:
    """The lower board on a tie; never a board where it already is."""
    position = Position().step(Placing(0))
    for board, seats in enumerate((control, exchange, workshop)):
        on_board(position, board, *seats)
    assert position.asked() == ("place", (RED,))
    assert default(position) == expected


@pytest.mark.rule("RW-DEF-3")
def test_who_is_silent_insures_nothing() -> None:
    """However much it has."""
    assert default(rich(Position()).step(Insuring())) == Insure(NOTHING)


@pytest.mark.rule("RW-DEF-4")
def test_the_first_crew_of_who_is_silent_that_is_not_at_the_centre_stays() -> None:
    """Without bribery or hire, though both would be possible; its die stays beside it."""
    for slot in range(4):
        position = rich(Position()).crew(RED, 0, "centre").crew(RED, 1, "C3", die=1).crew(GREEN, 0, "C4")
        assert default(position.slot(CONTROL, slot, RED).drilling(RED)) == Drill(1, tile("C3"))


@pytest.mark.rule("RW-DEF-5")
@pytest.mark.parametrize(("insurance", "discarded"), [(1, 1), (3, 3), (9, 4)])
def test_who_is_silent_discards_insurance_for_every_cube_as_far_as_it_has_any(insurance: int, discarded: int) -> None:
    """Power 5 and safety 1: four cubes would be lost."""
    position = Position().tile("B3", 5).crew(RED, 0, "B3", power=4).crew(RED, 1, "B2").levels(RED, safety=1)
    position.card((9, 0, 0, 0), danger=True).stock(RED, insurance=insurance)
    position.drilling(RED).do(Drill(1, tile("B3")))
    assert default(position) == Cover(discarded)


@pytest.mark.rule("RW-DEF-6")
def test_who_is_silent_passes_in_market_and_workshop() -> None:
    """Though it could trade and act."""
    assert default(at_market(rich(Position()), GREEN)) == Pass()
    assert default(at_workshop(rich(Position()), GREEN)) == Pass()


@pytest.mark.rule("RW-DEF-7")
@pytest.mark.parametrize(("border", "lower"), [("B3/B4", "B3"), ("B1/B8", "B1")])
def test_the_straddling_crew_of_who_is_silent_takes_the_tile_of_the_lower_number(border: str, lower: str) -> None:
    """Also where the ring closes."""
    first, second = border.split("/")
    position = Position().tile(first, 3).tile(second, 3).crew(RED, 1, border)
    position.crew(GREEN, 0, first).crew(PURPLE, 0, second)
    position.slot(CONTROL, 2, RED).drilling(RED).do(Drill(1, position.state.at[1], hire=1))
    assert position.asked() == ("first", (RED,))
    assert default(position) == First(tile(lower))


AUTOMATON = 8


def with_automaton(step: Step) -> Position:
    """Two companies and the automaton, whose crews 1 to 4 stand on C4, at entrance 3, on B2 and at entrance 2."""
    position = Position(2).tile("A3", 4).tile("A4", 4).tile("A5", 9).tile("A6", 4).tile("C4", 9).tile("B2", 9)
    for crew, spot in enumerate(("C4", "entrance 3", "B2", "entrance 2")):
        position.crew(2, crew, spot)
    return position.step(step)


@pytest.mark.rule("RW-DEF-8")
@pytest.mark.parametrize(
    ("power", "expected"),
    [((1, 1, 1, 1), AutomatonMove(3, tile("A3"))), ((4, 2, 4, 1), AutomatonMove(1, tile("A6")))],
)
def test_for_the_automaton_the_first_choice_in_the_order_of_the_board_is_taken(
    power: tuple[int, ...], expected: AutomatonMove
) -> None:
    """Of crews equally near to come into play and their equally ripe tiles, the tile of the lowest number."""
    position = with_automaton(AutomatonMoving(1))
    position.state.power[AUTOMATON:] = power
    assert position.rules.default(position.state, RED) == expected


@pytest.mark.rule("RW-DEF-8")
def test_for_its_step_the_automatons_first_crew_below_power_4_is_taken() -> None:
    """Wherever the crews stand."""
    position = with_automaton(AutomatonRaising())
    assert position.rules.default(position.state, RED) == AutomatonRaise(0)
    position.state.power[AUTOMATON:] = [4, 4, 3, 1]
    assert position.rules.default(position.state, RED) == AutomatonRaise(2)


def test_the_default_is_legal_at_every_decision() -> None:
    """Random games, each seat asked what it would do if it were silent."""
    for seed in range(3):
        rules = MODULE.bind(Setup(2 + seed))
        random = Random(seed)
        chance, pick = RandomChance(random), pick_from(random)
        state = rules.start(chance, [])
        while (decision := rules.pending(state)) is not None:
            for seat in decision.seats:
                assert allows(rules.space(state, seat), rules.default(state, seat))
            rules.apply(state, {seat: sample(rules.space(state, seat), pick) for seat in decision.seats}, chance, [])
