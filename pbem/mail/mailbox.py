"""Mail fetched from an ordinary mailbox by IMAP: told of what comes by IDLE, and nothing of others is touched.

What is fetched goes by UID, from the first that was not there when this began. Only mail to addresses of ours, or in
answer to letters of ours, is taken in; all else stays as it is, unread.
"""

import imaplib
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import msgspec
import structlog
from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError

from pbem import clock
from pbem.context import Service
from pbem.games.due import MAILBOX
from pbem.mail.intake import Arrived, take_in
from pbem.mail.message import read_head
from pbem.settings import Settings
from pbem.storage.models import Heartbeat, Setting

log = structlog.get_logger()

NOT_OPEN = (ImapToolsError, imaplib.IMAP4.error, OSError, UnicodeError)
"""What is raised where there is no mailbox, or no more; UnicodeError: of a word that one side can't write or read."""
SECONDS = 30.0
"""How long one answer of the server is waited for."""
AWAY = (5.0, 15.0, 60.0, 300.0)
"""Real seconds to the next try after a first, second, third, later failure in a row."""
LONGEST_IDLE = 300.0
"""Seconds after which IDLE is begun anew: routers forget silent connections."""
LONGEST_HEAD = 200_000
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Place(msgspec.Struct, frozen=True):
    """How far a mailbox was read: all below `uid`, as long as its UIDVALIDITY is `validity`. `at` is when, in UTC."""

    validity: int
    uid: int
    at: datetime


def fetch(service: Service, told: threading.Event, started: Callable[[], object]) -> None:
    """Fetch until told to stop; a server that is away is asked again and again."""
    failures = 0
    started()
    while not told.is_set():
        try:
            with opened(service.settings) as box:
                log.info("mailbox_open")
                for _ in _looks(service, box, told):
                    failures = 0
        except NOT_OPEN as error:
            pause = AWAY[min(failures, len(AWAY) - 1)]
            failures += 1
            log.warning("mailbox_away", kind=type(error).__name__, seconds=pause)
            told.wait(pause)


@contextmanager
def opened(settings: Settings) -> Iterator[BaseMailBox]:
    """The mailbox that the settings name, its folder selected. The certificate is verified."""
    host, port = settings.imap_host, settings.imap_port
    box: BaseMailBox
    if settings.imap_tls == "tls":
        box = MailBox(host, port, timeout=SECONDS, ssl_context=ssl.create_default_context())
    elif settings.imap_tls == "starttls":
        box = MailBoxStartTls(host, port, timeout=SECONDS, ssl_context=ssl.create_default_context())
    else:
        box = MailBoxUnencrypted(host, port, timeout=SECONDS)
    try:
        yield box.login(settings.imap_user, settings.imap_password, settings.imap_folder)
    finally:
        try:
            box.logout()
        except NOT_OPEN:
            box.client.shutdown()  # the server has gone before us


def look(service: Service, box: BaseMailBox) -> int:
    """Take in what has come since the last look; how many mails it was. The first look only notes where to begin."""
    name = _name(service.settings)
    began = clock.now()
    box.client.noop()  # lets the server tell of what came since the folder was selected
    status = box.folder.status(service.settings.imap_folder, ["UIDVALIDITY", "UIDNEXT"])
    validity, following = status["UIDVALIDITY"], status["UIDNEXT"]
    with service.reading() as session:
        row = session.get(Setting, name)
    place = msgspec.json.decode(row.value, type=Place) if row is not None else None
    taken = sum(_take(service, box, uid) for uid in _new(box, place, validity, following))
    kept = msgspec.json.encode(Place(validity, following, began)).decode()
    with service.writing() as session:
        session.merge(Setting(name=name, value=kept))
        session.merge(Heartbeat(name=MAILBOX, at=began))
    return taken


def _new(box: BaseMailBox, place: Place | None, validity: int, following: int) -> list[int]:
    """The numbers of mails to look at."""
    if place is None:
        return []  # what lay there before is not ours to answer
    if place.validity == validity:
        found = box.uids(f"UID {place.uid}:*", charset=None) if following > place.uid else []
        # `*` is the last mail whatever its number, and one that came after STATUS is for the next look.
        return [uid for uid in map(int, found) if place.uid <= uid < following]
    # All numbers are new. What was taken in before is known by its content, and counts once.
    since = place.at - timedelta(days=1)
    return [int(uid) for uid in box.uids(f"SINCE {since.day}-{_MONTHS[since.month - 1]}-{since.year}", charset=None)]


def _looks(service: Service, box: BaseMailBox, told: threading.Event) -> Iterator[int]:
    """Look again and again: when the server tells of something, and when the time is up."""
    idles = "IDLE" in box.client.capabilities
    while not told.is_set():
        yield look(service, box)
        seconds = min(service.settings.imap_seconds, LONGEST_IDLE)
        if idles:
            _idle(box, told, seconds)
        else:
            told.wait(seconds)


def _idle(box: BaseMailBox, told: threading.Event, seconds: float) -> None:
    """Wait until the server tells of something, in slices, so that being told to stop does not wait."""
    end = time.monotonic() + seconds
    with box.idle as idle:
        while not told.is_set() and time.monotonic() < end:
            if any(b"EXISTS" in line or b"BYE" in line for line in idle.poll(timeout=1)):
                return


def _take(service: Service, box: BaseMailBox, uid: int) -> int:
    """Take one mail in, if it is for us, and mark it as seen; 1, or 0 for one of somebody else's."""
    identity = service.identity
    head = _get(box, uid, f"BODY.PEEK[HEADER]<0.{LONGEST_HEAD}>")
    if head is None:
        return 0  # it was deleted meanwhile
    said = read_head(head[1])
    ours = identity.find(said.recipients, said.answers).mark is not None or any(map(identity.takes, said.recipients))
    if not ours:
        return 0
    # A byte more than is read tells the reader that the mail is too big, and its player gets an answer.
    whole = _get(box, uid, f"BODY.PEEK[]<0.{service.settings.max_message_bytes + 1}>")
    if whole is None:
        return 0
    take_in(service, Arrived(whole[1], _received(whole[0]), "", (), "imap"))
    box.client.uid("STORE", str(uid), "+FLAGS.SILENT", r"(\Seen)")
    return 1


def _get(box: BaseMailBox, uid: int, what: str) -> tuple[bytes, bytes] | None:
    """What the server says of a mail, and the bytes asked for; None where it is not there."""
    kind, found = box.client.uid("FETCH", str(uid), f"(INTERNALDATE {what})")
    if kind != "OK":
        raise OSError("FETCH failed")
    return next((each for each in found if isinstance(each, tuple)), None)


def _received(said: bytes) -> datetime:
    """When the server got it, as long as our clock is the real one; never later than now."""
    now = clock.now()
    local = imaplib.Internaldate2tuple(said)
    if local is None or clock.clock() != clock.Clock():
        return now
    return min(now, datetime.fromtimestamp(time.mktime(local), UTC))


def _name(settings: Settings) -> str:
    return f"mailbox/{settings.imap_user}@{settings.imap_host}:{settings.imap_port}/{settings.imap_folder}"
