"""The moderator's desk: every command through its form, told with its reason, done once, and nobody else's to use."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from markupsafe import escape

from pbem import clock
from pbem.accounts import account_of, create_account
from pbem.commands import COMMANDS, Command
from pbem.games.absence import go_away
from pbem.games.away import Away
from pbem.games.lifecycle import join
from pbem.reports.data import decode_report
from pbem.rulings.authority import Actor
from pbem.rulings.record import rulings_of
from pbem.rulings.seats import stand_in as stand_in_for
from pbem.storage.sessions import Database
from pbem.words import Words
from tests.pbem.games.test_play import BIDS
from tests.pbem.playing import Match, begun, created, service_on
from tests.pbem.web.visiting import Visit, app_on, forms, letters_to

MODERATOR = "mod@players.example"


def desk(database: Database) -> tuple[Match, Visit]:
    """A game, and its moderator at the desk."""
    match = begun(service_on(database), pace="brisk", policy={"ask_share": "100"}, moderator=MODERATOR)
    visit = Visit(app_on(match.service), match.service, MODERATOR)
    visit.get(f"/games/{match.code}/desk")
    return match, visit


def acts(match: Match) -> list[tuple[str, str, str]]:
    """The rulings: what, by whom, why."""
    return [(each.act, each.actor, each.reason) for each in rulings_of(match.service, match.code)]


def plays_in(match: Match, seat: int) -> None:
    """Let the moderator's account hold a seat of its own game."""
    create_account(match.service, MODERATOR)
    with match.service.writing() as session:
        row = match.seats[seat]
        row.account_id = match.game.moderator_id
        session.merge(row)


def test_deadline_is_moved_from_the_desk_and_told_at_once(database: Database) -> None:
    """As by the command line: on record under the moderator's name, a letter to each player, on the desk's list."""
    match, visit = desk(database)
    old = match.game.deadline
    assert old is not None
    shown = visit.send(f"/games/{match.code}/desk/extend", hours="12", reason="a holiday")
    assert match.game.deadline == old + timedelta(hours=12)
    assert acts(match) == [("deadline_extended", "mod", "a holiday")]
    assert len(match.letters(kind="ruling")) == 3
    assert "a holiday" in shown
    words = Words.of("en", "UTC")
    page = Visit(app_on(match.service), match.service, "ann@players.example").get(f"/games/{match.code}")
    assert words.moment(old + timedelta(hours=12)) in page
    assert words.moment(old) not in page  # neither where the report that was written before would have it


def test_a_second_redraw_says_on_the_desk_that_it_is_not_done_yet(database: Database) -> None:
    """It needs another moderator: the page does not say that it is done."""
    match, visit = desk(database)
    path = f"/games/{match.code}/desk"
    said: list[str] = []
    for _ in range(2):
        match.say(0, BIDS)
        match.pass_deadline()
        visit.get(path)
        shown = visit.send(f"{path}/roll-back", entry="1", chance="redraw", sheets="keep", reason="bad luck")
        assert ("only when another moderator gives the same command" in shown) == bool(said)
        said.append(visit.send(f"{path}/roll-back/do"))
        match.settle()
    assert "It is done and on record" in said[0]
    assert "It is done once another moderator gives the same command" in said[1]
    assert "It is done and on record" not in said[1]


def test_a_form_that_is_sent_twice_counts_once(database: Database) -> None:
    """The second press finds that there was a ruling since the page was made, and does nothing."""
    match, visit = desk(database)
    path = f"/games/{match.code}/desk/force"
    page = visit.page
    visit.send(path, reason="all agreed")
    visit.page = page
    assert "Nothing was done" in visit.send(path, 409, reason="all agreed")
    match.settle()
    assert match.game.stage_key == "2-turn"
    assert len(acts(match)) == 1


def test_a_form_of_a_stage_that_has_closed_does_nothing(database: Database) -> None:
    """A page that lay open over the deadline forces no later stage."""
    match, visit = desk(database)
    match.pass_deadline()
    assert match.game.stage_key == "2-turn"
    visit.send(f"/games/{match.code}/desk/force", 409, reason="too slow")
    match.settle()
    assert match.game.stage_key == "2-turn"
    assert acts(match) == []


def test_ended_deadline_plays_on(database: Database) -> None:
    """What is missing takes its default; the players' next report says so."""
    match, visit = desk(database)
    visit.send(f"/games/{match.code}/desk/end-deadline", reason="all agreed")
    match.settle()
    assert match.game.stage_key == "2-turn"
    rulings = decode_report(match.reports(0)[-1].data).rulings
    assert [(each.code, each.by, each.reason) for each in rulings] == [("deadline_ended", "mod", "all agreed")]


def test_orders_from_the_desk_are_acknowledged_and_told_as_a_look(database: Database) -> None:
    """The moderator sees the acknowledgement; every player is told at once that they looked."""
    match, visit = desk(database)
    shown = visit.send(f"/games/{match.code}/desk/orders", seat="1", lines=BIDS, reason="by telephone")
    assert BIDS in shown
    assert match.seats[1].ready
    assert len(match.letters(kind="looked")) == 3


def test_withdrawn_orders_play_no_more(database: Database) -> None:
    """The sheet is empty and the seat is waited for again; the player has the acknowledgement, all the ruling."""
    match, visit = desk(database)
    match.say(1, BIDS)
    assert match.seats[1].ready
    visit.get(f"/games/{match.code}/desk")
    visit.send(f"/games/{match.code}/desk/withdraw", seat="1", reason="sent for another game")
    assert not match.seats[1].ready
    assert len(match.letters(1, "acknowledgement")) == 2
    assert len(match.letters(kind="looked")) == 3
    match.pass_deadline()
    report = decode_report(match.reports(1)[-1].data)
    assert BIDS not in [fate.order for fate in report.orders]
    assert [(each.code, each.params) for each in report.rulings] == [("orders_withdrawn", {"seat": 1})]


def test_deadline_is_brought_forward_from_the_desk(database: Database) -> None:
    """By negative hours, and never into the past."""
    match, visit = desk(database)
    old = match.game.deadline
    assert old is not None
    visit.send(f"/games/{match.code}/desk/extend", hours="-1", reason="all agreed")
    assert match.game.deadline == old - timedelta(hours=1)
    visit.send(f"/games/{match.code}/desk/extend", 409, hours="-1000", reason="all agreed")
    assert match.game.deadline == old - timedelta(hours=1)


def test_late_orders_are_admitted_from_the_desk(database: Database) -> None:
    """They count for what is open now."""
    match, visit = desk(database)
    first = (match.game.line, match.game.stage_key)
    match.pass_deadline()
    match.say(0, BIDS, asked=first)
    visit.get(f"/games/{match.code}/desk")
    visit.send(f"/games/{match.code}/desk/admit", seat="0", reason="the post was down")
    assert match.seats[0].ready


def test_stand_in_comes_and_goes_from_the_desk(database: Database) -> None:
    """Both are told."""
    match, visit = desk(database)
    visit.send(f"/games/{match.code}/desk/standin", seat="1", level="random", reason="at sea")
    assert match.seats[1].standin == "random"
    visit.send(f"/games/{match.code}/desk/give-back", seat="1", reason="back")
    assert match.seats[1].standin == ""
    assert [act for act, _, _ in acts(match)] == ["standin_set", "standin_ended"]


def test_game_is_set_back_and_returns_from_the_desk(database: Database) -> None:
    """Points are the openings of stages; what the old line came to can be had again; both have a reason."""
    match, visit = desk(database)
    match.pass_deadline()
    assert match.game.stage_key == "2-turn"
    page = visit.get(f"/games/{match.code}/desk")
    assert "turn 1: The turn (after entry 1" in page
    back = f"/games/{match.code}/desk/roll-back"
    shown = visit.send(back, entry="1", chance="redraw", sheets="clear", reason="a slip")
    assert "turn 2: The turn" in shown
    assert "It would stand in</dt><dd>turn 1: The turn" in shown
    assert (acts(match), match.game.line) == ([], 0)
    assert "drawn anew" in visit.send(f"{back}/do")
    assert (match.game.stage_key, match.game.line) == ("1-turn", 1)
    page = visit.get(f"/games/{match.code}/desk")
    assert "line 0 (leaves after entry 1, ends with entry" in page
    there = f"/games/{match.code}/desk/return"
    assert "It would stand in</dt><dd>turn 2: The turn" in visit.send(there, line="0", reason="it was none")
    assert match.game.stage_key == "1-turn"
    assert "turn 2: The turn" in visit.send(f"{there}/do")
    assert match.game.stage_key == "2-turn"
    assert [(act, reason) for act, _, reason in acts(match)] == [("rolled_back", "a slip"), ("returned", "it was none")]
    visit.get(f"/games/{match.code}/desk")
    assert "no whole number" in visit.send(there, 409, line="x", reason="why")
    visit.get(f"/games/{match.code}/desk")
    assert "it has left: 0, 1." in visit.send(there, 409, line="7", reason="why")


def test_before_and_after_of_a_roll_back_are_no_look(database: Database) -> None:
    """They show what all may know and nobody's hand; where the game has gone on since, nothing is done."""
    match, visit = desk(database)
    match.pass_deadline()
    visit.get(f"/games/{match.code}/desk")
    back = f"/games/{match.code}/desk/roll-back"
    page = visit.send(back, entry="1", chance="keep", sheets="keep", reason="a slip")
    assert (acts(match), match.letters(kind="looked")) == ([], [])
    assert "Hand" not in page
    match.pass_deadline()
    assert "the game has gone on" in visit.send(f"{back}/do", 409)
    assert "The moderator's desk</h1>" in visit.get(back)  # as where it is loaded anew
    assert (acts(match), match.game.line) == ([], 0)


@pytest.mark.parametrize("act", ["roll-back", "return"])
def test_who_plays_is_shown_no_before_and_after(database: Database, act: str) -> None:
    """Nor is the game set back by them."""
    match, visit = desk(database)
    match.pass_deadline()
    plays_in(match, 0)
    visit.get(f"/games/{match.code}/desk")
    given = {"entry": "1", "chance": "keep", "sheets": "keep", "line": "0", "reason": "I lose"}
    said = visit.send(f"/games/{match.code}/desk/{act}", 409, **given)
    assert "You play in this game" in said
    assert match.game.line == 0


def test_a_game_that_was_set_aside_is_taken_up_from_the_desk(database: Database) -> None:
    """Its deadline runs again."""
    match, visit = desk(database)
    with match.service.writing() as session:
        game = match.game
        game.aside, game.problem = True, "failed"
        session.merge(game)
    visit.send(f"/games/{match.code}/desk/resume", reason="mended")
    assert not match.game.aside


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_a_form_and_never_goes_without_a_reason(database: Database, command: Command) -> None:
    """Spaces are no reason; nothing is done."""
    match, visit = desk(database)
    action = f"/games/{match.code}/desk/{command.name}"
    given = {"seat": "0", "hours": "1", "level": "random", "lines": BIDS, "entry": "1", "line": "0"}
    given |= {"chance": "keep", "sheets": "keep", "version": "1", "player": "eve@players.example"}
    given |= {"observer": "1", "schedule": "days=mon", "policy": "nmr=wait", "deadline": "keep"}
    assert "A ruling needs a reason" in visit.send(action, 409, **given, reason=" ")
    assert acts(match) == []


@pytest.mark.parametrize(("field", "value"), [("hours", "soon"), ("hours", "nan"), ("hours", "1e99")])
def test_a_number_that_is_none_is_told(database: Database, field: str, value: str) -> None:
    """The page says what was wrong, and the deadline stays."""
    match, visit = desk(database)
    old = match.game.deadline
    visit.send(f"/games/{match.code}/desk/extend", 409, **{field: value}, reason="a holiday")
    assert match.game.deadline == old


def test_what_was_written_is_shown_with_a_refusal_that_leads_back_to_the_form(database: Database) -> None:
    """A browser keeps no private page: nothing that somebody typed is lost, however the form fails."""
    match, visit = desk(database)
    path = f"/games/{match.code}/desk"
    came = {"Referer": f"http://localhost{path}"}
    form = next(each for each in forms(visit.page) if each.action == f"{path}/orders")
    for lines, reason, why in (
        ("no order & <b>nothing</b>", "by telephone", "no order and changes nothing"),
        ("bid 1", "by telephone " * 50, "at most 500 characters"),
        ("bid 1\n" * 5000, "by telephone", "it may have 20000"),
    ):
        given = {**form.fields, "seat": "1", "lines": lines, "reason": reason}
        answer = visit.client.post(f"{path}/orders", data=given, headers=came)
        assert answer.status_code == 409
        assert why in answer.text
        assert f'href="{path}"' in answer.text
        assert reason.strip() in answer.text
        assert escape(lines.strip()) in answer.text
    stale = visit.client.post(f"{path}/orders", data={**given, "csrf_token": "old", "lines": "bid 2"}, headers=came)
    assert stale.status_code == 400
    assert "bid 2" in stale.text
    elsewhere = visit.client.post(f"{path}/force", data=form.fields, headers={"Referer": "http://evil.example/x"})
    assert "evil" not in elsewhere.text
    assert acts(match) == []


def test_the_desk_says_that_a_stage_is_held_for_review(database: Database) -> None:
    """With its deadline, which stays."""
    match, visit = desk(database)
    shown = visit.send(f"/games/{match.code}/desk/hold", reason="a rules question")
    assert "The moderator looks over what comes of this stage before it is sent." in shown
    assert "Deadline: " in shown


def test_a_seat_is_offered_from_the_desk(database: Database) -> None:
    """In a running game with a reason that all are told; also by a moderator who plays."""
    match, visit = desk(database)
    path = f"/games/{match.code}/desk/replace"
    visit.send(path, seat="0", player="Eve=eve@players.example", reason="Ann is at sea")
    assert acts(match) == [("seat_offered", "mod", "Ann is at sea")]
    [offer] = letters_to(match.service, "eve@players.example", "offer")
    assert "Hello Eve" in offer.text
    assert len(match.letters(kind="ruling")) == 3
    plays_in(match, 2)
    visit.send(path, seat="1", player="fay@players.example", reason="Ben is at sea")
    assert len(acts(match)) == 2
    visit.send(path, 409, seat="1", player="not an address", reason="Ben is at sea")


def test_a_guest_is_replaced_from_the_desk_before_the_game_begins(database: Database) -> None:
    """It needs no reason, the newcomer alone is invited at once, and nothing else can be ruled yet."""
    match = created(service_on(database), moderator=MODERATOR)
    visit = Visit(app_on(match.service), match.service, MODERATOR)
    assert "/desk/extend" not in visit.get(f"/games/{match.code}/desk")
    visit.send(f"/games/{match.code}/desk/replace", seat="1", player="eve@players.example")
    assert len(letters_to(match.service, "eve@players.example", "invitation")) == 1
    assert acts(match) == []


def test_a_game_is_begun_from_the_desk_with_those_who_have_joined(database: Database) -> None:
    """It needs a reason and somebody who has joined; all others who were invited are told, and it counts once."""
    match = created(service_on(database, mail_port=0), moderator=MODERATOR)
    visit = Visit(app_on(match.service), match.service, MODERATOR)
    path, start = f"/games/{match.code}/desk", f"/games/{match.code}/desk-start"
    visit.get(path)
    page = visit.page
    for reason, why in ((" ", "A ruling needs a reason"), ("late", "Nobody has joined yet")):
        visit.page = page
        assert why in visit.send(start, 409, reason=reason)
    join(match.service, match.game.id or 0, 0)
    join(match.service, match.game.id or 0, 1)
    visit.page = page
    assert "The game begins" in visit.send(start, reason="Cleo never answered")
    match.settle()
    assert match.game.status == "playing"
    assert [(act, why) for act, _, why in acts(match)] == [("started", "Cleo never answered")]
    assert "Cleo never answered" in match.letters(0, "report")[0].text
    visit.page = page
    visit.send(start, 409, reason="again")
    assert "desk-start" not in visit.get(path)


def test_how_a_game_takes_players_is_changed_on_the_desk(database: Database) -> None:
    """Open seats, listed or not, and the beginning on the moderator's own clock; what can't be is told."""
    match = created(service_on(database, mail_port=0), moderator=MODERATOR)
    with match.service.writing() as session:
        account = account_of(session, MODERATOR)
        assert account is not None
        account.zone = "Europe/Berlin"
        session.add(account)
    visit = Visit(app_on(match.service), match.service, MODERATOR)
    path, gather = f"/games/{match.code}/desk", f"/games/{match.code}/desk-gather"
    day = f"{clock.now() + timedelta(days=40):%Y-%m-%d}"
    page = visit.get(path)
    for wrong, why in (
        ({"start_at": "soon"}, "write it as 2026-12-03T18:00"),
        ({"start_at": "0001-01-01T00:00+14:00"}, "write it as 2026-12-03T18:00"),
        ({"start_at": "2020-01-08T18:00"}, "lies in the past"),
        ({"start_at": "2999-01-08T18:00"}, "may lie 366 days ahead at most"),
        ({"seating": "fight"}, "choice, draw"),
        ({"seating": "", "listed": "yes"}, "takes nobody who was not invited"),
    ):
        visit.page = page
        assert why in visit.send(gather, 409, **({"seating": "choice"} | wrong))
    visit.page = page
    assert "takes players as you say" in visit.send(gather, seating="draw", listed="yes", start_at=f"{day}T18:00")
    game = match.game
    assert (game.seating, game.listed) == ("draw", True)
    assert game.starts_at == datetime.fromisoformat(f"{day}T18:00").replace(tzinfo=ZoneInfo("Europe/Berlin"))
    page = visit.get(path)
    assert f'value="{day}T18:00"' in page
    assert re.search(r'value="draw" selected', page)
    assert re.search(r'name="listed" value="yes" checked', page)
    assert len(match.letters(0)) == 2, "who is invited is told when it begins"
    visit.send(gather, seating="", start_at="")
    assert (match.game.seating, match.game.listed, match.game.starts_at) == ("", False, None)


def test_guests_of_too_many_invitations_are_invited_from_the_desk_later(database: Database) -> None:
    """The game that was made is not lost, and nobody gets two letters."""
    service = service_on(database, invitations_a_day=1, mail_port=0)
    create_account(service, MODERATOR, "Mo", moderator=True)
    visit = Visit(app_on(service), service, MODERATOR)
    visit.get("/new")
    shown = visit.send("/new", template="open-rockwell", players="Ann=ann@players.example\nBen=ben@players.example")
    assert "not invited yet" in shown
    action = next(form.action for form in forms(shown) if form.action.endswith("/desk-invite"))
    assert letters_to(service, "ann@players.example", "invitation") == []
    visit.send(action, 409)
    visit = Visit(
        app_on(replace(service, settings=service.settings.model_copy(update={"invitations_a_day": 9}))),
        service,
        MODERATOR,
    )
    for _ in range(2):
        visit.get(action.removesuffix("-invite"))
        assert "gets an invitation" in visit.send(action)
    assert len(letters_to(service, "ann@players.example", "invitation")) == 1


def test_the_address_of_the_game_leads_its_moderator_to_the_desk(database: Database) -> None:
    """It is the one that people send each other; for a player it is the seat, for all others nothing."""
    match, visit = desk(database)
    assert f'action="/games/{match.code}/desk/pause"' in visit.get(f"/games/{match.code}")
    create_account(match.service, "ed@players.example")
    Visit(app_on(match.service), match.service, "ed@players.example").get(f"/games/{match.code}", 404)


def test_the_desk_is_for_moderators_alone(database: Database) -> None:
    """A player finds nothing there, by form or by link; a moderator of the site finds every game."""
    match, _ = desk(database)
    player = Visit(app_on(match.service), match.service, "ann@players.example")
    player.get(f"/games/{match.code}/desk", 404)
    player.get("/account")
    csrf = player.page.partition('name="csrf_token" value="')[2].partition('"')[0]
    player.post(f"/games/{match.code}/desk/force", 404, csrf_token=csrf, seen="1/1", reason="now")
    assert "/desk" not in player.get("/")
    assert acts(match) == []
    create_account(match.service, "site@players.example", moderator=True)
    site = Visit(app_on(match.service), match.service, "site@players.example")
    assert f"/games/{match.code}/desk" in site.get("/")
    site.get(f"/games/{match.code}/desk")


def test_the_desk_shows_nothing_hidden(database: Database) -> None:
    """A sheet that was sent changes nothing on the page but who is awaited."""
    match, visit = desk(database)
    match.say(1, BIDS)
    assert BIDS not in visit.get(f"/games/{match.code}/desk")


def test_a_moderator_who_plays_has_only_what_shows_and_changes_nothing_hidden(database: Database) -> None:
    """Extending is told; entering orders, a look, a stand-in and an early end need somebody who does not play."""
    match, visit = desk(database)
    plays_in(match, 2)
    visit.send(f"/games/{match.code}/desk/extend", hours="1", reason="a holiday")
    visit.get(f"/games/{match.code}/desk")
    for name, given in {
        "orders": {"seat": "0", "lines": BIDS},
        "standin": {"seat": "0", "level": "random"},
        "end-deadline": {},
        "force": {},
    }.items():
        page = visit.page
        said = visit.send(f"/games/{match.code}/desk/{name}", 409, **given, reason="I say so")
        assert "You play in this game" in said
        visit.page = page
    assert [act for act, _, _ in acts(match)] == ["deadline_extended"]
    stand_in_for(match.service, match.code, 0, "random", Actor("the operator may"))


def test_a_moderator_who_plays_admits_late_orders_without_seeing_them(database: Database) -> None:
    """They count, and all are told of the ruling; the page shows nothing of the seat, so nobody looked."""
    match, visit = desk(database)
    first = (match.game.line, match.game.stage_key)
    match.pass_deadline()
    match.say(0, BIDS, asked=first)
    plays_in(match, 2)
    visit.get(f"/games/{match.code}/desk")
    shown = visit.send(f"/games/{match.code}/desk/admit", seat="0", reason="the post was down")
    assert match.seats[0].ready
    assert BIDS not in shown
    assert match.letters(kind="looked") == []
    assert len(match.letters(kind="ruling")) == 3


def test_the_desk_says_who_is_away_and_who_will_be(database: Database) -> None:
    """As the other players are told."""
    match, visit = desk(database)
    now = clock.now()
    with match.service.writing() as session:
        go_away(session, account_id(match, 0), Away(now, now + timedelta(days=2)))
        go_away(session, account_id(match, 1), Away(now + timedelta(days=3), now + timedelta(days=5)))
    page = visit.get(f"/games/{match.code}/desk")
    assert "Red is away until" in page
    assert "Green will be away from" in page
    assert "Purple" not in page.partition("is away until")[2].partition("</p>")[0]


def account_id(match: Match, seat: int) -> int:
    """The account of a seat's player."""
    found = match.seats[seat].account_id
    assert found is not None
    return found


def test_the_desk_sends_nobody_to_the_command_line(database: Database) -> None:
    """What it lists itself, no sentence on it looks for elsewhere."""
    _, visit = desk(database)
    assert "pbem game" not in visit.page
    assert 'list="entry-list"' in visit.page
