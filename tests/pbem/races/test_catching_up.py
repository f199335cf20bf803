"""What a page or a program sends while an older mail of its seat is not read yet: the newer word stands, always."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from sqlmodel import col, select

from pbem import clock
from pbem.mail import catchingup, ingest, turns
from pbem.mail.ingest import read
from pbem.storage.models import Inbound
from pbem.storage.sessions import Database
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.races.test_races import ANN, arrive, bid_of, sound, submissions
from tests.pbem.web.api.calling import ROOT, program
from tests.pbem.web.visiting import Visit, app_on

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
        return list(session.exec(select(Inbound.status).order_by(col(Inbound.id))))


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
