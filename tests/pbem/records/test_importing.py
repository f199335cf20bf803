"""A game goes on elsewhere from its record exactly as it would have; a record that is not sound makes nothing."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from sqlmodel import col, select

from engine.journal import Entry, decode
from pbem import clock
from pbem.errors import Refused
from pbem.games.lifecycle import Guest
from pbem.games.position import position
from pbem.games.rules import rules_of
from pbem.games.succession import accept
from pbem.records.checking import BadRecord, check_record
from pbem.records.importing import Arrival, import_record
from pbem.records.shape import End, Passed, Played, Running, Submitted, decoded, encoded
from pbem.records.verifying import verify
from pbem.records.writing import content_hash, record, whole_record
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import pause, resume
from pbem.rulings.goingback import Back, roll_back
from pbem.rulings.record import rulings_of
from pbem.rulings.sheets import admit_late
from pbem.storage.models import Account, Address, Game, Press, Standby
from pbem.storage.sessions import Database
from tests.pbem.playing import NAMES, Match, begun, service_on
from tests.pbem.records.test_records import over
from tests.pbem.sheets.test_undo import one_order, sheet

MOVED = Actor("the house moves")


@pytest.fixture
def elsewhere(sqlite_template: Path, tmp_path: Path) -> Iterator[Match]:
    """Another service, with a database of its own and no game yet."""
    file = tmp_path / "elsewhere.db"
    shutil.copyfile(sqlite_template, file)
    database = Database(f"sqlite:///{file}")
    yield Match(service_on(database), "")
    database.close()


def arrive(there: Match, content: bytes, seats: int) -> Match:
    """The game imported there, for its players of before, who all take their seats."""
    names = [name.lower() for name in NAMES[:seats]]
    first = decoded(content.split(b"\n", 1)[0])
    assert isinstance(first, Played)
    guests = {
        side.name: Guest(f"{name}@players.example", name.title()) for side, name in zip(first.sides, names, strict=True)
    }
    there.code = import_record(there.service, content, Arrival(guests, actor=MOVED))
    for account in guests.values():
        with there.service.reading() as session:
            asked = session.exec(select(Account.id).join(Address).where(col(Address.address) == account.address)).one()
        assert asked is not None
        accept(there.service, there.id, asked)
    there.settle()
    return there


def play(match: Match, seed: int, stages: int = 4) -> None:
    """The same orders by the same draws, whichever service it is."""
    random = Random(seed)
    last = match.game.stage_number + stages
    while match.game.status == "playing" and match.game.stage_number < last:
        for seat in [int(number) for number in match.game.waiting.split(",") if number]:
            if match.game.status == "playing" and str(seat) in match.game.waiting.split(","):
                match.say(seat, one_order(match, seat, random)[0] + "\nready")
        match.settle()


def decisions(match: Match) -> list[Entry]:
    """What was decided and drawn, without where it stands in the chain: rulings of each house come between, and its
    seals have salts of their own."""
    bound = rules_of(match.game)
    entries = [decode(bound, row.entry) for row in match.entries()]
    return [msgspec.structs.replace(entry, number=0, before=b"", seals=None) for entry in entries if entry.note is None]


def test_imported_game_goes_on_as_it_would_have(database: Database, elsewhere: Match) -> None:
    """Exported in the middle of a stage and imported by another service, the same orders make the same journal."""
    goes_on(database, elsewhere, "tinygame", 3)


@pytest.mark.parametrize(("rules", "seats"), [("rockwell", 2), ("brass_empire", 2)])
def test_any_game_goes_on_elsewhere(database: Database, elsewhere: Match, rules: str, seats: int) -> None:
    """Of each kind that comes with the service."""
    goes_on(database, elsewhere, rules, seats, stages=2)


def goes_on(database: Database, elsewhere: Match, rules: str, seats: int, stages: int = 4) -> None:
    """A game begun here is moved, and played on in both places."""
    here = begun(service_on(database), rules, seats)
    play(here, 1, 2)
    here.pass_deadline()
    here.say(0, "to all: see you there")
    first = int(here.game.waiting.split(",")[0])
    here.say(first, one_order(here, first, Random(5))[0] + "\nnot ready")
    pause(here.service, here.code, MOVED)
    content = whole_record(here.service, here.code, MOVED)
    head = here.game.head
    assert check_record(content, head.hex()).goes_on
    there = elsewhere
    code = import_record(there.service, content, Arrival())
    there.code = code
    assert (code, there.game.head, there.game.held) == (here.code, head, "paused")
    assert verify(there.service, code).problem == ""
    assert [(row.line, row.number, row.entry, row.events, row.tried, row.at) for row in there.entries()] == [
        (row.line, row.number, row.entry, row.events, row.tried, row.at) for row in here.entries()
    ]
    there = arrive(there, content, seats)
    assert there.code != code
    for match in (here, there):
        resume(match.service, match.code, Actor("all are there"))
    waiting = here.game.waiting
    assert there.game.waiting == waiting
    for match in (here, there):
        play(match, 2, stages)
    assert decisions(here) == decisions(there)
    assert here.game.stage_key == there.game.stage_key
    assert verify(there.service, there.code).problem == ""
    assert check_record(whole_record(there.service, there.code, MOVED), there.game.head.hex()).goes_on


def test_what_its_own_mail_took_back_is_not_taken_up_elsewhere(database: Database, elsewhere: Match) -> None:
    """The record has no commands of players but those that take orders back: late orders come to the same there."""
    here = begun(service_on(database), pace="brisk")
    first = (here.game.line, here.game.stage_key)
    here.pass_deadline()
    here.say(0, "bid 1\ncancel bid\ndefend nothing", asked=first)
    pause(here.service, here.code, MOVED)
    content = whole_record(here.service, here.code, MOVED)
    elsewhere.code = import_record(elsewhere.service, content, Arrival())
    admit_late(elsewhere.service, elsewhere.code, 0, MOVED)
    assert sheet(elsewhere, 0) == ["defend nothing"]


def test_ended_game_is_the_same_byte_for_byte(database: Database, elsewhere: Match) -> None:
    """Its record exported once more from another service is the one that was imported, lines left and press too."""
    here = begun(service_on(database))
    here.say(0, "to all: hello")
    play(here, 3, 2)
    roll_back(here.service, here.code, Back(here.game.next_entry - 2, "redraw", "clear"), Actor("a slip"))
    content = record(over(here).service, here.code)
    there = elsewhere
    guests = {"red": Guest("ann@players.example", "Ann")}
    there.code = import_record(there.service, content, Arrival(guests))
    assert record(there.service, there.code) == content
    assert verify(there.service, there.code).problem == ""
    assert there.seats[0].account_id is not None
    assert [ruling.act for ruling in rulings_of(there.service, there.code)] == [
        ruling.act for ruling in rulings_of(here.service, here.code)
    ]
    with there.service.reading() as session:
        stands = position(session, there.id)
    assert stands.rules.pending(stands.table.state) is None
    again = import_record(there.service, content, Arrival())
    assert again != there.code


def test_whole_record_is_told_as_a_look(database: Database) -> None:
    """At once, to every player, with the reason; whoever plays too can't write one."""
    match = begun(service_on(database), moderator="ann@players.example")
    with pytest.raises(Refused) as refused:
        whole_record(match.service, match.code, Actor("curious", "ann@players.example"))
    assert refused.value.code == "plays_too"
    content = whole_record(match.service, match.code, MOVED)
    assert {letter.seat for letter in match.letters(kind="looked")} == {0, 1, 2}
    assert all("the house moves" in letter.text for letter in match.letters(kind="looked"))
    assert rulings_of(match.service, match.code)[-1].act == "exported"
    assert b"players.example" not in content


def forged(content: bytes, kind: type, **values: object) -> bytes:
    """The record with the first line of that kind otherwise, and its hash put right."""
    lines = [decoded(raw) for raw in content.splitlines()][:-1]
    place = next(place for place, line in enumerate(lines) if isinstance(line, kind))
    lines[place] = msgspec.structs.replace(lines[place], **values)
    body = b"".join(map(encoded, lines))
    return body + encoded(End(content_hash(body)))


@pytest.mark.parametrize(
    ("kind", "values", "code"),
    [
        (Played, {"over": True}, "over"),
        (Played, {"pace": "hasty"}, "rules"),
        (Running, {"stage": "9-nowhere"}, "running"),
        (Running, {"waiting": (7,)}, "running"),
        (Running, {"stage_seconds": -1}, "setting"),
        (Running, {"absence": "hope"}, "setting"),
        (Running, {"policy": {"nmr": "shrug"}}, "setting"),
        (Running, {"schedule": {"days": "never"}}, "setting"),
        (Running, {"seats": ()}, "running"),
        (Running, {"next_submission": 0}, "running"),
        (Submitted, {"seat": 5}, "running"),
        (Submitted, {"received": "yesterday"}, "running"),
        (Submitted, {"received": "9999-12-31T23:59:00-12:00"}, "running"),
        (Submitted, {"received": "0001-01-01T00:00:00+14:00"}, "running"),
        (Passed, {"tried": ((9, ()),)}, "running"),
    ],
)
def test_what_a_game_can_not_go_on_with_is_named(
    database: Database, kind: type, values: dict[str, object], code: str
) -> None:
    """By its line; and no game, account or offer is made."""
    match = begun(service_on(database))
    match.say(0, "bid 1 always")
    play(match, 1, 2)
    content = whole_record(match.service, match.code, MOVED)
    if kind is Passed and b'"is":"tried"' not in content:
        body = b"".join(encoded(decoded(raw)) for raw in content.splitlines()[:-1]) + encoded(Passed(0, 2, ()))
        first, _, rest = body.partition(b"\n")
        game = decoded(first)
        assert isinstance(game, Played)
        body = encoded(msgspec.structs.replace(game, rest=game.rest + 1)) + rest
        content = body + encoded(End(content_hash(body)))
    with match.service.reading() as session:
        before = [len(session.exec(select(each)).all()) for each in (Game, Account, Standby, Press)]
    with pytest.raises(BadRecord) as bad:
        import_record(match.service, forged(content, kind, **values), Arrival({"red": Guest("new@players.example")}))
    assert bad.value.code == code
    with match.service.reading() as session:
        assert [len(session.exec(select(each)).all()) for each in (Game, Account, Standby, Press)] == before


@pytest.mark.parametrize(
    ("arrival", "code"),
    [
        (Arrival({"mauve": Guest("a@players.example")}, actor=MOVED), "bad_side"),
        (Arrival({"red": Guest("a@players.example")}), "no_reason"),
        (Arrival({"red": Guest("nobody")}, actor=MOVED), "bad_address"),
        (Arrival(dict.fromkeys(("red", "green"), Guest("a@players.example")), actor=MOVED), "same_player"),
        (Arrival({"red": Guest("a@players.example")}, actor=Actor("x" * 501)), "long_reason"),
        (Arrival(actor=Actor("mine", "ann@players.example")), "not_of_site"),
    ],
)
def test_guests_who_can_not_be_asked_are_refused(database: Database, arrival: Arrival, code: str) -> None:
    """Before anything is made."""
    match = begun(service_on(database))
    content = whole_record(match.service, match.code, MOVED)
    with pytest.raises(Refused) as refused:
        import_record(match.service, content, arrival)
    assert refused.value.code == code
    with match.service.reading() as session:
        assert len(session.exec(select(Game)).all()) == 1
        assert len(session.exec(select(Account)).all()) == 3


def test_new_player_of_an_imported_seat_gets_its_story(database: Database, elsewhere: Match) -> None:
    """All that happened so far as the seat saw it, and its sheet."""
    here = begun(service_on(database))
    play(here, 4, 2)
    there = arrive(elsewhere, whole_record(here.service, here.code, MOVED), 3)
    (story,) = there.letters(0, "story")
    first = here.letters(0, "report")[0]
    assert story.recipient == "ann@players.example"
    assert there.reports(0)[0].kind == "taken"
    assert first.recipient == story.recipient
    assert clock.now() >= story.queued
