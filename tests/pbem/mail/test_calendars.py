"""Deadlines in a player's calendar: a private feed, and invitations that update themselves."""

import re
from datetime import datetime, timedelta
from email import message_from_bytes
from typing import Any

from icalendar import Calendar
from sqlmodel import select

from pbem import clock
from pbem.accounts import end_sessions
from pbem.games.calendars import feed_url, renew_feed
from pbem.games.inviting import invitations_due
from pbem.games.lifecycle import join
from pbem.habits import Choice
from pbem.mail.joining import choose
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import extend_deadline
from pbem.storage.models import Account, Letter
from pbem.storage.sessions import Database
from tests.pbem.mail.test_manners import header
from tests.pbem.playing import Match, begun, created, service_on
from tests.pbem.web.test_plans import plans
from tests.pbem.web.visiting import Visit, app_on

ANN = "ann@players.example"


def asks(match: Match, *, on: bool = True) -> None:
    """Ann wants invitations, or no more of them."""
    with match.service.writing() as session:
        choose(session, 1, [Choice(calendar=on)])
    match.settle()


def invitations(match: Match, seat: int = 0) -> list[Any]:
    """What the seat's calendar was told, oldest first."""
    found = []
    for letter in match.letters(seat, "calendar"):
        [part] = [
            each for each in message_from_bytes(letter.content).walk() if each.get_content_type() == "text/calendar"
        ]
        calendar = read(part.get_payload(decode=True))
        assert part.get_param("method") == calendar["method"]
        found.append(calendar)
    return found


def read(raw: Any) -> Any:
    """A calendar as a program reads it."""
    return Calendar.from_ical(raw)


def due(match: Match) -> datetime:
    """The game's deadline in whole seconds, as calendars know it."""
    assert match.game.deadline is not None
    return match.game.deadline.replace(microsecond=0)


def event(calendar: Any) -> tuple[str, int, datetime]:
    """The UID, the SEQUENCE and the end of the one event."""
    [one] = calendar.walk("VEVENT")
    return str(one["uid"]), int(one["sequence"]), one["dtend"].dt


def path_of(match: Match, account: int = 1) -> str:
    """The path of an account's feed."""
    with match.service.reading() as session:
        url = feed_url(match.service, session.get_one(Account, account))
    return url.removeprefix(match.service.settings.url)


def test_invitation_moves_with_the_deadline(database: Database) -> None:
    """The same UID, a higher SEQUENCE, the deadline as it is; once for each, and only to whom asked for it."""
    match = begun(service_on(database), pace="brisk")
    assert invitations(match) == []
    asks(match)
    match.settle()
    [first] = invitations(match)
    extend_deadline(match.service, match.code, 24, Actor("a holiday"))
    match.settle()
    match.pass_deadline()
    made = invitations(match)
    assert [str(each["method"]) for each in made] == ["REQUEST"] * 3
    uids, sequences, ends = zip(*map(event, made), strict=True)
    assert len(set(uids)) == 1
    assert list(sequences) == sorted(set(sequences))
    assert ends[1] - ends[0] == timedelta(days=1)
    assert ends[2] == due(match)
    assert event(first) == event(made[0])
    assert invitations(match, 1) == []
    [entry] = made[0].walk("VEVENT")
    assert str(entry["attendee"]) == f"mailto:{ANN}"
    assert str(entry["organizer"]) == "mailto:play@play.example"


def test_invitation_is_cancelled_when_the_deadline_goes(database: Database) -> None:
    """Because the player does not want it any more, or the game is over; then nothing more comes."""
    match = begun(service_on(database), pace="brisk", policy={"pause_after": "0", "open_after": "0"})
    asks(match)
    asks(match, on=False)
    asks(match)
    for _ in range(60):
        if match.game.status == "over":
            break
        match.pass_deadline()
    assert match.game.status == "over"
    methods = [str(each["method"]) for each in invitations(match)]
    assert methods[:3] == ["REQUEST", "CANCEL", "REQUEST"]
    assert methods[-1] == "CANCEL"
    [last] = invitations(match)[-1].walk("VEVENT")
    assert str(last["status"]) == "CANCELLED"
    numbers = [event(each)[1] for each in invitations(match)]
    assert numbers == sorted(set(numbers))
    match.settle()
    assert len(invitations(match)) == len(methods)


def test_feed_has_an_event_for_each_open_deadline(database: Database) -> None:
    """Of the player's own games that are played; they end with the deadline."""
    first = begun(service_on(database), pace="brisk", title="Deep, dark; shaft")
    second = created(first.service, pace="brisk")
    client = app_on(first.service).test_client()
    answer = client.get(path_of(first))
    assert answer.content_type == "text/calendar; charset=utf-8"
    [event_] = read(answer.data).walk("VEVENT")
    assert event_["dtend"].dt == due(first)
    assert str(event_["summary"]) == "Deep, dark; shaft: deadline for Red"
    for seat in range(3):
        join(second.service, second.id, seat)
    second.settle()
    events = read(client.get(path_of(first)).data).walk("VEVENT")
    assert {each["dtend"].dt for each in events} == {due(first), due(second)}
    assert len({str(each["uid"]) for each in events}) == 2
    before = int(event_["sequence"])
    extend_deadline(first.service, first.code, 24, Actor("a holiday"))
    moved = next(each for each in read(client.get(path_of(first)).data).walk("VEVENT") if each["uid"] == event_["uid"])
    assert moved["dtend"].dt == due(first)
    assert int(moved["sequence"]) > before


def test_feed_is_nobody_else_s(database: Database) -> None:
    """Neither a guess nor another's number opens it; a new address makes the old one void; it names nobody."""
    match = begun(service_on(database), pace="brisk")
    service = match.service
    client = app_on(service).test_client()
    path = path_of(match)
    other = re.sub(r"/1-", "/2-", path)
    for wrong in (
        other,
        path[:-5] + "x.ics",
        "/calendar/1-.ics",
        "/calendar/é-é.ics",
        "/calendar/99-ab.ics",
        "/calendar/x.ics",
    ):
        assert client.get(wrong).status_code == 404
    assert "@players" not in client.get(path).text
    end_sessions(service, 1)
    assert client.get(path).status_code == 200
    renew_feed(service, 1)
    assert client.get(path).status_code == 404
    assert client.get(path_of(match)).status_code == 200


def test_player_finds_and_renews_the_address_on_the_page(database: Database) -> None:
    """And chooses there how letters come."""
    match = begun(service_on(database), pace="brisk")
    visit = Visit(app_on(match.service), match.service, ANN)
    visit.get("/account")
    assert path_of(match) in visit.page
    before = path_of(match)
    visit.send("/account/feed")
    assert path_of(match) != before
    assert path_of(match) in visit.page
    page = visit.send(
        "/account/letters",
        mails="daily",
        mails_at="07:30",
        remind="6",
        quiet_from="22:00",
        quiet_to="07:00",
        calendar="yes",
    )
    assert "Your settings are kept." in page
    with match.service.reading() as session:
        row = session.get_one(Account, 1)
    assert (row.mails, row.mails_at, row.remind_hours, row.calendar) == ("daily", 450, 6, True)
    assert (row.quiet_from, row.quiet_to) == (1320, 420)
    for wrong in (
        {"mails": "hourly"},
        {"mails_at": "25:00"},
        {"remind": "9999"},
        {"quiet_from": "22:00", "quiet_to": ""},
    ):
        visit.get("/account")
        visit.send("/account/letters", 409, **wrong)
    with match.service.reading() as session:
        assert session.get_one(Account, 1).mails_at == 450


def test_letter_with_an_invitation_is_complete_by_itself(database: Database) -> None:
    """Text, page and calendar are three forms of one letter; it waits for nobody's orders."""
    match = begun(service_on(database), pace="brisk")
    asks(match)
    with match.service.reading() as session:
        letter = session.exec(select(Letter).where(Letter.kind == "calendar")).one()
    assert header(letter, "Content-Type").startswith("multipart/alternative")
    kinds = [part.get_content_type() for part in message_from_bytes(letter.content).walk()]
    assert kinds == ["multipart/alternative", "text/plain", "text/html", "text/calendar"]
    assert "Deadline: " in letter.text
    assert clock.now() >= letter.queued


def test_the_sweep_looks_at_nobody_who_wants_no_calendar(sqlite: Database) -> None:
    """What each second is asked begins with those whose calendars know of a deadline, and those who want them to.

    By SQLite's plans alone: PostgreSQL's look through what is small.
    """
    service = service_on(sqlite)
    with plans(sqlite) as found, service.reading() as session:
        invitations_due(session)
    first = [step.partition(" in ")[0] for step in found if "rowid" not in step]
    assert first[0].startswith("SEARCH seat USING INDEX ix_seat_calendar_at")
    assert first[1].startswith("SEARCH account USING INDEX ix_account_calendar")
    assert not [step for step in first if step.startswith("SCAN")]
