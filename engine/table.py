"""A game being played: its state, its chance and its place in the journal, moved on by one decision at a time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import msgspec

from engine.chance import KeyedChance, RecordedChance
from engine.changes import changed
from engine.contract import Change, Choice, Decision, Event, Pick, Rules
from engine.errors import BadJournal, BadSnapshot, Illegal, UnknownVersion
from engine.journal import (
    RULING,
    START,
    Entry,
    Given,
    Note,
    Seals,
    canonical,
    commitment,
    link,
    public_hash,
    state_digest,
)
from engine.spaces import check

SNAPSHOT_FORMAT = 1
_CHECK = 16  # bytes in front of a snapshot that show whether the rest is whole


class Answered(msgspec.Struct, frozen=True):
    """A choice and where it came from; the fields of `journal.Given` but for the seat."""

    choice: Choice
    source: str
    ref: tuple[int, int] | None = None
    alternative: int = 0


class Snapshot(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a table stands, without its secret and words."""

    format: int
    version: int
    number: int
    head: bytes
    state: msgspec.Raw
    line: int = 0
    epoch: int = 0
    counters: dict[str, int] = {}


_snapshots = msgspec.msgpack.Decoder(Snapshot)


class Table:
    """One game being played. After any exception but Illegal it is of no use: restore it from its snapshot.

    `number` is that of the last entry, `head` the chain's head after it. `seals` commit to the sheets that the next
    decisions are answered from; whoever keeps sheets sets them.
    """

    __slots__ = ("_chance", "_secret", "_words", "epoch", "head", "line", "number", "rules", "seals", "state")

    def __init__(self, rules: Rules, state: Any, secret: bytes, words: Sequence[str], chance: KeyedChance) -> None:
        self.rules = rules
        self.state = state
        self.number = 0
        self.line = 0
        self.epoch = 0
        self.head = commitment(secret)
        self.seals: Seals | None = None
        self._secret = secret
        self._words = words
        self._chance = chance

    @classmethod
    def begin(cls, rules: Rules, secret: bytes, words: Sequence[str]) -> tuple["Table", Entry, list[Event]]:
        """A new game, set up and played on to its first decision. `words` are the players' public ones, by seat."""
        chance = KeyedChance(secret, words, 0, {})
        events: list[Event] = []
        table = cls(rules, rules.start(chance, events), secret, words, chance)
        return table, table._record(START, 0, "", ()), events

    def decide(self, answers: Mapping[int, Answered], stage: str = "") -> tuple[Entry, list[Event]]:
        """Carry out the pending decision; `stage` is the key of its stage, for the record.

        Raises Illegal, with nothing changed, where a choice is not legal or the seats are not those asked.
        """
        rules, state = self.rules, self.state
        decision = rules.pending(state)
        _check_answers(rules, state, decision, {seat: answered.choice for seat, answered in answers.items()})
        assert decision is not None
        given = tuple(_given(seat, answers[seat]) for seat in decision.seats)
        events: list[Event] = []
        rules.apply(state, {answer.seat: answer.choice for answer in given}, self._chance, events)
        return self._record(decision.kind, decision.round, stage, given, seals=self.seals), events

    def note(self, note: Note, stage: str = "") -> Entry:
        """Put a ruling on record between two decisions: state and chance stay as they are."""
        return self._record(RULING, 0, stage, (), note)

    def change(self, note: Note, changes: Sequence[Change], stage: str = "") -> tuple[Entry, list[Event]]:
        """Make the state otherwise, as a ruling: all of the changes in order, or none (see `engine.changes.changed`).

        Raises Illegal, with nothing changed.
        """
        self.state, events = changed(self.rules, self.state, changes)
        return self._record(RULING, 0, stage, (), note, tuple(changes)), events

    def branch(self, line: int, epoch: int) -> None:
        """Go on as another line of the journal, which leaves the former one at this entry.

        In a later epoch every draw from here on is another one. Raises ValueError unless the line is later than the
        present one and the epoch not earlier.
        """
        if line <= self.line or epoch < self.epoch:
            raise ValueError(f"no way from line {self.line}, epoch {self.epoch} to line {line}, epoch {epoch}")
        self.line, self.epoch = line, epoch
        self._chance = KeyedChance(self._secret, self._words, epoch, self._chance.counters)

    def whims(self, seat: int) -> Pick:
        """What a stand-in picks from for that seat's pending choice.

        It follows from the secret, the words, the epoch and the place in the journal, so that the same choice comes
        out whenever the same entry is made again; and it shifts none of the game's draws.
        """
        chance = KeyedChance(self._secret, self._words, self.epoch, {})
        stream = f"standin/{self.number + 1}/{seat}"
        return lambda n: chance.draw(stream, n)

    def snapshot(self) -> bytes:
        """Where the table stands, to be restored with the same rules, secret and words."""
        counters = self._chance.counters
        state = msgspec.Raw(canonical(self.state))
        version = self.rules.setup.version
        saved = Snapshot(SNAPSHOT_FORMAT, version, self.number, self.head, state, self.line, self.epoch, counters)
        return _sealed(canonical(saved))

    @classmethod
    def restore(cls, rules: Rules, secret: bytes, words: Sequence[str], snapshot: bytes) -> "Table":
        """The table that a snapshot was taken of.

        Raises BadSnapshot for one that is damaged or of another format, UnknownVersion for another rules version.
        """
        if _sealed(snapshot[_CHECK:]) != snapshot:
            raise BadSnapshot("damaged")
        saved = _opened(snapshot[_CHECK:])
        if saved.version != rules.setup.version:
            raise UnknownVersion(f"snapshot of rules version {saved.version}, rules bound to {rules.setup.version}")
        state: Any = _state(rules, saved)
        chance = KeyedChance(secret, words, saved.epoch, dict(saved.counters))
        table = cls(rules, state, secret, words, chance)
        table.number, table.line, table.epoch, table.head = saved.number, saved.line, saved.epoch, saved.head
        return table

    def _record(
        self,
        kind: str,
        round_: int,
        stage: str,
        answers: tuple[Given, ...],
        note: Note | None = None,
        change: tuple[Change, ...] = (),
        seals: Seals | None = None,
    ) -> Entry:
        self.number += 1
        entry = Entry(
            self.number,
            kind,
            self.rules.setup.version,
            state_digest(self.state),
            self.head,
            self.line,
            self.epoch,
            stage,
            round_,
            answers,
            self._chance.take(),
            note,
            change,
            seals,
        )
        self.head = link(self.head, public_hash(self._secret, entry))
        return entry


def replay(rules: Rules, secret: bytes, words: Sequence[str], entries: Iterable[Entry]) -> Table:
    """The table after the entries of one line, every choice, draw, digest and link of the chain checked.

    A line that left an earlier one is given with the earlier one's entries up to where it left it.

    Raises BadJournal naming the first entry that does not fit. That the journal is the one that reports were made
    from is shown by comparing the table's head with theirs.
    """
    table = None
    for step in steps(rules, secret, words, entries):
        table = step.table
    if table is None:
        raise BadJournal("empty", 0)
    return table


@dataclass(frozen=True)
class Step:
    """An entry that was carried out again: the table after it, which the next step changes, and what happened."""

    table: Table
    entry: Entry
    events: list[Event]


def steps(rules: Rules, secret: bytes, words: Sequence[str], entries: Iterable[Entry]) -> Iterator[Step]:
    """The entries of one line as `replay` carries them out, one after the other. Raises BadJournal."""
    table = None
    for entry in entries:
        if table is None:
            _fits_start(rules, entry)
            table, own, events = Table.begin(rules, secret, words)
            _compare(own, entry)
        else:
            events = _play_again(table, entry)
        yield Step(table, entry, events)


def follow(table: Table, entries: Iterable[Entry]) -> None:
    """Carry out the entries that come after the table's last, checked as `replay` does. Raises BadJournal."""
    for entry in entries:
        _play_again(table, entry)


def retrace(rules: Rules, entries: Iterable[Entry]) -> Any:
    """The state after the entries, by their recorded outcomes: what can be checked without the secret.

    Raises BadJournal naming the first entry whose choices, draws or digest are not consistent.
    """
    state: Any = None
    number = 0
    for entry in entries:
        chance = RecordedChance(entry.outcomes, entry.number)
        if state is None:
            _fits_start(rules, entry)
            state = rules.start(chance, [])
        else:
            _fits_next(rules, entry, number + 1)
            if entry.note is None:
                rules.apply(state, _recorded_choices(rules, state, entry), chance, [])
            else:
                _fits_ruling(entry)
                if entry.change:
                    state = _changed_again(rules, state, entry)
        chance.finish()
        number = entry.number
        if state_digest(state) != entry.digest:
            raise BadJournal("digest", number)
    if state is None:
        raise BadJournal("empty", 0)
    return state


def _sealed(body: bytes) -> bytes:
    """A snapshot's bytes with what shows that they are whole."""
    return blake2b(body, digest_size=_CHECK, person=b"pbem snapshot").digest() + body


def _opened(body: bytes) -> Snapshot:
    try:
        saved = _snapshots.decode(body)
    except msgspec.DecodeError as error:
        raise BadSnapshot("unreadable") from error
    if saved.format != SNAPSHOT_FORMAT:
        raise BadSnapshot(f"format {saved.format}")
    return saved


def _state(rules: Rules, saved: Snapshot) -> Any:
    try:
        return msgspec.msgpack.decode(saved.state, type=rules.state_type)
    except msgspec.DecodeError as error:
        raise BadSnapshot("state") from error


def _check_answers(rules: Rules, state: Any, decision: Decision | None, choices: Mapping[int, Choice]) -> None:
    if decision is None:
        raise Illegal("game_over")
    if tuple(sorted(choices)) != decision.seats:
        raise Illegal("not_asked", {"asked": decision.seats, "given": tuple(sorted(choices))})
    for seat in decision.seats:
        check(rules.space(state, seat), choices[seat])


def _given(seat: int, answered: Answered) -> Given:
    return Given(seat, answered.choice, answered.source, answered.ref, answered.alternative)


def _fits_start(rules: Rules, entry: Entry) -> None:
    if (entry.number, entry.kind, entry.note, entry.change, entry.seals) != (1, START, None, (), None):
        raise BadJournal("no_start", entry.number)
    if entry.version != rules.setup.version:
        raise BadJournal("version", entry.number)


def _fits_next(rules: Rules, entry: Entry, number: int) -> None:
    if entry.number != number:
        raise BadJournal("number", entry.number)
    if entry.version != rules.setup.version:
        raise BadJournal("version", entry.number)
    if entry.change and entry.note is None:
        raise BadJournal("change", entry.number)


def _fits_ruling(entry: Entry) -> None:
    """A ruling decides nothing; what it may do is change the state."""
    if (entry.kind, entry.round, entry.answers, entry.seals) != (RULING, 0, (), None):
        raise BadJournal("ruling", entry.number)


def _play_again(table: Table, entry: Entry) -> list[Event]:
    rules = table.rules
    events: list[Event] = []
    _fits_next(rules, entry, table.number + 1)
    if (entry.line, entry.epoch) != (table.line, table.epoch):
        _change_line(table, entry)
    if entry.note is None:
        choices = _recorded_choices(rules, table.state, entry)
        rules.apply(table.state, choices, table._chance, events)
        own = table._record(entry.kind, entry.round, entry.stage, entry.answers, seals=entry.seals)
    else:
        _fits_ruling(entry)
        own, events = _ruled_again(table, entry, entry.note)
    _compare(own, entry)
    return events


def _ruled_again(table: Table, entry: Entry, note: Note) -> tuple[Entry, list[Event]]:
    if not entry.change:
        return table.note(note, entry.stage), []
    try:
        return table.change(note, entry.change, entry.stage)
    except Illegal as illegal:
        raise BadJournal(f"illegal_{illegal.code}", entry.number) from illegal


def _changed_again(rules: Rules, state: Any, entry: Entry) -> Any:
    try:
        return changed(rules, state, entry.change)[0]
    except Illegal as illegal:
        raise BadJournal(f"illegal_{illegal.code}", entry.number) from illegal


def _change_line(table: Table, entry: Entry) -> None:
    try:
        table.branch(entry.line, entry.epoch)
    except ValueError as error:
        raise BadJournal("line", entry.number) from error


def _recorded_choices(rules: Rules, state: Any, entry: Entry) -> dict[int, Choice]:
    decision = rules.pending(state)
    choices = {given.seat: given.choice for given in entry.answers}
    try:
        _check_answers(rules, state, decision, choices)
    except Illegal as illegal:
        raise BadJournal(f"illegal_{illegal.code}", entry.number) from illegal
    if decision is None or (decision.kind, decision.round) != (entry.kind, entry.round):
        raise BadJournal("decision", entry.number)
    return choices


def _compare(own: Entry, entry: Entry) -> None:
    """`own` is what the secret and the choices come to, `entry` what was recorded."""
    if own.outcomes != entry.outcomes:
        raise BadJournal("outcome_differs", entry.number)
    if own.digest != entry.digest:
        raise BadJournal("digest", entry.number)
    if own.before != entry.before:
        raise BadJournal("chain", entry.number)
