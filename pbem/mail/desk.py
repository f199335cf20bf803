"""A moderator's commands by mail: asked for in answer to any letter about the game, done after a word of confirmation.

What was asked goes to the moderator's own address with how the game stands then, and one reply confirms it. It is
bound to the stage and the ruling that this letter saw: where there are others meanwhile, nothing is done.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from sqlalchemy import update
from sqlmodel import Session, col, select

from pbem import clock
from pbem.commands import MESSAGE, SEAT, STATUS
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.inbox import mark_read
from pbem.mail.answers import Answers
from pbem.mail.commandlines import TEXT, Given, Sides, read
from pbem.mail.deskletters import (
    Desk,
    Done,
    confirmation_letters,
    done_letters,
    refusal_letters,
    status_letters,
)
from pbem.mail.message import read as read_mail
from pbem.mail.newtext import TooLong
from pbem.mail.replies import HELD, Reply, envelope, own_texts, says_confirm
from pbem.mail.twoforms import Contradiction, the_one
from pbem.rulings.authority import Actor
from pbem.rulings.messages import send_message
from pbem.sheets.answers import CONFIRM_HOURS
from pbem.storage.models import Account, Game, Inbound, Letter, Press
from pbem.words import Words

NOT_THEIRS = "not_moderator"
"""Why a mail of who does not lead the game is refused."""
FOLLOWED = "followed"
"""The problem of a word of confirmation between what was done by it and the answer that says so."""


@dataclass(frozen=True)
class Outcome:
    """What becomes of the mail: its status, why, and the letters that answer it."""

    status: str
    problem: str = ""
    letters: Sequence[Letter] = ()


def ask(service: Service, reply: Reply, *, theirs: bool) -> Outcome:
    """Ask for a word of confirmation, tell how the game stands, or say what was wrong with the mail.

    `theirs` says whether it came from an address of the moderator's; the answer goes there whoever asked.
    """
    with service.reading() as session:
        found = _desk(service, session, reply)
        if found is None:
            return _gone(service, session, reply) if theirs else Outcome("refused", NOT_THEIRS)
        desk = replace(found, theirs=theirs)
        try:
            given = _given(desk, reply)
        except Refused as why:
            return Outcome("refused", why.code, refusal_letters(desk, why))
        if given.name == STATUS:
            return Outcome("read", letters=status_letters(desk))
        letters = confirmation_letters(desk, given, reply.mail.sender)
        return Outcome(HELD if letters else "refused", "" if letters else "too-many", letters)


def confirm(service: Service, reply: Reply) -> Outcome:
    """Do what the letter asked to confirm, once, and tell what came of it; or take the answer for another command."""
    if not says_confirm(reply):
        return ask(service, reply, theirs=True)
    with service.reading() as session:
        asked = _asked(service, session, reply)
        found = _desk(service, session, asked)
        if found is None:
            return _gone(service, session, reply)
        desk = replace(found, key=f"{reply.inbound.id}")
        words, actor = desk.to.words, _actor(desk, reply, asked)
        try:
            given = _given(desk, asked)
        except Refused as why:
            return Outcome("refused", why.code, refusal_letters(desk, why))
    done: Done | Refused
    try:
        _check_open(reply, asked)
        done = _do(desk, given, actor, words)
    except Refused as why:
        done = Refused(why.code, **{"name": given.name, **why.params})
    with service.reading() as session:
        desk = replace(desk, session=session)
        if isinstance(done, Refused) and _is_followed(session, reply):
            done = _done_before(desk, given)
        if isinstance(done, Refused):
            return Outcome("refused", done.code, refusal_letters(desk, done))
        return Outcome("read", letters=done_letters(desk, done))


def _do(desk: Desk, given: Given, actor: Actor, words: Words) -> Done:
    """Carry it out, with no session open. Raises Refused and Busy."""
    actor = replace(actor, reason=given.reason)
    if given.name != MESSAGE:
        answer = given.command.act(desk.service, desk.game.code, given.params, actor)
        return Done(given.command.done(words), answer)
    return _sent(send_message(desk.service, desk.game.code, given.params[SEAT], given.params[TEXT], actor), words)


def _sent(players: int, words: Words) -> Done:
    said = words.ngettext("The message goes to one player.", "The message goes to %(num)s players.", players)
    return Done(said % {"num": players}, is_ruling=False)


def _note(session: Session, asked: Reply, reply: Reply) -> None:
    """In the transaction of what was asked for: who asked is read, and who confirmed is followed.

    Raises Refused where it was followed before.
    """
    if not mark_read(session, asked.inbound.id):
        raise Refused("confirmed_before")
    session.execute(update(Inbound).where(col(Inbound.id) == reply.inbound.id).values(problem=FOLLOWED))


def _is_followed(session: Session, reply: Reply) -> bool:
    """Whether this mail was followed by a reader that did not come to answer it."""
    query = select(Inbound.problem).where(col(Inbound.id) == reply.inbound.id)
    return session.exec(query).one() == FOLLOWED


def _done_before(desk: Desk, given: Given) -> Done:
    """That it was done, as far as that can be told later."""
    words = desk.to.words
    if given.name != MESSAGE:
        return Done(given.command.done(words))
    text = given.params[TEXT].strip()
    same = col(Press.game_id) == desk.game.id, col(Press.sender).is_(None), col(Press.text) == text
    seats = desk.session.exec(select(Press.seats).where(*same).order_by(col(Press.id).desc()).limit(1)).one()
    return _sent(len(seats.split(",")), words)


def _gone(service: Service, session: Session, reply: Reply) -> Outcome:
    """Tells an account that it does not lead the game any more."""
    answers = Answers(service, session, reply.inbound)
    return Outcome("refused", NOT_THEIRS, answers.unusable(reply.letter, reply.mail, Refused(NOT_THEIRS)))


def _desk(service: Service, session: Session, reply: Reply) -> Desk | None:
    """The game and who leads it; None where the account that the letter went to does not lead it any more."""
    game, account = session.get(Game, reply.letter.game_id), session.get(Account, reply.letter.account_id)
    if game is None or account is None or not (account.moderator or account.id == game.moderator_id):
        return None
    return Desk(service, session, game, account, f"{reply.inbound.id}/{game.stage_number}/{game.next_ruling}")


def _given(desk: Desk, reply: Reply) -> Given:
    """What the mail says. Raises Refused."""
    sides = desk.sides()
    try:
        plain, rich = own_texts(reply.mail, reply.letter)
        text = the_one(plain, rich, lambda text: _meaning(text, sides))
    except TooLong as error:
        raise Refused("too_many_lines", most=200) from error
    except Contradiction as error:
        raise Refused("two_forms") from error
    return read(text, sides)


def _meaning(text: str, sides: Sides) -> object:
    try:
        return read(text, sides)
    except Refused:
        return None


def _asked(service: Service, session: Session, reply: Reply) -> Reply:
    """The mail that the letter asked about."""
    number = int(reply.letter.key.split("/")[1])
    inbound = session.get_one(Inbound, number)
    letter = session.get_one(Letter, inbound.letter_id)
    return Reply(inbound, read_mail(inbound.raw, envelope(inbound)), reply.mark, letter, None)


def _actor(desk: Desk, reply: Reply, asked: Reply) -> Actor:
    """Who rules, on what they saw, which are the numbers that the letter was written with, and what is noted of it."""
    _, _, stage, ruling = reply.letter.key.split("/")
    noted = partial(_note, asked=asked, reply=reply)
    return Actor("", desk.to.address, int(stage), int(ruling), noted=noted)


def _check_open(reply: Reply, asked: Reply) -> None:
    """Raises Refused `link_void` where the letter is too old, `confirmed_before` where its answer was given."""
    if asked.inbound.status != HELD:
        raise Refused("confirmed_before")
    if reply.letter.queued + timedelta(hours=CONFIRM_HOURS) < clock.now():
        raise Refused("link_void")
