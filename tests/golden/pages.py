"""What people read of a golden game: its stages with their digests, and the words of two turns."""

from hashlib import blake2b

from pbem.reports.data import encode
from pbem.reports.render import report_letter
from pbem.words import Words
from tests.golden.playing import Played
from tests.golden.stored import Kept

WORDS = Words.of("en")
POSITION = "\nThe position\n"
"""The heading of what stands in every report alike: it is kept of the last one alone."""


def page(game: Kept, played: Played) -> str:
    """A line for each stage, then what the first seat is told in the first turn and in the last."""
    last = played.reports[-1][0].turn
    parts = ["\n".join(_stages(game, played))]
    for stage in played.reports:
        if stage[0].turn in (1, last):
            letter = report_letter(stage[0], WORDS)
            text = letter.text if stage[0].over else letter.text.partition(POSITION)[0]
            parts.append(f"=== {letter.subject}\n\n{text.strip()}")
    return "\n\n".join(parts) + "\n"


def _stages(game: Kept, played: Played) -> list[str]:
    setup = game.setup
    options = ", ".join(f"{name}={value}" for name, value in sorted(setup.options.items())) or "usual options"
    lines = [f"{game.rules}, {setup.seats} seats, {game.pace}, {options}"]
    digests = {entry.number: entry.digest.hex()[:12] for entry in played.entries}
    for stage in played.reports:
        first = stage[0]
        told = blake2b(b"".join(encode(report) for report in stage), digest_size=6).hexdigest()
        lines.append(f"{first.turn}-{first.stage:<10} entry {first.entry:>4} state {digests[first.entry]} told {told}")
    return lines
