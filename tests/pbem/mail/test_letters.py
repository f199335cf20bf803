"""Letters as composed: what stands in them, and what can't be put into them."""

import email
import random
from email.message import EmailMessage
from email.policy import default

import pytest

from pbem.mail.identity import Identity, Mark, Purpose
from pbem.mail.letters import Outgoing, clean, compose
from pbem.mail.message import read

IDENTITY = Identity("games.example", (b"k" * 32,))
MARK = Mark(77, Purpose.ORDERS, 1)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
LETTER = Outgoing(
    MARK, "Deep Shaft", "ann@example.org", "[Deep Shaft] turn 5", name="Ann", thread="deep/0/5", group="deep"
)


def parsed(raw: bytes) -> EmailMessage:
    """The letter as a mail program reads it."""
    message = email.message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def test_a_report_as_a_mail_program_sees_it() -> None:
    """Text, HTML and picture, addresses, thread and the headers that keep machines quiet."""
    message = parsed(compose(IDENTITY, LETTER, "Bid “now” – é\n", '<img src="cid:board">', {"board": PNG}))
    assert message["From"] == "Deep Shaft <play@games.example>"
    assert message["To"] == "Ann <ann@example.org>"
    assert message["Subject"] == "[Deep Shaft] turn 5"
    assert IDENTITY.find([message["Reply-To"]], []).mark == MARK
    assert IDENTITY.find([], [message["Message-ID"]]).mark == MARK
    assert message["References"] == message["In-Reply-To"] == IDENTITY.thread_id("deep/0/5")
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["List-Id"] == "<deep.games.example>"
    assert message["Date"] is None
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    assert text is not None
    assert html is not None
    assert text.get_content().splitlines() == ["Bid “now” – é"]
    assert "cid:board" in html.get_content()
    pictures = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert [part["Content-ID"] for part in pictures] == ["<board>"]
    assert pictures[0].get_content() == PNG


def test_same_letter_same_bytes() -> None:
    """Composing a letter again gives the same bytes, boundaries too."""
    assert compose(IDENTITY, LETTER, "a", "<p>a", {"b": PNG}) == compose(IDENTITY, LETTER, "a", "<p>a", {"b": PNG})


def test_lines_are_short_and_end_as_they_must() -> None:
    """No line is over what mail servers take, and no CR or LF stands alone."""
    raw = compose(IDENTITY, LETTER, "x" * 5000 + "\n.\nFrom here\r\ny\rz", "<p>" + "ö" * 5000)
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert b"\r" not in raw.replace(b"\r\n", b"")
    assert raw.isascii()


NASTY = [
    "Ann\r\nBcc: victim@example.org",
    "Ann\nSubject: x\n\nbody",
    "=?utf-8?q?Ann=0D=0ABcc=3A_v=40x?=",
    "=?utf-8?b?=?utf-8?q?x?=",
    "Ann\u2028Bcc: v@x",
    "Ann\x0bBcc: v@x",
    'A"nn" <v@x>, Bob',
    "Ann\0\x1b[31m",
    "\ud800",
    "\u202eevil",
    "x" * 5000,
    "",
]


@pytest.mark.parametrize("name", NASTY)
def test_nothing_can_be_put_into_a_header(name: str) -> None:
    """Whatever a person called themselves or the game, the letter has one recipient and no header of theirs."""
    letter = Outgoing(MARK, name, "ann@example.org", name, name=name, thread=name, group=name)
    raw = compose(IDENTITY, letter, name)
    message = parsed(raw)
    assert [key for key in message if key.lower() in {"bcc", "cc"}] == []
    assert [address.addr_spec for address in message["To"].addresses] == ["ann@example.org"]
    assert [address.addr_spec for address in message["From"].addresses] == ["play@games.example"]
    assert len(message.get_all("Subject", [])) == 1
    assert read(raw).sender == "play@games.example"


def test_any_name_is_made_harmless() -> None:
    """Names made of pieces of headers never raise and never add one."""
    stream = random.Random(2)
    pieces = ["\r", "\n", "=?", "?=", "?q?", "?b?", "<", ">", ",", '"', "\\", "ö", "Bcc:", " ", "(", "@x.org", "\0"]
    for _ in range(300):
        name = "".join(stream.choices(pieces, k=stream.randint(1, 30)))
        message = parsed(compose(IDENTITY, Outgoing(MARK, name, "ann@example.org", name, name=name), "x"))
        assert [address.addr_spec for address in message["To"].addresses] == ["ann@example.org"]
        assert message["Bcc"] is None
        assert "\n" not in clean(name, 78)


@pytest.mark.parametrize(
    "address", ["", "ann", "a b@x.org", "ann@x.org\r\nBcc: v@x", "änn@x.org", "a,b@x.org", "a@x\n"]
)
def test_addresses_that_can_not_be_sent_to_are_refused(address: str) -> None:
    """An address that is none is an error where the letter is composed, never a changed header."""
    with pytest.raises(ValueError, match="can't be sent to"):
        compose(IDENTITY, Outgoing(MARK, "G", address, "s"), "x")
