"""What fails is counted, given up and told of; everything else goes on."""

from datetime import timedelta
from typing import NoReturn

import pytest

from engine.contract import Setup
from engine.errors import UnknownVersion
from engine.journal import canonical
from pbem import clock, sweep
from pbem.chores import COUNTED
from pbem.mail.intake import Arrived, store
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import resume
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import reply
from tests.pbem.playing import Match, begun, service_on

UNKNOWN = canonical(Setup(3, version=99))
"""The setup of a game that newer code has made."""


def test_rules_that_raise_set_only_their_own_game_aside(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    """After three failures players, moderator and operator are told; the deadline stops; the other game goes on."""
    service = service_on(database, operator="op@players.example")
    bad = begun(service, "faultygame", options={"fault": "raise"}, pace="brisk", moderator="mod@players.example")
    good = begun(service, pace="brisk")
    for match in (bad, good):
        for seat in range(3):
            match.say(seat, BIDS)
    for _ in range(3):
        bad.settle()
        clock.shift(timedelta(seconds=30))
    assert bad.game.aside
    assert bad.game.stage_key == "1-turn"
    told = {letter.recipient for letter in bad.letters(kind="fault")}
    assert told == {f"{name}@players.example" for name in ("ann", "ben", "cleo", "mod", "op")}
    bad.pass_deadline()
    assert bad.game.failures == 3
    assert good.game.stage_key in ("2-turn", "3-turn")
    shown = capsys.readouterr()
    assert "hidden hands" not in shown.out + shown.err


def set_aside(database: Database) -> Match:
    """A game whose rules have raised as often as they may."""
    bad = begun(service_on(database), "faultygame", options={"fault": "raise"}, pace="brisk")
    bad.pass_deadline()
    for _ in range(2):
        clock.shift(timedelta(seconds=30))
        bad.settle()
    assert bad.game.aside
    return bad


def test_game_that_was_set_aside_is_taken_up_again_by_a_ruling(database: Database) -> None:
    """It has a whole stage's time to its deadline, and orders sent meanwhile count."""
    bad = set_aside(database)
    clock.shift(timedelta(days=3))
    taken = bad.say(0, BIDS).acknowledgement
    assert taken is not None
    assert taken.outcome == "kept"
    resume(bad.service, bad.code, Actor("mended"))
    game = bad.game
    assert not game.aside
    assert game.deadline is not None
    assert game.deadline > clock.now() + timedelta(hours=23)
    assert game.failures == 0


def test_game_that_is_taken_up_again_has_the_time_that_it_was_given(database: Database) -> None:
    """A deadline further off than a whole stage stays: none comes nearer than its players were told."""
    bad = set_aside(database)
    with bad.service.writing() as session:
        game = session.merge(bad.game)
        game.deadline = told = clock.now() + timedelta(days=9)
        session.add(game)
    resume(bad.service, bad.code, Actor("mended"))
    assert bad.game.deadline == told


def put_setup(match: Match, setup: bytes) -> bytes:
    """The game is of that setup; of which it was."""
    with match.service.writing() as session:
        game = match.game
        before, game.setup = game.setup, setup
        session.add(game)
    return before


def test_game_of_an_unknown_version_is_left_alone(database: Database) -> None:
    """Code that does not know a game's rules version neither plays it nor gives it up."""
    match = begun(service_on(database), pace="brisk")
    put_setup(match, UNKNOWN)
    for _ in range(4):
        match.pass_deadline()
        clock.shift(timedelta(minutes=5))
        match.settle()
    assert not match.game.aside
    assert match.game.failures == 0
    assert match.game.stage_key == "1-turn"


def test_mail_for_an_unknown_version_is_left_for_newer_code(database: Database) -> None:
    """However often old code comes by while a release is rolled out: new code reads it, and nobody hears of it."""
    match = begun(service_on(database), pace="brisk")
    known = put_setup(match, UNKNOWN)
    mail = reply(match.letters(0, "report")[-1], BIDS)
    store(match.service, [Arrived(mail.as_bytes(), clock.now(), str(mail["From"]), (str(mail["To"]),))])
    for _ in range(5):
        match.settle()
        clock.shift(timedelta(minutes=5))
    put_setup(match, known)
    match.settle()
    assert match.letters(0, "setaside") == []
    assert len(match.letters(0, "acknowledgement")) == 1


@pytest.mark.parametrize("task", sorted(COUNTED))
def test_task_for_an_unknown_version_is_left_for_newer_code(
    database: Database, monkeypatch: pytest.MonkeyPatch, task: str
) -> None:
    """However often old code comes by, it is not given up for a day; it is done after a pause."""
    service, done = service_on(database), list[int]()

    def too_old(*_: object) -> NoReturn:
        raise UnknownVersion("99")

    with monkeypatch.context() as patched:
        patched.setitem(sweep._WORK, task, too_old)
        for _ in range(5):
            sweep.perform(service, task, 1)
            sweep.perform(service, task, 1)
            clock.shift(timedelta(seconds=30))
    monkeypatch.setitem(sweep._WORK, task, lambda _, number: done.append(number))
    sweep.perform(service, task, 1)
    assert done == [1]
