"""The pages' figures: a seat's page against its templates alone, and all that the first page of the service loads.

The yardstick of the seat's page is the same page with all of its data ready: the same application, guards, visitor and
templates, and nothing looked up or worked out for it.
"""

import math
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest import mock

import jinja2
from markupsafe import Markup
from werkzeug.test import TestResponse

from pbem import collector
from pbem.reports import letters
from pbem.reports.game import GameWords
from pbem.storage.migrate import migrate
from pbem.storage.sessions import Database
from pbem.web import create_app
from pbem.web.pages import signed_in
from tests.bench.figure import Figure, figure, seconds
from tests.pbem.playing import begun, service_on
from tests.pbem.web.visiting import Visit

MOST_BYTES = 100_000
TOKEN = "x" * 91
"""As long as what guards a form."""
TIMES = 60
ORDERS = "place workshop or exchange or control\ninsure nothing\ndrill 1: c1 to A1 or stay\nready"


def figures() -> list[Figure]:
    """All of them."""
    with tempfile.TemporaryDirectory() as folder, mock.patch("pbem.web.guards.REQUESTS", "1000000 per minute"):
        database = Database(f"sqlite:///{folder}/bench.sqlite3")
        migrate(database)
        service = service_on(database)
        collector.relax()  # as a process of the web does
        found = [_first_page(Visit(create_app(service), service))]
        for rules, seats in (("rockwell", 4), ("brass_empire", 4)):
            match = begun(service, rules, seats, pace="brisk")
            for seat in range(seats):
                match.say(seat, "to all: good luck")
            match.pass_deadline()
            match.say(0, ORDERS)
            visit = Visit(create_app(service), service, "ann@players.example")
            found.append(_seat_page(visit, f"/games/{match.code}", rules))
        service.close()
        return found


def _first_page(visit: Visit) -> Figure:
    """What a browser fetches for a stranger who opens the service: page, style, scripts, icon."""
    loaded = {"/": visit.client.get("/", follow_redirects=True).data}
    wanted = re.findall(r'<(?:link|script|img)[^>]* (?:href|src)="([^"]+)"', loaded["/"].decode())
    while wanted:
        path = wanted.pop()
        if path not in loaded:
            loaded[path] = _found(visit.client.get(path)).data
            beside = path.rpartition("/")[0]
            wanted += [f"{beside}/{name.decode()}" for name in re.findall(rb'from "./([^"]+)"', loaded[path])]
    size = sum(map(len, loaded.values()))
    return figure("first page with all that it loads", size / 1000, "KB", MOST_BYTES / 1000, "100 KB")


def _seat_page(visit: Visit, path: str, rules: str) -> Figure:
    fills: list[Callable[[], object]] = []
    with _recorded(fills):
        page = _found(visit.client.get(path)).text
    views, show = visit.client.application.view_functions, visit.client.application.view_functions["seat.show"]
    filled = signed_in(mock.Mock(__name__="show", side_effect=lambda code: [fill() for fill in fills][-1]))
    whole = ready = math.inf
    for _ in range(TIMES):  # by turns, so that whatever else the machine does befalls both
        views["seat.show"] = show
        whole = min(whole, seconds(lambda: visit.client.get(path)))
        views["seat.show"] = filled
        ready = min(ready, seconds(lambda: visit.client.get(path)))
    name = f"{rules.replace('_', ' ')}: a seat's page of {len(page) // 1000} KB"
    return figure(name, whole * 1000, "ms", ready * 1000, "the same with ready data")


@contextmanager
def _recorded(fills: list[Callable[[], object]]) -> Iterator[None]:
    """Notes each template that is filled in, so that it can be filled in again."""
    render, lines, says = jinja2.Template.render, letters.block_lines, GameWords._lines

    def rendered(template: jinja2.Template, given: dict[str, Any]) -> str:
        ready = {**given, "csrf": _csrf, "notices": tuple}
        fills.append(partial(render, template, ready))
        return render(template, given)

    def filled(template: Any, params: dict[str, Any], name: str = "body") -> str:
        fills.append(partial(lines, template, params, name))
        return lines(template, params, name)

    def told(game: GameWords, *given: Any) -> list[str]:
        fills.append(partial(says, game, *given))
        return says(game, *given)

    with (
        mock.patch.object(jinja2.Template, "render", rendered),
        mock.patch.object(letters, "block_lines", filled),
        mock.patch.object(GameWords, "_lines", told),
    ):
        yield


def _csrf() -> Markup:
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(TOKEN)


def _found(answer: TestResponse) -> TestResponse:
    assert answer.status_code == 200, answer.status
    return answer
