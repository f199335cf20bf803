"""Stages and agendas of both paces."""

from random import Random

from engine.chance import RandomChance, pick_from
from engine.contract import Asked, Setup
from engine.rockwell.choices import Cover, Drill, Pass
from engine.rockwell.geometry import CENTRE, ENTRANCES
from engine.rockwell.rules import RockwellRules
from engine.rockwell.state import Auction, AutomatonRaising, Insuring, Market, Placing, Workshop
from engine.spaces import sample
from tests.engine.rockwell.position import Position, tile


def walk(pace: str, turns: int) -> list[str]:
    """The keys of the stages of a random game's first turns, in order."""
    rules = RockwellRules(Setup(4))
    random = Random(3)
    chance, pick = RandomChance(random), pick_from(random)
    state = rules.start(chance, [])
    keys: list[str] = []
    while state.turn <= turns:
        decision = rules.pending(state)
        assert decision is not None
        key = rules.stage(state, pace).key
        if not keys or keys[-1] != key:
            keys.append(key)
        rules.apply(state, {seat: sample(rules.space(state, seat), pick) for seat in decision.seats}, chance, [])
    return keys


def agenda(position: Position, seat: int, pace: str) -> list[Asked]:
    """What the stage still asks of a seat for sure."""
    rules = position.rules
    return [asked for asked in rules.agenda(rules.view(position.state, seat), pace) if asked.required]


def test_strict_has_four_stages_a_turn() -> None:
    """Auction; placing; insurance and drilling; market and workshop."""
    assert walk("strict", 2) == [
        f"{turn}-{name}" for turn in (1, 2) for name in ("auction", "placing", "drilling", "market")
    ]


def test_brisk_has_two_a_turn_and_the_first_auction() -> None:
    """The bid of the next auction belongs to the market stage before it."""
    assert walk("brisk", 2) == ["1-auction", "1-drilling", "1-market", "2-drilling", "2-market"]


def test_the_brisk_bid_belongs_to_the_turn_before() -> None:
    """From the second turn on."""
    position = Position()
    assert position.rules.stage(position.state, "brisk").key == "1-auction"
    position.state.turn = 5
    assert position.rules.stage(position.state, "brisk").key == "4-market"
    assert position.rules.stage(position.state, "strict").key == "5-auction"


def test_a_stage_lasts_through_what_interrupts_it() -> None:
    """Danger in a drilling round."""
    position = Position().crew(0, 0, "A3", 2).tile("A4", 2).card((4, 0, 0, 0), danger=True)
    position.stock(0, insurance=1).drilling(0).do(Drill(0, tile("A4")))
    assert position.asked()[0] == "danger"
    assert position.rules.stage(position.state, "strict").name == "drilling"
    assert position.do(Cover(0)).rules.stage(position.state, "strict").name == "drilling"


def test_agenda_of_the_auction_and_of_placing() -> None:
    """A bid; then the vice presidents that are still to be placed, and at the brisk pace all of phase I."""
    position = Position()
    assert agenda(position, 0, "strict") == [Asked("bid")]
    position.step(Placing(5))
    assert agenda(position, 0, "strict") == []
    assert agenda(position, 1, "strict") == [Asked("place")]
    assert agenda(position.step(Placing(1)), 1, "strict") == [Asked("place", times=2)]
    rounds = [Asked("drill", round_) for round_ in (1, 2, 3, 4)]
    assert agenda(position, 1, "brisk") == [Asked("place", times=2), Asked("insure"), *rounds]
    assert agenda(position.step(Insuring()), 1, "strict") == [Asked("insure"), *rounds]


def test_agenda_of_drilling_has_the_rounds_that_are_left() -> None:
    """One less after its act; none for a company whose crews are all at the centre."""
    position = Position().drilling(2, 0, 1, 3, round_=2)
    assert agenda(position, 2, "strict") == [Asked("drill", round_) for round_ in (2, 3, 4)]
    position.do(Drill(0, ENTRANCES[0]))
    assert agenda(position, 2, "strict") == [Asked("drill", round_) for round_ in (3, 4)]
    assert agenda(position, 3, "strict") == [Asked("drill", round_) for round_ in (2, 3, 4)]
    for crew in range(4):
        position.crew(3, crew, CENTRE)
    assert agenda(position, 3, "strict") == []


def automaton(position: Position, seat: int, pace: str = "strict") -> list[Asked]:
    """What of a stage concerns the automaton."""
    rules = position.rules
    asked = rules.agenda(rules.view(position.state, seat), pace)
    return [each for each in asked if each.kind.startswith("automaton")]


def test_the_automatons_moves_are_foreseen_for_who_may_choose() -> None:
    """The first in the control order, or, before that is known, each; only one that is waited for is required."""
    position = Position(2).step(Placing(1))
    every_move = [Asked("automaton_move", times=4, required=False)]
    assert automaton(position, 0, "strict") == []
    assert automaton(position, 0, "brisk") == automaton(position, 1, "brisk") == every_move
    position.slot(0, 3, 1).step(Insuring())
    assert (automaton(position, 0), automaton(position, 1)) == ([], every_move)
    position.drilling(1, 0, round_=3).do(Drill(0, ENTRANCES[0]))
    two_moves = [Asked("automaton_move", times=2, required=False)]
    assert (automaton(position, 0), automaton(position, 1)) == ([], two_moves)
    position.do(Drill(0, ENTRANCES[0]))
    assert position.asked() == ("automaton_move", (1,))
    assert position.rules.stage(position.state, "strict").name == "drilling"
    last_move = Asked("automaton_move", required=False)
    assert automaton(position, 1) == [Asked("automaton_move"), last_move]
    position.do(position.rules.default(position.state, 1))
    assert automaton(position, 1) == [last_move]


def test_the_automatons_step_is_foreseen_for_the_first_in_the_management_order() -> None:
    """Through market and workshop, unless the game is about to end or there is nothing to choose."""
    position = Position(2).slot(2, 0, 0).step(Market(0))
    for step in (Market(0), Workshop(0), AutomatonRaising()):
        position.step(step)
        assert (automaton(position, 0), automaton(position, 1)) == ([Asked("automaton_step")], [])
        assert position.rules.stage(position.state, "brisk").key == "1-market"
    assert automaton(position.step(AutomatonRaising(done=True)), 0) == []
    position.step(Workshop(0)).state.power[8:] = [4, 3, 4, 4]
    assert automaton(position, 0) == []
    position.state.power[8:] = [1] * 4
    assert automaton(position.crew(0, 0, CENTRE).crew(1, 0, CENTRE), 0) == []


def test_agenda_of_the_market_requires_only_the_first_of_each() -> None:
    """A company may pass; the brisk pace asks for the next bid too, unless the game is about to end."""
    position = Position().slot(1, 0, 0).slot(2, 1, 0).slot(1, 1, 1).step(Market(0))
    position.state.left = [4, 3, 0, 0]
    rules = position.rules
    everything = rules.agenda(rules.view(position.state, 0), "strict")
    assert [(asked.kind, asked.times, asked.required) for asked in everything[:4]] == [
        ("market", 1, True),
        ("market", 3, False),
        ("workshop", 1, True),
        ("workshop", 2, False),
    ]
    assert agenda(position, 1, "strict") == [Asked("market")]
    assert agenda(position, 2, "strict") == []
    assert agenda(position, 2, "brisk") == [Asked("bid")]
    position.do(Pass())
    assert agenda(position, 0, "brisk") == [Asked("workshop"), Asked("bid")]
    position.step(Workshop(1))
    position.state.left = [3, 0, 0, 0]
    assert agenda(position, 0, "brisk") == [Asked("workshop"), Asked("bid")]
    for seat in (1, 2, 3):
        position.crew(seat, 0, CENTRE)
    assert agenda(position, 0, "brisk") == [Asked("workshop")]
    assert agenda(position.step(Auction()), 0, "brisk") == [Asked("bid")]
    position.state.stack.clear()
    assert agenda(position, 0, "brisk") == []
