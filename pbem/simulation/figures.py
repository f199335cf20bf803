"""From what was counted to the figures that are shown: plain data, the same for JSON, tables and the page."""

from collections import Counter
from math import sqrt
from typing import Any

from engine import registry
from engine.contract import Factions
from pbem.simulation.bysheets import SheetTally
from pbem.simulation.plan import Plan
from pbem.simulation.tally import LevelTally, Tally
from pbem.simulation.used import untaken, uses_shown

TABLE = "table"
CERTAIN = 1.96
"""Standard deviations on either side that hold 95 %."""

Figures = dict[str, Any]


def figures(plan: Plan, tally: Tally) -> Figures:
    """All figures. Shares are 0 to 1; `low` and `high` bound them with 95 % (Wilson); times are in milliseconds.

    `faction` is what the rules call what seats play, empty where all play the same. `asked_per_seat_turn` has medians
    over all turns of all seats, by pace; `one_by_sheets` the wins of one seat that writes sheets among seats that
    answer at the table.
    """
    uses = uses_shown(tally.uses, plan.setup.seats)
    return {
        "rules": plan.rules,
        "seats": plan.setup.seats,
        "options": dict(plan.setup.options),
        "players": list(plan.levels),
        "seed": plan.seed,
        "games": tally.games,
        "turns": _spread(tally.turns),
        "decisions": _spread(tally.decisions),
        "seat_wins": _seat_wins(tally),
        "levels": {name: _level(level, plan, tally) for name, level in sorted(tally.levels.items())},
        "faction": _faction(plan),
        "factions": _factions(plan, tally),
        "uses": uses,
        "untaken": untaken(uses),
        "asked_per_seat_turn": {pace: quantile(counts, 0.5) for pace, counts in _asked(tally).items()},
        "asked_spread": {pace: _spread(counts) for pace, counts in _asked(tally).items()},
        "answered_by_order": {pace: _by_order(counted) for pace, counted in tally.sheets.items()},
        "one_by_sheets": {
            pace: _share(counted.won, counted.against, 1 / plan.setup.seats) for pace, counted in tally.sheets.items()
        },
    }


def _asked(tally: Tally) -> dict[str, Counter[int]]:
    """By pace, with `table` for seats that answer each decision as it comes."""
    return {TABLE: tally.asked} | {pace: counted.asked for pace, counted in tally.sheets.items()}


def _by_order(counted: SheetTally) -> float:
    """The part of all decisions that an order answered; a default answered the others."""
    return round(counted.sources["order"] / counted.sources.total(), 4)


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The bounds that hold the true share with 95 %, where `wins` (shared ones count in part) were seen in `games`."""
    share = wins / games
    weight = CERTAIN**2 / games
    middle = (share + weight / 2) / (1 + weight)
    reach = CERTAIN * sqrt(share * (1 - share) / games + weight / (4 * games)) / (1 + weight)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def quantile(counts: Counter[int], part: float) -> int:
    """The smallest value that at least that part of all counted does not exceed."""
    needed = part * counts.total()
    seen = 0
    value = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= needed:
            break
    return value


def _spread(counts: Counter[int]) -> Figures:
    total = counts.total()
    return {
        "least": min(counts),
        "median": quantile(counts, 0.5),
        "mean": round(sum(value * count for value, count in counts.items()) / total, 2),
        "most": max(counts),
        "counts": {str(value): counts[value] for value in sorted(counts)},
    }


def _seat_wins(tally: Tally) -> list[Figures]:
    even = 1 / len(tally.wins)
    return [{"seat": seat} | _share(wins, tally.games, even) for seat, wins in enumerate(tally.wins)]


def _share(wins: float, games: int, even: float) -> Figures:
    low, high = wilson(wins, games)
    share = wins / games
    return {
        "wins": round(wins, 2),
        "share": round(share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "against_even": round(share / even, 3),
    }


def _level(level: LevelTally, plan: Plan, tally: Tally) -> Figures:
    """A level's share of all wins, and one of its seats' scores."""
    even = level.seats / (plan.setup.seats * tally.games)
    decisions = level.micros.total()
    return {
        "seats": level.seats,
        **_share(level.wins, level.games, even * tally.games / level.games),
        "score": round(level.scores.total() / level.seats, 2),
        "sources": {name: round(level.scores[name] / level.seats, 2) for name in level.scores},
        "decisions": decisions,
        "milliseconds": {
            "median": quantile(level.micros, 0.5) / 1000,
            "of_99_percent": quantile(level.micros, 0.99) / 1000,
            "most": max(level.micros) / 1000,
        }
        if decisions
        else {},
    }


def _faction(plan: Plan) -> str:
    rules = registry.bind(plan.rules, plan.setup)
    return rules.faction if isinstance(rules, Factions) else ""


def _factions(plan: Plan, tally: Tally) -> list[Figures]:
    """Each faction's wins as a share of the seats that played it."""
    even = 1 / plan.setup.seats
    return [
        {"faction": name, "seats": counted.seats} | _share(counted.wins, counted.seats, even)
        for name, counted in sorted(tally.factions.items())
    ]
