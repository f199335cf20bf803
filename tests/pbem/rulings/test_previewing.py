"""What comes of a stage can be looked over before it is sent: on a copy, told to all, and sent as it was shown."""

from collections.abc import Callable

import msgspec
import pytest

from pbem import clock
from pbem.errors import Refused
from pbem.records.verifying import verify
from pbem.reports.data import Report, decode_report, encode
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import force_stage, resume
from pbem.rulings.looking import Shown, see_all, see_as
from pbem.rulings.previewing import hold_for_review, preview, send
from pbem.rulings.record import rulings_of
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.playing import Match, begun, service_on

OPERATOR = Actor("a rules question")


def held(database: Database, **plan: str) -> Match:
    """A brisk game whose first stage is held, with its deadline passed."""
    match = begun(service_on(database, mail_port=0), pace="brisk", **plan)  # type: ignore[arg-type]
    match.say(0, BIDS)
    hold_for_review(match.service, match.code, OPERATOR)
    match.pass_deadline()
    return match


def last(match: Match) -> list[Report]:
    """Each seat's last report."""
    return [decode_report(match.reports(seat)[-1].data) for seat in range(3)]


def test_held_stage_is_played_as_the_preview_showed_it_and_not_before(database: Database) -> None:
    """Nothing goes out until then; the reports are the ones that were shown; all of it is told."""
    match = held(database)
    assert match.game.stage_key == "1-turn"
    assert len(match.reports(0)) == 1
    shown = preview(match.service, match.code, OPERATOR)
    assert shown.version is not None
    assert {letter.seat for letter in match.letters(kind="looked")} == {0, 1, 2}
    assert len(match.reports(0)) == 1
    match.settle()
    assert match.game.stage_key == "1-turn"
    send(match.service, match.code, shown.version, OPERATOR)
    assert match.game.stage_key == "2-turn"
    assert [_but_for_times(each) for each in last(match)] == [_but_for_times(each) for each in shown.reports]
    assert [ruling.act for ruling in rulings_of(match.service, match.code)] == ["held_for_review", "previewed", "sent"]
    assert verify(match.service, match.code).problem == ""
    match.pass_deadline()
    assert match.game.stage_key == "3-turn"
    assert "looked over" in match.letters(0, "report")[-1].text


def _but_for_times(report: Report) -> bytes:
    """All of it but the new deadline, which counts from when it is sent."""
    return encode(msgspec.structs.replace(report, deadline=None))


def test_preview_is_sent_only_if_nothing_has_changed(database: Database) -> None:
    """An order, or another ruling, makes it another game than the one that was shown."""
    match = held(database)
    shown = preview(match.service, match.code, OPERATOR)
    assert shown.version is not None
    match.say(1, "to red: hello\nbid 2")
    with pytest.raises(Refused, match="changed_since"):
        send(match.service, match.code, shown.version, OPERATOR)
    again = preview(match.service, match.code, OPERATOR)
    force_stage(match.service, match.code, OPERATOR)
    with pytest.raises(Refused, match="changed_since"):
        send(match.service, match.code, again.version or 0, OPERATOR)
    assert match.game.stage_key == "1-turn"


def test_sealed_answers_are_not_looked_over_before_the_deadline(database: Database) -> None:
    """They could still be changed, and would be told to whom they are hidden from; nobody is told of a look."""
    match = begun(service_on(database, mail_port=0), pace="brisk", settle_minutes=0)
    hold_for_review(match.service, match.code, OPERATOR)
    with pytest.raises(Refused, match="not_due"):
        preview(match.service, match.code, OPERATOR)
    for seat in range(3):
        match.say(seat, BIDS)
    with pytest.raises(Refused, match="sealed_yet"):
        preview(match.service, match.code, OPERATOR)
    force_stage(match.service, match.code, OPERATOR)
    with pytest.raises(Refused, match="sealed_yet"):
        preview(match.service, match.code, OPERATOR)
    assert match.letters(kind="looked") == []
    assert clock.now() < (match.game.deadline or clock.now())


def test_held_game_is_let_go(database: Database) -> None:
    """`resume` plays on by itself; a second hold is refused."""
    match = held(database)
    with pytest.raises(Refused, match="held_already"):
        hold_for_review(match.service, match.code, OPERATOR)
    resume(match.service, match.code, OPERATOR)
    match.settle()
    assert match.game.stage_key == "2-turn"


def test_moderator_who_plays_may_hold_and_not_look(database: Database) -> None:
    """A look before it is sent would show the others' hidden things."""
    match = begun(service_on(database), pace="brisk", moderator="ann@players.example")
    ann = Actor("wait", "ann@players.example")
    hold_for_review(match.service, match.code, ann)
    match.pass_deadline()
    looks: list[Callable[[], object]] = [
        lambda: preview(match.service, match.code, ann),
        lambda: send(match.service, match.code, match.game.version, ann),
        lambda: see_as(match.service, match.code, 1, ann),
        lambda: see_all(match.service, match.code, ann),
    ]
    for look in looks:
        with pytest.raises(Refused, match="plays_too"):
            look()
    assert match.letters(kind="looked") == []


def test_seat_is_seen_as_it_sees(database: Database) -> None:
    """Its hand and its sheet, and no other's; all are told whose; `look` shows all of them."""
    match = begun(service_on(database), pace="brisk")
    match.say(1, "defend nothing")
    seen = see_as(match.service, match.code, 1, OPERATOR)
    assert isinstance(seen, Shown)
    (report,) = seen.reports
    assert (report.seat, report.sheet) == (1, ("defend nothing",))
    assert {letter.seat for letter in match.letters(kind="looked")} == {0, 1, 2}
    assert [each.seat for each in see_all(match.service, match.code, OPERATOR).reports] == [0, 1, 2]
    with pytest.raises(Refused, match="no_seat"):
        see_as(match.service, match.code, 3, OPERATOR)
    match.pass_deadline()
    assert "What Green sees and has ordered was looked at" in match.letters(0, "report")[-1].text
