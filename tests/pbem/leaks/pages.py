"""Every page that a seat can come to, its API, its person's data and the metrics, here and in other worlds."""

import re
from collections import Counter
from random import Random

import pytest
from flask import Flask

from engine import registry
from engine.contract import RulesModule
from engine.orders.writer import examples
from pbem import clock
from pbem.games.position import Position, position
from pbem.site.exporting import own_data
from pbem.storage.models import Account
from pbem.tokens import PLAY, make_token
from pbem.web.pages import WHO
from tests.pbem.games.leaks import Leak
from tests.pbem.games.worlds import imagined, typed
from tests.pbem.leaks.elsewhere import World, moved_to
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.web.api.calling import Program
from tests.pbem.web.visiting import app_on
from tests.pbem.world.databases import in_memory

MOMENTS = 3
TRIES = 8
"""In how many worlds one is looked for in which things are not as they are here."""
MOST_PAGES = 60
MOST_STEPS = 6
"""Of the pages that show an earlier step, of which there are as many as decisions: those that others link to."""
TOKEN = "the metrics of a test"
READS = ("/games", "/games/{code}", "/games/{code}/seat", "/games/{code}/reports", "/games/{code}/messages")
_LINK = re.compile(r'(?:href|src)="(/[^"#]*)"')
_FORM = re.compile(rb'name="csrf_token" value="[^"]*"')


def look(name: str, games: int, seed: int) -> Counter[str]:
    """So many games, of each number of seats in turn, at three moments each. Raises Leak."""
    counted: Counter[str] = Counter()
    module = registry.load(name)
    for number in range(games):
        seats = module.seat_numbers[number % len(module.seat_numbers)]
        counted += _game(module, seats, Random(f"{seed + number}/{name}"))
    return counted


def _game(module: RulesModule, seats: int, random: Random) -> Counter[str]:
    counted: Counter[str] = Counter()
    with in_memory() as database:
        service = service_on(database, metrics_token=TOKEN)
        policy = {"pause_after": "0", "ask_share": "100"}
        match = begun(service, module.name, seats, pace=random.choice(module.paces), policy=policy)
        app = app_on(service)
        for _ in range(MOMENTS):
            _played(match, random, random.randint(1, 3))
            if match.game.status != "playing":
                break
            counted += compare(app, match, random.randrange(seats), random)
        clock.use(None)
    return counted


def compare(app: Flask, match: Match, seat: int, random: Random) -> Counter[str]:
    """All that the seat can look at, here and in worlds that it must think possible. Raises Leak."""
    counted: Counter[str] = Counter()
    with match.service.reading() as session:
        real = typed(position(session, match.id))
    token = make_token(match.service, _account(match, seat), f"program {match.posted}", PLAY)
    with pytest.MonkeyPatch.context() as patched:
        now = clock.now()
        patched.setattr("pbem.clock.now", lambda: now)
        patched.setattr("pbem.sheets.folding.secrets.token_bytes", bytes)
        here = seen(app, match, seat, token)
        other = _elsewhere(real, seat, random)
        world = World(other, seat, random)
        with moved_to(world, match):
            there = seen(app, match, seat, token)
        found = [name for name in here if here[name] != there.get(name)]
        if found or here.keys() != there.keys():
            raise Leak(f"{match.code}: seat {seat} can tell by {found or here.keys() ^ there.keys()}")
        counted["different worlds"] += other.table.state != real.table.state
    counted += world.reads
    counted["moments"] += 1
    counted["pages"] += len(here)
    return counted


def seen(app: Flask, match: Match, seat: int, token: str) -> dict[str, object]:
    """The pages by path, the answers of the API, the data of the person, the metrics."""
    for limiter in app.extensions["limiter"]:
        limiter.reset()  # as many pages can be asked for as before
    account_id, client = _account(match, seat), app.test_client()
    with match.service.reading() as session:
        generation = session.get_one(Account, account_id).generation
    with client.session_transaction() as cookies:
        cookies[WHO] = [account_id, generation]
    found: dict[str, object] = {}
    paths = ["/", f"/games/{match.code}"]
    while paths and len(found) < MOST_PAGES:
        path = paths.pop(0)
        if path in found:
            continue
        answer = client.get(path)
        found[path] = answer.status_code, _FORM.sub(b"", answer.data)
        if answer.mimetype == "text/html":
            paths += [each for each in _LINK.findall(answer.text) if match.code in each]
        if sum(map(_is_step, found)) == MOST_STEPS:
            paths = [each for each in paths if not _is_step(each)]
    api = Program(app, token)
    found |= {f"api {path}": api.get(path.format(code=match.code)) for path in READS}
    found["metrics"] = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
    found["data of the person"] = own_data(match.service, account_id)
    return found


def _elsewhere(real: Position, seat: int, random: Random) -> Position:
    """A world in which the hidden state is another one, where there is any; else what happened unseen may differ."""
    for _ in range(TRIES):
        other = imagined(real, seat, random)
        if other.table.state != real.table.state:
            break
    return other


def _account(match: Match, seat: int) -> int:
    number = match.seats[seat].account_id
    assert number is not None
    return number


def _played(match: Match, random: Random, steps: int) -> None:
    """Some stages, with some of what each seat could order, silence now and then, and a message."""
    for _ in range(steps):
        for seat in match.seats:
            if match.game.status != "playing":
                return
            with match.service.reading() as session:
                stands = position(session, match.id)
            view = stands.rules.view(stands.table.state, seat.number)
            lines: list[str] = []
            for asked in stands.rules.agenda(view, match.game.pace):
                offered = examples(stands.module.language, stands.rules, view, asked.kind, asked.round)
                lines += random.sample(offered, min(len(offered), 1))
            match.say(seat.number, "\n".join([*lines, "to all: so be it", "ready"]))
        match.settle()
        if match.game.status == "playing" and random.random() < 0.5:
            match.pass_deadline()


def _is_step(path: str) -> bool:
    return "/history/" in path
