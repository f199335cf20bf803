"""A mailbox that is fetched late: what a player sent later and was taken before stands, and all is told."""

from collections.abc import Callable
from datetime import datetime, timedelta
from email.message import EmailMessage

import pytest

from pbem import clock
from pbem.games.position import position
from pbem.mail.intake import Arrived, store
from pbem.storage.models import Letter
from pbem.storage.sessions import Database
from tests.pbem.mail.mailing import reply
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.races.test_races import ANN, BEN, CLEO, bid_of, sound, submissions
from tests.pbem.web.visiting import Visit, app_on, forms

HALF_AN_HOUR = timedelta(minutes=30)


@pytest.fixture
def match(database: Database) -> Match:
    """A game of three whose first stage is open."""
    return begun(service_on(database), pace="brisk")


@pytest.fixture
def by_page(match: Match) -> Callable[[str], None]:
    """Ann sends that by her page, half an hour after what came before."""
    visit = Visit(app_on(match.service), match.service, "ann@players.example")

    def send(text: str) -> None:
        clock.shift(HALF_AN_HOUR)
        visit.get(f"/games/{match.code}")
        visit.send(f"/games/{match.code}/orders", text=text, act="send")

    return send


def fetched(match: Match, *mails: tuple[str, datetime]) -> list[Letter]:
    """Half an hour later Ann's mails are fetched in one look, each with when the server got it; what she is told."""
    clock.shift(HALF_AN_HOUR)
    before = {each.key for each in match.letters(ANN, "acknowledgement")}
    store(match.service, [Arrived(_mail(match, text).as_bytes(), at, "", (), "imap") for text, at in mails])
    match.settle()
    return [each for each in match.letters(ANN, "acknowledgement") if each.key not in before]


def _mail(match: Match, text: str) -> EmailMessage:
    match.posted += 1
    return reply(match.letters(ANN, "report")[-1], text, Message_ID=f"<{match.posted}.late@players.example>")


def sheet(match: Match) -> list[tuple[str, bool]]:
    """The orders on Ann's sheet, and whether they stand for good."""
    with match.service.reading() as session:
        kept = position(session, match.id).sheets[ANN].orders
    return [(str(each.order.alternatives[0].intent), each.order.always) for each in kept]


def test_newer_word_by_page_stands_where_an_older_mail_is_fetched_after_it(
    match: Match, by_page: Callable[[str], None]
) -> None:
    """The mail is kept, its sender is told what stands and why, and the newer orders are played and verified."""
    sent, stage = clock.now(), match.game.stage_number
    by_page("bid 4")
    [told] = fetched(match, ("bid 1", sent))
    assert "4" in bid_of(match, ANN)
    assert [each.source for each in submissions(match, ANN)] == ["page", "mail"]
    assert "What you sent later stands" in told.text
    assert "bid 4" in told.text.partition("Your sheet as it stands")[2]
    for seat in (BEN, CLEO):
        match.say(seat, "bid 3 or 2 or 1")
    match.pass_deadline()
    assert match.game.stage_number == stage + 1
    sound(match)


def test_older_mail_adds_what_the_newer_orders_do_not_speak_of(match: Match, by_page: Callable[[str], None]) -> None:
    """The sheet is that of the order in which all was received: it takes its standing order, and is told so."""
    sent = clock.now()
    by_page("bid 4")
    [told] = fetched(match, ("bid 1\nalways bid 6", sent))
    assert [always for _, always in sheet(match)] == [True, False]
    assert "4" in sheet(match)[1][0]
    assert "Where the two differ, what you sent later stands" in " ".join(told.text.split())


def test_mails_of_one_fetch_count_by_when_they_were_received(match: Match, by_page: Callable[[str], None]) -> None:
    """However the mailbox gives them; those at the same moment in the order in which it does."""
    first = clock.now()
    second = first + HALF_AN_HOUR
    clock.shift(HALF_AN_HOUR)
    fetched(match, ("bid 2", second), ("bid 1", first), ("bid 3", second))
    assert "3" in bid_of(match, ANN)
    by_page("bid 4")
    assert "4" in bid_of(match, ANN)
    sound(match)


@pytest.mark.parametrize("newer", ["clear", "cancel bid"])
def test_newer_clearing_stands(match: Match, by_page: Callable[[str], None], newer: str) -> None:
    """What the mail orders had been taken back by the time that it was fetched."""
    by_page("bid 3")
    sent = clock.now()
    by_page(newer)
    fetched(match, ("bid 1", sent))
    assert sheet(match) == []


@pytest.mark.parametrize(
    ("newer", "older", "ready"), [("bid 4\nnot ready", "bid 1", False), ("ready", "not ready", True)]
)
def test_newer_word_on_readiness_stands(
    match: Match, by_page: Callable[[str], None], newer: str, older: str, ready: bool
) -> None:
    """Whatever the older mail says, or would make of it."""
    sent = clock.now()
    by_page(newer)
    fetched(match, (older, sent))
    assert match.seats[ANN].ready is ready


def test_older_undo_takes_nothing_newer_back(match: Match, by_page: Callable[[str], None]) -> None:
    """It did not speak of what was sent after it, and says so."""
    sent = clock.now()
    by_page("bid 4")
    [told] = fetched(match, ("undo", sent))
    assert "4" in bid_of(match, ANN)
    assert "was taken before it" in " ".join(told.text.split())


def test_undo_takes_an_older_mail_back_that_was_fetched_after(match: Match, by_page: Callable[[str], None]) -> None:
    """First what was taken last, then what stood before it; what is taken back has no word any more."""
    sent = clock.now()
    by_page("bid 4")
    fetched(match, ("always bid 6", sent))
    by_page("undo")
    assert [always for _, always in sheet(match)] == [False]
    by_page("undo")
    assert sheet(match) == []
    fetched(match, ("bid 1", sent))
    assert "1" in bid_of(match, ANN)
    sound(match)


def test_newer_standing_order_stands_once_its_stage_has_closed(match: Match, by_page: Callable[[str], None]) -> None:
    """An older mail for that stage is late: its standing orders count at once, but not against a newer one."""
    sent = clock.now()
    by_page("always bid 4")
    report = match.letters(ANN, "report")[-1]
    match.pass_deadline()
    assert report.stage_key != match.game.stage_key
    mail = reply(report, "always bid 1\nbid 2", Message_ID="<late@players.example>")
    store(match.service, [Arrived(mail.as_bytes(), sent, "", (), "imap")])
    match.settle()
    assert "4" in bid_of(match, ANN)
    sound(match)


def test_clock_that_is_set_back_lets_new_orders_count(match: Match, by_page: Callable[[str], None]) -> None:
    """What was received in the future was sent before it was set right."""
    by_page("bid 4")
    clock.shift(-2 * HALF_AN_HOUR)
    match.say(ANN, "bid 1")
    assert "1" in bid_of(match, ANN)


def test_newer_word_on_muting_stands(match: Match) -> None:
    """As of the other commands of which the last word counts."""
    visit = Visit(app_on(match.service), match.service, "ann@players.example")
    sent = clock.now()
    match.say(ANN, "mute all")
    clock.shift(HALF_AN_HOUR)
    visit.get(f"/games/{match.code}/messages")
    token = forms(visit.page)[0].fields["csrf_token"]
    visit.post(f"/games/{match.code}/mutes", whom="anonymous", act="unmute", csrf_token=token)
    fetched(match, ("mute all", sent))
    assert "anonymous" not in match.seats[ANN].mutes
