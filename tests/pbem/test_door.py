"""Nudges are let go where they can't be given at once: nobody waits for a broker."""

from collections.abc import Callable
from pathlib import Path

import pytest
from redis import Redis

from pbem import door, keys
from pbem.accounts import create_account
from pbem.door import READ, READING, SEND, Celeried
from pbem.settings import settings
from pbem.storage.sessions import Database
from pbem.web import app as web
from pbem.web.app import create_app
from pbem.web.pages import EXTENSION
from tests.pbem.brokers import UNUSABLE, Stuck, useless
from tests.pbem.playing import service_on
from tests.pbem.web.visiting import Visit, letters_to
from tests.servers import wait_until


@pytest.mark.parametrize("hangs", [False, True], ids=["away", "hanging"])
def test_a_broker_that_is_of_no_use_is_tried_once_in_a_while(hangs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many nudges and questions there are meanwhile, and however the first try fails."""
    monkeypatch.setattr(door, "SHUT", 3600.0)
    with useless(hangs=hangs) as broker:
        ours = Celeried(broker.url)
        for number in range(20):
            ours.publish(READ, number)
            ours.publish(SEND, 0)
            ours.taken(SEND)
            assert ours.waiting(READING) == 0
        assert broker.came == 1


TRIES: dict[str, Callable[[Celeried], object]] = {
    "nudge": lambda ours: ours.publish(READ, 1),
    "nudge to send": lambda ours: ours.publish(SEND, 0),
    "taken": lambda ours: ours.taken(SEND),
    "question": lambda ours: ours.waiting(READING),
}


@pytest.mark.parametrize("tried", TRIES.values(), ids=TRIES)
def test_each_try_is_one_connection(tried: Callable[[Celeried], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is tried again by itself, neither a nudge nor a question."""
    monkeypatch.setattr(door, "SHUT", 0.0)
    with useless(hangs=False) as broker:
        ours = Celeried(broker.url)
        for _ in range(3):
            tried(ours)
        assert broker.came == 3


def test_whatever_a_broker_does_nobody_hears_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Not of faults either that are none of its being away: what is nudged for is committed. The log has them."""
    ours = Celeried(UNUSABLE)
    ours.publish(READ, 1)
    assert ours.waiting(READING) == 0
    assert "nudge_failed" in capsys.readouterr().out


def test_a_broker_that_comes_back_is_used_again(
    redis_url: str, short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was let go meanwhile is not given later."""
    monkeypatch.setattr(door, "SHUT", 0.0)
    path = short_folder / "later.sock"
    ours = Celeried(f"redis+socket://{path}")
    ours.publish(READ, 1)
    path.symlink_to(redis_url.removeprefix("unix://"))
    ours.publish(READ, 2)
    assert ours.waiting(READING) == 1
    with Redis.from_url(redis_url) as broker:
        assert broker.llen(READING) == 1


def test_one_nudge_to_send_waits_at_a_time(redis_url: str) -> None:
    """Whoever gives it: the outbox is one, and who looks into it sees all. Of mails each has its own."""
    address = redis_url.replace("unix://", "redis+socket://")
    ours, others = Celeried(address), Celeried(address)
    with Redis.from_url(redis_url) as broker:
        for given in (ours, others):
            given.publish(SEND, 0)
            given.publish(READ, 1)
        assert (broker.llen("sending"), broker.llen(READING)) == (1, 2)
        others.taken(SEND)
        for given in (ours, others):
            given.publish(SEND, 0)
        assert broker.llen("sending") == 2


def test_a_nudge_that_was_lost_is_given_again(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """That it waits is believed for a short time only: the broker may have lost it, or who took it has died."""
    monkeypatch.setattr(door, "BELIEVED", 1)
    ours = Celeried(redis_url.replace("unix://", "redis+socket://"))
    ours.publish(SEND, 0)
    with Redis.from_url(redis_url) as broker:
        broker.delete("sending")
        ours.publish(SEND, 0)
        assert broker.llen("sending") == 0

        def given() -> bool:
            ours.publish(SEND, 0)
            return bool(broker.llen("sending"))

        wait_until(given)


def test_signing_in_waits_for_no_broker(
    database: Database, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has an account is answered while the nudge for their letter is stuck, as all others are."""
    stuck = Stuck()
    monkeypatch.setattr(web, "Celeried", lambda _url: stuck)
    known = service_on(database)
    create_account(known, "ann@players.example", "Ann")
    keys.ensure(tmp_path / "keys")
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PBEM_DATABASE_URL", database_url)
    with useless(hangs=False) as broker:
        monkeypatch.setenv("PBEM_REDIS_URL", broker.url)
        settings.cache_clear()
        app = create_app()
        try:
            visit = Visit(app, known)
            visit.get("/sign-in")
            visit.send("/sign-in", address="ann@players.example")
            assert letters_to(known, "ann@players.example")
            assert not stuck.published
        finally:
            stuck.free.set()
            app.extensions[EXTENSION].close()
        wait_until(lambda: (SEND, 0) in stuck.published)
