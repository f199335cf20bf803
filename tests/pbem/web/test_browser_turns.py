"""Whole turns through the forms, and a moderator's roll-back, in a real browser.

One seat of a game is played with a script and one without, each at the widths of a phone and of a desk by turns.
On SQLite alone: no browser sees the database, and all of these pages are tried on both sorts elsewhere.
"""

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from random import Random

import pytest
from playwright.sync_api import Browser, Locator, Page

from pbem.storage.sessions import Database
from tests.pbem.playing import NAMES, Match
from tests.pbem.web.browsing import WIDTHS, Tab, served, sign_in

pytestmark = pytest.mark.usefixtures("large_pictures")
MODERATOR = "mo@x.example"
MOST_STEPS = 12
CHANCE = 1
FORM = "Your orders, one a line"


class Seat:
    """The page of a seat, used as a player does."""

    def __init__(self, tab: Tab, home: str, scripted: bool) -> None:
        self.page: Page = tab.page
        self.tab = tab
        self.home = home
        self.scripted = scripted
        self.written: list[str] = []
        self.sizes = cycle(WIDTHS)

    def resize(self) -> str:
        """On at the other width; its name."""
        size = next(self.sizes)
        width, height = WIDTHS[size]
        self.page.set_viewport_size({"width": width, "height": height})
        return size

    def look(self, what: str) -> None:
        """See the page at both widths, and keep pictures."""
        for _ in WIDTHS:
            self.tab.shot(f"{what}-{self.resize()}")

    @property
    def text(self) -> str:
        """What stands in the form."""
        return self.page.get_by_label(FORM).input_value()

    def begin(self) -> None:
        """Open the page, with nothing in the form."""
        self.page.goto(self.home)
        self.page.get_by_label(FORM).fill("")

    def write(self, line: str) -> None:
        """Add a line by hand."""
        self.page.get_by_label(FORM).fill(f"{self.text}\n{line}")
        self.written.append(line)

    def choose(self, wish: str) -> None:
        """What is asked now, step by step."""
        before = self.text
        self.resize()
        self._step(lambda: self.page.get_by_role("button", name="Choose step by step").click())
        self._go(before, wish)

    def plan(self, name: str, wish: str) -> None:
        """What the stage will ask later: the decision and round of that name."""
        before = self.text
        self.resize()
        self._step(lambda: self.page.get_by_role("button", name="Plan what comes later").click())
        self._step(lambda: self._steps.locator(f"button[name=for][value='{name}']").click())
        self._go(before, wish)

    @property
    def _steps(self) -> Locator:
        return self.page.locator("[data-planner]" if self.scripted else "main")

    def _go(self, before: str, wish: str) -> None:
        """On to a whole line, each time by the option that begins with what is wished, else the last."""
        for _ in range(MOST_STEPS):
            if self._is_whole(before):
                break
            choices = self._steps.locator("label.choice")
            wished = choices.filter(has_text=re.compile(rf"^\s*{re.escape(wish)}"))
            if wished.count():
                wished.first.locator("input").check()
            elif choices.count():
                choices.last.locator("input").check()
            self._step(lambda: self._steps.get_by_role("button", name="Go on").click())
        else:
            raise AssertionError("endless")
        (line,) = set(self.text.split("\n")) - set(before.split("\n"))
        assert line.startswith(wish)
        self.written.append(line)

    def _is_whole(self, before: str) -> bool:
        form = self.page.get_by_label(FORM)
        return form.count() > 0 and form.input_value() != before

    def _step(self, click: Callable[[], None]) -> None:
        if not self.scripted:
            click()
            self.page.wait_for_load_state()
            return
        with self.page.expect_response("**/choose"):
            click()
        self.page.locator("[data-planner][aria-busy]").wait_for(state="detached")

    def look_over(self, what: str) -> None:
        """See what is planned, as it is read along where there is a script."""
        if self.scripted:
            self.page.get_by_text("What would change on your sheet").wait_for()
        self.look(what)

    def send(self) -> None:
        """Send the form, and come back."""
        self.page.get_by_role("button", name="Send", exact=True).click()
        self.page.get_by_role("heading", name="Your orders are in", exact=True).wait_for()
        self.tab.fits(f"the answer ({self.resize()})")
        self.page.get_by_role("link", name="Back to your seat").click()


@contextmanager
def seated(browser: Browser, match: Match, url: str, name: str) -> Iterator[list[Seat]]:
    """The first two players, signed in, the one with a script and the other without."""
    with ExitStack() as stack:
        seats = []
        for player, scripted in zip(NAMES, (True, False), strict=False):
            context = browser.new_context(java_script_enabled=scripted)
            stack.callback(context.close)
            tab = Tab(context.new_page(), f"{name}-{'script' if scripted else 'plain'}")
            sign_in(tab.page, match, url, f"{player.lower()}@players.example")
            seats.append(Seat(tab, f"{url}/games/{match.code}", scripted))
        yield seats


@pytest.fixture(autouse=True)
def _same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a crew can go on at all is the draw's, in another game."""
    drawn = Random(CHANCE)
    monkeypatch.setattr(secrets, "token_bytes", lambda number=32: drawn.randbytes(number))


def test_a_whole_rockwell_turn(browser: Browser, sqlite: Database) -> None:
    """Bid, vice presidents, insurance, four rounds of drilling, market and workshop: chosen, sent, carried out."""
    with (
        served(sqlite, "rockwell", 4, pace="brisk") as (match, url),
        seated(browser, match, url, "rockwell") as seats,
    ):
        for seat in seats:
            seat.begin()
            seat.choose("bid")
            seat.send()
        match.pass_deadline()
        assert match.game.stage_key == "1-drilling"
        match.say(2, "place control 1\nplace exchange 3")
        match.say(3, "place control 2\nplace exchange 4")
        for slot, seat in enumerate(seats, 1):
            seat.begin()
            seat.plan("place/0", f"place exchange {slot}")
            seat.write(f"place workshop {slot}")
            seat.plan("insure/0", "insure nothing")
            seat.plan("drill/1", "drill 1: c1")
            for round_ in range(2, 5):
                seat.write(f"drill {round_}: c{round_} stay")
            seat.look_over("planned")
            seat.send()
        match.pass_deadline()
        assert match.game.stage_key == "1-market"
        for seat in seats:
            seat.begin()
            seat.plan("market/0", "sell")
            seat.plan("workshop/0", "safety")
            seat.plan("bid/0", "bid")
            seat.send()
            seat.page.get_by_role("switch", name="I am ready").click()
            seat.look("ready")
        match.pass_deadline()
        assert match.game.stage_key.startswith("2-")
        for number, seat in enumerate(seats):
            told = _told(seat, len(match.reports(number)))
            assert [line for line in seat.written if line not in told] == []


def test_a_whole_brass_empire_turn(browser: Browser, sqlite: Database) -> None:
    """A corporation, then all cards played, something bought and the turn ended: chosen, sent, carried out."""
    with (
        served(sqlite, "brass_empire", 2, pace="strict") as (match, url),
        seated(browser, match, url, "brass") as seats,
    ):
        founding = match.game.stage_key
        for _ in seats:
            seat = seats[int(match.game.waiting)]
            seat.begin()
            seat.choose("corporation any")
            seat.send()
            match.settle()
        assert match.game.stage_key != founding
        for _ in seats:
            turn, seat = match.game.stage_key, seats[int(match.game.waiting)]
            seat.begin()
            seat.choose("play all")
            seat.plan("turns/0", "buy")
            seat.write("end")
            seat.look_over("planned")
            seat.send()
            match.settle()
            assert match.game.stage_key != turn
        for number, seat in enumerate(seats):
            told = _told(seat, len(match.reports(number)))
            assert [line for line in seat.written if line not in told] == []


def _told(seat: Seat, reports: int) -> str:
    """What the seat's reports say, in one text."""
    texts = []
    for number in range(1, reports + 1):
        seat.page.goto(f"{seat.home}/reports/{number}")
        texts.append(seat.page.locator("main").inner_text())
    return "\n".join(texts)


def test_a_moderator_sets_the_game_back(browser: Browser, sqlite: Database) -> None:
    """From the desk, with a reason; the players' pages stand where it was."""
    with served(sqlite, "rockwell", 4, pace="brisk", moderator=MODERATOR) as (match, url):
        for seat in range(4):
            match.say(seat, f"bid {100 * (seat + 1)}")
        match.settle()
        assert match.game.stage_key == "1-drilling"
        width, height = WIDTHS["desktop"]
        context = browser.new_context(viewport={"width": width, "height": height})
        tab = Tab(context.new_page(), "desk-desktop")
        sign_in(tab.page, match, url, MODERATOR)
        tab.page.goto(f"{url}/games/{match.code}/desk")
        tab.fits("the desk")
        tab.page.locator("summary", has_text="roll-back:").click()
        form = tab.page.locator(f"form[action='/games/{match.code}/desk/roll-back']")
        form.locator("[name=entry]").fill("1")
        form.locator("[name=reason]").fill("a slip")
        form.get_by_role("button", name="roll-back", exact=True).click()
        tab.shot("before-and-after")
        assert (
            "\n- Management order: White, Purple, Green, Red\n+ Management order: "
            in tab.page.locator("main").inner_text()
        )
        tab.page.get_by_role("button", name="Set the game back so").click()
        tab.shot("set-back")
        match.settle()
        assert match.game.stage_key == "1-auction"
        assert len(match.letters(0, "report")) > 1
        context.close()
