"""A moderator's changes of a state: made whole or not at all, on record, and read from lines."""

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tinygame.changing import Card, Discarded, Left, Lives, Swapped
from tinygame.rules import TinyRules
from tinygame.state import State

from engine.changes import LONGEST, MOST, changed, read_changes, write_change
from engine.contract import Event, Rules
from engine.errors import BadJournal, Illegal
from engine.journal import RULING, Entry, Note, canonical, decode
from engine.table import Answered, Table, follow, replay, retrace
from tests.engine.tiny import SECRET, WORDS, rules

NOTE = Note("state_changed", "Ada", "a slip of mine", {})


def _table() -> tuple[Table, list[Entry]]:
    table, entry, _ = Table.begin(rules(), SECRET, WORDS)
    return table, [entry]


def _answers(table: Table) -> dict[int, Answered]:
    decision = table.rules.pending(table.state)
    assert decision is not None
    return {seat: Answered(table.rules.default(table.state, seat), "default") for seat in decision.seats}


def test_a_list_of_changes_is_checked_after_its_last() -> None:
    """One that breaks an invariant alone is made together with the one that mends it, in either order."""
    bound, state = rules(), _table()[0].state
    left, played = state.left[2], state.discard[2]
    mending = (Left(3, left - 1), Discarded(3, played + 1))
    with pytest.raises(Illegal) as refused:
        changed(bound, state, mending[:1])
    assert (refused.value.code, refused.value.params) == ("breaks", {"broken": ("cards",)})
    for order in (mending, mending[::-1]):
        after, _ = changed(bound, state, order)
        assert (after.left[2], after.discard[2]) == (left - 1, played + 1)


def test_a_refused_list_changes_nothing() -> None:
    """Whichever of its changes is to blame: state, number and head of the table stay."""
    table, _ = _table()
    before = canonical(table.state), table.number, table.head
    for changes in ((Lives(0, 5), Lives(0, 99)), (Lives(0, 5), Left(1, 0)), (), (Lives(0, table.state.lives[0]),)):
        with pytest.raises(Illegal):
            table.change(NOTE, changes)
        assert (canonical(table.state), table.number, table.head) == before


def test_a_change_is_a_ruling_of_the_journal_that_replays() -> None:
    """Its entry has the changes and the digest of the state that they made; play goes on from there, and a table
    caught up from an earlier snapshot, a replay and a check without the secret all come to the same."""
    table, entries = _table()
    snapshot = table.snapshot()
    hand = table.state.hands[1]
    new = next(value for value in range(1, 7) if table.state.left[value - 1] and value != hand[0])
    entry, events = table.change(NOTE, (Lives(2, 7), Card(1, hand[0], new)), "1-bid")
    assert (entry.kind, entry.note, entry.stage, entry.answers, entry.outcomes) == (RULING, NOTE, "1-bid", (), ())
    assert [event.seen_by(0) for event in events] == [Lives(2, 7), Swapped(1)]
    assert [event.seen_by(1) for event in events] == [Lives(2, 7), Swapped(1, hand[0], new)]
    entries += [entry, table.decide(_answers(table))[0]]
    stored = [decode(table.rules, canonical(each)) for each in entries]
    assert stored == entries
    caught_up = Table.restore(rules(), SECRET, WORDS, snapshot)
    follow(caught_up, stored[1:])
    for again in (caught_up, replay(rules(), SECRET, WORDS, stored)):
        assert (canonical(again.state), again.head) == (canonical(table.state), table.head)
    assert canonical(retrace(rules(), stored)) == canonical(table.state)


def test_a_forged_change_is_found() -> None:
    """Another change than was made, one that can't be made, one at a decision or at the set-up: none replays."""
    table, entries = _table()
    entries.append(table.change(NOTE, (Lives(2, 7),))[0])
    entries.append(table.decide(_answers(table))[0])
    forge = msgspec.structs.replace
    forged = [
        [entries[0], forge(entries[1], change=(Lives(2, 8),)), entries[2]],
        [entries[0], forge(entries[1], change=(Lives(2, 0),)), entries[2]],
        [entries[0], forge(entries[1], change=()), entries[2]],
        [*entries[:2], forge(entries[2], change=(Lives(2, 8),))],
        [forge(entries[0], change=(Lives(2, 8),)), *entries[1:]],
    ]
    for journal in forged:
        with pytest.raises(BadJournal):
            replay(rules(), SECRET, WORDS, journal)
        with pytest.raises(BadJournal):
            retrace(rules(), journal)


class _Fixed(TinyRules):
    """Rules that let nobody change a state."""

    changeable: Any = None

    def __getattribute__(self, name: str) -> Any:
        if name == "settle":
            raise AttributeError(name)
        return super().__getattribute__(name)


def test_rules_that_know_no_changes_refuse_them_in_a_journal_too() -> None:
    """They are no defect of the caller: the journal is."""
    table, entries = _table()
    entries.append(table.change(NOTE, (Lives(2, 7),))[0])
    fixed: Rules = _Fixed(table.rules.setup)
    with pytest.raises(Illegal) as refused:
        changed(fixed, table.state, (Lives(2, 6),))
    assert refused.value.code == "no_changes"
    with pytest.raises(BadJournal):
        decode(fixed, canonical(entries[1]))


class _Asks(TinyRules):
    """Rules by which a seat of nine lives is asked nothing more."""

    def pending(self, state: State) -> Any:
        return None if 9 in state.lives else super().pending(state)


def test_a_change_never_answers_what_is_asked() -> None:
    """One after which the pending decision would lapse is refused."""
    with pytest.raises(Illegal) as refused:
        changed(_Asks(rules().setup), _table()[0].state, (Lives(0, 9),))
    assert refused.value.code == "lapses"


def test_nothing_is_changed_in_the_middle_of_an_act_or_after_the_end() -> None:
    """While an attack is to be met, and once the game is over."""
    table, _ = _table()
    while table.rules.pending(table.state).kind != "defend":  # type: ignore[union-attr]
        table.decide(_answers(table))
    for code in ("in_the_middle", "game_over"):
        with pytest.raises(Illegal) as refused:
            table.change(NOTE, (Lives(0, 5),))
        assert refused.value.code == code
        while table.rules.pending(table.state) is not None:
            table.decide(_answers(table))


@pytest.mark.parametrize(
    ("line", "code", "params"),
    [
        ("", "no_changes", {}),
        ("life red 3", "not_read", {"line": 1, "given": "life red 3"}),
        ("lives", "unfinished", {"line": 1, "given": "", "could": ("red", "green", "blue")}),
        ("lives redd 3", "not_read", {"line": 1, "given": "redd 3", "could": ("red",)}),
        ("lives red 10", "number_not_read", {"line": 1, "given": "10", "least": 1, "most": 9}),
        ("lives red three", "number_not_read", {"line": 1, "given": "three"}),
        ("lives red 3 4", "too_much_said", {"line": 1, "given": "4"}),
        ("\nlives red 3\n\nlives blue", "number_not_read", {"line": 4, "given": ""}),
        ("lives red " + "3" * LONGEST, "too_long", {"line": 1}),
        ("lives red 3\n" * (MOST + 1), "too_many_changes", {"most": MOST}),
    ],
)
def test_a_line_that_says_no_change_is_told_where_and_what_could_stand_there(
    line: str, code: str, params: dict[str, object]
) -> None:
    """With the number of the line among those given."""
    with pytest.raises(Illegal) as refused:
        read_changes(rules(), _table()[0].state, line.split("\n"))
    assert refused.value.code == code
    assert params.items() <= refused.value.params.items()


def test_lines_are_read_each_after_those_before_it() -> None:
    """Case and spaces don't matter, and what one line makes possible the next may use."""
    table, _ = _table()
    absent = next(value for value in range(1, 7) if value not in table.state.hands[0] and table.state.left[value - 1])
    hand = table.state.hands[0][0]
    lines = [" Lives  RED 3", "", f"card red {hand} {absent}", f"card red {absent} {hand}"]
    made = read_changes(table.rules, table.state, lines)
    assert made == (Lives(0, 3), Card(0, hand, absent), Card(0, absent, hand))
    assert isinstance(table.rules, TinyRules)
    assert write_change(table.rules, table.rules.changeable(table.state), made[0]) == "lives red 3"


@given(st.text(max_size=LONGEST + 5))
def test_no_text_does_anything_but_be_read_or_refused(text: str) -> None:
    """Whatever it is given the reader touches nothing, and raises Illegal alone."""
    table, _ = _table()
    before = canonical(table.state)
    with suppress(Illegal):
        read_changes(table.rules, table.state, text.split("\n"))
    assert canonical(table.state) == before


def test_events_of_changes_have_an_audience() -> None:
    """What a hidden change tells the others says nothing of what was there, or is there now."""
    table, _ = _table()
    events: list[Event] = []
    seen = set()
    for seat in range(3):
        for new in range(1, 7):
            for old in set(table.state.hands[seat]):
                try:
                    _, events = changed(table.rules, table.state, (Card(seat, old, new),))
                except Illegal:
                    continue
                seen.add((seat, canonical([event.seen_by((seat + 1) % 3) for event in events])))
    assert len(seen) == 3
