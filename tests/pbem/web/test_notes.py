"""Notes to oneself, reports side by side, and what else stands beside one's orders."""

from datetime import timedelta

from sqlmodel import select

from pbem import clock
from pbem.games.lifecycle import Guest
from pbem.games.notes import MOST
from pbem.rulings.authority import Actor
from pbem.rulings.seats import replace_player
from pbem.storage.models import Note
from pbem.storage.sessions import Database
from tests.pbem.playing import begun, service_on
from tests.pbem.web.visiting import Visit, app_on

ANN, BEN = "ann@players.example", "ben@players.example"


def test_notes_are_kept_and_shown_to_nobody_else(database: Database) -> None:
    """Also where they are kept twice at once: then both stand. Too long ones change nothing."""
    match = begun(service_on(database), pace="brisk")
    app, code = app_on(match.service), match.code
    ann, ben = Visit(app, match.service, ANN), Visit(app, match.service, BEN)
    ann.get(f"/games/{code}")
    ann.send(f"/games/{code}/notes", notes="Ben bids low")
    assert "Your notes are kept." in ann.page
    both = ann.send(f"/games/{code}/notes", before="", notes="Cleo bids high")  # from a form that was opened before
    assert "Ben bids low\n\nCleo bids high" in both
    ann.send(f"/games/{code}/notes", 409, notes="x" * (MOST + 1))
    assert "Cleo bids high" in ann.get(f"/games/{code}")
    for rest in ("", "/table", "/messages", "/reports", "/reports/1"):
        assert "bids low" not in ben.get(f"/games/{code}{rest}")
    assert "Ben bids low" in ann.get("/account/data")


def test_notes_go_with_the_person_when_the_seat_passes_on(database: Database) -> None:
    """Who takes the seat finds none of them, and nothing of them is left."""
    match = begun(service_on(database), pace="brisk", moderator="mo@x.example")
    app, code = app_on(match.service), match.code
    ann = Visit(app, match.service, ANN)
    ann.get(f"/games/{code}")
    ann.send(f"/games/{code}/notes", notes="a plan of mine")
    replace_player(match.service, code, 0, Guest("eve@players.example", "Eve"), Actor("moved away", "mo@x.example"))
    eve = Visit(app, match.service, "eve@players.example")
    eve.get(f"/games/{code}/offer")
    eve.send(f"/games/{code}/offer/join")
    assert "a plan of mine" not in eve.get(f"/games/{code}")
    with match.service.reading() as session:
        assert session.exec(select(Note)).all() == []


def test_two_reports_stand_side_by_side_as_they_were_sent(database: Database) -> None:
    """Of one's own seat; numbers that are none of them are not found."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk", title="Small pond")
    match.pass_deadline()
    clock.shift(timedelta(hours=1))
    visit = Visit(app_on(match.service), match.service, ANN)
    visit.get(f"/games/{match.code}/reports")
    assert f'action="/games/{match.code}/reports/beside"' in visit.page
    page = visit.get(f"/games/{match.code}/reports/beside?left=1&right=2")
    assert page.count("<article>") == 2
    pair = page.split("<article>")[1:]
    assert "Insurance and drilling" not in pair[0].partition("<h2")[0]
    assert "Insurance and drilling" in pair[1].partition("<h2")[0]
    for query in ("", "?left=1&right=3", "?left=0&right=1", "?left=x&right=1"):
        visit.get(f"/games/{match.code}/reports/beside{query}", 404)


def test_newest_messages_and_the_calendar_stand_beside_the_orders(database: Database) -> None:
    """Three of them at most, and the private address of the feed."""
    match = begun(service_on(database), pace="brisk")
    for number in range(4):
        match.say(1, f"to red: word {number}")
    visit = Visit(app_on(match.service), match.service, ANN)
    page = visit.get(f"/games/{match.code}")
    assert [f"word {number}" in page for number in range(4)] == [False, True, True, True]
    assert "/calendar/" in page
