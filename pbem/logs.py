"""Logs, without secrets.

An event is named by a code and takes ids and numbers: `log.info("letter sent", letter=7)`. Who works on something names
it once for all lines that are written meanwhile, those of libraries too (`structlog.contextvars`).

Values under names that carry secrets are masked whatever they hold, and so is what looks like an address or a long
token in any text, in a traceback's message too: a slip in one place must not put a hand or an address into a log file.
"""

import logging
import re
import sys
import traceback
from collections.abc import Mapping, MutableMapping
from types import TracebackType
from typing import Any, cast

import structlog

from pbem import clock

SECRET = frozenset(
    """
    address addresses authorization body choice cookie email hand headers mail order orders password payload raw
    recipient secret sender sheet state subject text token url view
    """.split()  # noqa: SIM905 - twenty-five quoted words are harder to read
)
MASK = "***"
CHATTY = ("alembic", "celery.app.trace", "celery.beat", "celery.worker.strategy", "flufl.bounce")
"""Libraries that tell of each thing that went well, some of them every second."""
QUOTING = frozenset({"exc", "traceback", "args", "kwargs"})
"""What Celery's messages about tasks may quote."""
SERVER = "gunicorn"
SERVERS = ("gunicorn.error", "gunicorn.access")
"""Loggers that bring handlers of their own, past all this."""
_REQUEST = re.compile(r"""(['"]).*\1|(?<=Error handling request ).*""", re.DOTALL)
"""What the web server quotes of requests: lines and headers that it does not understand, and paths."""
_ADDRESS = re.compile(r"(?<![^\s<>\"'(),:;=])[^\s<>\"'(),:;=]+@[^\s<>\"'(),:;]+")
_TOKEN = re.compile(r"(?<![A-Za-z0-9_./-])(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{24,}")
_URL = re.compile(r"(?<=//)[^\s/@]*@")


def scrub(text: str) -> str:
    """`text` without addresses, passwords in URLs and long tokens."""
    return _TOKEN.sub(MASK, _ADDRESS.sub(MASK, _URL.sub(MASK + "@", text)))


def _clean(name: str, value: object) -> object:
    if name.lower() in SECRET:
        return MASK
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if isinstance(value, Mapping):
        return {key: _clean(str(key), inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(name, inner) for inner in value]
    return value


def _without_secrets(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {name: _clean(name, value) for name, value in event.items()}


def _stamp(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    event["time"] = clock.now().isoformat(timespec="milliseconds")
    return event


ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]


def _traceback(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Turn `exc_info` into frames and the exception's type: its message may quote what a player wrote."""
    given = event.pop("exc_info", None)
    if not given:
        return event
    info = sys.exc_info() if given is True else given
    error = info if isinstance(info, BaseException) else cast(ExcInfo, info)[1]
    if error is None:
        return event
    frames = traceback.extract_tb(error.__traceback__)
    event["error"] = type(error).__qualname__
    event["at"] = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(frames[-8:]))
    return event


def _without_words(record: logging.LogRecord) -> bool:
    """Leave of exceptions in a library's message their type: Celery quotes what a failed task says."""
    kind = getattr(record.exc_info[0], "__qualname__", MASK) if record.exc_info else MASK
    if isinstance(record.args, Mapping):
        record.args = {name: kind if name in QUOTING else value for name, value in record.args.items()}
    elif isinstance(record.args, tuple):
        record.args = tuple(
            type(value).__qualname__ if isinstance(value, BaseException) else value for value in record.args
        )
    if isinstance(record.msg, BaseException):
        record.msg = type(record.msg).__qualname__
    return True


def _without_requests(record: logging.LogRecord) -> bool:
    """Leave nothing of a request in the web server's messages, not a part of it either: a path may be a token."""
    if record.name.partition(".")[0] == SERVER:
        first, _, _ = record.getMessage().partition("\n")
        record.msg, record.args = _REQUEST.sub(MASK, first), ()
    return True


def configure(level: str, *, as_json: bool) -> None:
    """Send this process's logs, those of the libraries too, to standard error."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        _stamp,
        _traceback,
        _without_secrets,
    ]
    render = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=False)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_without_words)
    handler.addFilter(_without_requests)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, render],
        )
    )
    for name in CHATTY:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(level.upper())))
    for name in SERVERS:
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())


def get(name: str) -> Any:
    """The logger of a module: `log = logs.get(__name__)`."""
    return structlog.stdlib.get_logger(name)
