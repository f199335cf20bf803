"""What single settings must be. Each function gives the value as it is used, or raises ValueError.

The error says what would be right and never what was given: it may be a secret.
"""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import SplitResult, parse_qs, parse_qsl, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from engine.numerals import whole_number
from pbem.clocks import Clock
from pbem.mail.addresses import canonical
from pbem.mail.letters import sendable
from pbem.words import languages

DATABASES = frozenset({"postgres", "postgresql", "sqlite"})
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN = re.compile(rf"(?:{_LABEL}\.)*(?!\d+\Z){_LABEL}")
_LONGEST_DOMAIN = 200
"""A name may have 253 characters; Message-IDs and reply addresses have up to 60 before it."""
_WEB = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>\d{1,5}))?(?:/[A-Za-z0-9._~%/-]*)?")
_HIGHEST_PORT = 65535
_TCP = frozenset({"redis", "rediss"})
_SOCKET = "redis+socket"
_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)
"""What a clock may show: times far beyond can be added to all between them."""


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


def broker_address(value: str) -> str:
    """A broker that all who go to it can be given, its certificate verified, or nothing."""
    if not value:
        return ""
    parts = _broker(value)
    if parts is None:
        raise ValueError(
            "write it like redis://:password@host:6379/0, rediss://… for TLS, or redis+socket:///path of a socket, "
            "with %23 for a # and %2F for a / in the password, or leave it empty for a server of our own"
        )
    if parts.scheme == "rediss" and "ssl_cert_reqs" not in dict(parse_qsl(parts.query)):
        # Left to itself Celery takes any certificate.
        asked = [*filter(None, [parts.query]), "ssl_cert_reqs=required"]
        return parts._replace(query="&".join(asked)).geturl()
    return f"{parts.scheme}{value[len(parts.scheme) :]}"  # in lower case, as the counter of requests wants it


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
    try:
        made = make_url(url)
    except (ArgumentError, ValueError):  # what they say may hold the password
        return False
    return made.get_backend_name() in DATABASES and "@" not in (made.host or "")


def _broker(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # what it says may hold the password
        return None
    if any(not char.isprintable() or char.isspace() for char in url):
        return None
    number = parse_qs(parts.query).get("virtual_host", ["0"])[-1]
    if parts.scheme == _SOCKET:
        is_file = url.partition("://")[2].startswith("/") and len(parts.path) > 1
        return parts if is_file and whole_number(number) is not None else None
    number = parts.path.strip("/") or "0"
    is_server = parts.scheme in _TCP and parts.hostname and port != 0
    return parts if is_server and whole_number(number) is not None else None
