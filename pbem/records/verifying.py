"""Whether a game's journal is what its secret and its players' orders come to."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from sqlmodel import Session, col, select

from engine.contract import Rules
from engine.errors import BadJournal
from engine.journal import Entry, Note, decode
from engine.table import replay
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.position import game_row, seat_rows, words_of
from pbem.games.recording import note_of, present_line
from pbem.games.rules import rules_of
from pbem.games.seating import DRAWN, draw_fits
from pbem.records.checking import BadRecord, check_play
from pbem.records.shape import Played, Recorded, Sealed
from pbem.records.writing import journal_of
from pbem.storage.models import Game, Ruling

Line = Mapping[int, tuple[int, bytes]]
"""The present line: by number the line that an entry was written on, and its bytes."""
Journal = tuple[Played, Sequence[Recorded], Sequence[Sealed]]
"""All lines, as a record has them."""


@dataclass(frozen=True)
class Verified:
    """What a replay came to. `problem` is empty, or a code with `entry` the first entry that does not fit."""

    entries: int
    head: str
    problem: str = ""
    entry: int = 0


def verify(service: Service, code: str) -> Verified:
    """Play the present line again from the secret: every choice, draw, digest and link of the chain is compared.

    So is every ruling as it is shown, with what the journal says of it; then all lines are played as the check of a
    record plays them, by the sheets that were sealed. Nothing is shown of what is hidden. Raises Refused `no_game`, and
    `wrong_status` for a game that has not begun.
    """
    with service.reading() as session:
        game = game_row(session, code)
        assert game.id is not None
        words = words_of(seat_rows(session, game.id))
        line = present_line(session, game)
        rulings = session.exec(select(Ruling).where(col(Ruling.game_id) == game.id)).all()
        if not line:
            raise Refused("wrong_status", status=game.status)
        journal = _journal(session, game)
    try:
        notes = _notes(game, line, rulings)
        _check_draw(game, words, notes)
        table = replay(rules_of(game), game.secret, words, _entries(rules_of(game), line, notes))
    except BadJournal as bad:
        return Verified(len(line), game.head.hex(), bad.code, bad.number)
    if table.head != game.head:
        return Verified(len(line), game.head.hex(), "head", table.number)
    return Verified(len(line), game.head.hex(), *_wrong_with(journal))


def _wrong_with(journal: Journal | BadJournal) -> tuple[str, int]:
    """What the check of a record finds, with the entry; empty for nothing."""
    if isinstance(journal, BadJournal):
        return journal.code, journal.number
    try:
        check_play(*journal)
    except BadRecord as bad:
        return bad.code, bad.entry
    return "", 0


def _journal(session: Session, game: Game) -> Journal | BadJournal:
    """All lines with their seals; or what of them can't be read, told once nothing is wrong before it."""
    try:
        return journal_of(session, game)
    except BadJournal as bad:
        return bad


def _notes(game: Game, line: Line, rulings: Iterable[Ruling]) -> dict[tuple[int, int], Note]:
    """The rulings as the journal has to have them, by line and number. Raises BadJournal for one without an entry."""
    notes: dict[tuple[int, int], Note] = {}
    for ruling in rulings:
        place = ruling.line, ruling.entry
        nowhere = not ruling.entry or (ruling.line == game.line and ruling.entry not in line)
        if nowhere or place in notes:
            raise BadJournal("ruling", ruling.entry)
        notes[place] = note_of(ruling)
    return notes


def _check_draw(game: Game, words: Sequence[str], notes: Mapping[tuple[int, int], Note]) -> None:
    """Raises BadJournal where sides were drawn otherwise than the secret and the players' words say."""
    for (_, number), note in notes.items():
        if note.act == DRAWN and not draw_fits(game.secret, words, note.params):
            raise BadJournal("draw", number)


def _entries(rules: Rules, line: Line, notes: Mapping[tuple[int, int], Note]) -> Iterator[Entry]:
    """The entries, each looked at for whether it is the ruling that is on record there. Raises BadJournal."""
    for number, (own, stored) in line.items():
        try:
            entry = decode(rules, stored)
        except msgspec.DecodeError as error:
            raise BadJournal("unreadable", number) from error
        if entry.note != notes.get((own, number)):
            raise BadJournal("ruling", number)
        yield entry
