"""A table plays a game once, and its journal says the same to anyone who plays it again."""

from collections.abc import Callable
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tinygame.state import Attack, Bid

from engine.contract import Setup
from engine.errors import BadJournal, BadSnapshot, Illegal, UnknownVersion
from engine.journal import (
    Entry,
    Given,
    Note,
    canonical,
    commitment,
    decode,
    link,
    public_hash,
    state_digest,
    used_orders,
)
from engine.table import Answered, Table, follow, replay, retrace
from tests.engine.tiny import SECRET, WORDS, begin, played, random_answers, rules


@given(st.integers())
def test_a_journal_replays_to_the_same_table(seed: int) -> None:
    """State, head and later draws are those of the table that wrote it, and stored entries read back the same."""
    table, entries = played(seed)
    stored = [decode(table.rules, canonical(entry)) for entry in entries]
    assert stored == entries
    again = replay(rules(), SECRET, WORDS, stored)
    assert canonical(again.state) == canonical(table.state)
    assert (again.number, again.head, again.snapshot()) == (table.number, table.head, table.snapshot())
    assert canonical(retrace(rules(), stored)) == canonical(table.state)


def test_the_head_covers_every_entry_by_its_salted_hash() -> None:
    """The chain starts at the secret's commitment; its heads follow from public hashes alone."""
    table, entries = played(5)
    head = commitment(SECRET)
    for entry in entries:
        assert entry.before == head
        head = link(head, public_hash(SECRET, entry))
    assert head == table.head


def test_equal_entries_hash_differently_under_another_secret() -> None:
    """Without the secret nobody can try out what an entry holds."""
    entry = played(5)[1][1]
    assert public_hash(SECRET, entry) != public_hash(b"another", entry)


@given(st.integers())
def test_a_snapshot_continues_as_if_never_taken(seed: int) -> None:
    """A table restored at any decision plays on to the same entries."""
    random = Random(seed)
    table = begin()
    while table.rules.pending(table.state) is not None:
        twin = Table.restore(rules(), SECRET, WORDS, table.snapshot())
        answers = random_answers(table, random)
        assert twin.decide(answers) == table.decide(answers)
        assert twin.head == table.head


@pytest.mark.parametrize(
    "answers",
    [
        {0: Bid(9), 1: Bid(9), 2: Bid(9)},
        {0: Bid(1)},
        {0: Attack(1, 1), 1: Attack(1, 1), 2: Attack(1, 1)},
        {0: Bid(1), 1: Bid(1), 2: Bid(1), 3: Bid(1)},
    ],
)
def test_an_illegal_answer_leaves_everything_untouched(answers: dict[int, object]) -> None:
    """Wrong choices and wrong seats raise Illegal; the snapshot before and after is the same to the byte."""
    table = begin()
    before = table.snapshot()
    with pytest.raises(Illegal):
        table.decide({seat: Answered(choice, "order") for seat, choice in answers.items()})
    assert table.snapshot() == before


def test_a_game_that_is_over_takes_no_answer() -> None:
    """After the end there is nothing to decide."""
    table, _ = played(3)
    with pytest.raises(Illegal, match="game_over"):
        table.decide({})


@pytest.mark.parametrize("place", [0, 20, 60, -1])
def test_a_damaged_snapshot_is_told_from_a_whole_one(place: int) -> None:
    """One byte that is another, or one that is missing, is enough."""
    snapshot = begin().snapshot()
    changed = bytearray(snapshot)
    changed[place] ^= 1
    for damaged in (bytes(changed), snapshot[:-1], b""):
        with pytest.raises(BadSnapshot):
            Table.restore(rules(), SECRET, WORDS, damaged)


def test_a_snapshot_of_another_format_or_version_is_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of another format it is of no use; of another rules version the game is left alone."""
    snapshot = begin().snapshot()
    monkeypatch.setattr("engine.table.SNAPSHOT_FORMAT", 2)
    with pytest.raises(BadSnapshot):
        Table.restore(rules(), SECRET, WORDS, snapshot)
    monkeypatch.undo()
    newer = type(rules())(Setup(3, version=2))
    with pytest.raises(UnknownVersion):
        Table.restore(newer, SECRET, WORDS, snapshot)


def test_used_orders_are_those_that_answered() -> None:
    """The journal says which orders are used; nothing else keeps it."""
    table = begin()
    answers = {
        seat: Answered(answered.choice, "order", (seat, 0))
        for seat, answered in random_answers(table, Random(1)).items()
    }
    entry, _ = table.decide(answers)
    assert used_orders([entry]) == {(0, 0), (1, 0), (2, 0)}


NOTE = Note("deadline_extended", "Mo", "a holiday", {"until": "2026-01-02T00:00:00+00:00", "hours": 12})


def _ruled(seed: int) -> tuple[Table, list[Entry]]:
    """A random game with a ruling behind its start and behind every third decision, and its journal."""
    table, entry, _ = Table.begin(rules(), SECRET, WORDS)
    entries = [entry, table.note(NOTE)]
    random = Random(seed)
    while table.rules.pending(table.state) is not None:
        entries.append(table.decide(random_answers(table, random), "stage")[0])
        if len(entries) % 3 == 0:
            entries.append(table.note(NOTE, "stage"))
    return table, entries


@given(st.integers())
def test_rulings_are_links_of_the_chain_that_play_nothing(seed: int) -> None:
    """A game is the same with and without them but for its head; the journal replays, from any snapshot on too."""
    table, entries = _ruled(seed)
    stored = [decode(table.rules, canonical(entry)) for entry in entries]
    assert stored == entries
    again = replay(rules(), SECRET, WORDS, stored)
    assert (again.number, again.head, again.snapshot()) == (table.number, table.head, table.snapshot())
    assert canonical(retrace(rules(), stored)) == canonical(table.state)
    plain, without = played(seed)
    assert canonical(plain.state) == canonical(table.state)
    assert [entry.digest for entry in without] == [entry.digest for entry in entries if entry.note is None]
    assert plain.head != table.head
    middle = len(stored) // 2
    early = replay(rules(), SECRET, WORDS, stored[:middle])
    restored = Table.restore(rules(), SECRET, WORDS, early.snapshot())
    follow(restored, stored[middle:])
    assert restored.snapshot() == table.snapshot()


@pytest.mark.parametrize(
    ("changes", "number"),
    [
        ({"note": msgspec.structs.replace(NOTE, reason="none")}, 3),
        ({"note": msgspec.structs.replace(NOTE, actor="Jo")}, 3),
        ({"note": msgspec.structs.replace(NOTE, params={})}, 3),
        ({"note": None}, 2),
        ({"kind": "bid"}, 2),
        ({"round": 1}, 2),
        ({"answers": (Given(0, Bid(1), "moderator"),)}, 2),
        ({"outcomes": (("deck", 2, 1),)}, 2),
        ({"digest": b"0" * 16}, 2),
        ({"before": b"0" * 32}, 2),
    ],
)
def test_an_altered_ruling_is_found(changes: dict[str, object], number: int) -> None:
    """Replay names it, or the next entry where only the chain shows it."""
    entries = _ruled(7)[1]
    with pytest.raises(BadJournal) as raised:
        replay(rules(), SECRET, WORDS, [entries[0], msgspec.structs.replace(entries[1], **changes), *entries[2:]])
    assert raised.value.number == number


def _with(change: Callable[[Entry], Entry]) -> list[Entry]:
    """A journal with its fifth entry changed."""
    entries = played(7)[1]
    return [*entries[:4], change(entries[4]), *entries[5:]]


def _other_choice(entry: Entry) -> Entry:
    first = entry.answers[0]
    return msgspec.structs.replace(entry, answers=(Given(first.seat, Bid(99), "order"), *entry.answers[1:]))


def _other_outcome(entry: Entry) -> Entry:
    (stream, n, value), *rest = entry.outcomes
    return msgspec.structs.replace(entry, outcomes=((stream, n, (value + 1) % n), *rest))


@pytest.mark.parametrize(
    ("change", "number"),
    [
        (_other_choice, 5),
        (_other_outcome, 5),
        (lambda entry: msgspec.structs.replace(entry, digest=b"0" * 16), 5),
        (lambda entry: msgspec.structs.replace(entry, before=b"0" * 32), 5),
        (lambda entry: msgspec.structs.replace(entry, number=50), 50),
        (lambda entry: msgspec.structs.replace(entry, kind="attack"), 5),
        (lambda entry: msgspec.structs.replace(entry, version=2), 5),
        (lambda entry: msgspec.structs.replace(entry, line=1), 6),
        (lambda entry: msgspec.structs.replace(entry, line=-1), 5),
        (lambda entry: msgspec.structs.replace(entry, epoch=1), 5),
        (lambda entry: msgspec.structs.replace(entry, stage="another"), 6),
    ],
)
def test_whatever_was_altered_is_found(change: Callable[[Entry], Entry], number: int) -> None:
    """Replay names the first entry that does not fit: the altered one, or the next where only the chain shows it."""
    with pytest.raises(BadJournal) as raised:
        replay(rules(), SECRET, WORDS, _with(change))
    assert raised.value.number == number


@pytest.mark.parametrize("epoch", [0, 1])
def test_a_line_left_early_replays_with_what_it_kept(epoch: int) -> None:
    """A roll-back goes on from an earlier entry; only in a later epoch do the same answers bring other draws."""
    entries = played(7)[1]
    table = replay(rules(), SECRET, WORDS, entries[:4])
    table.branch(1, epoch)
    line = list(entries[:4])
    for old in entries[4:10]:
        choices = {given.seat: Answered(given.choice, given.source) for given in old.answers}
        try:
            line.append(table.decide(choices, old.stage)[0])
        except Illegal:
            break
    drawn = [entry.outcomes for entry in line]
    assert (drawn == [entry.outcomes for entry in entries[: len(line)]]) == (epoch == 0)
    assert {(entry.line, entry.epoch) for entry in line} == {(0, 0), (1, epoch)}
    assert replay(rules(), SECRET, WORDS, line).head == table.head
    assert Table.restore(rules(), SECRET, WORDS, table.snapshot()).snapshot() == table.snapshot()
    with pytest.raises(ValueError, match="line"):
        table.branch(1, epoch)


def test_another_secret_or_word_does_not_fit_the_journal() -> None:
    """Draws can't have come from another secret or other words than those given."""
    entries = played(7)[1]
    for secret, words in ((b"another", WORDS), (SECRET, ("one", "two", "four"))):
        with pytest.raises(BadJournal) as raised:
            replay(rules(), secret, words, entries)
        assert raised.value.number == 1


def test_an_entry_left_out_is_found() -> None:
    """A gap is named, and so is a journal without its start."""
    entries = played(7)[1]
    with pytest.raises(BadJournal) as raised:
        replay(rules(), SECRET, WORDS, entries[:3] + entries[4:])
    assert raised.value.number == 5
    for none in ([], entries[1:]):
        with pytest.raises(BadJournal):
            replay(rules(), SECRET, WORDS, none)
        with pytest.raises(BadJournal):
            retrace(rules(), none)


def test_without_the_secret_choices_draws_and_digests_must_still_agree() -> None:
    """What was altered consistently with nothing is found without the secret too."""
    for change in (_other_choice, _other_outcome, lambda entry: msgspec.structs.replace(entry, digest=b"0" * 16)):
        with pytest.raises(BadJournal) as raised:
            retrace(rules(), _with(change))
        assert raised.value.number == 5


def test_the_secret_is_in_no_state_and_no_snapshot() -> None:
    """Whoever gets a snapshot can't foresee a draw."""
    table, _ = played(1)
    assert SECRET not in table.snapshot()
    assert len(state_digest(table.state)) == 16
