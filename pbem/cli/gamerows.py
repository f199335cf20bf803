"""Games and seats as rows of a table, with public facts only."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.sql.elements import ColumnElement
from sqlmodel import Session, col, select

from pbem.accounts import account_of
from pbem.context import Service
from pbem.errors import Refused
from pbem.games import position
from pbem.games.leading import awaited
from pbem.games.lifecycle import Guest
from pbem.games.rules import installed, module_of, setup_of
from pbem.setups import set_name, unusual, written
from pbem.storage.models import Game


def game_rows(session: Session, among: ColumnElement[bool]) -> list[dict[str, Any]]:
    """The games of which that is true."""
    return [game_as_row(session, each) for each in session.exec(select(Game).where(among).order_by(col(Game.id)))]


def game_as_row(session: Session, row: Game) -> dict[str, Any]:
    """One game."""
    assert row.id is not None
    seats = position.seat_rows(session, row.id)
    missing = [seat.number for seat in seats if position.expected(seat) and not seat.ready]
    if row.status != "playing":
        missing = [seat.number for seat in seats if seat.account_id is not None and seat.joined is None]
    waiting = awaited(row, seats) if row.waiting or row.status == position.MOVED else missing
    return {
        "code": row.code,
        "title": row.title,
        "rules": row.rules,
        "pace": row.pace,
        "status": row.status,
        "stage": row.stage_key,
        "opened": row.opened,
        "deadline": row.deadline,
        "waiting": [seats[number].name for number in waiting],
        "held": row.stopped,
        "aside": row.aside,
        "problem": row.problem,
        "head": row.head.hex(),
        "secret_hash": row.secret_hash.hex(),
        **_setup(row),
    }


def _setup(row: Game) -> dict[str, Any]:
    """Whether the rules are installed; if so the component set, and the options that are not at their defaults."""
    if not installed(row):
        return {"installed": False, "components": "", "edition": None, "options": []}
    module, setup = module_of(row), setup_of(row)
    box = set_name(module, setup)
    options = [f"{name}={written(value)}" for name, value in unusual(module, setup).items()]
    return {
        "installed": True,
        "components": box.name if box is not None else "",
        "edition": box.edition if box is not None else None,
        "options": options,
    }


def seat_rows(session: Session, code: str) -> list[dict[str, Any]]:
    """The seats of a game, with their players' addresses. Raises Refused `no_game`."""
    row = position.game_row(session, code)
    assert row.id is not None
    players = position.players_of(session, row.id)
    return [
        {
            "seat": seat.name,
            "player": players[seat.number].account.name if seat.number in players else "",
            "address": players[seat.number].address if seat.number in players else "",
            "standin": seat.standin,
            "joined": seat.joined,
            "left": seat.resigned,
            "sent": seat.sent,
            "ready": seat.ready,
            "missed": seat.missed,
        }
        for seat in position.seat_rows(session, row.id)
    ]


def doubles(session: Session, code: str) -> dict[str, list[str]]:
    """The addresses that hold several seats of a game, with the seats. Raises Refused `no_game`."""
    held: dict[str, list[str]] = {}
    for row in seat_rows(session, code):
        if row["address"] and not row["left"]:
            held.setdefault(row["address"], []).append(row["seat"])
    return {address: seats for address, seats in held.items() if len(seats) > 1}


def known_otherwise(session: Session, guests: Sequence[Guest]) -> list[tuple[Guest, str]]:
    """The guests whose accounts have other names than they were given, with those: an account keeps its own."""
    accounts = [(guest, account_of(session, guest.address)) for guest in guests if guest.name]
    return [(guest, account.name) for guest, account in accounts if account is not None and account.name != guest.name]


def seat_number(service: Service, code: str, seat: str) -> int:
    """The number of the seat of that name. Raises Refused `no_game`, `bad_side`."""
    with service.reading() as session:
        row = position.game_row(session, code)
        assert row.id is not None
        sides = {each.name: each.number for each in position.seat_rows(session, row.id)}
    wanted = seat.strip().lower()
    if wanted not in sides:
        raise Refused("bad_side", given=wanted[:40], known=", ".join(sides))
    return sides[wanted]
