"""Games of random and steady companies, looked at closely: `python -m tests.engine.rockwell.fuzz 1000 --seed 7`.

A game that fails is saved under `build/` and can be played again with `--replay FILE`.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engine.chance import pick_from
from engine.contract import Rules, Setup
from engine.journal import Entry, canonical, decode
from engine.rockwell import MODULE
from engine.rockwell.components import tables
from engine.spaces import single
from engine.table import Answered, Table, replay
from tests.engine.rockwell.ledger import Ledger

BUILD = Path(__file__).parents[3] / "build"
MOST_DECISIONS = 20_000


class Broken(Exception):
    """What a game failed at: the first of it."""


class Saved(msgspec.Struct):
    """A game that failed: all that it takes to play it again, up to the answers at which it did, by seat."""

    setup: Setup
    secret: bytes
    why: str
    entries: list[msgspec.Raw]
    last: list[tuple[int, Any]] = []


def setup_of(seed: int) -> Setup:
    """Two to four companies and, in half of the games, options at random."""
    random = Random(seed)
    options = (
        {name: random.choice(values) for name, values in MODULE.options().items()} if random.random() < 0.5 else {}
    )
    return Setup(random.choice(MODULE.seat_numbers), options)


def play(seed: int, folder: Path = BUILD) -> int:
    """Play the game of a seed to its end; the number of its decisions. Raises Broken once the journal is saved."""
    setup = setup_of(seed)
    secret = seed.to_bytes(8, "big")
    entries: list[Entry] = []
    last: dict[int, Any] = {}
    try:
        return _play(MODULE.bind(setup), secret, seed, entries, last)
    except Exception as error:
        folder.mkdir(exist_ok=True)
        path = folder / f"rockwell-{seed}.journal"
        saved = Saved(
            setup, secret, repr(error), [msgspec.Raw(canonical(entry)) for entry in entries], sorted(last.items())
        )
        path.write_bytes(canonical(saved))
        raise Broken(f"game {seed}, decision {len(entries)}: {error!r}; saved as {path}") from error


def _play(rules: Rules, secret: bytes, seed: int, entries: list[Entry], last: dict[int, Any]) -> int:
    random = Random(seed)
    pick = pick_from(random)
    # Random companies go everywhere; among steady ones more is bought, and more is at stake.
    bots = [MODULE.bots["steady" if random.random() < 0.2 else "random"](rules) for _ in range(rules.setup.seats)]
    ledger = Ledger(tables(rules.setup))
    table, entry, events = Table.begin(rules, secret, ())
    while True:
        entries.append(entry)
        ledger.read(events)
        _look(rules, table.state, ledger)
        decision = rules.pending(table.state)
        if decision is None:
            return len(entries)
        if len(entries) > MOST_DECISIONS:
            raise Broken("endless")
        last.clear()
        for seat in decision.seats:
            space = rules.space(table.state, seat)
            last[seat] = bots[seat](rules.view(table.state, seat), decision, space, pick)
            if single(space) and not _has_secrets(table.state, seat):
                raise Broken("a single choice, and everyone knows")
        entry, events = table.decide({seat: Answered(choice, "standin") for seat, choice in last.items()})


def _look(rules: Rules, state: Any, ledger: Ledger) -> None:
    broken = sorted(rules.invariants(state))
    if broken:
        raise Broken(", ".join(broken))
    if not ledger.agrees(state):
        raise Broken("stock differs from what the events come to")


def _has_secrets(state: Any, seat: int) -> bool:
    """Whether the others can't know all of its stock: it may have insured cubes."""
    account = state.companies[seat].account
    return any(account.high)


def again(path: Path) -> str:
    """Play a saved game up to where it failed; what it failed at then."""
    saved = msgspec.msgpack.decode(path.read_bytes(), type=Saved)
    rules = MODULE.bind(saved.setup)
    table = replay(rules, saved.secret, (), [decode(rules, bytes(entry)) for entry in saved.entries])
    broken = sorted(rules.invariants(table.state))
    if broken:
        return ", ".join(broken)
    table.decide({seat: Answered(msgspec.convert(choice, rules.choice_type), "standin") for seat, choice in saved.last})
    return ", ".join(sorted(rules.invariants(table.state)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Play many games; 1 where one fails."""
    parser = argparse.ArgumentParser(prog="fuzz", description="Play random games of Rockwell and check every state.")
    parser.add_argument("games", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others count on")
    parser.add_argument("--replay", type=Path, help="a saved game")
    given = parser.parse_args(arguments)
    if given.replay is not None:
        print(again(given.replay) or "nothing is wrong with it any more")
        return 0
    failed = decisions = 0
    for seed in range(given.seed, given.seed + given.games):
        try:
            decisions += play(seed)
        except Broken as broken:
            failed += 1
            print(broken)
    print(f"{given.games} games, {decisions} decisions, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
