"""A game is played through the forms alone: what the pages ask, answered as the pages say, is all that it takes."""

import html
import random

import pytest
from sqlmodel import col, select

from pbem.storage.models import Submission
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.playing import NAMES, Match, begun, service_on
from tests.pbem.web.visiting import Visit, app_on, forms


def tables(match: Match, number: int) -> list[Visit]:
    """Each player's browser, signed in by the mailed link."""
    app = app_on(match.service)
    return [Visit(app, match.service, f"{name.lower()}@players.example") for name in NAMES[:number]]


def examples(page: str) -> list[str]:
    """The lines that the page says can be done as things stand."""
    after = page.partition("they are examples, not advice:")[2]
    lines = after.partition('<div class="lines">')[2].partition("</div>")[0]
    return [html.unescape(line).strip() for line in lines.split("<br>")]


@pytest.mark.parametrize("pace", ["strict", "brisk"])
def test_four_companies_play_through_the_form_alone(database: Database, pace: str) -> None:
    """From the auction to the next: each is asked on the page, answers with its lines, and is told what came of it."""
    match = begun(service_on(database), "rockwell", 4, pace=pace)
    visits, pick = tables(match, 4), random.Random(7)
    path, rounds = f"/games/{match.code}", 0
    while match.game.stage_key.startswith("1-"):
        rounds += 1
        assert rounds < 60
        for visit in visits:
            page = visit.get(path)
            if "Your orders are awaited" not in visit.get("/"):
                continue
            shown = examples(visit.get(path))
            assert "What is asked of you" in page
            assert shown
            pick.shuffle(shown)
            answer = visit.send(f"{path}/orders", act="send", text="\n".join(shown))
            assert "could not be used" not in answer
            visit.get(path)
            visit.send(f"{path}/ready", act="ready")
            match.settle()
    assert match.game.stage_key.startswith("2-") or pace == "brisk"
    for visit in visits:
        assert "What became of your orders" in visit.get(f"{path}/reports/2")
    with match.service.reading() as session:
        sources = set(session.exec(select(Submission.source).where(col(Submission.game_id) == match.id)))
    assert sources == {"page"}


def test_whole_game_of_the_tiny_rules_is_played_on_the_page(database: Database) -> None:
    """To its end, at the strict pace, with the answers that the page shows as examples; nobody's deadline passes."""
    match = begun(service_on(database), pace="strict", options={"turns": 3})
    visits = tables(match, 3)
    path = f"/games/{match.code}"
    for _ in range(60):
        for visit in visits:
            if "Your orders are awaited" in visit.get("/"):
                visit.get(path)
                visit.send(f"{path}/orders", act="send", text="\n".join([BIDS, *examples(visit.page)]))
                visit.get(path)
                if any(form.action.endswith("/ready") for form in forms(visit.page)):
                    visit.send(f"{path}/ready", act="ready")
                match.settle()
        if match.game.status == "over":
            break
    assert match.game.status == "over"
    assert all("The final standings" in visit.get(path) for visit in visits)
