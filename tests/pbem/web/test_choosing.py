"""A choice made step by step on the page, without a script, for any game."""

import html
import re
import secrets
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.chance import KeyedChance
from engine.orders.writer import write
from engine.table import Table
from pbem.games.position import Position, position
from pbem.sheets.ahead import coming
from pbem.sheets.choosing import AT_ONCE, step
from pbem.storage.sessions import Database
from tests.pbem.playing import NAMES, Match, begun, service_on
from tests.pbem.web.visiting import Visit, app_on, forms

MOST_STEPS = 40


def stands(match: Match) -> Position:
    """The position as it is stored."""
    with match.service.reading() as session:
        return position(session, match.id)


def post(visit: Visit, action: str, fields: dict[str, str], **others: str) -> str:
    """Send a form with other values in some of its fields."""
    values: dict[str, Any] = {**fields, **others}
    return visit.post(action, **values)


def walk(visit: Visit, match: Match, random: Random) -> str:
    """From the seat's form to one with a line more: any of what is offered at each step. The line."""
    form = next(each for each in forms(visit.get(f"/games/{match.code}")) if each.action.endswith("/orders"))
    page = post(visit, f"/games/{match.code}/choose", form.fields)
    for _ in range(MOST_STEPS):
        chosen = re.search('<h1 class="title">Your choice</h1>\n<p class="p"><code class="order">(.*?)</code>', page)
        if chosen is not None:
            return html.unescape(chosen[1])
        form = forms(page)[-2]
        values = re.findall('type="radio" id="[^"]*" name="path" value="([^"]*)"', page)
        if values:
            assert len(values) == len(set(values))
            page = post(visit, form.action, form.fields, path=random.choice(values))
        else:
            least, most, step = (int(re.findall(f'{name}="(\\d+)"', page)[0]) for name in ("min", "max", "step"))
            page = post(visit, form.action, form.fields, number=str(random.randrange(least, most + 1, step)))
    raise AssertionError("endless")


@pytest.mark.parametrize(("rules", "seats"), [("tinygame", 3), ("rockwell", 4), ("brass_empire", 2)])
def test_any_way_through_the_steps_ends_in_an_order_that_is_carried_out(
    database: Database, rules: str, seats: int
) -> None:
    """It stands in the form beside what was there, is sent with it, and answers just what is asked."""
    random, match = Random(20261128), begun(service_on(database), rules, seats)
    app = app_on(match.service)
    visits = [Visit(app, match.service, f"{name.lower()}@players.example") for name in NAMES[:seats]]
    for _ in range(12):
        if match.game.status != "playing":
            break
        waiting = match.game.waiting.split(",")
        seat = random.choice([each.number for each in match.seats if str(each.number) in waiting and not each.ready])
        before = len(match.entries())
        line = walk(visits[seat], match, random)
        (form,) = [each for each in forms(visits[seat].page) if each.action.endswith("/orders")]
        assert line in form.fields["text"].split("\n")
        post(visits[seat], form.action, form.fields, text=f"{line}\nready", act="send")
        now = stands(match)
        view = now.rules.view(now.table.state, seat)
        orders = [write(kept.order, now.module.language, view) for kept in now.sheets[seat].orders]
        assert line in orders or len(match.entries()) > before
        match.settle()
    assert len(match.entries()) > 4


def test_nothing_is_kept_on_the_way(database: Database) -> None:
    """No submission is made before the form is sent, and no step stands in an address."""
    match = begun(service_on(database), "rockwell", 4)
    visit = Visit(app_on(match.service), match.service, "ann@players.example")
    walk(visit, match, Random(1))
    assert match.game.next_submission == 1
    answer = visit.client.get(f"/games/{match.code}/choose")
    assert (answer.status_code, answer.location) == (302, f"/games/{match.code}")


def test_few_choices_are_shown_all_together(database: Database) -> None:
    """As the order lines that they are, each once."""
    match = begun(service_on(database), "tinygame", 2)
    visit = Visit(app_on(match.service), match.service, "ann@players.example")
    visit.get(f"/games/{match.code}")
    (form,) = [each for each in forms(visit.page) if each.action.endswith("/orders")]
    page = post(visit, f"/games/{match.code}/choose", form.fields)
    lines = re.findall('<code class="order">(.*?)</code>', page)
    assert 1 < len(lines) <= AT_ONCE
    assert len(set(lines)) == len(lines)
    assert all(line.startswith("bid ") for line in lines)


@pytest.mark.parametrize("path", ["9", "0.0.0.0.0", "x", "-1", "0.999999999999", "٣", "."])
def test_way_that_is_none_leads_back_to_what_is_asked(database: Database, path: str) -> None:
    """With a word on it; so does one of a stage that has closed, and who is not asked finds no steps."""
    match = begun(service_on(database), "tinygame", 2)
    visit = Visit(app_on(match.service), match.service, "ann@players.example")
    visit.get(f"/games/{match.code}")
    (form,) = [each for each in forms(visit.page) if each.action.endswith("/orders")]
    page = post(visit, f"/games/{match.code}/choose", form.fields, path=path)
    assert "here is what is asked now" in page
    page = post(visit, f"/games/{match.code}/choose", form.fields, stage="0/9-bid", text="hello")
    assert "here is what is asked now" in page
    assert "hello</textarea>" in page  # what was typed is not lost


def test_a_line_with_a_blank_makes_room_for_the_choice(database: Database) -> None:
    """Other lines of the form stay as they are."""
    match = begun(service_on(database), "rockwell", 4)
    visit = Visit(app_on(match.service), match.service, "ann@players.example")
    visit.get(f"/games/{match.code}")
    (form,) = [each for each in forms(visit.page) if each.action.endswith("/orders")]
    text = "to all: good luck\nbid ____\nalways danger nothing"
    page = post(visit, f"/games/{match.code}/choose", form.fields, text=text, path="300.0.0.0.0")
    (form,) = [each for each in forms(page) if each.action.endswith("/orders")]
    assert form.fields["text"].split("\n") == ["to all: good luck", "bid 300", "always danger nothing"]


def test_what_comes_later_is_chosen_as_things_would_stand_then(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of the stage is listed; a later round's choices follow from the line written for an earlier one."""
    drawn = Random(1)  # whether a crew can go on at all is the draw's, in another game
    monkeypatch.setattr(secrets, "token_bytes", lambda number=32: drawn.randbytes(number))
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    match.pass_deadline()
    visit = Visit(app_on(match.service), match.service, "ann@players.example")
    visit.get(f"/games/{match.code}")
    (form,) = [each for each in forms(visit.page) if each.action.endswith("/orders")]
    assert ("for", "ahead") in form.buttons
    fields = {**form.fields, "text": "drill 1: c1 to A1"}
    page = post(visit, f"/games/{match.code}/choose", fields, **{"for": "ahead"})
    listed = re.findall('<button class="button quiet" name="for" value="([^"]*)">', page)
    assert listed == ["place/0", "insure/0", "drill/1", "drill/2", "drill/3", "drill/4"]
    assert page.count('<span class="note">written</span>') == 1
    page = post(visit, f"/games/{match.code}/choose", fields, **{"for": "drill/2"})
    lines = [html.unescape(line) for line in re.findall('<code class="order">(.*?)</code>', page)]
    assert "drill 2: c1 to B1" in lines
    assert "drill 2: c1 to A2" in lines
    place = lines.index("drill 2: c1 to B1")
    way = re.findall('type="radio" id="[^"]*" name="path" value="([^"]*)"', page)[place]
    (form, _) = [each for each in forms(page) if each.action.endswith("/choose")]
    page = post(visit, form.action, form.fields, path=way)
    (form,) = [each for each in forms(page) if each.action.endswith("/orders")]
    assert form.fields["text"].split("\n") == ["drill 1: c1 to A1", "drill 2: c1 to B1"]
    assert match.game.next_submission == 1


@pytest.mark.parametrize(("rules", "seats"), [("tinygame", 3), ("rockwell", 4), ("brass_empire", 3)])
def test_what_comes_later_tells_nothing_that_the_seat_does_not_know(database: Database, rules: str, seats: int) -> None:
    """What is listed and offered is the same on any state that the seat must think possible."""
    match = begun(service_on(database), rules, seats, pace="brisk")
    for turn in range(3):
        now = stands(match)
        for seat in range(seats):
            view = now.rules.view(now.table.state, seat)
            state = now.rules.imagine(view, KeyedChance(b"elsewhere", (str(turn),), 0, {}))
            other = replace(now, table=Table(now.rules, state, b"s", [""] * seats, KeyedChance(b"s", (), 0, {})))
            seen = [
                [
                    (each.decision, each.written, step(at, seat, "", "en", each.state))
                    for each in coming(at, seat, "play all\ndrill 1: c1 to A1", "en")
                ]
                for at in (now, other)
            ]
            assert seen[0] == seen[1]
        if turn < 2:
            match.pass_deadline()


def test_stale_way_is_not_taken_for_another(database: Database) -> None:
    """A step of a form that was made before play went on within the stage leads back to what is asked now."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    visit = Visit(app_on(match.service), match.service, "ann@players.example")
    visit.get(f"/games/{match.code}")
    (form,) = [each for each in forms(visit.page) if each.action.endswith("/orders")]
    page = post(visit, f"/games/{match.code}/choose", form.fields)
    form = forms(page)[-2]
    assert form.fields["entry"] == str(match.game.next_entry)
    page = post(visit, form.action, {**form.fields, "entry": "0"}, number="300")
    assert "here is what is asked now" in page


def test_places_of_the_picture_are_labels_of_the_options_that_mean_them(database: Database) -> None:
    """Each points at one option of the list, which is the way for the keyboard; without a picture there are none."""
    for rules, seats in (("rockwell", 4), ("brass_empire", 3), ("tinygame", 3)):
        match = begun(service_on(database), rules, seats, pace="brisk")
        match.pass_deadline()
        visit = Visit(app_on(match.service), match.service, "ann@players.example")
        spots: dict[str, str] = {}
        for seat in range(seats):
            visit = Visit(visit.client.application, match.service, f"{NAMES[seat].lower()}@players.example")
            visit.get(f"/games/{match.code}")
            (form,) = [each for each in forms(visit.page) if each.action.endswith("/orders")]
            about = {"rockwell": "drill/1", "brass_empire": "turns/0"}.get(rules, "")
            fields = {**form.fields, "text": "play all"}
            page = post(visit, f"/games/{match.code}/choose", fields, **{"for": about})
            lines = dict(re.findall('id="(choice-[0-9]+)"[^>]*> <code class="order">(.*?)</code>', page))
            for control, label in re.findall('class="spot" for="([^"]*)" title="([^"]*)"', page):
                assert lines[control] == label
                spots[label] = control
        assert bool(spots) == (rules != "tinygame"), rules
