"""The automaton's moves at the end of each drilling round: RW-TWO-2 to 5, 7, 11 to 15, 23, 25, 26."""

from random import Random

import pytest

from engine.chance import RandomChance, pick_from
from engine.contract import Event, Setup
from engine.rockwell import MODULE
from engine.rockwell.choices import AutomatonMove, Drill
from engine.rockwell.events import AutomatonMoved, Extracted, RoundBegan, Yielded
from engine.rockwell.geometry import CENTRE, STEPS, TILE_SPOTS
from engine.rockwell.state import State
from engine.spaces import sample
from tests.engine.rockwell.late import GREEN, RED
from tests.engine.rockwell.position import Position, spot, tile
from tests.engine.rockwell.two import AUTOMATON, end_of_round, move, moves, with_automaton


def reveal(position: Position, *names: str) -> Position:
    """Turn these tiles over."""
    for name in names:
        position.reveal(name)
    return position


@pytest.mark.rule("RW-TWO-2", "RW-TWO-13")
def test_the_automaton_moves_one_crew_at_the_end_of_each_drilling_round() -> None:
    """After both companies, four times a turn, chosen by the first in the control order; before the mineshafts."""
    position = reveal(Position(2), "D8").mineshaft("D8", RED).drilling(GREEN, RED)
    for round_ in range(1, 5):
        for seat in (GREEN, RED):
            assert position.asked() == ("drill", (seat,))
            position.do(Drill(0, position.state.at[seat * 4]))
        assert position.asked() == ("automaton_move", (GREEN,))
        before = position.state.at[8:]
        move(position, round_, f"A{round_ * 2}")
        after = position.state.at[8:]
        assert [(crew, to) for crew, to in enumerate(after) if to != before[crew]] == [
            (round_ - 1, tile(f"A{round_ * 2}"))
        ]
        assert [type(event.data) for event in position.events[:2]] == [
            AutomatonMoved,
            RoundBegan if round_ < 4 else Yielded,
        ]


@pytest.mark.rule("RW-TWO-2", "RW-TWO-25", "RW-TWO-26", "RW-TWO-23")
@pytest.mark.parametrize("seed", range(4))
def test_in_whole_games_the_automaton_always_moves_by_one_tile(seed: int) -> None:
    """From entrance or tile to an adjacent tile: it never stays, straddles, or enters the centre; four times a turn."""
    told = [event.data for event in whole_game(seed)[1]]
    moved = [event for event in told if isinstance(event, AutomatonMoved)]
    turns = sum(1 for event in told if isinstance(event, RoundBegan)) // 4
    assert len(moved) == 4 * turns > 20
    for event in moved:
        assert event.to in TILE_SPOTS
        assert event.to in STEPS[event.origin]
        assert event.to != event.origin


def whole_game(seed: int) -> tuple[State, list[Event]]:
    """The end of a random game of two, and all that happened."""
    rules = MODULE.bind(Setup(2))
    random = Random(seed)
    chance, pick = RandomChance(random), pick_from(random)
    events: list[Event] = []
    state = rules.start(chance, events)
    while (decision := rules.pending(state)) is not None:
        rules.apply(state, {seat: sample(rules.space(state, seat), pick) for seat in decision.seats}, chance, events)
    return state, events


@pytest.mark.rule("RW-TWO-26", "RW-TWO-25", "RW-TWO-23")
@pytest.mark.parametrize("to", ["D4", "D4/D5", "centre"])
def test_the_automaton_can_neither_stay_nor_straddle_nor_enter_the_centre(to: str) -> None:
    """Whoever chooses for it, whatever mobility the company has."""
    position = with_automaton("D4", "A1", "A1", "A1", power=(4, 1, 1, 1)).levels(RED, mobility=3)
    assert moves(end_of_round(position)) == ["c1 C4", "c1 D3", "c1 D5"]
    assert position.why_not(AutomatonMove(0, spot(to))) == "automaton_tile"


@pytest.mark.rule("RW-TWO-3")
@pytest.mark.parametrize("idle", ["entrance 2", "B5"])
def test_a_crew_at_an_entrance_or_on_a_revealed_tile_comes_first(idle: str) -> None:
    """Before stronger and shallower ones on unrevealed tiles."""
    position = reveal(with_automaton("C3", idle, "A1", "A7", power=(4, 1, 2, 1)), "B5")
    assert {each[:2] for each in moves(end_of_round(position))} == {"c2"}
    assert position.why_not(AutomatonMove(0, tile("C4"))) == "automaton_crew"


@pytest.mark.rule("RW-TWO-4")
@pytest.mark.parametrize("revealed", [("A1", "C3", "C5", "A7"), ("A1", "C3", "C5"), ()])
def test_then_the_crew_of_most_power(revealed: tuple[str, ...]) -> None:
    """However deep it is; among those on revealed tiles, or, with none there, among all."""
    position = reveal(with_automaton("A1", "C3", "C5", "A7", power=(1, 2, 2, 1)), *revealed)
    assert {each[:2] for each in moves(end_of_round(position))} == {"c2", "c3"}


@pytest.mark.rule("RW-TWO-12")
def test_then_the_crew_on_the_shallowest_stratum() -> None:
    """Of crews alike in power on revealed tiles."""
    position = reveal(with_automaton("C1", "B3", "B5", "D7", power=(2, 2, 2, 2)), "C1", "B3", "B5", "D7")
    assert {each[:2] for each in moves(end_of_round(position))} == {"c2", "c3"}


@pytest.mark.rule("RW-TWO-14")
def test_an_entrance_is_shallower_than_stratum_a() -> None:
    """A crew still outside moves before one on a revealed A tile."""
    position = reveal(with_automaton("A1", "A3", "A5", "entrance 4"), "A1", "A3", "A5")
    assert moves(end_of_round(position)) == ["c4 A7", "c4 A8"]


@pytest.mark.rule("RW-TWO-13")
def test_between_crews_alike_the_first_company_in_the_control_order_chooses() -> None:
    """The other is not asked, and what it chose is told as its choice."""
    position = with_automaton("entrance 1", "entrance 2", "entrance 3", "entrance 4")
    position.state.control = [GREEN, RED]
    end_of_round(position)
    assert position.asked() == ("automaton_move", (GREEN,))
    move(position, 3, "A6")
    assert position.told(AutomatonMoved) == [AutomatonMoved(2, spot("entrance 3"), tile("A6"), GREEN)]


@pytest.mark.rule("RW-TWO-15")
def test_the_crew_picked_goes_to_the_nearest_of_its_own_tiles() -> None:
    """Though another crew that may be picked has a tile nearer to be extracted."""
    position = with_automaton("entrance 1", "entrance 2", "entrance 3", "A8")
    position.tile("A1", 9).tile("A2", 8).tile("A3", 2).tile("A4", 3).tile("A5", 7).tile("A6", 7)
    assert moves(end_of_round(position)) == ["c1 A2", "c2 A3", "c3 A5", "c3 A6"]


@pytest.mark.rule("RW-TWO-5")
def test_it_goes_to_the_adjacent_unrevealed_tile_that_lacks_the_least_power() -> None:
    """Required less all power there, subcontractors and straddling crews included; a revealed tile lacks nothing."""
    position = reveal(with_automaton("B3", "A8", "A8", "A8", power=(2, 1, 1, 1)), "B3", "C3")
    position.tile("A3", 4).tile("B2", 9).tile("B4", 5)
    position.crew(RED, 0, "B2", power=4, die=2).crew(GREEN, 0, "B4", power=2)
    # The four lack 4, 3 and 3.
    assert moves(end_of_round(position)) == ["c1 B2", "c1 B4"]
    position.crew(GREEN, 1, "B4/B5")
    end_of_round(position)
    assert position.told(AutomatonMoved) == [AutomatonMoved(0, tile("B3"), tile("B4"), None)]
    assert position.asked() == ("drill", (RED,))


@pytest.mark.rule("RW-TWO-7", "RW-TWO-23")
@pytest.mark.parametrize(
    ("at", "to"), [("B3", ["c1 A3", "c1 B2", "c1 B4", "c1 C3"]), ("D3", ["c1 C3", "c1 D2", "c1 D4"])]
)
def test_with_no_unrevealed_tile_adjacent_any_adjacent_tile_may_be_chosen(at: str, to: list[str]) -> None:
    """But never the centre."""
    position = with_automaton(at, "A8", "A8", "A8")
    reveal(position, "B3", "A3", "B2", "B4", "C3", "D2", "D3", "D4")
    assert moves(end_of_round(position)) == to
    assert position.why_not(AutomatonMove(0, CENTRE)) == "automaton_tile"


@pytest.mark.rule("RW-TWO-11")
def test_the_automatons_move_may_trigger_an_extraction() -> None:
    """It is then the one that triggered it: with several at the most power what is left over is the automaton's."""
    position = with_automaton("entrance 2", "A8", "A8", "A8").tile("A3", 2).crew(RED, 0, "A3").card((3, 0, 0, 0))
    before = position.company(RED).cubes[:]
    end_of_round(position)
    (event,) = position.told(Extracted)
    assert (event.tile, event.seat, event.cause, event.strength) == (tile("A3"), AUTOMATON, "automaton", 2)
    assert position.company(RED).cubes == [before[0] + 1, *before[1:]]
    # The round ends after it.
    assert [type(event.data) for event in position.events][-1] is RoundBegan
