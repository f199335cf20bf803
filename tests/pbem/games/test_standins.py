"""A stand-in holds a seat from the beginning, or takes over that of an absent player and gives it back."""

import pytest

from engine.journal import decode
from pbem.accounts import create_account
from pbem.errors import Refused
from pbem.games.lifecycle import Guest, Plan, create_game, invite, join, replace_guest
from pbem.games.position import position
from pbem.games.resolve import resolve
from pbem.games.rules import rules_of
from pbem.records.verifying import verify
from pbem.reports.data import decode_report
from pbem.rulings.authority import Actor
from pbem.rulings.goingback import Back, roll_back
from pbem.rulings.record import rulings_of
from pbem.rulings.seats import give_back, open_seat, stand_in
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.playing import Match, begun, created, service_on

AWAY = Actor("Ben is at sea")


def sources(match: Match, seat: int) -> list[str]:
    """What answered each decision of a seat so far."""
    rules = rules_of(match.game)
    entries = [decode(rules, row.entry) for row in match.entries()]
    return [given.source for entry in entries for given in entry.answers if given.seat == seat]


def test_game_among_players_and_stand_ins_needs_the_players_alone(database: Database) -> None:
    """It begins when they have joined, waits for them alone, writes to them alone, and verifies to its end."""
    match = begun(service_on(database), seats=2, pace="brisk", standins={"blue": "random"})
    assert (match.game.status, match.game.stage_key) == ("playing", "1-turn")
    while match.game.status == "playing":
        played = match.game.next_entry
        for seat in range(2):
            if match.game.status == "playing":
                match.say(seat, "ready")
        match.settle()
        assert match.game.next_entry > played
    assert "standin" in sources(match, 2)
    assert set(sources(match, 2)) == {"standin"}
    assert {letter.seat for letter in match.letters()} == {0, 1}
    assert verify(match.service, match.code).problem == ""


def test_stand_in_takes_the_side_that_it_is_given_and_the_players_the_others(database: Database) -> None:
    """Each invitation, and each page and report later, names it."""
    match = created(service_on(database), seats=2, standins={"green": "random"})
    assert [seat.name for seat in match.seats if seat.standin] == ["green"]
    assert [seat.account_id is None for seat in match.seats] == [False, True, False]
    assert all("green (a stand-in)" in letter.text.lower() for letter in match.letters(kind="invitation"))
    for seat in (0, 2):
        join(match.service, match.id, seat)
    match.settle()
    sides = decode_report(match.reports(0)[0].data).seats
    assert [(side.id, side.standin, bool(side.player)) for side in sides] == [
        ("red", False, True),
        ("green", True, False),
        ("blue", False, True),
    ]


@pytest.mark.parametrize(
    ("standins", "guests", "code"),
    [
        ({"mauve": "random"}, 2, "bad_side"),
        ({"white": "random"}, 2, "bad_side"),
        ({"green": "brilliant"}, 2, "unknown_level"),
        ({"red": "random", "green": "random"}, 0, "bad_seats"),
        ({"red": "random", "green": "random"}, 3, "bad_seats"),
    ],
)
def test_stand_in_that_can_not_be_is_refused(
    database: Database, standins: dict[str, str], guests: int, code: str
) -> None:
    """A side that the game has not, a level that the rules have not, a game without a player."""
    plan = Plan("tinygame", [Guest(f"p{number}@b.example") for number in range(guests)], standins=standins)
    with pytest.raises(Refused) as refused:
        create_game(service_on(database), plan)
    assert refused.value.code == code


def test_seat_of_a_stand_in_can_be_given_to_a_guest_before_the_game_begins(database: Database) -> None:
    """Then the game waits for the guest to join."""
    match = created(service_on(database), seats=2, standins={"blue": "random"})
    replace_guest(match.service, match.code, 2, Guest("cleo@players.example", "Cleo"))
    assert invite(match.service, match.code) == 3
    for seat in (0, 1):
        join(match.service, match.id, seat)
    assert match.game.status == "inviting"
    join(match.service, match.id, 2)
    match.settle()
    assert (match.game.status, match.seats[2].standin) == ("playing", "")


def test_absent_player_is_stood_in_for_until_the_seat_is_given_back(database: Database) -> None:
    """The game that waited goes on; the player goes on getting reports; all are told of both rulings and why."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, BIDS + "\nready")
    match.say(2, BIDS + "\nready")
    match.settle()
    assert match.game.stage_key == "1-turn"
    stand_in(match.service, match.code, 1, "random", AWAY)
    match.settle()
    assert match.game.stage_key == "2-turn"
    assert set(sources(match, 1)) == {"standin"}
    assert len(match.letters(1, "report")) == 2
    assert "plays your seat" in match.letters(1, "report")[-1].text
    told = decode_report(match.reports(0)[-1].data).rulings
    assert [(each.code, each.reason, each.params) for each in told] == [
        ("standin_set", "Ben is at sea", {"seat": 1, "level": "random"})
    ]
    assert "A stand-in (level random) plays Green from now on." in match.letters(0, "report")[-1].text
    assert match.seats[1].missed == 0
    assert len(match.letters(kind="ruling")) == 3
    match.say(0, "ready")
    give_back(match.service, match.code, 1, Actor("Ben is ashore"))
    assert "Ben is ashore" in match.letters(1, "ruling")[-1].text
    match.say(2, "ready")
    match.settle()
    assert match.game.stage_key == "2-turn"
    match.say(1, "ready")
    match.settle()
    assert match.game.stage_key == "3-turn"
    assert "No stand-in plays Green any more." in match.letters(2, "report")[-1].text
    assert "plays your seat" not in match.letters(1, "report")[-1].text
    assert verify(match.service, match.code).problem == ""


def test_what_the_player_wrote_comes_before_what_the_stand_in_would_do(database: Database) -> None:
    """A sheet is the player's own will: it is used as far as it goes, and the acknowledgement says so."""
    match = begun(service_on(database), pace="brisk")
    stand_in(match.service, match.code, 1, "random", AWAY)
    assert match.say(1, BIDS).acknowledgement is not None
    assert "plays your seat" in match.letters(1, "acknowledgement")[-1].text
    match.say(0, "ready")
    match.say(2, "ready")
    match.settle()
    assert match.game.stage_key == "2-turn"
    assert sources(match, 1)[0] == "order"
    assert set(sources(match, 1)[1:]) <= {"standin"}


def test_strict_game_never_waits_for_a_stand_in(database: Database) -> None:
    """Whoever's question comes up, only players are waited for: with all of them away the game plays itself in time."""
    match = begun(service_on(database), options={"turns": 3}, policy={"pause_after": "0"})
    stand_in(match.service, match.code, 0, "random", AWAY)
    for seat in (1, 2):
        assert "0" not in match.game.waiting
        stand_in(match.service, match.code, seat, "random", AWAY)
    match.settle()
    while match.game.status == "playing":
        assert match.game.waiting == ""
        match.pass_deadline()
    assert match.game.status == "over"
    assert all(set(sources(match, seat)) <= {"standin"} for seat in range(3))


def test_strict_game_asks_the_player_whose_seat_is_given_back(database: Database) -> None:
    """In the middle of a question to several: the others were asked when it came up, this player is now."""
    match = begun(service_on(database))
    stand_in(match.service, match.code, 1, "random", AWAY)
    match.settle()
    asked = len(match.letters(1, "report"))
    match.say(0, BIDS)
    match.settle()
    assert match.game.waiting == "0,2"
    give_back(match.service, match.code, 1, Actor("Ben is ashore"))
    match.settle()
    assert match.game.waiting == "1,2"
    assert len(match.letters(1, "report")) == asked + 1
    match.say(2, BIDS)
    match.settle()
    assert match.game.stage_key == "1-bid"
    match.say(1, BIDS)
    match.settle()
    assert match.game.stage_key != "1-bid"


def test_companies_of_every_level_play_through_sealed_decisions_and_open_ones(database: Database) -> None:
    """One player against three stand-ins of Rockwell: a turn is played when the player says so, and verifies."""
    levels = {"green": "random", "purple": "steady", "white": "sharp"}
    match = begun(service_on(database), "rockwell", seats=1, pace="brisk", standins=levels)
    while match.game.stage_key.startswith("1-"):
        entry = match.game.next_entry
        match.say(0, "ready")
        match.settle()
        assert match.game.next_entry > entry
    assert match.game.stage_key.startswith("2-")
    assert all(set(sources(match, seat)) == {"standin"} for seat in (1, 2, 3))
    assert all(len(sources(match, seat)) >= 7 for seat in (1, 2, 3))
    assert verify(match.service, match.code).problem == ""


def test_resolution_that_is_tried_again_comes_to_the_same(database: Database) -> None:
    """A stand-in's chance follows from the game's secret and the place in the journal, not from the attempt."""
    match = begun(service_on(database), seats=2, pace="brisk", standins={"blue": "random", "white": "random"})
    match.say(0, "ready")
    match.say(1, "ready")
    played = []
    for _ in range(2):
        with match.service.reading() as session:
            played.append(resolve(position(session, match.id)).records)
    assert played[0] == played[1]
    assert "standin" in {given.source for record in played[0] for given in record.entry.answers}


def test_only_a_moderator_sets_a_stand_in_and_with_a_reason(database: Database) -> None:
    """As for any ruling; and what can't be is refused before anything is on record."""
    match = begun(service_on(database), pace="brisk")
    create_account(match.service, "eve@players.example")
    with pytest.raises(Refused, match="not_moderator"):
        stand_in(match.service, match.code, 1, "random", Actor("I want to win", "ann@players.example"))
    with pytest.raises(Refused, match="no_reason"):
        stand_in(match.service, match.code, 1, "random", Actor(" "))
    with pytest.raises(Refused, match="unknown_level"):
        stand_in(match.service, match.code, 1, "brilliant", AWAY)
    with pytest.raises(Refused, match="no_seat"):
        stand_in(match.service, match.code, 9, "random", AWAY)
    with pytest.raises(Refused, match="no_standin"):
        give_back(match.service, match.code, 1, AWAY)
    assert rulings_of(match.service, match.code) == []
    assert not any(seat.standin for seat in match.seats)
    stand_in(match.service, match.code, 1, "random", AWAY)
    with pytest.raises(Refused, match="standin_already"):
        stand_in(match.service, match.code, 1, "random", AWAY)
    assert len(rulings_of(match.service, match.code)) == 1


@pytest.mark.parametrize("pace", ["strict", "brisk"])
def test_game_that_stand_ins_play_alone_takes_its_time(database: Database, pace: str) -> None:
    """Where all players have one, each stage goes on to its deadline; unheard, it pauses, and orders resume it."""
    match = begun(service_on(database), pace=pace, policy={"pause_after": "3"})
    open_seat(match.service, match.code, 2, AWAY)
    for seat in (0, 1):
        stand_in(match.service, match.code, seat, "random", AWAY)
    match.settle()
    opened = match.game.stage_number
    assert match.settle() == 0
    for stage in (1, 2):
        match.pass_deadline()
        assert match.game.stage_number == opened + stage
    assert len(match.reports(0)) == len(match.reports(1)) <= 2 + opened
    match.pass_deadline()
    assert match.game.held == "quiet"
    assert "ends as abandoned" in match.letters(1, "course")[-1].text
    match.say(1, "ready")
    match.settle()
    assert match.game.held == ""
    assert match.game.deadline is not None
    assert not verify(match.service, match.code).problem


def test_game_that_stand_ins_play_alone_goes_back_and_stays(database: Database) -> None:
    """Set back, it is not played on before its deadline either."""
    match = begun(service_on(database), pace="brisk")
    for seat in range(3):
        stand_in(match.service, match.code, seat, "random", AWAY)
    match.settle()
    roll_back(match.service, match.code, Back(1), AWAY)
    match.settle()
    assert match.game.stage_number == 1
    match.pass_deadline()
    assert match.game.stage_number == 2
