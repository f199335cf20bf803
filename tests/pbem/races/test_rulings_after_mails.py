"""What is ruled on a seat's orders while an older mail of the seat is not read yet: the ruling is the last word."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from pbem import clock
from pbem.errors import Refused
from pbem.games.advance import advance
from pbem.games.position import position
from pbem.mail import catchingup, turns
from pbem.mail.intake import Arrived, store
from pbem.rulings import sheets
from pbem.rulings.authority import Actor
from pbem.rulings.sheets import admit_late, enter_orders, withdraw_orders
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import reply
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.races.test_races import ANN, BEN, CLEO, arrive, bid_of, submissions
from tests.pbem.rulings.test_ways import MODERATOR, at_the_desk, by_mail, on_the_command_line

BY_PHONE = Actor("by phone")


@pytest.fixture
def match(database: Database) -> Match:
    """A game of three whose first stage is open."""
    return begun(service_on(database), pace="brisk")


@pytest.mark.parametrize("way", [at_the_desk, on_the_command_line, by_mail])
def test_ruling_on_orders_comes_after_mails_that_came_before(
    database: Database, monkeypatch: pytest.MonkeyPatch, way: Callable[[Match, str, pytest.MonkeyPatch], None]
) -> None:
    """What all are told that the moderator entered is what stands, though an older mail's reader was killed."""
    match = begun(service_on(database), pace="brisk", moderator=MODERATOR)
    monkeypatch.setattr(catchingup, "LOOK", 0)
    assert turns.begin(match.service, arrive(match, BEN, "bid 1")) is not None
    way(match, "orders", monkeypatch)
    clock.shift(timedelta(seconds=match.service.settings.lease_seconds))
    match.settle()
    assert [each.source for each in submissions(match, BEN)] == ["mail", "moderator"]
    assert BIDS in match.letters(BEN, "acknowledgement")[-1].text
    assert "6" in bid_of(match, BEN)


def test_orders_that_are_withdrawn_do_not_come_back(match: Match) -> None:
    """By a mail that came before they were."""
    arrive(match, ANN, "bid 1")
    withdraw_orders(match.service, match.code, ANN, BY_PHONE)
    match.settle()
    assert [each.source for each in submissions(match, ANN)] == ["mail", "moderator"]
    with match.service.reading() as session:
        assert position(session, match.id).sheets[ANN].orders == ()


def test_late_orders_that_are_not_read_yet_can_be_admitted(match: Match) -> None:
    """The moderator's word is for all that had come before it."""
    first = match.letters(ANN, "report")[-1]
    match.pass_deadline()
    made = reply(first, "bid 1")
    store(match.service, [Arrived(made.as_bytes(), clock.now(), str(made["From"]), (str(made["To"]),))])
    admit_late(match.service, match.code, ANN, BY_PHONE)
    assert "1" in bid_of(match, ANN)


def test_ruling_for_a_stage_that_closed_while_mails_were_read_is_refused(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a moderator enters is never for a stage that they had not seen."""
    for seat in range(3):
        arrive(match, seat, BIDS)
    assert match.game.deadline is not None
    clock.shift(match.game.deadline - clock.now() + timedelta(seconds=60))
    for seat in (BEN, CLEO):
        catchingup.catch_up(match.service, match.id, seat)
    real = sheets._catch_up

    def caught_up(*given: Any) -> None:
        real(*given)
        advance(match.service, match.id)

    monkeypatch.setattr(sheets, "_catch_up", caught_up)
    with pytest.raises(Refused, match="ruled_meanwhile"):
        enter_orders(match.service, match.code, ANN, "bid 4", BY_PHONE)
    assert [each.source for each in submissions(match, ANN)] == ["mail"]
