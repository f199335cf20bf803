"""Which seeds let the golden games show most: `python -m tests.golden.seeds 20` tries so many of each game.

For when the rules have changed so much that the seeds in `games.py` no longer show what `rules.py` lists.
"""

import random
import sys
from collections.abc import Mapping

from tests.golden import playing
from tests.golden.coverage import features, wanted
from tests.golden.games import GAMES


def tried(seeds: int) -> Mapping[str, list[set[str]]]:
    """What each game would show by each of so many seeds. Reports are left out: they show nothing more."""
    playing._tell = lambda *_: None
    shown: dict[str, list[set[str]]] = {}
    for name, game in GAMES.items():
        shown[name] = []
        for seed in range(1, seeds + 1):
            plan = playing.anew(game.rules, game.setup, game.pace, seed)
            played = playing.play(plan)
            shown[name].append(features(playing.kept(plan, played), played))
    return shown


def chosen(shown: Mapping[str, list[set[str]]], tries: int = 2000) -> tuple[set[str], Mapping[str, int]]:
    """What is missing with the best choice of seeds that is found, and that choice."""
    best: tuple[set[str], Mapping[str, int]] = (wanted(), {})
    for _ in range(tries):
        have: set[str] = set()
        choice: dict[str, int] = {}
        for name in random.sample(sorted(shown), len(shown)):
            seed = max(range(len(shown[name])), key=lambda seed: (len((shown[name][seed] & wanted()) - have), -seed))
            choice[name] = seed + 1
            have |= shown[name][seed]
        if len(wanted() - have) < len(best[0]) or not best[1]:
            best = (wanted() - have, choice)
    return best


if __name__ == "__main__":
    missing, choice = chosen(tried(int(sys.argv[1])))
    for name in GAMES:
        print(f"{name:<20} {choice[name]}")
    print("missing:", ", ".join(sorted(missing)) or "nothing")
