"""A moderator changes the state: on record, told to each as far as they may see it, bound to what was seen."""

from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import delete, select

from pbem import clock
from pbem.accounts import create_account
from pbem.errors import Refused
from pbem.games.earlier import points
from pbem.games.position import Position
from pbem.records.verifying import verify
from pbem.refusals import said
from pbem.reports.data import Report, decode_report
from pbem.rulings.authority import CHANGED, Actor
from pbem.rulings.changing import MOST_TEXT, Wanted, change_state, look_to_change, looked_at, tried
from pbem.rulings.deadlines import extend_deadline
from pbem.rulings.goingback import Back, roll_back
from pbem.rulings.record import rulings_of
from pbem.rulings.returning import return_to
from pbem.storage.models import Snapshot
from pbem.storage.sessions import Database
from pbem.words import Words
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.sheets.test_undo import sheet, stands

OPERATOR = Actor("the die fell off the table")
MODERATOR = "mod@players.example"
WORDS = Words.of("en", "UTC")
TURN = "bid 1 or 2 or 3 or 4 or 5 or 6\nalways defend nothing"


def match_on(database: Database, **plan: Any) -> Match:
    """A brisk game at its first bid, led by a moderator who does not play."""
    return begun(service_on(database), pace="brisk", moderator=MODERATOR, **plan)


def swap(match: Match, seat: int = 1) -> tuple[str, int, int]:
    """A change of a card of a hand for one that is not in it: its line, the old card and the new one."""
    state = stands(match).table.state
    old = state.hands[seat][0]
    new = next(value for value in range(1, 7) if value not in state.hands[seat] and state.left[value - 1])
    return f"card {('red', 'green', 'blue')[seat]} {old} {new}", old, new


def last(match: Match, seat: int) -> Report:
    """What a seat was told last."""
    return decode_report(match.reports(seat)[-1].data)


def refused(match: Match, wanted: Wanted, actor: Actor = OPERATOR) -> str:
    """Why changes are refused, in words."""
    with pytest.raises(Refused) as found:
        change_state(match.service, match.code, wanted, actor)
    return said(found.value, WORDS)


def test_a_change_is_on_record_and_told_to_each_as_far_as_they_may_see_it(database: Database) -> None:
    """All are told of the look first; then each has a report with the reason, the events, and what is otherwise."""
    match = match_on(database)
    line, old, new = swap(match)
    ruling = change_state(match.service, match.code, Wanted(f"lives red 5\n{line}"), OPERATOR)
    assert (ruling.act, ruling.reason, ruling.params) == (CHANGED, OPERATOR.reason, "{}")
    assert [each.act for each in rulings_of(match.service, match.code)] == ["looked", CHANGED]
    assert len(match.letters(kind="looked")) == 3
    state = stands(match).table.state
    assert state.lives[0] == 5
    assert new in state.hands[1]
    for seat in range(3):
        report, letter = last(match, seat), match.letters(seat, "report")[-1]
        assert (report.occasion, match.reports(seat)[-1].kind) == ("changed", "changed")
        assert [each.code for each in report.rulings] == ["looked", CHANGED]
        assert report.rulings[-1].reason == OPERATOR.reason
        assert "- Red: lives 2, cards in hand 3" in letter.text
        assert "+ Red: lives 5, cards in hand 3" in letter.text
        assert "Red is given 5 lives by the moderator." in letter.text
        assert OPERATOR.reason in letter.text
    assert f"a card of {old} from you for one of {new}" in match.letters(1, "report")[-1].text
    others = [match.letters(seat, "report")[-1].text for seat in (0, 2)]
    assert all("The moderator changes a card in Green's hand." in text for text in others)
    assert not any(f"for one of {new}" in text for text in others)
    assert verify(match.service, match.code).problem == ""


def test_what_a_hidden_change_tells_others_does_not_depend_on_it(database: Database) -> None:
    """Their reports of two different cards are the same but for what tells one moment from another."""
    told = []
    match = match_on(database)
    for _ in range(2):
        line, _, _ = swap(match)
        change_state(match.service, match.code, Wanted(line), OPERATOR)
        report = last(match, 0)
        told.append((report.events, report.view, report.public, report.before.view if report.before else None))
    assert told[0] == told[1]


def test_nothing_of_a_change_is_told_twice(database: Database) -> None:
    """The report of it tells the look as well; the next one of the stage what came after."""
    match = match_on(database)
    change_state(match.service, match.code, Wanted("lives red 5"), OPERATOR)
    for seat in range(3):
        match.say(seat, TURN)
    match.settle()
    assert [each.code for each in decode_report(match.reports(1)[-2].data).rulings] == ["looked", "state_changed"]
    report = last(match, 1)
    assert report.occasion == "stage"
    assert "lives" not in [event["type"] for event in report.events]
    assert report.rulings == ()


def test_nobody_is_ready_after_a_change_and_orders_stand(database: Database) -> None:
    """There is half of a stage's time at least; a word is enough, and the deadline plays what stands."""
    match = match_on(database)
    for seat in (0, 1):
        match.say(seat, TURN)
    clock.shift(timedelta(hours=20))
    change_state(match.service, match.code, Wanted("lives red 5"), OPERATOR)
    assert not any(seat.ready for seat in match.seats)
    assert match.game.deadline is not None
    assert timedelta(hours=11) < match.game.deadline - clock.now() <= timedelta(hours=12)
    assert sheet(match, 0) == ["bid 1 or 2 or 3 or 4 or 5 or 6", "always defend nothing"]
    match.settle()
    assert match.game.stage_key == "1-turn"
    assert "Your orders stand" in match.letters(0, "report")[-1].text
    for seat in (0, 1):
        match.say(seat, "ready")
    match.say(2, TURN)
    match.settle()
    assert match.game.stage_key == "2-turn"
    assert sum(stands(match).table.state.lives) in (8, 9)


def test_changes_are_bound_to_the_version_that_was_seen(database: Database) -> None:
    """Whatever came between, an order or a ruling: nothing is done, and a second press does nothing."""
    match = match_on(database)
    seen = look_to_change(match.service, match.code, OPERATOR)
    wanted = Wanted("lives red 5", seen.game.version)
    match.say(0, TURN)
    assert "Nothing was done" in refused(match, wanted)
    wanted = Wanted("lives red 5", match.game.version)
    change_state(match.service, match.code, wanted, OPERATOR)
    assert "begin anew" in refused(match, wanted)
    extend_deadline(match.service, match.code, 1, OPERATOR)
    assert "begin anew" in refused(match, Wanted("lives red 6", match.game.version))
    assert stands(match).table.state.lives[0] == 5


def test_only_who_has_looked_sees_what_a_change_comes_to(database: Database) -> None:
    """Another's look is not one's own, and a look is over once something has happened."""
    match = match_on(database)
    create_account(match.service, "site@players.example", moderator=True)
    mine, other = Actor("mine", MODERATOR), Actor("other", "site@players.example")
    found = look_to_change(match.service, match.code, mine)
    assert isinstance(found, Position)
    assert looked_at(match.service, match.code, mine).game.version == found.game.version
    for actor in (other, OPERATOR):
        with pytest.raises(Refused) as raised:
            looked_at(match.service, match.code, actor)
        assert raised.value.code == "not_looked"


def test_who_plays_in_the_game_changes_nothing(database: Database) -> None:
    """Neither looks nor changes: that needs a moderator who does not play."""
    match = match_on(database)
    with match.service.writing() as session:
        row = match.seats[1]
        row.account_id = match.game.moderator_id
        session.merge(row)
    for act in (look_to_change, looked_at):
        with pytest.raises(Refused) as raised:
            act(match.service, match.code, Actor("a slip", MODERATOR))
        assert raised.value.code == "plays_too"
    assert "You play in this game" in refused(match, Wanted("lives red 5"), Actor("a slip", MODERATOR))
    assert rulings_of(match.service, match.code) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("lives red 5\n\nlives red", "Line 3: “” can't stand there: a number from 1 to 9 can."),
        ("discarded 3 2", "The game could not stand so: Of some card there would be more or fewer than the game has."),
        ("lives red 2", "Nothing would be otherwise."),
    ],
)
def test_a_change_that_can_not_be_made_says_why_and_does_nothing(database: Database, text: str, why: str) -> None:
    """All are told of the look, for even the refusal may tell something hidden."""
    match = match_on(database)
    before = stands(match).table.state
    assert why in refused(match, Wanted(text))
    assert stands(match).table.state == before
    assert [each.act for each in rulings_of(match.service, match.code)] == ["looked"]
    assert len(match.letters(kind="looked")) == 3


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("lives purple 5", "Line 1: “purple 5” can't stand there; this can: red, green, blue."),
        ("lives red 5\n\nlifes red 4", "Line 3: “lifes red 4” can't stand there; this can: lives."),
        ("lives", "Line 1: Something is missing at its end; this can stand there: red, green, blue."),
        ("lives red " + "9" * 200, "Line 1: The line is too long to be read"),
        ("", "There is nothing in it that changes the state."),
        ("lives red 5\n" * 21, "At most 20 changes"),
        ("x" * (MOST_TEXT + 1), "too long to be read"),
    ],
)
def test_what_everybody_can_tell_of_a_change_is_refused_before_the_look(
    database: Database, text: str, why: str
) -> None:
    """A slip announces no look, for nothing is shown: neither where it is made at once nor where it is looked at."""
    match = match_on(database)
    assert why in refused(match, Wanted(text))
    with pytest.raises(Refused):
        look_to_change(match.service, match.code, OPERATOR, text)
    assert rulings_of(match.service, match.code) == []
    assert match.letters(kind="looked") == []


def test_no_look_is_announced_in_the_middle_of_an_act(database: Database) -> None:
    """Nothing can be changed then, as everybody sees: with lines or, as at the desk, without any."""
    match = begun(service_on(database), moderator=MODERATOR)
    for seat in range(3):
        match.say(seat, "bid 1 or 2 or 3 or 4 or 5 or 6")
    match.settle()
    (attacker,) = [seat.number for seat in match.seats if str(seat.number) in match.game.waiting.split(",")]
    card = stands(match).table.state.hands[attacker][0]
    match.say(attacker, f"attack {('red', 'green', 'blue')[attacker - 1]} with {card}")
    match.settle()
    decision = stands(match).rules.pending(stands(match).table.state)
    assert decision is not None
    assert decision.kind == "defend"
    for text in (None, "lives red 5"):
        with pytest.raises(Refused) as raised:
            look_to_change(match.service, match.code, OPERATOR, text)
        assert raised.value.code == "bad_change"
    assert rulings_of(match.service, match.code) == []


def test_a_game_without_its_snapshot_is_read_from_the_journal_with_the_change(database: Database) -> None:
    """And one with an older snapshot follows the change from there."""
    match = match_on(database)
    with match.service.reading() as session:
        (older,) = session.exec(select(Snapshot)).all()
        session.expunge_all()
    change_state(match.service, match.code, Wanted("lives red 5"), OPERATOR)
    state = stands(match).table.state
    with match.service.writing() as session:
        session.execute(delete(Snapshot))
    assert stands(match).table.state == state
    with match.service.writing() as session:
        session.add(Snapshot(**{**older.model_dump(), "id": None}))
    assert stands(match).table.state == state


def test_going_back_takes_a_change_away_and_returning_brings_it_back(database: Database) -> None:
    """The change is an entry of its line like any other."""
    match = match_on(database)
    for seat in range(3):
        match.say(seat, TURN)
    match.settle()
    lives = stands(match).table.state.lives
    line, _, _ = swap(match)
    change_state(match.service, match.code, Wanted(f"lives red 5\n{line}"), OPERATOR)
    changed = stands(match).table.state
    with match.service.reading() as session:
        back = Back(next(each.entry for each in points(session, match.game) if each.stage_key == "2-turn"))
    roll_back(match.service, match.code, back, OPERATOR)
    assert stands(match).table.state.lives == lives
    return_to(match.service, match.code, 0, OPERATOR)
    assert stands(match).table.state == changed
    assert verify(match.service, match.code).problem == ""


def test_an_act_from_before_a_change_is_not_taken_back_over_it(database: Database) -> None:
    """The player is told to write to the moderator; orders that nothing has used yet are taken back as ever."""
    match = match_on(database)
    match.say(0, TURN)
    change_state(match.service, match.code, Wanted("lives red 5"), OPERATOR)
    match.say(0, "undo")
    assert sheet(match, 0) == []
    assert stands(match).table.state.lives[0] == 5


def test_a_game_that_is_over_is_not_changed(database: Database) -> None:
    """Its secret is known."""
    match = match_on(database, options={"turns": 3})
    while match.game.status == "playing":
        for seat in range(3):
            match.say(seat, TURN)
        match.settle()
    assert "state “over”" in refused(match, Wanted("lives red 5"))


def test_what_a_change_comes_to_is_made_on_a_copy(database: Database) -> None:
    """Trying changes nothing."""
    match = match_on(database)
    found = tried(look_to_change(match.service, match.code, OPERATOR), "lives red 5")
    assert (found.stands.table.state.lives[0], found.state.lives[0]) == (2, 5)
    assert stands(match).table.state.lives[0] == 2


@pytest.mark.parametrize(
    ("rules", "pace", "text", "told"),
    [
        ("rockwell", "strict", "give red gold 2\ncrew green c2 A3", "The moderator gives Red 2 gold."),
        ("brass_empire", "strict", "brass red 7\nlabor 4", "By the moderator, Red has 7 brass instead of 0."),
    ],
)
def test_the_games_of_the_house_are_changed(database: Database, rules: str, pace: str, text: str, told: str) -> None:
    """Each player's letter says what was done and what is otherwise, and play goes on from there."""
    match = begun(
        service_on(database), rules, 3, pace=pace, policy={"ask_share": "100", "pause_after": "0"}, moderator=MODERATOR
    )
    while (
        rules == "brass_empire"
        and getattr(stands(match).rules.pending(stands(match).table.state), "kind", "") != "turns"
    ):
        match.pass_deadline()
    change_state(match.service, match.code, Wanted(text), OPERATOR)
    for seat in range(3):
        letter = match.letters(seat, "report")[-1].text
        assert told in letter
        assert "What is otherwise for you now" in letter
    number = match.game.next_entry
    match.pass_deadline()
    assert match.game.next_entry > number
    assert verify(match.service, match.code).problem == ""
