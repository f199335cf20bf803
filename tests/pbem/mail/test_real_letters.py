"""Replies to letters of a real game: whatever programs make of our text and HTML, only the orders come back."""

import email
from email.message import EmailMessage
from email.policy import default
from html import escape

import pytest

from pbem.mail.message import read
from pbem.mail.newtext import new_text
from pbem.mail.replies import html_words
from pbem.storage.models import Letter
from pbem.storage.sessions import Database
from tests.pbem.mail.replies import ATTRIBUTIONS, OUTLOOK_HEADERS, marked, wrapped
from tests.pbem.playing import begun, service_on

ORDERS = ["bid 1200 + 2 zinc", "place workshop 1 or workshop 2", "to all: see you at A3", "ready"]


@pytest.fixture
def sent(database: Database) -> list[Letter]:
    """The letters of a game's beginning to one seat: invitation, joined, report, acknowledgement."""
    match = begun(service_on(database, smtp_port=1), "rockwell", 4, pace="brisk")
    match.say(0, "bid 900\nsell 3 gold\nalways danger: all\nfoo bar")
    letters = match.letters(0)
    assert {"invitation", "joined", "report", "acknowledgement"} <= {letter.kind for letter in letters}
    return letters


def own(letter: Letter, body: str, kind: str = "plain") -> list[str]:
    """The player's lines of a mail with that body."""
    head = f"From: ann@players.example\r\nContent-Type: text/{kind}; charset=utf-8\r\n\r\n"
    mail = read(head.encode() + body.encode())
    return [line.strip() for line in new_text(mail.text, letter.text, html_words(letter)).split("\n") if line.strip()]


def html_of(letter: Letter) -> str:
    """The inside of the letter's HTML."""
    message = email.message_from_bytes(letter.content, policy=default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("html",))
    assert body is not None
    html = str(body.get_content())
    return html[html.index("<body") : html.index("</body>")].partition(">")[2]


def test_plain_text_programs(sent: list[Letter]) -> None:
    """Quoted, wrapped, and with nothing said: only the orders, or nothing."""
    for letter in sent:
        for words in (letter.text, html_words(letter)):
            for program in ATTRIBUTIONS.values():
                for quote in (marked(words), marked(wrapped(words, 70)), marked(words, ">> ")):
                    assert own(letter, "\n".join(ORDERS) + f"\n\n{program}\n{quote}") == ORDERS
                    assert own(letter, f"{program}\n{quote}") == []


def test_outlook_in_plain_text(sent: list[Letter]) -> None:
    """The original below a header block, as text made from our HTML."""
    for letter in sent:
        for words in (letter.text, html_words(letter)):
            for header in OUTLOOK_HEADERS.values():
                assert own(letter, "\n".join(ORDERS) + f"\n\n{'_' * 32}\n{header}\n\n{words}") == ORDERS
                assert own(letter, f"{header}\n\n{words}") == []


def test_html_programs(sent: list[Letter]) -> None:
    """Our HTML within the quote of Gmail, Apple Mail and Outlook."""
    said = "".join(f"<div>{escape(order)}</div>" for order in ORDERS)
    header = "<br>".join(escape(line) for line in OUTLOOK_HEADERS["outlook"].split("\n"))
    attribution = escape(ATTRIBUTIONS["gmail"])
    for letter in sent:
        original = html_of(letter)
        quote = f"<blockquote type='cite'>{original}</blockquote>"
        for body in (
            f"{said}<br><div class='gmail_quote'><div class='gmail_attr'>{attribution}</div>{quote}</div>",
            f"<div>{said}</div><div><br><blockquote><div>{attribution}</div><br>{original}</blockquote></div>",
            f"{said}<div class='moz-cite-prefix'>{attribution}</div>{quote}",
            f"{said}<hr><div id='divRplyFwdMsg'>{header}</div><div>{original}</div>",
            f"{said}<div id='appendonsend'></div><hr><div>{header}</div><br><div>{original}</div>",
        ):
            assert own(letter, body, "html") == ORDERS
            assert own(letter, body.replace(said, "", 1), "html") == []
