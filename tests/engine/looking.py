"""Stand-ins that look ahead: what they choose from the beginning of a game, and what they ask of the rules."""

from random import Random
from typing import Any

from engine.chance import RandomChance, pick_from
from engine.contract import Chance, RulesModule, Setup
from engine.spaces import check


def opening(module: RulesModule, setup: Setup, seed: int, decisions: int) -> list[Any]:
    """What sharp companies choose in the first decisions of a game, or in all of it, each choice checked."""
    rules = module.bind(setup)
    sharp = module.bots["sharp"](rules)
    random = Random(seed)
    chance, pick = RandomChance(random), pick_from(random)
    state: Any = rules.start(chance, [])
    made: list[Any] = []
    while len(made) < decisions and (decision := rules.pending(state)) is not None:
        answers = {}
        for seat in decision.seats:
            space = rules.space(state, seat)
            answers[seat] = sharp(rules.view(state, seat), decision, space, pick)
            check(space, answers[seat])
        made += answers.values()
        rules.apply(state, answers, chance, [])
    return made


class Watching:
    """Put before a game's rules: counts what is asked of them, and refuses to play on in the `real` state."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)  # type: ignore[call-arg]  # the rules behind it
        self.imagined = 0
        self.applied = 0
        self.real: Any = None

    def imagine(self, view: Any, chance: Chance) -> Any:
        """Another world."""
        self.imagined += 1
        return super().imagine(view, chance)  # type: ignore[misc]

    def apply(self, state: Any, answers: Any, chance: Chance, events: list[Any]) -> None:
        """One step, in an imagined state alone."""
        assert state is not self.real
        self.applied += 1
        super().apply(state, answers, chance, events)  # type: ignore[misc]
