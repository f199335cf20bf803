"""Random games of Rockwell told stage by stage, for the tests of reports."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec

from engine.contract import Moving, Rules, Setup
from engine.registry import bind, load
from engine.table import Answered, Table
from pbem.reports.board import svg
from pbem.reports.data import Question, Report, Seat, plain, seen
from pbem.reports.game import GameWords
from pbem.sheets.lines import questions

SETUP = Setup(seats=4)
DEADLINE = datetime(2026, 12, 3, 17, 0, tzinfo=UTC)
PLAYERS = ("Anouk", "Bram", "Chloé", "Dmitri")


@dataclass
class Stop:
    """Where a random game stands at the opening of a stage, and what happened since the last."""

    rules: Rules
    state: Any
    turn: int
    stage: str
    events: list[Any]
    over: bool

    def report(self, seat: int | None, state: Any = None) -> Report:
        """The report of a seat, from the real state or another one."""
        rules = self.rules
        state = self.state if state is None else state
        view = rules.view(state, seat)
        return Report(
            game="rw1",
            title="Deep Thought",
            seat=seat,
            seats=tuple(
                Seat(side, player)
                for side, player in list(zip(load("rockwell").seat_names, PLAYERS, strict=True))[: rules.setup.seats]
            ),
            rules="rockwell",
            setup=rules.setup,
            turn=self.turn,
            stage=self.stage,
            events=seen(self.events, seat),
            orders=(),
            view=plain(view),
            public=plain(rules.view(state, None)),
            moved=tuple(msgspec.to_builtins(data) for data in self.moved()),
            standings=tuple(rules.standings(state)) if self.over else (),
            questions=() if seat is None else self._questions(view),
            deadline=DEADLINE,
            waiting=(0, 1),
            over=self.over,
            occasion="over" if self.over else "stage",
            head="ab" * 32,
            secret_hash="cd" * 32,
        )

    def moved(self) -> Any:
        """What the picture draws of what happened."""
        assert isinstance(self.rules, Moving)
        return self.rules.moved([event.data for event in self.events if event.seats is None])

    def drawing(self, words: GameWords) -> str:
        """The picture of how it stands."""
        return svg(words, self.rules.view(self.state, None), self.moved())

    def _questions(self, view: Any) -> tuple[Question, ...]:
        module = load("rockwell")
        return questions(module, self.rules, self.rules.agenda(view, "strict"), view, "en")


def stops(seed: int, setup: Setup = SETUP) -> Iterator[Stop]:
    """The stages of one game, each as it opens, the end of the game as the last.

    The steady stand-in plays the games of even seeds, as people might; pure chance plays the others.
    """
    pick = random.Random(seed).randrange
    module = load("rockwell")
    rules = bind("rockwell", setup)
    bot = module.bots["random" if seed % 2 else "steady"](rules)
    table, _, events = Table.begin(rules, seed.to_bytes(32, "big"), ("",) * setup.seats)
    stage = None
    while True:
        decision = rules.pending(table.state)
        now = rules.stage(table.state, "strict")
        if decision is None or now != stage:
            yield Stop(rules, table.state.copy(), now.turn, now.name, events, decision is None)
            events = []
            stage = now
        if decision is None:
            return
        answers = {
            seat: Answered(bot(rules.view(table.state, seat), decision, rules.space(table.state, seat), pick), "order")
            for seat in decision.seats
        }
        events = events + table.decide(answers)[1]


def some(seed: int, setup: Setup = SETUP) -> list[Stop]:
    """Every third stage of such a game, from a place that the seed gives, and its end."""
    game = list(stops(seed, setup))
    return [*game[seed % 3 : -1 : 3], game[-1]]
