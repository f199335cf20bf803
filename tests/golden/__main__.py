"""Make what is kept of the golden games anew: `python -m tests.golden`, and see what it changes with `git diff`.

Alone it plays the stored journals and writes reports and pages as they are now; where a journal no longer plays it says
so and changes nothing. `--anew` plays every game of the list from its seed, for when the rules have changed what is
played, and writes all. `--coverage` lists what the games show, and which statements of the rules they are cases of.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from engine.errors import EngineError
from engine.registry import bind
from tests.golden.coverage import features
from tests.golden.games import GAMES
from tests.golden.pages import page
from tests.golden.playing import Differs, Played, anew, by_stored, kept, play
from tests.golden.rules import by_rule
from tests.golden.stored import FOLDER, Kept, names, read_game, read_reports, write_game, write_page, write_reports
from tests.golden.telling import differences, encoded


def _write(name: str, game: Kept, played: Played, folder: Path) -> None:
    """Store reports and page, and say how much of the data is another than before."""
    reports = encoded(played)
    before = read_reports(name, folder) if (folder / f"{name}.reports").exists() else []
    changed = Counter(differences(before, reports))
    write_reports(name, reports, folder)
    write_page(name, page(game, played), folder)
    print(f"{name}: {len(played.entries)} entries, {len(reports)} reports; {sum(changed.values())} differences")
    for place, times in changed.most_common(10):
        print(f"  {times:>5}  {place}")


def _all_anew(folder: Path) -> int:
    for path in folder.glob("*"):
        if path.suffix in (".journal", ".reports", ".txt") and path.stem not in GAMES:
            path.unlink()
    folder.mkdir(exist_ok=True)
    for name, plan in GAMES.items():
        made = anew(plan.rules, plan.setup, plan.pace, plan.seed)
        played = play(made)
        game = kept(made, played)
        write_game(name, game, folder)
        _write(name, game, played, folder)
    return 0


def _reports(folder: Path) -> int:
    played = {}
    for name in names(folder):
        game = read_game(name, bind, folder)
        try:
            played[name] = game, play(by_stored(game))
        except (Differs, EngineError) as error:
            print(f"{name} no longer plays: {error!r}. If that is meant, make it with --anew.", file=sys.stderr)
            return 1
    for name, (game, again) in played.items():
        _write(name, game, again, folder)
    return 0


def _coverage(folder: Path) -> int:
    shown: Counter[str] = Counter()
    for name in names(folder):
        game = read_game(name, bind, folder)
        shown.update(features(game, play(by_stored(game))))
    for feature, games in sorted(shown.items()):
        print(f"{feature:<40} in {games} games")
    print()
    for rule, cases in by_rule().items():
        print(f"{rule:<12} {', '.join(case for case in cases if case in shown) or 'NOT SHOWN'}")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Make anew, or list."""
    parser = argparse.ArgumentParser(prog="golden", description="Make what is kept of the golden games anew.")
    acts = parser.add_mutually_exclusive_group()
    acts.add_argument("--anew", action="store_true", help="play the games themselves anew, not only their reports")
    acts.add_argument("--coverage", action="store_true", help="list what the games show")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the games are kept")
    given = parser.parse_args(arguments)
    act = _coverage if given.coverage else _all_anew if given.anew else _reports
    return act(given.folder)


if __name__ == "__main__":
    sys.exit(main())
