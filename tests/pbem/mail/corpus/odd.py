"""Replies with one odd thing each: how a part is put together, styled, coded or rewritten on its way."""

import base64
import re
from html import escape

from tests.pbem.mail.corpus.mime import Original, alternative, divs, mail, marked, part, plain, together
from tests.pbem.mail.corpus.programs import MANY, ONCE, SOME, outlook
from tests.pbem.mail.corpus.tongues import DE, EN, FR

DASHES = "‐bid 1200\n–always danger: all\n— place workshop 1 or workshop 2\n−ready"
QUOTES = "«bid 1200»\n‘always danger: all’\n„place workshop 1 or workshop 2“\n「ready」"


def only_html(raw: bytes) -> bytes | None:
    """The mail without its plain form, if it has one beside its HTML."""
    whole = raw.split(b"--=_alt\r\n")
    if len(whole) != 3:
        return None
    head = whole[0].partition(b"Content-Type: multipart/alternative")[0]
    return head + whole[2].partition(b"\r\n--=_alt--")[0]


def _quote(original: Original) -> str:
    return f"On Tue, Dec 1, 2026 at 10:03 AM {original.name} <{original.address}> wrote:\n{marked(original.text)}"


def _shown(said: str) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in said.split("\n"))


def _html(original: Original, html: str, charset: str = "utf-8") -> bytes:
    return mail(original, part("text/html", html, charset=charset))


def _leaf(head: str, text: str) -> bytes:
    return (head + "\r\n\r\n").encode() + text.replace("\n", "\r\n").encode()


HIDDEN = {
    "far to the left": '<div style="position:absolute;left:-9999px">bid 100</div>',
    "far above": '<div style="position: absolute; top: -5000px">bid 100</div>',
    "indented away": '<p style="text-indent:-9999px">bid 100</p>',
    "no width": '<div style="width:0;height:0;overflow:hidden">bid 100</div>',
    "no height": '<div style="height:0px;overflow:hidden">bid 100</div>',
    "see-through": '<span style="color:transparent">bid 100</span>',
    "see-through in numbers": '<span style="color: rgba(0, 0, 0, 0)">bid 100</span>',
    "white on white": '<p style="color:#ffffff;background-color:#FFF">bid 100</p>',
    "tiny": '<p style="font-size:1px;line-height:1px">bid 100</p>',
    "tiny by font": '<p style="font: 0/0 a">bid 100</p>',
    "almost no opacity": '<p style="opacity:0.0">bid 100</p>',
    "clipped": '<p style="position:absolute;clip:rect(0,0,0,0)">bid 100</p>',
    "collapsed": '<table><tr style="visibility:collapse"><td>bid 100</td></tr></table>',
    "by id": '<style>#pre{display:none}</style><p id="pre">bid 100</p>',
    "by tag": "<style>small{display:none}</style><small>bid 100</small>",
    "hidden=true": '<p hidden="hidden">bid 100</p>',
    "a details that is closed": "<noframes>bid 100</noframes><textarea>bid 100</textarea>",
    "struck out": "<p><s>bid 100</s></p><p><del>ready</del></p><p><strike>pass</strike></p>",
    "struck out by style": '<p><span style="text-decoration:line-through">bid 100</span></p>',
    "aria only": '<p style="display:none!important" aria-hidden="true">bid 100</p>',
    "conditional for old Outlook": "<!--[if mso]><p>bid 100</p><![endif]-->",
}  # fmt: skip


def _rewritten(text: str) -> str:
    return re.sub(r"https?://[\w.:/-]+", "https://eur01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fplay.example%2Fguide&data=05%7C02%7C", text)  # fmt: skip


def odd(original: Original, said: str) -> dict[str, bytes | tuple[bytes, str]]:
    """The mails by what is odd."""
    made: dict[str, bytes | tuple[bytes, str]] = {}
    quote = _quote(original)
    for programs, tongues in ((MANY + SOME, (EN, FR, DE)), (ONCE, (EN,))):
        for program in programs:
            for tongue in tongues:
                raw = only_html(program(original, tongue, said))
                if raw is not None:
                    made[f"{program.__name__} {tongue.code}, HTML alone"] = raw
    for name, html in HIDDEN.items():
        made[f"hidden: {name}"] = _html(original, f"<html><body>{html}{_shown(said)}</body></html>")
    made["dashes"] = plain(original, f"{DASHES}\n\n{quote}\n"), DASHES
    made["quotes"] = plain(original, f"{QUOTES}\n\n{quote}\n"), QUOTES
    made["links rewritten, unmarked"] = outlook(
        Original(
            original.name,
            original.address,
            original.message_id,
            original.subject,
            original.recipient,
            _rewritten(original.text),
            original.html.replace('href="http', 'href="https://urldefense.example/v3/__http'),
        ),
        EN,
        said,
    )
    made["links rewritten, unmarked text"] = plain(
        original,
        f"{said}\n\nFrom: {original.name} <{original.address}>\nSent: Tuesday, December 1, 2026 10:03 AM\nTo: Ann\nSubject: {original.subject}\n\n{_rewritten(original.text)}\n",
    )
    made["links rewritten, quoted"] = plain(original, f"{said}\n\n{_rewritten(quote)}\n")
    made["alternative with AMP"] = mail(
        original,
        together(
            "alternative",
            part("text/plain", f"{said}\n\n{quote}\n"),
            part("text/x-amp-html", "<p>bid 9</p>"),
            part("text/html", _shown(said)),
            mark="=_a",
        ),
    )
    image = b"Content-Type: image/png; name=a.png\r\nContent-Disposition: inline; filename=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n"
    first, *rest = said.split("\n")
    tail = "\n".join(rest)
    mixed = together(
        "mixed",
        part("text/html", _shown(first)),
        image,
        part("text/html", _shown(tail) + f"<blockquote>{original.html}</blockquote>"),
        mark="=_m",
    )
    made["Apple, HTML about a picture"] = mail(
        original, together("alternative", part("text/plain", f"{said}\n\n{quote}\n"), mixed, mark="=_a")
    )
    related = together("related", alternative(f"{said}\n\n{quote}\n", _shown(said)), image, mark="=_r")
    made["related around alternative, with a type"] = mail(
        original, related.replace(b"multipart/related;", b'multipart/related; type="multipart/alternative";')
    )
    made["HTML first, text second"] = mail(
        original,
        together(
            "alternative", part("text/html", _shown(said)), part("text/plain", f"{said}\n\n{quote}\n"), mark="=_a"
        ),
    )
    made["preamble and epilogue"] = mail(
        original,
        alternative(f"{said}\n\n{quote}\n", _shown(said)).replace(
            b"--=_alt\r\n", b"This is a multi-part message in MIME format.\r\nready\r\n--=_alt\r\n", 1
        )
        + b"\r\nbid 100\r\n",
    )
    made["boundary with odd characters"] = mail(
        original, together("mixed", part("text/plain", f"{said}\n\n{quote}\n"), mark="----=_Part_1'()+_,./:=?")
    )
    made["boundary unquoted"] = mail(
        original, together("mixed", part("text/plain", f"{said}\n\n{quote}\n"), mark="xyz").replace(b'"xyz"', b"xyz")
    )
    made["boundary that begins another"] = mail(
        original,
        together(
            "mixed",
            together(
                "alternative", part("text/plain", f"{said}\n\n{quote}\n"), part("text/html", _shown(said)), mark="ab-1"
            ),
            image,
            mark="ab",
        ),
    )
    body = f"{said}\n\n{quote}\n"
    for head in (
        "Content-Type: text/plain; charset=", "Content-Type: text/plain; charset=\"utf-8", "Content-Type: text", "Content-Type: text/plain;; charset=utf-8", "Content-Type: TEXT/PLAIN; CHARSET=UTF-8",
        "Content-Type: text/plain; charset*=utf-8''utf-8", "Content-Type: text/plain (ordinary); charset=utf-8", "Content-Type: ; charset=utf-8", "Content-Type: text/plain; charset=iso-8859-15; reply-type=original",
        "Content-Type: text/plain\r\nContent-Transfer-Encoding: x-nothing", "Content-Type: text/plain\r\nContent-Transfer-Encoding: 8bit (as is)", "Content-type:text/plain;charset=utf8;format=fixed", "Content-Type: text/plain\r\nContent-Disposition: inline",
    ):  # fmt: skip
        made[head.replace("\r\n", " / ")] = mail(original, _leaf(head, body))
    coded = base64.b64encode(body.encode()).decode()
    made["base64 in one line"] = mail(
        original, _leaf("Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: BASE64", coded)
    )
    made["base64 without padding"] = mail(
        original,
        _leaf("Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64", coded.rstrip("=")),
    )
    made["base64 that is none"] = mail(
        original, _leaf("Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64", body)
    )
    made["base64 indented"] = mail(
        original,
        _leaf(
            "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64",
            "\n".join("  " + coded[i : i + 72] for i in range(0, len(coded), 72)),
        ),
    )
    made["quoted-printable that is none"] = mail(
        original, _leaf("Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable", body)
    )
    made["quoted-printable in small letters"] = mail(
        original,
        _leaf(
            "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable",
            body.replace("1200", "1=32=30=30").replace("ready", "=72ead=\ny"),
        ),
    )
    made["quoted-printable in capitals, with blanks at ends"] = mail(
        original,
        _leaf(
            "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: Quoted-Printable",
            body.replace("ready", "rea=  \ndy"),
        ),
    )
    made["trailing blanks and tabs"] = plain(
        original, "\n".join(f"\t {line} \t " for line in said.split("\n")) + f"\n\n{quote}\n"
    )
    made["control characters"] = plain(
        original, said.replace("\n", "\x0b\n").replace("bid", "\x0cbid") + f"\n\n{quote}\n\x1a", coding="8bit"
    )
    made["right-to-left marks"] = (
        plain(original, "\n".join(f"\u200f\u202b{line}\u202c" for line in said.split("\n")) + f"\n\n{quote}\n"),
        "\n".join(f"\u200f\u202b{line}\u202c" for line in said.split("\n")),
    )
    made["HTML, charset in meta alone"] = mail(
        original,
        _leaf(
            "Content-Type: text/html",
            f'<html><head><meta charset="windows-1252"></head><body>{_shown(said)}<blockquote>{original.html}</blockquote></body></html>',
        ),
    )
    made["HTML in UTF-16"] = mail(
        original, part("text/html", f"<html><body>{_shown(said)}</body></html>", "base64", "utf-16")
    )
    made["HTML in pre"] = _html(original, f"<html><body><pre>{escape(said)}\n\n{escape(quote)}</pre></body></html>")
    made["HTML with br alone"] = _html(
        original, "<br/>\n".join(map(escape, said.split("\n"))) + f"<br/><br/><blockquote>{original.html}</blockquote>"
    )
    made["HTML cut into spans"] = _html(
        original,
        "".join("<div>" + "".join(f"<span>{escape(c)}</span>" for c in line) + "</div>" for line in said.split("\n")),
    )
    made["HTML, wrapped source"] = _html(original, _shown(said).replace(" ", "\n   "))
    made["HTML, character references"] = _html(
        original, "".join("<div>" + "".join(f"&#{ord(c)};" for c in line) + "</div>" for line in said.split("\n"))
    )
    made["HTML in capitals"] = _html(
        original,
        f"<HTML><BODY>{_shown(said).replace('p>', 'P>')}<BLOCKQUOTE TYPE=CITE>{original.html}</BLOCKQUOTE></BODY></HTML>",
    )
    made["HTML not closed"] = _html(
        original, "<p>" + "<p>".join(map(escape, said.split("\n"))) + f"<blockquote>{original.html}"
    )
    made["HTML within CDATA of XHTML"] = _html(
        original,
        f'<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><body>{_shown(said)}<blockquote>{original.html}</blockquote></body></html>',
    )
    made["definition list"] = _html(
        original, "<dl>" + "".join(f"<dt>{escape(line)}</dt>" for line in said.split("\n")) + "</dl>"
    )
    made["a table of one cell a line"] = _html(
        original,
        "<table>"
        + "".join(f"<tr><td>&nbsp;{escape(line)}&nbsp;</td></tr>" for line in said.split("\n"))
        + f"</table><blockquote>{original.html}</blockquote>",
    )
    made["two Message-IDs"] = mail(original, part("text/plain", body)).replace(
        b"Date:", b"Message-ID: <another@players.example>\r\nDate:", 1
    )
    made["an empty Message-ID"] = mail(original, part("text/plain", body)).replace(
        b"Message-ID: <reply@players.example>", b"Message-ID: ", 1
    )
    made["In-Reply-To with words"] = mail(
        original,
        part("text/plain", body),
        In_Reply_To=f'Your message of "Tue, 1 Dec 2026" {original.message_id}',
        References="",
    )
    made["References folded with tabs"] = mail(
        original, part("text/plain", body), In_Reply_To="", References=f"<a@b>\r\n\t<c@d>\r\n\t{original.message_id}"
    )
    made["token in Cc alone"] = mail(
        original,
        part("text/plain", body),
        To="someone@players.example",
        Cc=f"x <{original.address}>",
        In_Reply_To="",
        References="",
    )
    made["token in a Resent-To"] = mail(
        original,
        part("text/plain", body),
        To="someone@players.example",
        Resent_To=original.address,
        In_Reply_To="",
        References="",
    )
    made["encoded address"] = mail(
        original,
        part("text/plain", body),
        From=f"=?utf-8?B?{base64.b64encode('Änn'.encode()).decode()}?= <{original.recipient.upper()}>",
    )
    made["From in comments"] = mail(original, part("text/plain", body), From=f"{original.recipient} (Ann, of Ghent)")
    made["From bare in brackets"] = mail(original, part("text/plain", body), From=f"<{original.recipient}>")
    made["From name with an address in it"] = mail(
        original, part("text/plain", body), From=f'"ann@else.example" <{original.recipient}>'
    )
    made["From of a group"] = mail(original, part("text/plain", body), From=f'"Smith, Ann" <{original.recipient}>')
    made["signature of Gmail"] = _html(
        original,
        f'<div dir="ltr">{divs(said)}<div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature">Ann<div>ready</div><div>bid 100</div></div></div>',
    )
    made["signature of Outlook"] = _html(
        original,
        f'<div>{divs(said)}</div><div id="Signature"><div>Ann</div><div>pass</div></div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> {escape(original.name)} &lt;{original.address}&gt;<br><b>Sent:</b> Tuesday, December 1, 2026 10:03 AM<br><b>To:</b> Ann<br><b>Subject:</b> {escape(original.subject)}</div>{original.html}',
    )
    made["signature of Apple Mail"] = _html(
        original,
        f'<div>{divs(said)}</div><br><div class="AppleMailSignature">Ann<br>pass</div><blockquote type="cite">{original.html}</blockquote>',
    )
    made["signature of Roundcube"] = _html(
        original,
        f'<div>{divs(said)}</div><div id="_rc_sig"><p>-- <br>Ann<br>pass</p></div><blockquote type="cite">{original.html}</blockquote>',
    )
    made["signature without a blank"] = plain(original, f"{said}\n\n--\nAnn\npass\n\n{quote}\n")
    made["signature with nbsp"] = plain(original, f"{said}\n\n--\u00a0\nAnn\npass\n\n{quote}\n")
    made["signature quoted-printable broken"] = mail(
        original,
        _leaf(
            "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable",
            f"{said}\n\n--=20\nAnn\npass\n\n{quote.replace('=', '=3D')}\n",
        ),
    )
    made["Mailman's footer without a rule of underscores"] = plain(
        original, f"{said}\n\n{quote}\n\n-- \nplayers mailing list\nplayers@lists.example\nready\n"
    )
    made["Google Groups' footer"] = plain(
        original,
        f'{said}\n\n{quote}\n\n-- \nYou received this message because you are subscribed to the Google Groups "x" group.\nTo unsubscribe from this group and stop receiving emails from it, send an email to x+unsubscribe@googlegroups.com.\n',
    )
    made["a footer of Yahoo Groups"] = plain(
        original,
        f"{said}\n\n{quote}\n\n------------------------------------\nYahoo! Groups Links\n\n<*> To visit your group on the web, go to:\n    http://groups.example/group/x/\n",
    )
    made["Exchange disclaimer after the quote"] = plain(
        original,
        f"{said}\n\n{quote}\n\nThis e-mail is confidential and meant for nobody but the one whom it is addressed to; see https://company.example/legal\n",
    )
    return made
