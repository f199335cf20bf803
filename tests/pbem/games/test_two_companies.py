"""Rockwell between two companies in the service: what orders for the automaton do."""

from pbem.storage.sessions import Database
from tests.pbem.playing import Match, begun, service_on

STAY = "always drill: any crew stay"
RED = ("place control 1", "place workshop 1", "insure nothing", STAY)
GREEN = ("place exchange 1", "place workshop 2", "insure nothing", STAY)


def report(match: Match, seat: int) -> str:
    """The last report of a seat as text, its lines unfolded."""
    return " ".join(match.letters(seat, "report")[-1].text.split())


def test_orders_for_the_automaton_are_sent_ahead_at_the_brisk_pace(database: Database) -> None:
    """By the company that is first in the control order; for the moves without an order the default is taken."""
    match = begun(service_on(database), rules="rockwell", seats=2, pace="brisk")
    for seat in (0, 1):
        match.say(seat, "bid nothing")
    match.settle()
    taken = match.say(0, "\n".join((*RED, "automaton: c3 to A5 or c3 to A6")))
    assert taken.acknowledgement is not None
    assert taken.acknowledgement.ready
    # An order of the other company's for the automaton is no slip, but never comes up.
    match.say(1, "\n".join((*GREEN, "automaton: c4 to A7")))
    match.settle()
    assert match.game.stage_key == "1-market"
    assert '"automaton c4 to A7": not used, for it was asked of others and not of you.' in report(match, 1)
    for seat in (0, 1):
        told = report(match, seat)
        assert "Crew c3 of the automaton moves from entrance 3 to A" in told
        happened, _, drawn = told.partition("Moves of the last round")
        assert happened.count("of the automaton moves from entrance") == 4
        assert drawn.count("of the automaton moves from entrance") == 1


def test_the_strict_pace_asks_for_the_automatons_move_when_it_comes_up(database: Database) -> None:
    """The game waits for the first in the control order alone, tells a slip back, and goes on with the answer."""
    match = begun(service_on(database), rules="rockwell", seats=2, pace="strict")
    for orders in (("bid nothing", "bid nothing"), ("\n".join(RED[:2]), "\n".join(GREEN[:2])), 2 * ("insure nothing",)):
        for seat, text in enumerate(orders):
            match.say(seat, text)
        match.settle()
    for seat in (0, 1):
        match.say(seat, STAY + "\nready")
    match.settle()
    assert "Which crew of the automaton moves, and where." in match.letters(0)[-1].text
    refused = match.say(0, "automaton: c1 to C5")
    assert "That crew of the automaton can only go to" in match.letters(0, "acknowledgement")[-1].text, refused
    match.say(0, "automaton: c2 to A3 or c2 to A4")
    match.settle()
    told = match.letters(0)[-1].text
    assert "Crew c2 of the automaton moves from entrance 2 to A" in told
    # The next round is played by the standing orders, to the automaton's next move.
    assert "Drilling round 2" in told
    assert "Which crew of the automaton moves, and where." in told.split("What may come up")[0]
