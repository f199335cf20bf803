"""How the sharp stand-in chooses: a few candidates are played on to its next turn, and the most promising is taken.

What it likes was found by games against steady ones (`tests/engine/brass_empire/tasting.py`).
"""

from typing import Any

from engine.brass_empire.ahead.candidates import candidates
from engine.brass_empire.ahead.outlook import Outlook
from engine.brass_empire.ahead.playout import play_on
from engine.brass_empire.bot import Steady
from engine.brass_empire.state import State
from engine.brass_empire.tables import Tables
from engine.brass_empire.taste import KEEN
from engine.brass_empire.view import BrassView
from engine.contract import Bot, Choice, Decision, Pick, Rules, Space
from engine.lookahead import Fate, most_promising

STEPS = 400
"""How many choices are played on for one, more or less."""
NUMBERS = 1 << 32


def sharp(rules: Rules) -> Bot:
    """A stand-in that looks ahead, for the rules as bound."""
    return _Sharp(rules)


class _Sharp:
    def __init__(self, rules: Rules) -> None:
        tables: Tables = rules.tables  # type: ignore[attr-defined]
        self.rules = rules
        self.at_once = Steady(tables, KEEN)
        self.outlook = Outlook(self.at_once)

    def __call__(self, view: BrassView, decision: Decision, space: Space, pick: Pick) -> Choice:
        own = self.at_once(view, decision, space, pick)
        found = candidates(decision, space, own)
        return own if len(found) == 1 else self._best(view, found, pick(NUMBERS))

    def _best(self, view: BrassView, found: list[Any], number: int) -> Choice:
        """The candidate with the best chances, over worlds that the seat must think possible, the same for all."""
        seat = view.me
        assert seat is not None

        def tried(start: State, choice: Choice, world: int) -> tuple[int, float]:
            state = start.copy()
            made = play_on(self.rules, self.at_once, state, {seat: choice}, Fate(world))
            return made, self.outlook.chance(state, seat)

        return most_promising(found, number, STEPS, lambda world: self.rules.imagine(view, Fate(world)), tried)
