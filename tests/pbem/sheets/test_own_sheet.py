"""A sheet changes nothing but its own seat's answers."""

from random import Random
from typing import Any

import pytest

from engine.orders.writer import examples
from pbem.games.position import position
from pbem.reports.data import plain
from pbem.storage.sessions import Database
from tests.pbem.playing import Match, begun, service_on

LINES = (
    "ready", "not ready", "check", "clear", "cancel bid", "cancel drill 2", "never mind", "never mind danger", "use",
    "undo", "show orders", "status", "help", "always danger: all", "always bid nothing", "bid 9999999", "drill 9: c9",
    "plase wurkshop 1", "Hello all, sorry", "bid 1 or 2 or 3", "defend nothing", "attack red with 1",
    "if attacked by red, defend 3", "# nothing", "> quoted", "history 2", "show report",
)  # fmt: skip
"""Lines of every sort but those that are written to others on purpose."""


def submission(match: Match, seat: int, random: Random) -> str:
    """What a player might send: legal orders of this position, and lines out of the blue."""
    with match.service.reading() as session:
        stands = position(session, match.id)
    view = stands.rules.view(stands.table.state, seat)
    lines = random.sample(LINES, random.randrange(4))
    for asked in stands.rules.agenda(view, match.game.pace):
        offered = examples(stands.module.language, stands.rules, view, asked.kind, asked.round)
        lines += random.sample(offered, min(len(offered), random.randrange(3)))
    random.shuffle(lines)
    return "\n".join(lines) or "ready"


def of_others(match: Match, seat: int) -> dict[str, Any]:
    """All that the other seats have and see, and all that everyone does."""
    with match.service.reading() as session:
        stands = position(session, match.id)
    everyone = [None, *(each.number for each in stands.seats if each.number != seat)]
    return {
        "sheets": [stands.sheets[number] for number in everyone if number is not None],
        "rows": [each.model_dump() for each in stands.seats if each.number != seat],
        "views": [plain(stands.rules.view(stands.table.state, number)) for number in everyone],
        "letters": [letter.model_dump() for letter in match.letters() if letter.seat != seat],
        "head": match.game.head,
        "stage": (match.game.stage_key, match.game.waiting, match.game.deadline, match.game.line),
    }


@pytest.mark.parametrize(
    ("rules", "seats", "pace"),
    [("tinygame", 3, "strict"), ("tinygame", 3, "brisk"), ("rockwell", 4, "strict"), ("rockwell", 4, "brisk")],
)
def test_submissions_change_nothing_but_their_own_seat(database: Database, rules: str, seats: int, pace: str) -> None:
    """Other sheets, rows, views and letters stay to the byte, and so does the play, until it goes on."""
    random = Random(f"{rules}/{pace}")
    match = begun(service_on(database), rules, seats, pace=pace, settle_minutes=60)
    for _ in range(12):
        seat = random.randrange(seats)
        before = of_others(match, seat)
        match.say(seat, submission(match, seat, random))
        assert of_others(match, seat) == before
