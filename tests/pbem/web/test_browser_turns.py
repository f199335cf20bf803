"""A whole turn through the forms, and a moderator's roll-back, in a real browser."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page

from pbem.storage.sessions import Database
from tests.pbem.playing import Match
from tests.pbem.web.browsing import WIDTHS, Tab, served

ADDRESS, MODERATOR = "ann@players.example", "mo@x.example"
MOST_STEPS = 12
WAYS = pytest.mark.parametrize(("size", "scripted"), [("phone", True)])


@contextmanager
def tab_of(browser: Browser, size: str, scripted: bool, name: str) -> Iterator[Tab]:
    """A tab of that width."""
    width, height = WIDTHS[size]
    context = browser.new_context(viewport={"width": width, "height": height}, java_script_enabled=scripted)
    yield Tab(context.new_page(), f"{name}-{size}-{'script' if scripted else 'plain'}")
    context.close()


class Seat:
    """The page of a seat, used as a player does."""

    def __init__(self, tab: Tab, scripted: bool) -> None:
        self.page: Page = tab.page
        self.tab = tab
        self.scripted = scripted

    @property
    def text(self) -> str:
        """What stands in the form."""
        return self.page.get_by_label("Your orders, one a line").input_value()

    def choose(self, wish: str, about: str = "") -> str:
        """A choice step by step, each time the option that begins with what is wished, else the last; its line."""
        before = self.text
        steps = self.page.locator("[data-planner]" if self.scripted else "main")
        if about:
            self._step(lambda: self.page.get_by_role("button", name="Plan what comes later").click())
            self._step(lambda: steps.locator(f"button[name=for][value='{about}']").click())
        else:
            self._step(lambda: self.page.get_by_role("button", name="Choose step by step").click())
        for _ in range(MOST_STEPS):
            if self.text_changed(before):
                break
            wished = steps.locator("label.choice").filter(has_text=re.compile(rf"^\s*{re.escape(wish)}"))
            if wished.count():
                wished.first.locator("input").check()
            elif steps.locator("label.choice").count():
                steps.locator("label.choice input").last.check()
            self._step(lambda: steps.get_by_role("button", name="Go on").click())
        else:
            raise AssertionError("endless")
        (line,) = set(self.text.split("\n")) - set(before.split("\n"))
        return line

    def text_changed(self, before: str) -> bool:
        """Whether the choice is whole."""
        form = self.page.get_by_label("Your orders, one a line")
        return form.count() > 0 and form.input_value() != before

    def _step(self, click: Callable[[], None]) -> None:
        if not self.scripted:
            click()
            return
        with self.page.expect_response("**/choose"):
            click()
        self.page.locator("[data-planner][aria-busy]").wait_for(state="detached")

    def send(self, what: str) -> None:
        """Send the form, and come back."""
        self.page.get_by_role("button", name="Send", exact=True).click()
        self.tab.shot(what)
        assert self.page.get_by_role("heading", name="Your orders are in", exact=True).is_visible()
        self.page.get_by_role("link", name="Back to your seat").click()


@WAYS
def test_a_whole_brass_empire_turn(browser: Browser, sqlite: Database, size: str, scripted: bool) -> None:
    """A corporation, then all cards played, something bought and the turn ended: chosen, sent, carried out."""
    with (
        served(sqlite, "brass_empire", 2, pace="strict") as (match, url),
        tab_of(browser, size, scripted, "brass") as tab,
    ):
        _others_play(match, "corporation any")
        tab.sign_in(match, url, ADDRESS)
        seat = Seat(tab, scripted)
        tab.page.goto(f"{url}/games/{match.code}")
        tab.page.get_by_label("Your orders, one a line").fill("")
        seat.choose("corporation any")
        seat.send("1-founding")
        match.settle()
        _others_play(match, "corporation any")
        _others_play(match, "end")
        assert match.game.stage_key == "1-turn_red"
        tab.page.goto(f"{url}/games/{match.code}")
        tab.page.get_by_label("Your orders, one a line").fill("")
        assert seat.choose("play all") == "play all"
        assert seat.choose("buy", "turns/0").startswith("buy ")
        form = tab.page.get_by_label("Your orders, one a line")
        form.fill(f"{seat.text}\nend")
        if scripted:
            tab.page.get_by_text("What would change on your sheet").wait_for()
        tab.shot("2-planned")
        seat.send("3-turn")
        match.settle()
        assert match.game.stage_key != "1-turn_red"


def test_a_moderator_sets_the_game_back(browser: Browser, sqlite: Database) -> None:
    """From the desk, with a reason; the players' pages stand where it was."""
    with (
        served(sqlite, "rockwell", 4, pace="brisk", moderator=MODERATOR) as (match, url),
        tab_of(browser, "desktop", True, "desk") as tab,
    ):
        for seat in range(4):
            match.say(seat, "bid 100")
        match.settle()
        assert match.game.stage_key == "1-drilling"
        tab.sign_in(match, url, MODERATOR)
        tab.page.goto(f"{url}/games/{match.code}/desk")
        tab.shot("1-desk")
        form = tab.page.locator(f"form[action='/games/{match.code}/desk/roll-back']")
        form.locator("[name=entry]").fill("1")
        form.locator("[name=reason]").fill("a slip")
        form.get_by_role("button", name="roll-back", exact=True).click()
        tab.shot("2-set-back")
        match.settle()
        assert match.game.stage_key == "1-auction"
        assert len(match.letters(0, "report")) > 1


def _others_play(match: Match, line: str) -> None:
    """The other seats that are waited for send that line, until Ann's is or the stage has another turn."""
    for _ in range(4):
        waiting = match.game.waiting.split(",")
        if waiting in (["0"], [""]):
            return
        for number in waiting:
            if number != "0":
                match.say(int(number), f"{line}\nready")
        match.settle()
