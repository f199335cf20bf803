"""The figures of simulated games as tables."""

from collections.abc import Sequence
from typing import Any

import click

from pbem.cli.shown import Row, show
from pbem.cli.words import _
from pbem.simulation.figures import Figures

MOST_VALUES = 24
"""Of a part with more values than that only those that nobody took are shown; --json has all."""


def print_figures(found: Figures) -> None:
    """Print everything, table by table."""
    heading = _("%(games)s games of %(rules)s for %(seats)s: %(players)s; seed %(seed)s")
    click.echo(heading % (found | {"players": ", ".join(found["players"])}))
    _print_lengths(found)
    _table(
        _("Wins by seat"),
        [_win(row) | {"seat": row["seat"] + 1} for row in found["seat_wins"]],
        {"seat": _("seat")} | _win_columns(),
    )
    _table(
        _("Wins by level"),
        [_win(row) | {"level": name} for name, row in found["levels"].items()],
        {"level": _("level")} | _win_columns(),
    )
    _print_factions(found)
    _print_scores(found)
    _print_times(found)
    _print_asked(found)
    _print_uses(found)


def _table(title: str, rows: Sequence[Row], columns: dict[str, str]) -> None:
    click.echo()
    click.echo(title)
    show(rows, columns, form=False)


def _print_lengths(found: Figures) -> None:
    columns = {"what": "", "least": _("least"), "median": _("median"), "mean": _("mean"), "most": _("most")}
    rows = [{"what": _("turns")} | found["turns"], {"what": _("decisions a game")} | found["decisions"]]
    _table(_("Lengths"), rows, columns)
    counts = found["turns"]["counts"]
    _table(
        _("Games by turns"),
        [
            {"turns": turns, "games": games, "share": _percent(games / found["games"])}
            for turns, games in counts.items()
        ],
        {"turns": _("turns"), "games": _("games"), "share": _("share")},
    )


def _win(row: Row) -> dict[str, Any]:
    return {
        "wins": row["wins"],
        "share": _percent(row["share"]),
        "bounds": _bounds(row),
        "even": f"{row['against_even']:.2f}",
    }


def _bounds(row: Row) -> str:
    return f"{_percent(row['low'])} – {_percent(row['high'])}"


def _win_columns() -> dict[str, str]:
    return {"wins": _("wins"), "share": _("share"), "bounds": _("with 95 %"), "even": _("times an even share")}


def _print_factions(found: Figures) -> None:
    if found["factions"]:
        title = _("Wins by %(faction)s: what those win who play it") % {"faction": found["faction"]}
        rows = [row | _win(row) for row in found["factions"]]
        _table(title, rows, {"faction": found["faction"], "seats": _("seats")} | _win_columns())


def _print_scores(found: Figures) -> None:
    rows = [
        {"level": name, "source": source, "score": score}
        for name, level in found["levels"].items()
        for source, score in [*level["sources"].items(), (_("in all"), level["score"])]
    ]
    _table(
        _("Mean score of a seat by source"),
        rows,
        {"level": _("level"), "source": _("source"), "score": _("score")},
    )


def _print_times(found: Figures) -> None:
    rows = [
        {"level": name, "decisions": level["decisions"]} | level["milliseconds"]
        for name, level in found["levels"].items()
        if level["decisions"]
    ]
    columns = {"level": _("level"), "decisions": _("decisions"), "median": _("median")}
    _table(
        _("Processor time of a decision, in milliseconds"),
        rows,
        columns | {"of_99_percent": _("99 % within"), "most": _("most")},
    )


def _print_asked(found: Figures) -> None:
    """How often a seat is asked in a turn, and with sheets what answered and how one of them did."""
    rows = []
    for pace, spread in found["asked_spread"].items():
        one = found["one_by_sheets"].get(pace)
        row = {"pace": pace, "order": None, "one": None, "bounds": None}
        if one is not None:
            by_order = _percent(found["answered_by_order"][pace])
            row |= {"order": by_order, "one": _percent(one["share"]), "bounds": _bounds(one)}
        rows.append(spread | row)
    columns = {"pace": _("pace"), "median": _("median"), "mean": _("mean"), "most": _("most")}
    columns |= {"order": _("answered by orders"), "one": _("wins of one that writes"), "bounds": _("with 95 %")}
    _table(_("How often a seat is asked in a turn"), rows, columns)


def _print_uses(found: Figures) -> None:
    rows = [row for part in found["uses"] for row in _use_rows(part)]
    columns = {"kind": _("decision"), "part": _("part"), "value": _("value"), "offered": _("on offer")}
    columns |= {"taken": _("taken"), "even": _("wins, times an even share")}
    _table(_("Use of actions and places"), rows, columns)
    click.echo()
    if found["untaken"]:
        click.echo(_("On offer and never taken:"))
        for part in found["untaken"]:
            click.echo(f"  {part['kind']}, {part['part']}: {', '.join(part['values'])}")
    else:
        click.echo(_("Everything that was on offer was taken at some time."))


def _use_rows(part: Figures) -> list[Row]:
    name = {"kind": part["kind"], "part": part["part"]}
    if "amount" in part:
        amount = part["amount"]
        value = _("%(mean)s in the mean") % {"mean": amount["mean"]}
        return [name | {"value": value, "offered": amount["asked"], "taken": amount["above_nothing"], "even": None}]
    if len(part["values"]) > MOST_VALUES:
        return []
    return [
        name | use | {"even": None if use["against_even"] is None else f"{use['against_even']:.2f}"}
        for use in part["values"]
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
