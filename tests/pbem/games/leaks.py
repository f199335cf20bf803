"""Looks for leaks: plays a game by mails, and compares what a seat sees with what it would see in other worlds."""

from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from engine.chance import pick_from
from engine.orders.shape import Alternative, Order
from engine.orders.writer import examples, write
from engine.spaces import sample
from engine.table import Answered
from pbem import clock
from pbem.context import Service
from pbem.games.position import Position, numbers
from pbem.games.resolve import resolve
from pbem.reports import board
from tests.pbem.games import inmemory, sights
from tests.pbem.games.worlds import imagined, table_of, worlds

UNREADABLE = "bid a lot of nonsense\nplase wurkshop 77\ndrill 2: c9 to Z9\nattack nobody with 9\nHello all, sorry"
COSTLY = {
    "brass_empire": (
        "play all\nplay {n} clerks\nplay manager, dismiss clerk\nbuy manager or gumshoe\nconvert {n}\nrebuild\n"
        "attack red mining platform with chroniker\nmine with all\nuse storm coil\ndismiss clerk\n"
        "always discard manager\nif manager is in hand, play manager\nif red brass > {n}, end\ncorporation harlem"
    ),
    "tinygame": "bid {n}\nattack red with {n}\nattack green with 6\ndefend {n}",
    "rockwell": (
        "bid {m} + {n} gold\ninsure {n} zinc, {n} copper\nplace workshop 1\nsell {n} gold\nbuy {n} zinc\n"
        "sell {n} zinc\nalways danger: insurance {n}\npower c2\nsafety\nmineshaft B4\ndeliver zinc\n"
        "drill 1: c1 to core, hire 4\ndrill 2: c{n} stay\ndrill 3: c1 to A1, bribe red c1"
    ),
}
TRIES = {"tinygame": 40, "rockwell": 6, "brass_empire": 40}
"""How many worlds are imagined at a stop at most, to find as many as are WANTED that can be used."""
WANTED = 2
ASKING = "check\nshow orders\nhelp\nto all: see you\nend\nnot ready"


class Leak(AssertionError):
    """Something that a seat sees depends on what it may not know."""


@dataclass
class Search:
    """A search through games of some rules at one pace."""

    service: Service
    name: str
    pace: str
    random: Random
    counts: Counter[str] = field(default_factory=Counter)

    def game(self, seats: int, ahead: int, stops: int) -> None:
        """One game: so many random decisions first, then so many stops by mail. Raises Leak."""
        self._stops(self._ahead(inmemory.begun(self.name, seats, self.pace), ahead), stops, {})

    def private(self, seats: int, ahead: int) -> None:
        """Play that comes, by an order on a sheet, to a private decision after so many random ones. Raises Leak."""
        position = self._ahead(inmemory.begun(self.name, seats, self.pace), ahead)
        rules, snapshot, orders = position.rules, position.table.snapshot(), dict[int, str]()
        while not (decision := rules.pending(position.table.state)) or not decision.private:
            if decision is None:
                return
            snapshot, orders = position.table.snapshot(), self._one(position)
        self.counts["private decisions"] += 1
        before = inmemory.opened(replace(position, table=table_of(position, snapshot), untold=[]))
        self._stops(before, 1, orders)

    def _stops(self, position: Position, stops: int, orders: dict[int, str]) -> None:
        """So many stops, the first with these lines at the end of what the seats send."""
        seats = len(position.seats)
        written: dict[int, tuple[Order, ...]] = {}
        for _ in range(stops):
            if position.rules.pending(position.table.state) is None:
                return
            for seat in range(seats):
                if self.random.random() < 0.8:
                    position = inmemory.submitted(position, seat, self.orders(position, seat), written)
            for seat, line in orders.items():
                position = inmemory.submitted(position, seat, line, written)
            orders = {}
            waiting = numbers(position.game.waiting)
            seat = self.random.choice((self.random.randrange(seats), *waiting[:1]))
            self._compare_waiting(position, imagined(position, seat, self.random), seat)
            if any(not position.seats[number].ready for number in waiting):
                position = inmemory.forced(position)
            snapshot, before = position.table.snapshot(), position
            outcome = resolve(position)
            position = inmemory.after(outcome, written)
            self.counts["stops"] += 1
            decision = position.rules.pending(position.table.state)
            if decision is not None and decision.private and not outcome.outlook.closed:
                raise Leak("the game stops for a private decision")
            self._compare_play(before, snapshot, outcome, position, seat, written)

    def orders(self, position: Position, seat: int) -> str:
        """What a player might send: some examples for what is asked, and lines out of the blue."""
        rules, random = position.rules, self.random
        view = rules.view(position.table.state, seat)
        lines: list[str] = []
        for asked in rules.agenda(view, self.pace):
            offered = examples(position.module.language, rules, view, asked.kind, asked.round)
            lines += random.sample(offered, min(len(offered), random.randint(0, 2)))
        out_of_the_blue = self._costly(random.randint(0, 4)).split("\n")
        lines += random.sample(out_of_the_blue, random.randint(0, 2))
        return "\n".join([*lines, *(["ready"] if random.random() < 0.6 else [])])

    def texts(self, position: Position, seat: int) -> dict[str, str]:
        """Submissions of every sort."""
        return {
            "orders": self.orders(position, seat),
            "costly orders": self._costly(self.random.choice((1, 2, 5, 9, 40))),
            "nonsense": UNREADABLE,
            "commands": ASKING,
        }

    def _costly(self, number: int) -> str:
        return COSTLY.get(self.name, "").format(n=number, m=number * 300)

    def _ahead(self, position: Position, steps: int) -> Position:
        """The position after random choices, with the last of what happened not told of yet."""
        rules, table = position.rules, position.table
        untold = []
        for _ in range(steps):
            if rules.pending(table.state) is None:
                break
            entry, events = table.decide(self._answers(position))
            untold.append((entry.number, events))
        table.head = inmemory.HEAD
        return inmemory.opened(replace(position, untold=untold[-20:]))

    def _answers(self, position: Position) -> dict[int, Answered]:
        rules, state = position.rules, position.table.state
        decision = rules.pending(state)
        assert decision is not None
        pick = pick_from(self.random)
        return {seat: Answered(sample(rules.space(state, seat), pick), "standin") for seat in decision.seats}

    def _one(self, position: Position) -> dict[int, str]:
        """Carry out one random decision; the lines that would have been ordered for it."""
        rules, state, module = position.rules, position.table.state, position.module
        decision = rules.pending(state)
        assert decision is not None
        answers = self._answers(position)
        lines = {}
        for seat, given in answers.items():
            intent = module.language.intent(rules, rules.view(state, seat), given.choice)
            order = Order(decision.kind, (Alternative(intent),), decision.round)
            lines[seat] = write(order, module.language, rules.view(state, seat))
        position.table.decide(answers)
        return lines

    def _compare_waiting(self, real: Position, other: Position, seat: int) -> None:
        texts = self.texts(real, seat)
        self._same(*(sights.of_position(self.service, each, seat, texts) for each in (real, other)))

    def _compare_play(
        self,
        before: Position,
        snapshot: bytes,
        outcome: Any,
        now: Position,
        seat: int,
        written: dict[int, tuple[Order, ...]],
    ) -> None:
        """Compare what came of it with what comes of it elsewhere."""
        texts = self.texts(now, seat)
        real: sights.Sights | None = None
        usable = 0
        for world in worlds(before, snapshot, outcome, seat, self.random, TRIES.get(self.name, 40)):
            there = inmemory.after(world, written)
            if real is None:
                real = sights.of_outcome(self.service, outcome, seat)
                real |= sights.of_position(self.service, now, seat, texts)
            seen = sights.of_outcome(self.service, world, seat)
            self._same(real, seen | sights.of_position(self.service, there, seat, texts))
            usable += 1
            self.counts["worlds"] += 1
            self.counts["different worlds"] += now.table.state != there.table.state
            if usable == WANTED:
                break
        self.counts["stops compared"] += usable > 0

    def _same(self, real: sights.Sights, other: sights.Sights) -> None:
        found = sights.differences(real, other)
        if found:
            name = found[0]
            raise Leak(f"{', '.join(found)}\n{name} here: {real[name]!r}\n{name} elsewhere: {other[name]!r}")


def search(monkeypatch: Any, name: str, pace: str, seed: int) -> Search:
    """A search with a clock that stands still, the same salts in all worlds, and pictures not painted."""
    clock.use(inmemory.Still())
    monkeypatch.setattr("pbem.sheets.folding.secrets.token_bytes", bytes)
    monkeypatch.setattr(board, "png", str.encode)
    return Search(inmemory.service(), name, pace, Random(f"{seed}/{name}/{pace}"))
