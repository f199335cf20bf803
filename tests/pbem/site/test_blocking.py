"""A blocked account has no way in, keeps its seats, and those who lead its games know."""

import pytest
from sqlmodel import col, select

from pbem import clock
from pbem.accounts import create_account
from pbem.errors import Refused
from pbem.games.lifecycle import Guest, Plan, create_game
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import extend_deadline
from pbem.rulings.seats import open_seat
from pbem.storage.models import Standby, Submission
from pbem.storage.sessions import Database
from tests.pbem.mail.mailing import post, reply
from tests.pbem.site.governing import ANN, MO, SITE, acts, at_page, number, playing, settle
from tests.pbem.web.visiting import Visit, app_on, letters_to


def test_nobody_signs_in_to_a_blocked_account(database: Database) -> None:
    """Open sessions end, an old link is void, no new one comes, and what the page says is the same as ever."""
    match = playing(database)
    service = match.service
    inside, late = Visit(app_on(service), service, ANN), Visit(app_on(service), service)
    late.get("/sign-in")
    late.send("/sign-in", address=ANN)
    there = letters_to(service, ANN)[-1].text.partition("/sign-in/")[2].split()[0]
    assert "is blocked" in settle(service, ANN, "block")
    assert "/sign-in" in inside.get(f"/games/{match.code}")
    late.get(f"/sign-in/{there}")
    late.send(f"/sign-in/{there}", 410)
    before = len(letters_to(service, ANN))
    late.get("/sign-in")
    late.send("/sign-in", address=ANN)
    assert len(letters_to(service, ANN)) == before
    assert acts(service) == [("blocked", number(service, ANN), "asked for")]


def test_mail_of_a_blocked_account_does_nothing_and_is_answered_once(database: Database) -> None:
    """However many come; after it was let in again they count."""
    match = playing(database)
    report = match.letters(0, "report")[-1]
    settle(match.service, ANN, "block")
    for text in ("bid 1", "bid 2", "resign"):
        post(match.service, reply(report, text))
    assert len(letters_to(match.service, ANN, "blocked")) == 1
    assert match.seats[0].sheet == b""
    settle(match.service, ANN, "unblock")
    post(match.service, reply(report, "bid 3"))
    with match.service.reading() as session:
        assert [row.text for row in session.exec(select(Submission))] == ["bid 3"]
    settle(match.service, ANN, "block")
    post(match.service, reply(report, "bid 4"))
    assert len(letters_to(match.service, ANN, "blocked")) == 2


def test_a_blocked_player_keeps_the_seat_and_the_game_goes_on(database: Database) -> None:
    """By its policy; the moderator is told of both, with the reason."""
    match = playing(database)
    settle(match.service, ANN, "block", reason="abuse in press")
    match.pass_deadline()
    assert match.game.stage_key == "2-turn"
    assert match.seats[0].account_id == number(match.service, ANN)
    settle(match.service, ANN, "unblock", reason="said sorry")
    blocked, unblocked = letters_to(match.service, MO, "blockedseat")
    assert "Ann is blocked" in blocked.text
    assert "abuse in press" in blocked.text
    assert "said sorry" in unblocked.text
    assert match.letters(1, "blockedseat") == []


def test_a_blocked_moderator_rules_nothing(database: Database) -> None:
    """Neither at the desk nor by mail, nor in their name on the command line."""
    match = playing(database)
    letter = next(each for each in match.letters(kind="leading"))
    settle(match.service, MO, "block")
    post(match.service, reply(letter, "force\nbecause so"))
    assert match.letters(kind="confirm-command") == []
    with pytest.raises(Refused, match="not_moderator"):
        extend_deadline(match.service, match.code, 1, Actor("so", MO))


def test_a_blocked_account_is_not_invited(database: Database) -> None:
    """Who would invite it is told."""
    match = playing(database)
    settle(match.service, ANN, "block")
    with pytest.raises(Refused, match="blocked"):
        create_game(match.service, Plan("tinygame", [Guest(ANN), Guest("new@players.example")]))


def test_a_second_press_and_oneself_are_refused(database: Database) -> None:
    """Nothing goes on record twice, and no moderator locks themselves out."""
    match = playing(database)
    visit = at_page(match.service, ANN)
    page, path = visit.page, f"/site/people/{number(match.service, ANN)}/block"
    visit.send(path, reason="abuse")
    visit.page = page
    assert "blocked already" in visit.send(path, 409, reason="abuse")
    visit.page = page.replace(path, own := f"/site/people/{number(match.service, SITE)}/block")
    assert "your own account" in visit.send(own, 409, reason="abuse")
    assert len(acts(match.service)) == 1


def test_accounts_are_settled_by_moderators_of_the_site_alone(database: Database) -> None:
    """A game's moderator and a player find nothing there, by link or by form; and never without a reason."""
    match = playing(database)
    of = number(match.service, "ben@players.example")
    for address in (MO, ANN):
        visit = Visit(app_on(match.service), match.service, address)
        visit.get("/site/people", 404)
        visit.get(f"/site/people/{of}", 404)
        visit.get("/account")
        csrf = visit.page.partition('name="csrf_token" value="')[2].partition('"')[0]
        for act in ("block", "unblock", "merge", "delete"):
            visit.post(f"/site/people/{of}/{act}", 404, csrf_token=csrf, reason="so", address=ANN)
    assert "A ruling needs a reason" in settle(match.service, ANN, "block", 409, reason=" ")
    assert acts(match.service) == []


def test_a_blocked_account_that_waits_for_a_seat_is_passed_over(database: Database) -> None:
    """The seat is offered to the next in line."""
    match = playing(database)
    zoe, yan = (create_account(match.service, f"{name}@players.example", name) for name in ("zoe", "yan"))
    with match.service.writing() as session:
        for each in (zoe, yan):
            session.add(Standby(game_id=match.id, account_id=each, waits=True, created=clock.now()))
    settle(match.service, "zoe@players.example", "block")
    open_seat(match.service, match.code, 1, Actor("gone"))
    match.settle()
    with match.service.reading() as session:
        offered = select(Standby.account_id).where(col(Standby.seat).is_not(None))
        assert session.exec(offered).all() == [yan]
