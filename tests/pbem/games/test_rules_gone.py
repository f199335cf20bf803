"""Rules that are no longer installed, or not in a game's version: that game alone stands still, and lists say why."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NoReturn

import pytest
from icalendar import Calendar
from sqlmodel import select

from engine.contract import Setup
from engine.errors import UnknownRules
from engine.journal import canonical
from pbem import clock
from pbem.accounts import create_account
from pbem.mail.intake import Arrived, store
from pbem.measures import measures
from pbem.rulings.authority import Actor
from pbem.site.blocking import block
from pbem.site.deleting import delete_account
from pbem.storage.models import Inbound
from pbem.storage.sessions import Database
from tests.pbem.games.test_gathering import request
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import reply
from tests.pbem.mail.test_calendars import path_of
from tests.pbem.playing import Match, begun, created, service_on
from tests.pbem.races.test_races import ANN, BEN, CLEO, arrive
from tests.pbem.sheets.test_absence import days
from tests.pbem.web.api.calling import program
from tests.pbem.web.visiting import Visit, app_on

MO, SITE = "mo@players.example", "site@players.example"
SAID = "The rules of this game are not installed here"
GONE: dict[str, Any] = {"rules": "gone"}
UNKNOWN = {"gone": GONE, "newer": {"setup": canonical(Setup(3, version=99))}}
Pair = tuple[Match, Match]


def change(match: Match, **values: Any) -> None:
    """Put the row of a game into another state."""
    with match.service.writing() as session:
        game = match.game
        for name, value in values.items():
            setattr(game, name, value)
        session.add(game)


@pytest.fixture(params=UNKNOWN)
def pair(database: Database, request: pytest.FixtureRequest) -> Pair:
    """Two games of the same three players: one that goes on, and one whose rules nobody here knows any more."""
    known = begun(service_on(database, mail_port=0), pace="brisk", moderator=MO)
    unknown = begun(known.service, pace="brisk", moderator=MO, title="Lost")
    change(unknown, **UNKNOWN[request.param])
    return known, unknown


def fates(match: Match) -> list[tuple[str, int]]:
    """What became of the mails that came in, and after how many attempts."""
    with match.service.reading() as session:
        return [(row.status, row.attempts) for row in session.exec(select(Inbound).order_by(Inbound.id))]  # type: ignore[arg-type]


def account(match: Match, seat: int) -> int:
    """The account of a seat."""
    number = match.seats[seat].account_id
    assert number is not None
    return number


@pytest.mark.parametrize("status", ["playing", "over"])
def test_the_letter_of_all_ones_games_goes_out_and_orders_after_it_count(pair: Pair, status: str) -> None:
    """It names the game with its side and says why there is no more; the seat's next mail and the stage go on."""
    known, unknown = pair
    change(unknown, status=status)
    arrive(known, ANN, "status")
    arrive(known, ANN, BIDS)
    for seat in (BEN, CLEO):
        known.say(seat, BIDS)
    known.settle()
    assert [status for status, _ in fates(known)] == ["read", "read"]
    assert known.game.stage_key != "1-turn"
    (letter,) = known.letters(ANN, "status")
    said = " ".join(letter.text.split())
    assert "Lost" in said
    assert "You are red." in said
    assert "You are Red." in said
    assert said.count(SAID) == 1


def test_the_list_of_ones_games_is_shown(pair: Pair) -> None:
    """On the first page and to programs, with the game and why it can't be shown."""
    known, unknown = pair
    shown = Visit(app_on(known.service), known.service, "ann@players.example").get("/")
    assert shown.count(SAID) == 1
    assert "You are red." in shown
    rows = {row["code"]: row for row in program(known).get("/games")["games"]}
    assert (rows[known.code]["installed"], rows[known.code]["side"]) == (True, "Red")
    lost = rows[unknown.code]
    assert (lost["installed"], lost["side"], lost["stage"], lost["asks"]) == (False, "red", "turn", [])


def test_the_archive_is_shown(pair: Pair) -> None:
    """The same for a game that was put away, on the page that leads there as well."""
    known, unknown = pair
    change(unknown, status="over", archived=clock.now())
    visit = Visit(app_on(known.service), known.service, "ann@players.example")
    assert SAID not in visit.get("/")
    assert visit.get("/archive").count(SAID) == 1


def test_the_games_own_pages_say_why_they_show_nothing(pair: Pair) -> None:
    """To players and their programs; other games have theirs."""
    known, unknown = pair
    visit = Visit(app_on(known.service), known.service, "ann@players.example")
    assert SAID in visit.get(f"/games/{unknown.code}", 503)
    told = program(known).get(f"/games/{unknown.code}/seat", 503)
    assert told["type"] == "urn:pbem:problem:not_installed"
    assert SAID in told["detail"]
    visit.get(f"/games/{known.code}")


def test_the_sites_lists_are_shown(pair: Pair) -> None:
    """All games of the site, and those of one account."""
    known, _ = pair
    create_account(known.service, SITE, moderator=True)
    visit = Visit(app_on(known.service), known.service, SITE)
    assert visit.get("/site").count(SAID) == 1
    shown = visit.get(f"/site/people/{account(known, ANN)}")
    assert shown.count(SAID) == 1
    assert "Lost (red)" in shown


def test_the_calendar_of_ones_games_has_the_others(pair: Pair) -> None:
    """And of that game the deadline, with why it will not be kept."""
    known, unknown = pair
    answer = app_on(known.service).test_client().get(path_of(known, account(known, ANN)))
    events = Calendar.from_ical(answer.data).walk("VEVENT")
    said = {str(each["uid"]).partition("-")[0]: str(each["description"]) for each in events}
    assert SAID not in said[known.code]
    assert SAID in said[unknown.code]


def _absent(match: Match) -> None:
    arrive(match, ANN, f"absent until {days(5)}")
    match.settle()
    assert fates(match) == [("read", 1)]


def _block(match: Match) -> None:
    block(match.service, account(match, ANN), Actor("rude"))


def _delete(match: Match) -> None:
    delete_account(match.service, account(match, ANN), Actor("asked for"))


@pytest.mark.parametrize(
    ("act", "kind"),
    [(_absent, "absence"), (_block, "blockedseat"), (_delete, "resigned")],
    ids=["absence", "block", "end"],
)
def test_what_concerns_all_ones_games_is_done(pair: Pair, act: Callable[[Match], None], kind: str) -> None:
    """An absence, a block, the end of an account: told in each game, where need be under the side's stored name."""
    act(pair[0])
    for match, side in zip(pair, ("Red", "red"), strict=True):
        (told,) = [letter for letter in match.letters(kind=kind) if letter.recipient == MO]
        assert side in told.text


def test_an_invitation_is_turned_down_with_the_account(database: Database) -> None:
    """Also one to a game that can't begin here any more."""
    match = created(service_on(database), moderator=MO)
    change(match, **GONE)
    _delete(match)
    assert match.seats[ANN].account_id is None
    assert [letter.recipient for letter in match.letters(kind="declined")] == [MO]


def test_a_letter_that_came_back_is_told(pair: Pair) -> None:
    """The report of a mail server is about the letter, whatever becomes of its game."""
    _, unknown = pair
    letter = unknown.letters(ANN, "report")[-1]
    to = str(reply(letter, "")["To"])
    lines = (
        f"To: {to}",
        "Subject: failed",
        "MIME-Version: 1.0",
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
        "",
        "--b",
        "Content-Type: message/delivery-status",
        "",
        "Reporting-MTA: dns; mx.players.example",
        "",
        f"Final-Recipient: rfc822; {letter.recipient}",
        "Action: failed",
        "Status: 5.1.1",
        "",
        "--b--",
        "",
    )
    store(unknown.service, [Arrived("\r\n".join(lines).encode(), clock.now(), "<>", (to,))])
    unknown.settle()
    assert fates(unknown) == [("read", 1)]
    assert [each.recipient for each in unknown.letters(kind="undelivered")] == [MO]


def test_mail_of_the_game_itself_waits_and_is_told_as_waiting(pair: Pair) -> None:
    """It is never given up, for another process may know the rules; how long it waits is told however often it was
    tried."""
    _, unknown = pair
    arrive(unknown, ANN, BIDS)
    for hour in range(4):
        unknown.settle()
        assert fates(unknown) == [("stored", 0)]
        with unknown.service.reading() as session:
            read = measures(session).owed["read"]
        assert read.number == 1
        assert hour * 3600 <= read.oldest
        clock.shift(timedelta(hours=1))


def test_unknown_rules_of_another_game_leave_no_mail_lying(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever asked for them: the mail fails, is set aside after its attempts, and the seat's next one is read."""
    match = begun(service_on(database), pace="brisk")

    def asked(*_: object) -> NoReturn:
        raise UnknownRules("gone", ())

    arrive(match, ANN, "status")
    with monkeypatch.context() as patched:
        patched.setattr("pbem.mail.ingest.take", asked)
        for _ in range(match.service.settings.attempts):
            match.settle()
            clock.shift(timedelta(minutes=1))
    assert [status for status, _ in fates(match)] == ["aside"]
    arrive(match, ANN, BIDS)
    match.settle()
    assert [status for status, _ in fates(match)] == ["aside", "read"]


def test_who_asks_for_a_seat_is_answered_once_the_rules_are_known(database: Database) -> None:
    """Such a mail is left alone as well, however often it was looked at."""
    match = created(service_on(database), seats=2, free=1, seating="choice")
    service, known = match.service, match.game.rules
    change(match, **GONE)
    mail = request(f"join {match.code}", "dan@players.example")
    store(service, [Arrived(mail.as_bytes(), clock.now(), "dan@players.example", (str(mail["To"]),))])
    for _ in range(4):
        match.settle()
        clock.shift(timedelta(minutes=1))
    assert fates(match) == [("stored", 0)]
    change(match, rules=known)
    match.settle()
    assert fates(match) == [("read", 1)]
    assert [letter.recipient for letter in match.letters(kind="opening")] == ["dan@players.example"]
