"""Seals of sheets in the journal: who exchanges orders, leaves a seal out or plays otherwise than sealed is found."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from sqlmodel import col, select

from engine import play
from engine.chance import pick_from
from engine.contract import Decision
from engine.journal import Entry, decode
from engine.orders.sheet import Answer, Sheet
from engine.spaces import sample
from engine.table import Answered, Table
from pbem.games.position import Position
from pbem.games.rules import rules_of
from pbem.records.checking import BadRecord, check_record, read_record
from pbem.records.importing import Arrival, import_record
from pbem.records.shape import End, Line, Played, Recorded, Sealed, decoded, encoded
from pbem.records.told import told
from pbem.records.verifying import verify
from pbem.records.writing import content_hash, record
from pbem.reports.data import decode_report
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import resume
from pbem.rulings.goingback import Back, roll_back
from pbem.rulings.returning import lines_left, return_to
from pbem.sheets.folding import new_salt, seal
from pbem.sheets.stored import Opened, decode_sheet, encode_sheet, opened_now
from pbem.storage.models import Seat
from pbem.storage.sessions import Database
from tests.journals.playing import KEPT
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.records.test_records import over

SLIP = Actor("a slip")


def ended(match: Match) -> bytes:
    """The record, once all deadlines have passed."""
    while match.game.status == "playing":
        match.pass_deadline()
    return record(match.service, match.code)


def seal_of(match: Match, seat: int, text: str) -> str:
    """What the acknowledgement of these orders has."""
    acknowledgement = match.say(seat, text).acknowledgement
    assert acknowledgement is not None
    assert acknowledgement.seal
    return acknowledgement.seal


def entries(match: Match) -> list[Entry]:
    """All entries of all lines."""
    return [decode(rules_of(match.game), row.entry) for row in match.entries()]


def head_of(match: Match) -> str:
    """The head in the last report of the first seat."""
    return decode_report(match.reports(0)[-1].data).head


def put_right(lines: list[Line]) -> bytes:
    """A record of these lines: whatever counts or covers them fits them."""
    entries, seals = (sum(isinstance(line, kind) for line in lines) for kind in (Recorded, Sealed))
    made = [
        msgspec.structs.replace(line, entries=entries, seals=seals) if isinstance(line, Played) else line
        for line in lines
        if not isinstance(line, End)
    ]
    body = b"".join(map(encoded, made))
    return body + encoded(End(content_hash(body)))


def exchange(match: Match, change: Callable[[Seat, Seat], None]) -> None:
    """What whoever runs the machine does to the row of the first seat; the second one's is given as well."""
    with match.service.writing() as session:
        rows = session.exec(select(Seat).where(col(Seat.game_id) == match.id).order_by(col(Seat.number))).all()
        change(rows[0], rows[1])
        session.add(rows[0])


def test_sheet_that_was_exchanged_does_not_open_its_seal(database: Database) -> None:
    """Another sheet was put in a seat's row after its acknowledgement: the record is not sound, and says where."""
    match = begun(service_on(database), "tinygame", 2, pace="brisk")
    match.say(0, "bid 6 or 5")
    match.say(1, "bid 1 or 2")
    exchange(match, lambda mine, other: setattr(mine, "sheet", other.sheet))
    match.pass_deadline()
    content = ended(match)
    with pytest.raises(BadRecord) as bad:
        check_record(content, head_of(match))
    assert bad.value.code == "seal"
    assert verify(match.service, match.code).problem == "seal"
    assert isinstance(decoded(content.splitlines()[bad.value.line - 1]), Sealed)


def test_seal_of_an_acknowledgement_is_missed_where_all_else_was_made_to_fit(database: Database) -> None:
    """The other sheet was sealed too: the record is sound, and only the player's own seal shows what was done."""
    match = begun(service_on(database), "tinygame", 2, pace="brisk")
    mine, other = (
        seal_of(match, 0, "bid 6 or 5 or 4 or 3 or 2 or 1"),
        seal_of(match, 1, "bid 1 or 2 or 3 or 4 or 5 or 6"),
    )
    rules = rules_of(match.game)

    def as_the_other(row: Seat, second: Seat) -> None:
        orders = decode_sheet(rules, second.sheet).orders
        sheet = Sheet(tuple(msgspec.structs.replace(kept, ref=(number, 7)) for number, kept in enumerate(orders, 90)))
        row.sheet, row.nonce = encode_sheet(sheet), new_salt()
        row.seal = bytes.fromhex(seal(sheet, row.nonce))

    exchange(match, as_the_other)
    match.pass_deadline()
    whole = read_record(ended(match))
    with pytest.raises(BadRecord) as bad:
        told(whole, mine)
    assert bad.value.code == "other_seal"
    assert told(whole, other).used


def test_seal_shows_its_orders_and_what_was_played_by_them(database: Database) -> None:
    """By its whole or how it begins; standing orders are those of the last seal for as long as nothing else is sent."""
    match = begun(service_on(database), "tinygame", 2, pace="brisk")
    mine = seal_of(match, 0, "always bid 6 or 5 or 4 or 3 or 2 or 1\ndefend nothing")
    match.pass_deadline()
    whole = read_record(ended(match))
    found = told(whole, mine[:8])
    assert (found.seal, found.side, found.orders) == (
        mine,
        "red",
        ("always bid 6 or 5 or 4 or 3 or 2 or 1", "defend nothing"),
    )
    first = [entry.number for entry in whole.typed if entry.stage == "1-turn"]
    assert (found.stood, found.stages) == (tuple(first), ("1-turn",))
    assert first[0] in found.used
    later = [entry for entry in whole.typed if entry.kind == "bid" and entry.stage != "1-turn"]
    assert later
    assert all(entry.seals == () and entry.answers[0].source == "order" for entry in later)


def test_seal_that_is_left_out_is_missed(database: Database) -> None:
    """Any of a game's seals, or all of them, in a file that is put right otherwise: an entry of its stage is named."""
    match = over(begun(service_on(database), "tinygame", 2, pace="brisk"))
    lines = [*map(decoded, record(match.service, match.code).splitlines())]
    assert check_record(put_right(lines), head_of(match)).unbound == 0
    seals = [line for line in lines if isinstance(line, Sealed)]
    closed = [line for line in seals if not any(line.seal == other.seal for other in seals if other is not line)]
    assert closed
    gone: list[list[Sealed]] = [[each] for each in closed]
    for each in [*gone, seals]:
        left = [line for line in lines if line not in each]
        opened = [msgspec.structs.replace(line, sheets=()) if isinstance(line, Recorded) else line for line in left]
        with pytest.raises(BadRecord) as bad:
            check_record(put_right(opened), head_of(match))
        assert bad.value.code == "unopened"
        named = decoded(put_right(opened).splitlines()[bad.value.line - 1])
        assert isinstance(named, Recorded)
        assert named.entry.number == bad.value.entry


Answering = Callable[[Table, Decision, int, Answer, Any], Answered]


def otherwise(answering: Answering) -> Answering:
    """A service that gives another legal choice out as what a seat's order says."""

    def answered(table: Table, decision: Decision, seat: int, given: Answer, standin: Any) -> Answered:
        honest = answering(table, decision, seat, given, standin)
        if honest.source != "order":
            return honest
        random = Random(1)
        choices = [sample(table.rules.space(table.state, seat), pick_from(random)) for _ in range(50)]
        other = next((choice for choice in choices if choice != honest.choice), honest.choice)
        return msgspec.structs.replace(honest, choice=other)

    return answered


def made_up(answering: Answering) -> Answering:
    """A service that gives a default out as an order that the seat never sent."""

    def answered(table: Table, decision: Decision, seat: int, given: Answer, standin: Any) -> Answered:
        honest = answering(table, decision, seat, given, standin)
        return honest if honest.source == "order" else msgspec.structs.replace(honest, source="order", ref=(99, 0))

    return answered


@pytest.mark.parametrize("cheat", [otherwise, made_up])
def test_choice_that_no_sealed_order_makes_is_named(
    cheat: Callable[[Answering], Answering], database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A journal that is all of one piece, played by a service that did not keep to the sheets."""
    match = begun(service_on(database), "tinygame", 2, pace="brisk")
    match.say(0, "bid 6 or 5 or 4 or 3 or 2 or 1")
    monkeypatch.setattr(play, "_answered", cheat(play._answered))
    match.pass_deadline()
    first = entries(match)[1]
    with pytest.raises(BadRecord) as bad:
        check_record(ended(match), head_of(match))
    assert (bad.value.code, bad.value.entry) == ("order", first.number)
    found = verify(match.service, match.code)
    assert (found.problem, found.entry) == ("order", first.number)


def test_seals_can_not_end_in_the_middle(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that binds seals no longer is found at the first decision without."""
    match = begun(service_on(database), "tinygame", 2, pace="brisk")
    match.say(0, "bid 6 or 5 or 4 or 3 or 2 or 1")
    match.pass_deadline()
    number = match.game.next_entry
    monkeypatch.setattr(Position, "seals", None)
    with pytest.raises(BadRecord) as bad:
        check_record(ended(match), head_of(match))
    assert (bad.value.code, bad.value.entry) == ("unbound", number)


@pytest.mark.parametrize("pace", ["strict", "brisk"])
@pytest.mark.parametrize("seed", range(2))
def test_whatever_is_sent_taken_back_and_ruled_the_record_is_sound(database: Database, pace: str, seed: int) -> None:
    """Orders that stand, are changed after some were used, undone; play that goes back, and returns."""
    match, random = begun(service_on(database), pace=pace, policy={"pause_after": "0", "open_after": "0"}), Random(seed)
    acts: Mapping[str, Callable[[], object]] = {
        "order": lambda: match.say(random.randrange(3), _line(random)),
        "both": lambda: match.say(random.randrange(3), f"{_line(random)}\n{_line(random)}\nready"),
        "undo": lambda: match.say(random.randrange(3), "undo"),
        "clear": lambda: match.say(random.randrange(3), "clear"),
        "settle": match.settle,
        "deadline": match.pass_deadline,
        "back": lambda: _back(match, random),
        "return": lambda: _return(match, random),
    }
    weights = (6, 6, 1, 1, 3, 3, 2, 1)
    for act in random.choices(list(acts), weights, k=30):
        if match.game.status == "playing":
            acts[act]()
    checked = check_record(ended(match), head_of(match))
    assert (checked.unbound, checked.doubtful) == (0, [])
    assert verify(match.service, match.code).problem == ""
    assert any(given.source == "order" for entry in entries(match) for given in entry.answers)


def test_return_to_a_line_that_was_drawn_anew_is_sound(database: Database) -> None:
    """The copy has draws of several epochs, each again on a line of its own."""
    match = begun(service_on(database), "tinygame", 2)
    match.pass_deadline()
    match.pass_deadline()
    roll_back(match.service, match.code, Back(2, "redraw"), SLIP)
    match.pass_deadline()
    roll_back(match.service, match.code, Back(1), SLIP)
    match.pass_deadline()
    return_to(match.service, match.code, 1, SLIP)
    match.pass_deadline()
    roll_back(match.service, match.code, Back(1), SLIP)
    return_to(match.service, match.code, match.game.line - 1, SLIP)
    checked = check_record(ended(match), head_of(match))
    assert (checked.left, checked.redrawn) == (match.game.line, 1)
    assert verify(match.service, match.code).problem == ""


def test_player_has_one_seal_at_an_entry(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that binds and opens both the player's sheet and the one that it plays by is found."""
    match = begun(service_on(database), "tinygame", 2, pace="brisk")
    seal_of(match, 0, "bid 6 or 5 or 4 or 3 or 2 or 1")
    old = match.seats[0]
    match.say(0, "bid 1 or 2 or 3 or 4 or 5 or 6")
    seals = vars(Position)["seals"].fget
    both = Opened(0, old.nonce, old.sheet, old.seal)
    monkeypatch.setattr(Position, "seals", property(lambda stands: ((0, old.seal), *seals(stands))))
    monkeypatch.setattr("pbem.games.writing.opened_now", lambda seats: [both, *opened_now(seats)])
    match.pass_deadline()
    monkeypatch.undo()
    with pytest.raises(BadRecord) as bad:
        check_record(ended(match), head_of(match))
    assert (bad.value.code, bad.value.entry) == ("seals", 2)
    assert verify(match.service, match.code).problem == "seals"


def _line(random: Random) -> str:
    cards = " or ".join(map(str, random.sample(range(1, 7), 6)))
    order = random.choice([f"bid {cards}", f"attack red with {cards}", f"attack green with {cards}", f"defend {cards}"])
    return f"always {order}" if random.random() < 0.3 else order


def _back(match: Match, random: Random) -> None:
    last = match.game.next_entry - 1
    if last > 1:
        entry, sheets = random.randrange(max(1, last - 5), last), random.choice(["keep", "clear"])
        back = Back(entry, random.choice(["keep", "redraw"]), sheets)
        roll_back(match.service, match.code, back, replace(SLIP, agreed=True))


def _return(match: Match, random: Random) -> None:
    with match.service.reading() as session:
        left = lines_left(session, match.game)
    if left:
        return_to(match.service, match.code, random.choice(left).line, SLIP)


def test_game_of_an_earlier_release_goes_on_with_seals(database: Database) -> None:
    """What was played before is told apart, for nothing shows by which orders; from then on all is bound."""
    content = (KEPT / "tinygame" / "1" / "three-goes-on.jsonl").read_bytes()
    before = check_record(content)
    assert before.unbound
    match = Match(service_on(database), import_record(service_on(database), content, Arrival()))
    resume(match.service, match.code, Actor("all are here"))
    match.settle()
    for seat in range(3):
        match.say(seat, "bid 6 or 5 or 4 or 3 or 2 or 1")
    assert check_record(ended(match), match.game.head.hex()).unbound == before.unbound
    assert match.game.next_entry > before.entries + 1
