"""A player who is away says so once; the others learn until when, and each game does what its policy says."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
from sqlmodel import Session, col, select

from engine.journal import Entry
from pbem import clock
from pbem.errors import Refused
from pbem.games.away import Away, NoAbsence, absence_from
from pbem.games.lifecycle import join
from pbem.games.position import position
from pbem.reports.data import decode_report
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import end_deadline
from pbem.storage.models import Absence
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.playing import Match, begun, created, service_on
from tests.pbem.sheets.mailed import answer, mailed, title

DAY = timedelta(days=1)


def days(count: int) -> str:
    """The date that many days from now, as a player writes it."""
    return f"{clock.now() + count * DAY:%-d %b %Y}"


def absent(session: Session) -> list[tuple[datetime, datetime]]:
    """What is known, earliest first."""
    return [(each.begins, each.ends) for each in session.exec(select(Absence).order_by(col(Absence.begins)))]


def begun_pair(database: Database, **plan: object) -> tuple[Match, Match]:
    """Two games of the same players."""
    first = begun(service_on(database, mail_port=0), pace="brisk", **plan)  # type: ignore[arg-type]
    second = created(first.service, pace="brisk", **plan)  # type: ignore[arg-type]
    for seat in range(3):
        join(second.service, second.id, seat)
    second.settle()
    return first, second


def test_absence_holds_for_all_games_and_is_told_to_the_others(database: Database) -> None:
    """One mail: the deadlines of both games wait, all others have a letter in each, the player the dates."""
    first, second = begun_pair(database)
    letters = mailed(first, 0, f"absent until {days(5)}")
    (told,) = [letter for letter in letters if letter.kind == "acknowledgement"]
    assert "in all of your games" in told.text
    assert title(told.text) == "Your message was read; your orders are as they were"
    assert first.letters(1, "absence")[0].text.partition("Deadline: ")[2] in told.text
    for match in (first, second):
        notices = match.letters(kind="absence")
        assert [letter.seat for letter in notices] == [1, 2]
        assert all("Red is away until" in letter.text for letter in notices)
        assert match.game.deadline is not None
        assert match.game.deadline > clock.now() + 5 * DAY


def test_game_that_waits_goes_on_after_the_absence(database: Database) -> None:
    """Others may be ready: the stage stays open until the player is back, then the deadline passes as ever."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    answer(match, 0, f"absent until {days(5)}")
    for seat in (1, 2):
        match.say(seat, BIDS)
    clock.shift(4 * DAY)
    match.settle()
    assert match.game.stage_key == "1-turn"
    match.pass_deadline()
    assert match.game.stage_key == "2-turn"


def test_who_has_sent_orders_before_leaving_holds_nobody_up(database: Database) -> None:
    """A ready seat is not waited for, so its deadline stays, and the stage closes when all are ready."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    match.say(0, BIDS)
    deadline = match.game.deadline
    answer(match, 0, f"absent until {days(5)}")
    assert match.game.deadline == deadline
    for seat in (1, 2):
        match.say(seat, BIDS)
    match.settle()
    assert match.game.stage_key == "2-turn"
    assert match.game.deadline is not None
    assert match.game.deadline > clock.now() + 5 * DAY


def test_deadline_that_passes_in_an_absence_is_put_off(database: Database) -> None:
    """Whatever happened when the absence was entered, a deadline in it is put off and told, not passed."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    with match.service.writing() as session:
        now = clock.now()
        account = match.seats[0].account_id
        assert account is not None
        session.add(Absence(account_id=account, begins=now, ends=now + 3 * DAY, created=now))
    match.pass_deadline()
    assert match.game.stage_key == "1-turn"
    assert [letter.seat for letter in match.letters(kind="absence")] == [1, 2]
    match.pass_deadline()
    assert match.game.stage_key == "2-turn"


def test_moderator_can_end_the_deadline_of_a_game_that_waits(database: Database) -> None:
    """What a ruling ends is not put off."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    answer(match, 0, f"absent until {days(5)}")
    end_deadline(match.service, match.code, Actor("we agreed to go on"))
    match.settle()
    assert match.game.stage_key == "2-turn"


@pytest.mark.parametrize("pace", ["brisk", "strict"])
def test_game_by_standing_orders_goes_on_without_who_is_away(database: Database, pace: str) -> None:
    """It is not waited for; its standing orders are used; reports say that it is away."""
    match = begun(service_on(database, mail_port=0), pace=pace, absence="standing")
    match.say(0, f"always {BIDS}\nalways defend nothing")
    deadline = match.game.deadline
    answer(match, 0, f"absent until {days(5)}")
    assert match.game.deadline == deadline
    for seat in (1, 2):
        match.say(seat, BIDS)
    match.settle()
    assert match.game.stage_key != ("1-turn" if pace == "brisk" else "1-bid")
    assert "0" not in match.game.waiting.split(",")
    report = decode_report(match.reports(1)[-1].data)
    assert [seat for seat, _ in report.away] == [0]
    assert "Red is away until" in match.letters(1, "report")[-1].text


def test_stand_in_plays_while_its_player_is_away(database: Database) -> None:
    """What the sheet does not answer it decides, from the beginning of the absence to its end, and no longer."""
    match = begun(service_on(database, mail_port=0), pace="strict", absence="random")
    match.say(0, f"absent until {days(5)}")
    for seat in (1, 2):
        match.say(seat, BIDS)
    match.settle()
    assert match.game.stage_key == "1-fight"
    sources = [
        given.source
        for entry in match.entries()
        for given in msgspec.msgpack.decode(entry.entry, type=Entry).answers
        if given.seat == 0
    ]
    assert sources
    assert set(sources) == {"standin"}
    match.say(0, "back")
    with match.service.reading() as session:
        assert not position(session, match.id).standins


def test_policy_for_absences_is_one_that_there_is(database: Database) -> None:
    """Anything else is refused when the game is made, with what is known."""
    with pytest.raises(Refused, match="bad_absence"):
        begun(service_on(database), absence="sleep")


def test_game_whose_players_are_all_away_keeps_its_deadlines(database: Database) -> None:
    """Without anybody to wait for it would run through its stages at once."""
    match = begun(service_on(database, mail_port=0), pace="brisk", absence="standing")
    for seat in range(3):
        match.say(seat, f"absent until {days(5)}")
    match.settle()
    assert match.game.stage_key == "1-turn"
    match.pass_deadline()
    assert match.game.stage_key == "2-turn"


def test_who_is_away_and_not_waited_for_is_told_so(database: Database) -> None:
    """The seat is asked and has not answered, and nobody waits for it: neither is said otherwise."""
    match = begun(service_on(database, mail_port=0), pace="brisk", absence="standing")
    mailed(match, 0, f"absent until {days(5)}")
    told = " ".join(answer(match, 0, "to green: back next week").split())
    assert "You are not ready yet, but the game does not wait for you." in told
    assert "You are asked nothing now" not in told
    assert "the game waits for you" not in told


def test_back_ends_it(database: Database) -> None:
    """The others are told; one who was not away is told that."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    assert "No absence of yours is known." in answer(match, 0, "back")
    match.say(0, f"absent until {days(5)}")
    letters = mailed(match, 0, "I am back")
    assert [letter.seat for letter in letters if letter.kind == "absence"] == [1, 2]
    assert all("Red is back" in letter.text for letter in letters if letter.kind == "absence")
    with match.service.reading() as session:
        assert all(ends <= clock.now() for _, ends in absent(session))


def test_later_word_replaces_the_absence_that_it_overlaps(database: Database) -> None:
    """Another one beside it stays."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    match.say(0, f"absent {days(3)} to {days(5)}")
    match.say(0, f"absent {days(20)} to {days(22)}")
    match.say(0, f"absent {days(3)} to {days(9)}")
    with match.service.reading() as session:
        assert [(ends - begins).days for begins, ends in absent(session)] == [7, 3]


def test_check_enters_no_absence(database: Database) -> None:
    """It is told what would be, and nobody else hears of it."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    assert "You are away from" in answer(match, 0, f"check\nabsent until {days(5)}")
    with match.service.reading() as session:
        assert not absent(session)


NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
PARIS = ZoneInfo("Europe/Paris")


class Noon(clock.Clock):
    """A clock that stands still."""

    def now(self) -> datetime:
        """Always the same noon."""
        return NOON


@pytest.mark.parametrize(
    ("first", "last", "begins", "ends"),
    [
        ("12-03", "12-10", datetime(2026, 12, 2, 23, tzinfo=UTC), datetime(2026, 12, 10, 23, tzinfo=UTC)),
        ("", "12-10", NOON, datetime(2026, 12, 10, 23, tzinfo=UTC)),
        ("11-25", "12-03", NOON, datetime(2026, 12, 3, 23, tzinfo=UTC)),
        ("12-28", "01-05", datetime(2026, 12, 27, 23, tzinfo=UTC), datetime(2027, 1, 5, 23, tzinfo=UTC)),
        ("01-02", "01-05", datetime(2027, 1, 1, 23, tzinfo=UTC), datetime(2027, 1, 5, 23, tzinfo=UTC)),
        ("mon", "wed", datetime(2026, 11, 29, 23, tzinfo=UTC), datetime(2026, 12, 2, 23, tzinfo=UTC)),
        ("", "tomorrow", NOON, datetime(2026, 11, 29, 23, tzinfo=UTC)),
        ("2026-12-03", "2026-12-03", datetime(2026, 12, 2, 23, tzinfo=UTC), datetime(2026, 12, 3, 23, tzinfo=UTC)),
    ],
)
def test_days_are_whole_days_of_the_players_zone(first: str, last: str, begins: datetime, ends: datetime) -> None:
    """The year that is not written is the one that was meant."""
    clock.use(Noon())
    assert absence_from(first, last, PARIS) == Away(begins, ends)


def test_an_absence_that_began_at_the_beginning_of_time_runs_from_now() -> None:
    """In a zone in which that day began before there are dates."""
    clock.use(Noon())
    assert absence_from("0001-01-01", "2026-12-05", PARIS).begins == clock.now()


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [
        ("2026-12-03", "2026-12-01", "absence_over"),
        ("2026-11-01", "2026-11-20", "absence_over"),
        ("", "2027-11-20", "absence_too_long"),
        ("12-10", "12-03", "absence_over"),
        ("12-10", "04-20", "absence_too_long"),
        ("12-03", "2026-02-30", "no_such_day"),
        ("2029-12-01", "2029-12-03", "absence_too_far"),
        ("9999-12-31", "9999-12-31", "absence_too_far"),
        ("0001-01-01", "0001-01-02", "absence_over"),
        ("2026-12-010", "2026-12-12", "no_such_day"),
    ],
)
def test_dates_that_make_no_absence_are_refused(first: str, last: str, code: str) -> None:
    """With what is wrong with them."""
    clock.use(Noon())
    with pytest.raises(NoAbsence, match=code):
        absence_from(first, last, PARIS)
