"""What a worker holds does not grow with the mails that it reads: counted object by object, which no day can do."""

import gc
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from pbem import clock
from pbem.mail.intake import Arrived, store
from pbem.mail.message import Mail
from pbem.mail.message import read as read_mail
from pbem.storage.sessions import Database
from tests.pbem.mail.mailing import reply
from tests.pbem.playing import Match, begun, service_on

WARM, MAILS = 20, 30
MOST = 10_000
"""Bytes for each mail: a tenth of a leak that fills a machine in a week."""


def read(match: Match, mails: range) -> None:
    """So many mails come, are read and are acknowledged."""
    report = match.letters(0, "report")[-1]
    for number in mails:
        mail = reply(report, f"bid {1 + number % 6}\nnot ready", Message_ID=f"<{number}@players.example>")
        store(match.service, [Arrived(mail.as_bytes(), clock.now(), str(mail["From"]), (str(mail["To"]),))])
        match.settle()


def grown(match: Match) -> float:
    """By how many bytes for each mail what Python holds has grown."""
    read(match, range(WARM))
    gc.collect()
    tracemalloc.start()
    try:
        read(match, range(WARM, WARM + 5))  # what is looked up again and again is traced from now on
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        read(match, range(WARM + 5, WARM + 5 + MAILS))
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (after - before) / MAILS


@pytest.fixture
def match(sqlite: Database, tmp_path: Path) -> Match:
    """A game of three whose first stage is open. Python's own memory is the same whatever the database is."""
    return begun(service_on(sqlite, maildir=tmp_path / "mail"))


def test_no_mail_leaves_anything_in_memory(match: Match) -> None:
    """Read, kept, acknowledged and sent, in one process."""
    assert grown(match) < MOST
    assert len(match.letters(0, "acknowledgement")) == WARM + 5 + MAILS


def test_a_tenth_of_a_megabyte_that_each_mail_leaves_is_found(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were it kept where mails are read."""
    kept: list[bytes] = []

    def leaking(raw: bytes, *given: Any) -> Mail:
        kept.append(bytes(100_000))
        return read_mail(raw, *given)

    monkeypatch.setattr("pbem.mail.ingest.read_mail", leaking)
    assert grown(match) > 90_000
