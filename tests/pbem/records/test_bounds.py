"""A file from anybody is refused by its line, with what is wrong and what would be right, before anything is made."""

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from sqlmodel import select

from engine import registry
from engine.journal import Note, canonical, decode, link, public_hash
from pbem.accounts import create_account
from pbem.cli import main
from pbem.records.checking import BadRecord, check_record
from pbem.records.importing import Arrival, import_record
from pbem.records.problems import problem
from pbem.records.shape import End, Line, Played, Recorded, Running, Said, Sealed, Submitted, decoded, encoded
from pbem.records.writing import content_hash, record, whole_record
from pbem.rulings.authority import Actor
from pbem.storage.models import Account, Game, JournalEntry, Press, Ruling, Submission
from pbem.storage.sessions import Database
from pbem.words import Words
from tests.journals.playing import KEPT
from tests.pbem.playing import begun, service_on
from tests.pbem.records.test_records import over
from tests.pbem.web.visiting import Visit, app_on

Forge = Callable[[bytes], bytes]
SOUND = (KEPT / "tinygame" / "1" / "three-seals.jsonl").read_bytes()
TABLES = (Game, Account, JournalEntry, Ruling, Press, Submission)


def ended(lines: Sequence[bytes]) -> bytes:
    """Those lines, and the last one that they need."""
    body = b"".join(lines)
    return body + encoded(End(content_hash(body)))


def raw(old: bytes, new: bytes) -> Forge:
    """The first such bytes otherwise."""

    def forge(content: bytes) -> bytes:
        assert old in content
        return ended(content.replace(old, new, 1).splitlines(keepends=True)[:-1])

    return forge


def noted(act: str, params: dict[str, object], stage: str | None = None) -> Forge:
    """One more ruling at the journal's end, with all hashes as they are to be: what an operator could have written."""

    def forge(content: bytes) -> bytes:
        lines = [decoded(each) for each in content.splitlines()][:-1]
        first, last = lines[0], [each for each in lines if isinstance(each, Recorded)][-1]
        assert isinstance(first, Played)
        secret, old = bytes.fromhex(first.secret), last.entry
        rules = registry.bind(first.rules, first.setup)
        made = msgspec.structs.replace(
            old,
            number=old.number + 1,
            kind="ruling",
            before=bytes.fromhex(first.head),
            answers=(),
            outcomes=(),
            change=(),
            seals=None,
            round=0,
            note=Note(act, "x", "r", params),
            stage=old.stage if stage is None else stage,
        )
        made = decode(rules, canonical(made))
        hashed = public_hash(secret, made)
        head = link(made.before, hashed).hex()
        lines[0] = msgspec.structs.replace(first, entries=first.entries + 1, head=head)
        lines.insert(lines.index(last) + 1, Recorded(last.at, hashed.hex(), made))
        return ended([encoded(each) for each in lines])

    return forge


def other(kind: type, **values: object) -> Forge:
    """The first line of that kind otherwise."""

    def forge(content: bytes) -> bytes:
        lines: list[Line] = [decoded(each) for each in content.splitlines()][:-1]
        place = next(place for place, line in enumerate(lines) if isinstance(line, kind))
        lines[place] = msgspec.structs.replace(lines[place], **values)
        return ended([encoded(each) for each in lines])

    return forge


def nested(depth: int) -> Forge:
    """A ruling with values so deep."""
    return lambda content: noted("x", {"a": "DEEP"})(content).replace(b'"DEEP"', b"[" * depth + b"]" * depth)


@pytest.mark.parametrize(
    ("forge", "code", "line"),
    [
        (raw(b'"number":2,', b'"number":18446744073709551616,'), "digits", 3),
        (raw(b'"number":2,', b'"number":-18446744073709551616,'), "digits", 3),
        (raw(b'"number":2,', b'"number":4294967296,'), "number", 3),
        (noted("x", {"a": 10**18}), "digits", 27),
        (noted("seats_drawn", {"seats": [0, 1], "went": [0, "a"]}), "draw", 27),
        (noted("seats_drawn", {"seats": "01", "went": {}}), "draw", 27),
        (noted("seats_drawn", {"seats": [0, 9], "went": [9, 0]}), "draw", 27),
        *((nested(depth), "deep", 27) for depth in (65, 960, 988, 990, 992, 5000, 1_000_000)),
        (raw(b'"title":"', b'"title":"\\u0000'), "nul", 1),
    ],
)
def test_what_no_line_can_hold_is_told_by_its_line(tmp_path: Path, forge: Forge, code: str, line: int) -> None:
    """Numbers, depth, characters, and what was drawn: by the command as by itself, and never as a fault of ours."""
    content = forge(SOUND)
    with pytest.raises(BadRecord) as bad:
        check_record(content)
    assert (bad.value.code, bad.value.line) == (code, line)
    file = tmp_path / "hostile.jsonl"
    file.write_bytes(content)
    said = CliRunner().invoke(main, ["verify", str(file)], prog_name="pbem")
    assert said.exit_code == 1
    assert f"{file}:{line}: {problem(bad.value, Words.of('en', 'UTC'))}." in said.stderr


@pytest.mark.parametrize(
    "forge", [noted("x", {"a": 10**18 - 1}), noted("x", {"a": [[[["\\u0000 [[[["]]]]}), nested(60)]
)
def test_what_a_line_can_hold_is_read(forge: Forge) -> None:
    """Long numbers, some depth, brackets and the name of a character in texts."""
    lines = forge(SOUND).splitlines()
    assert [encoded(decoded(each)) for each in lines] == [each + b"\n" for each in lines]


@pytest.mark.parametrize(
    ("goes_on", "forge", "code"),
    [
        (True, raw(b'"salt":"', b'"salt":"' + b"00" * 65), "salt"),
        (True, other(Running, next_submission=2**31), "number"),
        (True, other(Submitted, entry=2**40), "number"),
        (True, other(Submitted, number=10**20), "digits"),
        (True, other(Submitted, stage="1-" + "x" * 5000), "stage"),
        (False, noted("ended_agreed", {"how": "concede"}), "ending"),
        (False, noted("ended_agreed", {"how": "concede", "seat": 2}), "ending"),
        (False, noted("ended_agreed", {"how": "concede", "seat": True}), "ending"),
        (False, noted("ended_agreed", {"how": "x" * 100_000}), "ending"),
        (False, noted("ended", {}), "ending"),
        (False, noted("deadline_extended", {"until": "9999-12-31T23:59:00-12:00"}), "moment"),
        (False, noted("deadline_extended", {"until": 7}), "moment"),
        (False, noted("paused", {}, stage="soon"), "stage"),
        (False, other(Sealed, entry=10**30), "digits"),
        (False, other(Sealed, entry=2**40), "number"),
        (False, other(Said, stage="9" * 4000), "stage"),
        (False, other(Played, title="a\0b"), "nul"),
    ],
)
def test_what_can_not_be_kept_here_makes_nothing(database: Database, goes_on: bool, forge: Forge, code: str) -> None:
    """Refused by the page as by itself, with the line and what would be right; no row is left of it."""
    service = service_on(database)
    create_account(service, "site@players.example", "Sia", moderator=True)
    match = begun(service, "tinygame", 2)
    match.say(0, "to all: hello\nbid 1 always")
    match.settle()
    content = whole_record(service, match.code, Actor("we move")) if goes_on else record(service, over(match).code)
    hostile = forge(content)
    visit = Visit(app_on(service), service, "site@players.example")
    visit.get("/import")
    with service.reading() as session:
        before = [len(session.exec(select(each)).all()) for each in TABLES]
    with pytest.raises(BadRecord) as bad:
        import_record(service, hostile, Arrival())
    assert bad.value.code == code
    page = visit.send("/import", 409, file=(BytesIO(hostile), "game.jsonl"))
    assert f"Line {bad.value.line} of the file" in page
    with service.reading() as session:
        assert [len(session.exec(select(each)).all()) for each in TABLES] == before
    assert import_record(service, content, Arrival())
