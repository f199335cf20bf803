"""The journal has every ruling in its place, and is enough to go on from when snapshots are lost."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from sqlmodel import col, delete, select

from engine.journal import RULING, START, canonical, commitment, decode
from engine.table import retrace
from pbem.context import Service
from pbem.games.lifecycle import join
from pbem.games.rules import rules_of
from pbem.records.verifying import verify
from pbem.reports.data import decode_report, plain
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import extend_deadline, force_stage
from pbem.rulings.life import start_game
from pbem.rulings.looking import look
from pbem.rulings.record import rulings_of
from pbem.rulings.sheets import enter_orders
from pbem.storage.models import JournalEntry, Ruling, Snapshot
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.playing import Match, begun, created, service_on

GAMES = [("tinygame", 3), ("rockwell", 4)]
SECRET = b"one secret for all these games.."


@pytest.mark.parametrize(("rules", "seats"), GAMES)
def test_rulings_are_entries_where_they_came_between(database: Database, rules: str, seats: int) -> None:
    """One made before the game begins follows its start, the others stand between the decisions; all of it verifies."""
    match = created(
        service_on(database), rules, seats, pace="brisk", moderator="mo@players.example", policy={"ask_share": "100"}
    )
    join(match.service, match.id, 0)
    start_game(match.service, match.code, Actor("the others never answered"))
    match.settle()
    extend_deadline(match.service, match.code, 12, Actor("a holiday", "mo@players.example"))
    look(match.service, match.code, Actor("a dispute"))
    assert verify(match.service, match.code).problem == ""
    match.pass_deadline()
    enter_orders(match.service, match.code, 0, "ready", Actor("by telephone"))
    force_stage(match.service, match.code, Actor("all agreed"))
    match.settle()
    bound = rules_of(match.game)
    entries = [decode(bound, row.entry) for row in match.entries()]
    acts = [entry.note.act if entry.note else "" for entry in entries]
    first_stage = [entry.stage for entry in entries if entry.note is None][1]
    assert [entry.kind for entry in entries[:2]] == [START, RULING]
    assert acts[:4] == ["", "started", "deadline_extended", "looked"]
    assert [entry.stage for entry in entries[1:5]] == ["", first_stage, first_stage, first_stage]
    forced = acts.index("stage_forced")
    assert acts[forced - 1] == "orders_entered"
    assert not any(acts[4 : forced - 1] + acts[forced + 1 :])
    assert 4 < forced - 1 < len(acts) - 2
    rulings = rulings_of(match.service, match.code)
    assert [ruling.entry for ruling in rulings] == [number for number, act in enumerate(acts, 1) if act]
    note = entries[rulings[1].entry - 1].note
    assert note is not None
    assert (note.actor, note.reason) == ("mo", "a holiday")
    sound = verify(match.service, match.code)
    assert (sound.problem, sound.entries, sound.head) == ("", len(entries), match.game.head.hex())
    assert decode_report(match.reports(0)[-1].data).head == sound.head
    assert retrace(bound, entries)


def _other_reason(service: Service, ruling: Ruling) -> None:
    with service.writing() as session:
        ruling.reason = "another"
        session.add(ruling)


def _other_actor(service: Service, ruling: Ruling) -> None:
    with service.writing() as session:
        ruling.actor = "somebody"
        session.add(ruling)


def _no_ruling(service: Service, ruling: Ruling) -> None:
    with service.writing() as session:
        session.delete(ruling)


def _one_more(service: Service, ruling: Ruling) -> None:
    with service.writing() as session:
        session.add(Ruling(**{**ruling.model_dump(), "id": None, "number": 9}))


def _both(service: Service, ruling: Ruling) -> None:
    """In the journal as well as beside it."""
    _other_reason(service, ruling)
    with service.writing() as session:
        row = session.exec(select(JournalEntry).where(col(JournalEntry.number) == ruling.entry)).one()
        entry = msgspec.msgpack.decode(row.entry)
        entry["note"]["reason"] = "another"
        row.entry = canonical(entry)
        session.add(row)


@pytest.mark.parametrize(
    ("alter", "later"), [(_other_reason, 0), (_other_actor, 0), (_no_ruling, 0), (_one_more, 0), (_both, 1)]
)
def test_altered_ruling_is_found(database: Database, alter: Callable[[Service, Ruling], None], later: int) -> None:
    """Verifying names the entry of a ruling that is not what it was, or the next where both records were altered."""
    match = begun(service_on(database), pace="brisk")
    extend_deadline(match.service, match.code, 12, Actor("a holiday"))
    match.pass_deadline()
    assert verify(match.service, match.code).problem == ""
    (ruling,) = rulings_of(match.service, match.code)
    alter(match.service, ruling)
    found = verify(match.service, match.code)
    assert found.problem == ("chain" if later else "ruling")
    assert found.entry == ruling.entry + later


def _delete_all(service: Service) -> None:
    with service.writing() as session:
        session.exec(delete(Snapshot))


def _damage(service: Service) -> None:
    """One bit of each is another."""
    with service.writing() as session:
        for row in session.exec(select(Snapshot)):
            row.table = row.table[:-9] + bytes([row.table[-9] ^ 1]) + row.table[-8:]
            session.add(row)


def _outdate(service: Service, patch: pytest.MonkeyPatch) -> None:
    """This code writes another format from now on."""
    patch.setattr("engine.table.SNAPSHOT_FORMAT", 2)


def _spoil_nothing(service: Service) -> None:
    """Snapshots stay as they are."""


@pytest.mark.parametrize(("rules", "seats"), GAMES)
def test_lost_snapshots_change_no_report(database: Database, rules: str, seats: int) -> None:
    """A game whose snapshots go missing or bad in the middle is played on from its journal to the same reports."""
    service = service_on(database)
    expected = _told(service, rules, seats, _spoil_nothing)
    assert _told(service, rules, seats, _delete_all) == expected
    assert _told(service, rules, seats, _damage) == expected


def test_snapshots_of_another_format_change_no_report(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an upgrade with another format each game goes on from its journal."""
    service = service_on(database)
    before = _told(service, "tinygame", 3, _spoil_nothing)
    assert _told(service, "tinygame", 3, lambda service: _outdate(service, monkeypatch)) == before


def _told(service: Service, rules: str, seats: int, spoil: Callable[[Service], None]) -> list[Any]:
    """What all seats of the same game are told; its snapshots are spoiled after each ruling and each order."""
    match = created(service, rules, seats, pace="brisk")
    with service.writing() as session:
        game = match.game
        game.secret, game.secret_hash, game.head = SECRET, commitment(SECRET), commitment(SECRET)
        session.add(game)
    for seat in range(seats):
        join(service, match.id, seat, f"word {seat}")
    match.settle()
    for _ in range(2):
        _stage(match, spoil)
    assert match.game.stage_number == 3
    assert verify(service, match.code).problem == ""
    assert not match.game.failures
    return [_facts(report.data) for seat in range(seats) for report in match.reports(seat)]


def _stage(match: Match, spoil: Callable[[Service], None]) -> None:
    look(match.service, match.code, Actor("a dispute"))
    spoil(match.service)
    if match.game.rules == "tinygame":
        match.say(0, BIDS)
    spoil(match.service)
    match.pass_deadline()


def _facts(stored: bytes) -> dict[str, Any]:
    """A report but for what differs between any two games: their code, their times, the salts of their seals and so the
    head."""
    report = msgspec.structs.replace(decode_report(stored), game="", title="", deadline=None, openings=(), head="")
    rulings = tuple(msgspec.structs.replace(ruling, at=None) for ruling in report.rulings)
    facts: dict[str, Any] = plain(msgspec.structs.replace(report, rulings=rulings))
    return facts
