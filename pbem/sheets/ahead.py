"""What the rest of a stage will ask of a seat, and what it could choose then if the others did nothing of their own.

Found by playing on two states that the seat must think possible, in which chance falls differently: as far as the seat
sees the same in both, nothing hidden and nothing drawn is told. Nothing here knows a game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.chance import KeyedChance
from engine.contract import Decision, Rules, View
from engine.orders.reader import read
from engine.orders.sheet import Sheet, answer
from pbem.games.position import Position
from pbem.sheets.folding import fold
from pbem.sheets.lines import tongue_of

MOST_DECISIONS = 200
"""Decisions of all seats that are played on at most."""
WORLDS = (b"one", b"other")


@dataclass(frozen=True)
class Coming:
    """A decision that will come up for the seat: `state` is how things would stand then, as one must think possible.

    `written` says whether the sheet has an order for it.
    """

    decision: Decision
    state: Any
    written: bool


def coming(position: Position, seat: int, text: str, language: str) -> list[Coming]:
    """The decisions of the rest of the stage that can be foreseen, in order of play, each kind and round once.

    `text` has the lines that the seat is about to send: what they and its sheet answer is done on the way, as far as
    chance does not decide what comes of it.
    """
    found: dict[tuple[str, int], Coming] = {}
    for each in _coming(position, seat, _sheet(position, seat, text, language)):
        known = found.get((each.decision.kind, each.decision.round))
        if known is None or (known.written and not each.written):
            found[each.decision.kind, each.decision.round] = each
    return list(found.values())


def _sheet(position: Position, seat: int, text: str, language: str) -> Sheet:
    """The seat's sheet with the lines of a text, of what was not used yet."""
    view = position.rules.view(position.table.state, seat)
    reading = read(text, position.module.language, view, tongue_of(position.module, language), position.rules)
    after = fold(position.sheets[seat], position.game.next_submission, reading, late=False).after
    return Sheet(position.open_orders(after))


def _coming(position: Position, seat: int, sheet: Sheet) -> Iterator[Coming]:
    rules, pace = position.rules, position.game.pace
    view = rules.view(position.table.state, seat)
    worlds = [_World(rules, seat, view, name) for name in WORLDS]
    stage, used = rules.stage(position.table.state, pace), set[tuple[int, int]]()
    for _ in range(MOST_DECISIONS):
        state = worlds[0].state
        decision = rules.pending(state)
        if decision is None or rules.stage(state, pace) != stage:
            return
        given = None
        if seat in decision.seats:
            said = answer(rules, state, seat, decision, sheet, frozenset(used))
            yield Coming(decision, state, said.choice is not None)
            if said.choice is not None and said.ref is not None:
                given = said.choice
                used.add(said.ref)
        after = _played(worlds, given) or (_played(worlds, None) if given is not None else None)
        if after is None:
            return
        worlds = after


def _played(worlds: list["_World"], given: Any) -> list["_World"] | None:
    """The worlds after the pending decision, None where the seat sees in one what it does not see in the other."""
    after = [world.played(given) for world in worlds]
    views = [world.view for world in after]
    return after if all(view == views[0] for view in views) else None


class _World:
    """One state that the seat must think possible, with chance of its own."""

    def __init__(self, rules: Rules, seat: int, view: View, name: bytes, state: Any = None) -> None:
        self._rules = rules
        self._seat = seat
        self._name = name
        self.state = rules.imagine(view, KeyedChance(name, (), 0, {})) if state is None else state

    @property
    def view(self) -> View:
        """What the seat sees."""
        return self._rules.view(self.state, self._seat)

    def played(self, given: Any) -> "_World":
        """After the pending decision: the seat's choice where one is given, of all others what they do by default."""
        rules, state = self._rules, self.state.copy()
        decision = rules.pending(state)
        assert decision is not None
        answers = {seat: rules.default(state, seat) for seat in decision.seats}
        if given is not None:
            answers[self._seat] = given
        rules.apply(state, answers, KeyedChance(self._name, (decision.kind,), decision.round, {}), [])
        return _World(rules, self._seat, None, self._name, state)
