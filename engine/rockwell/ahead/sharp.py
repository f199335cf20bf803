"""How the sharp stand-in chooses: the candidates are tried in ever more worlds, and the worst dropped after each."""

from typing import Any

from engine.contract import Bot, Decision, Pick, Rules
from engine.lookahead import Fate, most_promising
from engine.rockwell.ahead.candidates import candidates
from engine.rockwell.ahead.outlook import chances
from engine.rockwell.ahead.playout import horizon, play_on
from engine.rockwell.bot import steady
from engine.rockwell.state import State
from engine.rockwell.view import RockwellView

STEPS = 150
"""How many choices are played on for one, more or less."""
NUMBERS = 1 << 32


def sharp(rules: Rules) -> Bot:
    """A stand-in that looks ahead, for the rules as bound."""

    def choose(view: RockwellView, decision: Decision, space: Any, pick: Pick) -> Any:
        own = steady(view, decision, space, pick)
        found = candidates(view, decision, space, own)
        return own if len(found) == 1 else _best(rules, view, decision, found, pick(NUMBERS))

    return choose


def _best(rules: Any, view: RockwellView, decision: Decision, found: list[Any], number: int) -> Any:
    """The candidate with the best chances, over worlds that the seat must think possible, the same for all."""
    stop, seat = horizon(decision.kind), view.seat
    assert seat is not None

    def tried(start: State, choice: Any, world: int) -> tuple[int, float]:
        state = start.copy()
        made = play_on(rules, state, {seat: choice}, Fate(world), stop)
        return made, chances(rules.tables, state)[seat]

    return most_promising(found, number, STEPS, lambda world: rules.imagine(view, Fate(world)), tried)
