"""The database is away, and so for what is to be written about that: no attempt that it failed counts, in the end."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any, NoReturn

import pytest
from sqlalchemy.exc import OperationalError

from pbem import chores, clock, sweep
from pbem.door import ADVANCE, READ, REMIND
from pbem.games.posting import post
from pbem.mail import turns
from pbem.storage.models import Chore, Inbound
from pbem.storage.sessions import AWAY_SECONDS, Database
from pbem.sweep import perform
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.test_outages import Outage
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.races.test_races import ANN, arrive, submissions

OVER = timedelta(seconds=200)
"""After which a lease is."""


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long between two tries."""
    monkeypatch.setattr("pbem.storage.unwritten.EVERY", 0.01)


@pytest.fixture
def match(database: Database) -> Iterator[Match]:
    """A game of three whose first stage is open."""
    match = begun(service_on(database), pace="brisk")
    yield match
    match.service.unwritten.settle()


@pytest.fixture
def outage(match: Match, monkeypatch: pytest.MonkeyPatch) -> Iterator[Outage]:
    """What the process has to live through."""
    outage = Outage(match.service.database, monkeypatch)
    yield outage
    outage.on = False


Break = Callable[[pytest.MonkeyPatch, Callable[..., NoReturn]], None]
"""Puts what raises in place of a task's work."""


def meet_outages(match: Match, outage: Outage, task: str, number: int, break_it: Break) -> None:
    """More than the task has attempts: each begins within one, and ends after its lease."""

    def away(*_: object) -> NoReturn:
        outage.begin()
        raise OperationalError("", {}, Exception("the server closed the connection"))

    for _ in range(match.service.settings.attempts + 1):
        with pytest.MonkeyPatch.context() as patched:
            break_it(patched, away)
            with suppress(OperationalError):
                perform(match.service, task, number)
        assert outage.on
        clock.shift(OVER)
        outage.on = False
        match.service.unwritten.settle()
        clock.shift(OVER)


def mail_row(match: Match, number: int) -> Inbound:
    """The mail as it is now."""
    with match.service.reading() as session:
        return session.get_one(Inbound, number)


def test_mail_that_outages_hit_is_read(match: Match, outage: Outage) -> None:
    """However many: it is neither given up nor read twice."""
    mail = arrive(match, ANN, "bid 3")
    meet_outages(match, outage, READ, mail, lambda patched, away: patched.setattr("pbem.mail.ingest._read", away))
    match.settle()
    assert mail_row(match, mail).status == "read"
    assert len(submissions(match, ANN)) == 1


def test_game_that_outages_hit_goes_on(match: Match, outage: Outage) -> None:
    """It is not set aside, and its count is what it was."""
    for seat in range(3):
        match.say(seat, BIDS)
    stage = match.game.stage_key
    meet_outages(
        match, outage, ADVANCE, match.id, lambda patched, away: patched.setattr("pbem.games.advance.post", away)
    )
    assert match.game.failures == 0
    match.settle()
    assert not match.game.aside
    assert match.game.stage_key != stage


def test_reminder_that_outages_hit_goes_out(match: Match, outage: Outage, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not given up for a day."""
    done: list[int] = []
    monkeypatch.setitem(sweep._WORK, REMIND, lambda _, number: done.append(number))
    meet_outages(match, outage, REMIND, 1, lambda patched, away: patched.setitem(sweep._WORK, REMIND, away))
    perform(match.service, REMIND, 1)
    assert done == [1]


def test_word_that_comes_late_ends_no_lease_of_another(match: Match, outage: Outage) -> None:
    """Where another process was the first to find the database there again; the attempt is uncounted all the same."""
    service = match.service
    mail = arrive(match, ANN, "bid 3")
    ours = turns.begin(service, mail)
    assert ours is not None
    outage.begin()
    turns.spare(service, ours.inbound, 5)
    clock.shift(OVER)
    other = service_on(Database(service.database.url.render_as_string(hide_password=False)))
    theirs = turns.begin(other, mail)
    assert theirs is not None
    outage.on = False
    service.unwritten.settle()
    found = mail_row(match, mail)
    assert (found.attempts, found.lease) == (1, theirs.inbound.lease)
    other.close()


def attempts_made(
    match: Match, outage: Outage, task: str, number: int, place: Callable[[Callable[..., Any]], None], real: Any
) -> int:
    """How often a task's work begins where the word of the first attempt, which an outage hit, is written during the
    second, and a third is tried when the first one's pause is over."""
    made: list[object] = []

    def work(*given: object) -> Any:
        made.append(given)
        if len(made) == 1:
            outage.begin()
            raise OperationalError("", {}, Exception("the server closed the connection"))
        if len(made) == 2:
            outage.on = False
            match.service.unwritten.settle()
            clock.shift(timedelta(seconds=2 * AWAY_SECONDS))
            perform(match.service, task, number)
        return real(*given)

    place(work)
    other = service_on(Database(match.service.database.url.render_as_string(hide_password=False)))
    with suppress(OperationalError):
        perform(match.service, task, number)
    clock.shift(OVER)
    perform(other, task, number)
    other.close()
    return len(made)


def test_game_that_another_is_at_is_left_to_it(match: Match, outage: Outage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that comes late ends no lease of another on a game."""
    for seat in range(3):
        match.say(seat, BIDS)
    stage = match.game.stage_number
    place = partial(monkeypatch.setattr, "pbem.games.advance.post")
    assert attempts_made(match, outage, ADVANCE, match.id, place, post) == 2
    assert match.game.stage_number == stage + 1


def test_task_that_another_is_at_is_left_to_it(match: Match, outage: Outage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that comes late ends no lease of another on a small task."""
    place = partial(monkeypatch.setitem, sweep._WORK, REMIND)
    assert attempts_made(match, outage, REMIND, 1, place, lambda *_: None) == 2


def test_word_on_a_task_that_is_done_meanwhile_is_nothing(match: Match, outage: Outage) -> None:
    """Its row is gone, and stays so."""
    with match.service.writing() as session:
        session.add(Chore(task=REMIND, number=1, attempts=1, next_try=clock.now()))
    outage.begin()
    chores.spare(match.service, REMIND, 1)
    other = service_on(Database(match.service.database.url.render_as_string(hide_password=False)))
    chores.done(other, REMIND, 1)
    outage.on = False
    match.service.unwritten.settle()
    with match.service.reading() as session:
        assert session.get(Chore, (REMIND, 1)) is None
    other.close()
