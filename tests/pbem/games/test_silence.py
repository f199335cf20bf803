"""What a game does when no orders come: each policy, what ends it, and what its players and pages say of it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlmodel import col, select

from engine.journal import decode
from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.advance import advance
from pbem.games.rules import rules_of
from pbem.records.verifying import verify
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import end_deadline, extend_deadline, force_stage, pause, resume
from pbem.rulings.life import change_policy
from pbem.rulings.record import rulings_of
from pbem.sheets.confirming import confirm
from pbem.storage.models import StageTime
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.games.test_succession import taken_over
from tests.pbem.mail import mailing
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.sheets.mailed import mailed
from tests.pbem.web.visiting import Visit, app_on

HOUR = timedelta(hours=1)
Cut = Callable[[Service, str, Actor], None]


def acts(match: Match) -> list[str]:
    """What was ruled and done, in order."""
    return [ruling.act for ruling in rulings_of(match.service, match.code)]


def course(match: Match, seat: int) -> list[str]:
    """The letters of a seat that tell how the game goes on."""
    return [letter.text for letter in match.letters(seat, "course")]


def test_confirmed_empty_sheet_is_no_missing_order(database: Database) -> None:
    """`ready` with nothing on the sheet counts as an answer: neither reminded nor counted."""
    match = begun(service_on(database), pace="brisk", policy={"nmr": "wait"})
    match.say(0, BIDS)
    match.say(1, "ready")
    match.pass_deadline()
    assert acts(match) == ["nmr_waited"]
    assert [("Your orders are missing" in course(match, seat)[-1]) for seat in range(3)] == [False, False, True]
    match.say(2, "ready")
    match.settle()
    assert match.game.stage_key != "1-turn"
    assert [seat.missed for seat in match.seats] == [0, 0, 0]


def test_game_that_waits_reminds_and_goes_on_when_orders_come(database: Database) -> None:
    """Under `wait` a deadline gives way to the next one, for as long as orders are missing; all are told."""
    match = begun(service_on(database), pace="brisk", policy={"nmr": "wait"})
    for seat in (0, 1):
        match.say(seat, BIDS)
    first = match.game.deadline
    for count in (1, 2, 3, 4):
        match.pass_deadline()
        assert match.game.stage_key == "1-turn"
        assert len(course(match, 0)) == len(course(match, 2)) == count
    assert first is not None
    assert match.game.deadline is not None
    assert match.game.deadline > first + timedelta(days=3)
    assert "Answer this letter with your orders" in course(match, 2)[-1]
    match.say(2, BIDS)
    match.settle()
    assert match.game.stage_key == "2-turn"
    assert not verify(match.service, match.code).problem


def test_reminder_can_be_answered_with_orders(database: Database) -> None:
    """A reply to it is read as one to the report is."""
    match = begun(service_on(database), pace="brisk", policy={"nmr": "wait"})
    match.pass_deadline()
    mailing.post(match.service, mailing.reply(match.letters(2, "course")[-1], BIDS))
    assert match.seats[2].ready


@pytest.mark.parametrize("pace", ["strict", "brisk"])
def test_stand_in_plays_the_stage_of_a_silent_seat_alone(database: Database, pace: str) -> None:
    """Its answers are a stand-in's, in this stage; in the next the player is asked again."""
    match = begun(service_on(database), pace=pace, policy={"nmr": "standin", "level": "random"})
    first = match.game.stage_key
    for seat in (0, 1):
        match.say(seat, f"{BIDS}\nready")
    while match.game.stage_key == first:
        match.pass_deadline()
    rules = rules_of(match.game)
    given = [each for row in match.entries() for each in decode(rules, row.entry).answers if each.seat == 2]
    assert {each.source for each in given} == {"standin"}
    assert [seat.standin for seat in match.seats] == ["", "", ""]
    assert match.seats[2].missed == 1
    assert not verify(match.service, match.code).problem


def test_deadline_is_put_off_out_of_a_budget_that_each_seat_has(database: Database) -> None:
    """Once it is used up the stage is played; another seat still has its own."""
    match = begun(service_on(database), pace="brisk", policy={"extensions": "1", "extension_hours": "6"})
    match.say(0, BIDS)
    match.say(1, BIDS)
    match.pass_deadline()
    game = match.game
    assert game.deadline is not None
    assert timedelta(hours=5) < game.deadline - clock.now() <= timedelta(hours=6)
    assert [seat.extensions for seat in match.seats] == [0, 0, 1]
    match.pass_deadline()
    assert match.game.stage_key == "2-turn"
    match.say(1, BIDS)
    match.say(2, BIDS)
    match.pass_deadline()
    assert [seat.extensions for seat in match.seats] == [1, 0, 1]
    assert acts(match) == ["nmr_extended", "nmr_extended"]


def test_seat_that_is_silent_too_often_is_opened(database: Database) -> None:
    """All are told, its old address is void, the game goes on without it; a stage that did not ask it never counts."""
    match = begun(service_on(database), pace="brisk", policy={"open_after": "2"})
    for stage in (1, 2):
        assert match.game.stage_key == f"{stage}-turn"
        match.say(0, BIDS)
        match.say(1, BIDS)
        match.pass_deadline()
    seat = match.seats[2]
    assert seat.resigned is not None
    assert seat.generation == 1
    assert acts(match) == ["seat_opened"]
    assert "has sent no orders in 2 stages in a row" in course(match, 2)[0]
    assert "has sent no orders in 2 stages in a row" in course(match, 0)[0]
    told = len(match.letters(2))
    for seat_number in (0, 1):
        match.say(seat_number, BIDS)
    match.settle()
    assert match.game.status == "over" or match.game.stage_key == "4-turn"
    assert len(match.letters(2)) == told


def test_too_many_silent_seats_stop_the_game_and_its_moderator_is_asked(database: Database) -> None:
    """No stage is played on silence that may be the service's fault; orders that come in take the game up again."""
    match = begun(service_on(database), pace="brisk", moderator="mod@players.example")
    match.say(0, BIDS)
    match.pass_deadline()
    assert match.game.stage_key == "1-turn"
    assert match.game.deadline is None
    asked = [letter for letter in match.letters(kind="course") if letter.recipient == "mod@players.example"]
    assert "its moderator is asked" in asked[0].text
    match.say(1, BIDS)
    match.settle()
    assert acts(match) == ["nmr_asked", "taken_up"]
    assert match.game.deadline is not None
    match.pass_deadline()
    assert match.game.stage_key == "2-turn"


@pytest.mark.parametrize(("share", "acted"), [("50", []), ("49", ["nmr_asked"])])
def test_the_moderator_is_asked_where_more_than_the_share_are_silent(
    database: Database, share: str, acted: list[str]
) -> None:
    """Half of four is no more than 50 per cent: the stage is played."""
    match = begun(
        service_on(database), "tinygame", 4, pace="brisk", moderator="mod@players.example", policy={"ask_share": share}
    )
    match.say(0, BIDS)
    match.say(1, BIDS)
    match.pass_deadline()
    assert acts(match) == acted
    assert match.game.stage_key == ("1-turn" if acted else "2-turn")


def test_game_whose_moderator_does_not_answer_goes_on_by_itself(database: Database) -> None:
    """After the hours that its policy names, once a stage."""
    match = begun(service_on(database), pace="brisk", moderator="mod@players.example", policy={"ask_hours": "5"})
    match.say(0, BIDS)
    match.pass_deadline()
    clock.shift(4 * HOUR)
    match.settle()
    assert match.game.stage_key == "1-turn"
    clock.shift(2 * HOUR)
    match.settle()
    assert match.game.stage_key == "2-turn"
    assert acts(match) == ["nmr_asked", "asked_in_vain"]


def test_moderator_who_is_asked_can_force_the_stage(database: Database) -> None:
    """The ruling ends the stop."""
    match = begun(service_on(database), pace="brisk", moderator="mod@players.example")
    match.say(0, BIDS)
    match.pass_deadline()
    force_stage(match.service, match.code, Actor("all agreed", "mod@players.example"))
    match.settle()
    assert match.game.stage_key == "2-turn"
    assert not match.game.held
    assert match.game.deadline is not None


@pytest.mark.parametrize("cut", [end_deadline, force_stage])
@pytest.mark.parametrize("pace", ["brisk", "strict"])
def test_who_had_no_time_to_answer_was_not_silent(database: Database, cut: Cut, pace: str) -> None:
    """A stage that its moderator cuts short counts for nobody: else a game would lose its players in a minute."""
    match = begun(service_on(database), pace=pace, moderator="mod@players.example")
    for _ in range(40):
        if match.game.stage_number == 5:
            break
        cut(match.service, match.code, Actor("all agreed", "mod@players.example"))
        clock.shift(timedelta(seconds=3))
        match.settle()
    assert (match.game.status, match.game.stage_number) == ("playing", 5)
    assert [(seat.missed, seat.resigned) for seat in match.seats] == [(0, None)] * 3
    assert match.game.quiet == 0


def test_who_had_a_stage_to_answer_in_was_silent_though_it_is_forced(database: Database) -> None:
    """Its deadline had passed, and the moderator was asked."""
    match = begun(service_on(database), pace="brisk", moderator="mod@players.example")
    match.say(0, BIDS)
    match.pass_deadline()
    assert match.game.held == "asked"
    force_stage(match.service, match.code, Actor("all agreed", "mod@players.example"))
    match.settle()
    assert [seat.missed for seat in match.seats] == [0, 1, 1]


def test_game_with_a_moderator_stands_still_when_its_last_player_goes(database: Database) -> None:
    """Who leads it is told, and can put somebody else in a seat, whose orders take it up."""
    match = begun(service_on(database, mail_port=0), pace="brisk", moderator="mod@players.example")
    for seat in range(3):
        match.say(seat, "resign")
        confirm(match.service, match.letters(seat, "confirm-resign")[0].id)
        told = [letter.text for letter in match.letters(kind="resigned") if letter.recipient == "mod@players.example"]
        assert len(told) == seat + 1
        assert ("the game stands still until somebody takes one" in " ".join(told[-1].split())) == (seat == 2)
    match.settle()
    assert (match.game.status, match.game.held, match.game.deadline) == ("playing", "quiet", None)
    taken_over(match, 1)
    match.say(1, BIDS)
    match.settle()
    assert not match.game.held
    assert match.game.deadline is not None


def test_last_player_whose_seat_is_opened_is_told_that_the_game_has_ended(database: Database) -> None:
    """Without a moderator nobody is left to find another: that is said, and what became of it."""
    match = begun(service_on(database), pace="brisk", policy={"open_after": "1", "pause_after": "0"})
    match.pass_deadline()
    match.settle()
    assert match.game.status == "cancelled"
    told = [" ".join(text.split()) for seat in range(3) for text in course(match, seat)]
    assert sum("Nobody has a seat in it any more: the game has ended." in text for text in told) == 1


def test_game_from_which_nothing_is_heard_pauses_and_ends_as_abandoned(database: Database) -> None:
    """Two silent stages are played; at the third deadline all are told of the pause, and two weeks later of the end."""
    match = begun(service_on(database), pace="brisk", policy={"open_after": "0"})
    for stage in (2, 3):
        match.pass_deadline()
        assert match.game.stage_key == f"{stage}-turn"
    match.pass_deadline()
    assert match.game.stage_key == "3-turn"
    assert match.game.deadline is None
    assert "ends as abandoned" in course(match, 1)[-1]
    clock.shift(timedelta(days=13))
    match.settle()
    assert match.game.status == "playing"
    clock.shift(timedelta(days=2))
    match.settle()
    assert match.game.status == "cancelled"
    assert "has ended as abandoned" in course(match, 1)[-1]
    assert acts(match) == ["quiet_paused", "abandoned"]
    assert not verify(match.service, match.code).problem


def test_quiet_game_is_taken_up_by_anybodys_orders(database: Database) -> None:
    """With a whole stage's time, of which all are told."""
    match = begun(service_on(database), pace="brisk", policy={"open_after": "0", "pause_after": "1"})
    match.pass_deadline()
    assert match.game.held == "quiet"
    assert "The game is paused" in Visit(app_on(match.service), match.service, "ann@players.example").get(
        f"/games/{match.code}"
    )
    match.say(1, "not ready")
    match.settle()
    game = match.game
    assert game.deadline is not None
    assert game.deadline - clock.now() > timedelta(hours=23)
    assert "The deadline is" in course(match, 0)[-1]


def test_quiet_game_that_is_resumed_has_all_its_silent_stages_anew(database: Database) -> None:
    """It does not pause again at the very next one."""
    match = begun(service_on(database), pace="brisk", policy={"open_after": "0", "pause_after": "2"})
    for _ in range(2):
        match.pass_deadline()
    assert match.game.held == "quiet"
    resume(match.service, match.code, Actor("all are back"))
    match.pass_deadline()
    assert match.game.held == ""
    match.pass_deadline()
    assert match.game.held == "quiet"


def test_late_orders_are_told_by_how_much_they_are_late(database: Database) -> None:
    """By the time of receipt against the deadline of their stage, long after that has closed too."""
    match = begun(service_on(database), pace="brisk")
    first = match.letters(2, "report")[-1]
    deadline = match.game.deadline
    assert deadline is not None
    clock.shift(deadline - clock.now() + timedelta(minutes=3))
    assert "3 minutes after its time was over" in mailed(match, 2, BIDS)[0].text
    match.settle()
    clock.shift(timedelta(hours=2))
    assert "2 hours after its time was over" in mailed(match, 2, "bid 5", first)[0].text


def test_stages_that_closed_say_when_and_what_they_waited_for(database: Database) -> None:
    """Each once, with its last deadline, what closed it, and whose orders were missing then."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, BIDS)
    match.pass_deadline()
    for seat in range(3):
        match.say(seat, BIDS)
    match.settle()
    with match.service.reading() as session:
        times = list(session.exec(select(StageTime).order_by(col(StageTime.number))))
    assert [(each.number, each.closed_by, each.awaited) for each in times] == [(1, "deadline", "1,2"), (2, "ready", "")]
    assert times[0].deadline is not None
    assert times[0].opened < times[0].deadline < times[0].closed


def test_game_that_stood_still_has_a_deadline_again_once_play_goes_on(database: Database) -> None:
    """Orders that end the stop in the middle of a stage, where more is asked then, are no way to wait for ever."""
    policy = {"ask_share": "10"}
    match = begun(
        service_on(database), "brass_empire", 2, pace="strict", policy=policy, moderator="mod@players.example"
    )
    for seat in (0, 1):
        match.say(seat, "corporation any")
    match.settle()
    first = int(match.game.waiting)
    match.pass_deadline()
    assert (match.game.held, match.game.deadline) == ("asked", None)
    match.say(first, "play all")
    advance(match.service, match.id)
    game = match.game
    assert (int(game.waiting), game.held) == (first, "")
    assert game.deadline is not None
    assert game.deadline > clock.now()


def test_paused_game_waits_for_its_moderator_alone(database: Database) -> None:
    """Orders are kept, nothing is played even when all are ready, and no deadline runs until it is taken up again."""
    match = begun(service_on(database), pace="brisk")
    pause(match.service, match.code, Actor("holidays"))
    assert "The game was paused" in match.letters(0, "ruling")[-1].text
    for seat in range(3):
        match.say(seat, BIDS)
    clock.shift(timedelta(days=60))
    match.settle()
    assert match.game.stage_key == "1-turn"
    with pytest.raises(Refused, match="paused_already"):
        pause(match.service, match.code, Actor("again"))
    slow = Actor("it takes so long")
    acts: list[Callable[[], object]] = [
        lambda: end_deadline(match.service, match.code, slow),
        lambda: force_stage(match.service, match.code, slow),
        lambda: extend_deadline(match.service, match.code, 24, slow),
    ]
    for act in acts:
        with pytest.raises(Refused, match=r"^paused$"):
            act()
    assert match.game.deadline is None
    resume(match.service, match.code, Actor("back"))
    match.settle()
    assert match.game.stage_key == "2-turn"


def test_policy_is_shown_to_the_players_and_changed_by_a_ruling(database: Database) -> None:
    """All are told of the change; a value that makes no sense is refused with those that would."""
    match = begun(service_on(database), pace="brisk")
    page = Visit(app_on(match.service), match.service, "ann@players.example").get(f"/games/{match.code}/table")
    assert "After 3 stages in a row without orders the seat is open to another player." in page
    with pytest.raises(Refused, match="policy_value"):
        change_policy(match.service, match.code, {"nmr": "maybe"}, Actor("why not"))
    with pytest.raises(Refused, match="unknown_policy"):
        change_policy(match.service, match.code, {"nrm": "wait"}, Actor("why not"))
    with pytest.raises(Refused, match="nothing_changed"):
        change_policy(match.service, match.code, {"nmr": "defaults"}, Actor("why not"))
    change_policy(match.service, match.code, {"nmr": "wait"}, Actor("we agreed"))
    assert "nmr=wait" in match.letters(0, "ruling")[-1].text
    match.pass_deadline()
    assert match.game.stage_key == "1-turn"
