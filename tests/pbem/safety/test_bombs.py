"""What grows when it is opened: nothing of ours opens it."""

import ast
import gzip
import io
import zipfile
from pathlib import Path

import pytest
from sqlmodel import select

from pbem import clock
from pbem.mail.intake import Arrived, store
from pbem.storage.models import Inbound
from pbem.storage.sessions import Database
from pbem.web import app as web
from tests.pbem.mail.mailing import reply
from tests.pbem.playing import begun, service_on
from tests.pbem.web.visiting import app_on

ROOT = Path(__file__).parents[3]
OPENERS = {
    *("zipfile", "tarfile", "gzip", "bz2", "lzma"),
    *("xml", "lxml", "defusedxml", "html5lib", "yaml", "pickle", "marshal", "shelve", "dill", "joblib"),
}
"""Modules that unpack archives, expand entities, or run what they read."""
MEGABYTES = 200
LAUGHS = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">' + b"".join(
    b'<!ENTITY %c "%s">' % (98 + number, b"&%c;" % (97 + number) * 10) for number in range(12)
) + b"]><svg>&m;</svg>"  # fmt: skip


def _imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    return named | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


def test_nothing_of_ours_opens_archives_or_runs_what_it_reads() -> None:
    """No module of the service imports what unpacks, expands entities, or makes objects of bytes."""
    files = [path for room in ("engine", "pbem", "worker") for path in (ROOT / room).rglob("*.py")]
    assert len(files) > 100
    found = {str(path): name for path in files for name in _imports(path) if {name, name.partition(".")[0]} & OPENERS}
    assert found == {}
    assert [str(path) for path in files if "decompress" in path.read_text(encoding="utf-8")] == []


def _bomb(kind: str) -> bytes:
    if kind == "gzip":
        return gzip.compress(bytes(MEGABYTES * 1_000_000))
    if kind == "xml":
        return LAUGHS
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("orders.txt", bytes(MEGABYTES * 1_000_000))
    return held.getvalue()


@pytest.mark.parametrize(("kind", "type_"), [("zip", "zip"), ("gzip", "gzip"), ("xml", "xml"), ("xml", "xhtml+xml")])
def test_a_bomb_in_a_mail_is_left_as_it_is(database: Database, kind: str, type_: str) -> None:
    """The mail is read for its text; what is attached stays packed, and what is kept is no larger than what came."""
    service = service_on(database)
    match = begun(service)
    mail = reply(match.letters(0)[-1], "bid 1 or 2 or 3 or 4 or 5 or 6")
    mail.add_attachment(_bomb(kind), maintype="application", subtype=type_, filename=f"orders.{kind}")
    raw = mail.as_bytes()
    store(service, [Arrived(raw, clock.now(), "<ann@players.example>", (str(mail["To"]),))])
    match.settle()
    with service.reading() as session:
        kept = session.exec(select(Inbound)).one()
    assert kept.status == "read"
    assert len(kept.raw) <= len(raw)
    assert any("bid" in each.text for each in match.letters(0, "acknowledgement"))


def test_a_packed_body_is_not_unpacked(database: Database) -> None:
    """A webhook takes bytes as they are; a form, and a call of the API, must be what they say within their bounds."""
    service = service_on(database, hook_secret="hush")
    client = app_on(service).test_client()
    packed = gzip.compress(bytes(MEGABYTES * 1_000_000))
    headers = {"Content-Encoding": "gzip", "Authorization": "Bearer hush"}
    answer = client.post("/hooks/raw?to=play@play.example", data=packed, headers=headers)
    assert answer.status_code < 500
    with service.reading() as session:
        assert [len(mail.raw) for mail in session.exec(select(Inbound))] in ([len(packed)], [])
    assert len(packed) > web.MAX_FORM_BYTES
    assert client.post("/sign-in", data=packed, headers=headers).status_code in (400, 413)
    assert client.post("/api/v1/games/x/orders", data=packed, headers=headers).status_code in (401, 413, 415)
