"""Deleting a person's data: name, addresses and letters go, and the games that they played in stay whole.

Journals, draws, orders as carried out and records are untouched, so everything that could be checked still can be.
What stays is what others need: messages in a game's record, from a side without a player, and the public word that is
mixed into its draws. What a moderator has ruled stays under the name that the players were told: the journal's hashes
have it.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import Delete, String, Update, cast, false, func, literal, or_, update
from sqlalchemy.orm import Mapped
from sqlalchemy.sql.elements import ColumnElement
from sqlmodel import Session, col, delete, select

from pbem.accounts import addresses
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.lifecycle import decline
from pbem.games.position import LEFT
from pbem.mail.posted import SOURCES
from pbem.mail.withdrawing import withdraw
from pbem.rulings.authority import Actor
from pbem.sheets.confirming import resign
from pbem.sheets.stored import orders_alone
from pbem.site.holdings import Held, held, let_go
from pbem.site.merging import empty
from pbem.site.record import DELETED, governor, not_oneself, put_on_record, subject
from pbem.storage.models import Account, Game, Inbound, Letter, Report, Seat, Submission, Unwanted

OWN_WISH = "own wish"
"""What stands as the reason on record where a person deleted their own data."""


def delete_account(service: Service, account_id: int, actor: Actor) -> None:
    """Leave the account's seats as its player could, then take out all that is the person's.

    Should it end in the middle, seats have been left and nothing else is done: it can be done again. Raises Refused
    `no_account`, `no_reason`, `long_reason`, `not_of_site`, `own_account`.
    """
    with service.reading() as session:
        by, account = governor(session, actor), session.get(Account, account_id)
        if account is None or account.deleted is not None:
            raise Refused("no_account")
        not_oneself(by, account)
    _leave_all(service, account_id)
    with service.writing() as session:
        by, account = governor(session, actor), subject(session, account_id)
        _forget(session, account)
        put_on_record(session, by, actor, DELETED, account, {})


def delete_own(service: Service, account_id: int) -> None:
    """The same by the person's own word. Raises Refused `no_account`."""
    with service.reading() as session:
        account = session.get(Account, account_id)
        if account is None or account.deleted is not None:
            raise Refused("no_account")
    _leave_all(service, account_id)
    with service.writing() as session:
        account = subject(session, account_id)
        _forget(session, account)
        put_on_record(session, account, Actor(OWN_WISH), DELETED, account, {})


def _leave_all(service: Service, account_id: int) -> None:
    with service.reading() as session:
        seats = _seats(session, account_id)
    for game, seat in seats:
        _leave(service, game, seat)


def _seats(session: Session, account_id: int) -> list[tuple[Game, Seat]]:
    """The account's seats in games that are played here, and the invitations that it has not answered."""
    query = select(Game, Seat).join(Seat, col(Seat.game_id) == col(Game.id))
    mine = col(Seat.account_id) == account_id, col(Seat.resigned).is_(None)
    held = or_(col(Seat.joined).is_not(None), col(Game.status) == "inviting")
    return list(session.exec(query.where(*mine, held, col(Game.status).not_in(LEFT))).all())


def _leave(service: Service, game: Game, seat: Seat) -> None:
    assert game.id is not None
    if game.status == "inviting":
        decline(service, game.id, seat.number)
    else:
        resign(service, game.id, seat.number, seat.generation)


def _forget(session: Session, account: Account) -> None:
    assert account.id is not None
    known = addresses(session, account.id)
    spans = held(session, account.id)
    _names_in_reports(session, spans)
    _texts(session, spans)
    for seat in session.exec(select(Seat).where(col(Seat.account_id) == account.id)):
        seat.generation, seat.calendar_at = seat.generation + 1, None
        session.add(seat)
    session.flush()
    _mails(session, account.id, known)
    _posts(session, spans)
    _letters(session, account.id, known)
    _change(session, delete(Unwanted).where(col(Unwanted.address).in_(known)))
    let_go(session, account.id)
    empty(account)
    session.add(account)


def _mails(session: Session, account_id: int, known: frozenset[str]) -> None:
    """What came from the person, or answered a letter of theirs; one that was not read yet is not read any more."""
    theirs = select(Letter.id).where(col(Letter.account_id) == account_id)
    mails = or_(func.lower(Inbound.mail_from).in_(known), col(Inbound.letter_id).in_(theirs))
    waiting = col(Inbound.status).in_(("stored", "held", "aside"))
    _change(session, update(Inbound).where(mails, waiting).values(status="refused"))
    _change(session, update(Inbound).where(mails).values(raw=b"", mail_from="", rcpt_to="", problem="deleted"))


def _posts(session: Session, spans: Sequence[Held]) -> None:
    """The same of what the person sent by page or API and that stood in line, or was set aside."""
    for each in spans:
        theirs = col(Inbound.game_id) == each.game_id, col(Inbound.seat) == each.seat
        posts = (*theirs, col(Inbound.source).in_(SOURCES), *_within(col(Inbound.received), each))
        left = col(Inbound.raw) != b""
        _change(session, update(Inbound).where(*posts, left).values(status="refused", raw=b"", problem="deleted"))


def _letters(session: Session, account_id: int, known: frozenset[str]) -> None:
    """What was written to the person: that it was, and what became of it, stays."""
    letters = or_(col(Letter.account_id) == account_id, col(Letter.recipient).in_(known))
    withdraw(session, letters)
    nameless = literal("deleted/").concat(cast(Letter.id, String))  # the key may have the address
    nothing = dict.fromkeys(("recipient", "subject", "text", "references", "answer", "problem"), "")
    _change(session, update(Letter).where(letters).values(key=nameless, content=b"", **nothing))


def _change(session: Session, statement: Update | Delete) -> None:
    """Carried out in the database alone: the rows are many, and none of them is at hand."""
    session.connection().execute(statement)


def _texts(session: Session, spans: Sequence[Held]) -> None:
    """What the person wrote with orders; the orders are the game's."""
    for each in spans:
        theirs = col(Submission.game_id) == each.game_id, col(Submission.seat) == each.seat
        for row in session.exec(select(Submission).where(*theirs, *_within(col(Submission.stored), each))):
            row.text, row.reading = "", orders_alone(row.reading)
            session.add(row)


def _names_in_reports(session: Session, spans: Sequence[Held]) -> None:
    """The person's name in what the seats of their games were told."""
    for each in spans:
        for report in session.exec(
            select(Report).where(col(Report.game_id) == each.game_id, *_within(col(Report.at), each))
        ):
            told = msgspec.json.decode(report.data)
            told["seats"][each.seat]["player"] = ""
            report.data = msgspec.json.encode(told, order="deterministic")
            session.add(report)


def _within(moment: Mapped[datetime], each: Held) -> list[ColumnElement[bool]]:
    """Whether something was in the time of a seat's holder: nothing was before it, and to its end all is theirs."""
    within: list[ColumnElement[bool]] = [moment >= each.since if each.since is not None else false()]
    return [*within, moment <= each.until] if each.until is not None else within
