"""Every page can be used by everyone: no serious finding of axe.

On SQLite alone: no browser sees the database, and all of these pages are tried on both sorts elsewhere.
"""

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser

from pbem.rulings.authority import Actor
from pbem.rulings.ending import end_game
from pbem.storage.models import Account
from pbem.storage.sessions import Database
from pbem.voting.proposals import RULED
from tests.pbem.playing import begun, created
from tests.pbem.web.browsing import Tab, served, sign_in

ADDRESS = "ann@players.example"
SERIOUS = ("serious", "critical")
LEVELS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}


def test_no_page_has_a_serious_finding(browser: Browser, sqlite: Database) -> None:
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
        context = browser.new_context()
        tab = Tab(context.new_page(), "axe")
        tab.page.goto(f"{url}/sign-in")
        found = {"/sign-in": _serious(tab)}
        sign_in(tab.page, match, url, ADDRESS)
        game = f"/games/{match.code}"
        tab.page.goto(url + game)
        tab.page.get_by_role("button", name="Plan what comes later").click()
        tab.page.locator("[data-planner] button[value='drill/1']").click()
        tab.page.locator("[data-planner] input[name=path]").first.wait_for()
        tab.page.get_by_label("Your orders, one a line").fill("insure nothing\ndrill 1: c9 to Q7")
        tab.page.get_by_text("One line could not be used").wait_for()
        tab.shot("planning")
        found["the order form at work"] = _serious(tab)
        paths = ["/", "/account", "/new", "/import", "/archive", "/what-ifs", "/guide", "/guide/api"]
        paths += ["/site", "/site/people", f"/site/people/{match.seats[1].account_id}"]
        parts = (
            "",
            "/table",
            "/messages",
            "/reports",
            "/reports/1",
            "/reports/beside?left=1&right=2",
            "/history",
            "/desk",
        )
        paths += [game + part for part in parts]
        paths += [f"/games/{invited.code}", *(f"/games/{over.code}{part}" for part in ("", "/table", "/history/1"))]
        for path in paths:
            answer = tab.page.goto(url + path)
            assert answer is not None
            assert answer.ok, path
            found[path] = _serious(tab)
        context.close()
    assert {path: said for path, said in found.items() if said} == {}


def _serious(tab: Tab) -> list[str]:
    """What is wrong on a phone in light, and at a desk in the dark; each with the places where."""
    tab.page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
    tab.look("phone", "light")
    found = Axe().run(tab.page).response["violations"]
    tab.look("desktop", "dark")
    found += tab.page.evaluate("levels => axe.run(document, levels)", LEVELS)["violations"]
    return [
        f"{each['id']}: {', '.join(node['html'][:90] for node in each['nodes'][:3])}"
        for each in found
        if each["impact"] in SERIOUS
    ]
