"""Acknowledgements beyond a number a day wait a while and go out as one letter: joined, and none of them dropped."""

from collections.abc import Sequence
from datetime import timedelta
from email.parser import BytesParser
from email.policy import compat32

from sqlalchemy import bindparam, func
from sqlalchemy.sql.elements import ColumnElement
from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service
from pbem.mail.charsets import decode
from pbem.mail.letters import with_body
from pbem.storage.models import Letter

ACKNOWLEDGEMENT = "acknowledgement"
A_DAY = 20
"""Acknowledgements a day that one account gets at once."""
WAITS = timedelta(minutes=30)
"""How long the next ones wait for others to be joined with."""
HELD_BACK, JOINED = "held-back", "joined"
"""Problems of a letter that waits, and of one whose text went out within another."""
MOST = 8
"""Letters in one."""
_RULE = "\n" + "=" * 68 + "\n\n"
_TODAY = select(func.count()).where(
    col(Letter.account_id) == bindparam("account"),
    col(Letter.kind) == ACKNOWLEDGEMENT,
    col(Letter.queued) > bindparam("since"),
)


def hold_back(session: Session, letter: Letter) -> None:
    """Let an acknowledgement wait where its account has had many in a day: as long as the one that waits already."""
    if letter.kind != ACKNOWLEDGEMENT or letter.account_id is None:
        return
    today = {"account": letter.account_id, "since": clock.now() - timedelta(days=1)}
    if session.exec(_TODAY, params=today).one() < A_DAY:
        return
    waiting = select(func.min(Letter.next_try)).where(
        col(Letter.account_id) == letter.account_id,
        col(Letter.kind) == ACKNOWLEDGEMENT,
        *_waits(),
        col(Letter.seat) == letter.seat,
    )
    letter.next_try = session.exec(waiting).one() or clock.now() + WAITS
    letter.problem = HELD_BACK


def join(service: Service) -> int:
    """Make one letter of those to one seat whose time has come; how many letters went into others."""
    with service.reading() as session:
        due = session.exec(
            select(Letter.account_id, Letter.game_id, Letter.seat)
            .where(*_waits(), col(Letter.next_try) <= clock.now())
            .group_by(col(Letter.account_id), col(Letter.game_id), col(Letter.seat))
            .having(func.count() > 1)
        ).all()
    return sum(_join(service, *whose) for whose in due)


def _join(service: Service, account_id: int | None, game_id: int | None, seat: int | None) -> int:
    whose = col(Letter.account_id) == account_id, col(Letter.game_id) == game_id, col(Letter.seat) == seat
    with service.writing() as session:
        letters = session.exec(
            select(Letter)
            .where(*_waits(), *whose)
            .order_by(col(Letter.queued).desc(), col(Letter.id))
            .limit(MOST)
            .with_for_update(skip_locked=True)
        ).all()
        if len(letters) < 2:
            return 0
        newest, *older = letters
        newest.text = _RULE.join(letter.text for letter in letters)
        newest.content = with_body(newest.content, newest.message_id, newest.text, _one_page(letters))
        for letter in older:
            letter.fate, letter.problem = "withdrawn", JOINED
        session.add_all(letters)
    return len(older)


def _waits() -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return col(Letter.fate) == "queued", col(Letter.problem) == HELD_BACK


def _one_page(letters: Sequence[Letter]) -> str:
    """The newest one's page, with what stands in the others below it."""
    first, *others = (_html(letter) for letter in letters)
    head, end, tail = first.rpartition("</body>")
    inner = [page[page.find(">", page.find("<body")) + 1 : page.rfind("</body>")] for page in others]
    return "<hr>".join([head, *inner]) + end + tail


def _html(letter: Letter) -> str:
    for part in BytesParser(policy=compat32).parsebytes(letter.content).walk():
        if part.get_content_type() == "text/html":
            body = part.get_payload(decode=True)
            return decode(body, "utf-8") if isinstance(body, bytes) else ""
    return ""
