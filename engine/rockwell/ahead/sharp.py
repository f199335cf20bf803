"""How the sharp stand-in chooses: the candidates are tried in ever more worlds, and the worst dropped after each."""

from typing import Any

from engine.contract import Bot, Decision, Pick, Rules
from engine.rockwell.ahead.candidates import candidates
from engine.rockwell.ahead.fate import Fate
from engine.rockwell.ahead.outlook import chances
from engine.rockwell.ahead.playout import horizon, play_on
from engine.rockwell.bot import steady
from engine.rockwell.view import RockwellView

STEPS = 150
"""How many choices are played on for one, more or less: a number and no time, so that the choice is repeatable.

Each candidate is tried in one world at least, whatever that takes."""
FEW = 2
"""So many candidates stay to the end."""
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
    hopes = [0.0] * len(found)
    left = list(range(len(found)))
    steps = world = 0
    while steps < STEPS:
        start = rules.imagine(view, Fate(number + world))
        for each in left:
            state = start.copy()
            steps += play_on(rules, state, {seat: found[each]}, Fate(number + world), stop)
            hopes[each] += chances(rules.tables, state)[seat]
        left.sort(key=lambda each: -hopes[each])
        left = left[: max(FEW, (2 * len(left) + 2) // 3)]
        world += 1
    return found[left[0]]
