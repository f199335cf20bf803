"""Tries the mail configuration for real: listens, signs in, sends to itself, and asks DNS about the domain."""

import re
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from email.parser import BytesParser
from email.policy import compat32
from email.utils import format_datetime

import dns.exception
import dns.resolver
import msgspec
from sqlmodel import col, func, select

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.mail.identity import Mark, Purpose
from pbem.mail.letters import Outgoing, compose
from pbem.mail.mailbox import NOT_OPEN
from pbem.mail.mailbox import opened as mailbox_opened
from pbem.mail.message import read_head
from pbem.mail.transport import Never, NotNow, Shut, Unfinished, Unknown, Unreachable, opened, place
from pbem.settings import Settings
from pbem.storage.models import Inbound
from pbem.supervisor.ports import probe

OK, MEND, UNKNOWN = "ok", "mend", "unknown"
HERE = ("127.0.0.1", "::1", "localhost")
DNS_SECONDS = 5.0
_SELECTOR = re.compile(r"\bs=([\w.-]+)")
_SIGNER = re.compile(r"\bd=([\w.-]+)")


class Finding(msgspec.Struct, frozen=True):
    """What one check found: a code with its parameters, and whether there is something to mend.

    `state`: ok, mend, unknown (it could not be tried).
    """

    code: str
    state: str
    params: dict[str, object] = {}


def examine(service: Service, seconds: float) -> Iterator[Finding]:
    """All checks, each as it is done. `seconds` is how long a mail to itself is waited for."""
    yield _listening(service)
    if service.settings.imap_host:
        yield _mailbox(service)
    sending = _sending(service)
    yield sending
    came = None
    if sending.state == OK and service.settings.maildir is None:
        came, found = _loop(service, seconds)
        yield found
    yield from _records(service.settings.domain, came)


def _listening(service: Service) -> Finding:
    settings = service.settings
    path = settings.mail_socket
    where = str(path) if path is not None else f"{settings.mail_host}:{settings.mail_port}"
    try:
        with _connected(service) as connection:
            banner = connection.recv(1000).decode("utf-8", "replace")
    except OSError:
        if path is not None:
            return Finding("socket_silent", MEND, {"where": where})
        try:
            probe(settings.mail_host, settings.mail_port, "MAIL_PORT")
        except Refused as refused:
            return Finding("port_taken", MEND, {"where": where, "problem": refused.params["problem"]})
        return Finding("nobody_listens", MEND, {"where": where})
    ours = banner.startswith("220") and banner.rstrip().endswith("pbem")
    return Finding(
        "listens" if ours else "another_listens", OK if ours else MEND, {"where": where, "said": banner.strip()}
    )


def _connected(service: Service) -> socket.socket:
    settings = service.settings
    if settings.mail_socket is None:
        return socket.create_connection((settings.mail_host, settings.mail_port), 10)
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(10)
    try:
        connection.connect(str(settings.mail_socket))
    except OSError:
        connection.close()
        raise
    return connection


def _mailbox(service: Service) -> Finding:
    settings = service.settings
    params: dict[str, object] = {"host": settings.imap_host, "folder": settings.imap_folder}
    try:
        with mailbox_opened(settings) as box:
            idles = "IDLE" in box.client.capabilities
    except NOT_OPEN as error:
        return Finding("mailbox_shut", MEND, {**params, "kind": type(error).__name__})
    return Finding("mailbox_idles" if idles else "mailbox_polled", OK, {**params, "seconds": settings.imap_seconds})


def _sending(service: Service) -> Finding:
    settings = service.settings
    if settings.maildir is not None:
        return Finding("sends_nothing", OK, {"folder": str(settings.maildir)})
    try:
        opened(settings).close()
    except Shut as error:
        return _shut(settings, error)
    tls = (
        bool(settings.sendmail)
        or settings.smtp_tls != "none"
        or settings.smtp_host in {"127.0.0.1", "::1", "localhost"}
    )
    return Finding("sends" if tls else "sends_in_the_clear", OK if tls else MEND, {"where": place(settings)})


def _shut(settings: Settings, error: Shut) -> Finding:
    code = "program_not_started" if settings.sendmail else "server_away"
    return Finding(code, MEND, {"where": place(settings), "kind": str(error)})


def _nobodys() -> None:
    """A letter that is in no outbox is held by nobody."""


def _loop(service: Service, seconds: float) -> tuple[bytes | None, Finding]:
    """A letter to a reply address of our own, out by the way that letters go and in by the way that mail comes."""
    nonce = secrets.token_hex(16)
    mark = Mark(service.identity.number(f"doctor/{nonce}"), Purpose.NOTICE, 0)
    to = service.identity.reply_address(mark)
    with service.reading() as session:
        last = session.exec(select(func.max(Inbound.id))).one() or 0
    letter = Outgoing(mark, service.settings.sender_name, to, "A test of the mail configuration")
    raw = (
        b"Date: " + format_datetime(clock.now()).encode() + b"\r\n" + compose(service.identity, letter, f"Test {nonce}")
    )
    try:
        with closing(opened(service.settings)) as transport:
            transport.deliver(service.identity.bounce_address(mark), to, raw, lambda: _nobodys)
    except Shut as error:  # a program is first started here
        return None, _shut(service.settings, error)
    except (Never, NotNow, Unknown, Unreachable, Unfinished) as error:
        return None, Finding("loop_refused", MEND, {"to": service.identity.address, "said": str(error)})
    came = _came(service, last, nonce, seconds)
    if came is None:
        return None, Finding("loop_lost", MEND, {"to": service.identity.address, "seconds": round(seconds)})
    if service.identity.find(came[1], []).mark != mark:
        return came[0], Finding("token_lost", MEND, {"to": service.identity.address})
    return came[0], Finding("loop_closed", OK, {"to": service.identity.address})


def _came(service: Service, last: int, nonce: str, seconds: float) -> tuple[bytes, list[str]] | None:
    """The mail with that nonce, and the addresses that it came to."""
    end = time.monotonic() + seconds
    while True:
        with service.reading() as session:
            rows = session.exec(select(Inbound).where(col(Inbound.id) > last).order_by(col(Inbound.id))).all()
        for row in rows:
            if nonce.encode() in row.raw:
                delivered = row.rcpt_to.split("\n") if row.rcpt_to else list(read_head(row.raw).recipients)
                return row.raw, delivered
        if time.monotonic() > end:
            return None
        time.sleep(0.5)


def _records(domain: str, came: bytes | None) -> Iterator[Finding]:
    """What DNS says: where the domain's mail goes, and SPF, DKIM, DMARC."""
    if "." not in domain:
        yield Finding("domain_is_local", UNKNOWN, {"domain": domain})
        return
    try:
        mx = _asked(domain, "MX")
        spf = [text for text in _asked(domain, "TXT") if text.startswith("v=spf1")]
        dmarc = [text for text in _asked(f"_dmarc.{domain}", "TXT") if text.startswith("v=DMARC1")]
    except dns.exception.DNSException as error:
        yield Finding("dns_silent", UNKNOWN, {"domain": domain, "kind": type(error).__name__})
        return
    yield _one(mx, "mx", {"domain": domain})
    yield Finding("spf_twice", MEND, {"domain": domain}) if len(spf) > 1 else _one(spf, "spf", {"domain": domain})
    yield _one(dmarc, "dmarc", {"domain": domain})
    yield _dkim(domain, came)


def _one(found: list[str], what: str, params: dict[str, object]) -> Finding:
    return Finding(what if found else f"{what}_missing", OK if found else MEND, params)


def _dkim(domain: str, came: bytes | None) -> Finding:
    """Whether the mail that came back was signed for the domain, with a key that DNS has."""
    if came is None:
        return Finding("dkim_untried", UNKNOWN, {"domain": domain})
    headers = BytesParser(policy=compat32).parsebytes(came, headersonly=True).get_all("dkim-signature", [])
    for signature in map(str, headers):
        selector, signer = _SELECTOR.search(signature), _SIGNER.search(signature)
        if selector is None or signer is None or not domain.endswith(signer[1]):
            continue
        name = f"{selector[1]}._domainkey.{signer[1]}"
        try:
            there = any("p=" in text for text in _asked(name, "TXT"))
        except dns.exception.DNSException:
            there = False
        return Finding("dkim" if there else "dkim_no_key", OK if there else MEND, {"domain": domain, "name": name})
    return Finding("dkim_missing", MEND, {"domain": domain})


def _asked(name: str, kind: str) -> list[str]:
    """The records, an empty list where there are none. Raises DNSException where nobody answers."""
    try:
        found = dns.resolver.resolve(name, kind, lifetime=DNS_SECONDS)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    return [
        "".join(part.decode("utf-8", "replace") for part in each.strings) if kind == "TXT" else str(each)
        for each in found
    ]
