"""A game's record: whoever has the file can check all of it, and any change of it is found."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from pbem.context import Service
from pbem.errors import Refused
from pbem.games.lifecycle import Guest, Plan, create_game, invite, join
from pbem.records.checking import BadRecord, check_record
from pbem.records.shape import End, Played, Recorded, Said, Sealed, decoded, encoded
from pbem.records.writing import content_hash, record
from pbem.reports.data import decode_report
from pbem.rulings.authority import Actor
from pbem.rulings.changing import Wanted, change_state
from pbem.rulings.deadlines import extend_deadline
from pbem.storage.sessions import Database
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.records.forging import changed, put_right, with_entry
from tests.pbem.sheets.test_undo import one_order

MOST_DEADLINES = 200


def over(match: Match, seed: int = 1) -> Match:
    """The game played to its end: orders, some taken back, a ruling, deadlines that pass."""
    random = Random(seed)
    extend_deadline(match.service, match.code, 12, Actor("a holiday"))
    for _ in range(MOST_DEADLINES):
        if match.game.status != "playing":
            return match
        for seat in [int(number) for number in match.game.waiting.split(",") if number]:
            if match.game.status == "playing" and str(seat) in match.game.waiting.split(","):
                match.say(seat, one_order(match, seat, random)[0])
                if random.random() < 0.3:
                    match.settle()
                    match.say(seat, "undo")
        match.settle()
        if match.game.status == "playing":
            match.pass_deadline()
    raise AssertionError("endless")


def among_standins(service: Service, rules: str, sides: tuple[str, ...]) -> Match:
    """A game of one player, who says only that the others need not wait, and stand-ins; to its end."""
    plan = Plan(
        rules, [Guest("ann@players.example", "Ann")], "brisk", settle_minutes=0, standins=dict.fromkeys(sides, "steady")
    )
    match = Match(service, create_game(service, plan))
    invite(service, match.code)
    join(service, match.id, 0, "ann")
    match.settle()
    for _ in range(MOST_DEADLINES):
        if match.game.status != "playing":
            return match
        match.say(0, "ready")
        match.settle()
    raise AssertionError("endless")


@pytest.fixture(params=["tinygame", "rockwell", "brass_empire"])
def match(request: pytest.FixtureRequest, database: Database) -> Match:
    """A game of each kind that is over."""
    service = service_on(database)
    if request.param == "tinygame":
        return over(begun(service))
    sides = {"rockwell": ("green", "purple"), "brass_empire": ("blue",)}
    return among_standins(service, request.param, sides[request.param])


def test_record_of_a_game_is_sound_and_fits_every_report(match: Match) -> None:
    """The head of each report that a seat was sent is one of the journal's, and each seal that it opened is there."""
    content = record(match.service, match.code)
    found = check_record(content)
    assert (found.title, found.rules, found.entries) == (match.code, match.game.rules, len(match.entries()))
    reports = [decode_report(report.data) for seat in match.seats for report in match.reports(seat.number)]
    heads = {report.head for report in reports}
    assert len(heads) > 1
    for head in heads:
        assert check_record(content, head[:16]).head == match.game.head.hex()
    sealed = [line for line in map(decoded, content.splitlines()) if isinstance(line, Sealed)]
    told = {each for report in reports for each in report.openings}
    assert found.seals == len(sealed)
    assert told
    assert told <= {f"{line.seal}:{line.salt}" for line in sealed}


def test_record_has_all_press_and_who_wrote_it(database: Database) -> None:
    """Unsigned messages too; but not what a player and the moderator wrote to each other."""
    match = begun(service_on(database), moderator="mod@players.example", policy={"press": "choose"})
    match.say(0, "to green and blue anonymously: shall we?")
    match.say(1, "to all and moderator: no")
    match.say(1, "to moderator: they plot against me")
    content = record(over(match).service, match.code)
    said = [line for line in map(decoded, content.splitlines()) if isinstance(line, Said)]
    assert [(line.by, line.to, line.anonymous, line.text) for line in said] == [
        (0, (1, 2), True, "shall we?"),
        (1, (0, 2), False, "no"),
    ]
    assert check_record(content).messages == 2
    assert b"plot" not in content


def test_a_message_by_a_seat_that_is_not_there_is_found(database: Database) -> None:
    """In a file that is put right otherwise."""
    match = begun(service_on(database))
    match.say(0, "to green: hello")
    *lines, _ = map(decoded, record(over(match).service, match.code).splitlines())
    body = b"".join(encoded(msgspec.structs.replace(line, by=7) if isinstance(line, Said) else line) for line in lines)
    with pytest.raises(BadRecord) as bad:
        check_record(body + encoded(End(content_hash(body))))
    assert (bad.value.code, bad.value.line) == ("message", len(lines))


def test_nobody_is_named_in_a_record(database: Database) -> None:
    """Neither name nor address of a player; a public word is in it as it was given."""
    content = record((match := over(begun(service_on(database)))).service, match.code)
    assert b"players.example" not in content
    assert b"Cleo" not in content
    assert b"cleo" in content


def test_game_that_is_not_over_has_no_record(database: Database) -> None:
    """Its secret and hands would be in it."""
    match = begun(service_on(database))
    with pytest.raises(Refused) as refused:
        record(match.service, match.code)
    assert refused.value.code == "record_hidden"


def test_any_changed_byte_is_found(database: Database) -> None:
    """Each byte of a small game's record, changed by one bit, and here and there one lost."""
    match = over(begun(service_on(database), "tinygame", 2))
    content = record(match.service, match.code)
    check_record(content)
    random = Random(20261128)
    for place in range(len(content)):
        changed = bytes([content[place] ^ 1 << random.randrange(7)])
        with pytest.raises(BadRecord):
            check_record(content[:place] + changed + content[place + 1 :])
        if random.random() < 0.1:
            with pytest.raises(BadRecord):
                check_record(content[:place] + content[place + 1 :])


def forged(content: bytes, change: Callable[[Recorded], Recorded], number: int) -> bytes:
    """The record with that entry changed, and everything that needs no secret knowledge put right again."""
    lines = [decoded(raw) for raw in content.splitlines()][:-1]
    made = [change(line) if isinstance(line, Recorded) and line.entry.number == number else line for line in lines]
    body = b"".join(map(encoded, made))
    return body + encoded(End(content_hash(body)))


def test_changed_entry_is_named(database: Database) -> None:
    """An entry with another choice, outcome or round is named by its number, whether the chain is put right or not."""
    match = over(begun(service_on(database), "tinygame", 3))
    content = record(match.service, match.code)
    lines = [decoded(raw) for raw in content.splitlines()]
    drawn = next(line.entry for line in lines if isinstance(line, Recorded) and line.entry.outcomes)
    bid = next(line.entry for line in lines if isinstance(line, Recorded) and line.entry.kind == "bid")
    (stream, of, value), *others = drawn.outcomes
    first, *answers = bid.answers
    choice = {**first.choice, "card": first.choice["card"] % 6 + 1}
    wrong: list[tuple[int, dict[str, Any], set[str]]] = [
        (drawn.number, {"outcomes": ((stream, of, (value + 1) % of), *others)}, {"outcome_differs"}),
        (bid.number, {"answers": (msgspec.structs.replace(first, choice=choice), *answers)}, {"order", "default"}),
        (bid.number, {"round": 7}, {"decision"}),
    ]
    for number, values, codes in wrong:
        with pytest.raises(BadRecord) as bad:
            check_record(forged(content, with_entry(**values), number))
        assert (bad.value.code, bad.value.entry) == ("hash", number)
        with pytest.raises(BadRecord) as bad:
            check_record(put_right(changed(lines, number, with_entry(**values))))
        assert bad.value.code in codes
        assert bad.value.entry == number


def test_a_change_by_hand_is_in_the_record_and_checked(database: Database) -> None:
    """What was changed is made again; another change, though the file is put right otherwise, is named by its entry."""
    match = begun(service_on(database), "tinygame", 2)
    change_state(match.service, match.code, Wanted("lives red 5\nlives green 4"), Actor("a slip"))
    number = match.game.next_entry - 1
    content = record(over(match).service, match.code)
    assert check_record(content).changed == [number]

    def with_another_life(recorded: Recorded) -> Recorded:
        first, second = recorded.entry.change
        entry = msgspec.structs.replace(recorded.entry, change=({**first, "lives": 6}, second))
        return msgspec.structs.replace(recorded, entry=entry)

    with pytest.raises(BadRecord) as bad:
        check_record(forged(content, with_another_life, number))
    assert (bad.value.code, bad.value.entry) == ("hash", number)


def test_other_game_does_not_fit_a_report(database: Database) -> None:
    """A sound record of another game is told from the one that a report was made from."""
    service = service_on(database)
    mine, other = over(begun(service, "tinygame", 2)), over(begun(service, "tinygame", 2, pace="brisk"))
    head = decode_report(mine.reports(0)[-1].data).head
    with pytest.raises(BadRecord) as bad:
        check_record(record(service, other.code), head)
    assert bad.value.code == "other_head"


def test_title_that_was_changed_is_found(database: Database) -> None:
    """Though the journal does not say what the game is called."""
    match = over(begun(service_on(database), "tinygame", 2))
    first, _, rest = record(match.service, match.code).partition(b"\n")
    game = decoded(first)
    assert isinstance(game, Played)
    with pytest.raises(BadRecord) as bad:
        check_record(encoded(msgspec.structs.replace(game, title="another")) + rest)
    assert bad.value.code == "altered"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "unfinished"),
        (b"hello\n", "unreadable"),
        (b"[" * 100_000 + b"\n", "deep"),
        (b"\xff\n", "unreadable"),
    ],
)
def test_what_is_no_record_is_refused(content: bytes, code: str) -> None:
    """With the line of it."""
    with pytest.raises(BadRecord) as bad:
        check_record(content)
    assert (bad.value.code, bad.value.line) == (code, 1)
