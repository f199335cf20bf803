"""A seat passes to another player with all that it knows, and who had it before keeps nothing of what comes after."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from pbem import clock
from pbem.accounts import account_of
from pbem.errors import Refused
from pbem.games.calendars import feed, feed_url
from pbem.games.lifecycle import Guest
from pbem.games.offering import decline_offer
from pbem.games.position import position
from pbem.games.standbys import offered_to
from pbem.games.succession import accept
from pbem.records.verifying import verify
from pbem.reports.data import decode_report
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import extend_deadline
from pbem.rulings.looking import look, see_as
from pbem.rulings.record import rulings_of
from pbem.rulings.seats import open_seat, replace_player, stand_in
from pbem.sheets.confirming import resign
from pbem.storage.models import Letter, Standby, Unwanted
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.web.visiting import Visit, app_on, letters_to, link

MODERATOR = "mod@players.example"
EVE, ANN = "eve@players.example", "ann@players.example"
WHY = Actor("Ann has gone to sea")


def offered(match: Match, seat: int = 0, address: str = EVE) -> Letter:
    """A seat offered to somebody by the operator; the letter that does it."""
    replace_player(match.service, match.code, seat, Guest(address, address.partition("@")[0].title()), WHY)
    return letters_to(match.service, address, "offer")[-1]


def account_id(match: Match, address: str) -> int:
    """The number of the account that has the address."""
    with match.service.reading() as session:
        account = account_of(session, address)
    assert account is not None
    assert account.id is not None
    return account.id


def taken_over(match: Match, seat: int = 0, address: str = EVE) -> None:
    """The same, accepted."""
    offered(match, seat, address)
    accept(match.service, match.id, account_id(match, address))
    match.settle()


def test_a_seat_passes_by_a_plain_reply(database: Database) -> None:
    """Offered by mail, taken with `join`: the newcomer gets the story, the others a notice; the game goes on with
    the newcomer's orders."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, BIDS)
    match.pass_deadline()
    post(match.service, reply(offered(match), "join"))
    seat = match.seats[0]
    assert (seat.account_id, seat.generation) == (account_id(match, EVE), 1)
    [story] = letters_to(match.service, EVE, "story")
    assert "You are Red now" in story.text
    assert "The story so far" in story.text
    assert [each.act for each in rulings_of(match.service, match.code)] == ["seat_offered", "seat_replaced"]
    assert {letter.seat for letter in match.letters(kind="course")} == {1, 2}
    post(match.service, reply(story, f"{BIDS}\nready"))
    assert match.seats[0].ready
    assert letters_to(match.service, EVE, "acknowledgement")
    match.pass_deadline()
    assert letters_to(match.service, EVE, "report")
    assert verify(match.service, match.code).problem == ""


def test_the_newcomer_reads_all_that_the_seat_was_told(database: Database) -> None:
    """The letter and the page have every earlier report of the seat, its messages, and its sheet; none of another's."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, "always bid 1")
    match.say(1, "to red: the reef is ours")
    for _ in range(2):
        match.pass_deadline()
    offered(match)
    visit = Visit(app_on(match.service), match.service)
    visit.get(link(match.service, EVE, "offer"))
    page = visit.send(visit.page.split('action="')[1].split('"')[0])
    assert "You are Red now" not in page
    assert "asks you to take over Red" in page
    shown = visit.send(f"/games/{match.code}/offer/join")
    assert "The seat is yours" in shown
    assert "always bid 1" in shown
    assert "the reef is ours" in visit.get(f"/games/{match.code}/messages")
    for number in range(1, len(match.reports(0)) + 1):
        visit.get(f"/games/{match.code}/reports/{number}")
    assert len(match.reports(0)) == 4
    told = decode_report(match.reports(0)[-1].data)
    assert (told.occasion, told.seat) == ("taken", 0)
    story = letters_to(match.service, EVE, "story")[0].text
    for earlier in match.reports(0)[1:3]:
        assert f"Turn {decode_report(earlier.data).turn}:" in story


def test_who_had_the_seat_keeps_nothing_of_it(database: Database) -> None:
    """Neither page nor feed nor reply address works any more, no letter comes, what waited is withdrawn; told why."""
    match = begun(service_on(database), pace="brisk")
    app = app_on(match.service)
    visit = Visit(app, match.service, ANN)
    visit.get(f"/games/{match.code}")
    form = visit.page
    old = match.letters(0, "report")[-1]
    with match.service.writing() as session:
        waiting = session.get_one(Letter, old.id)
        waiting.fate = "queued"
        session.add(waiting)
    taken_over(match)
    for path in ("", "/reports", "/reports/1", "/messages", "/table", "/record", "/offer", "/desk"):
        visit.get(f"/games/{match.code}{path}", 404)
    visit.page = form
    visit.send(f"/games/{match.code}/orders", 404, act="send", text=BIDS)
    visit.page = form
    visit.send(f"/games/{match.code}/ready", 404, act="ready")
    assert match.code not in visit.get("/")
    before = len(letters_to(match.service, ANN, "acknowledgement"))
    post(match.service, reply(old, f"{BIDS}\nready"), reply(old, "to all: I am still here"), reply(old, "join"))
    assert not match.seats[0].sent
    assert len(letters_to(match.service, ANN, "acknowledgement")) == before
    refusals = letters_to(match.service, ANN, "unreadable")
    assert len(refusals) == 3
    assert all("you have that seat no longer" in each.text for each in refusals)
    [farewell] = letters_to(match.service, ANN, "replaced")
    assert "Ann has gone to sea" in farewell.text
    post(match.service, reply(farewell, BIDS))
    with match.service.reading() as session:
        assert session.get_one(Letter, old.id).fate == "withdrawn"
        written = {each.id for each in session.exec(select(Letter).where(col(Letter.recipient) == ANN))}
    match.pass_deadline()
    extend_deadline(match.service, match.code, 5, WHY)
    match.say(1, "to all: hello")
    with match.service.reading() as session:
        later = {each.id for each in session.exec(select(Letter).where(col(Letter.recipient) == ANN))}
    assert later == written


def test_a_deadline_in_the_old_players_calendar_is_taken_back(database: Database) -> None:
    """Their program is told that it is gone; the newcomer's, if they want it, has it."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, "calendar on")
    match.settle()
    assert len(letters_to(match.service, ANN, "calendar")) == 1
    taken_over(match)
    match.settle()
    gone = letters_to(match.service, ANN, "calendar")
    assert len(gone) == 2
    assert b"METHOD:CANCEL" in gone[1].content or b"method=CANCEL" in gone[1].content
    assert match.seats[0].calendar_at is None
    with match.service.reading() as session:
        account = account_of(session, ANN)
        assert account is not None
        found = feed(match.service, session, feed_url(match.service, account).rpartition("/")[2].removesuffix(".ics"))
    assert found is not None
    assert b"BEGIN:VEVENT" not in found


def test_the_old_players_orders_are_not_the_newcomers_to_take_back(database: Database) -> None:
    """What stands on the sheet stays; `undo` and `use` reach back to the passing of the seat and no further."""
    match = begun(service_on(database), pace="brisk")
    closed = (match.game.line, match.game.stage_key)
    match.pass_deadline()
    match.say(0, BIDS, asked=closed)
    match.say(0, "always bid 2")
    taken_over(match)
    told = match.say(0, "undo").acknowledgement
    assert told is not None
    assert "always bid 2" in told.sheet
    late = match.say(0, "use").acknowledgement
    assert late is not None
    assert not late.done


def test_the_newcomer_has_time_to_answer(database: Database) -> None:
    """Whoever takes a seat shortly before a deadline gets half of a stage, as whoever is asked only then does."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, f"{BIDS}\nready")
    deadline = match.game.deadline
    assert deadline is not None
    clock.shift(deadline - clock.now() - timedelta(hours=1))
    taken_over(match)
    new = match.game.deadline
    assert new is not None
    assert new > deadline
    assert not match.seats[0].ready


def test_a_seat_that_was_nobodys_is_waited_for_again(database: Database) -> None:
    """At both paces: once it has a player the stage does not close without their orders."""
    for pace in ("strict", "brisk"):
        match = begun(service_on(database), pace=pace, code=f"vacant-{pace}")
        resign(match.service, match.id, 0, 0)
        match.settle()
        taken_over(match)
        assert "0" in match.game.waiting.split(",")
        for seat in (1, 2):
            match.say(seat, f"{BIDS}\nready")
        match.settle()
        assert match.game.stage_number == 1
        match.say(0, f"{BIDS}\nready")
        match.settle()
        if pace == "brisk":
            assert match.game.stage_number == 2


def test_what_happened_while_the_seat_was_nobodys_is_told_to_who_takes_it(database: Database) -> None:
    """Its reports stopped with its player: the newcomer's first one has all that the seat could see since."""
    match = begun(service_on(database), pace="brisk")
    resign(match.service, match.id, 0, 0)
    for _ in range(3):
        for seat in (1, 2):
            match.say(seat, f"{BIDS}\nready")
        match.settle()
    others = [decode_report(row.data) for row in match.reports(1)[1:]]
    taken_over(match)
    told = decode_report(match.reports(0)[-1].data)
    assert len(told.events) == sum(len(report.events) for report in others)


def test_an_offer_can_be_declined_and_lapses(database: Database) -> None:
    """The moderator hears of both, and the seat stays whose it is; who was asked unbidden is not asked again."""
    match = begun(service_on(database), moderator="mod@players.example")
    post(match.service, reply(offered(match), "no thanks"))
    assert match.seats[0].account_id == account_id(match, ANN)
    with match.service.reading() as session:
        assert session.get(Unwanted, EVE) is not None
    with pytest.raises(Refused, match="unwanted"):
        offered(match)
    late = offered(match, address="fay@players.example")
    clock.shift(timedelta(hours=73))
    match.settle()
    assert len(letters_to(match.service, "fay@players.example", "offer-lapsed")) == 1
    assert len(letters_to(match.service, "mod@players.example", "offer-declined")) == 2
    post(match.service, reply(late, "join"))
    assert match.seats[0].account_id == account_id(match, ANN)
    assert "not offered to you any longer" in letters_to(match.service, "fay@players.example", "unreadable")[0].text


def test_an_answer_from_another_address_is_asked_about(database: Database) -> None:
    """As with any reply: the address that was asked confirms it, and then it counts."""
    match = begun(service_on(database))
    post(match.service, reply(offered(match), "join", sender="eve@work.example"))
    assert match.seats[0].account_id == account_id(match, ANN)
    [question] = letters_to(match.service, EVE, "held")
    post(match.service, reply(question, "confirm"))
    assert match.seats[0].account_id == account_id(match, EVE)


def test_only_one_seat_is_taken_however_often_it_is_said(database: Database) -> None:
    """A second `join` finds no offer, and a later offer of the seat takes the place of an earlier one."""
    match = begun(service_on(database))
    first = offered(match)
    second = offered(match, address="fay@players.example")
    post(match.service, reply(first, "join"))
    assert match.seats[0].account_id == account_id(match, ANN)
    post(match.service, reply(second, "join"), reply(second, "join\nplease"))
    assert match.seats[0].account_id == account_id(match, "fay@players.example")
    assert match.seats[0].generation == 1
    with match.service.reading() as session:
        assert session.exec(select(Standby)).all() == []


def test_who_knows_another_side_is_not_asked(database: Database) -> None:
    """Neither a player of the game, nor one who had another seat of it before; the same player may come back."""
    match = begun(service_on(database))
    with pytest.raises(Refused, match="plays_another"):
        offered(match, 0, "ben@players.example")
    with pytest.raises(Refused, match="holds_it"):
        offered(match, 0, ANN)
    taken_over(match)
    with pytest.raises(Refused, match="knows_another"):
        offered(match, 1, ANN)
    taken_over(match, 0, ANN)
    assert match.seats[0].account_id == account_id(match, ANN)
    assert match.seats[0].generation == 2


def test_a_moderator_who_has_looked_takes_no_seat(database: Database) -> None:
    """Neither one that is offered after the look, nor one that was offered before it; other rulings are no matter."""
    match = begun(service_on(database), moderator=MODERATOR)
    extend_deadline(match.service, match.code, 5, Actor("a holiday", MODERATOR))
    offered(match, 0, MODERATOR)
    see_as(match.service, match.code, 1, Actor("a dispute", MODERATOR))
    mine = account_id(match, MODERATOR)
    with pytest.raises(Refused, match="knows_hidden"):
        accept(match.service, match.id, mine)
    with pytest.raises(Refused, match="knows_hidden"):
        offered(match, 0, MODERATOR)
    assert match.seats[0].account_id != mine


def test_a_moderator_who_had_a_seat_still_sees_nothing_hidden(database: Database) -> None:
    """Having passed it on does not make them somebody who may look."""
    match = begun(service_on(database), moderator=ANN)
    taken_over(match)
    with pytest.raises(Refused, match="plays_too"):
        look(match.service, match.code, Actor("curious", ANN))


def test_a_seat_can_be_opened_at_once(database: Database) -> None:
    """Its player is told with the reason, has nothing of it any more, and somebody else can take it."""
    match = begun(service_on(database), pace="brisk")
    old = match.letters(0, "report")[-1]
    open_seat(match.service, match.code, 0, WHY)
    assert "was taken from its player" in letters_to(match.service, ANN, "ruling")[0].text
    post(match.service, reply(old, BIDS))
    assert not match.seats[0].sent
    Visit(app_on(match.service), match.service, ANN).get(f"/games/{match.code}", 404)
    with pytest.raises(Refused, match="nobody_there"):
        open_seat(match.service, match.code, 0, WHY)
    taken_over(match)
    assert match.seats[0].resigned is None


def test_a_stand_ins_seat_passes_to_a_player(database: Database) -> None:
    """The stand-in plays it no longer."""
    match = begun(service_on(database), pace="brisk")
    stand_in(match.service, match.code, 0, "random", WHY)
    taken_over(match)
    assert match.seats[0].standin == ""
    assert "0" in match.game.waiting.split(",")


def test_an_offer_that_is_gone_is_refused_and_nothing_changes(database: Database) -> None:
    """To whoever never had one, and while the game is not played."""
    match = begun(service_on(database))
    ben = account_id(match, "ben@players.example")
    for act in (accept, decline_offer):
        with pytest.raises(Refused, match="offer_gone"):
            act(match.service, match.id, ben)
    offered(match)
    with match.service.writing() as session:
        game = match.game
        game.status = "over"
        session.merge(game)
    with pytest.raises(Refused, match="wrong_status"):
        accept(match.service, match.id, account_id(match, EVE))
    with match.service.reading() as session:
        assert offered_to(session, match.id, account_id(match, EVE)).seat == 0
        assert position(session, match.id).seats[0].account_id == account_id(match, ANN)
