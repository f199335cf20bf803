"""What a player's reply to a letter does: orders, an answer to an invitation, a confirmation."""

import re
from datetime import timedelta
from email.parser import BytesParser
from email.policy import compat32
from functools import lru_cache

import msgspec
from sqlmodel import Session

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.gathering import Newcomer, come, leave, side_named
from pbem.games.gatheringletters import BEGAN_WITHOUT, OPENING, WAITING
from pbem.games.inbox import mark_read
from pbem.games.lifecycle import decline, join
from pbem.games.offering import decline_offer
from pbem.games.standbys import OFFER, offered_to
from pbem.games.succession import accept
from pbem.mail.alignment import words
from pbem.mail.charsets import decode
from pbem.mail.htmltext import lines_of
from pbem.mail.identity import Mark, Purpose
from pbem.mail.intake import Holding, answered
from pbem.mail.message import Mail
from pbem.mail.message import read as read_mail
from pbem.mail.newtext import TooLong, new_text
from pbem.mail.twoforms import Contradiction, the_one
from pbem.observing.letters import ANSWERED as OBSERVERS
from pbem.observing.observers import observe, stop
from pbem.sheets.answers import CONFIRM_HOURS
from pbem.sheets.confirming import KINDS, confirm
from pbem.sheets.meaning import meaning
from pbem.sheets.pressletters import message_of
from pbem.sheets.received import Post
from pbem.sheets.submitting import submit
from pbem.storage.models import Game, Inbound, Letter

ASKING = frozenset({"report", "report-again", "acknowledgement", "orders", "reminder", "story"})
"""The kinds of letter that are about a stage: orders in an answer to one are for that stage."""
HELD = "held"
_PLAIN = re.compile(r"^(?:[>|]|[^\S\n])*+={4,}+[^\S\n]*+$", re.MULTILINE)
"""The line under a title: only the plain form of our letters has it, so what quotes it quotes no HTML."""
_JOIN = re.compile(r"\W*(?:(?:accept|yes)\W*|(?:yes\W+)?join\b[\s:,.!]*(.*))", re.IGNORECASE)
_DECLINE = re.compile(r"\W*(?:decline\b.*|no(?:\W+(?:thanks|thank\W+you|sorry))?\W*)", re.IGNORECASE)
"""A bare yes or no will do; a sentence that begins with one ("No problem, …") says neither."""
_LEAVE = re.compile(r"\W*leave\b\W*", re.IGNORECASE)
_OBSERVE = re.compile(r"\W*(?:yes\W*|observe\b(?:\W+[a-z0-9-]{1,40})??(\W+off\b)?\W*)", re.IGNORECASE)
_CONFIRM = re.compile(r"\W*confirm\W*", re.IGNORECASE)
_SAID = (_JOIN, _DECLINE, _LEAVE, _OBSERVE, _CONFIRM)


class Reply(msgspec.Struct, frozen=True):
    """A mail, the letter that it answers, and who holds the seat that the letter is about."""

    inbound: Inbound
    mail: Mail
    mark: Mark
    letter: Letter
    holding: Holding | None


def own_texts(mail: Mail, letter: Letter) -> tuple[str, str]:
    """What the writer of the mail has written, in its plain form and as HTML: the same where there is but one.

    Raises TooLong.
    """
    html = "" if _quotes_plain(mail) else html_words(letter)
    plain = _own_text(mail.text, letter, html)
    if mail.rich == mail.text:
        return plain, plain
    unquoted = "\n".join(line for line in mail.rich.split("\n") if not line.startswith(">"))
    if words(unquoted) == words(plain):
        return plain, unquoted  # most programs mark the quote in HTML, and then there is no more to subtract
    return plain, _own_text(mail.rich, letter, html)


def _quotes_plain(mail: Mail) -> bool:
    return mail.rich == mail.text and _PLAIN.search(mail.text) is not None


def read_form(session: Session, letter: Letter, mail: Mail) -> None:
    """Read the letter's HTML form too, where the mail may quote it."""
    if not _quotes_plain(mail):
        session.refresh(letter, ["content"])


def _own_text(text: str, letter: Letter, html: str) -> str:
    return new_text(text, letter.text) if _PLAIN.search(text) else new_text(text, letter.text, html)


def says_confirm(reply: Reply) -> bool:
    """Whether the mail's own text has the word by itself, in either form."""
    try:
        texts = own_texts(reply.mail, reply.letter) if not reply.mail.problem else ()
    except TooLong:
        return False
    return any(_CONFIRM.fullmatch(line) for text in texts for line in text.split("\n") if line.strip())


def take(service: Service, reply: Reply) -> str | Refused | None:
    """Do what the reply asks for, which marks its mail read; else a code or a refusal, with nothing done."""
    try:
        plain, rich = own_texts(reply.mail, reply.letter)
        text = the_one(plain, rich, lambda text: _meaning(service, reply, text))
        return _take(service, reply, text) if text.strip() else "nothing-new"
    except TooLong:
        return "too-long"
    except Contradiction:
        return "two-texts"
    except Refused as refused:
        return refused


def _meaning(service: Service, reply: Reply, text: str) -> object:
    """What the text says to the game or, where it is not being played, to its invitation; nothing for prose."""
    letter = reply.letter
    assert letter.game_id is not None
    said = meaning(service, letter.game_id, letter.seat, text) if letter.seat is not None else None
    if said is not None:
        return said
    return [line for line in text.split("\n") if any(shape.fullmatch(line) for shape in _SAID)]


def _take(service: Service, reply: Reply, text: str) -> str | Refused | None:
    lines = [line for line in text.split("\n") if line.strip()]
    if reply.mark.purpose is Purpose.CONFIRMATION and any(_CONFIRM.fullmatch(line) for line in lines):
        return _confirmed(service, reply)
    if reply.letter.kind == OFFER:
        return _offered(service, reply, lines)
    if reply.letter.kind in (OPENING, WAITING, BEGAN_WITHOUT):
        return _came(service, reply, lines)
    if reply.letter.kind in OBSERVERS:
        return _observed(service, reply, lines)
    if reply.letter.seat is None:
        return "nothing-new"  # it was to be confirmed, and does not say so
    if reply.holding is None or reply.holding.joined is None:
        why = _invited(service, reply, lines)
        if why is None or reply.mark.purpose is Purpose.INVITATION:
            return why
    if any(map(_LEAVE.fullmatch, lines)) and _gathers(service, reply.letter):
        return _left(service, reply)
    _submit(service, reply, text)
    return None


def _came(service: Service, reply: Reply, lines: list[str]) -> str | None:
    """The answer to what an open game has to give: a seat, a place in the line, or neither any more."""
    letter = reply.letter
    assert letter.game_id is not None
    assert letter.account_id is not None
    for line in lines:
        joins = _JOIN.fullmatch(line)
        if joins is not None:
            newcomer = _newcomer(service, letter.game_id, letter.account_id, joins[1] or "")
            come(service, letter.game_id, newcomer, reply.inbound.id)
            return None
        if _LEAVE.fullmatch(line) or _DECLINE.fullmatch(line):
            return _left(service, reply)
    return "join-or-leave"


def _observed(service: Service, reply: Reply, lines: list[str]) -> str | None:
    """The answer of who observes, or might. Raises Refused."""
    letter = reply.letter
    assert letter.game_id is not None
    assert letter.account_id is not None
    for line in lines:
        said = _OBSERVE.fullmatch(line)
        if said is not None and not said[1]:
            observe(service, letter.game_id, letter.account_id, reply.inbound.id)
            return None
        if said is not None or _LEAVE.fullmatch(line) or _DECLINE.fullmatch(line):
            stop(service, letter.game_id, letter.account_id, reply.inbound.id)
            return None
    return "observe-or-leave"


def _newcomer(service: Service, game_id: int, account_id: int, said: str) -> Newcomer:
    """What stands behind `join`: the side that is wanted, a word for the draws, or both in this order."""
    with service.reading() as session:
        game = session.get_one(Game, game_id)
    first, _, rest = said.removeprefix("as ").partition(" ")
    wish = side_named(game, first.strip(",.!"))
    return Newcomer(account_id, wish, said if wish is None else rest)


def _left(service: Service, reply: Reply) -> str | None:
    assert reply.letter.game_id is not None
    assert reply.letter.account_id is not None
    leave(service, reply.letter.game_id, reply.letter.account_id, reply.inbound.id)
    return None


def _gathers(service: Service, letter: Letter) -> bool:
    """Whether the letter's game has not begun."""
    assert letter.game_id is not None
    with service.reading() as session:
        return session.get_one(Game, letter.game_id).status == "inviting"


def _invited(service: Service, reply: Reply, lines: list[str]) -> str | None:
    letter = reply.letter
    assert letter.game_id is not None
    assert letter.seat is not None
    for line in lines:
        joins = _JOIN.fullmatch(line)
        if joins is not None:
            join(service, letter.game_id, letter.seat, joins[1] or "", reply.inbound.id)
            return None
        if _DECLINE.fullmatch(line):
            decline(service, letter.game_id, letter.seat, reply.inbound.id)
            return None
    return "join-or-decline"


def _offered(service: Service, reply: Reply, lines: list[str]) -> str | None:
    """The answer to the offer of a seat. Raises Refused where it is not offered any longer."""
    letter = reply.letter
    assert letter.game_id is not None
    assert letter.account_id is not None
    with service.reading() as session:
        if offered_to(session, letter.game_id, letter.account_id).letter_id != letter.id:
            raise Refused("offer_gone")
    for line in lines:
        if _JOIN.fullmatch(line):
            accept(service, letter.game_id, letter.account_id, reply.inbound.id)
            return None
        if _DECLINE.fullmatch(line):
            decline_offer(service, letter.game_id, letter.account_id, reply.inbound.id)
            return None
    return "join-or-decline"


def _confirmed(service: Service, reply: Reply) -> str | Refused | None:
    """The word of confirmation: for what a command asked for, or for a mail that is held."""
    if reply.letter.kind in KINDS:
        confirm(service, reply.letter.id, reply.inbound.id)
        return None
    if reply.letter.queued + timedelta(hours=CONFIRM_HOURS) < clock.now():
        raise Refused("link_void")
    held = _held(service, reply)
    if held is None:
        return "confirmed-before"
    why = take(service, held)
    if why is not None:
        return why
    with service.writing() as session:
        mark_read(session, reply.inbound.id)
    return None


def _held(service: Service, reply: Reply) -> Reply | None:
    """The mail that the player was asked about, as if it had come from the player; None where it was taken already."""
    with service.reading() as session:
        inbound = session.get_one(Inbound, int(reply.letter.key.removeprefix(f"{HELD}/")))
        assert inbound.letter_id is not None
        about = answered(session, inbound.letter_id)
        assert about is not None
        mail = read_mail(inbound.raw, envelope(inbound))
        read_form(session, about.letter, mail)
    mark = service.identity.find(mail.recipients, mail.answers).mark
    if mark is None or mark.generation != reply.mark.generation:
        raise Refused("link_void")
    return Reply(inbound, mail, mark, about.letter, about.holding) if inbound.status == HELD else None


def envelope(inbound: Inbound) -> tuple[str, tuple[str, ...]]:
    """Sender and recipients as the mail came in."""
    return inbound.mail_from, tuple(inbound.rcpt_to.split("\n")) if inbound.rcpt_to else ()


def html_words(letter: Letter) -> str:
    """The words of the letter's HTML form, as a mail program that shows it would quote them."""
    return _html_words(letter.content)


@lru_cache(maxsize=64)
def _html_words(content: bytes) -> str:
    """Kept for a while: a letter is often answered more than once, and a held answer is read twice."""
    words, _, _pictures = content.partition(b"\nContent-Type: image/")
    for part in BytesParser(policy=compat32).parsebytes(words).walk():
        if part.get_content_type() == "text/html":
            body = part.get_payload(decode=True)
            return lines_of(decode(body, "utf-8")) if isinstance(body, bytes) else ""
    return ""


def _submit(service: Service, reply: Reply, text: str) -> None:
    letter, inbound = reply.letter, reply.inbound
    assert letter.game_id is not None
    assert letter.seat is not None
    asks = letter.kind in ASKING and bool(letter.stage_key)
    submit(
        service,
        Post(
            letter.game_id,
            letter.seat,
            text,
            "mail",
            f"mail/{inbound.digest.hex()}/{letter.game_id}/{letter.seat}",
            inbound.received,
            (letter.line, letter.stage_key) if asks else None,
            inbound.id,
            reply.mark.generation,
            message_of(letter),
        ),
    )
