"""A stored mail is read: whom it comes from, what it answers, and what becomes of it.

Attempts are counted before the work begins, so a mail that ends its reader is set aside after a few; it holds no stage
any more, and its sender is told.
"""

from collections.abc import Sequence

import structlog
from sqlalchemy import update
from sqlmodel import Session, col

from engine.errors import UnknownRules, UnknownVersion
from pbem.addressbook import CONFIRM, confirm_by_mail
from pbem.context import Service, nudge
from pbem.door import ADVANCE, READ
from pbem.errors import Refused
from pbem.games.gatheringletters import BEGAN_WITHOUT, OPENING, WAITING
from pbem.games.guests import welcome_back
from pbem.games.inbox import mark_read
from pbem.games.position import seat_row
from pbem.games.rules import installed
from pbem.games.standbys import OFFER
from pbem.letters import put
from pbem.mail import desk, turns
from pbem.mail.answers import Answers
from pbem.mail.bounces import LONGEST
from pbem.mail.deskletters import CONFIRMED
from pbem.mail.identity import Mark, Purpose
from pbem.mail.intake import answered, is_players, speaks
from pbem.mail.ledger import note_bounce
from pbem.mail.message import Limits, Mail
from pbem.mail.message import read as read_mail
from pbem.mail.newtext import TooLong
from pbem.mail.posted import SOURCES, leave_line, post_in
from pbem.mail.replies import HELD, Reply, envelope, own_texts, read_form, says_confirm, take
from pbem.mail.seeking import answer, sought
from pbem.observing.letters import ANSWERED as OBSERVERS
from pbem.pauses import left_alone
from pbem.sheets.submitting import submit
from pbem.storage.models import Account, Game, Inbound, Letter
from pbem.storage.sessions import AWAY, AWAY_SECONDS

log = structlog.get_logger()

UNREADABLE = frozenset({"too-big", "too-deep", "too-many-parts"})
REPORTING = frozenset({"null-sender", "report", "robot-sender", "robot-subject", "auto-submitted"})
"""Signs of a machine by which a mail server's reports are known too."""
SEATLESS = frozenset({OFFER, OPENING, WAITING, BEGAN_WITHOUT, HELD}) | OBSERVERS
"""Kinds of letter that are answered by who has no seat: what is offered, what is observed, and whether it was they."""
PAUSES = (1.0, 5.0, 20.0)
"""Real seconds before the next attempt after a first, second, third failure."""


def read(service: Service, number: int) -> None:
    """Read the stored mail of that number, if it waits to be read and no earlier one of its seat does."""
    _attempt(service, turns.begin(service, number))


def take_over(service: Service, number: int) -> None:
    """The same, also where somebody is at it already or it pauses."""
    _attempt(service, turns.take_over(service, number))


def _attempt(service: Service, begun: turns.Begun | None) -> None:
    """One attempt at a mail that was counted; None is no mail."""
    if begun is None:
        return
    inbound = begun.inbound
    if inbound.attempts > service.settings.attempts:  # the last attempt ended its process
        _set_aside(service, inbound)
        return
    try:
        is_read = _read_here(service, begun)
    except AWAY:
        turns.spare(service, inbound, AWAY_SECONDS)
        raise
    except BaseException:
        _failed(service, inbound)
        raise
    if is_read:
        _go_on(service, inbound)
    else:
        log.warning("mail_left_alone", inbound=inbound.id)
        turns.spare(service, inbound, left_alone(inbound.received))


def _read_here(service: Service, begun: turns.Begun) -> bool:
    """Whether it was read: one about a game of unknown rules is another worker's, or for after an upgrade.

    Nothing but the mail's own game can leave it lying.
    """
    try:
        _read(service, begun)
    except (UnknownVersion, UnknownRules):
        if _is_playable(service, begun.inbound):
            raise
        return False
    return True


def _is_playable(service: Service, inbound: Inbound) -> bool:
    """Whether the rules are known here of the game that the mail answers, or asks to be let into; also without one."""
    with service.reading() as session:
        if inbound.game_id is not None:
            return installed(session.get_one(Game, inbound.game_id))
        asked = sought(session, _mail(service, inbound))
    return asked is None or installed(asked.game)


def _go_on(service: Service, inbound: Inbound) -> None:
    """The next mail of its seat had to wait for it."""
    following = turns.following(service, inbound)
    if following is not None:
        service.door.publish(READ, following)


def _mail(service: Service, inbound: Inbound) -> Mail:
    settings = service.settings
    limits = Limits(settings.max_message_bytes, settings.max_message_parts, settings.max_message_depth)
    return read_mail(inbound.raw, envelope(inbound), limits)


def _read(service: Service, begun: turns.Begun) -> None:
    inbound, again = begun.inbound, begun.again
    if inbound.source in SOURCES:
        _take_left(service, inbound)
        return
    mail = _mail(service, inbound)
    found = service.identity.find(mail.recipients, mail.answers)
    if service.identity.find([], [mail.message_id]).mark or service.identity.is_ours(mail.sender):
        _close(service, inbound, "refused", "own-mail")
        return
    if mail.automatic:
        _automatic(service, inbound, mail, found.mark)
        return
    with service.reading() as session:
        about = answered(session, found.mark.letter) if found.mark is not None and not again else None
        theirs = about is not None and is_players(session, about.letter, mail, service.settings.authserv_id)
        if about is not None:
            read_form(session, about.letter, mail)
    if again:
        _close(service, inbound, "duplicate")
    elif found.mark is not None and about is not None and _is_told(found.mark, about.letter, theirs=theirs):
        reply = Reply(inbound, mail, found.mark, about.letter, about.holding)
        if about.blocked:
            _blocked(service, reply)
        else:
            _answered(service, reply, theirs=theirs)
    elif found.mark is not None:
        _stranger(service, inbound, mail, "no-letter")
    elif any(map(service.identity.is_operators, mail.recipients)):
        _pass_on(service, inbound, mail)
    elif not _sought(service, inbound, mail):
        _stranger(service, inbound, mail, "forged" if found.forged else "no-token")


def _take_left(service: Service, place: Inbound) -> None:
    """What was sent by a page or a program that was cut off before it was taken."""
    assert place.id is not None
    post = post_in(place)
    try:
        submit(service, post)
    except Refused as refused:
        log.warning("post_refused", inbound=place.id, why=refused.code)
    leave_line(service, place.id, post)


def _is_told(mark: Mark, letter: Letter, *, theirs: bool) -> bool:
    """Whether an account is told what becomes of an answer to that letter."""
    if letter.account_id is None:
        return False
    return letter.seat is not None or theirs or mark.purpose is Purpose.RULING or letter.kind in SEATLESS


def _answered(service: Service, reply: Reply, *, theirs: bool) -> None:
    """A mail with a token that is ours."""
    mail, letter = reply.mail, reply.letter
    rules = reply.mark.purpose is Purpose.RULING
    if letter.kind == CONFIRM:
        _confirm_address(service, reply)
    elif letter.kind in CONFIRMED:
        _led(service, reply, desk.confirm(service, reply))
    elif rules and mail.problem:
        refuse(service, reply, mail.problem)
    elif rules:
        _led(service, reply, desk.ask(service, reply, theirs=theirs))
    elif letter.seat is None and letter.kind not in SEATLESS:
        refuse(service, reply, "not-asked")
    elif letter.seat is not None and not _may_speak(service, reply, theirs=theirs):
        refuse(service, reply, _no_longer(service, reply))
    elif mail.problem:
        refuse(service, reply, mail.problem)
    elif theirs:
        why = take(service, reply)
        if why is not None:
            refuse(service, reply, why)
    else:
        _hold(service, reply)


def _may_speak(service: Service, reply: Reply, *, theirs: bool) -> bool:
    """Whether the letter speaks for its seat: still, or again."""
    return speaks(reply.holding, reply.mark.generation) or (theirs and welcome_back(service, reply.letter))


def _no_longer(service: Service, reply: Reply) -> str:
    """Why a letter to a seat can't be answered any more."""
    letter, holding = reply.letter, reply.holding
    if holding is not None and holding.resigned is None and holding.account_id == letter.account_id:
        return "old-address"
    if reply.mark.purpose is not Purpose.INVITATION:
        return "not-yours"
    with service.reading() as session:
        game = session.get_one(Game, letter.game_id)
    return "not-yours" if game.status in ("inviting", "cancelled") else "began-without"


def _blocked(service: Service, reply: Reply) -> None:
    """Nothing is taken from a blocked account, and that is told once for each time that it is blocked."""
    with service.reading() as session:
        account = session.get_one(Account, reply.letter.account_id)
        letters = Answers(service, session, reply.inbound).blocked(account)
    _close(service, reply.inbound, "refused", "blocked", letters)


def _led(service: Service, reply: Reply, outcome: desk.Outcome) -> None:
    """What became of a moderator's mail."""
    _close(service, reply.inbound, outcome.status, outcome.problem, outcome.letters)


def _confirm_address(service: Service, reply: Reply) -> None:
    """The word that lets letters go to another address, from where they went until now."""
    if not says_confirm(reply):
        refuse(service, reply, reply.mail.problem or "nothing-new")
        return
    assert reply.inbound.id is not None
    try:
        confirm_by_mail(service, reply.letter, reply.inbound.id)
    except Refused as refused:
        refuse(service, reply, refused)


def _hold(service: Service, reply: Reply) -> None:
    """Keep a mail with a good token and another sender, and ask the player."""
    try:
        said, seen = own_texts(reply.mail, reply.letter)
    except TooLong:
        refuse(service, reply, "too-long")
        return
    lines = [line for line in (said if said.strip() else seen).split("\n") if line.strip()]
    with service.reading() as session:
        letters = Answers(service, session, reply.inbound).held(reply.letter, reply.mail, lines)
    _close(service, reply.inbound, "held", "other-sender", letters)


def refuse(service: Service, reply: Reply, why: str | Refused) -> None:
    """Nothing is done; the account that the letter went to is told why."""
    with service.reading() as session:
        letters = Answers(service, session, reply.inbound).unusable(reply.letter, reply.mail, why)
    _close(service, reply.inbound, "refused", why.code if isinstance(why, Refused) else why, letters)


def _sought(service: Service, inbound: Inbound, mail: Mail) -> bool:
    """Whether somebody asked for a seat of an open game, or to observe one, which is answered here."""
    with service.reading() as session:
        asked = sought(session, mail)
    if asked is None:
        return False
    try:
        written = answer(service, asked, inbound, mail)
    except Refused:
        return False  # an address that nothing can be sent to
    with service.writing() as session:
        ended = _end(session, inbound, "read" if written is not None else "refused", "seat-sought")
        if ended and written is not None:
            session.add(written[1])
            put(session, written[0])
    return True


def _stranger(service: Service, inbound: Inbound, mail: Mail, why: str) -> None:
    """No token of ours: a person is told so once a day, and nothing is said to whoever can't be answered."""
    letters: list[Letter] = []
    if mail.problem != "no-from":
        with service.reading() as session:
            letters = Answers(service, session, inbound).stranger(mail)
    _close(service, inbound, "refused", why, letters)


def _pass_on(service: Service, inbound: Inbound, mail: Mail) -> None:
    """What a person wrote to the postmaster goes to the operator."""
    with service.reading() as session:
        letters = Answers(service, session, inbound).passed_on(mail)
    _close(service, inbound, "read" if letters else "refused", "to-operator", letters)


def _automatic(service: Service, inbound: Inbound, mail: Mail, mark: Mark | None) -> None:
    """Passed over without an answer; what a mail server reports of a letter goes to the ledger."""
    if mail.problem not in UNREADABLE and mail.automatic in REPORTING:
        # Where the envelope is lost, the letter that was sent back names itself.
        sent_back = inbound.raw[:LONGEST].decode("utf-8", "replace")
        mark = mark or service.identity.find([], [sent_back]).mark
        if mark is not None and note_bounce(service, inbound, mark.letter):
            return
    _close(service, inbound, "refused", mail.automatic)


def _close(service: Service, inbound: Inbound, status: str, problem: str = "", letters: Sequence[Letter] = ()) -> None:
    with service.writing() as session:
        if _end(session, inbound, status, problem):
            put(session, *letters)


def _end(session: Session, inbound: Inbound, status: str, problem: str) -> bool:
    """The mail has been dealt with: it no longer holds its stage, and play that waited for it may go on.

    False where another reader was quicker, whose word stands.
    """
    ended = mark_read(session, inbound.id, status)
    if ended:
        session.execute(update(Inbound).where(col(Inbound.id) == inbound.id).values(problem=problem))
    if inbound.game_id is not None and inbound.seat is not None:
        nudge(session, ADVANCE, inbound.game_id)
    return ended


def _failed(service: Service, inbound: Inbound) -> None:
    """The attempt failed, and the process lives: pause, or give up."""
    if inbound.attempts >= service.settings.attempts:
        _set_aside(service, inbound)
        return
    turns.put_back(service, inbound, PAUSES[min(inbound.attempts, len(PAUSES)) - 1])


def _set_aside(service: Service, inbound: Inbound) -> None:
    """Give the mail up: it is kept, its stage goes on, and its sender, if it is a player, is asked to send it again."""
    log.error("mail_set_aside", inbound=inbound.id)
    with service.reading() as session:
        letters = [*_asked_again(service, session, inbound), *Answers(service, session, inbound).first_of_a_day()]
    with service.writing() as session:
        if _end(session, inbound, "aside", "failed"):
            put(session, *letters)
    _go_on(service, inbound)


def _asked_again(service: Service, session: Session, inbound: Inbound) -> list[Letter]:
    """To the player whose mail is given up, or what they sent by page or API."""
    if inbound.game_id is None or inbound.seat is None:
        return []
    answers = Answers(service, session, inbound)
    if inbound.source in SOURCES:
        seat = seat_row(session, inbound.game_id, inbound.seat)
        sent_it = seat is not None and seat.joined is not None and seat.joined <= inbound.received
        return answers.post_set_aside(seat) if seat is not None and sent_it else []
    letter = session.get(Letter, inbound.letter_id) if inbound.letter_id is not None else None
    return answers.set_aside(letter) if letter is not None else []
