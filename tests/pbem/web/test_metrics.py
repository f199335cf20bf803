"""What Prometheus is told: how much waits for us, since when, and nothing to who does not show the token."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from pbem import clock
from pbem.context import Service
from pbem.door import ADVANCE, SEND
from pbem.mail.intake import Arrived, store
from pbem.mail.outbox import AGAIN
from pbem.mail.sender import send
from pbem.measures import measures
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import pause
from pbem.rulings.previewing import hold_for_review
from pbem.site.overview import overview
from pbem.storage.sessions import Database
from pbem.sweep import owed, sweep
from pbem.words import Words
from tests.pbem.mail import stubserver
from tests.pbem.mail.test_habits import at, wants
from tests.pbem.mail.test_sender import write
from tests.pbem.playing import AT_ANY_HOUR, begun, service_on
from tests.pbem.races.test_races import ANN, arrive
from tests.pbem.test_chores import broken
from tests.pbem.web.visiting import app_on

TOKEN = "prometheus-may-look"


def test_metrics_are_closed_until_a_token_is_set(database: Database) -> None:
    """Not there at all without one, and refused to who does not show it."""
    closed = app_on(service_on(database)).test_client()
    assert closed.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    client = app_on(service_on(database, metrics_token=TOKEN)).test_client()
    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer guessed"}).status_code == 401
    assert client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_metrics_tell_what_waits_for_us_and_since_when(database: Database) -> None:
    """A game waits for its players until its deadline has passed, then for us, as a mail does that nobody has read."""
    service = service_on(database, metrics_token=TOKEN)
    match = begun(service, stage_hours=1)
    client = app_on(service).test_client()

    def gauge(line: str) -> float:
        page = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
        (found,) = [each.split()[-1] for each in page.splitlines() if each.startswith(line + " ")]
        return float(found)

    assert gauge('pbem_games{status="playing"}') == 1
    assert gauge("pbem_games_waiting_for_players") == 1
    assert gauge('pbem_owed{task="play"}') == gauge("pbem_deadline_lag_seconds") == 0
    store(service, [Arrived(b"Subject: hello\r\n\r\nhello\r\n", clock.now(), "<ann@players.example>", ())])
    clock.shift(timedelta(hours=1, minutes=5))
    assert gauge("pbem_games_waiting_for_players") == 0
    assert gauge('pbem_owed{task="play"}') == 1
    assert 290 < gauge("pbem_deadline_lag_seconds") < 310
    assert gauge('pbem_owed{task="read"}') == 1
    assert gauge('pbem_owed_oldest_seconds{task="read"}') > 3600
    match.settle()
    assert gauge('pbem_owed{task="play"}') == gauge('pbem_owed{task="read"}') == 0
    assert gauge("pbem_games_waiting_for_players") == 1


def test_a_mail_that_was_given_up_is_told_for_some_days(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """From when it was, by the metrics and on the page of all games; nothing more becomes of it, so not for ever."""
    service = service_on(database)
    match = begun(service, pace="brisk")

    def told() -> tuple[int, int]:
        """How many mails are told as given up: to Prometheus, and who looks after all games."""
        with service.reading() as session:
            return measures(session).mails_aside, len(overview(session, Words.of("en")).mails)

    monkeypatch.setattr("pbem.mail.ingest.take", broken)
    assert told() == (0, 0)
    arrive(match, ANN, "bid 1")
    for _ in range(service.settings.attempts):
        clock.shift(timedelta(days=2))
        match.settle()
    assert told() == (1, 1)
    clock.shift(timedelta(days=4))
    assert told() == (0, 1)
    clock.shift(timedelta(days=4))
    assert told() == (0, 0)


def letters_owed(service: Service) -> tuple[int, float]:
    """How many letters are owed, and for how long the oldest has been."""
    with service.reading() as session:
        told = measures(session).owed["send"]
    return told.number, told.oldest


def test_letters_are_owed_since_they_were_written_while_the_mail_server_is_away(database: Database) -> None:
    """However often they are tried: each try puts the next one off, and the alert is for just this time."""
    service = service_on(database)
    write(service, 3)
    for seconds in range(0, 660, 10):
        if (SEND, 0) in owed(service):
            send(service)
        number, oldest = letters_owed(service)
        assert number == 3
        assert seconds <= oldest < seconds + 60
        clock.shift(timedelta(seconds=10))


def test_letters_that_wait_as_they_are_meant_to_are_not_owed(database: Database) -> None:
    """For their reader's time, or for a server that has put them off; from when they should go they are."""
    with stubserver.running() as stub:
        service = service_on(database, smtp_port=stub.port)
        match = begun(service, pace="brisk", stage_hours=96)
        stub.fail("rcpt", "450 not now")
        write(service)
        assert letters_owed(service)[0] == 1
        send(service)
        assert letters_owed(service) == (0, 0)
        clock.shift(timedelta(seconds=30))
        assert letters_owed(service)[0] == 1
        assert letters_owed(service)[1] < 30
        send(service)
        wants(service, 1, zone="UTC", mails="daily", mails_at=8 * 60)
        at(clock.now().replace(hour=9, minute=0) + timedelta(days=1))
        match.say(1, "to red: good evening")
        send(service)
        assert letters_owed(service) == (0, 0)
        clock.shift(timedelta(hours=22))
        assert letters_owed(service) == (0, 0)
        clock.shift(timedelta(minutes=70))
        assert letters_owed(service)[0] == 1
        assert letters_owed(service)[1] < 3600


def test_letters_that_may_have_gone_out_twice_are_told(database: Database) -> None:
    """Whatever became of them then: beside their fate, and in what a command tells too."""
    service = service_on(database, metrics_token=TOKEN)
    match = begun(service)
    known = [("sent", AGAIN), ("bounced", f"{AGAIN} hard 5.1.1"), ("bounced", "hard 5.1.1")]
    with service.writing() as session:
        for letter, (fate, problem) in zip(match.letters(), known, strict=False):
            letter.fate, letter.problem = fate, problem
            session.add(letter)
    page = app_on(service).test_client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
    told = dict(re.findall(r'^pbem_letters{fate="(.*)"} (.*)$', page, re.MULTILINE))
    assert (told["sent"], told["bounced"], told[AGAIN]) == ("1.0", "2.0", "2.0")


def test_what_the_sweep_would_play_is_what_counts_as_owed(database: Database) -> None:
    """A deadline is missed once its grace is over too. Whoever is paused or under review waits for nobody's orders, and
    is owed nothing."""
    service = service_on(database)
    graceful, paused, reviewed, ready, plain = (
        begun(service, pace="brisk", stage_hours=hours, schedule=AT_ANY_HOUR | {"grace": grace})
        for hours, grace in ((1, "120"), (1, "0"), (1, "0"), (8, "120"), (8, "0"))
    )
    pause(service, paused.code, Actor("holidays"))
    hold_for_review(service, reviewed.code, Actor("a rules question"))
    for seat in range(3):
        ready.say(seat, "bid 6 or 5 or 4 or 3 or 2 or 1")

    def found() -> tuple[set[int], int, int, float]:
        """Which games the sweep would play, and what is told of them."""
        with service.reading() as session:
            told = measures(session)
        return {row for task, row in owed(service) if task == ADVANCE}, *(
            told.owed["play"].number,
            told.awaiting_players,
            told.lag,
        )

    assert found() == ({ready.id}, 1, 2, 0)
    ready.settle()
    assert found() == (set(), 0, 3, 0)
    clock.shift(timedelta(hours=1, minutes=90))
    assert found() == (set(), 0, 3, 0)
    clock.shift(timedelta(minutes=35))
    *counted, lag = found()
    assert counted == [{graceful.id}, 1, 2]
    assert 290 < lag < 3600
    clock.shift(timedelta(hours=6))
    *counted, lag = found()
    assert counted == [{graceful.id, plain.id}, 2, 1]
    assert 6 * 3600 < lag < 7 * 3600


def test_gauges_named_in_the_guide_are_the_gauges_that_there_are(database: Database) -> None:
    """Each with the labels that it has, and none is left out."""
    guide = (Path(__file__).parents[3] / "docs" / "operator.md").read_text(encoding="utf-8")
    service = service_on(database, metrics_token=TOKEN)
    match = begun(service)
    store(service, [Arrived(b"Subject: hello\r\n\r\nhello\r\n", clock.now(), "<ann@players.example>", ())])
    match.settle()
    sweep(service)
    page = app_on(service).test_client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
    told = dict.fromkeys(re.findall(r"^# TYPE (\S+) gauge$", page, re.MULTILINE), "")
    told |= dict(re.findall(r"^(pbem_\w+){(\w+)=", page, re.MULTILINE))
    rows = [name for row in re.findall(r"^\| (`pbem_.*?) \|", guide, re.MULTILINE) for name in row.split(", ")]
    assert dict(re.findall(r"`(pbem_\w+?)(?:{(\w+)})?`", " ".join(rows))) == told
    assert set(re.findall(r"\b(pbem_[a-z_]+)", guide)) <= set(told)
