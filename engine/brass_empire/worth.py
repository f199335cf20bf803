"""What a card is about worth to have, in brass: what the steady stand-in goes by."""

from collections.abc import Callable, Iterable, Mapping

from engine.brass_empire.tables import EMPLOYEE, UNIT, Compiled, Tables

PLAIN: Mapping[str, float] = {
    "gain_labor": 0.9,
    "gain_construction": 1.0,
    "gain_brass": 2.2,
    "draw": 1.5,
    "end_draw": 1.0,
    "dismiss": 1.1,
    "opp_discard": 0.8,
    "damage": 0.6,
    "steal_brass": 2.4,
}
"""What one of it is worth once."""
MOMENTS: Mapping[str, float] = {
    "play": 1.0,
    "built": 0.6,
    "turn": 2.2,
    "activate": 2.2,
    "demolish": 0.9,
    "destroyed": 0.3,
    "attack": 0.6,
    "kill": 0.4,
    "mine": 2.0,
    "action": 1.2,
}
"""How often it happens, as against a card that is played once."""


class Worth:
    """Worths of all cards of a game, by number: `power` what they do, `brass` what they score."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.power = tuple(self._power(card) for card in range(len(tables.cards)))
        self.brass = tables.brass

    def now(self, card: int, left: float) -> float:
        """What a card is worth with so much of the game left, from 1 to 0."""
        return self.power[card] * left + self.brass[card] * (1.0 if not self.tables.battle else 0.1)

    def _power(self, card: int) -> float:
        tables = self.tables
        power = 0.0
        for moment, numbers in tables.by_trigger[card].items():
            if moment != "after":
                power += MOMENTS[moment] * self._of(numbers)
            else:
                power += MOMENTS["attack"] * self._of(
                    number for number in numbers if tables.effects[number].when == "attack"
                )
        if tables.kind[card] == UNIT:
            power += 1.8 * tables.attack[card] + 0.3 * tables.health[card]
        elif tables.kind[card] != EMPLOYEE:
            power += 0.1 * tables.health[card]
        return power + 0.8 * tables.warden[card] + 2.2 * tables.hand_size[card]

    def _of(self, numbers: Iterable[int]) -> float:
        return sum(self.effect(self.tables.effects[number]) for number in numbers)

    def effect(self, effect: Compiled) -> float:
        """What it is worth that an effect happens."""
        nested: Callable[[tuple[int, ...]], float] = self._of
        if effect.do == "choose":
            return max(nested(option) for option in effect.options)
        if effect.do == "if_corp":
            return 0.45 * nested(effect.then)
        if effect.do == "acquire_free":
            return 0.8 * effect.n
        return PLAIN[effect.do] * effect.n
