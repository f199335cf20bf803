"""In a real browser with JavaScript off: from the mailed link to the next report, at the width of a phone and a desk.

Pictures of the pages are kept under build/screenshots.
"""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import make_server

from pbem.storage.sessions import Database
from pbem.web import create_app
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.web.visiting import link
from tests.servers import free_port

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PICTURES = Path(__file__).parents[3] / "build" / "screenshots"
WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}
ADDRESS = "ann@players.example"


@pytest.fixture(scope="module")
def browser(require: Callable[[str], str]) -> Iterator[Browser]:
    """The machine's Chromium."""
    path = require("browser")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def served(sqlite: Database) -> Iterator[tuple[Match, str]]:
    """A game of Rockwell whose pages are served, and their address."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    match = begun(service_on(sqlite, base_url=url), "rockwell", 4, pace="brisk", title="The deep end")
    server = make_server("127.0.0.1", port, create_app(match.service), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield match, url
    server.shutdown()
    thread.join()
    server.server_close()


class Tab:
    """A page of the browser whose every sight is kept, and that must fit its width and break no policy."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.problems: list[str] = []
        page.on("console", lambda message: self.problems.append(message.text) if message.type == "error" else None)

    def shot(self, what: str) -> None:
        """Keep a picture of the whole page."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{self.name}-{what}.png", full_page=True)
        wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{what} is {wide} pixels too wide"
        assert not self.problems


@pytest.mark.parametrize("size", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_stage_is_played_in_the_browser_without_javascript(
    browser: Browser, served: tuple[Match, str], size: str, scheme: str
) -> None:
    """Signed in by the mailed link, orders sent by the form, acknowledged, and the next report is there."""
    match, url = served
    width, height = WIDTHS[size]
    context = browser.new_context(
        java_script_enabled=False,
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=1,
    )
    tab = Tab(context.new_page(), f"{size}-{scheme}")
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
    assert page.get_by_role("heading", name="Checked; nothing was kept").is_visible()
    page.get_by_label("Your orders, one a line").fill("bid 1200 + 1 zinc\ninsure nothing")
    page.get_by_role("button", name="Send", exact=True).click()
    tab.shot("06-acknowledged")
    assert page.get_by_role("heading", name="Your orders are in").is_visible()
    page.get_by_role("link", name="Back to your seat").click()
    tab.shot("07-seat-with-sheet")
    match.say(1, "to red: shall we share A3?\n\nbid 500")
    match.pass_deadline()
    page.goto(f"{url}/games/{match.code}")
    tab.shot("08-next-report")
    assert page.get_by_text("bid 1200 + 1 zinc").first.is_visible()
    assert page.get_by_role("heading", name="What became of your orders").is_visible()
    for number, (name, what) in enumerate([("The game", "table"), ("Messages", "messages"), ("Reports", "reports")], 9):
        page.get_by_role("link", name=name, exact=True).click()
        tab.shot(f"{number:02}-{what}")
    page.get_by_role("list").get_by_role("link").last.click()
    tab.shot("12-earlier-report")
    page.get_by_role("link", name="My games").click()
    tab.shot("13-home")
    page.get_by_role("link", name="Ann").click()
    tab.shot("14-account")
    context.close()
