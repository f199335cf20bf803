"""Help teaches every form of an order: those that can be done in the asker's own position, and the others as such."""

from random import Random

import pytest

from engine.chance import RandomChance
from engine.contract import Setup
from engine.orders.reader import read
from engine.registry import load
from pbem.games.position import position
from pbem.games.titles import drawn_code
from pbem.storage.sessions import Database
from tests.pbem.playing import Match, begun, service_on

DRILLS = ("hire 2", "bribe red c3", "straddle B3 B4", "bring die", "to core")


def helped(match: Match, topic: str, seat: int = 1) -> tuple[str, str]:
    """The letter in answer to `help`, up to the forms for another time, and those."""
    match.say(seat, f"help {topic}")
    text = [letter.text for letter in match.letters(seat) if letter.kind.startswith("help")][-1]
    before, _, after = text.partition("For another time")
    return before, after


def playing(database: Database) -> Match:
    """A game of Rockwell at its first auction."""
    return begun(service_on(database), rules="rockwell", seats=4)


def test_help_teaches_forms_that_can_t_be_done_just_now_as_such(database: Database) -> None:
    """Nobody has a slot, a die or mobility yet: how it is written is told all the same, for another time."""
    before, after = helped(playing(database), "drill")
    for part in DRILLS:
        assert part in after
        assert part not in before
    assert "can't be done as things stand" in after


@pytest.mark.parametrize("topic", ["drill", "bid", "conditions", "hire", "alternatives", "standing", "commands"])
def test_no_line_of_help_is_an_order_when_it_is_sent_back(database: Database, topic: str) -> None:
    """All of it is shown as comments."""
    match = playing(database)
    text = "".join(helped(match, topic))
    assert "# " in text
    with match.service.reading() as session:
        stands = position(session, match.id)
        reading = read(text, load("rockwell").language, stands.rules.view(stands.table.state, 1))
    assert (reading.orders, reading.commands, reading.problems) == ((), (), ())


@pytest.mark.parametrize(("rules", "kind"), [("rockwell", "bid"), ("brass_empire", "corporation")])
def test_help_speaks_of_the_games_own_orders_and_of_another_side(database: Database, rules: str, kind: str) -> None:
    """What it says of all games it says with this one's words, and nobody is told to write to themselves."""
    before, _ = helped(begun(service_on(database), rules, 3), "", 0)
    assert f'"help {kind}" shows all forms' in before
    assert f'"cancel {kind}"' in before
    assert '"to red' not in before


@pytest.mark.parametrize("rules", ["rockwell", "brass_empire", "tinygame"])
def test_the_code_of_a_game_is_no_order_where_it_stands_alone(rules: str) -> None:
    """A letter is titled with it; `82985x` was once asked back as an order that could not be read."""
    module = load(rules)
    seats = max(module.seat_numbers)
    bound = module.bind(Setup(seats))
    view = bound.view(bound.start(RandomChance(Random(1)), []), 0)
    for _ in range(200):
        code = drawn_code()
        reading = read(code, module.language, view, rules=bound)
        assert (reading.orders, reading.commands, reading.problems) == ((), (), ()), code


def test_help_of_conditions_shows_every_fact(database: Database) -> None:
    """As lines that a player can copy."""
    before, _ = helped(playing(database), "conditions")
    assert "# drill 1: c2 to B3 if this extracts B3" in before
    assert "# place control if workshop 1 is free" in before
    assert "# bid" in before


def test_what_can_be_done_now_is_not_for_another_time(database: Database) -> None:
    """A bid of nothing can be made at any auction."""
    before, after = helped(playing(database), "bid")
    assert "# bid nothing" in before
    assert "# bid nothing" not in after
    assert "# bid 1200 + 2 zinc + 1 copper" in before


@pytest.mark.parametrize("topic", ["drill", "conditions"])
def test_help_never_speaks_of_ones_own_company_as_of_another(database: Database, topic: str) -> None:
    """Nobody bribes a crew of their own: each form can be read for the asker, and none passes for usable unread."""
    match = playing(database)
    before, after = helped(match, topic, seat=0)
    assert "bribe red" not in before + after
    assert "bribe green c3" not in before
    assert topic != "drill" or "bribe green c3" in after
    with match.service.reading() as session:
        stands = position(session, match.id)
    forms = [line.removeprefix("# ") for line in (before + after).splitlines() if line.startswith("# ")]
    reading = read("\n".join(forms), load("rockwell").language, stands.rules.view(stands.table.state, 0))
    assert reading.problems == ()
    assert len(reading.orders) == len(forms)
