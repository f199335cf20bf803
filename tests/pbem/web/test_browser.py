"""In a real browser with JavaScript off: from the mailed link to the next report, at the width of a phone and a desk.

Pictures of the pages are kept under build/screenshots.
On SQLite alone: no browser sees the database, and all of these pages are tried on both sorts elsewhere.
"""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from pbem.storage.sessions import Database
from tests.pbem.web.browsing import SCHEMES, WIDTHS, Tab, served
from tests.pbem.web.visiting import link

pytestmark = pytest.mark.usefixtures("large_pictures")
ADDRESS = "ann@players.example"


class Eyes(Tab):
    """A tab that is seen at each width, light and dark."""

    def shot(self, what: str) -> None:
        """Keep a picture of each."""
        for size in WIDTHS:
            for scheme in SCHEMES:
                self.look(size, scheme)
                super().shot(f"{what}-{size}-{scheme}")

    def print(self, what: str) -> None:
        """Keep a picture of what comes out of a printer."""
        self.page.emulate_media(media="print", color_scheme="light")
        super().shot(f"{what}-print")
        self.page.emulate_media(media="screen")


def test_a_stage_is_played_in_the_browser_without_javascript(browser: Browser, sqlite: Database) -> None:
    """Signed in by the mailed link, orders sent by the form, acknowledged, and the next report is there."""
    with served(sqlite, "rockwell", 4, pace="brisk") as (match, url):
        context = browser.new_context(java_script_enabled=False)
        tab = Eyes(context.new_page(), "walk")
        page = tab.page
        page.goto(f"{url}/games/{match.code}")
        assert urlsplit(page.url).path == "/sign-in"
        tab.shot("01-sign-in")
        page.get_by_label("Your mail address").fill(ADDRESS)
        page.get_by_role("button", name="Send me a link").click()
        tab.shot("02-sent")
        page.goto(url + link(match.service, ADDRESS))
        tab.shot("03-confirm")
        page.get_by_role("button", name="Sign in as Ann").click()
        assert urlsplit(page.url).path == f"/games/{match.code}"
        tab.shot("04-seat")
        page.get_by_label("Your orders, one a line").fill(
            "bid 1200 + 1 zink\nplaec workshop 1\nHello everyone\ndrill 1: c9 to Q7"
        )
        page.get_by_role("button", name="Check only").click()
        tab.shot("05-checked")
        page.get_by_role("heading", name="Checked; nothing was kept").wait_for()
        page.get_by_label("Your orders, one a line").fill("bid 1200 + 1 zinc\ninsure nothing")
        page.get_by_role("button", name="Send", exact=True).click()
        tab.shot("06-acknowledged")
        page.get_by_role("heading", name="Your orders are in").wait_for()
        page.get_by_role("link", name="Back to your seat").click()
        tab.shot("07-seat-with-sheet")
        match.say(1, "to red: shall we share A3?\n\nbid 500")
        match.pass_deadline()
        page.goto(f"{url}/games/{match.code}")
        tab.shot("08-next-report")
        page.get_by_text("bid 1200 + 1 zinc").first.wait_for()
        page.get_by_role("heading", name="What became of your orders").wait_for()
        tab.print("08-next-report")
        for number, (name, what) in enumerate(
            [("The game", "table"), ("Messages", "messages"), ("Reports", "reports")], 9
        ):
            page.get_by_role("link", name=name, exact=True).click()
            tab.shot(f"{number:02}-{what}")
        page.get_by_role("list").get_by_role("link").last.click()
        tab.shot("12-earlier-report")
        page.get_by_role("link", name="My games").click()
        tab.shot("13-home")
        page.get_by_role("link", name="Ann").click()
        tab.shot("14-account")
        context.close()
