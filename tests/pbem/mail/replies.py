"""Replies to a letter of ours, as mail programs write them."""

import textwrap
from html import escape

TEXT = """Deep Shaft, turn 5: you are Red
Insurance and drilling
======================

You have $1,900 and three crews. Blue's new shaft lies beside yours.

Deadline: Thursday 3 December, 18:00 (Europe/Paris)

What is asked of you
--------------------
- Insure your stock against danger. You hold 2 zinc and 1 copper.
- Drilling, round 1: which crew goes where?

Answer this mail with your orders, one a line. The lines to fill in:

insure ____
drill 1: ____
drill 2: ____

Lines like these can be done as things stand; they are examples, not advice:

# insure 2 zinc, 1 copper
# drill 1: c2 to B3, hire 2
# drill 2: c1 stay, bribe red c3

On your sheet already:

# always danger: insurance 2
# sell 3 gold

Without an answer by the deadline:

- Your stock is not insured.
- Your crews stay where they are.

What happened
-------------
- Blue won the auction with a bid of $2,400 and pays the bank.
- You were second in the management order: bid $1,900, behind Blue's $2,400.
- Green placed a vice president at workshop 1, Yellow one at market control 3.

The position
------------
Company   money  zinc copper gold crews
Red       1,900     2      1    3     3
Blue        400     0      2    0     4

Journal entry 112, head of the chain 4f1d9a0c77. Seal of the secret 9b1c00ffee.
"""

ADDRESS = "play+aebagbafaydqqcikbmga2dqpcaireeyuculbogaz@games.example"
SENDER = f"Deep Shaft <{ADDRESS}>"
SUBJECT = "[Deep Shaft] turn 5"
ORDERS = ("insure 2 zinc", "drill 1: c2 to B3 or stay", "ready")


def html_lines(text: str = TEXT) -> str:
    """The words as the HTML form has them when a program turns it to text: no `#`, no dashes, no bullets."""
    kept = []
    for line in text.split("\n"):
        if line and not line.strip("=-"):
            continue
        kept.append(line.removeprefix("# ").removeprefix("- "))
    return "\n".join(kept)


def marked(text: str, mark: str = "> ") -> str:
    """Each line with a quote mark."""
    return "\n".join((mark + line).rstrip() for line in text.split("\n"))


def wrapped(text: str, width: int = 60) -> str:
    """Long lines broken, the rest on a line of its own without the mark."""
    return "\n".join("\n".join(textwrap.wrap(line, width) or [""]) for line in text.split("\n"))


ATTRIBUTIONS = {
    "gmail": f"On Tue, Dec 1, 2026 at 10:03 AM {SENDER} wrote:",
    "gmail wrapped": f"On Tue, Dec 1, 2026 at 10:03 AM Deep Shaft <\n{ADDRESS}> wrote:",
    "apple": f"On 1 Dec 2026, at 10:03, {SENDER} wrote:",
    "thunderbird": "On 12/1/26 10:03, Deep Shaft wrote:",
    "french": "Le mar. 1 déc. 2026 à 10:03, Deep Shaft <" + ADDRESS + "> a écrit :",
    "french wrapped": "Le mar. 1 déc. 2026 à\n10:03, Deep Shaft\n<" + ADDRESS + "> a écrit :",
    "german": "Am Di., 1. Dez. 2026 um 10:03 Uhr schrieb Deep Shaft:",
    "german iphone": f"Am 01.12.2026 um 10:03 schrieb {SENDER}:",
    "swedish": f"Den tis 1 dec. 2026 kl 10:03 skrev {SENDER}:",
    "polish": f"wt., 1 gru 2026 o 10:03 {SENDER} napisał(a):",
    "japanese": f"2026年12月1日(火) 10:03 {SENDER}:",
    "russian": f"вт, 1 дек. 2026 г. в 10:03, {SENDER}:",
    "hungarian": f"Deep Shaft <{ADDRESS}> ezt írta (időpont: 2026. dec. 1., K, 10:03):",
    "spanish": f"El mar, 1 dic 2026 a las 10:03, Deep Shaft (<{ADDRESS}>) escribió:",
    "no language at all": f"xqz 1 vrb 2026 10:03 {SENDER} grmbl:",
}

OUTLOOK_HEADERS = {
    "outlook": f"From: {SENDER}\nSent: Tuesday, December 1, 2026 10:03 AM\nTo: Ann\nSubject: {SUBJECT}",
    "outlook german": f"Von: {SENDER}\nGesendet: Dienstag, 1. Dezember 2026 10:03\nAn: Ann\nBetreff: {SUBJECT}",
    "outlook french": f"De : {SENDER}\nEnvoyé : mardi 1 décembre 2026 10:03\nÀ : Ann\nObjet : {SUBJECT}",
    "outlook finnish": f"Lähettäjä: Deep Shaft\nLähetetty: tiistai 1. joulukuuta 2026 10.03\nKohde: A\nAihe: {SUBJECT}",
    "outlook bold": f"*From:* {SENDER}\n*Sent:* Tuesday, December 1, 2026 10:03 AM\n*To:* Ann\n*Subject:* {SUBJECT}",
}


def outlook_html(orders: str, header: str) -> str:
    """HTML as Outlook writes it: no quote element, only a rule and a header block."""
    head = "<br>".join(escape(line) for line in header.split("\n"))
    original = "".join(f"<p class=MsoNormal>{escape(line) or '&nbsp;'}</p>" for line in html_lines().split("\n"))
    said = "".join(f"<p class=MsoNormal>{escape(line)}<o:p></o:p></p>" for line in orders.split("\n"))
    return f"<html><body><div>{said}<div id=divRplyFwdMsg><hr><p>{head}</p></div>{original}</div></body></html>"


def gmail_html(orders: str) -> str:
    """HTML as Gmail writes it."""
    said = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in orders.split("\n"))
    original = "<br>".join(escape(line) for line in html_lines().split("\n"))
    return (
        f'<div dir="ltr">{said}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f'{escape(ATTRIBUTIONS["gmail"])}<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex">{original}'
        f"</blockquote></div>"
    )
