"""What a card is about worth to have, in brass: what stand-ins go by."""

from collections.abc import Iterable

from engine.brass_empire.tables import EMPLOYEE, UNIT, Compiled, Tables
from engine.brass_empire.taste import Taste


class Worth:
    """Worths of all cards of a game, by number: `power` what they do, `brass` what they score."""

    def __init__(self, tables: Tables, taste: Taste) -> None:
        self.tables = tables
        self.taste = taste
        self.power = tuple(self._power(card) for card in range(len(tables.cards)))
        self.brass = tables.brass

    def now(self, card: int, left: float) -> float:
        """What a card is worth with so much of the game left, from 1 to 0."""
        return self.power[card] * left + self.brass[card] * (1.0 if not self.tables.battle else 0.1)

    def _power(self, card: int) -> float:
        tables, taste = self.tables, self.taste
        power = 0.0
        for moment, numbers in tables.by_trigger[card].items():
            if moment != "after":
                power += taste.moments[moment] * self._of(numbers)
            else:
                power += taste.moments["attack"] * self._of(
                    number for number in numbers if tables.effects[number].when == "attack"
                )
        if tables.kind[card] == UNIT:
            power += taste.attack * tables.attack[card] + taste.health * tables.health[card]
        elif tables.kind[card] != EMPLOYEE:
            power += taste.walls * tables.health[card]
        return power + taste.warden * tables.warden[card] + taste.hand_size * tables.hand_size[card]

    def _of(self, numbers: Iterable[int]) -> float:
        return sum(self.effect(self.tables.effects[number]) for number in numbers)

    def effect(self, effect: Compiled) -> float:
        """What it is worth that an effect happens."""
        if effect.do == "choose":
            return max(self._of(option) for option in effect.options)
        if effect.do == "if_corp":
            return self.taste.if_corp * self._of(effect.then)
        if effect.do == "acquire_free":
            return self.taste.acquired * effect.n
        return self.taste.once[effect.do] * effect.n
