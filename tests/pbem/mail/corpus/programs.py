"""Replies as mail programs write them: each function is one program's true shape, in a language, with what was said."""

import textwrap
from collections.abc import Callable
from html import escape

from tests.pbem.mail.corpus.mime import Original, alternative, divs, mail, marked, part, plain
from tests.pbem.mail.corpus.tongues import Tongue

Program = Callable[[Original, Tongue, str], bytes]


def _line(form: str, original: Original) -> str:
    return form.format(name=original.name, address=original.address)


def _headers(original: Original, tongue: Tongue) -> list[str]:
    values = (f"{original.name} <{original.address}>", tongue.sent, f"Ann <{original.recipient}>", original.subject)
    return [f"{label} {value}" for label, value in zip(tongue.labels, values, strict=True)]


def _wrapped(text: str, width: int) -> str:
    return "\n".join(
        line for row in text.split("\n") for line in textwrap.wrap(row, width, break_long_words=False) or [""]
    )


def gmail(original: Original, tongue: Tongue, said: str) -> bytes:
    """Gmail on the web: the attribution wrapped at 78 columns."""
    attribution = _line(tongue.gmail, original)
    quote = marked(_wrapped(original.words, 76))
    text = f"{_wrapped(said, 78)}\n\n{_wrapped(attribution, 78)}\n\n{quote}\n"
    html = (
        f'<div dir="ltr">{divs(said)}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr"'
        f' class="gmail_attr">{escape(attribution)}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px'
        f' 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">{original.html}</blockquote></div>\r\n'
    )
    return mail(original, alternative(text, html))


def gmail_below(original: Original, tongue: Tongue, said: str) -> bytes:
    """Gmail, the answer below the quote."""
    attribution = _line(tongue.gmail, original)
    text = f"{_wrapped(attribution, 78)}\n\n{marked(original.words)}\n\n{said}\n"
    html = (
        f'<div dir="ltr"><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(attribution)}<br></div>'
        f'<blockquote class="gmail_quote">{original.html}</blockquote></div>{divs(said)}</div>'
    )
    return mail(original, alternative(text, html))


def apple(original: Original, tongue: Tongue, said: str) -> bytes:
    """Apple Mail on a Mac: in plain text the attribution stands within the quote."""
    attribution = _line(tongue.apple, original)
    text = f"{said}\n\n> {attribution}\n> \n{marked(original.words)}\n"
    html = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow'
        '-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">'
        + "<br>".join(map(escape, said.split("\n")))
        + f'<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>{escape(attribution)}</div>'
        f'<br class="Apple-interchange-newline"><div>{original.html}</div></blockquote></div><br></body></html>'
    )
    return mail(original, alternative(text, html))


def iphone(original: Original, tongue: Tongue, said: str) -> bytes:
    """Mail on an iPhone, with its line of advertising."""
    attribution = _line(tongue.apple, original)
    text = f"{said}\n\n{tongue.phone}\n\n> {attribution}\n> \n> \ufeff{marked(original.words)[2:]}\n"
    first, *rest = said.split("\n")
    html = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">'
        + escape(first)
        + divs("\n".join(rest))
        + f'<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">{escape(tongue.phone)}</div><div dir="ltr"><br>'
        f'<blockquote type="cite">{escape(attribution)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">'
        f"\ufeff{original.html}</div></blockquote></body></html>"
    )
    return mail(original, alternative(text, html))


def thunderbird(original: Original, tongue: Tongue, said: str) -> bytes:
    """Thunderbird in plain text, the answer below, format=flowed."""
    text = f"{_line(tongue.short, original)}\n{marked(original.text)}\n\n{said}\n\n-- \nAnn\npass\n"
    return plain(original, text, coding="8bit", more="; format=flowed")


def thunderbird_html(original: Original, tongue: Tongue, said: str) -> bytes:
    """Thunderbird in HTML only."""
    html = (
        '<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body>'
        + "".join(f"<p>{escape(line)}</p>\n" for line in said.split("\n"))
        + f'<div class="moz-cite-prefix">{escape(_line(tongue.short, original))}<br></div><blockquote type="cite" cite='
        f'"mid:x@y">{original.html}</blockquote><div class="moz-signature">-- <br>Ann<br>pass</div></body></html>'
    )
    return mail(original, part("text/html", html))


def outlook(original: Original, tongue: Tongue, said: str) -> bytes:
    """Outlook for Windows (Word): no quote marks, a rule above a block of headers."""
    headers = _headers(original, tongue)
    text = f"{said}\n\n" + "\n".join(headers) + f"\n\n{original.words}\n"
    head = "<br>".join("<b><span>{} </span></b>{}".format(*map(escape, line.split(" ", 1))) for line in headers)
    html = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head>'
        "<style><!-- p.MsoNormal {margin:0cm;} --></style><!--[if gte mso 9]><xml><o:shapedefaults/></xml><![endif]-->"
        '</head><body lang="EN-US" style="word-wrap:break-word"><div class="WordSection1">'
        + divs(said, '<p class="MsoNormal"><span lang="EN-US">', "<o:p></o:p></span></p>", "<o:p>&nbsp;</o:p>")
        + '<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt'
        f' 0cm 0cm 0cm"><p class="MsoNormal">{head}<o:p></o:p></p></div><p class="MsoNormal"><o:p>&nbsp;</o:p></p>'
        f"{original.html}</div></body></html>"
    )
    return mail(original, alternative(text, html))


def owa(original: Original, tongue: Tongue, said: str) -> bytes:
    """Outlook on the web, in HTML only."""
    head = "<br>\n".join("<b>{}</b> {}".format(*map(escape, line.split(" ", 1))) for line in _headers(original, tongue))
    html = (
        '<html><head><style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style></head>'
        '<body dir="ltr">'
        + divs(said, '<div class="elementToProof" style="font-family: Aptos, Calibri; font-size: 12pt;">\n', "</div>\n")
        + '<div id="appendonsend"></div>\n<hr style="display:inline-block;width:98%" tabindex="-1">\n<div id="divRplyFwdMsg"'
        f' dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">{head}</font>\n<div>&nbsp;'
        f"</div>\n</div>\n<div>{original.html}</div></body></html>"
    )
    return mail(original, part("text/html", html))


def outlook_phone(original: Original, tongue: Tongue, said: str) -> bytes:
    """Outlook on a phone: its line of advertising, and a rule."""
    headers = _headers(original, tongue)
    rule = "_" * 32
    text = (
        f"{said}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n{rule}\n"
        + "\n".join(headers)
        + f"\n\n{original.words}\n"
    )
    head = "<br>".join("<b>{}</b> {}".format(*map(escape, line.split(" ", 1))) for line in headers)
    html = (
        "<html><body>"
        + divs(said, '<div dir="auto">')
        + '<div id="ms-outlook-mobile-signature" dir="auto">Get <a href="https'
        '://aka.ms/o0ukef">Outlook for iOS</a></div><div id="mail-editor-reference-message-container"><hr style="display:'
        f'inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr">{head}</div><br>{original.html}</div></body></html>'
    )
    return mail(original, alternative(text, html))


def proton(original: Original, tongue: Tongue, said: str) -> bytes:
    """Proton Mail."""
    attribution = _line(tongue.gmail, original)
    text = f"{said}\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\n{attribution}\n\n{marked(original.words)}\n"
    html = (
        divs(said, '<div style="font-family: Arial, sans-serif; font-size: 14px;">')
        + '<div class="protonmail_signature_block" style="font-size: 14px;"><div class="protonmail_signature_block-user'
        ' protonmail_signature_block-empty"></div><div class="protonmail_signature_block-proton">Sent with <a target="_bla'
        'nk" href="https://proton.me/mail/home">Proton Mail</a> secure email.</div></div><div class="protonmail_quote">'
        f'{escape(attribution)}<br><blockquote class="protonmail_quote" type="cite">{original.html}</blockquote><br></div>'
    )
    return mail(original, alternative(text, html))


def yahoo(original: Original, tongue: Tongue, said: str) -> bytes:
    """Yahoo on the web: no marks, every line with a blank before it."""
    attribution = _line(tongue.gmail, original)
    text = f" {said}\n\n    {attribution}  \n \n{marked(original.words, ' ')}\n  "
    html = (
        '<html><body><div class="ydp1yahoo-style-wrap">'
        + divs(said, '<div dir="ltr" data-setdir="false">')
        + f'<div><br></div></div><div id="ydp2yahoo_quoted_123" class="ydp2yahoo_quoted"><div style="color:#26282a;"><div>{escape(attribution)}'
        f"</div><div><br></div><div>{original.html}</div></div></div></body></html>"
    )
    return mail(original, alternative(text, html))


def zimbra(original: Original, tongue: Tongue, said: str) -> bytes:
    """Zimbra."""
    headers = _headers(original, tongue)
    text = f"{said}\n\n----- Original Message -----\n" + "\n".join(headers) + f"\n\n{original.words}\n"
    head = "<br>".join("<b>{} </b>{}".format(*map(escape, line.split(" ", 1))) for line in headers)
    html = (
        f'<html><body><div style="font-family: arial; font-size: 12pt">{divs(said)}<div><br></div><hr id="zwchr" data-'
        f'marker="__DIVIDER__"><div data-marker="__HEADERS__">{head}<br></div><div data-marker="__QUOTED_TEXT__">'
        f"{original.html}</div></div></body></html>"
    )
    return mail(original, alternative(text, html))


def front(original: Original, tongue: Tongue, said: str) -> bytes:
    """Front, in HTML only."""
    html = (
        f'<div>{divs(said)}</div><br><div class="front-signature">Ann<br>pass</div><br><blockquote type="cite" class='
        f'"front-blockquote"><div>{escape(_line(tongue.gmail, original))}</div><br>{original.html}</blockquote>'
    )
    return mail(original, part("text/html", html))


def samsung(original: Original, tongue: Tongue, said: str) -> bytes:
    """Mail on a Galaxy."""
    headers = "\n".join(f"{line} " for line in _headers(original, tongue))
    text = f"{said}\n\n\nSent from my Galaxy\n\n\n-------- Original message --------\n{headers}\n\n{original.words}\n"
    return plain(original, text, coding="base64")


def k9(original: Original, tongue: Tongue, said: str) -> bytes:
    """K-9 Mail: its signature above the quote."""
    text = (
        f"{said}\n-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.\n\n"
        f"{_line(tongue.gmail, original)}\n{marked(original.text, '>')}\n"
    )
    return plain(original, text)


def mutt(original: Original, tongue: Tongue, said: str) -> bytes:
    """Inline: each line of the answer below another part of the quote."""
    quote = marked(original.text).split("\n")
    step = max(1, len(quote) // (said.count("\n") + 2))
    for number, line in enumerate(said.split("\n"), 1):
        quote.insert(min(number * step + number - 1, len(quote)), line)
    return plain(original, _line(tongue.short, original) + "\n" + "\n".join(quote) + "\n", coding="8bit")


def gmx(original: Original, tongue: Tongue, said: str) -> bytes:
    """GMX and web.de: the date first in the block, a quote of their own kind."""
    who, when, to, subject = _headers(original, tongue)
    block = "\n".join((when, who, to, subject))
    text = f"{said}\n \n\n{block}\n\n{original.words}\n"
    head = "<br/>\n".join("<b>{}</b>&nbsp;{}".format(*map(escape, line.split(" ", 1))) for line in block.split("\n"))
    html = (
        f'<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">{divs(said)}<div>&nbsp;<div>&nbsp;'
        '<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;">'
        f'<div style="margin:0 0 10px 0;">{head}</div><div name="quoted-content">{original.html}</div></div></div></div>'
        "</div></body></html>"
    )
    return mail(original, alternative(text, html))


def yandex(original: Original, tongue: Tongue, said: str) -> bytes:
    """Yandex, in HTML only."""
    html = (
        f'{divs(said)}<div> </div><div>01.12.2026, 10:03, "{escape(original.name)}" &lt;{escape(original.address)}&gt;:'
        f"</div><blockquote><div>{original.html}</div></blockquote><div> </div><div>-- </div><div>Ann</div><div>pass</div>"
    )
    return mail(original, part("text/html", html))


def horde(original: Original, tongue: Tongue, said: str) -> bytes:
    """Horde: an attribution without any date."""
    text = f"{said}\n\nZitat von {original.name} <{original.address}>:\n\n{marked(original.text)}\n\n\n"
    return plain(original, text)


def spark(original: Original, tongue: Tongue, said: str) -> bytes:
    """Spark."""
    attribution = f"On Dec 1, 2026 at 10:03 AM +0100, {original.name} <{original.address}>, wrote:"
    text = f"{said}\n{attribution}\n{marked(original.words)}\n"
    html = (
        '<html><body><div name="messageBodySection"><div dir="auto">'
        + "<br/>".join(map(escape, said.split("\n")))
        + f'</div></div><div name="messageReplySection">{escape(attribution)}<br/><blockquote type="cite" style="border-left-width: thin;">'
        f"{original.html}</blockquote></div></body></html>"
    )
    return mail(original, alternative(text, html))


def em_client(original: Original, tongue: Tongue, said: str) -> bytes:
    """eM Client: a block of headers without colons."""
    text = (
        f'{said}\n\n------ Original Message ------\nFrom "{original.name}" <{original.address}>\nTo "Ann" <{original.recipient}>\n'
        f"Date 01/12/2026 10:03:00\nSubject {original.subject}\n\n{original.words}\n"
    )
    return plain(original, text)


def notes(original: Original, tongue: Tongue, said: str) -> bytes:
    """HCL Notes."""
    text = (
        f"{said}\n\n-----{original.name} <{original.address}> wrote: -----\nTo: Ann <{original.recipient}>\n"
        f"From: {original.name} <{original.address}>\nDate: 12/01/2026 10:03AM\nSubject: {original.subject}\n\n{original.words}\n"
    )
    return plain(original, text)


def unmarked(original: Original, tongue: Tongue, said: str) -> bytes:
    """A program that pastes the original below with no mark at all."""
    return plain(original, f"{said}\n\n{original.words}\n")


def unheard(original: Original, tongue: Tongue, said: str) -> bytes:
    """An attribution in a language that nobody listed."""
    attribution = f"Xqz 1 vrb 2026 gh 10:03 {original.name} <{original.address}> grmbl:"
    return plain(original, f"{said}\n\n{attribution}\n{marked(original.text)}\n")


MANY: tuple[Program, ...] = (gmail, apple, iphone, thunderbird, outlook, owa)
"""Programs whose shape depends on their language: each is tried in all of them."""
SOME: tuple[Program, ...] = (
    gmail_below, thunderbird_html, outlook_phone, proton, yahoo, zimbra, front, samsung, k9, mutt, gmx,
)  # fmt: skip
"""Tried in the three languages that the service speaks first."""
ONCE: tuple[Program, ...] = (yandex, horde, spark, em_client, notes, unmarked, unheard)
"""Of one shape in all languages."""
