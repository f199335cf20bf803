"""Games of tests that begin alike are played once and written again: as if each had been played."""

from dataclasses import replace
from typing import Any

import pytest

from pbem import clock
from pbem.mail.identity import Identity
from tests.pbem.beginnings import rows_of
from tests.pbem.playing import begun, service_on
from tests.pbem.world.databases import in_memory


def test_a_beginning_that_is_written_again_is_the_one_that_was_played() -> None:
    """In every table, at the same moment; and play goes on from it."""
    with in_memory() as first, in_memory() as second:
        played = begun(service_on(first), "rockwell", 2)
        clock.use(None)
        again = begun(service_on(second), "rockwell", 2)
        assert rows_of(first) == rows_of(second)
        assert again.code == played.code
        assert again.game.opened is not None
        assert again.game.opened <= clock.now()
        again.pass_deadline()
        assert again.reports(0)


@pytest.mark.parametrize("why", ["replaced", "another", "time", "settings", "key", "plan"])
def test_what_may_come_out_otherwise_is_played(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With something replaced, beside another game, at another time, with another setting, key or plan."""
    with in_memory() as first, in_memory() as second:
        usual = begun(service_on(first))
        clock.use(None)
        if why == "replaced":
            monkeypatch.setattr("pbem.crashing.at", lambda place: None)
        if why == "another":
            begun(service_on(second), seats=2)
        if why == "time":
            clock.shift(clock.span(7200))
        service = service_on(second, **({"sender_name": "Us"} if why == "settings" else {}))
        if why == "key":
            service = replace(service, identity=Identity("play.example", (b"o" * 32,)))
        plan: dict[str, Any] = {"title": "Ours"} if why == "plan" else {}
        other = begun(service, **plan)
        assert other.code != usual.code
        assert rows_of(first).keys() == rows_of(second).keys()
