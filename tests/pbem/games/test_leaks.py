"""Nothing that a seat is told, and nothing about when others are told, depends on what the seat may not know."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine import registry
from engine.chance import RandomChance, pick_from
from engine.contract import Rules, Setup
from engine.journal import canonical, commitment
from engine.orders.reader import read
from engine.orders.sheet import Sheet
from engine.play import unanswered
from engine.spaces import sample
from engine.table import Answered, Table
from pbem import clock
from pbem.games.position import Player, Position
from pbem.games.resolve import begin
from pbem.games.telling import Outlook, Telling, asks_of
from pbem.reports.data import encode, plain
from pbem.reports.render import acknowledgement_letter, report_letter
from pbem.sheets.acknowledging import Acknowledger
from pbem.sheets.folding import fold
from pbem.storage.models import Account, Game, Seat
from pbem.words import Words

SECRET = b"a secret of the test"
TEXTS: Mapping[str, str] = {
    "tinygame": "bid 6 or 1\nattack red with 9\ndefend 3 or nothing\nnonsense of cards",
    "rockwell": (
        "bid 900 + 9 gold\nplace workshop 1 or control\ninsure 2 zinc\ndrill 1: c1 to A1 or c1 to B1 or stay\n"
        "sell 3 gold\nbuy 2 zinc\npower c2\nmineshaft B4\ndeliver zinc\ndrill 2: c9 to Z9"
    ),
}


def game_of(rules: str, seats: int, pace: str) -> tuple[Game, list[Seat], dict[int, Player]]:
    """The rows of a game that is in no database."""
    now = clock.now()
    game = Game(
        code="leak",
        title="leak",
        rules=rules,
        rules_version=1,
        setup=canonical(Setup(seats)),
        pace=pace,
        stage_seconds=3600,
        secret=SECRET,
        secret_hash=commitment(SECRET),
        created=now,
        id=1,
        status="playing",
    )
    names = registry.load(rules).seat_names
    held = [Seat(game_id=1, number=n, name=names[n], account_id=n + 1, joined=now, told=0) for n in range(seats)]
    accounts = {n: Player(Account(id=n + 1, name=f"P{n}", created=now), f"p{n}@x.example") for n in range(seats)}
    return game, held, accounts


def told_to(position: Position, seat: int, state: Any, records: list[Any]) -> tuple[object, ...]:
    """All that a seat is told in a state: its report and acknowledgement as bytes, and who is waited for."""
    table = position.table
    real, table.state = table.state, state
    try:
        rules, game = position.rules, position.game
        stage = rules.stage(state, game.pace)
        outlook = Outlook(stage, asks_of(position), None, closed=True, over=False, sheets=position.sheets)
        report = Telling(position, records, outlook, {}, []).report(seat)
        view = rules.view(state, seat)
        reading = read(TEXTS[game.rules], position.module.language, view)
        folded = fold(position.sheets[seat], 7, reading, late=False)
        missing = unanswered(rules, state, seat, folded.after, frozenset(), game.pace)
        maker = Acknowledger(position, seat, view, "en")
        acknowledgement = maker.acknowledgement(reading, folded, "kept", missing, ready=False, settling=None, seal="")
        words = Words.of("en", "UTC")
        letters = report_letter(report, words), acknowledgement_letter(acknowledgement, words)
        return encode(report), encode(acknowledgement), letters, asks_of(position)
    finally:
        table.state = real


def played_on(rules: Rules, table: Table, random: Random, steps: int) -> list[Any]:
    """Random choices, as records of play."""
    records = []
    for _ in range(steps):
        decision = rules.pending(table.state)
        if decision is None:
            break
        pick = pick_from(random)
        answers = {seat: Answered(sample(rules.space(table.state, seat), pick), "standin") for seat in decision.seats}
        entry, events = table.decide(answers, "stage")
        records.append((entry, events))
    return records


@pytest.mark.parametrize("pace", ["strict", "brisk"])
@pytest.mark.parametrize(("name", "seats", "games"), [("tinygame", 3, 8), ("rockwell", 4, 3), ("rockwell", 2, 2)])
def test_what_a_seat_is_told_is_the_same_on_every_state_that_it_must_think_possible(
    name: str, seats: int, games: int, pace: str
) -> None:
    """Report, acknowledgement, their letters and who is waited for, over random games and imagined states."""
    for seed in range(games):
        random = Random(seed)
        start = begin(*game_of(name, seats, pace)).position
        position = replace(start, sheets={seat: Sheet() for seat in range(seats)})
        rules, table = position.rules, position.table
        while rules.pending(table.state) is not None:
            played_on(rules, table, random, random.randint(1, 40))
            for seat in range(seats):
                view = rules.view(table.state, seat)
                imagined = rules.imagine(view, RandomChance(random))
                real = told_to(position, seat, table.state, [])
                assert told_to(position, seat, imagined, []) == real
                assert plain(rules.view(imagined, None)) == plain(rules.view(table.state, None))
