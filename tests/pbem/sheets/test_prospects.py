"""What an acknowledgement says of orders sent ahead: past hope, too much as things are, and what would come of them."""

import re

from engine.rockwell.geometry import TILE_NAMES
from pbem.games.position import position
from pbem.storage.sessions import Database
from tests.pbem.playing import Match, begun, service_on

PAIRS = (("A2", "A3", "c1", "c2"), ("A4", "A5", "c2", "c3"), ("A6", "A7", "c3", "c4"), ("A8", "A1", "c4", "c1"))
"""Neighbours that two entrances face, and the crews that stand there."""


def drilling(database: Database) -> Match:
    """A brisk game of Rockwell in which nobody has bid: vice presidents are placed, then crews drill."""
    match = begun(service_on(database), rules="rockwell", seats=4, pace="brisk")
    for seat in range(4):
        match.say(seat, "bid nothing")
    match.settle()
    return match


def extraction(match: Match) -> tuple[str, str]:
    """Two crews that meet on a tile of power 2: the lines, and the tile."""
    with match.service.reading() as session:
        stands = position(session, match.id)
        view = stands.rules.view(stands.table.state, 0)
    required = dict(zip(TILE_NAMES, view.required, strict=True))
    for left, right, first, second in PAIRS:
        for to, other, stays, comes in ((left, right, first, second), (right, left, second, first)):
            if required[to] == 2:
                return f"drill 1: {stays} to {to}\ndrill 2: {comes} to {other}\ndrill 3: {comes} to {to}", to
    raise AssertionError("no tile of power 2 between two entrances")


def test_check_says_what_would_come_of_the_orders(database: Database) -> None:
    """Round by round, from the seat's own view; it stands in the answer to `check` alone."""
    match = drilling(database)
    lines, tile = extraction(match)
    match.say(0, f"check\n{lines}")
    text = match.letters(0, "acknowledgement")[-1].text
    assert "What would come of it if nothing else changed" in text
    assert f"{tile} would be extracted (power 2 of 2). You would share it with nobody." in text
    assert "What is left over would be yours." in text
    taken = match.say(0, lines).acknowledgement
    assert taken is not None
    assert not taken.foreseen
    assert "if nothing else changed" not in match.letters(0, "acknowledgement")[-1].text


def test_check_says_of_an_order_that_could_not_be_done_what_the_report_would_say(database: Database) -> None:
    """What the orders before it leave is too little for it: the reason is that of the report on the same orders."""
    match = begun(service_on(database), "brass_empire", 2)
    for seat in range(2):
        match.say(seat, "corporation any")
    match.settle()
    me = int(match.game.waiting)
    lines = "play all\nconvert 8\nend"
    match.say(me, f"check\n{lines}")
    checked = " ".join(match.letters(me, "acknowledgement")[-1].text.split())
    reason = re.search(r"That needs 8 construction; there was \d\.", checked)
    assert reason is not None
    assert f"convert 8 It would not be used as things would stand then. {reason[0]}" in checked
    match.say(me, lines)
    match.settle()
    assert f'"convert 8": not used. {reason[0]}' in " ".join(match.letters(me, "report")[-1].text.split())


def test_check_says_once_what_stands_against_an_order(database: Database) -> None:
    """An order that can't be done from the first is told as that alone."""
    match = drilling(database)
    match.say(0, "check\ndrill 1: c2 to B3")
    text = " ".join(match.letters(0, "acknowledgement")[-1].text.split())
    assert text.count("too far from entrance 2") == 1
    assert "would not be used" not in text


def test_why_an_order_was_not_used_is_told_with_the_fact(database: Database) -> None:
    """The condition that did not hold, in words; what answered without it; what was never asked."""
    match = drilling(database)
    lines = "place control\nplace workshop\nplace exchange\nfirst B3\ndrill 1: c1 to A1 if gold > 3 and money > 0\n"
    match.say(0, lines + "always drill: any crew stay\nsell 1 zinc")
    match.pass_deadline()
    text = " ".join(match.letters(0, "report")[-1].text.split())
    assert '"drill 1: c1 to A1 if gold > 3 and money > 0": not used. Its condition did not hold: gold > 3.' in text
    assert '"place exchange": not used, for what it was for was answered without it.' in text
    assert '"first B3": not used, for it did not come up.' in text
    assert '"sell 1 zinc": not used, for it did not come up.' in text
    assert '"always drill any: any crew stay": done, and it stands.' in text


def test_check_of_a_game_that_foresees_nothing_says_nothing_of_it(database: Database) -> None:
    """No rules module must."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, "check\nbid 1\nattack green with 3")
    assert "if nothing else changed" not in match.letters(0, "acknowledgement")[-1].text


def test_an_order_ahead_that_can_t_be_used_in_this_stage_is_told_at_once(database: Database) -> None:
    """Also where it is not what is asked now; with the reason."""
    match = drilling(database)
    taken = match.say(0, "drill 4: c1 to A1 then B1\ninsure 9 gold\ndrill 1: c1 to A1").acknowledgement
    assert taken is not None
    assert [(line.order, line.code) for line in taken.lines if line.code] == [
        ("drill 4: c1 to A1 then to B1", "needs_mobility"),
        ("insure 9 gold", "too_many_cubes"),
    ]
    assert "2 orders can't be done as things stand" in match.letters(0, "acknowledgement")[-1].text


def test_rounds_that_are_answered_are_not_told_as_open(database: Database) -> None:
    """Two of the four are written: what happens without an answer is said of the others alone."""
    match = drilling(database)
    match.say(0, "drill 1: c2 to A3\ndrill 2: c2 stay")
    text = match.letters(0, "acknowledgement")[-1].text
    assert "In each round that you leave open your first crew stays where it is." in " ".join(text.split())


def test_an_order_that_is_past_hope_answers_nothing(database: Database) -> None:
    """A tile too far for the round is told at once, and what the order was for counts as open."""
    match = drilling(database)
    rest = "place workshop\nplace exchange\ninsure nothing\n" + "\n".join(f"drill {n}: c1 stay" for n in (2, 3, 4))
    taken = match.say(0, f"drill 1: c2 to B3\n{rest}").acknowledgement
    assert taken is not None
    assert [(line.order, line.code, line.passing) for line in taken.lines if line.code] == [
        ("drill 1: c2 to B3", "too_far", False)
    ]
    assert ("drill", 1) in [(each.kind, each.round) for each in taken.unanswered]
    assert not taken.ready
    assert "too far from entrance 2" in " ".join(match.letters(0, "acknowledgement")[-1].text.split())
    taken = match.say(0, "drill 1: c2 to A3").acknowledgement
    assert taken is not None
    assert taken.ready


def test_an_order_that_asks_for_more_than_there_is_now_is_told_to_be_taken_if_there_is_then(database: Database) -> None:
    """The market comes before the auction that the bid is for."""
    match = drilling(database)
    match.pass_deadline()
    taken = match.say(0, "bid 9000").acknowledgement
    assert taken is not None
    (line,) = taken.lines
    assert (line.code, line.passing) == ("too_much_money", True)
    text = match.letters(0, "acknowledgement")[-1].text
    assert "One order could not be done as things are now" in text
    assert "That may change until it comes up: then it is done." in text


def test_orders_of_the_sheet_that_can_t_be_used_in_this_stage_are_told(database: Database) -> None:
    """With any later submission."""
    match = drilling(database)
    match.say(0, "insure 9 gold")
    taken = match.say(0, "place workshop").acknowledgement
    assert taken is not None
    assert [(line.order, line.code) for line in taken.spent] == [("insure 9 gold", "too_many_cubes")]
    assert "One order on it can't be used in this stage" in match.letters(0, "acknowledgement")[-1].text


def test_the_nearest_to_a_bid_of_too_much_is_all_that_there_is(database: Database) -> None:
    """And to one that is not in hundreds the nearest hundred."""
    match = begun(service_on(database), rules="rockwell", seats=4)
    for text, nearest in (("bid 99999", "bid 3000"), ("bid 1280 + 9 zinc", "bid 1300 + 3 zinc"), ("bid 70", "bid 100")):
        taken = match.say(0, text).acknowledgement
        assert taken is not None
        assert taken.lines[0].nearest == nearest
