"""When stages may end: on the schedule's days and hours, in every zone and over every change of the clocks."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import clock
from pbem.errors import Refused
from pbem.games.schedule import MOST_MINUTES, Schedule, changed, encode, schedule_of, stage_end, written
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import pause
from pbem.rulings.life import change_schedule
from pbem.storage.models import Account, Game, Heartbeat
from pbem.storage.sessions import Database
from pbem.sweep import sweep
from tests.pbem.games.test_play import BIDS
from tests.pbem.playing import Match, begun, service_on

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kathmandu", "Pacific/Auckland")
MINUTES = st.integers(0, 1439)
START = datetime(2026, 1, 1, tzinfo=UTC)
MOMENTS = st.timedeltas(timedelta(0), timedelta(days=730)).map(lambda after: START + after)
SCHEDULES = st.builds(
    Schedule,
    zone=st.sampled_from(ZONES),
    days=st.sets(st.integers(0, 6), min_size=1).map(lambda days: tuple(sorted(days))),
    at=st.sets(MINUTES, max_size=3).map(lambda at: tuple(sorted(at))),
    holidays=st.sets(st.integers(0, 700), max_size=5).map(
        lambda days: tuple(sorted((START + timedelta(days=day)).date().isoformat() for day in days))
    ),
    quiet=st.tuples(MINUTES, MINUTES),
).filter(lambda schedule: not schedule.at or any(_free(schedule, at) for at in schedule.at))


def _free(schedule: Schedule, minute: int) -> bool:
    begins, ends = schedule.quiet
    return not (begins <= minute < ends if begins <= ends else minute >= begins or minute < ends)


@given(SCHEDULES, MOMENTS)
def test_moment_is_never_before_the_span_and_always_one_that_is_allowed(schedule: Schedule, moment: datetime) -> None:
    """On an eligible day, no holiday, at a named time, outside quiet hours; and it is the same one asked again."""
    first = schedule.first(moment)
    assert first >= moment
    assert schedule.is_free(first)
    assert schedule.first(first) == first


@given(SCHEDULES, MOMENTS, st.timedeltas(timedelta(0), timedelta(days=40)))
def test_who_opens_later_never_ends_earlier(schedule: Schedule, moment: datetime, later: timedelta) -> None:
    """The end of a stage grows with its opening."""
    assert schedule.first(moment) <= schedule.first(moment + later)


@given(SCHEDULES)
def test_written_form_reads_back(schedule: Schedule) -> None:
    """What the command line prints can be given to it."""
    given = written(schedule)
    again = changed(Schedule(), given)
    assert written(again) == given


@pytest.mark.parametrize(
    ("zone", "day", "utc"),
    [
        ("Europe/Berlin", "2026-03-28", "17:00"),
        ("Europe/Berlin", "2026-03-29", "16:00"),
        ("Europe/Berlin", "2026-10-24", "16:00"),
        ("Europe/Berlin", "2026-10-25", "17:00"),
        ("Australia/Sydney", "2026-04-04", "07:00"),
        ("Australia/Sydney", "2026-04-05", "08:00"),
        ("America/New_York", "2026-11-01", "23:00"),
    ],
)
def test_six_in_the_evening_is_that_on_both_sides_of_a_change_of_clocks(zone: str, day: str, utc: str) -> None:
    """The wall clock of the game's zone counts, whatever that is in UTC."""
    schedule = changed(Schedule(), {"zone": zone, "at": "18:00"})
    noon = datetime.fromisoformat(f"{day}T12:00").replace(tzinfo=ZoneInfo(zone))
    assert schedule.first(noon).astimezone(UTC).strftime("%H:%M") == utc


def test_time_that_the_clock_skips_is_told_as_the_clock_then_shows() -> None:
    """Half past two on the night of the change is half past three."""
    schedule = changed(Schedule(), {"zone": "Europe/Berlin", "at": "02:30"})
    night = datetime(2026, 3, 29, 0, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    assert schedule.first(night).astimezone(ZoneInfo("Europe/Berlin")).strftime("%d %H:%M") == "29 03:30"


def _game(hours: int, **given: str) -> Game:
    now = datetime(2026, 6, 1, tzinfo=UTC)
    return Game(
        code="x",
        title="x",
        rules="tinygame",
        rules_version=1,
        setup=b"",
        pace="brisk",
        stage_seconds=hours * 3600,
        schedule=encode(changed(Schedule(), given)),
        secret=b"s",
        secret_hash=b"h",
        created=now,
    )


def _person(zone: str, quiet_from: int = 0, quiet_to: int = 0) -> Account:
    now = datetime(2026, 6, 1, tzinfo=UTC)
    return Account(name="Ann", zone=zone, quiet_from=quiet_from, quiet_to=quiet_to, created=now)


def test_deadline_is_moved_to_where_everybody_is_awake() -> None:
    """By a day at most, and not where there is no such moment; who named no quiet hours sleeps at night."""
    three_at_night = datetime(2026, 6, 2, 3, 0, tzinfo=UTC)
    opened = three_at_night - timedelta(hours=24)
    assert stage_end(_game(24), opened, [_person("UTC")]) == datetime(2026, 6, 2, 7, 0, tzinfo=UTC)
    both = [_person("Europe/London"), _person("America/Los_Angeles")]
    assert stage_end(_game(24), opened, both) == datetime(2026, 6, 2, 14, 0, tzinfo=UTC)
    shifts = [_person("UTC", 0, 12 * 60), _person("UTC", 12 * 60, 1439), _person("UTC", 1439, 1)]
    assert stage_end(_game(24), opened, shifts) == three_at_night
    assert stage_end(_game(24, waking="no"), opened, both) == three_at_night
    assert stage_end(_game(4), opened, both) == opened + timedelta(hours=4)


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("dayz", "mon", "unknown_schedule"),
        ("days", "someday", "schedule_value"),
        ("at", "25:00", "schedule_value"),
        ("holidays", "christmas", "schedule_value"),
        ("quiet", "22:00", "schedule_value"),
        ("grace", "-1", "schedule_value"),
        ("early", "perhaps", "schedule_value"),
        ("zone", "Mars/Olympus", "bad_zone"),
        ("zone", "../../etc/passwd", "bad_zone"),
    ],
)
def test_what_is_no_schedule_is_told(name: str, value: str, code: str) -> None:
    """With what would be right."""
    with pytest.raises(Refused, match=code):
        changed(Schedule(), {name: value})


def test_schedule_without_a_moment_is_refused() -> None:
    """Else no stage would ever end."""
    with pytest.raises(Refused, match="no_moment"):
        changed(Schedule(), {"at": "03:00", "quiet": "22:00-07:00"})


OPERATOR = Actor("we play at weekends")


def test_next_deadline_follows_the_schedule_that_was_ruled(database: Database) -> None:
    """It is told at once, and the deadline that runs stays."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    before = match.game.deadline
    change_schedule(match.service, match.code, {"days": "sat,sun", "at": "18:00"}, OPERATOR)
    assert match.game.deadline == before
    assert "days=sat,sun" in match.letters(0, "ruling")[-1].text
    match.pass_deadline()
    deadline = match.game.deadline
    assert deadline is not None
    assert deadline.weekday() in (5, 6)
    assert deadline.strftime("%H:%M") == "18:00"
    with pytest.raises(Refused, match="nothing_changed"):
        change_schedule(match.service, match.code, {"at": "18:00"}, OPERATOR)


def test_stage_waits_for_its_earliest_moment_and_for_its_deadline_where_the_game_says_so(database: Database) -> None:
    """All are ready, and it is played then and not at once."""
    for setting, wait in (({"earliest": "6"}, timedelta(hours=6)), ({"early": "no"}, timedelta(hours=24))):
        match = begun(service_on(database, mail_port=0), pace="brisk", schedule={"waking": "no", **setting})
        opened = match.game.opened
        assert opened is not None
        for seat in range(3):
            match.say(seat, BIDS)
        match.settle()
        assert match.game.stage_key == "1-turn"
        clock.shift(opened + wait - timedelta(minutes=1) - clock.now())
        match.settle()
        assert match.game.stage_key == "1-turn"
        clock.shift(timedelta(minutes=2))
        match.settle()
        assert match.game.stage_key == "2-turn"


@pytest.mark.parametrize("minutes", [30, MOST_MINUTES])
def test_orders_count_in_the_time_of_grace_and_not_after(database: Database, minutes: int) -> None:
    """The stage is not played before that is over; who is later is late."""
    match = begun(service_on(database), pace="brisk", schedule={"waking": "no", "grace": str(minutes)})
    deadline = match.game.deadline
    assert deadline is not None
    clock.shift(deadline + timedelta(minutes=minutes - 20) - clock.now())
    sweep(match.service)
    match.settle()
    assert match.game.stage_key == "1-turn"
    assert match.say(0, BIDS).acknowledgement is not None
    assert match.seats[0].sent
    clock.shift(timedelta(minutes=21))
    late = match.say(1, BIDS).acknowledgement
    assert late is not None
    assert late.outcome == "late"
    match.settle()
    assert match.game.stage_key == "2-turn"


def _beats(match: Match) -> None:
    with match.service.writing() as session:
        session.merge(Heartbeat(name="sweep", at=clock.now()))


def test_deadline_that_passed_while_the_service_was_down_is_put_off_and_told(database: Database) -> None:
    """By as long as it was down; nothing is played on it before that is seen, whichever task comes first."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    old = match.game.deadline
    assert old is not None
    clock.shift(timedelta(hours=20))
    _beats(match)
    clock.shift(timedelta(hours=10))
    match.settle()
    assert match.game.stage_key == "1-turn"
    sweep(match.service)
    moved = match.game.deadline
    assert moved is not None
    assert timedelta(hours=9, minutes=59) < moved - old < timedelta(hours=10, minutes=1)
    match.settle()
    assert match.game.stage_key == "1-turn"
    for seat in range(3):
        assert "The service was down from" in match.letters(seat, "course")[-1].text
    sweep(match.service)
    assert match.game.deadline == moved
    clock.shift(moved - timedelta(minutes=1) - clock.now())
    sweep(match.service)
    match.pass_deadline()
    assert match.game.stage_key == "2-turn"


def test_players_have_some_time_left_once_the_service_is_back(database: Database) -> None:
    """A deadline that was minutes away is not minutes away again."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    clock.shift(timedelta(hours=23, minutes=55))
    _beats(match)
    clock.shift(timedelta(hours=1))
    sweep(match.service)
    moved = match.game.deadline
    assert moved is not None
    assert moved - clock.now() > timedelta(hours=1, minutes=59)


def test_game_that_can_not_be_told_of_an_outage_holds_up_no_other(database: Database) -> None:
    """Its rules are gone: the sweep goes on, and the other game's deadline is put off."""
    service = service_on(database, mail_port=0)
    gone, other = begun(service, pace="brisk"), begun(service, pace="brisk")
    with service.writing() as session:
        game = session.merge(gone.game)
        game.rules = "nowhere"
    old = other.game.deadline
    clock.shift(timedelta(hours=20))
    _beats(other)
    clock.shift(timedelta(hours=10))
    sweep(service)
    moved = other.game.deadline
    assert old is not None
    assert moved is not None
    assert moved > old


def test_clock_that_goes_back_does_nothing_wrong(database: Database) -> None:
    """The next beat is written at once, and deadlines stay."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    old = match.game.deadline
    with match.service.writing() as session:
        session.merge(Heartbeat(name="sweep", at=clock.now() + timedelta(days=3)))
    sweep(match.service)
    assert match.game.deadline == old
    with match.service.reading() as session:
        beat = session.get(Heartbeat, "sweep")
    assert beat is not None
    assert beat.at <= clock.now()


def test_game_keeps_what_it_goes_by(database: Database) -> None:
    """In the written form it was made with; the zone is the service's where none was named."""
    service = service_on(database, mail_port=0, time_zone="Europe/Berlin")
    match = begun(service, pace="brisk", schedule={"days": "mon-fri"})
    schedule = schedule_of(match.game)
    assert (schedule.zone, schedule.days) == ("Europe/Berlin", (0, 1, 2, 3, 4))


def test_a_change_of_the_schedule_can_set_the_deadline_anew(database: Database) -> None:
    """As the moderator says: else it counts from the next deadline on. All are told of the one that is."""
    match = begun(service_on(database), moderator="mod@players.example")
    old = match.game.deadline
    why = Actor("work", "mod@players.example")
    change_schedule(match.service, match.code, {"zone": "UTC", "at": "18:00"}, why)
    assert match.game.deadline == old
    change_schedule(match.service, match.code, {"at": "19:30"}, why, "anew")
    now = match.game.deadline
    assert now is not None
    assert old is not None
    assert now.strftime("%H:%M") == "19:30"
    assert old <= now < old + timedelta(days=1)
    assert "The deadline is" in match.letters(0, "ruling")[-1].text
    with pytest.raises(Refused, match="bad_choice"):
        change_schedule(match.service, match.code, {"at": "20:00"}, why, "soon")


def test_a_deadline_set_anew_leaves_half_of_a_stage(database: Database) -> None:
    """However late in the stage; a game that stands still has none to be set."""
    match = begun(service_on(database))
    clock.shift(timedelta(hours=23))
    change_schedule(match.service, match.code, {"grace": "5"}, Actor("slow mail"), "anew")
    assert match.game.deadline is not None
    assert match.game.deadline - clock.now() > timedelta(hours=11)
    pause(match.service, match.code, Actor("a holiday"))
    with pytest.raises(Refused, match="paused"):
        change_schedule(match.service, match.code, {"grace": "6"}, Actor("slow mail"), "anew")
