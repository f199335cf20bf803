"""Add the games of the present versions that are not there yet: `python -m tests.journals`."""

import logging
import sys

import structlog

from engine import registry
from tests.journals.playing import GAMES, KEPT, played


def main() -> None:
    """Play what is missing, and leave alone what is there."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    for rules, games in GAMES.items():
        folder = KEPT / rules / str(registry.load(rules).version)
        folder.mkdir(parents=True, exist_ok=True)
        for seed, (name, kept) in enumerate(games.items(), 1):
            path = folder / f"{name}.jsonl"
            if not path.exists():
                path.write_bytes(played(rules, kept, seed))
                sys.stdout.write(f"{path.relative_to(KEPT)}: {path.stat().st_size} bytes\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
