"""How good a state is for a company: its chance to win, as far as what all sides have by now tells."""

import math

from engine.brass_empire import ending
from engine.brass_empire.bot import Steady
from engine.brass_empire.state import DOWN, State
from engine.brass_empire.tables import EMPLOYEE, UNIT

FIRST = 4.0
"""What the first place is worth beside the brass when the game is over."""
SURE = 4.0
"""Brass by which one side is about e times as likely to win as another, at the end."""
VAGUE = 6.0
"""How much more it takes at the beginning."""
CROWDED = 0.8
"""What each card in hand, deck or discard pile costs: it is drawn in place of another."""
STANDING = 1.3
"""A unit that is in play already, as against one that is still to be drawn."""
HURT = 0.3
"""The part of a card's power that goes with all of its health."""


class Outlook:
    """Judges states of one game by what a stand-in likes."""

    def __init__(self, bot: Steady) -> None:
        self.tables = bot.tables
        self.worth = bot.worth
        self._left = bot.left

    def chance(self, state: State, seat: int) -> float:
        """A company's chance to win, in teams with its teammate's; all sides' add up to 1."""
        tables = self.tables
        left = self._left(state) if state.stack else 0.0
        prospects = self._prospects(state, left) if state.stack else self._ends(state)
        if tables.teams:
            prospects = [prospects[side] + prospects[tables.mates[side]] for side in range(tables.sides)]
        best = max(prospects)
        odds = [math.exp((each - best) / (SURE + VAGUE * left)) for each in prospects]
        return odds[seat] / sum(odds)

    def _ends(self, state: State) -> list[float]:
        """What each side has when the game is over."""
        tables = self.tables
        found = [float(company.brass) for company in state.companies]
        if not tables.battle:
            found = [brass + ending.worth(tables, state, side) for side, brass in enumerate(found)]
        for standing in ending.standings(tables, state):
            found[standing.seat] += FIRST * (standing.place == 1)
        return found

    def _prospects(self, state: State, left: float) -> list[float]:
        return [self._prospect(state, side, left) for side in range(self.tables.sides)]

    def _prospect(self, state: State, side: int, left: float) -> float:
        """Its tokens, in battle its health, and what its cards will still bring with so much of the game left."""
        tables, worth = self.tables, self.worth
        company = state.companies[side]
        cards = [*company.hand, *company.deck, *company.discard, *company.coming]
        if side == state.seat:
            cards += [card for card in state.played if tables.kind[card] == EMPLOYEE]
        total = company.brass - CROWDED * left * len(cards) - (company.platform == DOWN)
        for card in cards:
            total += worth.now(card, left)
        for piece in company.pieces:
            card = piece.card
            standing = STANDING if tables.kind[card] == UNIT else 1.0
            whole = 1.0 - HURT * piece.damage / tables.health[card]
            total += worth.now(card, left) + worth.power[card] * left * (standing * whole - 1.0)
        return total
