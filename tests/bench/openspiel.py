"""Random play beside OpenSpiel's games in Python, where it is installed (`pip install open-spiel`)."""

import sys
from importlib.util import find_spec
from random import Random
from typing import Any

from engine import registry
from engine.contract import Setup
from tests.bench.engine import GAMES, ROUNDS, Tally, random_game
from tests.bench.figure import Figure, figure

THEIRS = ("python_tic_tac_toe", "python_kuhn_poker", "python_liars_poker", "python_block_dominoes")
REPEATED = 20
"""How often one of their games, which are short, is played where one of ours is."""


def figures() -> list[Figure]:
    """Each of our games beside each of theirs."""
    if find_spec("pyspiel") is None:
        sys.stderr.write("OpenSpiel is not installed here: nothing is measured beside its games\n")
        return []
    ours = {title: _own(name) for name, title in (("rockwell", "Rockwell"), ("brass_empire", "Brass Empire"))}
    theirs = {name: _their(name) for name in THEIRS}
    for number in range(ROUNDS):
        for tally in (*ours.values(), *theirs.values()):
            tally.round(range(number * GAMES, (number + 1) * GAMES))
    return [
        figure(f"{title}: random play", own.rate, "decisions/s", their.rate, f"OpenSpiel's {name}")
        for title, own in ours.items()
        for name, their in theirs.items()
    ]


def _own(name: str) -> Tally:
    rules = registry.bind(name, Setup(4))
    return Tally(lambda seed: random_game(rules, seed))


def _their(name: str) -> Tally:
    import pyspiel  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - where it is installed
    from open_spiel.python import games  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: F401, PLC0415

    game = pyspiel.load_game(name)
    return Tally(lambda seed: sum(_random(game, Random(f"{seed}/{each}")) for each in range(REPEATED)))


def _random(game: Any, random: Random) -> int:
    """Plays one of theirs; the number of choices made, by players and not by chance."""
    state, count = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(actions, weights)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
            count += 1
    return count
