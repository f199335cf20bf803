"""`pbem doctor`: what is right is called so, and what is wrong is named with what mends it."""

import json
import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dns.exception
import dns.resolver
import pytest
from click.testing import CliRunner

from pbem import doctor
from pbem.cli import main
from pbem.cli.doctor import codes, said
from pbem.context import Service
from pbem.doctor import Finding, examine
from pbem.mail.sender import send
from pbem.settings import settings
from pbem.storage.sessions import Database
from tests.mailservers import PASSWORD, running_dovecot
from tests.pbem.mail import stubserver
from tests.pbem.mail.listening import listening
from tests.pbem.mail.stubserver import StubServer, Taken
from tests.pbem.mail.test_sender import write
from tests.pbem.playing import service_on
from tests.servers import free_port


class Relay(StubServer):
    """A server that hands what it takes on to the listener, to another address if it is told so."""

    onward = 0
    loses = False
    rewrites = ""
    adds = b""

    def take(self, mail: Taken) -> None:
        """Hand it on."""
        if self.loses:
            return
        to = [self.rewrites] if self.rewrites else mail.recipients
        with smtplib.SMTP("127.0.0.1", self.onward) as client:
            client.sendmail(mail.mail_from, to, self.adds + mail.content)


@contextmanager
def relaying(service: Service, **settings: Any) -> Iterator[tuple[Service, Relay]]:
    """The service, listening, with a server through which its letters go and come back."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(stubserver, "StubServer", Relay)
        with listening(service) as port, stubserver.running() as relay:
            assert isinstance(relay, Relay)
            relay.onward = port
            given = service.settings.model_copy(update={"mail_port": port, "smtp_port": relay.port, **settings})
            yield Service(service.database, given, service.identity), relay


def found(service: Service, seconds: float = 20) -> dict[str, Finding]:
    """The findings by their codes."""
    return {finding.code: finding for finding in examine(service, seconds)}


@pytest.fixture
def silent_dns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody answers."""

    def resolve(*_: object, **__: object) -> None:
        raise dns.exception.Timeout

    monkeypatch.setattr(dns.resolver, "resolve", resolve)


@pytest.mark.usefixtures("silent_dns")
def test_all_is_well(database: Database) -> None:
    """It listens, sends to itself and gets it back with its token; DNS that is silent is not called wrong."""
    with relaying(service_on(database, mail_port=0)) as (service, _):
        checks = found(service)
    assert list(checks) == ["listens", "sends", "loop_closed", "dns_silent"]
    assert [each.state for each in checks.values()] == ["ok", "ok", "ok", "unknown"]


@pytest.mark.usefixtures("silent_dns")
def test_lost_token_is_named(database: Database) -> None:
    """A server that strips what stands behind the + is found out."""
    with relaying(service_on(database, mail_port=0)) as (service, relay):
        relay.rewrites = "play@play.example"
        checks = found(service)
    assert "recipient_delimiter" in said(checks["token_lost"])


@pytest.mark.usefixtures("silent_dns")
def test_what_does_not_come_back_or_go_out_is_named(database: Database) -> None:
    """A mail that is lost, one that is refused, a server that is away, a port that another program has."""
    service = service_on(database, mail_port=0)
    with relaying(service) as (ours, relay):
        relay.loses = True
        assert found(ours, 1)["loop_lost"].state == "mend"
        relay.fail("rcpt", "550 5.7.1 no relaying")
        assert "no relaying" in said(found(ours)["loop_refused"])
    away = service_on(database, mail_port=free_port())
    checks = found(away)
    assert list(checks) == ["nobody_listens", "server_away", "dns_silent"]
    with stubserver.running() as other:
        assert "another_listens" in found(service_on(database, mail_port=other.port))


@pytest.mark.usefixtures("silent_dns")
def test_program_that_can_not_be_started_is_named(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether it is not there or is no program; in the log as well, where letters wait for it."""
    program = tmp_path / "sendmail"
    service = service_on(database, mail_port=free_port(), sendmail=str(program))
    assert f"{program} can't be started" in said(found(service)["program_not_started"])
    program.write_bytes(b"\x00")
    program.chmod(0o755)
    assert f"{program} can't be started" in said(found(service)["program_not_started"])
    write(service)
    send(service)
    assert str(program) in "".join(capsys.readouterr())


@pytest.mark.usefixtures("silent_dns")
def test_mailbox_is_tried(database: Database, require: Any) -> None:
    """With the right password and with a wrong one."""
    require("dovecot")
    with running_dovecot() as dovecot:
        given = {"imap_host": "127.0.0.1", "imap_port": dovecot.imap, "imap_tls": "none", "imap_user": "ann"}
        assert found(service_on(database, imap_password=PASSWORD, **given))["mailbox_idles"].state == "ok"
        assert found(service_on(database, imap_password="wrong", **given))["mailbox_shut"].state == "mend"


RECORDS = {
    ("play.example", "MX"): ["10 mx.play.example."],
    ("play.example", "TXT"): ["v=spf1 mx -all", "something else"],
    ("_dmarc.play.example", "TXT"): ["v=DMARC1; p=none"],
    ("sel._domainkey.play.example", "TXT"): ["v=DKIM1; p=abc"],
}


class _Text:
    def __init__(self, text: str) -> None:
        self.strings = [text.encode()]


@pytest.mark.parametrize(
    ("missing", "codes_found"),
    [
        ("", ["mx", "spf", "dmarc", "dkim"]),
        ("MX", ["mx_missing", "spf", "dmarc", "dkim"]),
        ("v=spf1", ["mx", "spf_missing", "dmarc", "dkim"]),
        ("_dmarc", ["mx", "spf", "dmarc_missing", "dkim"]),
        ("_domainkey", ["mx", "spf", "dmarc", "dkim_no_key"]),
        ("signature", ["mx", "spf", "dmarc", "dkim_missing"]),
    ],
)
def test_records_of_the_domain(
    database: Database, monkeypatch: pytest.MonkeyPatch, missing: str, codes_found: list[str]
) -> None:
    """MX, SPF, DMARC, and DKIM by the signature on the mail that came back: what is missing is named."""

    def resolve(name: str, kind: str, lifetime: float) -> list[Any]:
        there = RECORDS.get((name, kind), [])
        texts = [text for text in there if not missing or missing not in f"{name} {kind} {text}"]
        if not texts:
            raise dns.resolver.NoAnswer
        return [_Text(text) for text in texts] if kind == "TXT" else texts

    monkeypatch.setattr(dns.resolver, "resolve", resolve)
    with relaying(service_on(database, mail_port=0)) as (service, relay):
        if missing != "signature":
            relay.adds = b"DKIM-Signature: v=1; a=rsa-sha256; d=play.example; s=sel; b=x\r\n"
        assert list(found(service))[3:] == codes_found


def test_every_finding_has_its_words() -> None:
    """No code without a sentence, none of both unused."""
    source = Path(doctor.__file__).read_text()
    assert all(f'"{code}"' in source or code.endswith("_missing") for code in codes())


def test_command_says_it_and_ends_with_1(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For people in sentences, for programs in JSON."""
    given = {"DATA_DIR": tmp_path, "DATABASE_URL": database_url, "MAIL_PORT": free_port(), "MAILDIR": tmp_path / "mail"}
    for name, value in given.items():
        monkeypatch.setenv(f"PBEM_{name}", str(value))
    settings.cache_clear()
    runner = CliRunner()
    assert runner.invoke(main, ["migrate"]).exit_code == 0
    plain = runner.invoke(main, ["doctor"])
    assert plain.exit_code == 1
    assert "mend: Nothing listens at" in plain.output
    rows = json.loads(runner.invoke(main, ["doctor", "--json"]).output)
    assert [row["code"] for row in rows] == ["nobody_listens", "sends_nothing", "domain_is_local"]
