"""A game's record as a file's bytes."""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

import msgspec
from sqlmodel import Session, col, select

from engine.contract import Rules
from engine.errors import BadJournal
from engine.journal import decode
from pbem.context import Service
from pbem.errors import Busy, Refused
from pbem.games.position import game_row, numbers, seat_rows
from pbem.games.rules import rules_of, setup_of
from pbem.records.goingon import rest_of
from pbem.records.shape import FORMAT, End, Line, Played, Recorded, Rest, Said, Sealed, Side, Stood, encoded
from pbem.rulings.authority import Actor
from pbem.rulings.record import rule
from pbem.sheets.folding import seal
from pbem.sheets.stored import Opened, decode_sheet, opened_sheets
from pbem.storage.models import Game, JournalEntry, Press, Seals, Seat

EXPORTED = "exported"
"""The act on record of a whole record."""


def record(service: Service, code: str) -> bytes:
    """The record of a game that is over.

    Raises Refused `no_game`, and `record_hidden` for a game that still has something to hide.
    """
    with service.reading() as session:
        game = game_row(session, code)
        if game.status != "over":
            raise Refused("record_hidden", status=game.status)
        return _written(session, game)


def whole_record(service: Service, code: str, actor: Actor) -> bytes:
    """The record of a game that goes on, with its secret and all else that it needs to go on elsewhere.

    It is a look at hidden things, told to all players at once, and the ruling stands in the record. Raises Refused
    `wrong_status` for a game that is not played, and as `pbem.rulings.looking.look`.
    """

    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if game.status != "playing" or game.agreed:
            raise Refused("wrong_status", status=game.status)
        return {}

    ruling = rule(service, code, actor, EXPORTED, act, secret=True, at_once=True)
    with service.reading() as session:
        game = session.get_one(Game, ruling.game_id)
        if game.status != "playing":
            raise Busy
        return _written(session, game, list(rest_of(session, game)))


def journal_of(session: Session, game: Game) -> tuple[Played, list[Recorded], list[Sealed]]:
    """The game, its entries and its seals as a record has them. Raises BadJournal for one that can't be read."""
    rules = rules_of(game)
    entries, seals = list(_entries(session, game, rules)), list(_seals(session, game, rules))
    return _game(session, game, len(entries), len(seals)), entries, seals


def _written(session: Session, game: Game, rest: Sequence[Rest] = ()) -> bytes:
    head, entries, seals = journal_of(session, game)
    said = list(_said(session, game))
    head = msgspec.structs.replace(head, messages=len(said), rest=len(rest))
    lines: list[Line] = [head, *entries, *seals, *said, *rest]
    content = b"".join(map(encoded, lines))
    return content + encoded(End(content_hash(content)))


def content_hash(content: bytes) -> str:
    """What the last line says of all before it."""
    return blake2b(content, digest_size=32, person=b"pbem record").hexdigest()


def _game(session: Session, game: Game, entries: int, seals: int) -> Played:
    assert game.id is not None
    return Played(
        format=FORMAT,
        code=game.code,
        title=game.title,
        rules=game.rules,
        setup=setup_of(game),
        pace=game.pace,
        over=game.status == "over",
        sides=tuple(Side(seat.name, seat.public_word) for seat in seat_rows(session, game.id)),
        secret_hash=game.secret_hash.hex(),
        secret=game.secret.hex(),
        line=game.line,
        head=game.head.hex(),
        entries=entries,
        seals=seals,
    )


def _entries(session: Session, game: Game, rules: Rules) -> Iterator[Recorded]:
    rows = session.exec(
        select(JournalEntry)
        .where(col(JournalEntry.game_id) == game.id)
        .order_by(col(JournalEntry.line), col(JournalEntry.number))
    )
    for row in rows:
        try:
            sheets = tuple(_stood(rules, each) for each in opened_sheets(row.opened)) if row.opened else ()
            entry = decode(rules, row.entry)
        except msgspec.DecodeError as error:
            raise BadJournal("unreadable", row.number) from error
        yield Recorded(row.at.isoformat(), row.public_hash.hex(), entry, sheets)


def _stood(rules: Rules, opened: Opened) -> Stood:
    """The seal is the one that was told; earlier releases kept none, so that it can only be made once more."""
    sheet = decode_sheet(rules, opened.sheet)
    return Stood(opened.seat, opened.seal.hex() or seal(sheet, opened.nonce), opened.nonce.hex(), sheet)


def _seals(session: Session, game: Game, rules: Rules) -> Iterator[Sealed]:
    rows = session.exec(select(Seals).where(col(Seals.game_id) == game.id).order_by(col(Seals.line), col(Seals.entry)))
    for row in rows:
        try:
            opened = [_stood(rules, each) for each in opened_sheets(row.opened)]
        except msgspec.DecodeError as error:
            raise BadJournal("seal", row.entry) from error
        for each in opened:
            yield Sealed(row.line, row.entry, row.stage_key, each.seat, each.seal, each.salt, each.sheet)


def _said(session: Session, game: Game) -> Iterator[Said]:
    """What one player and the moderator wrote to each other is about people, not play, and stays between them."""
    rows = session.exec(select(Press).where(col(Press.game_id) == game.id).order_by(col(Press.id)))
    for row in rows:
        if row.seats and (row.sender is not None or row.everyone):
            seats = numbers(row.seats)
            yield Said(row.at.isoformat(), row.stage_key, row.sender, seats, row.anonymous, row.text)
