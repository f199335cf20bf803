"""Letters come when their reader wants them: each at once, one a day, when asked; quiet hours; reminders."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from hypothesis import given
from hypothesis import strategies as st

from pbem import clock
from pbem.clock import Clock
from pbem.context import Service
from pbem.games.reminding import reminders_due
from pbem.habits import Choice, Habits
from pbem.mail import joining
from pbem.mail.joining import choose
from pbem.mail.sender import LONGEST, send
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import end_deadline, extend_deadline
from pbem.storage.models import Account, Letter
from pbem.storage.sessions import Database
from pbem.sweep import owed, settle
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.sheets.mailed import mailed

PARIS = ZoneInfo("Europe/Paris")
HOUR = timedelta(hours=1)
EVENING = datetime(2026, 12, 1, 19, 0, tzinfo=UTC)
"""20:00 in Paris."""


def at(moment: datetime) -> None:
    """Put the clock to a moment."""
    clock.use(None)
    clock.use(Clock(moment - clock.now()))


def wants(service: Service, account: int, zone: str = "Europe/Paris", **choice: object) -> None:
    """A person's choice, made in their settings."""
    with service.writing() as session:
        row = session.get_one(Account, account)
        row.zone = zone
        session.add(row)
        choose(session, account, [Choice(**choice)])  # type: ignore[arg-type]


def match_at(database: Database, moment: datetime = EVENING, tmp: str = "", **plan: object) -> Match:
    """A game that begins at a moment, its stages two days long; its letters go into folders."""
    at(moment)
    given_plan = {"pace": "brisk", "stage_hours": 72, **plan}
    return begun(service_on(database, mail_port=0, maildir=tmp or None), **given_plan)  # type: ignore[arg-type]


@pytest.fixture
def match(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Match:
    """A game at eight in the evening in Paris whose letters can be sent."""
    return match_at(database, tmp=str(tmp_path_factory.mktemp("mail")))


def waiting(match: Match, seat: int = 0) -> list[str]:
    """The kinds of the seat's letters that are queued, oldest first."""
    return [letter.kind for letter in match.letters(seat) if letter.fate == "queued"]


def new(match: Match, known: set[int], seat: int = 0) -> list[Letter]:
    """The seat's letters that were handed over since, and that were not known."""
    return [each for each in match.letters(seat) if each.fate == "sent" and each.id not in known]


def handed(match: Match) -> set[int]:
    """The letters that were handed over until now."""
    return {letter.id for letter in match.letters() if letter.fate == "sent"}


def next_stage(match: Match) -> None:
    """All send orders, and the next stage opens."""
    for seat in range(3):
        match.say(seat, "bid 1\nready")
    match.settle()


def moment_of(match: Match, hour: int, day: int = 2) -> None:
    """Put the clock to that hour in Paris on a day of that December, and do what is owed."""
    at(datetime(2026, 12, day, hour, tzinfo=PARIS))
    match.settle()


def test_one_letter_a_day_joins_what_there_was(match: Match) -> None:
    """Reports, acknowledgements and notices of a day go out as one letter at the hour chosen; nothing is lost."""
    wants(match.service, 1, mails="daily", mails_at=8 * 60)
    known = handed(match)
    match.say(0, "bid 2")
    match.say(1, "to all: good evening, said the fox")
    extend_deadline(match.service, match.code, 1, Actor("a holiday"))
    match.settle()
    next_stage(match)
    assert new(match, known) == []
    held = match.letters(0)
    assert {"report", "acknowledgement", "press", "ruling"} <= {each.kind for each in held if each.fate == "queued"}
    moment_of(match, 7)
    assert new(match, known) == []
    moment_of(match, 8)
    [letter] = new(match, known)
    assert letter.kind == "report"
    for each in held:
        if each.fate == "queued":
            assert each.text in letter.text
    assert "said the fox" in letter.text
    assert waiting(match) == []
    moment_of(match, 9, day=3)
    assert new(match, known) == [letter]


def daily_letters(database: Database, tmp_path: object) -> tuple[Match, set[int]]:
    """A game in which each player's letters of a day are to be joined now, and the letters that went out before."""
    match = match_at(database, tmp=str(tmp_path))
    known = handed(match)
    for seat in match.seats:
        assert seat.account_id is not None
        wants(match.service, seat.account_id, mails="daily")
    next_stage(match)
    next_stage(match)
    assert handed(match) == known
    clock.shift(timedelta(days=1))
    return match, known


def test_time_for_joining_is_part_of_a_tasks_time(
    database: Database, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A task that has none left to send in leaves all to the next one, and no letter goes out that is to be joined."""
    match, known = daily_letters(database, tmp_path)
    now = [0.0]
    real = joining._make_one

    def slowly(letters: Sequence[Letter]) -> list[Letter]:
        now[0] += LONGEST * 2 / 3
        return real(letters)

    monkeypatch.setattr(joining, "_make_one", slowly)
    monkeypatch.setattr("pbem.mail.sender.time", SimpleNamespace(monotonic=lambda: now[0]))
    assert send(match.service) == 0
    assert handed(match) == known
    assert send(match.service) == 3
    assert [len(new(match, known, seat)) for seat in range(3)] == [1, 1, 1]
    assert waiting(match) == []


def test_task_whose_time_ends_while_it_joins_letters_leaves_them_to_be_joined(
    database: Database, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is wrong with them: they don't go out one by one."""
    match, known = daily_letters(database, tmp_path)

    def ends(_: Sequence[Letter]) -> list[Letter]:
        raise SoftTimeLimitExceeded

    with monkeypatch.context() as patch:
        patch.setattr(joining, "_make_one", ends)
        with pytest.raises(SoftTimeLimitExceeded):
            send(match.service)
    assert handed(match) == known
    assert send(match.service) == 3
    assert [len(new(match, known, seat)) for seat in range(3)] == [1, 1, 1]


def test_orders_in_answer_to_a_daily_letter_are_for_its_newest_stage(match: Match) -> None:
    """The letter takes the reply address of the report within it, and all of it is taken out of the quote."""
    wants(match.service, 1, mails="daily", mails_at=8 * 60)
    known = handed(match)
    match.say(0, "bid 2")
    next_stage(match)
    moment_of(match, 8)
    [letter] = new(match, known)
    post(match.service, reply(letter, "bid 3"))
    [answer] = [each for each in match.letters(0, "acknowledgement") if each.queued > letter.queued]
    assert "bid 3" in answer.text
    assert "after the deadline" not in answer.text
    assert "order was passed over" not in answer.text


def test_daily_letter_keeps_the_newest_board(database: Database, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Its page shows no picture that the letter does not bring."""
    match = match_at(database, tmp=str(tmp_path_factory.mktemp("mail")), rules="rockwell", seats=4)
    wants(match.service, 1, mails="daily", mails_at=8 * 60)
    known = handed(match)
    match.say(0, "bid 100")
    match.say(1, "to all: hello")
    for seat in range(4):
        match.say(seat, "ready")
    match.settle()
    moment_of(match, 8)
    [letter] = new(match, known)
    parts = list(message_from_bytes(letter.content).walk())
    [page] = [str(part.get_payload(decode=True)) for part in parts if part.get_content_type() == "text/html"]
    names = [part["Content-ID"].strip("<>") for part in parts if part.get_content_type() == "image/png"]
    assert names == ["board"]
    assert page.count("cid:") == 1


def test_what_has_a_deadline_before_the_next_letter_goes_at_once(
    database: Database, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Who has to act by tomorrow noon is told this evening; who has acted already can wait."""
    match = match_at(database, tmp=str(tmp_path_factory.mktemp("mail")), stage_hours=20)
    wants(match.service, 1, mails="daily", mails_at=8 * 60)
    wants(match.service, 2, mails="daily", mails_at=8 * 60)
    known = handed(match)
    next_stage(match)
    assert [letter.kind for letter in new(match, known)] == ["report"]
    match.say(1, "bid 2\nready")
    match.settle()
    known = handed(match)
    match.say(2, "to all: hello")
    match.settle()
    assert [letter.kind for letter in new(match, known)] == ["press"]
    assert new(match, known, 1) == []


def test_letter_that_waits_goes_once_a_deadline_comes_nearer(match: Match) -> None:
    """A ruling that brings the deadline forward sends what waited, without any other mail."""
    wants(match.service, 1, mails="daily", mails_at=8 * 60)
    known = handed(match)
    next_stage(match)
    assert new(match, known) == []
    with match.service.writing() as session:
        session.get_one(type(match.game), match.id).deadline = clock.now() + 3 * HOUR
    assert ("pbem.send", 0) in owed(match.service)
    match.settle()
    assert [letter.kind for letter in new(match, known)] == ["report"]


def test_letters_when_asked_come_when_asked(match: Match) -> None:
    """Nothing but answers comes by itself; `show report` brings all that waited, as one letter."""
    wants(match.service, 1, mails="asked")
    known = handed(match)
    next_stage(match)
    match.say(1, "to all: said the fox")
    clock.shift(timedelta(days=2))
    match.settle()
    assert [letter.kind for letter in new(match, known)] == ["acknowledgement"]
    known = handed(match)
    match.say(0, "show report")
    match.settle()
    [letter] = new(match, known)
    assert letter.kind == "report"
    assert "said the fox" in letter.text


def test_a_deadline_is_not_put_off_for_a_letter_that_its_player_let_wait(
    database: Database, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A report that nobody asked for is none that did not arrive."""
    match = match_at(database, tmp=str(tmp_path_factory.mktemp("mail")))
    match = Match(service_on(database, maildir=match.service.settings.maildir, undelivered_hours=24), match.code)
    wants(match.service, 1, mails="asked")
    next_stage(match)
    number = match.game.stage_number
    match.pass_deadline()
    assert match.game.stage_number == number + 1


def test_choice_by_mail_is_told_and_holds(match: Match) -> None:
    """The answer says how it was read, in the player's zone; what waited by the old choice goes at once."""
    wants(match.service, 1)
    told, _ = mailed(match, 0, "mail daily at 7.30\nremind 6h\nquiet 22:00 to 7:00\ncalendar on")
    assert "at 07:30 (Europe/Paris)" in told.text
    assert "6 hours before a deadline" in told.text
    assert "from 22:00 to 07:00 (Europe/Paris)" in told.text
    with match.service.reading() as session:
        row = session.get_one(Account, 1)
    assert (row.mails, row.mails_at, row.remind_hours, row.calendar) == ("daily", 450, 6, True)
    assert (row.quiet_from, row.quiet_to) == (1320, 420)
    known = handed(match)
    match.say(1, "to all: hello")
    match.settle()
    assert new(match, known) == []
    match.say(0, "mail each step")
    match.settle()
    [letter] = new(match, known)
    assert "hello" in letter.text
    assert waiting(match) == []


def test_check_chooses_nothing(match: Match) -> None:
    """It only tells."""
    match.say(0, "mail when asked\ncheck")
    with match.service.reading() as session:
        assert session.get_one(Account, 1).mails == "each"


def test_quiet_hours_hold_back_what_can_wait(match: Match) -> None:
    """Until they end; the answer to one's own mail comes at any hour."""
    wants(match.service, 1, quiet=(21 * 60, 7 * 60))
    moment_of(match, 23, day=1)
    known = handed(match)
    match.say(1, "to all: hello")
    match.say(0, "bid 2")
    match.settle()
    assert [letter.kind for letter in new(match, known)] == ["acknowledgement"]
    known = handed(match)
    moment_of(match, 6)
    assert new(match, known) == []
    moment_of(match, 7)
    assert [letter.kind for letter in new(match, known)] == ["press"]


def reminders(match: Match, seat: int = 0) -> list[Letter]:
    """The seat's reminders."""
    return match.letters(seat, "reminder")


def test_reminder_comes_once_before_the_deadline(database: Database) -> None:
    """At the time chosen, if orders are still missing then, to those alone who want it."""
    match = match_at(database)
    wants(match.service, 1, remind=6)
    wants(match.service, 2, remind=6)
    match.say(1, "bid 2\nready")
    deadline = match.game.deadline
    assert deadline is not None
    at(deadline - 6 * HOUR - timedelta(minutes=1))
    match.settle()
    assert reminders(match) == []
    at(deadline - 6 * HOUR)
    for _ in range(2):
        match.settle()
    [letter] = reminders(match)
    assert "in 6 hours" in letter.text
    assert reminders(match, 1) == reminders(match, 2) == []
    extend_deadline(match.service, match.code, 24, Actor("a holiday"))
    match.settle()
    assert len(reminders(match)) == 1
    at(deadline + 18 * HOUR)
    match.settle()
    assert len(reminders(match)) == 2


def test_orders_in_answer_to_a_reminder_count(match: Match) -> None:
    """They are for the stage of which it reminds."""
    wants(match.service, 1, remind=48)
    moment_of(match, 21)
    [letter] = reminders(match)
    post(match.service, reply(letter, "bid 2"))
    assert "Your orders are in" in match.letters(0, "acknowledgement")[-1].text


def test_who_is_away_is_not_reminded(match: Match) -> None:
    """Nor is anybody whose deadline has passed."""
    wants(match.service, 1, remind=48)
    match.say(0, "absent until 10 Dec")
    end_deadline(match.service, match.code, Actor("all agreed"))
    clock.shift(2 * HOUR)
    match.settle()
    assert reminders(match) == []


def test_reminder_in_the_night_comes_when_it_ends_or_before_it_begins(match: Match) -> None:
    """In the morning where there is time left then, else in the evening before."""
    deadline = match.game.deadline  # Friday, 20:00 in Paris
    assert deadline is not None
    wants(match.service, 1, remind=18, quiet=(23 * 60, 7 * 60))  # due at 2:00
    moment_of(match, 2, day=4)
    assert reminders(match) == []
    moment_of(match, 7, day=4)
    assert len(reminders(match)) == 1
    wants(match.service, 2, remind=1, quiet=(18 * 60, 20 * 60))  # due at 19:00, and the night ends with the deadline
    moment_of(match, 17, day=4)
    assert reminders(match, 1) == []
    at(datetime(2026, 12, 4, 17, 59, tzinfo=PARIS))
    match.settle()
    assert len(reminders(match, 1)) == 1


def test_reminder_survives_a_restart(database: Database) -> None:
    """It is owed by the rows alone: another process finds it, and two that look at once write one."""
    match = match_at(database)
    wants(match.service, 1, remind=6)
    deadline = match.game.deadline
    assert deadline is not None
    at(deadline - HOUR)
    again = service_on(database)
    with again.reading() as session:
        assert len(reminders_due(session)) == 1
    settle(again)
    settle(match.service)
    assert len(reminders(match)) == 1


NIGHT = Habits(PARIS, quiet_from=22 * 60, quiet_to=7 * 60)


def test_quiet_hours_keep_to_the_clock_on_the_wall_when_clocks_change() -> None:
    """The night of summer time is an hour short, that of winter time an hour long."""
    spring = NIGHT.quiet_at(datetime(2026, 3, 29, 3, 30, tzinfo=PARIS))
    autumn = NIGHT.quiet_at(datetime(2026, 10, 25, 1, 30, tzinfo=PARIS))
    assert spring is not None
    assert autumn is not None
    assert spring[1] - spring[0] == 8 * HOUR
    assert autumn[1] - autumn[0] == 10 * HOUR
    for begins, ends in (spring, autumn):
        assert begins.astimezone(PARIS).hour == 22
        assert ends.astimezone(PARIS).hour == 7
        assert NIGHT.quiet_until(ends) is None


ZONES = ["Europe/Paris", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia", "UTC"]


@given(st.sampled_from(ZONES), st.integers(0, 1439), st.integers(0, 1439), st.integers(0, 366 * 24 * 60))
def test_delays_end_soon_and_after_now(zone: str, first: int, second: int, minutes: int) -> None:
    """A daily letter goes within 26 hours of its writing; quiet hours hold what they say they hold, and end."""
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    habits = Habits(ZoneInfo(zone), "daily", first, first, second)
    assert timedelta() < habits.next_mail(now) - now <= 26 * HOUR
    held = habits.quiet_at(now)
    if held is not None:
        assert held[0] <= now < held[1]
        assert held[1] - held[0] <= 26 * HOUR
    if first == second:
        assert held is None
