"""Mails that give no orders: those whose sender is told why, and those that are passed over in silence."""

import base64

from tests.pbem.mail.corpus.mime import Original, alternative, mail, marked, part, plain, together
from tests.pbem.mail.corpus.programs import MANY, ONCE, SOME
from tests.pbem.mail.corpus.tongues import DE, EN, FR

OWN = ("unheard", "mutt", "unmarked")
"""Programs that are left out of those who quote and say nothing, for they say no more than the others."""


def _quote(original: Original) -> str:
    return f"{EN.gmail.format(name=original.name, address=original.address)}\n{marked(original.text)}"


def _attachment(kind: str, name: str, text: str) -> bytes:
    coded = base64.encodebytes(text.encode()).decode()
    return (
        f"Content-Type: {kind}; name={name}\r\nContent-Disposition: attachment; filename={name}\r\n"
        f"Content-Transfer-Encoding: base64\r\n\r\n{coded}"
    ).encode()


def _leaf(kind: str, body: str) -> bytes:
    return f"Content-Type: {kind}\r\n\r\n{body}\r\n".encode()


def _deep(original: Original) -> bytes:
    body = b"".join(
        f'Content-Type: multipart/mixed; boundary="b{number}"\r\n\r\n--b{number}\r\n'.encode() for number in range(3000)
    )
    return mail(original, body + b"Content-Type: text/plain\r\n\r\nbid 100\r\n")


def _wide(original: Original) -> bytes:
    parts = b"--b\r\nContent-Type: text/plain\r\n\r\nbid 100\r\n" * 20_000
    return mail(original, b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + parts + b"--b--\r\n")


def refused(original: Original) -> dict[str, tuple[bytes, str]]:
    """Mails that are answered with the reason, by what they are; each with its code."""
    quote = _quote(original)
    only_quote = plain(original, f"{quote}\n")
    encrypted = together(
        "encrypted",
        _leaf("application/pgp-encrypted", "Version: 1"),
        _leaf("application/octet-stream", "-----BEGIN PGP MESSAGE-----\r\nx"),
    )
    armour = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n=abcd\n-----END PGP MESSAGE-----\n"
    enveloped = "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\r\nContent-Transfer-Encoding: base64"
    tnef = together("mixed", part("text/plain", " \n"), _attachment("application/ms-tnef", "winmail.dat", 'x\x9f>"bid'))
    two_from = mail(original, part("text/plain", "bid 100\n")).replace(b"To: ", b"From: eve@evil.example\r\nTo: ", 1)
    made = {
        "orders only in the subject": (plain(original, "\n").replace(b"Subject: Re:", b"Subject: bid 100"), "no-text"),
        "orders in the subject, quote below": (only_quote.replace(b"Subject: Re:", b"Subject: ready"), "nothing-new"),
        "orders only in an attachment": (mail(original, together("mixed", part("text/plain", "\n"), _attachment("text/plain", "orders.txt", "bid 100"))), "no-text"),
        "orders in an attachment, quote above": (mail(original, together("mixed", part("text/plain", quote), _attachment("text/plain", "orders.txt", "bid 100"))), "nothing-new"),
        "a picture of orders": (mail(original, _attachment("image/png", "orders.png", "x")), "no-text"),
        "encrypted with PGP/MIME": (mail(original, encrypted), "encrypted"),
        "encrypted with PGP": (plain(original, armour), "encrypted"),
        "encrypted with S/MIME": (mail(original, _leaf(enveloped, "MIAGCSqGSIb3DQEHA6CAMIACAQAx")), "encrypted"),
        "TNEF": (mail(original, tnef), "tnef"),
        "text and HTML that differ": (mail(original, alternative(f"bid 100\n\n{quote}\n", f"<p>bid 200</p><blockquote>{original.html}</blockquote>")), "two-texts"),
        "HTML that takes back what the text says": (mail(original, alternative("ready\n", "<p>not ready</p>")), "two-texts"),
        "HTML with an order more": (mail(original, alternative("bid 100\n", "<p>bid 100</p><p>ready</p>")), "two-texts"),
        "3,000 nested parts": (_deep(original), "too-deep"),
        "20,000 parts": (_wide(original), "too-many-parts"),
        "two From headers": (two_from, "two-from"),
        "two senders in one header": (mail(original, part("text/plain", "bid 100\n"), From=f"{original.recipient}, eve@evil.example"), "two-from"),
        "no From header": (mail(original, part("text/plain", "bid 100\n"), From=""), "no-from"),
        "a From that is no address": (mail(original, part("text/plain", "bid 100\n"), From="Ann <ann@players.example@evil.example>"), "no-from"),
        "a megabyte on one line": (plain(original, "bid 100 " + "x" * 1_000_000, coding="base64"), "too-long"),
        "9,000 lines": (plain(original, "a: b\n" * 9000), "too-long"),
        "200,000 lines of nothing": (plain(original, "\n" * 200_000, coding="base64"), "no-text"),
    }  # fmt: skip
    for program in (*MANY, *SOME, *ONCE):
        if program.__name__ not in OWN:
            for tongue in (EN, FR, DE):
                made[f"{program.__name__} {tongue.code} that says nothing"] = (
                    program(original, tongue, ""),
                    "nothing-new",
                )
    return made


def passed_over(original: Original) -> dict[str, tuple[bytes, str]]:
    """Mails that are not answered, by what they are; each with the sign by which it is known."""
    away = part("text/plain", f"I am away until Monday.\nready\n\n{_quote(original)}\n")
    receipt = together(
        "report",
        part("text/plain", "Your mail was read."),
        _leaf("message/disposition-notification", "Disposition: manual-action/MDN-sent-manually; displayed"),
    )
    event = _leaf("text/calendar; charset=UTF-8;\r\n method=REPLY", "BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nEND:VCALENDAR")
    prefixes = {
        "Turkish": "Otomatik Yanıt", "Danish": "Automatisk svar", "Hungarian": "Automatikus válasz", "Chinese": "自动答复", "Greek": "Αυτόματη απάντηση",
        "Arabic": "رد تلقائي", "Notes": "AUTO", "Ukrainian": "Автоматична відповідь", "Zimbra": "Out of Office",
    }  # fmt: skip
    counter = event.replace(b"REPLY", b"COUNTER")
    unsaid = event.replace(b";\r\n method=REPLY", b"")
    made = {
        f"Exchange and others, {name}": (mail(original, away, Subject=f"{words}: {original.subject}"), "robot-subject")
        for name, words in prefixes.items()
    }
    return made | {
        "out of office of Notes": (mail(original, away, Subject="Ann is out of the office (returning 12/05/2026)"), "robot-subject"),
        "read receipt in Spanish": (mail(original, part("text/plain", "ready"), Subject=f"Leído: {original.subject}"), "robot-subject"),
        "calendar counter": (mail(original, together("alternative", part("text/plain", "ready\n"), counter)), "calendar"),
        "calendar reply that only its body tells": (mail(original, together("alternative", part("text/plain", "ready\n"), unsaid)), "calendar"),
        "auto-replied": (mail(original, away, Auto_Submitted="auto-replied"), "auto-submitted"),
        "vacation with a comment": (mail(original, away, Auto_Submitted='Auto-Replied; owner-email="a@b.example"'), "auto-submitted"),
        "Exchange": (mail(original, away, Subject=f"Automatic reply: {original.subject}", X_Auto_Response_Suppress="All"), "robot-subject"),
        "Exchange in German": (mail(original, away, Subject=f"Automatische Antwort: {original.subject}"), "robot-subject"),
        "Exchange in French": (mail(original, away, Subject=f"Réponse automatique : {original.subject}"), "robot-subject"),
        "out of office, null sender": (mail(original, away, Return_Path="<>"), "null-sender"),
        "X-Autoreply": (mail(original, away, X_Autoreply="yes"), "robot-header"),
        "X-Autorespond": (mail(original, away, X_Autorespond="Re"), "robot-header"),
        "junk": (mail(original, away, Precedence="auto_reply"), "precedence"),
        "read receipt": (mail(original, receipt.replace(b"multipart/report", b"multipart/report; report-type=disposition-notification")), "report"),
        "read receipt of Outlook": (mail(original, part("text/plain", "Your message was read."), Subject=f"Read: {original.subject}"), "robot-subject"),
        "calendar reply": (mail(original, event), "calendar"),
        "calendar reply within": (mail(original, together("alternative", part("text/plain", "Ann has accepted.\nready\n"), event)), "calendar"),
        "calendar reply of Google": (mail(original, together("mixed", together("alternative", part("text/plain", "ready\n"), event, mark="=_c"), _attachment("application/ics", "invite.ics", "x"))), "calendar"),
        "a list": (mail(original, away, List_Id="<players.example>", List_Unsubscribe="<https://x.example>"), "list"),
        "bulk": (mail(original, away, Precedence="bulk"), "precedence"),
        "mailer-daemon": (mail(original, away, From="MAILER-DAEMON@players.example"), "robot-sender"),
        "our own letter": (mail(original, part("text/plain", original.text), Message_ID=original.message_id), "own-mail"),
        "our own address": (mail(original, part("text/plain", "ready\n"), From=f"Game <{original.address}>"), "own-mail"),
        "our own letter sent on": (mail(original, part("text/plain", original.text), X_Pbem_Loop="yes", From="list@company.example"), "robot-header"),
    }  # fmt: skip
