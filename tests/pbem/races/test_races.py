"""Mails, pages, deadlines, sweeps and rulings at the same moment: nothing is lost, and nothing is done twice."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlmodel import col, select

from pbem import clock
from pbem.context import Service
from pbem.door import READ
from pbem.errors import Busy, Refused
from pbem.games.advance import advance
from pbem.games.lifecycle import join
from pbem.games.position import position
from pbem.games.posting import post
from pbem.mail import turns
from pbem.mail.ingest import read
from pbem.mail.intake import Arrived, store
from pbem.mail.message import read as read_mail
from pbem.records.verifying import verify
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import end_deadline, extend_deadline, force_stage
from pbem.sheets.keeping import keep
from pbem.storage.models import Inbound, Ruling, StageTime, Submission
from pbem.storage.sessions import Database
from pbem.sweep import owed
from tests.pbem.mail import stubserver
from tests.pbem.mail.mailing import reply
from tests.pbem.playing import Match, begun, created, service_on
from tests.pbem.races.together import together
from tests.pbem.web.visiting import Visit, app_on

ROUNDS = 6
ANN, BEN, CLEO = range(3)


@pytest.fixture
def service(database: Database) -> Service:
    """A service on each sort of database, which threads share."""
    return service_on(database)


@pytest.fixture
def match(service: Service) -> Match:
    """A game of three whose first stage is open."""
    return begun(service, pace="brisk")


def arrive(match: Match, seat: int, text: str, received: datetime | None = None) -> int:
    """A player's answer to the last report is stored, and not read yet; the number of its row."""
    match.posted += 1
    made = reply(match.letters(seat, "report")[-1], text, Message_ID=f"<{match.posted}.races@players.example>")
    sender = str(made["From"])
    return store(match.service, [Arrived(made.as_bytes(), received or clock.now(), sender, (str(made["To"]),))])[0]


def meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> list[object]:
    """That is done once a stage has been resolved, before it is written; what is returned grows with each resolving."""
    resolved: list[object] = []

    def posted(*given: Any) -> Any:
        resolved.append(given)
        if len(resolved) == 1:
            act()
        return post(*given)

    monkeypatch.setattr("pbem.games.advance.post", posted)
    return resolved


def submissions(match: Match, seat: int) -> list[Submission]:
    """What the seat has sent, in the order in which it counts."""
    query = select(Submission).where(col(Submission.game_id) == match.id, col(Submission.seat) == seat)
    with match.service.reading() as session:
        return list(session.exec(query.order_by(col(Submission.number))))


def unread(match: Match) -> int:
    """How many mails wait to be read."""
    with match.service.reading() as session:
        return len(session.exec(select(Inbound.id).where(col(Inbound.status) == "stored")).all())


def bid_of(match: Match, seat: int) -> str:
    """The bid on the seat's sheet."""
    with match.service.reading() as session:
        [kept] = position(session, match.id).sheets[seat].orders
    return str(kept.order.alternatives[0].intent)


def sound(match: Match) -> None:
    """The journal replays to the game's head, and each stage was closed once."""
    assert verify(match.service, match.code).problem == ""
    with match.service.reading() as session:
        closed = Counter(session.exec(select(StageTime.number).where(col(StageTime.game_id) == match.id)))
    assert set(closed.values()) <= {1}
    assert match.game.failures == 0
    assert not match.game.aside


def test_last_of_two_mails_at_once_counts(match: Match) -> None:
    """Whichever worker is quicker, mails of one seat are read in the order in which they came, and both are kept."""
    for round_ in range(ROUNDS):
        first, second = arrive(match, ANN, f"bid {1 + round_ % 3}"), arrive(match, ANN, f"bid {4 + round_ % 3}")
        problems = together(partial(read, match.service, second), partial(read, match.service, first))
        assert problems == [None, None]
        match.settle()
        assert unread(match) == 0
        assert [each.inbound_id for each in submissions(match, ANN)[-2:]] == [first, second]
        assert f"{4 + round_ % 3}" in bid_of(match, ANN)
    assert len(match.letters(ANN, "acknowledgement")) == 2 * ROUNDS
    sound(match)


def test_mail_waits_for_one_before_it_that_fails(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not read first: when the earlier one is read, or has been set aside, it is its turn."""
    first, second = arrive(match, ANN, "bid 1"), arrive(match, ANN, "bid 4")
    monkeypatch.setattr("pbem.mail.ingest._read", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        read(match.service, first)
    read(match.service, second)
    monkeypatch.undo()
    assert unread(match) == 2
    clock.shift(timedelta(seconds=10))
    match.settle()
    assert [each.inbound_id for each in submissions(match, ANN)] == [first, second]


def test_mail_that_two_readers_are_at_is_on_record_as_read(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """One was slow, its lease ran out, and another has read the mail: it counts once, and the slow one adds nothing."""
    number = arrive(match, ANN, "bid 3")

    def slow(*given: Any) -> bool:
        monkeypatch.undo()
        clock.shift(timedelta(seconds=match.service.settings.lease_seconds + 1))
        read(match.service, number)
        return keep(*given)

    monkeypatch.setattr("pbem.sheets.submitting.keep", slow)
    read(match.service, number)
    with match.service.reading() as session:
        assert session.get_one(Inbound, number).status == "read"
    assert [each.inbound_id for each in submissions(match, ANN)] == [number]
    assert len(match.letters(ANN, "acknowledgement")) == 1


def test_reader_that_gives_up_late_sets_no_mail_aside_that_was_read(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last attempt fails when another has read the mail already: nobody is asked to send it again."""
    number = arrive(match, ANN, "bid 3")
    with match.service.writing() as session:
        session.get_one(Inbound, number).attempts = match.service.settings.attempts - 1

    def fails(*_: object) -> None:
        monkeypatch.undo()
        clock.shift(timedelta(seconds=match.service.settings.lease_seconds + 1))
        with match.service.writing() as session:
            session.get_one(Inbound, number).attempts = 0
        read(match.service, number)
        raise ZeroDivisionError

    monkeypatch.setattr("pbem.mail.ingest._read", fails)
    with pytest.raises(ZeroDivisionError):
        read(match.service, number)
    with match.service.reading() as session:
        assert session.get_one(Inbound, number).status == "read"
    assert match.letters(ANN, "setaside") == []


def test_reader_that_fails_late_ends_no_lease_of_another(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was slow, and another is at the mail: nobody else reads it meanwhile, not even after the pause."""
    number = arrive(match, ANN, "bid 3")
    lease = match.service.settings.lease_seconds

    def fails(*_: object) -> None:
        clock.shift(timedelta(seconds=lease + 1))
        assert turns.begin(match.service, number) is not None
        raise ZeroDivisionError

    monkeypatch.setattr("pbem.mail.ingest._read", fails)
    with pytest.raises(ZeroDivisionError):
        read(match.service, number)
    clock.shift(timedelta(seconds=lease / 2))
    assert (READ, number) not in owed(match.service)
    clock.shift(timedelta(seconds=lease / 2 + 1))
    assert (READ, number) in owed(match.service)


def test_slow_reader_refuses_nothing_that_another_has_done(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last guest has joined by the mail that it is still at, and the game has begun: nobody is told otherwise."""
    match = created(service)
    for seat in (ANN, BEN):
        join(service, match.id, seat)
    made = reply(match.letters(CLEO, "invitation")[0], "join")
    [number] = store(service, [Arrived(made.as_bytes(), clock.now(), str(made["From"]), (str(made["To"]),))])

    def slow(*given: Any) -> None:
        monkeypatch.undo()
        clock.shift(timedelta(seconds=service.settings.lease_seconds + 1))
        read(service, number)
        join(*given)

    monkeypatch.setattr("pbem.mail.replies.join", slow)
    read(service, number)
    assert match.seats[CLEO].joined is not None
    assert match.letters(CLEO, "unreadable") == []


def test_page_comes_after_mails_that_came_before(match: Match) -> None:
    """What is sent by a page while a mail waits to be read counts after that mail."""
    app = app_on(match.service)
    visit = Visit(app, match.service, "ann@players.example")
    for round_ in range(ROUNDS):
        visit.get(f"/games/{match.code}")
        mail = arrive(match, ANN, f"bid {1 + round_ % 3}")
        send = partial(visit.send, f"/games/{match.code}/orders", text=f"bid {4 + round_ % 3}", act="send")
        assert together(send, partial(read, match.service, mail)) == [None, None]
        match.settle()
        assert unread(match) == 0
        assert [each.source for each in submissions(match, ANN)[-2:]] == ["mail", "page"]
        assert f"{4 + round_ % 3}" in bid_of(match, ANN)
    arrive(match, ANN, "bid 2")
    visit.get(f"/games/{match.code}")
    visit.send(f"/games/{match.code}/orders", text="bid 6", act="send")
    assert "6" in bid_of(match, ANN)
    assert unread(match) == 0
    assert len(submissions(match, ANN)) == 2 * ROUNDS + 2
    sound(match)


def test_last_order_and_deadline_at_once(service: Service) -> None:
    """A mail that came in time counts for its stage, though it is read at the moment when the deadline has passed."""
    for _ in range(ROUNDS):
        match = begun(service, pace="brisk")
        for seat in (BEN, CLEO):
            match.say(seat, "bid 3")
        game = match.game
        assert game.deadline is not None
        mail = arrive(match, ANN, "bid 5 or 4 or 3 or 2 or 1")
        clock.shift(game.deadline - clock.now() + timedelta(seconds=3))
        problems = together(
            partial(advance, match.service, match.id),
            partial(read, match.service, mail),
            partial(advance, match.service, match.id),
        )
        assert problems == [None, None, None]
        match.settle()
        assert match.game.stage_number == game.stage_number + 1
        assert [each.late for each in submissions(match, ANN)] == [False]
        assert match.seats[ANN].missed == 0
        sound(match)


def test_mail_in_time_that_is_stored_while_its_stage_is_resolved_counts(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was long on its way to the disk: what is resolved without it is not written, and its seat missed nothing."""
    for seat in (BEN, CLEO):
        match.say(seat, "bid 3 or 2 or 1")
    stage, deadline = match.game.stage_number, match.game.deadline
    assert deadline is not None
    clock.shift(deadline - clock.now() + timedelta(seconds=3))
    in_time = deadline - timedelta(seconds=1)
    resolved = meanwhile(monkeypatch, lambda: arrive(match, ANN, "bid 5 or 4 or 3", in_time))
    assert not advance(match.service, match.id)
    assert len(resolved) == 1
    assert match.game.stage_number == stage
    match.settle()
    assert match.game.stage_number == stage + 1
    assert [each.late for each in submissions(match, ANN)] == [False]
    assert match.seats[ANN].missed == 0
    sound(match)


def test_change_of_mind_that_is_stored_while_its_stage_is_resolved_counts(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All were ready before the deadline: until the stage is closed, the last word of each is what is played."""
    for seat in (ANN, BEN, CLEO):
        match.say(seat, "bid 3 or 2 or 1")
    stage = match.game.stage_number
    meanwhile(monkeypatch, lambda: arrive(match, ANN, "not ready"))
    assert not advance(match.service, match.id)
    match.settle()
    assert match.game.stage_number == stage
    match.say(ANN, "bid 6 or 5 or 4")
    match.settle()
    assert match.game.stage_number == stage + 1
    assert not any(each.late for each in submissions(match, ANN))
    sound(match)


def test_stage_that_a_worker_is_at_is_resolved_once(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another that is told of the game meanwhile leaves it alone: to resolve and compose twice is work for nothing."""
    for seat in (ANN, BEN, CLEO):
        match.say(seat, "bid 3 or 2 or 1")
    stage = match.game.stage_number
    resolved = meanwhile(monkeypatch, lambda: advance(match.service, match.id))
    advance(match.service, match.id)
    assert len(resolved) == 1
    assert match.game.stage_number == stage + 1
    sound(match)


def test_order_by_page_after_the_deadline_is_kept_as_late(service: Service) -> None:
    """Sent while its stage closes: whichever is first, it is kept and told as late, and never lost."""
    for _ in range(ROUNDS):
        match = begun(service, pace="brisk")
        visit = Visit(app_on(service), service, "ann@players.example")
        stage = match.game.stage_number
        visit.get(f"/games/{match.code}")
        for seat in (BEN, CLEO):
            match.say(seat, "bid 3 or 2 or 1")
        assert match.game.deadline is not None
        clock.shift(match.game.deadline - clock.now() + timedelta(seconds=3))
        send = partial(visit.send, f"/games/{match.code}/orders", text="bid 5 or 4 or 3 or 2 or 1", act="send")
        assert together(send, partial(advance, match.service, match.id)) == [None, None]
        match.settle()
        assert match.game.stage_number == stage + 1
        assert [each.late for each in submissions(match, ANN)] == [True]
        sound(match)


def test_two_sweeps_at_once(database: Database) -> None:
    """Each does what it finds owed: every mail is read once, every stage closed once, every letter handed over once."""
    with stubserver.running() as server:
        service = service_on(database, smtp_host="127.0.0.1", smtp_port=server.port)
        for _ in range(ROUNDS):
            match = begun(service, pace="brisk")
            stage = match.game.stage_number
            for seat in range(3):
                arrive(match, seat, "bid 6 or 5 or 4 or 3 or 2 or 1")
            assert together(match.settle, match.settle, match.settle) == [None, None, None]
            match.settle()
            assert unread(match) == 0
            assert match.game.stage_number == stage + 1
            assert [len(submissions(match, seat)) for seat in range(3)] == [1, 1, 1]
            assert all(letter.fate == "sent" for letter in match.letters())
            sound(match)
        sent = Counter(read_mail(mail.content).message_id for mail in server.mails)
        assert set(sent.values()) == {1}


def test_rulings_and_resolution_at_once(service: Service) -> None:
    """A ruling is on record before the stage that it was made for closes, or is refused because it has closed."""
    for _ in range(ROUNDS):
        match = begun(service, pace="brisk")
        stage = match.game.stage_number
        for seat in range(3):
            match.say(seat, "bid 6 or 5 or 4 or 3 or 2 or 1")
        seen = Actor("the club's evening", stage=stage)
        problems = together(
            partial(advance, match.service, match.id),
            partial(force_stage, match.service, match.code, seen),
            partial(extend_deadline, match.service, match.code, 5, seen),
            partial(end_deadline, match.service, match.code, seen),
            partial(advance, match.service, match.id),
        )
        assert [each for each in problems if each is not None and not _closed_meanwhile(each)] == []
        match.settle()
        assert match.game.stage_number == stage + 1
        with service.reading() as session:
            rulings = session.exec(
                select(Ruling).where(col(Ruling.game_id) == match.id).order_by(col(Ruling.number))
            ).all()
        assert [each.number for each in rulings] == list(range(1, len(rulings) + 1))
        assert len(rulings) == problems[1:4].count(None)
        assert all(each.told for each in rulings)
        sound(match)


def _closed_meanwhile(problem: Exception) -> bool:
    return isinstance(problem, Busy) or (isinstance(problem, Refused) and problem.code == "ruled_meanwhile")


def test_two_presses_of_a_button_at_once(match: Match) -> None:
    """The same ruling from two windows is one ruling."""
    for round_ in range(ROUNDS):
        seen = Actor("once", stage=match.game.stage_number, ruling=match.game.next_ruling)
        press = partial(extend_deadline, match.service, match.code, 1 + round_, seen)
        problems = together(press, press, press)
        assert [each for each in problems if each is not None and not _closed_meanwhile(each)] == []
        assert problems.count(None) == 1
        match.settle()
    assert match.game.next_ruling == ROUNDS + 1
    sound(match)
