"""What single settings must be. Each function gives the value as it is used, or raises ValueError.

The error says what would be right and never what was given: it may be a secret.
"""

import os
import re
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pbem.clocks import Clock
from pbem.mail.addresses import canonical
from pbem.mail.letters import sendable
from pbem.words import languages

LONGEST_SOCKET = 103
"""Longest path of a socket in bytes: 107 on Linux, 103 on macOS."""
DATABASES = frozenset({"postgres", "postgresql", "sqlite"})
SQLITE = frozenset({"sqlite", "sqlite+pysqlite"})
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN = re.compile(rf"(?:{_LABEL}\.)*(?!\d+\Z){_LABEL}")
_LONGEST_DOMAIN = 200
"""A name may have 253 characters; Message-IDs and reply addresses have up to 60 before it."""
_HOST_LABEL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
"""As `_LABEL`, and as containers are called."""
_HOST = re.compile(rf"(?=.{{1,253}}\Z){_HOST_LABEL}(?:\.{_HOST_LABEL})*\.?")
_UNUSABLE = re.compile(r"[\x00\ud800-\udfff]")
"""What stands for bytes that are no UTF-8, and what no path and no database takes."""
_IN_ASCII = re.compile(r"[ -~]*")
_TOKEN = re.compile(r"(?:[!-~](?:[ -~]*[!-~])?)?")
_AUTHSERV_ID = re.compile(r"[!-:<-~]*")
_WEB = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>\d{1,5}))?(?:/[A-Za-z0-9._~%/-]*)?")
_HIGHEST_PORT = 65535
_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)
"""What a clock may show: times far beyond can be added to all between them."""


def text(value: object) -> object:
    """What can be written and sent at all, whichever setting it is."""
    if isinstance(value, str) and _UNUSABLE.search(value):
        raise ValueError("write it in UTF-8, without a NUL")
    return value


def optional_path(value: object) -> object:
    """A path, or None for an empty one: to a path that would be the folder in which the program was started."""
    return None if value == "" else value


def socket_path(value: Path | None) -> Path | None:
    """Where a socket can be made."""
    if value is not None and len(os.fsencode(value)) > LONGEST_SOCKET:
        raise ValueError(f"the path of a socket can have no more than {LONGEST_SOCKET} bytes")
    return value


def host(value: str) -> str:
    """A host that can be looked up, or an address: what is none is found out by no server but by our own programs."""
    try:
        return str(ip_address(value))
    except ValueError:
        pass
    try:
        ascii_name = value if value.isascii() else value.encode("idna").decode("ascii")
    except UnicodeError:
        ascii_name = ""
    if not _HOST.fullmatch(ascii_name):
        raise ValueError("write the name or the address of a host alone, like mail.example.org, 127.0.0.1 or ::1")
    return ascii_name


def optional_host(value: str) -> str:
    """A host, or nothing."""
    return host(value) if value else ""


def in_ascii(value: str) -> str:
    """A name or a password to sign in with at a mail server, or nothing: the clients send no other characters."""
    if not _IN_ASCII.fullmatch(value):
        raise ValueError("write it in printable ASCII: no other characters can be sent to the server")
    return value


def bearer_token(value: str) -> str:
    """What a header can carry as it is, or nothing."""
    if not _TOKEN.fullmatch(value):
        raise ValueError("write it in printable ASCII, without blanks around it: a header carries nothing else")
    return value


def authserv_id(value: str) -> str:
    """What a mail server may call itself in Authentication-Results, or nothing: another name would match nothing."""
    if not _AUTHSERV_ID.fullmatch(value):
        raise ValueError("write the name alone, as it stands first in Authentication-Results, without blanks and ;")
    return value


def domain_name(value: str) -> str:
    """A domain alone, in ASCII as servers have it: it stands in the addresses and Message-IDs of all letters."""
    try:
        ascii_name = value if value.isascii() else value.encode("idna").decode("ascii")
    except UnicodeError:
        ascii_name = ""
    if not _DOMAIN.fullmatch(ascii_name) or len(ascii_name) > _LONGEST_DOMAIN:
        raise ValueError("write the name of a domain alone, like games.example.org")
    return ascii_name


def mail_address(value: str) -> str:
    """An address alone, as it is kept and compared, or nothing."""
    address = canonical(value)
    if not address:
        return ""
    try:
        sendable(address)
    except ValueError:
        raise ValueError(
            "write one address alone, like me@example.org, without a name, or leave it empty for nobody"
        ) from None
    return address


def web_address(value: str) -> str:
    """Where pages are, or nothing: paths are put behind it, and it stands in headers of letters."""
    found = _WEB.fullmatch(value)
    if value and (found is None or int(found["port"] or 0) > _HIGHEST_PORT):
        raise ValueError(
            "write it like https://games.example.org, without name, password, ? or #, or leave it empty for the "
            "address that is listened on"
        )
    return value


def login(value: str) -> str:
    """Name and password, or nothing."""
    if value and ":" not in value:
        raise ValueError("write it like name:password, or leave it empty to close this way")
    return value


def database_address(value: str) -> str:
    """With the driver that we have, or nothing."""
    if value and not _is_database(value):
        raise ValueError(
            "write it like postgresql://name:password@host/database, with %40 for an @ in the password, or leave "
            "it empty for SQLite"
        )
    scheme, mark, rest = value.partition("://")
    return f"postgresql+psycopg{mark}{rest}" if scheme in {"postgres", "postgresql"} else value


def language(value: str) -> str:
    """One that a person may choose."""
    if value not in languages():
        raise ValueError(f"there is no catalog for this language; one of: {', '.join(languages())}")
    return value


def time_zone(value: str) -> str:
    """One that there is."""
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: the name of a folder of zones
        raise ValueError("there is no such time zone; write it like Europe/Berlin") from None
    return value


def clock_of(offset: float, rate: float, origin: datetime) -> Clock:
    """The clock that these settings make, which shows a time that others can be added to."""
    made = Clock(timedelta(seconds=offset), rate, origin)
    try:
        shows_time = _FIRST <= made.now() < _LAST
    except OverflowError:
        shows_time = False
    if not shows_time:
        raise ValueError(
            "with this, clock_rate and clock_offset the clock is not between the years 1970 and 3000: name the moment "
            "at which the clock began to run at its rate"
        )
    return made


def _is_database(url: str) -> bool:
    from sqlalchemy.engine import make_url  # noqa: PLC0415 - a command without a database need not wait for it
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415

    try:
        made = make_url(url)
    except (ArgumentError, ValueError):  # what they say may hold the password
        return False
    if made.get_backend_name() == "sqlite":  # one in memory would be another one in each process
        return made.drivername in SQLITE and made.database not in {None, "", ":memory:"} and not made.host
    return made.get_backend_name() in DATABASES and "@" not in (made.host or "")
