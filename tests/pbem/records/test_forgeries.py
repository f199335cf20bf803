"""Records that the machine's owner forged, with secret, chain, counts and end all put right: none of them is sound."""

import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

import pytest
from tinygame.changing import Lives
from tinygame.state import Bid

from engine.contract import Condition
from engine.journal import Note
from engine.orders.shape import Alternative, Order
from engine.orders.sheet import Kept, Sheet
from pbem.records import checking
from pbem.records.checking import BadRecord, check_record, read_record
from pbem.records.shape import Line, Recorded, Sealed
from pbem.records.told import told
from pbem.rulings.authority import CHANGED
from tests.journals.playing import KEPT
from tests.pbem.records.forging import (
    AT,
    SEALS,
    Playing,
    chained,
    changed,
    ended,
    entry_of,
    game_of,
    lines_of,
    put_right,
    stood,
    with_,
    with_entry,
)

Forged = list[Line]
Forgery = Callable[[Forged], Forged]


def bid(ref: tuple[int, int], card: int, *, always: bool = False, test: Condition | None = None) -> Kept:
    """An order on a sheet."""
    return Kept(ref, Order("bid", (Alternative(Bid(card)),), always=always, test=test))


def refused(content: bytes, code: str, entry: int) -> None:
    """It is, with that code and entry."""
    with pytest.raises(BadRecord) as bad:
        check_record(content)
    assert (bad.value.code, bad.value.entry) == (code, entry)


def unsealed(lines: Forged, number: int) -> Forged:
    """The lines without the sheets that were opened at the end of the stage with that entry."""
    return [line for line in lines if not (isinstance(line, Sealed) and line.entry == number)]


def another_sheet(lines: Forged, sheet: Sheet, salt: bytes = b"", **given: Any) -> Forged:
    """The first seat's sheet at the first decision is that one, and its answer is otherwise as given."""
    mine = stood(0, sheet, salt)

    def change(line: Recorded) -> Recorded:
        first, *others = line.entry.answers
        seals = ((0, bytes.fromhex(mine.seal)),)
        return with_(
            line, entry=with_(line.entry, seals=seals, answers=(with_(first, **given), *others)), sheets=(mine,)
        )

    return changed(unsealed(lines, 2), 2, change)


def two_seals(lines: Forged) -> Forged:
    """The player's sheet is there, and behind it the one that was played by."""
    mine = stood(0, Sheet((bid((1, 0), 6),)))

    def change(line: Recorded) -> Recorded:
        seals = (0, bytes.fromhex(mine.seal)), *(line.entry.seals or ())
        return with_(line, entry=with_(line.entry, seals=seals), sheets=(mine,))

    return changed(lines, 2, change)


def seats_out_of_order(lines: Forged) -> Forged:
    """A seal of the second seat before that of the first."""
    other = stood(1, Sheet((bid((90, 0), 6),)))

    def change(line: Recorded) -> Recorded:
        seals = (1, bytes.fromhex(other.seal)), *(line.entry.seals or ())
        return with_(line, entry=with_(line.entry, seals=seals), sheets=(other,))

    return changed(lines, 2, change)


def relabelled(source: str) -> Forgery:
    """Another choice than that of the player's sheet is said to come from elsewhere."""
    return lambda lines: another_sheet(lines, Sheet((bid((1, 0), 6),)), source=source, ref=None)


def reference_kept(lines: Forged) -> Forged:
    """A stand-in's answer names an order, which is then used up."""
    first, second, *others = entry_of(lines, 2).entry.answers
    return changed(lines, 2, with_entry(answers=(first, with_(second, ref=(90, 0)), *others)))


def never_bound(opened_at: int) -> Forgery:
    """The sheet is opened at the end of the stage, or before the first decision, and its seal stands in no entry."""

    def forge(lines: Forged) -> Forged:
        mine = stood(0, Sheet((bid((1, 0), 4, always=True),)))
        made = changed(unsealed(lines, 2), 2, with_entry(seals=()))
        return [*made[:-1], Sealed(0, opened_at, "1-bid", 0, mine.seal, mine.salt, mine.sheet), made[-1]]

    return forge


def used_again(lines: Forged) -> Forged:
    """An order of one stage once more in the next, by the same sheet."""
    earlier, later = entry_of(lines, 8).entry, entry_of(lines, 11).entry
    first, *others = later.answers
    return changed(lines, 11, with_entry(answers=(with_(first, ref=(4, 0)), *others), seals=earlier.seals))


def of_two_seats(lines: Forged) -> Forged:
    """One order answers for two seats."""
    entry = entry_of(lines, 2).entry
    first, second, *others = entry.answers
    sheet = stood(1, Sheet((bid((1, 0), second.choice["card"]),)))
    seals = *(entry.seals or ()), (1, bytes.fromhex(sheet.seal))
    answers = (first, with_(second, source="order", ref=(1, 0)), *others)
    return changed(
        lines, 2, lambda line: with_(line, entry=with_(entry, answers=answers, seals=seals), sheets=(sheet,))
    )


def answered_twice(lines: Forged) -> Forged:
    """The player's order is there, and another answer of the seat behind it."""
    first, *others = entry_of(lines, 2).entry.answers
    return changed(lines, 2, with_entry(answers=(first, first, *others)))


def against_its_condition(lines: Forged) -> Forged:
    """An order is used of which the seat saw that it did not hold."""
    test = Condition("attacked_by", {"seat": 1})
    return another_sheet(lines, Sheet((bid((1, 0), 5), bid((1, 1), 4, test=test))), ref=(1, 1))


def second_alternative(*cards: int) -> Forgery:
    """Another alternative than the first that is legal, or one that is said to be."""
    both = Order("bid", tuple(Alternative(Bid(card)) for card in cards))
    return lambda lines: another_sheet(lines, Sheet((Kept((1, 0), both),)), alternative=1)


FORGERIES: Sequence[tuple[Forgery, str, int]] = [
    (two_seals, "seals", 2),
    (seats_out_of_order, "seals", 2),
    (relabelled("default"), "default", 2),
    (relabelled("page"), "source", 2),
    (relabelled("moderator"), "source", 2),
    (relabelled("order"), "source", 2),
    (reference_kept, "source", 2),
    (never_bound(2), "order", 2),
    (never_bound(1), "order", 2),
    (used_again, "order", 11),
    (of_two_seats, "order", 2),
    (answered_twice, "illegal_not_asked", 2),
    (second_alternative(4, 5), "order", 2),
    (lambda lines: another_sheet(lines, Sheet((bid((1, 0), 4),)), b"short"), "seal", 2),
    (lambda lines: changed(lines, 4, with_entry(stage="9-bid")), "other_stage", 4),
    (lambda lines: changed(lines, 5, with_entry(seals=None)), "unbound", 5),
]


@pytest.mark.parametrize(("forgery", "code", "entry"), FORGERIES)
def test_record_forged_by_whoever_has_the_secret_is_named(forgery: Forgery, code: str, entry: int) -> None:
    """Whatever is made to fit the change, its entry is named; without the change the same record is sound."""
    lines = lines_of(SEALS)
    check_record(put_right(lines))
    refused(put_right(forgery(lines)), code, entry)


@pytest.mark.parametrize("forgery", [against_its_condition, second_alternative(5, 4)])
def test_order_that_did_not_come_up_is_told(forgery: Forgery) -> None:
    """Its condition did not hold, or another alternative was first: no fault, for conditions may be read better."""
    lines = lines_of(SEALS)
    assert check_record(put_right(lines)).doubtful == []
    assert check_record(put_right(forgery(lines))).doubtful == [2]


def test_relabelled_stand_in_is_told_by_its_side() -> None:
    """Nothing shows what a stand-in would choose: how often one answered for a side is said."""
    lines = another_sheet(lines_of(SEALS), Sheet((bid((1, 0), 6),)), source="standin", ref=None)
    red = check_record(put_right(lines)).sides[0]
    assert (red.side, red.word, red.orders, red.defaults, red.standins) == ("red", "ann", 9, 2, 1)


def silently(epoch: int) -> Callable[[Playing], None]:
    """Play begins anew, and nothing says so."""
    return lambda game: game.back(2, 1, epoch)


def noted(act: str, line: int, epoch: int, **params: Any) -> Callable[[Playing], None]:
    """Play begins anew with an act that is on record."""

    def begin(game: Playing) -> None:
        game.back(2, line, epoch)
        game.say(act, **params)

    return begin


def drawn_before(game: Playing) -> None:
    """Draws that were seen come again, as if they were new ones."""
    noted("rolled_back", 1, 1, entry=2, chance="redraw")(game)
    game.play(2)
    noted("rolled_back", 2, 2, entry=2, chance="redraw")(game)
    game.play(2)
    game.back(1, 3, 1)
    game.say("rolled_back", entry=1, chance="redraw")


def returned_elsewhere(game: Playing) -> None:
    """What is given out as the copy of a line that was left has other draws."""
    game.back(1, 1, 7)
    game.play(2)
    game.say("returned", entry=3)


def copy_of_a_copy(game: Playing) -> None:
    """A line of chosen draws is given out as the copy of one that it made itself."""
    game.back(1, 1, 7)
    game.play(2)
    game.back(3, 2, 7)
    game.say("returned", entry=3)


def returned_to_other_draws(game: Playing) -> None:
    """It is the end of the line that was left, and all that follows is drawn otherwise."""
    game.back(4, 1, 9)
    game.say("returned", entry=4)


def copy_that_was_left(game: Playing) -> None:
    """A line of chosen draws is left for a true copy, and then returned to."""
    first = [entry for entry in game.entries if entry.number > 1]
    game.back(1, 1, 7)
    game.play(3)
    chosen = [entry for entry in game.entries if entry.line == 1]
    game.back(1, 2, 0)
    game.again(first)
    game.say("returned", entry=4)
    game.back(1, 3, 7)
    game.again(chosen)
    game.say("returned", entry=4)


BEGINNINGS: Sequence[tuple[Callable[[Playing], None], int]] = [
    (silently(0), 3),
    (silently(1), 3),
    (noted("undone", 1, 1, seat=0), 3),
    (noted("looked", 1, 0), 3),
    (noted("rolled_back", 1, 1, entry=2, chance="keep"), 3),
    (noted("rolled_back", 1, 2, entry=2, chance="redraw"), 3),
    (noted("rolled_back", 1, 0, entry=2, chance="redraw"), 3),
    (noted("rolled_back", 1, 1, entry=1, chance="redraw"), 3),
    (noted("rolled_back", 2, 1, entry=2, chance="redraw"), 3),
    (noted("returned", 1, 0, entry=4), 3),
    (drawn_before, 2),
    (returned_elsewhere, 4),
    (copy_of_a_copy, 4),
    (returned_to_other_draws, 5),
    (copy_that_was_left, 2),
]


@pytest.mark.parametrize(("begin", "entry"), BEGINNINGS)
def test_line_that_begins_in_silence_or_with_chosen_draws_is_named(
    begin: Callable[[Playing], None], entry: int
) -> None:
    """Draws can't be tried until they please: a new line needs its act, and other draws the next epoch."""
    game = Playing(lines_of(SEALS))
    game.play(3)
    begin(game)
    refused(game.record(), "line", entry)


@pytest.mark.parametrize(
    ("begin", "redrawn"),
    [
        (noted("undone", 1, 0, seat=0), 0),
        (noted("rolled_back", 1, 0, entry=2, chance="keep"), 0),
        (noted("rolled_back", 1, 1, entry=2, chance="redraw"), 1),
    ],
)
def test_line_that_begins_with_its_act_is_sound_and_counted(begin: Callable[[Playing], None], redrawn: int) -> None:
    """As a player's undoing and a moderator's roll-back make it."""
    game = Playing(lines_of(SEALS))
    game.play(3)
    begin(game)
    found = check_record(game.record())
    assert (found.left, found.redrawn) == (1, redrawn)


def test_copy_of_a_line_that_was_left_is_sound_and_any_other_is_not() -> None:
    """Entry for entry up to the `returned`, draws of its epoch too."""
    game = Playing(lines_of(SEALS))
    game.play(3)
    noted("rolled_back", 1, 1, entry=2, chance="redraw")(game)
    game.play(1)
    game.back(1, 2, 0)
    game.again([entry for entry in game.entries if entry.line == 0][1:])
    game.say("returned", entry=4)
    check_record(game.record())
    cut = Playing(lines_of(SEALS))
    cut.play(3)
    noted("rolled_back", 1, 1, entry=2, chance="redraw")(cut)
    cut.play(1)
    cut.back(1, 2, 0)
    cut.again([entry for entry in cut.entries if entry.line == 0][1:-1])
    cut.say("returned", entry=4)
    refused(cut.record(), "line", 4)


def test_seals_can_not_end_on_a_new_line() -> None:
    """Whoever goes back to before the first seal still has to bind what is played then, whatever becomes of it."""
    game = Playing(lines_of(SEALS))
    game.play(3)
    game.back(1, 1, 0)
    game.say("rolled_back", entry=1, chance="keep")
    game.play(1000)
    lines: Forged = [game.game, *(Recorded(AT, "", entry) for entry in game.entries)]
    loose: Forged = [
        with_(line, entry=with_(line.entry, seals=None))
        if isinstance(line, Recorded) and line.entry.line and line.entry.note is None
        else line
        for line in lines
    ]
    check_record(put_right(lines))
    refused(put_right(loose), "unbound", 3)
    first = [entry for entry in game.entries if not entry.line and entry.number > 1]
    game.back(1, 2, 0)
    game.again(first)
    game.say("returned", entry=4)
    more = [Recorded(AT, "", entry) for entry in game.entries if entry.line == 2]
    refused(put_right([*loose, *more]), "unbound", 3)


def test_seal_tells_of_the_present_line_and_names_others_apart() -> None:
    """A sheet that stood only on a line that was left is not said to have been played by."""
    lines = lines_of(SEALS)
    mine = next(line for line in lines if isinstance(line, Sealed) and line.entry == 2)
    start, first = entry_of(lines, 1), entry_of(lines, 2)
    game = Playing(lines)
    game.entries.append(first.entry)
    game.back(1, 1, 0)
    game.say("rolled_back", entry=1, chance="keep")
    game.play(1000)
    journal = [start, first, *(Recorded(AT, "", entry) for entry in game.entries[2:])]
    content = put_right([game.game, *journal, mine])
    found = told(read_record(content), mine.seal)
    assert (found.stood, found.used, found.left) == ((), (), ((0, 2),))
    assert check_record(content).left == 1


def test_seal_says_which_order_was_used_where() -> None:
    """Of a sheet with two orders the one that answered."""
    lines = another_sheet(lines_of(SEALS), Sheet((bid((1, 0), 4), bid((1, 1), 5))))
    whole = read_record(put_right(lines))
    found = told(whole, entry_of(lines, 2).sheets[0].seal)
    assert found.orders == ("bid 4", "bid 5")
    assert (found.used, found.played) == ((2,), ((2, "bid 4"),))


def test_seal_of_an_earlier_release_is_told_apart() -> None:
    """Its sheet stood at no entry, for there were no seals in the journal: that is said, and accuses nobody."""
    whole = read_record((KEPT / "tinygame" / "1" / "two.jsonl").read_bytes())
    sealed = whole.seals[0]
    found = told(whole, sealed.seal)
    assert found.stood == ()
    assert found.unbound
    assert sealed.entry in found.unbound
    with pytest.raises(BadRecord) as bad:
        told(whole, "00" * 16)
    assert bad.value.code == "other_seal_unbound"
    with pytest.raises(BadRecord) as bad:
        told(read_record(SEALS.read_bytes()), "00" * 16)
    assert bad.value.code == "other_seal"


@pytest.mark.parametrize("sealed_at", [4, 5])
def test_standing_order_of_an_earlier_release_serves_on_and_is_counted(sealed_at: int) -> None:
    """As long as its player sends nothing; the sheet has to be from before the first decision that was bound."""
    lines: Forged = unsealed(lines_of(SEALS), 5)
    for number in (2, 3, 4):
        lines = changed(lines, number, with_entry(seals=None))
    first, *others = entry_of(lines, 5).entry.answers
    standing = stood(0, Sheet((bid((80, 0), first.choice["card"], always=True),)))
    lines = changed(lines, 5, with_entry(seals=(), answers=(with_(first, ref=(80, 0)), *others)))
    sealed = Sealed(0, sealed_at, "1-fight", 0, standing.seal, standing.salt, standing.sheet)
    content = put_right([*lines[:-1], sealed, lines[-1]])
    if sealed_at == 4:
        assert check_record(content).unbound == 4
    else:
        refused(content, "order", 5)


def test_another_secret_than_that_of_the_invitation_is_found() -> None:
    """The seal of the secret is compared, whole or as it begins; given as a head or a seal it is told apart."""
    content = SEALS.read_bytes()
    seal = game_of(lines_of(SEALS)).secret_hash
    assert check_record(content, secret_hash=seal).secret_hash == seal
    assert check_record(content, secret_hash=seal[:8].upper()).secret_hash == seal
    with pytest.raises(BadRecord) as bad:
        check_record(content, secret_hash="00ff00ff")
    assert bad.value.code == "other_secret_hash"
    with pytest.raises(BadRecord) as bad:
        check_record(content, seal)
    assert bad.value.code == "hash_as_head"
    with pytest.raises(BadRecord) as bad:
        told(read_record(content), seal)
    assert bad.value.code == "hash_as_seal"


@pytest.mark.parametrize("text", ["1-x\x1b[1F\x1b[2K", "1-x\x9b2K", "1-x\x07"])
def test_stage_that_would_move_a_terminal_is_refused(text: str) -> None:
    """No rules name one so; what a person typed is taken as it is, for draws follow from it."""
    refused(put_right(changed(lines_of(SEALS), 4, with_entry(stage=text))), "text", 4)


@pytest.mark.parametrize("act", ["deadline_extended", "paused", "looked", "rolled_back", "made up"])
def test_ruling_that_changes_the_position_and_says_otherwise_is_refused(act: str) -> None:
    """Its players were told that a deadline was put off; a change that says so is counted, with its entry."""
    for said in (act, CHANGED):
        game = Playing(lines_of(SEALS))
        game.play(3)
        game.change(said, Lives(game.table.state.living()[0], 9))
        number = game.table.number
        if said == CHANGED:
            assert check_record(game.record()).changed == [number]
        else:
            refused(game.record(), "changed", number)


def test_first_line_has_the_head_and_line_of_its_journal() -> None:
    """Though no entry says otherwise."""
    *lines, _ = chained(lines_of(SEALS))
    game = game_of(lines)
    check_record(ended(lines))
    for other in (with_(game, head="00" * 32), with_(game, line=1)):
        refused(ended([other, *lines[1:]]), "head", 0)


def test_secret_that_its_hash_does_not_seal_is_found() -> None:
    """In a file that is put right otherwise."""
    *lines, _ = chained(lines_of(SEALS))
    for other in (with_(game_of(lines), secret_hash="00" * 32), with_(game_of(lines), secret="00" * 32)):
        refused(ended([other, *lines[1:]]), "secret", 0)


def test_entry_that_stands_twice_is_found() -> None:
    """In a file that is put right otherwise."""
    lines = lines_of(SEALS)
    place = lines.index(entry_of(lines, 2))
    refused(put_right([*lines[: place + 1], lines[place], *lines[place + 1 :]]), "chain", 2)


@pytest.mark.parametrize("bound", ["MOST_BYTES", "MOST_LINES", "MOST_STEPS"])
def test_record_that_is_too_long_is_refused_before_the_work(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No entry is hashed or played."""
    content = SEALS.read_bytes()
    most = {"MOST_BYTES": len(content), "MOST_LINES": content.count(b"\n"), "MOST_STEPS": 25}[bound]
    monkeypatch.setattr(checking, bound, most)
    check_record(content)
    monkeypatch.setattr(checking, bound, most - 1)
    hashed: list[object] = []
    monkeypatch.setattr(checking, "public_hash", lambda *given: hashed.append(given))
    refused(content, "too_long", 0)
    assert not hashed


def rulings(number: int) -> bytes:
    """A record with so many rulings in a row."""
    game = Playing(lines_of(SEALS))
    for _ in range(number):
        game.say("looked")
    return game.record()


def roll_backs(number: int) -> bytes:
    """A record in which so many lines were left."""
    game = Playing(lines_of(SEALS))
    for line in range(1, number + 1):
        game.back(1, line, 0)
        game.say("rolled_back", entry=1, chance="keep")
    return game.record()


def _work(content: bytes) -> int:
    """How many instructions of the check itself are carried out."""
    done = 0

    def count(frame: FrameType, event: str, _: object) -> Any:
        nonlocal done
        if frame.f_code.co_filename != checking.__file__:
            return None
        frame.f_trace_opcodes = True
        done += event == "opcode"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        read_record(content)
    finally:
        sys.settrace(before)
    return done


@pytest.mark.parametrize("made", [rulings, roll_backs])
def test_work_of_a_check_grows_as_its_file_does(made: Callable[[int], bytes]) -> None:
    """Not with the square of its entries, in one line or in many."""
    assert _work(made(400)) < 6 * _work(made(100))


def test_ruling_with_figures_of_another_kind_does_not_stop_the_check() -> None:
    """A roll-back whose figures are none."""
    game = Playing(lines_of(SEALS))
    game.play(3)
    game.back(2, 1, 0)
    game.entries.append(game.table.note(Note("rolled_back", "x", "x", {"entry": [2], "chance": {}}), "1-bid"))
    game.snapshots[3] = game.table.snapshot()
    refused(game.record(), "line", 3)
