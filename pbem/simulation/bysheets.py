"""Games whose stand-ins write sheets: read by the reader of everyone's orders, and played by `engine.play`."""

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b

import msgspec

from engine import play
from engine.chance import pick_from
from engine.contract import Bot, Pick, Planner, Rules, RulesModule, Standing
from engine.orders.reader import read
from engine.orders.sheet import Sheet
from engine.table import Table
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
    """One game at one pace. Seats with a planner write sheets; the others answer at the table, as they are asked."""

    def __init__(
        self, module: RulesModule, rules: Rules, pace: str, planners: dict[int, Planner], bots: dict[int, Bot]
    ) -> None:
        self.language = module.language
        self.rules = rules
        self.pace = pace
        self.planners = planners
        self.bots = bots
        self.sheets: dict[int, Sheet] = {seat: Sheet() for seat in planners}
        self.submissions = 0
        self.asked: Counter[tuple[int, int]] = Counter()
        self.sources: Counter[str] = Counter()

    def play(self, plan: Plan, game: Game) -> Sequence[Standing]:
        """Play the game to its end; its standings. Raises Unreadable."""
        secret = blake2b(f"{plan.seed}/{game.number}/secret".encode(), digest_size=32).digest()
        pick = pick_from(random_of(plan, game, f"sheets at {self.pace}"))
        table, _, _ = Table.begin(self.rules, secret, ())
        writers = frozenset(self.planners)
        silent = writers if self.pace == BRISK else frozenset()
        used: frozenset[play.Ref] = frozenset()
        stop: play.Stop | None = None
        while not isinstance(stop, play.Over):
            passing: frozenset[int] = frozenset()
            if isinstance(stop, play.Waiting):
                for seat in stop.seats:
                    self._write(table, seat, pick)
                # One whose new sheet does not answer either takes the default, or play would never go on.
                passing = frozenset(stop.seats)
            else:
                self._open(table, pick)
            run = play.run(table, self.pace, self.sheets, used, silent, writers, passing, self.bots)
            for given in (given for record in run.records for given in record.entry.answers):
                if given.seat in writers:
                    self.sources[given.source] += 1
                if given.ref is not None:
                    used |= {given.ref}
            stop = run.stop
        return self.rules.standings(table.state)

    def _open(self, table: Table, pick: Pick) -> None:
        """A stage opens: each writer that it asks anything gets its report and answers with a sheet."""
        turn = self.rules.stage(table.state, self.pace).turn
        for seat in self.planners:
            self.sheets[seat] = self.sheets[seat].standing()
            self.asked[turn, seat] += 0
            agenda = self.rules.agenda(self.rules.view(table.state, seat), self.pace)
            if any(asked.required for asked in agenda):
                self._write(table, seat, pick)

    def _write(self, table: Table, seat: int, pick: Pick) -> None:
        turn = self.rules.stage(table.state, self.pace).turn
        self.asked[turn, seat] += 1
        view = self.rules.view(table.state, seat)
        text = "\n".join(self.planners[seat](view, self.pace, pick))
        reading = read(text, self.language, view, rules=self.rules)
        unread = [line.text for line in reading.lines if line.order is None]
        if unread or reading.cut:
            raise Unreadable(unread or text)
        self.submissions += 1
        self.sheets[seat] = self.sheets[seat].with_submission(self.submissions, reading.orders)
