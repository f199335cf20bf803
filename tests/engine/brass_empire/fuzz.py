"""Games of random and steady companies, looked at closely: `python -m tests.engine.brass_empire.fuzz 1000 --seed 7`.

That many of each configuration: every number of companies, and every variant. What fails is told with its seed, by
which it is played again: `--only CONFIGURATION`.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from multiprocessing import Pool
from random import Random
from typing import Any

from engine.brass_empire import MODULE
from engine.chance import RandomChance, pick_from
from engine.contract import Event, Setup
from engine.spaces import check
from pbem import clock
from tests.engine.brass_empire.account import Account

MOST_DECISIONS = 20_000
VARIANTS: dict[str, dict[str, Any]] = {
    "1": {},
    "1-equal": {"equal_turns": True},
    "2": {},
    "3": {},
    "4": {},
    "5": {},
    "6": {},
    "4-teams": {"teams": True},
    "6-teams": {"teams": True, "team_hands": True},
    "2-battle": {"battle": True},
    "3-battle": {"battle": True, "health_cap": False},
    "4-battle": {"battle": True, "teams": True},
    "3-first": {"first_edition": True},
    "2-reserve": {"custom_reserve": True},
    "6-reserve": {"custom_reserve": True, "corporation_cards_in_pools": True, "reserve_brass": 12},
    "3-rulings": {"bought_at_end": True, "demolish_triggers_destroyed": False, "pool": 90},
}
"""By configuration its options; it begins with the number of companies."""


class Broken(Exception):
    """What a game failed at: the first of it."""


def first_seed() -> int:
    """Another every day, unless FUZZ_SEED names one: the seeds of a day's games count on from it."""
    return int(os.environ.get("FUZZ_SEED", clock.now().date().toordinal() * 100_000))


def setup_of(configuration: str) -> Setup:
    """The setup of a configuration."""
    return Setup(int(configuration.split("-", maxsplit=1)[0]), VARIANTS[configuration])


def play(seed: int, configuration: str) -> int:
    """Play the game of a seed to its end; the number of its decisions. Raises Broken."""
    try:
        return _play(seed, setup_of(configuration))
    except Exception as error:
        raise Broken(f"{configuration}, seed {seed}: {error!r}") from error


def _play(seed: int, setup: Setup) -> int:
    random = Random(seed)
    pick, chance = pick_from(random), RandomChance(random)
    rules = MODULE.bind(setup)
    account = Account(rules.tables)
    # Random companies go everywhere; among steady ones more is bought, and a battle comes to its end.
    steady = random.random() < (0.9 if rules.tables.battle else 0.3)
    levels = ["steady" if steady and random.random() < 0.8 else "random" for _ in range(setup.seats)]
    if rules.tables.battle:
        # Companies that all dismiss what they have can't end a battle: one at least knows better.
        levels[random.randrange(setup.seats)] = "steady"
    bots = [MODULE.bots[level](rules) for level in levels]
    events: list[Event] = []
    state = rules.start(chance, events)
    for number in range(MOST_DECISIONS):
        account.read(events)
        broken = [*rules.invariants(state), *account.wrong(state)]
        if broken:
            raise Broken(f"decision {number}: {', '.join(broken)}")
        decision = rules.pending(state)
        if decision is None:
            return number
        answers = {}
        for seat in decision.seats:
            space = rules.space(state, seat)
            answers[seat] = bots[seat](rules.view(state, seat), decision, space, pick)
            check(space, answers[seat])
        events.clear()
        rules.apply(state, answers, chance, events)
    raise Broken("endless")


def many(games: int, seed: int, jobs: int, configurations: Sequence[str]) -> Iterator[int | str]:
    """Play that many games of each configuration; of each its decisions, or what it failed at."""
    each = [(number, configuration) for number in range(seed, seed + games) for configuration in configurations]
    with Pool(jobs) as pool:
        yield from pool.imap_unordered(_told, each, chunksize=8)


def _told(game: tuple[int, str]) -> int | str:
    try:
        return play(*game)
    except Broken as broken:
        return str(broken)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play many games; 1 where one fails."""
    parser = argparse.ArgumentParser(prog="fuzz", description="Play random games of Brass Empire, check every state.")
    parser.add_argument("games", type=int, nargs="?", default=100, help="of each configuration")
    parser.add_argument("--seed", type=int, default=first_seed(), help="of the first game; the others count on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes play")
    parser.add_argument("--only", choices=VARIANTS, help="one configuration alone")
    given = parser.parse_args(arguments)
    configurations = [given.only] if given.only else list(VARIANTS)
    print(f"FUZZ_SEED={given.seed}", flush=True)
    played = failed = decisions = 0
    for outcome in many(given.games, given.seed, given.jobs, configurations):
        played += 1
        if isinstance(outcome, str):
            failed += 1
            print(outcome, flush=True)
        else:
            decisions += outcome
        if not played % 10_000:
            print(f"{played} games of {given.games * len(configurations)}", file=sys.stderr, flush=True)
    print(f"{played} games ({', '.join(configurations)}), {decisions} decisions, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
