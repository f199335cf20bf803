"""Observers see what all players know, so many turns behind, by letter and page: nothing else, and nothing sooner."""

import re
from itertools import pairwise

import pytest
from sqlmodel import select

from pbem.accounts import create_account
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.gathering import Newcomer, come
from pbem.habits import Choice
from pbem.mail.joining import choose
from pbem.observing.observers import observe
from pbem.rulings.authority import Actor
from pbem.rulings.ending import end_game
from pbem.rulings.goingback import Back, roll_back
from pbem.rulings.life import change_policy
from pbem.rulings.looking import look
from pbem.rulings.messages import send_message
from pbem.rulings.seats import open_seat
from pbem.site.deleting import delete_account
from pbem.site.merging import merge
from pbem.storage.models import JournalEntry, Observer
from pbem.storage.sessions import Database
from pbem.voting.proposals import RULED
from tests.pbem.games.test_gathering import gathering, request
from tests.pbem.mail.mailing import post
from tests.pbem.observing.watching import (
    EVE,
    MODERATOR,
    TURN,
    observed,
    observing,
    open_game,
    send,
    turns,
)
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.web.visiting import Visit, app_on, letters_to

OPERATOR = Actor("red's mail was lost")


def visit(match: Match, address: str = EVE) -> Visit:
    """Somebody at the pages."""
    with match.service.writing():
        create_account(match.service, address, address.partition("@")[0].title())
    return Visit(app_on(match.service), match.service, address)


def entries(match: Match) -> list[int]:
    """The last entry of each stage of the present line, by the journal alone."""
    newest = {each.number: each for each in sorted(match.entries(), key=lambda each: each.line)}
    rows = [newest[number] for number in sorted(newest) if number < match.game.next_entry]
    return [a.number for a, b in pairwise(rows) if a.stage_key != b.stage_key]


def shown(eve: Visit, match: Match) -> str:
    """The observers' page, but for what guards its forms."""
    return re.sub(r'name="csrf_token" value="[^"]+"', "", eve.get(f"/games/{match.code}/observe"))


def watchers(match: Match) -> list[int]:
    """The accounts that there is anything of."""
    with match.service.reading() as session:
        return [row.account_id for row in session.exec(select(Observer))]


def test_a_turn_is_told_when_two_more_have_been_played(database: Database) -> None:
    """By default: one letter a turn, without an order form; the players are told by name who observes."""
    match = open_game(service_on(database))
    observing(match)
    turns(match, 1)
    assert observed(match) == []
    turns(match, 1)
    assert [each.subject for each in observed(match)] == ["[Deep Shaft] turn 1, observed"]
    turns(match, 1)
    [_, second] = observed(match)
    assert match.game.stage_key == "4-turn"
    assert "as it was when turn 2: The turn began" in second.text
    assert "2 turns behind" in second.text
    assert "____" not in second.text
    assert "The bids" in second.text
    turns(match, 2)
    assert len(observed(match)) == 4
    assert "observed by Eve" in match.letters(0, "report")[-1].text
    assert "Eve" in visit(match, "ann@players.example").get(f"/games/{match.code}/table")


def test_without_delay_a_turn_is_told_when_it_is_over(database: Database) -> None:
    """And the page shows each stage as it closes."""
    match = open_game(service_on(database), policy={"observer_delay": "0"})
    observing(match)
    assert len(observed(match)) == 1
    turns(match, 1)
    assert [each.subject for each in observed(match)] == [f"[Deep Shaft] turn {turn}, observed" for turn in (1, 2)]
    assert "when turn 2: The turn began" in visit(match).get(f"/games/{match.code}/observe")


def test_page_shows_nothing_newer_than_the_delay(database: Database) -> None:
    """Neither the page nor the addresses of newer entries and boards, nor any page of the game's players."""
    match = open_game(service_on(database))
    observing(match)
    turns(match, 4)
    eve = visit(match)
    page = eve.get(f"/games/{match.code}/observe")
    ends = entries(match)
    assert match.game.stage_key == "5-turn"
    assert [int(found) for found in re.findall(r'/observe/(\d+)"', page)] == ends[2::-1]
    for entry in ends[:3]:
        assert "The position" in eve.get(f"/games/{match.code}/observe/{entry}")
    for entry in (*ends[3:], match.game.next_entry - 1, ends[2] + 1, 0):
        eve.get(f"/games/{match.code}/observe/{entry}", 404)
        eve.get(f"/games/{match.code}/observe/{entry}/board.svg", 404)
    for path in ("", "/table", "/reports", "/messages", "/desk", "/record"):
        eve.get(f"/games/{match.code}{path}", 404)


def test_what_is_done_in_the_last_turns_changes_nothing_for_an_observer(database: Database) -> None:
    """Orders, press, rulings, looks, another deadline, a seat that is opened: page and letters stay as they are."""
    match = open_game(service_on(database))
    observing(match)
    turns(match, 4)
    eve = visit(match)
    page, letters = shown(eve, match), len(observed(match))
    everything = len(match.letters())
    match.say(0, f"{TURN}\nto all: a secret plan\nend\nnot ready")
    send_message(match.service, match.code, None, "Hello from the desk", Actor("", MODERATOR))
    look(match.service, match.code, OPERATOR)
    change_policy(match.service, match.code, {"press": "choose"}, OPERATOR)
    open_seat(match.service, match.code, 2, OPERATOR)
    match.settle()
    assert len(match.letters()) > everything + 5
    assert match.game.stage_key == "5-turn"
    assert shown(eve, match) == page
    assert len(observed(match)) == letters
    assert {each.kind for each in match.letters() if each.recipient == EVE} == {"observing", "observed"}


def test_rulings_are_told_with_their_turn(database: Database) -> None:
    """With the reason, and a look too; not before."""
    match = open_game(service_on(database))
    observing(match)
    look(match.service, match.code, OPERATOR)
    turns(match, 2)
    assert not any("mail was lost" in each.text for each in observed(match))
    turns(match, 1)
    assert "red's mail was lost" in observed(match)[-1].text


def test_at_the_end_all_is_told_at_once(database: Database) -> None:
    """In one letter: the turns that were still to come, the standings and the secret; the page has all stages."""
    match = open_game(service_on(database))
    observing(match)
    turns(match, 4)
    before = len(observed(match))
    end_game(match.service, match.code, RULED, None, OPERATOR)
    match.settle()
    assert match.game.status == "over"
    [last] = observed(match)[before:]
    assert "The final standings" in last.text
    assert match.game.secret.hex() in last.text
    assert last.text.count("The bids") == 2
    assert "Ann" in last.text
    eve = visit(match)
    page = eve.get(f"/games/{match.code}/observe")
    assert len(re.findall(r'/observe/(\d+)"', page)) == len(entries(match)) + 1
    assert "The game is over" in page
    assert "Here is your what-if" in eve.send(f"/games/{match.code}/what-if", entry="1")


def test_what_a_roll_back_made_void_is_corrected(database: Database) -> None:
    """At once, with how things stand again and not yet why; what comes instead is told in its time."""
    match = open_game(service_on(database), policy={"observer_delay": "0"})
    observing(match)
    turns(match, 3)
    first = observed(match)
    roll_back(match.service, match.code, Back(entries(match)[1], "redraw"), OPERATOR)
    match.settle()
    [corrected] = observed(match)[len(first) :]
    assert "does not hold" in corrected.text
    assert "turn 2" in corrected.subject
    assert "mail was lost" not in corrected.text
    head = re.search(r"head of the chain (\w+)", first[1].text)
    assert head is not None
    assert head[1] in corrected.text
    eve = visit(match)
    assert [int(found) for found in re.findall(r'/observe/(\d+)"', eve.get(f"/games/{match.code}/observe"))] == [
        *entries(match)[1::-1]
    ]
    turns(match, 1)
    assert "mail was lost" in observed(match)[-1].text
    assert len(observed(match)) == len(first) + 2


def test_a_roll_back_of_what_was_not_told_yet_is_no_news(database: Database) -> None:
    """Nothing that the observer was told is otherwise; and no turn is told sooner because of it."""
    match = open_game(service_on(database))
    observing(match)
    turns(match, 4)
    eve = visit(match)
    first, page = len(observed(match)), shown(eve, match)
    roll_back(match.service, match.code, Back(entries(match)[3], "redraw"), OPERATOR)
    match.settle()
    assert len(observed(match)) == first
    roll_back(match.service, match.code, Back(entries(match)[2]), Actor("the turn before, too"))
    match.settle()
    assert match.game.stage_key == "3-turn"
    assert len(observed(match)) == first
    assert shown(eve, match) == page
    turns(match, 2)
    assert len(observed(match)) == first
    turns(match, 1)
    assert len(observed(match)) == first + 1


def test_letters_of_a_void_line_are_not_sent(database: Database) -> None:
    """Those that wait for an observer's time are withdrawn; the correction comes in their place."""
    match = open_game(service_on(database), policy={"observer_delay": "0"})
    observing(match)
    [number] = watchers(match)
    with match.service.writing() as session:
        choose(session, number, [Choice(mails="asked")])
    turns(match, 3)
    roll_back(match.service, match.code, Back(entries(match)[1], "redraw"), OPERATOR)
    match.settle()
    waiting = [each.subject for each in observed(match) if each.fate == "queued" and each.problem]
    assert waiting == ["[Deep Shaft] turn 2, observed"] * 2
    assert len([each for each in observed(match) if each.fate == "withdrawn"]) == 2


def test_who_plays_leads_or_is_not_meant_to_observes_nothing(database: Database) -> None:
    """And a stranger is not told that a game is there."""
    service = service_on(database)
    match = open_game(service)
    ann, mod = (create_account(service, address) for address in ("ann@players.example", MODERATOR))
    for number, why in ((ann, "plays_here"), (mod, "leads_here")):
        with pytest.raises(Refused, match=why):
            observe(service, match.id, number)
    closed = begun(service, moderator=MODERATOR)
    eve = visit(match)
    eve.get(f"/games/{closed.code}/observe", 404)
    assert closed.game.title not in eve.get("/")
    post(service, request(f"observe {closed.code}", "fay@players.example"))
    assert letters_to(service, "fay@players.example", "observing") == []
    assert len(letters_to(service, "fay@players.example", "stranger")) == 1
    change_policy(service, match.code, {"observers": "nobody"}, OPERATOR)
    eve.get(f"/games/{match.code}/observe", 404)


def test_games_to_observe_are_on_the_first_page(database: Database) -> None:
    """Begun and ended there by a button each."""
    match = open_game(service_on(database))
    eve = visit(match)
    assert f"/games/{match.code}/observe" in eve.get("/")
    assert "2 more turns" in eve.get(f"/games/{match.code}/observe")
    assert "You observe the game" in eve.send(f"/games/{match.code}/observe")
    assert "Games that you observe" in eve.get("/")
    eve.get(f"/games/{match.code}/observe")
    assert "no longer" in eve.send(f"/games/{match.code}/observe/end")
    assert watchers(match) == []
    assert not match.game.observed
    assert "Games that you may observe" in eve.get("/")
    assert match.game.title not in visit(match, "ann@players.example").get("/").partition("may observe")[2]


def test_an_unsigned_request_does_nothing(database: Database) -> None:
    """The letter goes to the address itself, and only an answer to it counts."""
    match = open_game(service_on(database))
    post(match.service, request(f"observe {match.code}", EVE))
    assert watchers(match) == []
    [letter] = letters_to(match.service, EVE, "observing")
    send(match, letter, "observe", "mallory@players.example")
    assert watchers(match) == []
    send(match, letter, "What is this?")
    assert "observe" in letters_to(match.service, EVE, "unreadable")[-1].text
    send(match, letter, "observe")
    assert len(watchers(match)) == 1


@pytest.mark.parametrize("text", ["leave", "observe off", "observe {code} off", "no thanks"])
def test_observing_ends_by_mail(database: Database, text: str) -> None:
    """As an answer to any letter about it; the game is told nothing more to them."""
    match = open_game(service_on(database))
    observing(match)
    turns(match, 2)
    send(match, observed(match)[-1], text.format(code=match.code))
    assert watchers(match) == []
    assert len(letters_to(match.service, EVE, "observing-ended")) == 1
    turns(match, 1)
    assert len(observed(match)) == 1
    assert "observed by" not in match.letters(0, "report")[-1].text


def test_one_click_ends_the_letters_and_leaves_the_page(database: Database) -> None:
    """As mail programs do it; a button brings the letters back, and invitations go on."""
    match = open_game(service_on(database))
    observing(match)
    turns(match, 2)
    [path] = re.findall(rb"List-Unsubscribe: <http://[^/]*(/unsubscribe/\w+)>", observed(match)[0].content)
    stranger = Visit(app_on(match.service), match.service)
    assert "No more letters" in stranger.get(path.decode())
    stranger.post(path.decode())
    turns(match, 1)
    assert len(observed(match)) == 1
    eve = visit(match)
    assert "The position" in eve.get(f"/games/{match.code}/observe")
    eve.send(f"/games/{match.code}/observe")
    turns(match, 1)
    assert len(observed(match)) == 2


def test_letters_to_observers_come_as_their_reader_wants_mail(database: Database) -> None:
    """Those of a game that wait go out as one."""
    match = open_game(service_on(database), stage_hours=1)
    observing(match)
    [number] = watchers(match)
    with match.service.writing() as session:
        choose(session, number, [Choice(mails="daily", mails_at=(12 * 60))])
    turns(match, 4)
    waiting = [each for each in observed(match) if each.problem == "daily-mail"]
    assert len(waiting) >= 2 or len(observed(match)) == 3
    assert all(each.seat is None for each in waiting)


def test_who_gets_a_seat_observes_no_longer(database: Database) -> None:
    """The moderator is told when an observer waits for one; from when it is offered they see the game as it is."""
    match = open_game(service_on(database))
    observing(match)
    [number] = watchers(match)
    assert come(match.service, match.id, Newcomer(number)) is None
    assert "Eve" in letters_to(match.service, MODERATOR, "observer-waits")[0].text
    turns(match, 2)
    assert len(observed(match)) == 1
    open_seat(match.service, match.code, 1, OPERATOR)
    match.settle()
    assert len(letters_to(match.service, EVE, "offer")) == 1
    assert watchers(match) == []
    with pytest.raises(Refused, match="plays_here"):
        observe(match.service, match.id, number)


def test_a_guest_who_joins_observes_no_longer(database: Database) -> None:
    """Before a game begins, too."""
    match = open_game(service_on(database), title="First")
    other = begun_later(match.service)
    observing(other)
    assert len(watchers(other)) == 1
    [number] = watchers(other)
    come(match.service, other.id, Newcomer(number))
    assert watchers(other) == []
    assert not other.game.observed


def begun_later(service: Service) -> Match:
    """A listed game that waits for its players."""
    return gathering(service)


def test_in_an_anonymous_game_the_players_are_told_a_number(database: Database) -> None:
    """And observers see no players' names before the end."""
    match = open_game(service_on(database), anonymous=True)
    observing(match)
    turns(match, 3)
    told = match.letters(0, "report")[-1].text
    assert "One person observes this game" in told
    assert "Eve" not in told
    page = visit(match).get(f"/games/{match.code}/observe")
    assert not any(name in page for name in ("Ann", "Ben", "Cleo"))


def test_names_of_players_are_those_of_then(database: Database) -> None:
    """A seat that another has taken since is still its former player's where the observer is."""
    match = open_game(service_on(database))
    observing(match)
    turns(match, 3)
    come(match.service, match.id, Newcomer(create_account(match.service, "fay@players.example", "Fay")))
    open_seat(match.service, match.code, 1, OPERATOR)
    match.settle()
    send(match, letters_to(match.service, "fay@players.example", "offer")[0], "join")
    eve = visit(match)
    page = eve.get(f"/games/{match.code}/observe")
    assert "Ben" in page
    assert "Fay" not in page
    turns(match, 4)
    page = eve.get(f"/games/{match.code}/observe")
    assert "Fay" in page


def test_a_later_observer_is_told_the_last_turn_and_sees_all(database: Database) -> None:
    """Not the whole game in one letter."""
    match = open_game(service_on(database))
    turns(match, 5)
    observing(match)
    [letter] = observed(match)
    assert letter.text.count("The bids") == 1
    assert "turn 4" in letter.subject
    assert len(re.findall(r'/observe/(\d+)"', visit(match).get(f"/games/{match.code}/observe"))) == 4


def test_nobody_observes_any_more_where_nobody_may(database: Database) -> None:
    """They are told with the next turn; the page is gone at once."""
    match = open_game(service_on(database))
    observing(match)
    turns(match, 2)
    change_policy(match.service, match.code, {"observers": "nobody"}, OPERATOR)
    visit(match).get(f"/games/{match.code}/observe", 404)
    turns(match, 1)
    assert len(observed(match)) == 1
    assert len(letters_to(match.service, EVE, "observing-ended")) == 1
    assert watchers(match) == []


def test_accounts_of_one_person_observe_once_and_not_where_they_play(database: Database) -> None:
    """When they are made one."""
    match = open_game(service_on(database))
    observing(match)
    observing(match, "eva@players.example", "Eva")
    ann, eve, eva = (create_account(match.service, f"{name}@players.example") for name in ("ann", "eve", "eva"))
    merge(match.service, eve, eva, OPERATOR)
    assert watchers(match) == [eve]
    merge(match.service, ann, eve, OPERATOR)
    assert watchers(match) == []


def test_a_person_who_goes_observes_nothing(database: Database) -> None:
    """With the account."""
    match = open_game(service_on(database))
    observing(match)
    [number] = watchers(match)
    delete_account(match.service, number, OPERATOR)
    assert watchers(match) == []
    turns(match, 2)
    assert observed(match) == []


@pytest.mark.parametrize(("rules", "pace"), [("rockwell", "strict"), ("brass_empire", "strict"), ("rockwell", "brisk")])
def test_real_games_are_observed_with_their_board(database: Database, rules: str, pace: str) -> None:
    """The picture is in the letter, and on the page by itself."""
    policy = {"observer_delay": "1"}
    match = open_game(service_on(database), rules, pace=pace, options={}, policy=policy)
    observing(match)
    for _ in range(40):
        if len(observed(match)) > 1 or match.game.status != "playing":
            break
        match.pass_deadline()
    letter = observed(match)[1]
    assert b"image/png" in letter.content
    eve = visit(match)
    page = eve.get(f"/games/{match.code}/observe")
    [(board, high)] = set(re.findall(r'src="([^"]+board.svg)" width="1000" height="(\d+)"', page))
    assert f'viewBox="0 0 1000 {high}"' in eve.get(board)
    assert "<svg" in eve.get(board)
    with match.service.reading() as session:
        assert session.exec(select(JournalEntry)).first() is not None
