"""What a page or a program sends while an older mail of its seat is not read yet: the newer word stands, always."""

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from sqlmodel import col, select

from pbem import clock
from pbem.context import Service
from pbem.games.advance import advance
from pbem.mail import catchingup, ingest, posted, turns
from pbem.mail.ingest import read
from pbem.mail.posted import SOURCES
from pbem.sheets.submitting import submit
from pbem.storage.models import Inbound
from pbem.storage.sessions import Database
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.races.test_races import ANN, BEN, CLEO, arrive, bid_of, sound, submissions
from tests.pbem.web.api.calling import ROOT, program
from tests.pbem.web.visiting import Visit, app_on, forms

PAUSE = 1_000.0
"""In place of the real pauses after failures, which a busy machine may sleep through."""


@pytest.fixture
def match(database: Database, monkeypatch: pytest.MonkeyPatch) -> Match:
    """A game of three whose first stage is open; who waits for a reader looks as often as ever, and sooner."""
    monkeypatch.setattr(catchingup, "LOOK", 0)
    monkeypatch.setattr(ingest, "PAUSES", (PAUSE,))
    monkeypatch.setattr(ingest, "AWAY_SECONDS", PAUSE)
    return begun(service_on(database), pace="brisk")


@pytest.fixture
def visit(match: Match) -> Visit:
    """Ann, before her form."""
    visit = Visit(app_on(match.service), match.service, "ann@players.example")
    visit.get(f"/games/{match.code}")
    return visit


def send(match: Match, visit: Visit, text: str, status: int = 200) -> str:
    """Ann sends that by her page."""
    visit.get(f"/games/{match.code}")
    return visit.send(f"/games/{match.code}/orders", status, text=text, act="send")


def status(match: Match) -> list[str]:
    """What became of the mails, oldest first."""
    with match.service.reading() as session:
        mails = select(Inbound.status).where(col(Inbound.source).not_in(SOURCES))
        return list(session.exec(mails.order_by(col(Inbound.id))))


def newer_word_stands(match: Match) -> None:
    """The page's, which came after the mail's, and still once all that was owed is done."""
    assert "4" in bid_of(match, ANN)
    clock.shift(timedelta(seconds=PAUSE))
    match.settle()
    assert [each.source for each in submissions(match, ANN)] == ["mail", "page"]
    assert "4" in bid_of(match, ANN)
    assert status(match) == ["read"]
    sound(match)


def test_page_comes_after_a_mail_whose_reader_was_killed(match: Match, visit: Visit) -> None:
    """Long before the mail would be read anew: what is sent counts at once, for its deadline may be near."""
    assert turns.begin(match.service, arrive(match, ANN, "bid 1")) is not None
    send(match, visit, "bid 4")
    newer_word_stands(match)


def test_page_comes_after_a_mail_that_a_slow_reader_is_at(
    match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read for the page's sake, and what its first reader makes of it later is nothing, and told to nobody."""
    mail, real = arrive(match, ANN, "bid 1"), ingest._read

    def slow(*given: Any) -> None:
        monkeypatch.setattr(ingest, "_read", real)
        send(match, visit, "bid 4")
        real(*given)

    monkeypatch.setattr(ingest, "_read", slow)
    read(match.service, mail)
    newer_word_stands(match)
    assert len(match.letters(ANN, "acknowledgement")) == 1


def test_page_comes_after_a_mail_that_pauses(match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an attempt for which the database was away."""
    mail = arrive(match, ANN, "bid 1")

    def away(*_: object) -> None:
        raise OperationalError("", {}, Exception("the server closed the connection"))

    with monkeypatch.context() as patched:
        patched.setattr(ingest, "_read", away)
        with pytest.raises(OperationalError):
            read(match.service, mail)
    send(match, visit, "bid 4")
    newer_word_stands(match)


def test_page_waits_for_a_mail_that_can_not_be_read_until_it_is_given_up(
    match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is kept and the text is given back, program and page are told to come again; a mail set aside is over."""
    arrive(match, ANN, "bid 1")
    monkeypatch.setattr(ingest, "_read", lambda *_: 1 / 0)
    page = send(match, visit, "bid 4", 503)
    assert "The service is busy" in page
    assert "bid 4" in page
    api = program(match)
    called = api.client.post(f"{ROOT}/games/{match.code}/orders", json={"text": "bid 4"}, headers=api._headers)
    assert called.status_code == 503
    assert called.headers["Retry-After"]
    assert submissions(match, ANN) == []
    assert status(match) == ["stored"]
    clock.shift(timedelta(seconds=PAUSE))
    send(match, visit, "bid 4")
    assert status(match) == ["aside"]
    assert "4" in bid_of(match, ANN)


def test_pages_that_press_on_give_no_mail_up(match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often its player comes while it fails, its last attempt is made after its pause, and may succeed."""
    arrive(match, ANN, "bid 1")
    with monkeypatch.context() as patched:
        patched.setattr(ingest, "_read", lambda *_: 1 / 0)
        for _ in range(match.service.settings.attempts + 1):
            send(match, visit, "bid 4", 503)
    assert status(match) == ["stored"]
    clock.shift(timedelta(seconds=PAUSE))
    send(match, visit, "bid 4")
    newer_word_stands(match)


def test_mail_that_comes_after_a_page_has_the_last_word(match: Match, visit: Visit) -> None:
    """The order is that in which they came, whichever way."""
    send(match, visit, "bid 4")
    arrive(match, ANN, "bid 1")
    match.settle()
    assert [each.source for each in submissions(match, ANN)] == ["page", "mail"]
    assert "1" in bid_of(match, ANN)


def by_page(match: Match, visit: Visit) -> None:
    """Ann sends the form that she has."""
    visit.send(f"/games/{match.code}/orders", text="bid 4 or 5 or 6", act="send")


def by_program(match: Match, visit: Visit) -> None:
    """Her program sends it for the stage that it saw."""
    stage = f"{match.game.line}/{match.game.stage_key}"
    told = program(match).post(f"/games/{match.code}/orders", text="bid 4 or 5 or 6", stage=stage)
    assert told["outcome"] == "kept"


def before_the_deadline(match: Match) -> None:
    """The others have sent their orders, and an older mail of Ann's has a reader who is dead."""
    for seat in (BEN, CLEO):
        match.say(seat, "bid 3 or 2 or 1")
    assert match.game.deadline is not None
    clock.shift(match.game.deadline - clock.now() - timedelta(seconds=30))
    assert turns.begin(match.service, arrive(match, ANN, "bid 1 or 2 or 3")) is not None


def long_wait(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Who waits for a reader waits past all deadlines; that is done meanwhile, and before what waited is taken."""

    def sleep(_: float) -> None:
        clock.shift(timedelta(seconds=10))
        act()

    def taken(*given: Any) -> Any:
        act()
        return submit(*given)

    monkeypatch.setattr(catchingup, "time", SimpleNamespace(sleep=sleep))
    monkeypatch.setattr(catchingup, "submit", taken)


@pytest.mark.parametrize("send_it", [by_page, by_program])
def test_what_was_received_in_time_counts_however_long_it_waits(
    match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch, send_it: Callable[[Match, Visit], None]
) -> None:
    """The deadline passes while older mails are waited for: its stage stays open until it is taken, as for a mail."""
    stage, deadline = match.game.stage_number, match.game.deadline
    before_the_deadline(match)
    long_wait(monkeypatch, lambda: advance(match.service, match.id))
    send_it(match, visit)
    assert deadline is not None
    assert clock.now() > deadline
    assert [each.late for each in submissions(match, ANN)] == [False, False]
    assert all(each.received <= deadline for each in submissions(match, ANN))
    assert match.game.stage_number == stage
    assert "4" in bid_of(match, ANN)
    match.settle()
    assert match.game.stage_number == stage + 1
    assert status(match) == ["read"]
    sound(match)


def test_orders_that_name_no_stage_are_for_the_one_that_was_open(
    match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program's, received after the deadline while an older mail held the stage: they are late once it is closed."""
    stage = match.game.stage_number
    before_the_deadline(match)
    clock.shift(timedelta(seconds=40))
    long_wait(monkeypatch, lambda: advance(match.service, match.id))
    told = program(match).post(f"/games/{match.code}/orders", text="bid 4 or 5 or 6")
    assert match.game.stage_number == stage + 1
    assert told["outcome"] == "late"
    assert [each.late for each in submissions(match, ANN)] == [False, True]
    sound(match)


def test_ready_by_page_in_time_is_in_time(match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """As orders are: what is received before the deadline is for the stage that was open then."""
    stage = match.game.stage_number
    before_the_deadline(match)
    long_wait(monkeypatch, lambda: advance(match.service, match.id))
    visit.send(f"/games/{match.code}/ready", act="ready")
    assert [(each.source, each.late) for each in submissions(match, ANN)] == [("mail", False), ("page", False)]
    match.settle()
    assert match.game.stage_number == stage + 1


def test_what_is_received_too_late_is_late_and_holds_no_stage(
    match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mail before it is in time and counts; it is not, and is kept and told as late."""
    stage = match.game.stage_number
    before_the_deadline(match)
    clock.shift(timedelta(seconds=40))
    long_wait(monkeypatch, lambda: advance(match.service, match.id))
    visit.send(f"/games/{match.code}/orders", text="bid 4", act="send")
    assert "came too late for their stage" in visit.page
    assert [each.late for each in submissions(match, ANN)] == [False, True]
    assert match.game.stage_number == stage + 1
    sound(match)


def test_mail_that_comes_while_a_page_waits_comes_after_it(
    match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However soon it is read: the last word is the one that came last."""
    later: list[int] = []
    assert turns.begin(match.service, arrive(match, ANN, "bid 1")) is not None

    def mail() -> None:
        later.extend([] if later else [arrive(match, ANN, "bid 6")])
        read(match.service, later[0])

    long_wait(monkeypatch, mail)
    visit.send(f"/games/{match.code}/orders", text="bid 4", act="send")
    match.settle()
    assert [each.source for each in submissions(match, ANN)] == ["mail", "page", "mail"]
    assert "6" in bid_of(match, ANN)
    assert status(match) == ["read", "read"]
    sound(match)


def test_what_waited_in_a_process_that_was_killed_is_taken(
    match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its stage waits for it as for a mail, and where its player sends it again it counts once."""
    stage = match.game.stage_number
    before_the_deadline(match)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(catchingup, "submit", killed)
        patched.setattr(catchingup, "leave_line", lambda *_: None)
        with pytest.raises(KeyboardInterrupt):
            by_page(match, visit)
    clock.shift(timedelta(seconds=60))
    match.settle()
    assert match.game.stage_number == stage
    clock.shift(timedelta(seconds=match.service.settings.lease_seconds))
    match.settle()
    assert [(each.source, each.late) for each in submissions(match, ANN)] == [("mail", False), ("page", False)]
    assert match.game.stage_number == stage + 1
    by_page(match, visit)
    assert len(submissions(match, ANN)) == 2
    assert status(match) == ["read"]
    sound(match)


def cut_off(match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann sends orders by her page, and its process is killed while they stand in line."""
    assert turns.begin(match.service, arrive(match, ANN, "bid 1")) is not None

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(catchingup, "submit", killed)
        patched.setattr(catchingup, "leave_line", lambda *_: None)
        with pytest.raises(KeyboardInterrupt):
            by_page(match, visit)


def test_player_is_asked_again_for_what_was_cut_off_and_can_not_be_taken(
    match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a letter, as for a mail that is given up: nobody else knows that it was sent. Sent again it counts."""
    cut_off(match, visit, monkeypatch)
    with monkeypatch.context() as patched:
        patched.setattr(ingest, "submit", lambda *_: 1 / 0)
        for _ in range(match.service.settings.attempts + 1):
            clock.shift(timedelta(seconds=PAUSE))
            match.settle()
    [asked] = match.letters(ANN, "setaside")
    assert "What you sent could not be taken" in asked.subject
    assert match.letters(BEN, "setaside") == []
    send(match, visit, "bid 4")
    assert "4" in bid_of(match, ANN)


def test_slow_reader_of_a_place_in_line_gives_up_no_mail_that_came_later(
    match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another call of the seat took the place over, and fails at its last attempt long after the place was left."""
    assert turns.begin(match.service, arrive(match, ANN, "bid 1")) is not None
    slow: list[turns.Begun] = []

    def taken(*given: Any) -> Any:
        with match.service.reading() as session:
            place = session.exec(select(Inbound.id).where(col(Inbound.source) == "page")).one()
        row = turns.take_over(match.service, place or 0)
        assert row is not None
        slow.append(row)
        return submit(*given)

    with monkeypatch.context() as patched:
        patched.setattr(catchingup, "submit", taken)
        send(match, visit, "bid 4")
        arrive(match, BEN, "bid 2")
        patched.setattr(ingest, "submit", lambda *_: 1 / 0)
        slow[0].inbound.attempts = match.service.settings.attempts
        with pytest.raises(ZeroDivisionError):
            ingest._attempt(match.service, slow[0])
    match.settle()
    assert status(match) == ["read", "read"]
    assert "2" in bid_of(match, BEN)
    assert "4" in bid_of(match, ANN)
    assert match.letters(kind="setaside") == []


def test_service_is_busy_only_where_nothing_is_kept(
    match: Match, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mail is read as soon as it was waited for in vain, and another call of the seat takes over what waited."""
    mail, real = arrive(match, ANN, "bid 1"), ingest._read

    def gives_up(service: Service, place: int) -> bool:
        monkeypatch.setattr(ingest, "_read", real)
        clock.shift(timedelta(seconds=PAUSE))
        read(service, mail)
        ingest.take_over(service, place)
        return posted.gives_up(service, place)

    monkeypatch.setattr(ingest, "_read", lambda *_: 1 / 0)
    monkeypatch.setattr(catchingup, "gives_up", gives_up)
    assert "counted" in send(match, visit, "bid 4")
    newer_word_stands(match)


def test_program_that_checks_is_told_of_what_was_mailed_before(match: Match) -> None:
    """What would come of orders that it sends is what would come of them."""
    arrive(match, ANN, "bid 1")
    assert program(match).post(f"/games/{match.code}/orders/check", text="ready")["sheet"] == ["bid 1"]


def test_muting_by_page_comes_after_a_mail_that_came_before(match: Match, visit: Visit) -> None:
    """As all that a page sends for a seat."""
    arrive(match, ANN, "mute all")
    visit.get(f"/games/{match.code}/messages")
    token = forms(visit.page)[0].fields["csrf_token"]
    visit.post(f"/games/{match.code}/mutes", whom="anonymous", act="unmute", csrf_token=token)
    match.settle()
    assert [each.source for each in submissions(match, ANN)] == ["mail", "page"]
    assert "anonymous" not in match.seats[ANN].mutes
