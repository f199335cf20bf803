"""Every page can be used by everyone: no serious finding of axe."""

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser

from pbem.rulings.authority import Actor
from pbem.rulings.ending import end_game
from pbem.storage.models import Account
from pbem.storage.sessions import Database
from pbem.voting.proposals import RULED
from tests.pbem.playing import begun, created
from tests.pbem.web.browsing import WIDTHS, Tab, served

ADDRESS = "ann@players.example"
SERIOUS = ("serious", "critical")
LOOKS = [("phone", "light")]


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_no_page_has_a_serious_finding(browser: Browser, sqlite: Database, size: str, scheme: str) -> None:
    """Contrast, names, labels, landmarks, order of headings as axe judges them; of a site's moderator's pages too."""
    with served(sqlite, "rockwell", 4, pace="brisk") as (match, url):
        with match.service.writing() as session:
            account = session.get_one(Account, match.seats[0].account_id)
            account.moderator = True
            session.add(account)
        match.say(1, "to red: shall we share A3?")
        invited, over = created(match.service, "tinygame", 3), begun(match.service, "brass_empire", 3, pace="brisk")
        over.pass_deadline()  # and that of the other, which is as late
        end_game(match.service, over.code, RULED, None, Actor("enough"))
        over.settle()
        width, height = WIDTHS[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if scheme == "dark" else "light"
        )
        tab = Tab(context.new_page(), f"axe-{size}-{scheme}")
        tab.page.goto(f"{url}/sign-in")
        found = {"/sign-in": _serious(tab)}
        tab.sign_in(match, url, ADDRESS)
        game = f"/games/{match.code}"
        tab.page.goto(url + game)
        tab.page.get_by_role("button", name="Plan what comes later").click()
        tab.page.locator("[data-planner] button[value='drill/1']").click()
        tab.page.locator("[data-planner] input[name=path]").first.wait_for()
        tab.page.get_by_label("Your orders, one a line").fill("insure nothing\ndrill 1: c9 to Q7")
        tab.page.get_by_text("One line could not be used").wait_for()
        tab.shot("planning")
        found["the order form at work"] = _serious(tab)
        paths = ["/", "/account", "/new", "/import", "/archive", "/what-ifs", "/guide", "/site", "/site/people"]
        paths += [
            game,
            *(f"{game}/{rest}" for rest in ("table", "messages", "reports", "reports/1", "desk", "history")),
        ]
        paths += [f"{game}/desk", f"{game}/reports/beside?left=1&right=2", f"/games/{invited.code}"]
        paths += [f"/games/{over.code}{rest}" for rest in ("", "/table", "/history/1")]
        for path in paths:
            answer = tab.page.goto(url + path)
            assert answer is not None
            assert answer.ok, path
            found[path] = _serious(tab)
        context.close()
    assert {path: said for path, said in found.items() if said} == {}


def _serious(tab: Tab) -> list[str]:
    """What is wrong, each with the places where."""
    results = Axe().run(tab.page)
    return [
        f"{each['id']}: {', '.join(node['html'][:90] for node in each['nodes'][:3])}"
        for each in results.response["violations"]
        if each["impact"] in SERIOUS
    ]
