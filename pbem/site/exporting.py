"""A person's data as one JSON file: what the service knows of them, wrote to them, and got from them.

To anybody but the person, orders, messages and letters of a game that goes on are left out: they would be a look at
hidden things, of which its players would have to be told.
"""

from datetime import datetime
from typing import Any

import msgspec
from sqlmodel import Session, col, func, select

from pbem.accounts import addresses
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.position import FINISHED
from pbem.rulings.authority import Actor
from pbem.site.record import EXPORTED, governor, put_on_record, record_of, subject
from pbem.storage.models import (
    Absence,
    Account,
    Address,
    ApiToken,
    Game,
    Inbound,
    Letter,
    Note,
    Observer,
    Press,
    Ruling,
    Seat,
    Standby,
    Submission,
    Tenure,
    WhatIf,
)

FORMAT = "pbem person 1"


def own_data(service: Service, account_id: int) -> bytes:
    """Everything, for the person alone. Raises Refused `no_account`."""
    with service.reading() as session:
        account = session.get(Account, account_id)
        if account is None or account.deleted is not None:
            raise Refused("no_account")
        return _written(session, account, hides=False)


def data_of(service: Service, account_id: int, actor: Actor) -> bytes:
    """The same for who runs the service, on record, but for what games that go on hide.

    Raises Refused `no_account`, `no_reason`, `long_reason`, `not_of_site`.
    """
    with service.writing() as session:
        by, account = governor(session, actor), subject(session, account_id)
        put_on_record(session, by, actor, EXPORTED, account, {})
    with service.reading() as session:
        return _written(session, account, hides=True)


def _written(session: Session, account: Account, *, hides: bool) -> bytes:
    assert account.id is not None
    rows = session.exec(
        select(Game, Seat)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .where(col(Seat.account_id) == account.id)
        .order_by(col(Game.id), col(Seat.number))
    ).all()
    led = session.exec(select(Game).where(col(Game.moderator_id) == account.id).order_by(col(Game.id))).all()
    codes = dict(session.exec(select(Game.id, Game.code)).all())
    going_on = set(session.exec(select(Game.id).where(col(Game.status).not_in(FINISHED))))
    hidden = {number for number in going_on if number is not None} if hides else set()
    known = addresses(session, account.id)
    told = {
        "format": FORMAT,
        "account": _fields(account, "id"),
        "addresses": [_fields(row, "id", "account_id") for row in _of(session, Address, account.id)],
        "tokens": [_fields(row, "id", "account_id", "digest") for row in _of(session, ApiToken, account.id)],
        "absences": [_fields(row, "id", "account_id") for row in _of(session, Absence, account.id)],
        "seats": [_seat(session, game, seat, game.id in hidden) for game, seat in rows],
        "held_before": [
            {"game": codes[row.game_id], "seat": row.seat, "joined": row.joined, "left": row.left}
            for row in _of(session, Tenure, account.id)
        ],
        "waits_for": [
            {"game": codes[row.game_id], "seat": row.wish, "since": row.created, "offered": row.seat}
            for row in _of(session, Standby, account.id)
        ],
        "notes": [
            {"game": codes[row.game_id], **_fields(row, "id", "game_id", "account_id")}
            for row in _of(session, Note, account.id)
        ],
        "observes": [
            {"game": codes[row.game_id], **_fields(row, "id", "game_id", "account_id", "line", "told", "stage_number")}
            for row in _of(session, Observer, account.id)
        ],
        "what_ifs": [
            {"game": codes[row.game_id], "entry": row.entry, "created": row.created, "expires": row.expires}
            for row in _of(session, WhatIf, account.id)
        ],
        "moderates": [{"code": game.code, "title": game.title} for game in led],
        "rulings": [
            {"game": codes[row.game_id], **_fields(row, "id", "game_id", "account_id", "secret")}
            for row in _of(session, Ruling, account.id)
        ],
        "letters": [_letter(row, codes, row.game_id in hidden) for row in _of(session, Letter, account.id)],
        "mails": [_mail(row, codes, row.game_id in hidden) for row in _mails(session, account.id, known)],
        "record": [_fields(row, "id", "subject_id", "account_id") for row, _ in record_of(session, account.id)],
    }
    return msgspec.json.format(msgspec.json.encode(told, enc_hook=_plain), indent=1) + b"\n"


def _of(session: Session, table: Any, account_id: int) -> list[Any]:
    return list(session.exec(select(table).where(table.account_id == account_id).order_by(table.id)))


def _fields(row: Any, *without: str) -> dict[str, Any]:
    """The columns of a row by name, but for those."""
    return {name: value for name, value in row.model_dump().items() if name not in without}


def _seat(session: Session, game: Game, seat: Seat, hides: bool) -> dict[str, Any]:
    """A seat and, unless they are hidden, what its player has sent since they took it."""
    about: dict[str, Any] = {
        "game": game.code,
        "title": game.title,
        "rules": game.rules,
        "status": game.status,
        "side": seat.name,
        "joined": seat.joined,
        "resigned": seat.resigned,
        "public_word": seat.public_word,
        "hidden": hides,
    }
    if hides:
        return about
    since = seat.joined or game.created
    mine = col(Submission.game_id) == game.id, col(Submission.seat) == seat.number, col(Submission.stored) >= since
    sent = session.exec(select(Submission).where(*mine).order_by(col(Submission.number)))
    wrote = col(Press.game_id) == game.id, col(Press.sender) == seat.number, col(Press.at) >= since
    press = session.exec(select(Press).where(*wrote).order_by(col(Press.id)))
    about["sent"] = [{"received": row.received, "by": row.source, "text": row.text} for row in sent]
    about["messages"] = [
        {"at": row.at, "to_seats": "" if row.veiled and game.status != "over" else row.seats, "text": row.text}
        for row in press
    ]
    return about


def _letter(row: Letter, codes: dict[int | None, str], hides: bool) -> dict[str, Any]:
    about = {
        "at": row.queued,
        "game": codes.get(row.game_id),
        "kind": row.kind,
        "to": row.recipient,
        "fate": row.fate,
        "sent": row.sent,
        "hidden": hides,
    }
    return about if hides else {**about, "subject": row.subject, "text": row.text}


def _mails(session: Session, account_id: int, known: frozenset[str]) -> list[Inbound]:
    """The mails that came from the person's addresses in answer to their own letters, or to none that is ours."""
    others = select(Letter.id).where(
        col(Letter.account_id).is_distinct_from(account_id), col(Letter.id) == col(Inbound.letter_id)
    )
    query = select(Inbound).where(func.lower(Inbound.mail_from).in_(known), ~others.exists())
    return list(session.exec(query.order_by(col(Inbound.id))))


def _mail(row: Inbound, codes: dict[int | None, str], hides: bool) -> dict[str, Any]:
    about = {
        "received": row.received,
        "game": codes.get(row.game_id),
        "from": row.mail_from,
        "status": row.status,
        "hidden": hides,
    }
    return about if hides else {**about, "mail": row.raw.decode("utf-8", "replace")}


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(type(value).__name__)
