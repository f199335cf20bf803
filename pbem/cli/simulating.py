"""`pbem simulate`: whole games among stand-ins, and what they show of the rules, the components and the stand-ins."""

import os
import sys
from pathlib import Path
from typing import Any

import click

from engine.contract import Setup
from pbem.cli.components import told_in_words
from pbem.cli.pairs import pairs
from pbem.cli.shown import as_json, print_json
from pbem.cli.simulated import print_figures
from pbem.cli.words import WORDS, _
from pbem.components import module_named, read_set
from pbem.setups import read_options
from pbem.simulation import page
from pbem.simulation.figures import figures
from pbem.simulation.plan import Plan, plan
from pbem.simulation.playing import GameFailed
from pbem.simulation.running import run


@click.command(
    help=_(
        "Play whole games among stand-ins and show lengths, scores, wins, times and the use of every action. The "
        "same seed plays the same games, whatever --jobs is."
    )
)
@click.option("--rules", default="rockwell", show_default=True, help=_("The rules to play by."))
@click.option("--seats", type=int, help=_("How many seats play; else as many as the rules allow."))
@click.option("--games", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help=_("How many games."))
@click.option(
    "--players",
    default="steady",
    show_default=True,
    metavar="LEVEL[,LEVEL…]",
    help=_("One level of stand-in for all seats, or several with equally many seats each, rotated over the games."),
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, help=_("How many processes; else one a core.")
)
@click.option("--seed", default="1", show_default=True, help=_("What fixes the games: a number or any word."))
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help=_("An option of the rules; may be repeated.")
)
@click.option(
    "--components", type=click.Path(path_type=Path), help=_("A component file to play with: `pbem components check`.")
)
@click.option(
    "--page", "page_file", type=click.Path(dir_okay=False, path_type=Path), help=_("Write a page with plots there.")
)
@click.option(
    "--sheets",
    is_flag=True,
    help=_(
        "Play every game also by sheets that the stand-ins write ahead, at each pace, and count how often a seat is "
        "asked."
    ),
)
@as_json
def simulate(
    rules: str,
    seats: int | None,
    games: int,
    players: str,
    jobs: int,
    seed: str,
    options: tuple[str, ...],
    components: Path | None,
    page_file: Path | None,
    sheets: bool,
    as_json: bool,
) -> None:
    """Play whole games among stand-ins."""
    with told_in_words():
        module = module_named(rules)
        parsed = read_set(components, rules)[1] if components is not None else None
        chosen = read_options(module, pairs(options, "--option"))
        setup = Setup(module.seat_numbers[-1] if seats is None else seats, chosen, parsed, module.version)
        planned = plan(module, setup, [level.strip() for level in players.split(",")], games, seed, sheets=sheets)
    found = figures(planned, _played(planned, jobs))
    if page_file is not None:
        _write(page_file, page.page(found, WORDS))
    if as_json:
        print_json(found)
    else:
        print_figures(found)


def _played(planned: Plan, jobs: int) -> Any:
    """The games, with a bar of progress for whoever watches."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=planned.games, file=sys.stderr, hidden=hidden) as bar:
        try:
            return run(planned, jobs, bar.update)
        except GameFailed as error:
            raise click.ClickException(str(error)) from error


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(
            _("The page can't be written to %(file)s: %(why)s") % {"file": file, "why": error.strerror}
        ) from error
