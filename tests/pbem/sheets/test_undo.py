"""A seat takes back its last act, as far as nothing came of it but what it did itself."""

from random import Random

import pytest
from sqlmodel import col, delete, update

from engine.chance import pick_from
from engine.orders.shape import Alternative, Order
from engine.orders.writer import write
from engine.spaces import sample
from pbem.games.position import Position, position
from pbem.records.verifying import verify
from pbem.reports.data import decode_report, plain
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import extend_deadline
from pbem.rulings.sheets import enter_orders
from pbem.storage.models import Letter, Snapshot
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS, attack, others
from tests.pbem.playing import Match, begun, placing, service_on
from tests.pbem.sheets.mailed import answer, mailed, title

PLACES = "place control or exchange or workshop"


def stands(match: Match) -> Position:
    """The position as it is stored."""
    with match.service.reading() as session:
        return position(session, match.id)


def sheet(match: Match, seat: int) -> list[str]:
    """The orders on a seat's sheet."""
    now = stands(match)
    view = now.rules.view(now.table.state, seat)
    return [write(kept.order, now.module.language, view) for kept in now.sheets[seat].orders]


def views(match: Match) -> list[object]:
    """What everyone knows, and what the public does."""
    now = stands(match)
    return [plain(now.rules.view(now.table.state, seat)) for seat in (None, *range(len(now.seats)))]


def chance(match: Match) -> object:
    """What all later draws follow from."""
    table = stands(match).table
    return table.epoch, table._chance.counters


def test_sheet_goes_back_step_by_step(database: Database) -> None:
    """Each `undo` takes one more back, readiness too; in the end there is nothing."""
    match = begun(service_on(database, mail_port=0), pace="brisk", settle_minutes=60)
    match.say(0, "bid 1\nnot ready")
    match.say(0, f"{BIDS}\ndefend nothing")
    assert match.seats[0].ready
    match.say(0, "cancel bid")
    text = answer(match, 0, "undo")
    assert title(text) == "Your last act is taken back"
    assert "your sheet is what it was before" in text
    assert sheet(match, 0) == [BIDS, "defend nothing"]
    assert match.seats[0].ready
    match.say(0, "undo")
    assert sheet(match, 0) == ["bid 1"]
    assert not match.seats[0].ready
    match.say(0, "undo")
    assert sheet(match, 0) == []
    assert not match.seats[0].sent
    assert "sent nothing in this stage" in answer(match, 0, "undo")


def test_messages_and_questions_are_no_acts(database: Database) -> None:
    """What went out can't be taken back, and is not what `undo` speaks of."""
    match = begun(service_on(database), pace="brisk", settle_minutes=60)
    match.say(0, "bid 1")
    match.say(0, "to green: hello")
    match.say(0, "status")
    match.say(0, "undo")
    assert sheet(match, 0) == []


def test_new_orders_in_the_same_mail_count_after_it(database: Database) -> None:
    """Take that back and do this instead."""
    match = begun(service_on(database), pace="brisk", settle_minutes=60)
    match.say(0, "defend nothing")
    match.say(0, "bid 1\nattack green with 1")
    taken = match.say(0, "undo\nbid 2").acknowledgement
    assert taken is not None
    assert taken.heading == "orders"
    assert taken.sheet == ("defend nothing", "bid 2")
    match.say(0, "undo")
    assert sheet(match, 0) == ["defend nothing", "bid 1", "attack green with 1"]


def test_late_orders_that_were_taken_up_are_late_again(database: Database) -> None:
    """`use` can be taken back, and said again."""
    match = begun(service_on(database), pace="brisk", settle_minutes=60)
    first = (match.game.line, match.game.stage_key)
    match.pass_deadline()
    match.say(0, "bid 1", asked=first)
    match.say(0, "use")
    match.say(0, "undo")
    assert sheet(match, 0) == []
    match.say(0, "use")
    assert sheet(match, 0) == ["bid 1"]


def test_late_orders_that_are_taken_back_are_gone(database: Database) -> None:
    """They are the last act: after it neither `use` nor the moderator finds them."""
    match = begun(service_on(database), pace="brisk", settle_minutes=60)
    first = (match.game.line, match.game.stage_key)
    match.pass_deadline()
    match.say(0, "bid 1", asked=first)
    match.say(0, "undo")
    taken = match.say(0, "use").acknowledgement
    assert taken is not None
    assert [line.code for line in taken.problems] == ["no_late_orders"]


def test_check_says_what_undo_would_do_and_leaves_it(database: Database) -> None:
    """Nothing is taken back by a preview."""
    match = begun(service_on(database), pace="brisk", settle_minutes=60)
    match.say(0, "bid 1")
    taken = match.say(0, "check\nundo").acknowledgement
    assert taken is not None
    assert taken.removed == ("bid 1",)
    assert sheet(match, 0) == ["bid 1"]


def test_what_is_undone_leaves_chance_and_every_view_as_they_were(database: Database) -> None:
    """A vice president placed, seen by all, and taken back: the journal goes on from before as another line."""
    match, seat = placing(database)
    before, drawn, played = views(match), chance(match), len(match.entries())
    mailed(match, seat, "place workshop 1")
    asked = int(match.game.waiting)
    assert asked != seat
    assert views(match) != before
    text = answer(match, seat, "undo")
    assert "the game stands as it did before" in text
    assert views(match) == before
    assert chance(match) == drawn
    assert match.game.waiting == str(seat)
    assert (match.game.line, len(match.entries())) == (1, played + 2)
    assert not match.seats[seat].ready
    assert not [report for report in match.reports(asked) if report.kind == "asked"]
    assert not verify(match.service, match.code).problem


@pytest.mark.parametrize("spoil", ["gone", "damaged"])
def test_undo_needs_no_snapshot(database: Database, spoil: str) -> None:
    """The journal alone says what was before the act."""
    match, seat = placing(database)
    before, drawn = views(match), chance(match)
    mailed(match, seat, "place workshop 1")
    with match.service.writing() as session:
        if spoil == "gone":
            session.exec(delete(Snapshot))
        else:
            session.exec(update(Snapshot).values(table=b"?"))
    assert "the game stands as it did before" in answer(match, seat, "undo")
    assert (views(match), chance(match)) == (before, drawn)
    assert not verify(match.service, match.code).problem


def test_letter_that_has_not_gone_out_never_does(database: Database) -> None:
    """The outbox is withdrawn; nobody who has not been told needs a correction."""
    match, seat = placing(database)
    match.say(seat, "place workshop 1")
    match.settle()
    asked = int(match.game.waiting)
    letter = match.letters(asked, "report")[-1]
    assert letter.fate == "queued"
    match.say(seat, "undo")
    with match.service.reading() as session:
        assert session.get_one(Letter, letter.id).fate == "withdrawn"
    assert not match.letters(kind="undone")


def test_who_was_told_is_told_that_it_does_not_hold(database: Database) -> None:
    """One letter to whoever had one; it is asked anew, and its orders of meanwhile wait for its own word."""
    match, seat = placing(database)
    match.say(seat, "place workshop 1")
    match.settle()
    asked = int(match.game.waiting)
    told = match.letters(asked, "report")[-1]
    with match.service.writing() as session:
        session.execute(update(Letter).where(col(Letter.id) == told.id).values(fate="sent"))
    match.say(seat, "undo")
    (correction,) = match.letters(kind="undone")
    assert correction.seat == asked
    assert "has taken its last act back" in correction.text
    (late,) = mailed(match, asked, PLACES, told)
    assert title(late.text) == "Your orders are for play that was taken back"
    match.say(seat, "place workshop 2")
    match.settle()
    assert match.game.waiting == str(asked)
    report = decode_report(match.reports(asked)[-1].data)
    places = [event for event in report.events if event["type"] == "placed"]
    assert [event["seat"] for event in places] == [seat]


def test_orders_sent_before_the_act_still_answer_the_stage(database: Database) -> None:
    """A reply to the letter that opened the stage is in time, whichever line the journal is on."""
    match, seat = placing(database)
    other = (seat + 1) % 4
    opening = match.letters(other, "report")[-1]
    match.say(seat, "place workshop 1")
    match.settle()
    match.say(seat, "undo")
    (told,) = mailed(match, other, PLACES, opening)
    assert title(told.text) == "Your orders are in"


def test_next_report_tells_all_of_it(database: Database) -> None:
    """It stands among what was ruled, and the whole game replays from its journal."""
    match, seat = placing(database)
    match.say(seat, "place workshop 1")
    match.settle()
    match.say(seat, "undo")
    for _ in range(40):
        if match.game.stage_key != "1-placing":
            break
        match.say(int(match.game.waiting), PLACES)
        match.settle()
    for each in range(4):
        (told,) = (ruling for report in match.reports(each) for ruling in decode_report(report.data).rulings)
        assert (told.code, told.params) == ("undone", {"seat": seat})
        assert "took its last act back" in "".join(letter.text for letter in match.letters(each, "report"))
    assert not verify(match.service, match.code).problem


def test_acts_are_taken_back_one_after_the_other(database: Database) -> None:
    """An order for what comes next, and then the act that play has used already."""
    match, seat = placing(database)
    before = views(match)
    match.say(seat, "place workshop 1")
    match.settle()
    match.say(seat, "place workshop 2")
    match.say(seat, "undo")
    assert match.game.line == 0
    match.say(seat, "undo")
    assert match.game.line == 1
    assert views(match) == before
    match.say(seat, "place workshop 3")
    match.settle()
    match.say(seat, "undo")
    assert match.game.line == 2
    assert views(match) == before
    assert not verify(match.service, match.code).problem
    assert "sent nothing in this stage" in answer(match, seat, "undo")


def test_act_of_another_seat_ends_it(database: Database) -> None:
    """What somebody else did after it, or together with it, stays done."""
    match, seat = placing(database)
    match.say(seat, "place workshop 1")
    match.settle()
    match.say(int(match.game.waiting), PLACES)
    match.settle()
    assert match.game.stage_key == "1-placing"
    assert "Somebody else has acted since" in answer(match, seat, "undo")
    assert match.game.line == 0


def test_ruling_ends_it(database: Database) -> None:
    """A moderator's act is not taken back by a player."""
    match, seat = placing(database)
    match.say(seat, "place workshop 1")
    match.settle()
    extend_deadline(match.service, match.code, 5, Actor("there is time"))
    assert "The moderator has ruled since" in answer(match, seat, "undo")


def test_stage_that_is_over_stays_so(database: Database) -> None:
    """An answer to its letter is told so; a new one finds nothing that was sent."""
    match, seat = placing(database)
    opening = match.letters(seat, "report")[-1]
    for _ in range(40):
        if match.game.stage_key != "1-placing":
            break
        match.say(int(match.game.waiting), PLACES)
        match.settle()
    (late,) = mailed(match, seat, "undo", opening)
    assert "The stage that you answered is over" in late.text
    assert "sent nothing in this stage" in answer(match, seat, "undo")


def test_draw_ends_it(database: Database) -> None:
    """Tiny game: the victim's defence has everyone draw; the attack before it is another's."""
    match = begun(service_on(database, mail_port=0), pace="strict")
    for seat in range(3):
        match.say(seat, BIDS)
    match.settle()
    attacker = int(match.game.waiting)
    before = views(match)
    match.say(attacker, attack(match, *others(match, attacker)))
    match.settle()
    assert views(match) != before
    match.say(attacker, "undo")
    assert views(match) == before


def test_moderator_takes_back_for_a_player(database: Database) -> None:
    """The ruling stands behind the note on the new line; both are on record, and the journal agrees."""
    match, seat = placing(database)
    before = views(match)
    match.say(seat, "place workshop 1")
    match.settle()
    taken = enter_orders(match.service, match.code, seat, "undo", Actor("asked by telephone"))
    assert taken.acknowledgement is not None
    assert taken.acknowledgement.heading == "undone"
    assert views(match) == before
    assert not verify(match.service, match.code).problem


def test_what_the_moderator_entered_is_taken_back_by_its_name(database: Database) -> None:
    """A player who says `undo` after it learns whose act it was; the one before was the player's own."""
    match = begun(service_on(database, mail_port=0), pace="brisk", settle_minutes=60)
    match.say(0, "bid 1")
    enter_orders(match.service, match.code, 0, "bid 2", Actor("by telephone"))
    text = answer(match, 0, "undo")
    assert title(text) == "What the moderator entered for you last is taken back"
    assert "Your last act" not in text
    assert sheet(match, 0) == ["bid 1"]
    assert title(answer(match, 0, "undo")) == "Your last act is taken back"


@pytest.mark.parametrize(("rules", "seats"), [("tinygame", 3), ("rockwell", 4), ("rockwell", 2)])
def test_whatever_can_be_undone_leaves_all_as_it_was(database: Database, rules: str, seats: int) -> None:
    """Over random play, after each act: it is refused with nothing changed, or all views and chance are as before."""
    random = Random(20261128)
    match = begun(service_on(database), rules, seats)
    undone = refused = 0
    for _ in range(15):
        if match.game.status != "playing":
            break
        seat = int(random.choice(match.game.waiting.split(",")))
        line, stage = one_order(match, seat, random)
        before, drawn, told = views(match), chance(match), len(match.reports(seat))
        match.say(seat, line)
        match.settle()
        if match.game.status != "playing" or match.game.stage_key != stage or random.random() < 0.3:
            continue
        now, head = views(match), match.game.head
        taken = match.say(seat, "undo").acknowledgement
        assert taken is not None
        if taken.problems:
            refused += 1
            assert (views(match), match.game.head) == (now, head)
        else:
            undone += 1
            assert views(match) == before
            assert chance(match) == drawn
            assert len(match.reports(seat)) == told
            match.say(seat, line)
            match.settle()
    assert undone > 2
    assert not verify(match.service, match.code).problem


def one_order(match: Match, seat: int, random: Random) -> tuple[str, str]:
    """A legal order for the pending decision, and the stage that it is in."""
    now = stands(match)
    rules, state = now.rules, now.table.state
    decision = rules.pending(state)
    assert decision is not None
    choice = sample(rules.space(state, seat), pick_from(random))
    order = Order(
        decision.kind,
        (Alternative(now.module.language.intent(rules, rules.view(state, seat), choice)),),
        decision.round,
    )
    return write(order, now.module.language, rules.view(state, seat)), match.game.stage_key
