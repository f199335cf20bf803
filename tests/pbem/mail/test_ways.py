"""Ways in and out beside the listener: a pipe, webhooks, a socket, sendmail. All end in the same stored mail."""

import base64
import hashlib
import hmac
import os
import smtplib
import stat
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlmodel import col, select
from werkzeug.test import TestResponse

from pbem import clock, keys
from pbem.context import Service
from pbem.door import Celeried
from pbem.mail.identity import Identity
from pbem.mail.listener import listen
from pbem.settings import Settings
from pbem.storage.migrate import migrate
from pbem.storage.models import Inbound, Letter, Submission
from pbem.storage.sessions import Database
from pbem.supervisor.programs import programs
from pbem.sweep import settle
from pbem.web import create_app
from tests.pbem.brokers import UNUSABLE
from tests.pbem.mail.mailing import reply
from tests.pbem.playing import Match, begun, service_on

LOGIN, KEY, SECRET = "post:mark secret", "key-123", "raw secret"


@pytest.fixture
def match(database: Database) -> Match:
    """A game on a service whose webhooks are open."""
    service = service_on(database, postmark_login=LOGIN, mailgun_key=KEY, hook_secret=SECRET, smtp_port=1)
    return begun(service, pace="brisk")


@pytest.fixture
def client(match: Match) -> FlaskClient:
    """What a provider's servers see."""
    return create_app(match.service).test_client()


def raw_reply(match: Match, text: str = "bid 1") -> bytes:
    """An ordinary answer to the first seat's report."""
    return reply(match.letters(0, "report")[0], text).as_bytes()


def stored(service: Service) -> list[tuple[str, str, str]]:
    """How each mail came and what became of it."""
    settle(service)
    with service.reading() as session:
        rows = session.exec(select(Inbound).order_by(col(Inbound.id)))
        return [(row.source, row.status, row.rcpt_to) for row in rows]


def kept(match: Match) -> list[str]:
    """The texts of all submissions."""
    with match.service.reading() as session:
        return [row.text for row in session.exec(select(Submission).order_by(col(Submission.id)))]


def basic(login: str) -> dict[str, str]:
    """The header of basic authentication."""
    return {"Authorization": "Basic " + base64.b64encode(login.encode()).decode()}


def test_postmark(match: Match, client: FlaskClient) -> None:
    """The raw mail within its JSON is stored, with its recipient; without the login nothing is."""
    body = {"RawEmail": raw_reply(match).decode(), "OriginalRecipient": "play@play.example", "TextBody": "bid 4"}
    assert client.post("/hooks/postmark", json=body).status_code == 403
    assert client.post("/hooks/postmark", json=body, headers=basic("post:wrong")).status_code == 403
    assert stored(match.service) == []
    assert client.post("/hooks/postmark", json=body, headers=basic(LOGIN)).status_code == 200
    assert stored(match.service) == [("postmark", "read", "play@play.example")]
    assert kept(match) == ["bid 1"]
    missing = client.post("/hooks/postmark", json={"TextBody": "bid 1"}, headers=basic(LOGIN))
    assert missing.status_code == 422
    assert "raw mail" in missing.text
    assert client.post("/hooks/postmark", data=b"{", headers=basic(LOGIN)).status_code == 422


def test_half_a_character_in_json_loses_no_mail(match: Match, client: FlaskClient) -> None:
    """JSON can name what is no character: the provider would try in vain until it gives the mail up."""
    raw = raw_reply(match).decode() + "caf\udce9 \ud800\n"
    body = {"RawEmail": raw, "OriginalRecipient": "\ud800play@play.example"}
    assert client.post("/hooks/postmark", json=body, headers=basic(LOGIN)).status_code == 200
    assert stored(match.service) == [("postmark", "read", "?play@play.example")]
    assert kept(match) == ["bid 1\n\ncaf? ?"]


def signed(raw: bytes, token: str = "t1", seconds: int = 0, key: str = KEY, stamp: str = "") -> dict[str, Any]:
    """What Mailgun posts, at the present time and some seconds, or with that stamp."""
    stamp = stamp or str(int(clock.now().timestamp()) + seconds)
    signature = hmac.new(key.encode(), f"{stamp}{token}".encode(), hashlib.sha256).hexdigest()
    fields = {"recipient": "play@play.example", "sender": "ann@players.example", "body-mime": raw.decode()}
    return {**fields, "timestamp": stamp, "token": token, "signature": signature}


def test_mailgun(match: Match, client: FlaskClient) -> None:
    """A good signature is taken once; an old one, a made-up one and one used before are refused for good."""

    def post(form: dict[str, Any]) -> TestResponse:
        return client.post("/hooks/mailgun/mime", data=form, content_type="multipart/form-data")

    form = signed(raw_reply(match))
    assert post(form).status_code == 200
    assert post({**form, "body-mime": raw_reply(match, "bid 4").decode()}).status_code == 406
    assert post(signed(raw_reply(match, "bid 4"), "t2", key="other")).status_code == 406
    assert post(signed(raw_reply(match, "bid 4"), "t3", seconds=-1000)).status_code == 406
    assert post(signed(b"", "t4")).status_code == 406
    assert post({}).status_code == 406
    assert kept(match) == []
    assert stored(match.service) == [("mailgun", "read", "play@play.example")]
    assert kept(match) == ["bid 1"]
    clock.shift(timedelta(hours=2))
    assert post(signed(raw_reply(match, "bid 4"), "t5")).status_code == 200


@pytest.mark.parametrize("stamp", ["²", "፩", "9" * 12, "-1", "soon"])
def test_mailgun_s_time_that_is_none_is_refused(match: Match, client: FlaskClient, stamp: str) -> None:
    """Behind a good signature too."""
    form = signed(raw_reply(match), stamp=stamp)
    assert client.post("/hooks/mailgun/mime", data=form, content_type="multipart/form-data").status_code == 406
    assert stored(match.service) == []


def test_raw(match: Match, client: FlaskClient) -> None:
    """The mail as it is, as the body."""
    raw = raw_reply(match)
    assert client.post("/hooks/raw", data=raw).status_code == 403
    headers = {"Authorization": f"Bearer {SECRET}"}
    assert client.post("/hooks/raw", data=b"", headers=headers).status_code == 422
    assert client.post("/hooks/raw?to=play@play.example&to=a@b", data=raw, headers=headers).status_code == 200
    assert stored(match.service) == [("raw", "read", "play@play.example\na@b")]
    assert kept(match) == ["bid 1"]


def test_closed_hooks_are_not_there(database: Database) -> None:
    """Without a secret of its own no way is open, whatever is sent."""
    client = create_app(service_on(database)).test_client()
    for path in ("postmark", "mailgun", "mailgun/mime", "raw"):
        answer = client.post(f"/hooks/{path}", data=b"x", headers={"Authorization": "Bearer "})
        assert answer.status_code == 404


def test_large_mails_fit_through_hooks_and_larger_ones_do_not(match: Match, client: FlaskClient) -> None:
    """Pages take little; a hook takes what the settings allow."""
    raw = raw_reply(match) + b"x\r\n" * 1_000_000
    headers = {"Authorization": f"Bearer {SECRET}"}
    assert client.post("/hooks/raw", data=raw, headers=headers).status_code == 200
    assert client.post("/hooks/raw", data=raw * 4, headers=headers).status_code == 413
    assert client.post("/hooks/mailgun", data=signed(raw, "t9")).status_code == 200


def test_hook_that_can_not_store_asks_to_try_again(match: Match, client: FlaskClient) -> None:
    """The provider keeps the mail; the token is not used up by it."""
    form = signed(raw_reply(match))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("pbem.mail.intake.read_head", lambda *_: (_ for _ in ()).throw(OSError()))
        assert client.post("/hooks/mailgun", data=form).status_code == 503
    assert client.post("/hooks/mailgun", data=form).status_code == 200
    assert [how for how, _, _ in stored(match.service)] == ["mailgun"]


def test_lmtp_on_a_socket(database: Database, short_folder: Path) -> None:
    """Behind a mail server on the same machine no port is needed; a socket that a killed one left is no hindrance."""
    path = short_folder / "lmtp"
    service = service_on(database, mail_socket=path, mail_protocol="lmtp", smtp_port=1)
    match = begun(service, pace="brisk")
    for number in (1, 4):
        told, ready = threading.Event(), threading.Event()
        thread = threading.Thread(target=listen, args=(service, told, lambda _port, ready=ready: ready.set()))
        thread.start()
        try:
            assert ready.wait(20)
            assert stat.S_IMODE(path.stat().st_mode) == 0o660
            with pytest.raises(OSError, match="in use"):
                listen(service, threading.Event(), print)
            with smtplib.LMTP(str(path)) as client:
                client.sendmail("ann@players.example", ["play@play.example"], raw_reply(match, f"bid {number}"))
        finally:
            told.set()
            thread.join()
    settle(service)
    assert kept(match) == ["bid 1", "bid 4"]


PROGRAM = """#!/bin/sh
echo "$@" >> {folder}/said
cat > {folder}/mail
echo "no such user" >&2
exit $(cat {folder}/code)
"""


@pytest.mark.parametrize(("code", "fate"), [(0, "sent"), (75, "queued"), (67, "failed"), (69, "queued"), (1, "queued")])
def test_sendmail(database: Database, tmp_path: Path, code: int, fate: str) -> None:
    """Letters are given to the program, one run for each; its exit code says what became of them."""
    program = tmp_path / "sendmail"
    program.write_text(PROGRAM.format(folder=tmp_path))
    program.chmod(0o755)
    (tmp_path / "code").write_text(str(code))
    match = begun(service_on(database, sendmail=str(program)), pace="brisk")
    letters = match.letters(0, "report")
    assert [letter.fate for letter in letters] == [fate]
    if code:
        assert letters[0].problem == f"sendmail {code} no such user"
    said = (tmp_path / "said").read_text().splitlines()
    mark = match.service.identity.find([], [letters[0].message_id]).mark
    assert mark is not None
    bounce = match.service.identity.bounce_address(mark)
    assert f"-i -f {bounce} -- ann@players.example" in said
    mail = (tmp_path / "mail").read_bytes()
    assert mail.startswith(b"Date: ")
    assert b"\r" not in mail


def test_sendmail_that_is_not_there_costs_nothing(database: Database, tmp_path: Path) -> None:
    """The letters wait until it is."""
    match = begun(service_on(database, sendmail=str(tmp_path / "none")), pace="brisk")
    assert {letter.fate for letter in match.letters()} == {"queued"}
    assert {letter.attempts for letter in match.letters()} == {0}


@pytest.fixture
def home(tmp_path: Path) -> Settings:
    """The settings of a service in a folder of its own, with a database and keys."""
    settings = Settings(data_dir=tmp_path / "data", domain="play.example", smtp_port=1, max_message_bytes=20_000)
    (tmp_path / "data").mkdir()
    keys.ensure(settings.keys)
    database = Database(settings.database)
    migrate(database)
    database.close()
    return settings


def ingest(home: Settings, raw: bytes, *words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """`pbem ingest` as a mail server runs it."""
    ours = {name: str(getattr(home, name)) for name in ("data_dir", "domain", "smtp_port", "max_message_bytes")}
    given = {f"PBEM_{name.upper()}": value for name, value in ours.items()}
    path = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, **given, "PYTHONPATH": path, **environment}
    command = [sys.executable, "-m", "pbem", "ingest", *words]
    return subprocess.run(command, input=raw, env=environment, capture_output=True, check=False)


def test_pipe(home: Settings) -> None:
    """A mail on standard input is stored with its envelope, and then the exit code says so: 0, 75 or 65."""
    service = Service.opened(home)
    match = begun(service, "rockwell", 4, pace="brisk")
    raw = raw_reply(match, "bid 100").replace(b"\r\n", b"\n")
    done = ingest(home, raw, "--to", "play@play.example", "--from", "ann@players.example")
    assert (done.returncode, done.stderr) == (0, b"")
    assert stored(service) == [("pipe", "read", "play@play.example")]
    assert kept(match) == ["bid 100"]
    assert ingest(home, raw, ORIGINAL_RECIPIENT="play@play.example", SENDER="").returncode == 0
    assert stored(service)[1:] == [("pipe", "refused", "play@play.example")]  # the null sender: a machine
    long = ingest(home, raw + b"x" * 20_000, "--to", "play@play.example")
    assert long.returncode == 65
    assert b"20000" in long.stderr
    assert len(stored(service)) == 2
    service.close()
    home.keys.unlink()
    failed = ingest(home, raw)
    assert failed.returncode == 75
    assert b"try again" in failed.stderr


def test_a_mail_on_standard_input_that_is_stored_is_said_to_be(home: Settings) -> None:
    """Whatever becomes of the nudge to read it, the server does not send it again."""
    service = Service.opened(home)
    match = begun(service, "rockwell", 4, pace="brisk")
    done = ingest(
        home, raw_reply(match, "bid 100"), "--to", "play@play.example", PBEM_REDIS_URL="redis://127.0.0.1:1/0"
    )
    assert done.returncode == 0
    assert b"try again" not in done.stderr
    assert stored(service) == [("pipe", "read", "play@play.example")]
    service.close()


def test_a_posted_mail_that_is_stored_is_said_to_be(match: Match) -> None:
    """Whatever becomes of the nudge to read it, the provider does not send it again."""
    client = create_app(replace(match.service, door=Celeried(UNUSABLE))).test_client()
    address = "/hooks/raw?to=play@play.example"
    answer = client.post(address, data=raw_reply(match), headers={"Authorization": f"Bearer {SECRET}"})
    assert (answer.status_code, answer.text) == (200, "stored")
    assert stored(match.service) == [("raw", "read", "play@play.example")]


def test_letters_of_a_named_mailbox_are_answered_to_it(database: Database) -> None:
    """Where mail is fetched from an ordinary mailbox, replies and bounces go to that mailbox's own name."""
    service = Service(database, service_on(database).settings, Identity("play.example", (b"k" * 32,), "ann.games"))
    match = begun(service, pace="brisk")
    letter: Letter = match.letters(0, "report")[0]
    assert b"Reply-To: ann.games+" in letter.content
    assert b"<ann.games@play.example>" in letter.content
    mark = service.identity.find([], [letter.message_id]).mark
    assert mark is not None
    assert service.identity.bounce_address(mark).startswith("ann.games+")
    assert service.identity.takes("Ann.Games+x@play.example")
    assert not service.identity.takes("play@play.example")


def test_mailbox_is_a_program_of_the_service_where_one_is_configured(tmp_path: Path) -> None:
    """`pbem up` fetches mail where there is a mailbox, and only there."""
    for host, there in (("", False), ("imap.example.org", True)):
        settings = Settings(data_dir=tmp_path, redis_url="redis://localhost", imap_host=host)
        assert ("mailbox" in {program.name for group in programs(settings) for program in group}) is there
