"""Letters of one seat that wait go out as one: joined, and none of them dropped.

Those of a day wait where the player wants one a day, or wants to ask for them; acknowledgements beyond a number a day
wait a while.
"""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from email.parser import BytesParser
from email.policy import compat32
from itertools import accumulate, takewhile

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from sqlalchemy import and_, bindparam, func, update
from sqlalchemy.sql.elements import ColumnElement
from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service, nudge
from pbem.door import SEND
from pbem.habits import ACKNOWLEDGEMENT, GATHERED, HABITS, Choice, Habits
from pbem.mail.charsets import decode
from pbem.mail.letters import with_body
from pbem.storage.models import Account, Game, Letter, Seat
from pbem.storage.sessions import columns
from pbem.storage.types import NOW

log = structlog.get_logger()

A_DAY = 20
"""Acknowledgements a day that one account gets at once."""
WAITS = timedelta(minutes=30)
"""How long the next ones wait for others to be joined with."""
HELD_BACK, JOINED = "held-back", "joined"
"""Problems of a letter that waits, and of one whose text went out within another."""
MOST = 20
"""Letters in one."""
LARGEST = 80_000
"""Characters of the page of a letter that is made of several: some programs cut off what is beyond 100 KB."""
_RULE = "\n" + "=" * 68 + "\n\n"
_PICTURE = re.compile(r"<img\b[^>]*\bcid:[^>]*>")
_WAITS = (
    col(Letter.fate) == "queued",
    col(Letter.problem).in_((HELD_BACK, *HABITS)),
    col(Letter.kind).in_(GATHERED),
)
_WHOSE = col(Letter.account_id), col(Letter.game_id), col(Letter.seat)
_SEVERAL = select(*_WHOSE).where(*_WAITS, col(Letter.next_try) <= NOW).group_by(*_WHOSE).having(func.count() > 1)
_URGENT = (
    select(Letter.id)
    .join(Game, col(Game.id) == col(Letter.game_id))
    .join(Seat, and_(col(Seat.game_id) == col(Letter.game_id), col(Seat.number) == col(Letter.seat)))
    .where(
        col(Letter.fate) == "queued",
        col(Letter.next_try) > NOW,
        col(Letter.patience).is_not(None),
        col(Game.deadline) < col(Letter.patience),
        col(Game.status) == "playing",
        col(Game.aside).is_(False),
        col(Seat.ready).is_(False),
        col(Seat.standin) == "",
    )
)
_TODAY = select(func.count()).where(
    col(Letter.account_id) == bindparam("account"),
    col(Letter.kind) == ACKNOWLEDGEMENT,
    col(Letter.queued) > bindparam("since"),
)


def hold_back(session: Session, letter: Letter) -> None:
    """Let an acknowledgement wait where its account has had many in a day: as long as the one that waits already."""
    if letter.kind != ACKNOWLEDGEMENT or letter.account_id is None or letter.problem:
        return
    today = {"account": letter.account_id, "since": clock.now() - timedelta(days=1)}
    if columns(session, _TODAY, today).scalar_one() < A_DAY:
        return
    waiting = select(func.min(Letter.next_try)).where(
        col(Letter.account_id) == letter.account_id,
        col(Letter.kind) == ACKNOWLEDGEMENT,
        *_WAITS,
        col(Letter.game_id) == letter.game_id,
        col(Letter.seat) == letter.seat,
    )
    letter.next_try = letter.due = session.exec(waiting).one() or clock.now() + WAITS
    letter.problem = HELD_BACK


def joins(letter: Letter) -> bool:
    """Whether other letters went out within this one."""
    return _RULE in letter.text


def join(service: Service, over: Callable[[], bool]) -> int:
    """Make one letter of those to one seat whose time has come, until it is over; how many letters went into others.

    The rest is for the next time: before that nothing may be sent.
    """
    with service.reading() as session:
        urgent = urgent_letters(session)
    if urgent:
        release(service, urgent)
    with service.reading() as session:
        due = columns(session, _SEVERAL, {"now": clock.now()}).all()
    return sum(_joined(service, *whose) for whose in takewhile(lambda _: not over(), due))


def urgent_letters(session: Session) -> list[int]:
    """Letters that wait for their player's time, which is too late for a deadline that the player has to meet."""
    return list(columns(session, _URGENT, {"now": clock.now()}).scalars())


def release(service: Service, letters: Sequence[int]) -> None:
    """Let them wait no longer."""
    with service.writing() as session:
        _let_go(session, col(Letter.id).in_(letters))


def release_held(session: Session, account_id: int, game_id: int | None = None) -> int:
    """Let all letters of an account that wait for its time go now, or those of one game; how many there were."""
    which = [col(Letter.account_id) == account_id, col(Letter.problem).in_(HABITS)]
    if game_id is not None:
        which.append(col(Letter.game_id) == game_id)
    return _let_go(session, *which)


def choose(session: Session, account_id: int, choices: Sequence[Choice]) -> None:
    """Change how letters come; what waits by the old choice goes now. Raises Refused as `Choice.check` does."""
    account = session.get_one(Account, account_id, with_for_update=True)
    before = Habits.of(account)
    for choice in choices:
        choice.check()
        choice.apply(account)
    session.add(account)
    if Habits.of(account) != before:
        release_held(session, account_id)


def _let_go(session: Session, *which: ColumnElement[bool]) -> int:
    now = clock.now()
    waiting = col(Letter.fate) == "queued", col(Letter.next_try) > now
    let_go = update(Letter).where(*which, *waiting).values(next_try=now, due=now, patience=None)
    moved = session.connection().execute(let_go)
    nudge(session, SEND, 0)
    return moved.rowcount


def _joined(service: Service, account_id: int | None, game_id: int | None, seat: int | None) -> int:
    """As `_join`; where that fails, each goes out by itself, and nobody else's letters wait for it."""
    try:
        return _join(service, account_id, game_id, seat)
    except SoftTimeLimitExceeded:  # nothing is wrong with them
        raise
    except Exception as error:
        log.error("letters_not_joined", account=account_id, kind=type(error).__name__)  # noqa: TRY400 - may quote them
    whose = col(Letter.account_id) == account_id, col(Letter.game_id) == game_id, col(Letter.seat) == seat
    with service.writing() as session:
        due = *_WAITS, col(Letter.next_try) <= clock.now()
        session.connection().execute(update(Letter).where(*whose, *due).values(problem=""))
    return 0


def _join(service: Service, account_id: int | None, game_id: int | None, seat: int | None) -> int:
    """As many letters of one as fit: they become letters of a size that every mail program shows whole."""
    whose = col(Letter.account_id) == account_id, col(Letter.game_id) == game_id, col(Letter.seat) == seat
    joined = 0
    with service.writing() as session:
        letters = list(
            session.exec(
                select(Letter)
                .where(*_WAITS, *whose, col(Letter.next_try) <= clock.now())
                .order_by(col(Letter.queued).desc(), col(Letter.id))
                .with_for_update(skip_locked=True)
            )
        )
        while letters:
            together = _fitting(letters)
            letters = letters[len(together) :]
            if len(together) > 1:
                joined += len(_make_one(together))
            else:  # it goes out as it is: looked at each time, many such letters would take all of a sender's time
                together[0].problem = ""
            session.add_all(together)
    return joined


def _fitting(letters: Sequence[Letter]) -> list[Letter]:
    """The first letters, as far as they fit into one; one at least."""
    sizes = list(accumulate(len(_html(letter)) for letter in letters[:MOST]))
    return list(letters[: max(1, sum(size <= LARGEST for size in sizes))])


def _make_one(letters: Sequence[Letter]) -> list[Letter]:
    """Those that went into the first of them that asks for orders, whose reply address is the one to answer to."""
    carrier = next((each for each in letters if each.kind == "report"), letters[0])
    others = [each for each in letters if each is not carrier]
    carrier.text = _RULE.join(letter.text for letter in (carrier, *others))
    page, pictures = _one_page([carrier, *others]), _pictures(carrier)
    carrier.content = with_body(carrier.content, carrier.message_id, carrier.text, page, pictures)
    carrier.problem = ""
    for letter in others:
        letter.fate, letter.problem, letter.carrier = "withdrawn", JOINED, carrier.id
    return others


def _one_page(letters: Sequence[Letter]) -> str:
    """The first one's page, with what stands in the others below it, but for their pictures: the first has the newest
    board."""
    first, *others = (_html(letter) for letter in letters)
    head, end, tail = first.rpartition("</body>")
    inner = [page[page.find(">", page.find("<body")) + 1 : page.rfind("</body>")] for page in others]
    return "<hr>".join([head, *(_PICTURE.sub("", page) for page in inner)]) + end + tail


def _html(letter: Letter) -> str:
    for part in BytesParser(policy=compat32).parsebytes(letter.content).walk():
        if part.get_content_type() == "text/html":
            body = part.get_payload(decode=True)
            return decode(body, "utf-8") if isinstance(body, bytes) else ""
    return ""


def _pictures(letter: Letter) -> dict[str, bytes]:
    """The pictures of a letter, by Content-ID."""
    found = {}
    for part in BytesParser(policy=compat32).parsebytes(letter.content).walk():
        body = part.get_payload(decode=True)
        if part.get_content_type() == "image/png" and isinstance(body, bytes):
            found[str(part["Content-ID"]).strip("<>")] = body
    return found
