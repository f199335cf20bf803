"""What browser tests share: a served game, a tab that is watched, and a quick way to sign in."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page
from werkzeug.serving import make_server

from pbem.storage.sessions import Database
from pbem.web import create_app
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.web.visiting import Visit
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
PATIENCE = 180_000
"""Milliseconds until something is given up: a machine may be slow."""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


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
    """A page of the browser whose every sight must fit its width and break no policy."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.problems: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.problems.append(str(error)))

    def fits(self, what: str) -> None:
        """Whether all of it is within the width, once it has come, and nothing was refused."""
        self.page.wait_for_load_state()
        wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{what} is {wide} pixels too wide"
        assert not self.problems, self.problems

    def shot(self, what: str) -> None:
        """Keep a picture of the whole page."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{self.name}-{what}.png", full_page=True)
        self.fits(what)

    def look(self, size: str, scheme: Literal["light", "dark"] = "light") -> None:
        """See the page at that width and in that scheme."""
        width, height = WIDTHS[size]
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme=scheme)


def sign_in(page: Page, match: Match, url: str, address: str) -> None:
    """As by the link in the mail; the way there is looked at elsewhere."""
    cookie = Visit(create_app(match.service), match.service, address).client.get_cookie("pbem")
    assert cookie is not None
    page.context.add_cookies([{"name": "pbem", "value": cookie.value, "url": url}])
