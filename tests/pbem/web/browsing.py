"""What browser tests share: a served game, a tab whose every sight is kept, and how one signs in."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page
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


@contextmanager
def served(database: Database, rules: str, seats: int, **plan: object) -> Iterator[tuple[Match, str]]:
    """A game whose pages are served, and their address."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    match = begun(service_on(database, base_url=url), rules, seats, **{"title": "The deep end", **plan})
    server = make_server("127.0.0.1", port, create_app(match.service), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield match, url
    finally:
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
        page.on("pageerror", lambda error: self.problems.append(str(error)))

    def shot(self, what: str) -> None:
        """Keep a picture of the whole page."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{self.name}-{what}.png", full_page=True)
        wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{what} is {wide} pixels too wide"
        assert not self.problems, self.problems

    def sign_in(self, match: Match, url: str, address: str) -> None:
        """By the link in the mail, asked for on the page."""
        page = self.page
        page.goto(f"{url}/sign-in")
        page.get_by_label("Your mail address").fill(address)
        page.get_by_role("button", name="Send me a link").click()
        page.goto(url + link(match.service, address))
        page.get_by_role("button", name=re.compile("^Sign in as")).click()
