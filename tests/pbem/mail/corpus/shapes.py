"""Replies in the shapes that gateways, lists, phones and old programs give to an ordinary one."""

import base64
import textwrap
from html import escape

from tests.pbem.mail.corpus.mime import Original, alternative, mail, marked, part, plain, together
from tests.pbem.mail.corpus.programs import gmail, outlook
from tests.pbem.mail.corpus.tongues import DE, EN, FR

BULLETS = "* bid 1200\n- always danger: all\n• place workshop 1 or workshop 2\n1. ready"
BOLD = "*bid 1200*\n**always danger: all**\n_place workshop 1 or workshop 2_\n*ready*"
LONG = "bid 1200\nalways danger: all\nplace workshop 1 or workshop 2 or workshop 3 or workshop 4 or exchange 1 or exchange 2\nready"
STRANGE = "ｂｉｄ\u3000１２００\nalways\u00a0danger: all\npl\u200bace work\u00adshop 1 or workshop\u202f2\n“ready”"


def _quote(original: Original) -> str:
    attribution = EN.gmail.format(name=original.name, address=original.address)
    return f"{attribution}\n{marked(original.text)}"


TRANSLATED = """-=-=- Schreib deine Antwort
über diese Zeile -=-=-
Zug 1: du bist Rot
bid 9
ready"""


def _narrow(text: str) -> str:
    """Quoted once more by a program that breaks lines at 30 characters and marks each piece."""
    lines = [line.removeprefix("> ").removeprefix(">") for line in text.split("\n")]
    return "\n".join(f"> > {piece}" for line in lines for piece in textwrap.wrap(line, 30) or [""])


def _attribution_on_the_line(original: Original, said: str) -> bytes:
    attribution = EN.gmail.format(name=original.name, address=original.address)
    return plain(original, f"{said} {attribution}\n{marked(original.text)}\n")


def _attribution_on_three_lines(original: Original, said: str) -> bytes:
    return plain(
        original,
        f"{said}\n\nLe mar. 1 déc. 2026 à\n10:03, {original.name}\n<{original.address}> a\nécrit :\n{marked(original.text)}\n",
    )


def _filled_form(original: Original, said: str) -> bytes:
    """The form's one blank filled in inside the quote, the rest above it."""
    first, *rest = said.split("\n")
    return plain(original, "\n".join(rest) + "\n\n" + _quote(original).replace("> bid ____", f"> {first}") + "\n")


def _filled_form_unquoted(original: Original, said: str) -> bytes:
    first, *rest = said.split("\n")
    return plain(original, "\n".join(rest) + "\n\n" + original.text.replace("bid ____", first) + "\n")


def _table(original: Original, said: str) -> bytes:
    rows = "".join(f"<tr><td>{n}.</td><td>{escape(line)}</td></tr>" for n, line in enumerate(said.split("\n"), 1))
    html = f"<table border=1><tbody>{rows}</tbody></table><blockquote>{original.html}</blockquote>"
    return mail(original, part("text/html", html))


def _list(original: Original, said: str) -> bytes:
    rows = "".join(f"<li><p>{escape(line)}</p></li>\n" for line in said.split("\n"))
    return mail(original, part("text/html", f"<ol>\n{rows}</ol><blockquote type=cite>{original.html}</blockquote>"))


def _stub(original: Original, said: str) -> bytes:
    html = "".join(f"<p>{escape(line)}</p>" for line in said.split("\n"))
    text = "This message is in HTML. Please use a program that can show it."
    return mail(original, alternative(text, html + f"<blockquote>{original.html}</blockquote>"))


def _empty_text_part(original: Original, said: str) -> bytes:
    return mail(original, alternative(" \n", "<br>".join(map(escape, said.split("\n")))))


def _hidden(original: Original, said: str) -> bytes:
    shown = "".join(f"<p>{escape(line)}</p>" for line in said.split("\n"))
    html = (
        "<html><head><style>.preheader, td.off { color: red; display: none !important } .on { display: block }</style>"
        "</head><body><div style='display:none'>bid 100</div><span class='preheader'>bid 200</span><p hidden>bid 300</p>"
        "<div style='font-size:0'>bid 400</div><!-- bid 500 --><div style='mso-hide:all'>bid 600</div>"
        "<div style='max-height:0;overflow:hidden'>bid 700</div><p style='visibility:hidden'>bid 800</p>"
        f"<div class='on'>{shown}</div></body></html>"
    )
    return mail(original, part("text/html", html))


def _flowed(original: Original, said: str) -> bytes:
    text = said.replace("always danger", "always \ndanger").replace("1 or", "1 \nor")
    return plain(original, f"{text}\n\n{_quote(original)}\n", coding="7bit", more="; format=flowed")


def _flowed_delsp(original: Original, said: str) -> bytes:
    text = said.replace("1200", "12 \n00").replace("workshop 2", "work \nshop 2")
    return plain(original, f"{text}\n\n{_quote(original)}\n", coding="7bit", more='; format="flowed"; DelSp="yes"')


def _soft_break(original: Original, said: str) -> bytes:
    text = (
        said.replace("1200", "12=\n00").replace("danger", "dan=\nger") + f"\n\n{_quote(original).replace('=', '=3D')}\n"
    )
    head = b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    return mail(original, head + text.replace("\n", "\r\n").encode())


def _list_footer(original: Original, said: str) -> bytes:
    """Base64, and behind it the footer that a list server put there in plain text."""
    coded = base64.encodebytes(f"{said}\n\n{_quote(original)}\n".encode())
    footer = (
        b"_______________________________________________\nplayers mailing list\npass\nhttps://lists.example/players\n"
    )
    head = b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    return mail(original, head + coded + b"\n" + footer)


def _footer_part(original: Original, said: str) -> bytes:
    footer = "_______________________________________________\nplayers mailing list -- players@lists.example\nready\n"
    text = part("text/plain", f"{said}\n\n{_quote(original)}\n")
    return mail(original, together("mixed", text, part("text/plain", footer, "7bit", "us-ascii")))


def _scanner(original: Original, said: str) -> bytes:
    footer = (
        "________________________________\nThis e-mail may hold what is confidential and is meant for nobody but the one whom"
        " it is addressed to; whoever has it by mistake is asked to tell the sender and to destroy it.\n"
    )
    return plain(original, f"{said}\n\n{_quote(original)}\n\n{footer}")


def _antivirus(original: Original, said: str) -> bytes:
    text = f"{said}\n\n\n-- \nDiese E-Mail wurde von Antivirus auf Viren geprüft.\nwww.antivirus.example\n\n{_quote(original)}\n"
    return plain(original, text)


def _external_banner(original: Original, said: str) -> bytes:
    """A gateway's warning put above the original, which the reply then quotes."""
    banner = "CAUTION: this mail came from outside. Do not open what you did not expect: https://safe.example/why"
    return plain(original, f"{said}\n\n" + _quote(original).replace("\n> ", f"\n> {banner}\n> \n> ", 1) + "\n")


def _charset(name: str, declared: str = "", coding: str = "base64") -> tuple[str, str, str]:
    return name, declared or name, coding


CHARSETS = {
    "utf-7": _charset("utf-7", coding="7bit"),
    "utf-16": _charset("utf-16"),
    "utf-16le": _charset("utf-16le"),
    "iso-2022-jp": _charset("iso-2022-jp", coding="7bit"),
    "shift_jis": _charset("shift_jis", coding="8bit"),
    "gb2312": _charset("gb2312", coding="8bit"),
    "koi8-r": _charset("koi8-r", coding="8bit"),
    "windows-1252": _charset("windows-1252", coding="8bit"),
    "unknown-8bit": _charset("utf-8", "unknown-8bit", "8bit"),
    "x-unknown": _charset("windows-1252", "x-unknown", "8bit"),
    "lying us-ascii": _charset("utf-8", "us-ascii", "8bit"),
    "lying utf-8": _charset("windows-1252", "utf-8", "8bit"),
    "lying iso-8859-1": _charset("utf-8", "iso-8859-1", "8bit"),
    "utf-8 with a mark": _charset("utf-8-sig", "utf-8", "8bit"),
    "quoted": _charset("utf-8", "'UTF-8'", "8bit"),
}


def _in_charset(original: Original, said: str, charset: tuple[str, str, str]) -> bytes:
    name, declared, coding = charset
    quote = marked(original.text).encode(name, "replace").decode(name)
    made = part("text/plain", f"{said}\n\nOn 1 Dec 2026 at 10:03 <{original.address}> wrote:\n{quote}\n", coding, name)
    return mail(original, made.replace(f"charset={name}".encode(), f"charset={declared}".encode(), 1))


def _line_ends(original: Original, said: str, end: str) -> bytes:
    head = b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    return mail(original, head + f"{said}\n\n{_quote(original)}\n".replace("\n", end).encode())


def _clear_signed(original: Original, said: str) -> bytes:
    signed = said.replace("- ", "- - ")
    text = (
        f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{signed}\n-----BEGIN PGP SIGNATURE-----\n\niQIzBAEBCgAdFiEE\nbid\n"
        f"=abcd\n-----END PGP SIGNATURE-----\n\n{_quote(original)}\n"
    )
    return plain(original, text)


def _smime_signed(original: Original, said: str) -> bytes:
    signature = (
        b"Content-Type: application/pkcs7-signature; name=smime.p7s\r\nContent-Transfer-Encoding: base64\r\n"
        b"Content-Disposition: attachment; filename=smime.p7s\r\n\r\nMIAGCSqGSIb3DQEHAqCAMIACAQEx\r\n"
    )
    text = part("text/plain", f"{said}\n\n{_quote(original)}\n")
    signed = together("signed", text, signature, mark="=_s").replace(
        b"multipart/signed", b'multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256'
    )
    return mail(original, signed)


def _ber(tag: int, inside: bytes, known: bool) -> bytes:
    """With its length, or with a mark at its end."""
    if not known:
        return bytes([tag, 0x80]) + inside + b"\0\0"
    size = len(inside).to_bytes(4)
    return bytes([tag, 0x84]) + size + inside


def _smime_opaque(original: Original, said: str, known: bool) -> bytes:
    """The mail within its signature, its lengths given before it or its end marked, as streams have it."""
    inner = alternative(f"{said}\n\n{_quote(original)}\n", f"<p>{'<br>'.join(map(escape, said.split(chr(10))))}</p>")
    half = len(inner) // 2
    chunks = b"".join(b"\x04\x84" + len(each).to_bytes(4) + each for each in (inner[:half], inner[half:]))
    octets = _ber(0x04, inner, known=True) if known else _ber(0x24, chunks, known)
    oid = bytes.fromhex("06092a864886f70d0107")
    held = _ber(0x30, oid + b"\1" + _ber(0xA0, octets, known), known)
    algorithms = _ber(0x31, _ber(0x30, oid + b"\1" + b"\5\0", known), known)
    signed = _ber(0x30, b"\2\1\1" + algorithms + held + _ber(0x31, b"", known), known)
    coded = base64.encodebytes(_ber(0x30, oid + b"\2" + _ber(0xA0, signed, known), known))
    head = b"Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=smime.p7m\r\n\r\n"
    return mail(original, head + coded)


def _pgp_mime_signed(original: Original, said: str) -> bytes:
    signature = b"Content-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\nx\r\n-----END PGP SIGNATURE-----\r\n"
    text = part("text/plain", f"{said}\n\n{_quote(original)}\n")
    return mail(original, together("signed", together("mixed", text, mark="=_m"), signature, mark="=_s"))


def _unterminated(original: Original, said: str) -> bytes:
    whole = alternative(f"{said}\n\n{_quote(original)}\n", f"<p>{'<br>'.join(map(escape, said.split(chr(10))))}</p>")
    return mail(original, whole.replace(b"--=_alt--\r\n", b""))


def _missing_boundary(original: Original, said: str) -> bytes:
    head = b"Content-Type: multipart/alternative; boundary=nowhere\r\n\r\n"
    return mail(original, head + f"{said}\n\n{_quote(original)}\n".encode())


def _no_boundary_named(original: Original, said: str) -> bytes:
    return mail(original, b"Content-Type: multipart/mixed\r\n\r\n" + f"{said}\n\n{_quote(original)}\n".encode())


def _no_mime(original: Original, said: str) -> bytes:
    return mail(original, b"\r\n" + f"{said}\n\n{_quote(original)}\n".encode(), MIME_Version="")


def _headers(original: Original, said: str, **headers: str) -> bytes:
    return mail(original, part("text/plain", f"{said}\n\n{_quote(original)}\n"), **headers)


def _sent_on_by_a_list(original: Original, said: str) -> bytes:
    """The token only in the header that the server that has sent it on puts there."""
    return _headers(
        original, said, To="games@company.example", Delivered_To=original.address, In_Reply_To="", References=""
    )


def _with_picture(original: Original, said: str) -> bytes:
    """The picture of the board is sent back with it, and a card of the sender's."""
    picture = b"Content-Type: image/png; name=board.png\r\nContent-ID: <board>\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n"
    card = b"Content-Type: text/vcard; charset=utf-8\r\nContent-Disposition: attachment; filename=ann.vcf\r\n\r\nBEGIN:VCARD\r\nEND:VCARD\r\n"
    related = together(
        "related",
        alternative(f"{said}\n\n{_quote(original)}\n", f"<p>{'<br>'.join(map(escape, said.split(chr(10))))}</p>"),
        picture,
        mark="=_r",
    )
    return mail(original, together("mixed", related, card, mark="=_m"))


def _original_attached(original: Original, said: str) -> bytes:
    attached = b"Content-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\n" + mail(
        original, part("text/plain", original.text)
    )
    return mail(original, together("mixed", part("text/plain", said), attached))


def _two_texts_about_a_picture(original: Original, said: str) -> bytes:
    """Apple Mail with a picture in the middle: text, picture, text."""
    first, *rest = said.split("\n")
    picture = b"Content-Type: image/jpeg\r\nContent-Disposition: inline; filename=a.jpg\r\nContent-Transfer-Encoding: base64\r\n\r\n/9j/\r\n"
    tail = "\n".join(rest) + f"\n\n{_quote(original)}\n"
    return mail(original, together("mixed", part("text/plain", first), picture, part("text/plain", tail)))


def _said_before_too(original: Original, said: str) -> bytes:
    """Above the answer to us the quote of an answer of the player's own, with orders in it."""
    quote = f"> bid 100\n> ready\n>\n{marked(marked(original.text))}"
    return plain(original, f"{said}\n\nOn Tue, 1 Dec 2026 at 09:00, Ann <ann@players.example> wrote:\n{quote}\n")


def _dashes(original: Original, said: str) -> bytes:
    """Everything that a word processor makes of quotes, dashes and blanks."""
    html = outlook(original, DE, said).replace(b" or ", b"=C2=A0or=C2=A0")
    return html.replace(b"'", b"=E2=80=99")


def of_one_shape(original: Original, said: str) -> dict[str, bytes]:
    """The mails by what is odd in each; all of them say the same."""
    made = {
        "attribution behind the last order": _attribution_on_the_line(original, said),
        "attribution on three lines": _attribution_on_three_lines(original, said),
        "orders in a list": _list(original, said),
        "letter translated below its mark": plain(original, f"{said}\n\n{TRANSLATED}\n"),
        "mark quoted again and wrapped": plain(original, f"{said}\n\n" + _narrow(_quote(original)) + "\n"),
        "text part a stub": _stub(original, said),
        "text part empty": _empty_text_part(original, said),
        "hidden text": _hidden(original, said),
        "flowed": _flowed(original, said),
        "flowed, delsp": _flowed_delsp(original, said),
        "soft break within an order": _soft_break(original, said),
        "base64 with a plain footer": _list_footer(original, said),
        "footer in a part of its own": _footer_part(original, said),
        "scanner's footer": _scanner(original, said),
        "antivirus footer above the quote": _antivirus(original, said),
        "warning of a gateway in the quote": _external_banner(original, said),
        "clear-signed": _clear_signed(original, said),
        "signed with S/MIME": _smime_signed(original, said),
        "signed with S/MIME, opaque": _smime_opaque(original, said, known=True),
        "signed with S/MIME, opaque, as a stream": _smime_opaque(original, said, known=False),
        "signed with PGP/MIME": _pgp_mime_signed(original, said),
        "last boundary missing": _unterminated(original, said),
        "boundary never met": _missing_boundary(original, said),
        "no boundary named": _no_boundary_named(original, said),
        "no MIME headers": _no_mime(original, said),
        "picture and card": _with_picture(original, said),
        "original attached": _original_attached(original, said),
        "text, picture, text": _two_texts_about_a_picture(original, said),
        "an own answer quoted": _said_before_too(original, said),
        "typography of a word processor": _dashes(original, said),
        "token only in Delivered-To": _sent_on_by_a_list(original, said),
        "no Message-ID": _headers(original, said, Message_ID=""),
        "bracketed twice": _headers(original, said, Message_ID="<<x@players.example>>", In_Reply_To=f"<{original.message_id}>"),
        "References with commas": _headers(original, said, In_Reply_To="", References=f"<a@b>,{original.message_id},<c@d>"),
        "date in 2038": _headers(original, said, Date="Tue, 19 Jan 2038 03:14:08 +0000"),
        "no date": _headers(original, said, Date=""),
        "date that is none": _headers(original, said, Date="yesterday, 25:61"),
        "8-bit headers": _headers(original, said, From=f"Änn Größe <{original.recipient}>", Subject="Ré: tour 1 – прошу"),
        "Latin-1 headers": _headers(original, said, Subject="R\udce9: tour 1", X_Odd="\udcff\udcfe"),
        "told not to answer": _headers(original, said, X_Auto_Response_Suppress="All"),
        "told not to answer, in German": _headers(original, said, X_Auto_Response_Suppress="DR, OOF, AutoReply", Subject=f"Antwort: {original.subject}"),
        "told not to answer, sent on": _headers(original, said, X_Auto_Response_Suppress="All", Subject=f"Re: Re[2]: WG: {original.subject}"),
        "token in capitals": _headers(original, said, To=original.address.upper(), In_Reply_To="", References=""),
    }  # fmt: skip
    made |= {f"charset {name}": _in_charset(original, said, charset) for name, charset in CHARSETS.items()}
    ends = {"CR": "\r", "LF": "\n", "U+2028": "\u2028", "U+0085": "\u0085"}
    made |= {f"line ends {name}": _line_ends(original, said, end) for name, end in ends.items()}
    return made


def of_their_own(original: Original, said: str) -> dict[str, tuple[bytes, str]]:
    """Mails in which the lines are not quite the usual ones, with them as they are to be found."""
    first, *rest = said.split("\n")
    filled = "\n".join([*rest, first])
    numbered = "\n".join(f"{number}. {line}" for number, line in enumerate(said.split("\n"), 1))
    made = {
        "form filled in within the quote": (_filled_form(original, said), filled),
        "form filled in, no quote marks": (_filled_form_unquoted(original, said), filled),
        "orders in a table": (_table(original, said), numbered),
        "an order that Gmail has broken": (gmail(original, EN, LONG), LONG),
    }
    for name, text in {"bullets": BULLETS, "bold": BOLD, "strange characters": STRANGE}.items():
        made |= {
            f"{name}, Gmail": (gmail(original, FR, text), text),
            f"{name}, plain": (plain(original, text), text),
        }
    return made
