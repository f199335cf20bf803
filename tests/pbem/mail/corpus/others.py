"""Replies as less common programs write them, each in its own shape: what stands around the quote, and how it is marked."""

from collections.abc import Callable
from html import escape

from tests.pbem.mail.corpus.mime import Original, alternative, divs, mail, marked, part, plain

ATTRIBUTED = {
    "Gmail on a phone": "On Tue, 1 Dec 2026, 10:03 {name}, <{address}> wrote:",
    "Evolution": "On Tue, 2026-12-01 at 10:03 +0100, {name} wrote:",
    "KMail": "On Tuesday, 1 December 2026 10:03:00 CET {name} wrote:",
    "Claws": "On Tue, 1 Dec 2026 10:03:00 +0100\n{name} <{address}> wrote:\n",
    "Alpine": "On Tue, 1 Dec 2026, {name} wrote:\n",
    "Gnus": "{name} <{address}> writes:\n",
    "mu4e": 'On Tue 01 Dec 2026 at 10:03, "{name}" <{address}> writes:\n',
    "Mailspring": "On Dec 1 2026, at 10:03 am, {name} <{address}> wrote:",
    "Airmail": "On 1 Dec 2026 at 10:03 +0100, {name} <{address}>, wrote:",
    "SOGo": "On Tuesday, December 01, 2026 10:03 CET, {name} <{address}> wrote:\n ",
    "NetEase": 'At 2026-12-01 10:03:00, "{name}" <{address}> wrote:\n',
    "NetEase in Chinese": "在 2026-12-01 10:03:00，\"{name}\" <{address}> 写道：\n",
    "Mail.ru": "Вторник, 1 декабря 2026, 10:03 +03:00 от {name} <{address}>:\n ",
    "Tuta": "1 Dec 2026, 10:03 by {address}:\n",
    "Hey": "On December 1, 2026, {name} <{address}> wrote:\n",
    "Proton on a phone": "-------- Original Message --------\nOn 01/12/2026 10:03, {name} wrote:\n",
    "Superhuman": "Sent via Superhuman ( https://sprh.mn/?vip=ann )\n\nOn Tue, Dec 01, 2026 at 10:03 AM, {name} < {address} > wrote:\n",
    "Front's way": "On December 1, 2026 at 10:03 AM GMT+1 {address} wrote:\n\n",
    "Thai year": "เมื่อ อ. 1 ธ.ค. 2569 เวลา 10:03 {name} <{address}> เขียนว่า:\n",
    "Korean": "2026년 12월 1일 (화) 오전 10:03, {name} <{address}>님이 작성:\n",
    "Hebrew": "\u200f\u202aבתאריך יום ג׳, 1 בדצמ׳ 2026 ב-10:03 מאת \u202a{name}\u202c\u200f <\u202a{address}\u202c\u200f>:\u202c\n",
    "Turkish": "{name} <{address}>, 1 Ara 2026 Sal, 10:03 tarihinde şunu yazdı:\n",
    "GroupWise": '>>> "{name}" <{address}> 12/1/2026 10:03 AM >>>',
}  # fmt: skip
"""What stands above a quote with marks, by the program that writes it so."""

BLOCKS = {
    "AOL": "-----Original Message-----\nFrom: {name} <{address}>\nTo: Ann <{recipient}>\nSent: Tue, Dec 1, 2026 10:03 am\nSubject: {subject}\n",
    "Naver": '-----Original Message-----\nFrom: "{name}"<{address}>\nTo: <{recipient}>\nCc:\nSent: 2026-12-01 (화) 10:03:00 (GMT+09:00)\nSubject: {subject}\n',
    "QQ": '------------------ Original ------------------\nFrom: "{name}"<{address}>;\nDate: Tue, Dec 1, 2026 10:03 AM\nTo: "Ann"<{recipient}>;\n\nSubject: {subject}\n\n',
    "Foxmail": "发件人： {name}\n发送时间： 2026-12-01 10:03\n收件人： {recipient}\n主题： {subject}\n",
    "BlackBerry": "From: {name}\nSent: Tuesday, December 1, 2026 10:03\nTo: {recipient}\nReply To: {name}\nSubject: {subject}\n",
    "Outlook for Mac": "From: {name} <{address}>\nDate: Tuesday, December 1, 2026 at 10:03\nTo: Ann <{recipient}>\nSubject: {subject}\n",
    "Windows Mail": "Sent from Mail for Windows\n\nFrom: {name}\nSent: Tuesday, December 1, 2026 10:03\nTo: Ann\nSubject: {subject}\n",
    "Outlook in Turkish": "Kimden: {name} <{address}>\nGönderildi: 1 Aralık 2026 Salı 10:03\nKime: Ann <{recipient}>\nKonu: {subject}\n",
    "Outlook in Hungarian": "Feladó: {name} <{address}>\nElküldve: 2026. december 1., kedd 10:03\nCímzett: Ann\nTárgy: {subject}\n",
    "Zoho": "---- On Tue, 01 Dec 2026 10:03:00 +0100 {name} <{address}> wrote ---\n",
    "sent on by Gmail": "---------- Forwarded message ---------\nFrom: {name} <{address}>\nDate: Tue, Dec 1, 2026 at 10:03 AM\nSubject: {subject}\nTo: <{recipient}>\n\n",
    "sent on by Apple Mail": "Begin forwarded message:\n\nFrom: {name} <{address}>\nSubject: {subject}\nDate: December 1, 2026 at 10:03:00 AM GMT+1\nTo: {recipient}\nReply-To: {address}\n",
    "sent on by Thunderbird": "-------- Forwarded Message --------\nSubject: \t{subject}\nDate: \tTue, 1 Dec 2026 10:03:00 +0100\nFrom: \t{name} <{address}>\nReply-To: \t{address}\nTo: \t{recipient}\n\n",
}
"""What stands above an original that has no marks."""


def others(original: Original, said: str) -> dict[str, bytes | tuple[bytes, str]]:
    """The mails by program."""
    named = {"name": original.name, "address": original.address, "recipient": original.recipient}
    named["subject"] = original.subject
    made: dict[str, bytes | tuple[bytes, str]] = {}
    for name, form in ATTRIBUTED.items():
        above = form.format(**named)
        made[f"{name}, answer above"] = plain(original, f"{said}\n\n{above}\n{marked(original.text)}\n")
        made[f"{name}, answer below"] = plain(original, f"{above}\n{marked(original.words)}\n\n{said}\n")
    for name, form in BLOCKS.items():
        made[f"{name}, text as sent"] = plain(original, f"{said}\n\n{form.format(**named)}\n{original.text}\n")
        made[f"{name}, text as shown"] = plain(original, f"{said}\n\n\n{form.format(**named)}\n{original.words}\n")
    made["a list made in Word"] = _word_list(original, said), "\n".join(f"· {line}" for line in said.split("\n"))
    return made | {name: write(original, said) for name, write in _HTML.items()} | _marked_otherwise(original, said)


def _marked_otherwise(original: Original, said: str) -> dict[str, bytes]:
    """Quotes that no `>` marks."""
    marks = {
        "bar": "| ",
        "brace": "} ",
        "colon": ": ",
        "two blanks": "  ",
        "initials": "DS> ",
        "a name": "  Game> ",
        "guillemet": "» ",
    }
    made = {
        f"quote marked with {name}": plain(original, f"{said}\n\nOn 1 Dec 2026 10:03, {original.name} <{original.address}> wrote:\n\n{marked(original.text, mark)}\n")
        for name, mark in marks.items()
    }  # fmt: skip
    bat = f"Hello,\n\nTuesday, December 1, 2026, 10:03:00 AM, you wrote:\n\n{marked(original.text, 'DS> ')}\n\n{said}\n\n-- \nBest regards,\n Ann   mailto:{original.recipient}\n"
    made["The Bat!"] = plain(original, bat.removeprefix("Hello,\n\n"))
    return made


def _attribution(original: Original) -> str:
    return escape(f"On Tue, Dec 1, 2026, at 10:03, {original.name} <{original.address}> wrote:")


def _fastmail(original: Original, said: str) -> bytes:
    text = f"{said}\n\nOn Tue, Dec 1, 2026, at 10:03, {original.name} wrote:\n{marked(original.words)}\n\n-- \n  Ann\n  ready\n"
    html = (
        '<!DOCTYPE html><html><head><title></title><style type="text/css">p.MsoNormal,p.MsoNoSpacing{margin:0}</style>'
        f"</head><body>{divs(said)}<div><br></div><div>On Tue, Dec 1, 2026, at 10:03, {original.name} wrote:</div><blockquote"
        f' type="cite" id="qt" style="">{original.html}</blockquote><div><br></div><div id="sig1"><div>-- <br></div><div>&nbsp;'
        " Ann</div><div>&nbsp; ready</div></div></body></html>"
    )
    return mail(original, alternative(text, html), Feedback_ID="i1a2b3c4d:Fastmail")


def _proton(original: Original, said: str) -> bytes:
    text = f"{said}\n\nSent with Proton Mail secure email.\n\nOn Tuesday, December 1st, 2026 at 10:03 AM, {original.name} <{original.address}> wrote:\n\n{marked(original.words)}\n"
    return mail(original, part("text/plain", text), Feedback_ID="51640213:user:proton")


def _roundcube(original: Original, said: str) -> bytes:
    html = (
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /></head><body style="font-size: 10pt">'
        + divs(said, "<p>", "</p>\n")
        + f'<p><br /></p>\n<p id="reply-intro">On 2026-12-01 10:03, {original.name} wrote:</p>\n<blockquote type="cite" style="padding: 0'
        f' 0.4em; border-left: #1010ff 2px solid; margin: 0"><div id="replybody1">{original.html}</div></blockquote></body></html>'
    )
    return mail(original, part("text/html", html))


def _tuta(original: Original, said: str) -> bytes:
    html = (
        divs(said, '<div dir="auto">', "</div>\n")
        + f'<div dir="auto"><br></div><div dir="auto">1 Dec 2026, 10:03 by {original.address}:<br></div><blockquote class="tutanota_quote"'
        f' style="border-left: 1px solid #93A3B8">{original.html}</blockquote>'
    )
    return mail(original, part("text/html", html))


def _hey(original: Original, said: str) -> bytes:
    html = (
        '<html><body><div class="trix-content">\n  <div>'
        + "<br>".join(map(escape, said.split("\n")))
        + f'</div>\n</div>\n<br><div class="trix-content"><div>On December 1, 2026, {escape(original.name)} &lt;{original.address}&gt;'
        f" wrote:</div><blockquote>{original.html}</blockquote></div></body></html>"
    )
    return mail(original, part("text/html", html))


def _zoho(original: Original, said: str) -> bytes:
    html = (
        f'<div style="font-family: Verdana;">{divs(said)}<br></div><div class="zmail_extra_hr" style="border-top: 1px solid rgb(204,'
        ' 204, 204);"><br></div><div class="zmail_extra" data-zbluepencil-ignore="true"><div><br></div><div id="Zm-_Id_-Sgn1">----'
        f" On Tue, 01 Dec 2026 10:03:00 +0100 <b>{escape(original.name)} &lt;{original.address}&gt;</b> wrote ---<br></div><div><br>"
        f'</div><blockquote id="blockquote_zmail" style="margin: 0px;">{original.html}</blockquote></div><br>'
    )
    return mail(original, part("text/html", html))


def _qq(original: Original, said: str) -> bytes:
    html = (
        divs(said)
        + '<div><br></div><div><br></div><div style="font-size: 12px;padding:2px 0;">------------------&nbsp;Original&nbsp;------------'
        f'------</div><div style="font-size: 12px;background:#efefef;"><div><b>From:</b>&nbsp; "{escape(original.name)}"&lt;{original.address}'
        f"&gt;;</div><div><b>Date:</b>&nbsp; Tue, Dec 1, 2026 10:03 AM</div><div><b>To:</b>&nbsp; \"Ann\"&lt;{original.recipient}&gt;;"
        f"</div><div></div><div><b>Subject:</b>&nbsp; {escape(original.subject)}</div></div><div><br></div>{original.html}"
    )  # fmt: skip
    return mail(original, part("text/html", html))


def _mail_ru(original: Original, said: str) -> bytes:
    html = (
        f'<HTML><BODY>{divs(said)}<div>&nbsp;</div><div data-signature-widget="container"><div data-signature-widget="content"><div>--'
        "<br>Ann<br>ready</div></div></div><div>&nbsp;</div><div>&nbsp;</div><blockquote style=\"border-left:1px solid #0857A6; margin:"
        f'10px;">Вторник, 1 декабря 2026, 10:03 +03:00 от {escape(original.name)} &lt;{original.address}&gt;:<br>&nbsp;<div id="">'
        f"{original.html}</div></blockquote></BODY></HTML>"
    )  # fmt: skip
    return mail(original, part("text/html", html))


def _outlook_mac(original: Original, said: str) -> bytes:
    html = (
        '<html><body class="" style="word-wrap:break-word"><div class="WordSection1">'
        + divs(said, '<p class="MsoNormal"><span style="font-size:11.0pt">', "<o:p></o:p></span></p>")
        + '<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div id="mail-editor-reference-message-container"><div><div style="border:none;'
        'border-top:solid #B5C4DF 1.0pt"><p class="MsoNormal" style="margin-bottom:12.0pt"><b><span style="color:black">From:'
        f" </span></b><span>{escape(original.name)} &lt;{original.address}&gt;<br><b>Date: </b>Tuesday, December 1, 2026 at 10:03<br><b>To:"
        f" </b>Ann &lt;{original.recipient}&gt;<br><b>Subject: </b>{escape(original.subject)}<o:p></o:p></span></p></div>{original.html}"
        "</div></div></div></body></html>"
    )
    return mail(original, part("text/html", html))


def _em_client(original: Original, said: str) -> bytes:
    html = (
        '<html><head><style id="css_styles"></style></head><body>'
        + divs(said)
        + f'<div><br></div><div id="xabc" style="color:#000000"><div>------ Original Message ------</div><div>From "{escape(original.name)}"'
        f" &lt;<a href=\"mailto:{original.address}\">{original.address}</a>&gt;</div><div>To \"Ann\" &lt;{original.recipient}&gt;</div><div>Date"
        f' 01/12/2026 10:03:00</div><div>Subject {escape(original.subject)}</div></div><div><br></div><div id="x0"><blockquote cite="x"'
        f' type="cite" class="cite2">{original.html}</blockquote></div></body></html>'
    )  # fmt: skip
    return mail(original, part("text/html", html))


def _samsung(original: Original, said: str) -> bytes:
    html = (
        f'<html><head></head><body dir="auto"><div dir="auto">{divs(said)}</div><div dir="auto"><br></div><div id="composer_signature" dir'
        '="auto"><div style="font-size:12px;color:#575757" dir="auto">Sent from my Galaxy</div></div><div dir="auto"><br></div><div><br>'
        '</div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>-------- Original message --------</div><div>From:'
        f" {escape(original.name)} &lt;{original.address}&gt; </div><div>Date: 12/1/26  10:03 AM  (GMT+01:00) </div><div>To: Ann &lt;"
        f"{original.recipient}&gt; </div><div>Subject: {escape(original.subject)} </div><div><br></div></div>{original.html}</body></html>"
    )
    return mail(original, part("text/html", html))


def _word_list(original: Original, said: str) -> bytes:
    bullet = (
        '<p class="MsoListParagraph" style="text-indent:-18.0pt;mso-list:l0 level1 lfo1"><![if !supportLists]><span style="font-family:'
        'Symbol"><span style="mso-list:Ignore">·<span style="font:7.0pt &quot;Times New Roman&quot;">&nbsp;&nbsp;&nbsp; </span></span>'
        "</span><![endif]>"
    )
    html = f'<html><body><div class="WordSection1">{divs(said, bullet, "<o:p></o:p></p>")}</div></body></html>'
    return mail(original, part("text/html", html))


def _inline_in_outlook(original: Original, said: str) -> bytes:
    """Typed in another colour between the lines of an original without marks."""
    typed = "".join(
        f'<p class="MsoNormal"><span style="color:#C00000">{escape(line)}</span></p>' for line in said.split("\n")
    )
    head, mark, tail = original.html.partition("<h2")
    middle = tail.find("<h2")
    html = f'<html><body><div class="WordSection1"><p class="MsoNormal"><b>From:</b> {escape(original.name)} &lt;{original.address}&gt;<br><b>Sent:</b> Tuesday, December 1, 2026 10:03 AM<br><b>To:</b> Ann<br><b>Subject:</b> {escape(original.subject)}</p>'
    html += f"{head}{mark}{tail[:middle]}{typed}{tail[middle:]}</div></body></html>"
    return mail(original, part("text/html", html))


def _inline_in_gmail(original: Original, said: str) -> bytes:
    head, mark, tail = original.html.partition("<h2")
    html = (
        f'<div dir="ltr"><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{_attribution(original)}<br></div><blockquote class='
        f'"gmail_quote">{head}</blockquote>{divs(said)}<blockquote class="gmail_quote">{mark}{tail}</blockquote></div></div>'
    )
    return mail(original, part("text/html", html))


_HTML: dict[str, Callable[[Original, str], bytes]] = {
    "Fastmail with its Feedback-ID": _fastmail,
    "Proton with its Feedback-ID": _proton,
    "Roundcube in HTML": _roundcube,
    "Tuta in HTML": _tuta,
    "Hey in HTML": _hey,
    "Zoho in HTML": _zoho,
    "QQ in HTML": _qq,
    "Mail.ru in HTML": _mail_ru,
    "Outlook for Mac in HTML": _outlook_mac,
    "eM Client in HTML": _em_client,
    "Samsung in HTML": _samsung,
    "between the lines in Outlook": _inline_in_outlook,
    "between the lines in Gmail": _inline_in_gmail,
}
