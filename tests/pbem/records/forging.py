"""Records as whoever has a game's secret can make them: whatever is changed, hashes, chain, counts and end fit it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine import registry
from engine.contract import Rules
from engine.journal import Entry, Note, canonical, commitment, decode, link, public_hash
from engine.orders.sheet import Sheet
from engine.table import Answered, Table
from pbem.records.shape import (
    End,
    Line,
    Passed,
    Played,
    Recorded,
    Running,
    Said,
    Sealed,
    Stood,
    Submitted,
    decoded,
    encoded,
)
from pbem.records.writing import content_hash
from pbem.sheets.folding import new_salt, seal
from tests.journals.playing import KEPT

SEALS = KEPT / "tinygame" / "1" / "three-seals.jsonl"
"""A game whose decisions are bound, of one player and stand-ins."""
AT = "2026-11-29T08:12:58+00:00"

with_ = msgspec.structs.replace


def lines_of(path: Path) -> list[Line]:
    """The lines of a kept record."""
    return [decoded(raw) for raw in path.read_bytes().splitlines()]


def game_of(lines: Sequence[Line]) -> Played:
    """The first line."""
    game = lines[0]
    assert isinstance(game, Played)
    return game


def entry_of(lines: Sequence[Line], number: int) -> Recorded:
    """The entry of that number, of the first line that has it."""
    return next(line for line in lines if isinstance(line, Recorded) and line.entry.number == number)


def changed(lines: Sequence[Line], number: int, change: Callable[[Recorded], Recorded]) -> list[Line]:
    """The lines with that entry changed."""
    return [change(line) if isinstance(line, Recorded) and line.entry.number == number else line for line in lines]


def with_entry(**values: Any) -> Callable[[Recorded], Recorded]:
    """A change of an entry's own fields."""
    return lambda line: with_(line, entry=with_(line.entry, **values))


def stood(seat: int, sheet: Sheet, salt: bytes = b"") -> Stood:
    """A sheet with its seal."""
    salt = salt or new_salt()
    return Stood(seat, seal(sheet, salt), salt.hex(), sheet)


def chained(lines: Sequence[Line]) -> list[Line]:
    """The lines with the journal's hashes and links made anew, and the first line as they say."""
    game = game_of(lines)
    rules, secret = registry.bind(game.rules, game.setup), bytes.fromhex(game.secret)
    after = {0: commitment(secret)}
    made: list[Line] = []
    for line in lines:
        if isinstance(line, Recorded):
            entry = decode(rules, canonical(with_(line.entry, before=after[line.entry.number - 1])))
            hashed = public_hash(secret, entry)
            after = {number: head for number, head in after.items() if number < entry.number}
            after[entry.number] = link(entry.before, hashed)
            made.append(with_(line, entry=entry, hash=hashed.hex()))
        else:
            made.append(line)
    last = [line for line in made if isinstance(line, Recorded)][-1].entry
    made[0] = with_(game, head=after[last.number].hex(), line=last.line)
    return made


def ended(lines: Sequence[Line]) -> bytes:
    """A file of these lines, counted and with its end."""
    kinds: dict[str, tuple[type, ...]] = {"entries": (Recorded,), "seals": (Sealed,), "messages": (Said,)}
    kinds["rest"] = (Running, Submitted, Passed)
    counts = {name: sum(isinstance(line, kind) for line in lines) for name, kind in kinds.items()}
    body = b"".join(map(encoded, [with_(game_of(lines), **counts), *lines[1:]]))
    return body + encoded(End(content_hash(body)))


def put_right(lines: Sequence[Line]) -> bytes:
    """A record in which everything fits what was changed."""
    return ended([line for line in chained(lines) if not isinstance(line, End)])


class Playing:
    """A game of the same secret and words as that of a record, played with defaults and whatever its operator likes."""

    def __init__(self, lines: Sequence[Line]) -> None:
        game = game_of(lines)
        self.game = game
        self.rules: Rules = registry.bind(game.rules, game.setup)
        words = [side.word for side in game.sides]
        self.table, start, _ = Table.begin(self.rules, bytes.fromhex(game.secret), words)
        self.entries: list[Entry] = [start]
        self.snapshots = {1: self.table.snapshot()}
        self._words = words

    def play(self, decisions: int) -> None:
        """Carry out so many decisions by defaults, or as many as there are."""
        for _ in range(decisions):
            decision = self.rules.pending(self.table.state)
            if decision is None:
                return
            stage = self.rules.stage(self.table.state, self.game.pace).key
            answers = {seat: Answered(self.rules.default(self.table.state, seat), "default") for seat in decision.seats}
            self.table.seals = ()
            self._keep(self.table.decide(answers, stage)[0])

    def back(self, number: int, line: int, epoch: int) -> None:
        """Stand where the game stood after that entry, on another line."""
        secret = bytes.fromhex(self.game.secret)
        self.table = Table.restore(self.rules, secret, self._words, self.snapshots[number])
        self.table.branch(line, epoch)

    def say(self, act: str, **params: Any) -> None:
        """A ruling."""
        stage = self.rules.stage(self.table.state, self.game.pace).key
        self._keep(self.table.note(Note(act, "operator", "a slip", params), stage))

    def change(self, act: str, *changes: Any) -> None:
        """A ruling of that act that changes the position."""
        stage = self.rules.stage(self.table.state, self.game.pace).key
        self._keep(self.table.change(Note(act, "operator", "a slip", {}), changes, stage)[0])

    def again(self, entries: Sequence[Entry]) -> None:
        """Carry out these decisions once more."""
        for entry in entries:
            answers = {each.seat: Answered(each.choice, each.source, each.ref) for each in entry.answers}
            self.table.seals = entry.seals
            self._keep(self.table.decide(answers, entry.stage)[0])

    def record(self) -> bytes:
        """The record of it, over once there is nothing left to decide."""
        self.play(1000)
        return put_right([self.game, *(Recorded(AT, "", entry) for entry in self.entries)])

    def _keep(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.snapshots[entry.number] = self.table.snapshot()
