"""Games whose stand-ins write sheets: read by the reader of everyone's orders, and played by `engine.play`."""

from collections import Counter
from hashlib import blake2b
from typing import Any

import msgspec

from engine import play
from engine.chance import pick_from
from engine.contract import Bot, Decision, Planner, Rules, RulesModule, Standing
from engine.orders.reader import read
from engine.orders.sheet import Sheet, answer
from engine.table import Answered, Table
from pbem.simulation.plan import Game, Plan, random_of

BRISK = "brisk"
"""The pace at which nobody is asked twice in a stage."""


class Unreadable(Exception):
    """A stand-in's line that the reader makes no order of."""


class SheetTally(msgspec.Struct):
    """What was counted at one pace.

    `asked` counts turns of a seat by how often it was asked in them. `sources` counts decisions of writers by what
    answered them. `won` is the wins of the one seat that wrote sheets, in `against` games against seats that did not.
    """

    asked: Counter[int] = msgspec.field(default_factory=Counter)
    sources: Counter[str] = msgspec.field(default_factory=Counter)
    won: float = 0.0
    against: int = 0

    def add(self, other: "SheetTally") -> None:
        """Count another's too."""
        self.asked.update(other.asked)
        self.sources.update(other.sources)
        self.won += other.won
        self.against += other.against


class Desk:
    """Where sheets are written and used: one game at one pace. Seats that are no writers answer as they are asked."""

    def __init__(
        self, module: RulesModule, rules: Rules, pace: str, planners: dict[int, Planner], bots: dict[int, Bot]
    ) -> None:
        self.language = module.language
        self.rules = rules
        self.pace = pace
        self.planners = planners
        self.bots = bots
        self.sheets: dict[int, Sheet] = {seat: Sheet() for seat in planners}
        self.used: frozenset[play.Ref] = frozenset()
        self.submissions = 0
        self.asked: Counter[tuple[int, int]] = Counter()
        self.sources: Counter[str] = Counter()

    def play(self, plan: Plan, game: Game) -> list[Standing]:
        """Play the game to its end; its standings."""
        secret = blake2b(f"{plan.seed}/{game.number}/secret".encode(), digest_size=32).digest()
        self.pick = pick_from(random_of(plan, game, f"sheets at {self.pace}"))
        table, _, _ = Table.begin(self.rules, secret, ())
        writers = frozenset(self.planners)
        silent = writers if self.pace == BRISK else frozenset()
        stop: Any = None
        while not isinstance(stop, play.Over):
            if not isinstance(stop, play.Waiting):
                self._open(table)
            run = play.run(table, self.pace, self.sheets, self.used, silent, writers)
            for record in run.records:
                self._count(record.entry.answers)
            stop = run.stop
            if isinstance(stop, play.Waiting):
                self._answer(table, stop.seats)
        return list(self.rules.standings(table.state))

    def _open(self, table: Table) -> None:
        """A stage opens: each writer that it asks anything gets its report and answers with a sheet."""
        turn = self.rules.stage(table.state, self.pace).turn
        for seat in self.planners:
            self.sheets[seat] = self.sheets[seat].standing()
            self.asked[turn, seat] += 0
            agenda = self.rules.agenda(self.rules.view(table.state, seat), self.pace)
            if any(asked.required for asked in agenda):
                self._write(table, seat)

    def _write(self, table: Table, seat: int) -> None:
        turn = self.rules.stage(table.state, self.pace).turn
        self.asked[turn, seat] += 1
        view = self.rules.view(table.state, seat)
        text = "\n".join(self.planners[seat](view, self.pace, self.pick))
        reading = read(text, self.language, view, rules=self.rules)
        unread = [line.text for line in reading.lines if line.order is None]
        if unread or reading.cut:
            raise Unreadable(unread or text)
        self.submissions += 1
        self.sheets[seat] = self.sheets[seat].with_submission(self.submissions, reading.orders)

    def _answer(self, table: Table, waited_for: tuple[int, ...]) -> None:
        """Writers that are waited for write again; a decision that others are asked as well is carried out at once."""
        state = table.state
        decision = self.rules.pending(state)
        assert decision is not None
        for seat in waited_for:
            if seat in self.planners:
                self._write(table, seat)
        answers = {seat: self._said(state, decision, seat) for seat in decision.seats}
        if any(seat in self.bots or answers[seat].source == "default" for seat in decision.seats):
            entry, _ = table.decide(answers, self.rules.stage(state, self.pace).key)
            self._count(entry.answers)

    def _said(self, state: Any, decision: Decision, seat: int) -> Answered:
        """What the sheet says, the default where even a new one says nothing; what a seat at the table chooses."""
        if seat in self.bots:
            space, view = self.rules.space(state, seat), self.rules.view(state, seat)
            return Answered(self.bots[seat](view, decision, space, self.pick), "standin")
        found = answer(self.rules, state, seat, decision, self.sheets[seat], self.used)
        if found.choice is None:
            return Answered(self.rules.default(state, seat), "default")
        return Answered(found.choice, "order", found.ref, found.alternative)

    def _count(self, answers: Any) -> None:
        for given in answers:
            if given.seat in self.planners:
                self.sources[given.source] += 1
            if given.ref is not None:
                self.used |= {given.ref}
