"""Reading a raw mail: what is taken from it, and that no mail breaks the reader."""

import base64
import random

import pytest

from pbem.accounts import normal
from pbem.mail.addresses import mailboxes
from pbem.mail.htmltext import lines_of
from pbem.mail.message import Limits, Mail, read

HEAD = b"From: Ann <Ann@Example.org>\r\nTo: play@games.example\r\nMessage-ID: <a@b>\r\nSubject: Re: turn 1\r\n"


def plain(body: bytes, headers: bytes = b"") -> Mail:
    """A text mail of Ann's."""
    return read(HEAD + headers + b"\r\n" + body)


def test_an_ordinary_mail() -> None:
    """Sender, recipients, subject, what it answers and its text."""
    mail = plain(b"bid 1200\r\nready\r\n", b"In-Reply-To: <x@y>\r\nReferences: <r@y>, <x@y>\r\n")
    assert (mail.sender, mail.sender_name) == ("ann@example.org", "Ann")
    assert mail.recipients == ("play@games.example",)
    assert mail.message_id == "<a@b>"
    assert mail.answers == ("<x@y>", "<x@y>", "<r@y>")
    assert mail.text == "bid 1200\nready\n"
    assert not mail.problem
    assert not mail.automatic


@pytest.mark.parametrize(
    ("body", "headers", "text"),
    [
        (b"bid 12=\r\n00\r\n", b"Content-Transfer-Encoding: quoted-printable\r\n", "bid 1200\n"),
        (base64.b64encode(b"bid 1\n") + b"\r\n\r\n__\r\nlist\r\n", b"Content-Transfer-Encoding: base64\r\n", "bid 1\n"),
        ("bid 1200 – é".encode(), b"Content-Type: text/plain; charset=us-ascii\r\n", "bid 1200 – é"),
        ("é".encode(), b"Content-Type: text/plain; charset=iso-8859-1\r\n", "é"),
        ("é".encode("latin-1"), b"Content-Type: text/plain; charset=utf-8\r\n", "é"),
        ("é".encode("latin-1"), b"Content-Type: text/plain; charset=no-such\r\n", "é"),
        ("bid £1".encode("utf-7"), b"Content-Type: text/plain; charset=utf-7\r\n", "bid £1"),
        ("bid 1".encode("utf-16"), b"Content-Type: text/plain; charset=utf-16\r\n", "bid 1"),
        ("入札".encode("iso-2022-jp"), b"Content-Type: text/plain; charset=iso-2022-jp\r\n", "入札"),
        (b"bid \r\n1200\r\n", b"Content-Type: text/plain; format=flowed\r\n", "bid 1200\n"),
        (b"bid 1 \r\n200\r\n", b'Content-Type: text/plain; format="flowed"; delsp=yes\r\n', "bid 1200\n"),
        ("a\u2028b\u0085c\rd".encode(), b"", "a\nb\nc\nd"),
        (b"<p>bid 1</p><br>ready<blockquote>old</blockquote>", b"Content-Type: text/html\r\n", "bid 1\n\nready\n> old"),
    ],
)  # fmt: skip
def test_text_is_read_as_it_was_written(body: bytes, headers: bytes, text: str) -> None:
    """Encodings, charsets (lying ones too), flowed text, line ends of any kind and HTML."""
    assert plain(body, headers).text == text


def multipart(kind: str, *parts: tuple[str, str]) -> Mail:
    """A multipart of Ann's with these parts: content type and text."""
    body = "".join(f"--b\r\nContent-Type: {of}\r\n\r\n{text}\r\n" for of, text in parts)
    return read(HEAD + f'Content-Type: multipart/{kind}; boundary="b"\r\n\r\n{body}--b--\r\n'.encode())


def test_plain_text_goes_before_html() -> None:
    """Of alternatives the plain text is the text, where there is one; the other form is kept beside it."""
    both = multipart("alternative", ("text/plain", "bid 1"), ("text/html", "<p>bid 1</p><p>ready</p>"))
    assert (both.text, both.rich) == ("bid 1", "bid 1\nready")
    assert multipart("alternative", ("text/plain", " "), ("text/html", "<p>bid 1</p>")).text == "bid 1"


def test_attachments_are_no_text() -> None:
    """Only what is shown as the mail's text is read; orders in an attachment are not."""
    mail = multipart("mixed", ("text/plain", "bid 1"), ("text/plain\r\nContent-Disposition: attachment", "bid 2"))
    assert mail.text == "bid 1"
    only = multipart("mixed", ("text/plain\r\nContent-Disposition: attachment; filename=a.txt", "bid 2"))
    assert only.problem == "no-text"


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (HEAD + b"From: bob@example.org\r\n\r\nbid 1", "two-from"),
        (b"From: a@example.org, b@example.org\r\n\r\nbid 1", "two-from"),
        (b"Subject: x\r\n\r\nbid 1", "no-from"),
        (b"", "no-from"),
        (HEAD + b"X-Odd: a\rFrom: b@example.org\r\n\r\nbid 1", "bad-header"),
        (HEAD + b"X-Odd: a\0b\r\n\r\nbid 1", "bad-header"),
        (HEAD + b"X-Long: " + b"x" * 300_000 + b"\r\n\r\nbid 1", "bad-header"),
        (HEAD + b"Content-Type: application/pkcs7-mime\r\n\r\nMIAGCSqGSIb3", "encrypted"),
        (HEAD + b"\r\n-----BEGIN PGP MESSAGE-----\r\nxx\r\n", "encrypted"),
        (HEAD + b"Content-Type: application/ms-tnef\r\n\r\nxx", "tnef"),
        (HEAD + b"\r\n" + b"x" * 26_000_000, "too-big"),
    ],
)
def test_what_can_not_be_used_is_named(raw: bytes, problem: str) -> None:
    """Each shape that is refused has its code, and no text."""
    mail = read(raw)
    assert mail.problem == problem
    assert not mail.text


def test_bombs_are_refused_before_they_are_parsed() -> None:
    """Deep nesting and thousands of parts end in a problem's code, not in an error; who sent them is still known."""
    deep = HEAD
    for number in range(3000):
        deep += f'Content-Type: multipart/mixed; boundary="b{number}"\r\n\r\n--b{number}\r\n'.encode()
    wide = HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nx\r\n" * 20_000
    nested = HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 3000
    for raw, problem in ((deep, "too-deep"), (wide, "too-many-parts"), (nested, "too-deep")):
        mail = read(raw)
        assert mail.problem == problem
        assert mail.sender == "ann@example.org"


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"x" * 1_000_000, "too-long"),
        (b"\n" * 200_000, "no-text"),
        (b"On " * 7_000, ""),
        (b">" * 200_000, ""),
        (b">" * 500_000, "too-long"),
        ((b"> " * 400 + b"x\n") * 300, ""),
    ],
)
def test_hostile_bodies_are_read(body: bytes, problem: str) -> None:
    """Long lines, many lines and deep quotes are read as text, or said to be too long."""
    assert plain(body).problem == problem


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + "x",
        "<blockquote>" * 20_000 + "x",
        "<" * 200_000,
        "<!" * 100_000,
        "<![CDATA[" * 40_000,
        "<a " * 100_000,
        "</" * 100_000,
        "<!--" * 80_000,
        "&" * 300_000,
        "<?" * 100_000,
        "<a b='" * 60_000,
    ],
)
def test_hostile_html_is_read(html: str) -> None:
    """Deep or unfinished HTML gives some lines and no error."""
    assert isinstance(lines_of(html), str)


def test_hidden_html_is_ignored() -> None:
    """What a reader of the mail does not see is no text."""
    html = (
        "<style>p {}</style><p>bid 1</p><p style='display: none'>bid 2</p><span style='font-size:0px'>bid 3</span>"
        "<p hidden>bid 4</p><div style='mso-hide:all'>bid 5</div><table><tr><td>pass</td><td>now</td></tr></table>"
    )
    assert lines_of(html) == "bid 1\npass now"


@pytest.mark.parametrize(
    ("headers", "sign"),
    [
        (b"Auto-Submitted: auto-replied (vacation)\r\n", "auto-submitted"),
        (b"Return-Path: <>\r\n", "null-sender"),
        (b"Precedence: bulk\r\n", "precedence"),
        (b"List-Id: <a.b>\r\n", "list"),
        (b"Content-Type: multipart/report; boundary=b\r\n", "report"),
        (b'Content-Type: text/calendar; method="REPLY"\r\n', "calendar"),
        (b"X-Autoreply: yes\r\n", "robot-header"),
        (b"Auto-Submitted: no\r\n", ""),
        (b"X-Auto-Response-Suppress: All\r\n", ""),
        (b"Feedback-ID: 123:user:proton\r\n", ""),
    ],
)
def test_machines_are_told_from_people(headers: bytes, sign: str) -> None:
    """Each sign of a machine is seen; what people's programs also write is none."""
    assert plain(b"I am away", headers).automatic == sign


@pytest.mark.parametrize(
    ("sender", "sign"),
    [
        ("mailer-daemon", "robot-sender"),
        ("bounces+x1-ann=players.example", "robot-sender"),
        ("no_reply", "robot-sender"),
        ("noreply-games", "robot-sender"),
        ("bouncer", ""),
        ("postmasters", ""),
        ("noreplyann", ""),
    ],
)
def test_a_person_whose_name_begins_as_a_machines_is_heard(sender: str, sign: str) -> None:
    """A machine's name stands by itself, or before a sign."""
    raw = f"From: {sender}@example.org\r\nTo: play@games.example\r\n\r\nready\r\n"
    assert read(raw.encode()).automatic == sign


def test_null_envelope_sender_is_a_machine() -> None:
    """A bounce may carry no other sign than its envelope."""
    assert read(HEAD + b"\r\nx", ("<>", ())).automatic == "null-sender"


def test_addresses_are_read_in_any_shape() -> None:
    """Names with commas, comments, groups and encoded words; nested comments do no harm."""
    assert mailboxes('"Doe, Ann" <ANN@x.org>, bob@y.org (Bob (b))')[0] == ("Doe, Ann", "ann@x.org")
    assert [box.address for box in mailboxes("team: a@x.org, b@x.org;")] == ["a@x.org", "b@x.org"]
    assert mailboxes("=?utf-8?q?J=C3=BCrgen?= <j@x.org>")[0].name == "Jürgen"
    assert mailboxes("(" * 90_000 + " a@x.org") == []
    assert mailboxes("a" * 90_000 + "@" * 1000) == []


def test_a_domain_in_letters_of_its_own_is_one_address() -> None:
    """A program writes it as its person does, a server in ASCII; both are who the account is."""
    written = {mailboxes(each)[0].address for each in ("Ann <ann@Bücher.example>", "ann@xn--bcher-kva.example")}
    assert written == {normal("Ann@bücher.example")} == {"ann@xn--bcher-kva.example"}


def test_clear_signed_text_is_read_without_its_signature() -> None:
    """The armour of a signature is taken off."""
    body = (
        b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nbid 1\n- - pass\n"
        b"-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----\n"
    )
    assert plain(body).text == "bid 1\n- pass\n"


def test_changed_mails_never_raise() -> None:
    """Mails with bytes taken out, put in and swapped are read without an exception."""
    stream = random.Random(11)
    seed = (
        HEAD
        + b'Content-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8;'
        b" format=flowed\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nbid =E2=82=AC1 =\r\n> x\r\n--b\r\n"
        b"Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+YmlkIDE8L3A+\r\n--b--\r\n"
    )
    pieces = [b"\r", b"\n", b"\0", b"\xff", b"=?utf-8?b?", b"<", b"(", b'"', b"--b", b"Content-Type: ", b"\xe2\x80\xa8"]
    for _ in range(1500):
        raw = bytearray(seed)
        for _ in range(stream.randint(1, 12)):
            place = stream.randrange(len(raw))
            raw[place : place + stream.randint(0, 6)] = stream.choice([stream.randbytes(2), stream.choice(pieces)])
        read(bytes(raw))


def test_limits_can_be_set() -> None:
    """Size and parts are what the settings say."""
    assert read(HEAD + b"\r\n" + b"x" * 2000, limits=Limits(size=1000)).problem == "too-big"


def test_charset_with_a_nul_is_no_charset() -> None:
    """A mutated mail had it: the standard library fails on such a name where it decodes by itself."""
    part = b'--b\r\nContent-Type: text/plain; charset="utf\0-8"\r\n\r\nbid 1\r\n\xe9\r\n--b--\r\n'
    mail = plain(part, b"Content-Type: multipart/mixed; boundary=b\r\n")
    assert mail.text.startswith("bid 1\n")
