"""Whole games kept as they were played: `python -m tests.engine.brass_empire.golden --anew` plays all from their seeds.

For when the rules have changed what is played; a change that is not meant to must leave every kept game as it is.
"""

import lzma
import sys
from pathlib import Path
from random import Random

import msgspec

from engine.brass_empire import MODULE
from engine.chance import pick_from
from engine.contract import Setup
from engine.journal import Entry, canonical, decode
from engine.table import Answered, Table

FOLDER = Path(__file__).parent / "kept"
GAMES: dict[str, Setup] = {
    "one": Setup(1),
    "one-equal": Setup(1, {"equal_turns": True}),
    "two": Setup(2),
    "three": Setup(3),
    "four": Setup(4),
    "five": Setup(5),
    "six": Setup(6),
    "four-teams": Setup(4, {"teams": True, "team_hands": True}),
    "two-battle": Setup(2, {"battle": True}),
    "three-first": Setup(3, {"first_edition": True, "demolish_triggers_destroyed": False}),
    "two-reserve": Setup(2, {"custom_reserve": True, "corporation_cards_in_pools": True}),
    "three-random": Setup(3),
    "four-steady": Setup(4),
    "four-rulings": Setup(4, {"bought_at_end": True, "pool": 90}),
}


SEEDS = {"three-random": 127}
"""Of games that show what comes up seldom: a unit's own action, a draw that is declined."""


class Kept(msgspec.Struct):
    """A game, and the chain's head after its last entry."""

    setup: Setup
    secret: bytes
    head: bytes
    entries: list[msgspec.Raw]


def _level(name: str, setup: Setup, seat: int) -> str:
    """Half the companies are steady; in a battle all are, for random ones dismiss what they could fight with."""
    if setup.options.get("battle") or name.endswith("steady"):
        return "steady"
    return "random" if seat % 2 or name.endswith("random") else "steady"


def played(name: str) -> Kept:
    """The game of that name, played by steady and random stand-ins."""
    setup, secret = GAMES[name], f"golden {name}".encode()
    rules = MODULE.bind(setup)
    random = Random(f"{name} {SEEDS.get(name, 0)}")
    pick = pick_from(random)
    levels = [_level(name, setup, seat) for seat in range(setup.seats)]
    bots = [MODULE.bots[level](rules) for level in levels]
    table, entry, _ = Table.begin(rules, secret, ())
    entries = [entry]
    while (decision := rules.pending(table.state)) is not None:
        answers = {
            seat: Answered(
                bots[seat](rules.view(table.state, seat), decision, rules.space(table.state, seat), pick), "standin"
            )
            for seat in decision.seats
        }
        entries.append(table.decide(answers)[0])
    return Kept(setup, secret, table.head, [msgspec.Raw(canonical(each)) for each in entries])


def read(name: str) -> tuple[Kept, list[Entry]]:
    """A kept game and its entries."""
    kept = msgspec.msgpack.decode(lzma.decompress((FOLDER / f"{name}.journal").read_bytes()), type=Kept)
    rules = MODULE.bind(kept.setup)
    return kept, [decode(rules, bytes(entry)) for entry in kept.entries]


if __name__ == "__main__":
    if sys.argv[1:] != ["--anew"]:
        sys.exit(str(__doc__))
    FOLDER.mkdir(exist_ok=True)
    for each in GAMES:
        path = FOLDER / f"{each}.journal"
        path.write_bytes(lzma.compress(msgspec.msgpack.encode(played(each))))
        print(f"{path.name}: {path.stat().st_size} bytes")
