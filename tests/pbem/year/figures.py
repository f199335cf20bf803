"""The figures of a year, the same for the table, JSON and the page."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from tests.pbem.year.tally import Tally

Figures = dict[str, Any]

PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto }}
td {{ padding: .1rem .8rem .1rem 0; border-bottom: 1px solid #8886 }}
</style>
<h1>{title}</h1>
<table>
{body}
</table>
"""


def figures(seed: str, counted: Tally) -> Figures:
    """All figures. Shares are 0 to 1; of times and letters there is the median and what nine of ten do not exceed."""
    hours = sum(sum(stages.hours) for stages in counted.closed.values()) or 1.0
    return {
        "seed": seed,
        "games": counted.ended.total(),
        "ended": dict(counted.ended.most_common()),
        "rules": {
            name: {
                "games": len(games.days),
                "turn_hours": spread(games.turns),
                "stage_hours": spread(games.stages),
                "days": spread(games.days),
            }
            for name, games in sorted(counted.rules.items())
        },
        "waited": {
            by: {
                "stages": len(stages.hours),
                "hours": spread(stages.hours),
                "share_of_time": round(sum(stages.hours) / hours, 3),
                "seats_missing": round(sum(stages.missing) / max(1, len(stages.missing)), 2),
            }
            for by, stages in sorted(counted.closed.items())
        },
        "letters_a_player_a_week": spread(counted.letters),
        "acts": dict(sorted(counted.acts.items())),
        "letters": dict(sorted(counted.fates.items())),
        "people": dict(sorted(counted.people.items())),
    }


def spread(values: Sequence[float]) -> Figures:
    """Median, and what nine of ten do not exceed; None for both of nothing."""
    if not values:
        return {"median": None, "ninety": None}
    ordered, last = sorted(values), len(values) - 1
    return {"median": round(ordered[last // 2], 1), "ninety": round(ordered[9 * last // 10], 1)}


def rows(found: Figures, before: str = "") -> Iterator[tuple[str, str]]:
    """Each figure with its name."""
    for name, value in found.items():
        called = f"{before}{name.replace('_', ' ')}"
        if isinstance(value, dict) and set(value) == {"median", "ninety"}:
            yield called, f"{value['median']} (nine of ten: {value['ninety']})"
        elif isinstance(value, dict):
            yield from rows(value, f"{called}: ")
        else:
            yield called, str(value)


def table(found: Figures) -> str:
    """The figures as lines of text."""
    listed = list(rows(found))
    width = max(len(name) for name, _ in listed)
    return "\n".join(f"{name.ljust(width)}  {value}" for name, value in listed)


def page(found: Figures) -> str:
    """The figures as a page in a file of its own: nothing in it is loaded from elsewhere."""
    body = "\n".join(f"<tr><td>{escape(name)}<td>{escape(value)}" for name, value in rows(found))
    title = f"{found['games']} games that nobody moderated"
    return PAGE.format(title=title, body=body)
