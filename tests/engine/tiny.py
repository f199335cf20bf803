"""Whole games of tinygame for tests: set up, played by a random stand-in, journalled."""

from random import Random

from tinygame import MODULE
from tinygame.rules import TinyRules

from engine.chance import pick_from
from engine.contract import Setup
from engine.journal import Entry
from engine.spaces import sample
from engine.table import Answered, Table

SECRET = b"a secret of the test"
WORDS = ("one", "two", "three")


def rules(seats: int = 3) -> TinyRules:
    """The rules with their default options."""
    return MODULE.bind(Setup(seats))


def begin(secret: bytes = SECRET, words: tuple[str, ...] = WORDS) -> Table:
    """A table at the first decision."""
    return Table.begin(rules(), secret, words)[0]


def random_answers(table: Table, random: Random) -> dict[int, Answered]:
    """A legal choice for each seat of the pending decision."""
    decision = table.rules.pending(table.state)
    assert decision is not None
    pick = pick_from(random)
    return {seat: Answered(sample(table.rules.space(table.state, seat), pick), "standin") for seat in decision.seats}


def played(seed: int) -> tuple[Table, list[Entry]]:
    """A table at the end of a random game, and its journal."""
    table, entry, _ = Table.begin(rules(), SECRET, WORDS)
    entries = [entry]
    random = Random(seed)
    while table.rules.pending(table.state) is not None:
        entries.append(table.decide(random_answers(table, random), "stage")[0])
    return table, entries
