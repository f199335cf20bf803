"""Random games that the laws are checked on."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from engine.chance import RandomChance, pick_from
from engine.contract import Choice, Decision, Event, Rules
from engine.errors import EngineError
from engine.journal import canonical
from engine.spaces import sample

CAP = 20_000
"""How many decisions a game under random play may take at most."""


FIRST = 3
LATER = 40
"""Of each kind of decision so many, and of all decisions every so-manieth, are looked at by laws that take long."""


class Broken(EngineError):
    """A law that a rules module breaks: `law` names it, `detail` says where, for who mends it."""

    def __init__(self, law: str, detail: object = "") -> None:
        super().__init__(f"{law}: {detail}")
        self.law = law
        self.detail = detail


def hold(kept: bool, law: str, detail: object = "") -> None:
    """Raises Broken unless the law was kept."""
    if not kept:
        raise Broken(law, detail)


class Position(msgspec.Struct):
    """A moment in a random game. `random` is for the law's own use and never shifts the game's course."""

    rules: Rules
    state: Any
    decision: Decision
    random: Random
    number: int
    views: dict[int | None, Any] = msgspec.field(default_factory=dict)
    worlds: dict[int, Any] = msgspec.field(default_factory=dict)

    def view(self, seat: int | None) -> Any:
        """What the seat sees, made once for all laws that look: before any of them changes the state."""
        if seat not in self.views:
            self.views[seat] = self.rules.view(self.state, seat)
        return self.views[seat]

    def world(self, seat: int) -> Any:
        """A state that the seat must think possible, made once: who plays on with it copies it."""
        if seat not in self.worlds:
            self.worlds[seat] = self.rules.imagine(self.view(seat), RandomChance(self.random))
        return self.worlds[seat]

    def answers(self) -> dict[int, Choice]:
        """A random legal choice for each seat asked."""
        pick = pick_from(self.random)
        return {seat: sample(self.rules.space(self.state, seat), pick) for seat in self.decision.seats}

    def applied(self, state: Any, answers: dict[int, Choice], seed: int) -> list[Event]:
        """Carry out the answers on a state given; the same seed gives the same chance."""
        events: list[Event] = []
        self.rules.apply(state, answers, RandomChance(Random(seed)), events)
        return events

    def __str__(self) -> str:
        return f"decision {self.number}, {self.decision}"


def positions(rules: Rules, seed: int) -> Iterator[Position]:
    """Every decision of one random game. What a law does to a position's state is not played on with."""
    game = Random(seed)
    pick = pick_from(game)
    chance = RandomChance(game)
    events: list[Event] = []
    state = rules.start(chance, events)
    number = 0
    while (decision := rules.pending(state)) is not None:
        number += 1
        hold(number <= CAP, "ends", f"not over after {CAP} decisions")
        yield Position(rules, state.copy(), decision, Random(f"{seed}/{number}"), number)
        answers = {seat: sample(rules.space(state, seat), pick) for seat in decision.seats}
        events.clear()
        rules.apply(state, answers, chance, events)


def few(rules: Rules, seed: int) -> Iterator[Position]:
    """The positions of that game for laws that take long: the first of each kind of decision, and some later ones."""
    seen: Counter[str] = Counter()
    for position in positions(rules, seed):
        seen[position.decision.kind] += 1
        if seen[position.decision.kind] <= FIRST or position.number % LATER == 0:
            yield position


def same(first: Any, second: Any) -> bool:
    """Whether two structs have the same canonical bytes."""
    return canonical(first) == canonical(second)
