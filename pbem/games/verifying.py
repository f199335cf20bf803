"""Whether a game's journal is what its secret and its players' orders come to."""

from dataclasses import dataclass

from sqlmodel import col, select

from engine.errors import BadJournal
from engine.journal import decode
from engine.table import replay
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.position import game_row, seat_rows, words_of
from pbem.games.rules import rules_of
from pbem.storage.models import JournalEntry


@dataclass(frozen=True)
class Verified:
    """What a replay came to. `problem` is empty, or a code with `entry` the first entry that does not fit."""

    entries: int
    head: str
    problem: str = ""
    entry: int = 0


def verify(service: Service, code: str) -> Verified:
    """Play the present line again from the secret: every choice, draw, digest and link of the chain is compared.

    Nothing is shown of what is hidden. Raises Refused `no_game`, and `wrong_status` for a game that has not begun.
    """
    with service.reading() as session:
        game = game_row(session, code)
        assert game.id is not None
        words = words_of(seat_rows(session, game.id))
        rows = session.exec(
            select(JournalEntry.number, JournalEntry.entry)
            .where(col(JournalEntry.game_id) == game.id, col(JournalEntry.number) < game.next_entry)
            .order_by(col(JournalEntry.line))
        ).all()
    if not rows:
        raise Refused("wrong_status", status=game.status)
    rules = rules_of(game)
    line = {row[0]: row[1] for row in rows}  # of a number that two lines have, the later line's counts
    try:
        table = replay(rules, game.secret, words, (decode(rules, line[number]) for number in sorted(line)))
    except BadJournal as bad:
        return Verified(len(line), game.head.hex(), bad.code, bad.number)
    if table.head != game.head:
        return Verified(len(line), game.head.hex(), "head", table.number)
    return Verified(len(line), game.head.hex())
