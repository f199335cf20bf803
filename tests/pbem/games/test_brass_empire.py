"""Brass Empire by mail: whole turns in one sheet, interim reports, sealed discards, rounds at the brisk pace."""

import re
from typing import Any

from engine.brass_empire.state import State
from engine.journal import decode
from pbem.games.position import position
from pbem.games.rules import rules_of
from pbem.reports.data import decode_report
from pbem.storage.models import Letter
from pbem.storage.sessions import Database
from tests.pbem.playing import Match, begun, service_on


def _begun(database: Database, seats: int = 2, **plan: Any) -> Match:
    """A game past its founding: the first turn is open."""
    match = begun(service_on(database), "brass_empire", seats, **plan)
    for seat in range(seats):
        match.say(seat, "corporation any")
    match.settle()
    return match


def _state(match: Match) -> State:
    with match.service.reading() as session:
        state: State = position(session, match.id).table.state
        return state


def _last(match: Match, seat: int, kind: str = "report") -> Letter:
    return match.letters(seat, kind)[-1]


def test_companies_are_founded_ahead_and_the_first_turn_opens(database: Database) -> None:
    """Each names a corporation in one mail, with what it takes if another has it; then everybody gets a report."""
    match = begun(service_on(database), "brass_empire", 3)
    assert match.game.stage_key == "0-founding"
    for seat in range(3):
        match.say(seat, "corporation harlem or windcraft or any")
    match.settle()
    assert match.game.stage_key.startswith("1-turn_")
    corps = [company.corp for company in _state(match).companies]
    assert len(set(corps)) == 3
    assert {3, 4} < set(corps)
    assert [len(match.letters(seat, "report")) for seat in range(3)] == [2, 2, 2]


def test_a_whole_turn_is_played_by_one_mail(database: Database) -> None:
    """Orders are carried out as they stand; the other company's turn opens with a report of what happened."""
    match = _begun(database)
    me = int(match.game.waiting)
    taken = match.say(
        me, "play all\nbuy station porter or beat constable or scroll broker or gumshoe\nconvert all\nend"
    )
    assert taken.acknowledgement is not None
    assert not taken.acknowledgement.problems
    assert taken.acknowledgement.ready
    match.settle()
    other = 1 - me
    assert match.game.waiting == str(other)
    assert _state(match).seat == other
    assert "plays" in _last(match, other).text
    fates = decode_report(match.reports(me)[-1].data).orders
    assert fates[0].code == "used"


def test_a_sheet_that_runs_out_brings_an_interim_report(database: Database) -> None:
    """At the strict pace the seat is told what it has now and asked to go on; nobody else is."""
    match = _begun(database, pace="strict")
    me = int(match.game.waiting)
    before = len(match.letters(1 - me, "report"))
    match.say(me, "play all")
    match.settle()
    report = decode_report(match.reports(me)[-1].data)
    assert report.occasion == "question"
    assert "You may spend" in _last(match, me).text
    assert len(match.letters(1 - me, "report")) == before
    match.say(me, "end")
    match.settle()
    assert match.game.waiting == str(1 - me)


def test_a_pause_holds_the_turn_there(database: Database) -> None:
    """What stands after it waits; new lines take its place. Past the deadline the rest is carried out."""
    match = _begun(database, pace="strict")
    me = int(match.game.waiting)
    match.say(me, "play all\npause\nend")
    match.settle()
    assert _state(match).seat == me
    assert not _state(match).companies[me].hand
    fates = {fate.order: fate.code for fate in decode_report(match.reports(me)[-1].data).orders}
    assert fates == {"play all": "used", "pause": "waiting", "end": "waiting"}
    match.pass_deadline()
    assert _state(match).seat == 1 - me


def test_a_silent_company_plays_by_default(database: Database) -> None:
    """Every card, what can be converted, and the end: by the deadline, without a word."""
    match = _begun(database, pace="strict")
    me = int(match.game.waiting)
    match.pass_deadline()
    assert _state(match).seat == 1 - me
    rules = rules_of(match.game)
    sources = {given.source for row in match.entries() for given in decode(rules, row.entry).answers}
    assert "default" in sources


def test_at_the_brisk_pace_all_write_their_turns_of_a_round_ahead(database: Database) -> None:
    """One stage a round, in which each is asked once."""
    match = begun(service_on(database), "brass_empire", 3, pace="brisk")
    match.pass_deadline()
    assert match.game.stage_key == "1-round"
    assert match.game.waiting == "0,1,2"
    for seat in range(3):
        assert match.game.stage_key == "1-round"
        match.say(seat, "play all\nconvert all\nend")
        match.settle()
    assert match.game.stage_key == "2-round"
    assert [len(match.letters(seat, "report")) for seat in range(3)] == [3, 3, 3]


def test_no_letter_shows_anothers_hand(database: Database) -> None:
    """Of what the others draw a report says how many; of a building laid down that it lies there."""
    match = _begun(database, seats=3, pace="strict")
    for _ in range(6):
        match.say(int(match.game.waiting), "play all\nend")
        match.settle()
    for seat in range(3):
        for stored in match.reports(seat):
            for event in decode_report(stored.data).events:
                if event["type"] == "drew" and event["seat"] != seat:
                    assert "cards" not in event
                if event["type"] == "laid" and event["seat"] != seat:
                    assert event["card"] == -1


def test_what_is_not_to_be_had_is_told_at_once(database: Database) -> None:
    """The acknowledgement says why the first line can't be done as things stand, and what a slip was taken for."""
    match = _begun(database, pace="strict")
    me = int(match.game.waiting)
    taken = match.say(me, "buy sky dreadnougth")
    assert taken.acknowledgement is not None
    (line,) = taken.acknowledgement.lines
    assert line.order == "buy sky dreadnought"
    assert line.doubts
    assert line.code in ("not_on_offer", "cannot_pay")
    assert "Sky Dreadnought" in _last(match, me, "acknowledgement").text


def test_an_act_is_judged_by_what_the_acts_before_it_leave(database: Database) -> None:
    """What labor will be made by the first line nobody knows yet, so that the lines behind it are not told to fail."""
    match = _begun(database, pace="strict")
    me = int(match.game.waiting)
    taken = match.say(me, "play all\nbuy sky dreadnought\npause\nconvert all\nend")
    assert taken.acknowledgement is not None
    lines = [(line.code, line.passing) for line in taken.acknowledgement.lines]
    assert lines == [("", False), ("not_on_offer", True), *[("", False)] * 3]
    first = match.say(me, "convert all\nplay all")
    assert first.acknowledgement is not None
    assert [line.code for line in first.acknowledgement.lines] == ["no_construction", ""]


def test_check_says_what_a_turn_would_come_to(database: Database) -> None:
    """Line by line as far as nothing is drawn, and what no act can bring about any more; nothing is kept."""
    match = _begun(database, pace="strict")
    me = int(match.game.waiting)
    match.say(me, "check\nplay all\nuse storm coil\npause\nend")
    text = " ".join(_last(match, me, "acknowledgement").text.split())
    assert "What would come of it if nothing else changed" in text
    assert "It would make" in text
    assert "Here you would be told what you have, and asked to go on." in text
    assert "You have no Storm Coil in play." in text
    assert _state(match).companies[me].hand


def test_a_new_hand_is_not_told_as_what_an_order_brought(database: Database) -> None:
    """The five cards of the next turn come by the rules; they stand in what happened, not with the line before them."""
    match = _begun(database, pace="strict")
    me = int(match.game.waiting)
    match.say(me, "play all\nend")
    match.settle()
    text = " ".join(_last(match, me).text.split())
    assert '"end": done.' in text
    assert "it drew" not in text
    assert "it drew" not in " ".join(match.letters(me, "report")[1].text.split())


def test_help_by_mail_shows_all_forms_of_a_turn_and_all_conditions(database: Database) -> None:
    """By the word that begins an order too; what can be done now comes first."""
    match = _begun(database)
    me = int(match.game.waiting)
    match.say(me, "help buy")
    text = match.letters(me, "help-turns")[-1].text
    now, _, later = text.partition("For another time")
    assert "# play all\n" in now
    assert "# pause\n" in now
    assert "# buy jetpack courier from reserve" in later
    match.say(me, "help conditions")
    assert "# if labor >= 4, buy hiring agent" in match.letters(me, "help-conditions")[-1].text
    match.say(me, "help")
    assert '"help turn" shows all forms' in match.letters(me, "help-")[-1].text


def test_no_heading_of_a_letter_stands_above_nothing(database: Database) -> None:
    """Before there is a hand, the plain text has no section for it: the picture stands in the other form alone."""
    match = begun(service_on(database), "brass_empire", 3)
    match.pass_deadline()
    match.pass_deadline()
    letters = match.letters(kind="report")
    assert len(letters) > 3
    empty = re.compile(r"^(.+)\n-{3,}\n\s*\n.+\n-{3,}$", re.MULTILINE)
    assert [found for letter in letters for found in empty.findall(letter.text)] == []
