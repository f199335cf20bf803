"""Mails made to take the reader's time or memory."""

import base64

from tests.pbem.mail.corpus.mime import Original, mail, marked, part, plain


def _signed(inner: bytes) -> bytes:
    """A mail within a signature."""
    oid = bytes.fromhex("06092a864886f70d0107")
    held = b"\x30\x80" + oid + b"\1\xa0\x80\x04\x84" + len(inner).to_bytes(4) + inner
    return b"\x30\x80" + oid + b"\2\xa0\x80\x30\x80\2\1\1\x31\0" + held


def _wrapped(times: int, inner: bytes) -> bytes:
    """Signatures one within the other."""
    for _ in range(times):
        inner = _signed(
            b"Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\n"
            + base64.encodebytes(inner)
        )
    return inner


def hostile(original: Original) -> dict[str, bytes]:
    """Each by what it is made of."""
    text = {
        "a megabyte on one line": "x" * 1_000_000,
        "299,000 characters on one line": "bid " * 74_750,
        "200,000 newlines": "\n" * 200_000,
        "200,000 newlines between words": "bid 1" + "\n" * 200_000 + "bid 2",
        "280,000 spaces between words": "bid 1" + " " * 280_000 + "bid 2",
        "links without end": "<http:" * 48_000,
        "pictures without end": "[cid:" * 58_000,
        "7,000 times On": "On " * 7_000,
        "On, a line each": "On 1 Dec 2026\n" * 3_990,
        "3,990 labels": "a: b\n" * 3_990,
        "deep quotes": ("> " * 400 + "x\n") * 300,
        "alternating quotes": "> a\nb\n" * 1_990,
        "our letter again and again": f"{marked(original.text)}\n" * (250_000 // len(original.text)),
        "our words, shuffled": " ".join(sorted(original.text.split() * 40))[:290_000],
        "times of day": "10:03 2026 1 <a@b.example>:\n" * 3_990,
        "dashes": "-" * 250_000,
        "underscores": "_ " * 140_000,
        "addresses": "a@b.example " * 24_000,
        "digits": "1." * 140_000,
        "invisible": "\u200b" * 250_000,
        "letters that grow": "\ufdfa" * 90_000,
    }
    html = {
        "elements without end": "<div>" * 190_000 + "x",
        "quotes without end": "<blockquote>" * 80_000 + "x",
        "less-than": "<" * 900_000,
        "unfinished tags": "<a " * 300_000,
        "unfinished attributes": "<a b='" * 160_000,
        "an attribute without end": "<a " + "b=c " * 240_000 + ">",
        "comments without end": "<!--" * 240_000,
        "ampersands": "&" * 900_000,
        "character references": "&#1114111;" * 90_000,
        "style sheets": "<style>.a{display:none}</style>" * 30_000,
        "a style without end": "<style>" + ".a" * 400_000,
        "selectors": "<style>" + ".a,{" * 200_000 + "</style>",
        "styles": "<p style='" + "display :none;" * 60_000 + "'>x",
        "breaks": "<br>" * 240_000,
        "a deep table": "<table><tr><td>" * 60_000,
        "CDATA": "<![CDATA[" * 100_000,
    }
    made = {name: plain(original, body, coding="8bit") for name, body in text.items()}
    made |= {f"{name} in HTML": mail(original, part("text/html", body, "8bit")) for name, body in html.items()}
    deep = b"".join(
        f'Content-Type: multipart/mixed; boundary="b{number}"\r\n\r\n--b{number}\r\n'.encode() for number in range(3000)
    )
    smime = b"Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    oid = bytes.fromhex("06092a864886f70d0107")
    many = b"--b\r\nContent-Type: text/html\r\n\r\n<p>x\r\n"
    head = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    return made | {
        "3,000 nested parts": mail(original, deep),
        "20,000 parts": mail(original, head + many * 20_000),
        "99 parts of tags": mail(original, head + (many + b"<b>" * 25_000) * 99),
        "1,900,000 lines": mail(original, head + b"--b\r\n\r\n" + b"x y\r\n" * 1_900_000),
        "attached messages": mail(original, b"Content-Type: message/rfc822\r\n\r\n" * 3000),
        "boundaries": mail(original, head + b"--b" * 2_000_000),
        "calendar": mail(original, b"Content-Type: text/calendar;" + b"\r\n x" * 60_000 + b"\r\n\r\n"),
        "encoded words": mail(original, b"\r\nx", Subject="=?utf-8?q?a?= " * 14_000),
        "brackets": mail(original, b"\r\nx", To="(" * 90_000 + "<" * 90_000),
        "commas": mail(original, b"\r\nx", To="a@b.example," * 16_000),
        "references": mail(original, b"\r\nx", References="<a@b> " * 32_000),
        "lines of base64": mail(original, b"Content-Transfer-Encoding: base64\r\n\r\n" + b"YQ==\r\n" * 240_000),
        "signature without end": mail(
            original, smime + base64.encodebytes(b"\x30\x80" + oid + b"\2\xa0\x80\x30\x80" + b"\x30\x80" * 1_000_000)
        ),
        "signatures within signatures": mail(original, smime + base64.encodebytes(_wrapped(20, b"x" * 1000))),
        "parts within a signature": mail(original, smime + base64.encodebytes(_signed(deep))),
        "quoted-printable": mail(original, b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=\r\n" * 240_000),
        "UTF-7": mail(original, b"Content-Type: text/plain; charset=utf-7\r\n\r\n" + b"+AGE-" * 900_000),
        "a content type": mail(original, b"Content-Type: text/plain;" + b" a=b;" * 36_000 + b"\r\n\r\nx"),
    }
