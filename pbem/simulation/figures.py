"""From what was counted to the figures that are shown: plain data, the same for JSON, tables and the page."""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import Any

from pbem.simulation.bysheets import SheetTally
from pbem.simulation.plan import Plan
from pbem.simulation.tally import LevelTally, Tally
from pbem.simulation.uses import AMOUNT, Use

TABLE = "table"
CERTAIN = 1.96
"""Standard deviations on either side that hold 95 %."""
MOST_TOGETHER = 16
"""Two parts are shown together where they have no more values than that."""

Figures = dict[str, Any]


def figures(plan: Plan, tally: Tally) -> Figures:
    """All figures. Shares are 0 to 1; `low` and `high` bound them with 95 % (Wilson); times are in milliseconds.

    `asked_per_seat_turn` has medians over all turns of all seats, by pace; `one_by_sheets` the wins of one seat that
    writes sheets among seats that answer at the table.
    """
    uses = _uses(plan, tally)
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
        "uses": uses,
        "untaken": _untaken(uses),
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


def _uses(plan: Plan, tally: Tally) -> list[Figures]:
    """Each part of each kind of decision with the use of its values.

    `against_even` is how often those who took a value won, as a multiple of a seat's even share: 1 is even.
    """
    listed: dict[tuple[str, str], dict[str, Use]] = {}
    for (kind, part, value), use in sorted(tally.uses.items()):
        listed.setdefault((kind, part), {})[value] = use
    shown: list[Figures] = []
    for (kind, part), values in listed.items():
        if " " in part and len(values) > MOST_TOGETHER:
            continue
        if AMOUNT in values:
            shown.append({"kind": kind, "part": part, "amount": _amount(values[AMOUNT])})
            continue
        rows = [_use(value, values[value], plan) for value in _ordered(values)]
        shown.append({"kind": kind, "part": part, "values": rows})
    return shown


def _amount(use: Use) -> Figures:
    return {"asked": use.offered, "above_nothing": use.taken, "mean": round(use.total / use.offered, 2)}


def _use(value: str, use: Use, plan: Plan) -> Figures:
    against = round(use.won / use.taken * plan.setup.seats, 3) if use.taken else None
    return {"value": value, "offered": use.offered, "taken": use.taken, "against_even": against}


def _ordered(values: dict[str, Use]) -> Sequence[str]:
    """Numbers by size, words by the alphabet."""
    return sorted(
        values, key=lambda value: [(not word.lstrip("-").isdigit(), _number(word), word) for word in value.split()]
    )


def _number(word: str) -> int:
    return int(word) if word.lstrip("-").isdigit() else 0


def _untaken(uses: Sequence[Figures]) -> list[str]:
    """What was on offer and nobody took, in all games, as `kind part value`."""
    return [
        f"{part['kind']} {part['part']} {use['value']}"
        for part in uses
        for use in part.get("values", ())
        if not use["taken"]
    ]
