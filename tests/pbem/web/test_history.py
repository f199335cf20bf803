"""A game's course step by step, and all of it when the game is over."""

import html
import re

import pytest

from pbem.accounts import create_account
from pbem.rulings.authority import Actor
from pbem.rulings.ending import end_game
from pbem.storage.sessions import Database
from pbem.voting.proposals import RULED
from tests.pbem.playing import begun, service_on
from tests.pbem.web.visiting import Visit, app_on

ANN, BEN = "ann@players.example", "ben@players.example"
MOD, EVE = "mod@players.example", "eve@players.example"
HIDDEN = "What only each side knew"


def last_step(page: str) -> int:
    """How many steps there are."""
    found = re.search(r"Step \d+ of (\d+)", page)
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize(("rules", "seats"), [("rockwell", 4), ("brass_empire", 3), ("tinygame", 2)])
def test_each_step_has_an_address_and_shows_the_same_to_all(database: Database, rules: str, seats: int) -> None:
    """Forward, back and the slider lead from one to the next; nothing of it is hidden knowledge while play goes on."""
    match = begun(service_on(database), rules, seats, pace="brisk")
    for _ in range(1 if rules == "tinygame" else 2):
        match.pass_deadline()
    app = app_on(match.service)
    ann, ben = Visit(app, match.service, ANN), Visit(app, match.service, BEN)
    newest = ann.get(f"/games/{match.code}/history")
    last = last_step(newest)
    assert last > 1
    for number in sorted({1, 2, last - 1, last}):
        path = f"/games/{match.code}/history/{number}"
        page = ann.get(path)
        assert (f"/history/{number - 1}" in page) == (number > 1)
        assert (f'rel="next" href="/games/{match.code}/history/{number + 1}"' in page) == (number < last)
        assert HIDDEN not in page
        mine, theirs = (re.sub(r'class="item( me)?"|>Ann<|>Ben<', "", each) for each in (page, ben.get(path)))
        assert mine == theirs
    assert f"Step 2 of {last}" in ann.get(f"/games/{match.code}/history?step=2")
    for wrong in (0, last + 1):
        ann.get(f"/games/{match.code}/history/{wrong}", 404)


def test_history_goes_no_further_than_what_was_told(database: Database) -> None:
    """What was played in a stage that is still open, and stands in no report of the seat yet, is no step."""
    match = begun(service_on(database), "rockwell", 4)
    match.pass_deadline()
    first = int(match.game.waiting.split(",")[0])
    app, path = app_on(match.service), f"/games/{match.code}/history"
    names = ("ann", "ben", "cleo", "dan")
    others = {seat: Visit(app, match.service, f"{names[seat]}@players.example") for seat in range(4) if seat != first}
    before = {seat: (match.seats[seat].told, last_step(visit.get(path))) for seat, visit in others.items()}
    match.say(first, "place workshop or control or exchange")
    match.settle()
    untold = [seat for seat in others if match.seats[seat].told == before[seat][0]]  # who is asked next is told
    assert untold
    for seat in untold:
        assert match.game.next_entry - 1 > match.seats[seat].told
        assert last_step(others[seat].get(path)) == before[seat][1]


@pytest.mark.parametrize(("rules", "seats"), [("rockwell", 4), ("brass_empire", 3)])
def test_when_the_game_is_over_all_is_open(database: Database, rules: str, seats: int) -> None:
    """All hands at every step, plots with their figures as a table, and the secret."""
    match = begun(service_on(database), rules, seats, pace="brisk", policy={"pause_after": "0", "open_after": "0"})
    for _ in range(4):
        match.pass_deadline()
    visit = Visit(app_on(match.service), match.service, ANN)
    assert "<polyline" not in visit.get(f"/games/{match.code}/table")
    end_game(match.service, match.code, RULED, None, Actor("enough"))
    match.settle()
    assert match.game.status == "over"
    page = visit.get(f"/games/{match.code}/table")
    assert match.game.secret.hex() in page
    plots = re.findall('<svg viewBox="0 0 720 300" class="plot" role="img" aria-label="([^"]*)">', page)
    assert plots == (
        ["Prestige, as if the game had ended", "Money", "Cubes"]
        if rules == "rockwell"
        else ["Score, as if the game had ended", "Brass in tokens"]
    )
    assert page.count("<polyline") == len(plots) * seats
    assert page.count("The figures as a table") == len(plots)
    page = html.unescape(visit.get(f"/games/{match.code}/history/1"))
    assert HIDDEN in page


@pytest.mark.parametrize("rules", ["rockwell", "tinygame"])
def test_who_leads_a_game_sees_what_all_may_know_without_a_look(database: Database, rules: str) -> None:
    """Board, sides and each step, as the players have been told them; nobody is told of a look, for it is none."""
    match = begun(service_on(database), rules, 3, pace="brisk", moderator=MOD)
    match.pass_deadline()
    app, home = app_on(match.service), f"/games/{match.code}"
    mod, ann = Visit(app, match.service, MOD), Visit(app, match.service, ANN)
    desk = mod.get(f"{home}/desk")
    assert f'href="{home}/table"' in desk
    table = mod.get(f"{home}/table")
    assert f'href="{home}/history"' in table
    assert ("<svg" in table) == (rules == "rockwell")
    assert "My seat" not in table
    last = last_step(ann.get(f"{home}/history"))
    assert last_step(mod.get(f"{home}/history")) == last
    for number in (1, last):
        seen, hers = (visit.get(f"{home}/history/{number}") for visit in (mod, ann))
        assert HIDDEN not in seen
        assert (
            seen.partition("<h2")[2].partition("The position in words")[2]
            == (hers.partition("<h2")[2].partition("The position in words")[2])
        )
    assert match.letters(kind="looked") == []
    assert f'action="{home}/desk/pause"' in mod.get(home)
    mod.get(f"{home}/reports", 404)
    create_account(match.service, EVE)
    Visit(app, match.service, EVE).get(f"{home}/table", 404)
    end_game(match.service, match.code, RULED, None, Actor("enough"))
    match.settle()
    table = mod.get(f"{home}/table")
    assert match.game.secret.hex() in table
    assert "<polyline" not in table  # of a single turn there are no lines
    assert table.count("<details open><summary>The figures as a table") == (3 if rules == "rockwell" else 0)
    assert HIDDEN in mod.get(f"{home}/history/1")
