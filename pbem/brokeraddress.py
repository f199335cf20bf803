"""The address of a broker as an operator writes it, and as each of the programs that go there reads it."""

from urllib.parse import SplitResult, parse_qs, parse_qsl, urlsplit

from engine.numerals import whole_number
from pbem.settingchecks import host

_TCP = frozenset({"redis", "rediss"})
_SOCKET = "redis+socket"
_DATABASE = "virtual_host"
"""How Celery calls the number of a database in the address of a socket."""


def broker_address(value: str) -> str:
    """A broker that all who go to it can be given, its certificate verified, or nothing. Raises ValueError."""
    if not value:
        return ""
    parts = _broker(value)
    if parts is None or not _is_taken(_written(parts, value)):
        raise ValueError(
            "write it like redis://:password@host:6379/0, rediss://… for TLS, or redis+socket:///path of a socket, "
            "with %23 for a # and %2F for a / in the password, after a ? nothing but ssl_ca_certs=… and the like for "
            "rediss://, where ssl_cert_reqs is required, optional or none, and virtual_host=number for a socket; or "
            "leave it empty for a server of our own"
        )
    return _written(parts, value)


def counting_address(broker: str) -> str:
    """The same for who counts requests there, as the Redis client has it and not as Celery."""
    if not broker.startswith(f"{_SOCKET}:"):
        return broker
    return broker.replace(f"{_SOCKET}:", "redis+unix:", 1).replace(f"?{_DATABASE}=", "?db=")


def _written(parts: SplitResult, value: str) -> str:
    if parts.scheme == "rediss" and "ssl_cert_reqs" not in dict(parse_qsl(parts.query)):
        # Left to itself Celery takes any certificate.
        asked = [*filter(None, [parts.query]), "ssl_cert_reqs=required"]
        return parts._replace(query="&".join(asked)).geturl()
    return f"{parts.scheme}{value[len(parts.scheme) :]}"  # in lower case, as the counter of requests wants it


def _broker(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # what it says may hold the password
        return None
    if any(not char.isprintable() or char.isspace() for char in url):
        return None
    if parts.scheme == _SOCKET:
        is_file = url.partition("://")[2].startswith("/") and len(parts.path) > 1
        asked = parse_qs(parts.query, keep_blank_values=True)
        number = asked.pop(_DATABASE, ["0"])
        # Celery would hand on other options as texts, and numbers among them fail when it connects.
        return parts if is_file and not asked and len(number) == 1 and whole_number(number[0]) is not None else None
    is_server = parts.scheme in _TCP and _is_host(parts.hostname or "") and port != 0
    return parts if is_server and whole_number(parts.path.strip("/") or "0") is not None else None


def _is_host(name: str) -> bool:
    try:
        host(name)
    except ValueError:
        return False
    return True


def _is_taken(url: str) -> bool:
    """Whether both clients can make connections by it, whatever its options are. None is opened."""
    from kombu.connection import Connection  # noqa: PLC0415 - a command on a service without one needs no client
    from redis import ConnectionPool  # noqa: PLC0415

    try:
        Connection(url)  # type: ignore[no-untyped-call]
        ConnectionPool.from_url(counting_address(url).replace("redis+unix:", "unix:", 1)).make_connection()
    except Exception:  # each refuses in its own ways, and what it says may hold the password
        return False
    return True
