"""Nudges are let go where they can't be given at once: nobody waits for a broker."""

from pathlib import Path

import pytest
from redis import Redis

from pbem import door, keys
from pbem.accounts import create_account
from pbem.door import READ, SEND, Celeried
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
            assert ours.waiting() == 0
        assert broker.came == 1


@pytest.mark.parametrize("asks", [False, True], ids=["nudge", "question"])
def test_each_try_is_one_connection(asks: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is tried again by itself, neither a nudge nor a question."""
    monkeypatch.setattr(door, "SHUT", 0.0)
    with useless(hangs=False) as broker:
        ours = Celeried(broker.url)
        for number in range(3):
            if asks:
                ours.waiting()
            else:
                ours.publish(READ, number)
        assert broker.came == 3


def test_whatever_a_broker_does_nobody_hears_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Not of faults either that are none of its being away: what is nudged for is committed. The log has them."""
    ours = Celeried(UNUSABLE)
    ours.publish(READ, 1)
    assert ours.waiting() == 0
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
    assert ours.waiting() == 1
    with Redis.from_url(redis_url) as broker:
        assert broker.llen("play") == 1


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
