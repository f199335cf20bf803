"""A moderator's commands by mail: asked for in answer to any letter about the game, done after a word of confirmation.

What was asked goes to the moderator's own address with how the game stands then, and one reply confirms it. It is
bound to the stage and the ruling that this letter saw: where there are others meanwhile, nothing is done.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import main_address
from pbem.commands import BECAUSE, COMMANDS, LINES, SEAT, STATUS, Answer, Command, mail_form
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.inbox import mark_read
from pbem.games.leading import stands_now
from pbem.games.notices import compose, spoken, thread
from pbem.games.position import seat_rows
from pbem.games.rules import module_of
from pbem.letters import Composed, Envelope, Recipient, finish
from pbem.mail.answers import Answers
from pbem.mail.commandlines import Given, Sides, read
from pbem.mail.identity import Purpose
from pbem.mail.message import read as read_mail
from pbem.mail.newtext import TooLong
from pbem.mail.replies import HELD, Reply, envelope, own_texts, says_confirm
from pbem.mail.twoforms import Contradiction, the_one
from pbem.refusals import said
from pbem.reports.render import acknowledgement_letter
from pbem.rulings.authority import Actor
from pbem.sheets.answers import CONFIRM_HOURS
from pbem.sheets.submitting import Taken
from pbem.storage.models import Account, Game, Inbound, Letter
from pbem.words import Words

DESK, CONFIRM_COMMAND, DONE, REFUSED = "desk", "confirm-command", "commanded", "nocommand"
KINDS: tuple[str, ...] = (DESK, CONFIRM_COMMAND, DONE, REFUSED)
"""The kinds of letter that answer a moderator's mail."""
FOREIGN = "foreign-"
"""What the kinds begin with of those that answer a mail from elsewhere with the moderator's reply address."""
FOREIGN_A_DAY = 5
"""Such letters a day to one moderator: whoever got hold of the address can't use up what answers the moderator."""
NOT_THEIRS = "not_moderator"
CONFIRMED = (CONFIRM_COMMAND, FOREIGN + CONFIRM_COMMAND)
"""The kinds that `confirm` understands."""


@dataclass(frozen=True)
class Outcome:
    """What becomes of the mail: its status, why, and the letters that answer it."""

    status: str
    problem: str = ""
    letters: Sequence[Letter] = ()


@dataclass(frozen=True)
class Desk:
    """A game and the account that leads it, as a mail finds them. `key` is unique for good for the mail."""

    service: Service
    session: Session
    game: Game
    account: Account
    key: str
    theirs: bool = True
    """Whether the mail came from an address of the moderator's."""

    @property
    def to(self) -> Recipient:
        """The moderator's own address, wherever the mail came from."""
        assert self.account.id is not None
        return Recipient.of(self.account, main_address(self.session, self.account.id))

    def sides(self) -> Sides:
        """How seats may be named in this game, and its stand-ins' levels."""
        assert self.game.id is not None
        words = spoken(self.game, self.to.words)
        rows = seat_rows(self.session, self.game.id)
        names = {row.name.lower(): row.number for row in rows}
        names |= {words.seat(row.number).lower(): row.number for row in rows}
        return Sides(names, tuple(module_of(self.game).bots))

    def letters(self, kind: str, made: Composed, purpose: Purpose = Purpose.RULING) -> list[Letter]:
        """The letter of that kind; none beyond the day's limit, so that no loop comes of them."""
        kinds, most = KINDS, self.service.settings.answers_a_day
        if not self.theirs:
            kind, kinds, most = FOREIGN + kind, tuple(FOREIGN + each for each in KINDS), FOREIGN_A_DAY
        mine = col(Letter.account_id) == self.account.id, col(Letter.kind).in_(kinds)
        today = select(func.count()).where(*mine, col(Letter.queued) > clock.now() - timedelta(days=1))
        if self.session.exec(today).one() >= most:
            return []
        letter = Envelope(kind, f"{kind}/{self.key}", purpose, self.game, thread(self.game))
        return [finish(self.service, letter, self.to, made)]

    def url(self) -> str:
        """The page of the desk."""
        return f"{self.service.settings.url}/games/{self.game.code}/desk"


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
            return Outcome("refused", why.code, _refused(desk, why))
        if given.name == STATUS:
            return Outcome("read", letters=status_letters(desk))
        letters = _confirmation(desk, given, reply.mail.sender)
        return Outcome(HELD if letters else "refused", "" if letters else "too-many", letters)


def confirm(service: Service, reply: Reply) -> Outcome:
    """Do what the letter asked to confirm, once, and tell what came of it; or take the answer for another command."""
    if not says_confirm(reply):
        return ask(service, reply, theirs=True)
    with service.reading() as session:
        asked = _asked(service, session, reply)
        desk = _desk(service, session, asked)
        if desk is None:
            return _gone(service, session, reply)
        actor, name = _actor(desk, reply), ""
        try:
            _check_open(reply, asked)
            given = _given(desk, asked)
            name = given.name
            answer = given.command.act(service, desk.game.code, given.params, Actor(given.reason, *actor))
        except Refused as why:
            refused = Refused(why.code, **{"name": name, **why.params})
            return Outcome("refused", why.code, _refused(replace(desk, key=f"{reply.inbound.id}"), refused))
    with service.writing() as session:
        mark_read(session, asked.inbound.id)
    with service.reading() as session:
        after = replace(desk, session=session, key=f"{reply.inbound.id}")
        return Outcome("read", letters=_done(after, given.command, answer))


def _gone(service: Service, session: Session, reply: Reply) -> Outcome:
    """Tells an account that it does not lead the game any more."""
    answers = Answers(service, session, reply.inbound)
    return Outcome("refused", NOT_THEIRS, answers.unusable(reply.letter, reply.mail, Refused(NOT_THEIRS)))


def status_letters(desk: Desk) -> list[Letter]:
    """How the game stands, and what can be answered."""
    words = desk.to.words
    params = {
        "stands": stands_now(desk.session, desk.game, words, desk.account),
        "forms": _forms(COMMANDS, words),
        "sides": _names(desk),
        "levels": list(module_of(desk.game).bots),
        "url": desk.url(),
        "hours": CONFIRM_HOURS,
    }
    return desk.letters(DESK, compose("desk", words, params))


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
    return Reply(inbound, read_mail(inbound.raw, envelope(inbound)), reply.mark, letter)


def _actor(desk: Desk, reply: Reply) -> tuple[str, int, int]:
    """Who rules, and on what they saw: the numbers that the letter was written with."""
    _, _, stage, ruling = reply.letter.key.split("/")
    return desk.to.address, int(stage), int(ruling)


def _check_open(reply: Reply, asked: Reply) -> None:
    """Raises Refused `link_void` where the letter is too old, `confirmed_before` where its answer was given."""
    if asked.inbound.status != HELD:
        raise Refused("confirmed_before")
    if reply.letter.queued + timedelta(hours=CONFIRM_HOURS) < clock.now():
        raise Refused("link_void")


def _confirmation(desk: Desk, given: Given, sender: str) -> list[Letter]:
    words = desk.to.words
    params = {
        "stands": stands_now(desk.session, desk.game, words, desk.account),
        "lines": _written(desk, given),
        "does": given.command.help(words),
        "reveals": given.command.reveals,
        "sender": "" if desk.theirs else sender,
        "url": desk.url(),
        "hours": CONFIRM_HOURS,
    }
    return desk.letters(CONFIRM_COMMAND, compose("confirmcommand", words, params), Purpose.CONFIRMATION)


def _written(desk: Desk, given: Given) -> list[str]:
    """The command as it was understood, in lines."""
    names = spoken(desk.game, desk.to.words)
    shown = [
        names.seat(value).lower() if kind == SEAT else f"{value:g}" if isinstance(value, float) else str(value)
        for kind, value in given.params.items()
        if kind != LINES
    ]
    orders = given.params.get(LINES, "")
    return [" ".join([given.name, *shown]), *orders.splitlines(), f"{BECAUSE} {given.reason}"]


def _refused(desk: Desk, why: Refused) -> list[Letter]:
    """What was wrong, and the right form: of the command, or of all where none was found."""
    name = why.params.get("name")
    known = [each for each in COMMANDS if each.name == name]
    words = desk.to.words
    params = {
        "title": desk.game.title,
        "reason": said(why, words),
        "forms": _forms(known or COMMANDS, words),
        "all": not known,
        "sides": _names(desk),
        "levels": list(module_of(desk.game).bots),
        "url": desk.url(),
    }
    return desk.letters(REFUSED, compose("nocommand", words, params))


def _done(desk: Desk, command: Command, answer: Answer) -> list[Letter]:
    words = desk.to.words
    taken = answer.acknowledgement if isinstance(answer, Taken) else None
    params: dict[str, Any] = {
        "title": desk.game.title,
        "done": command.done(words),
        "deadline": answer if isinstance(answer, datetime) else None,
        "acknowledgement": acknowledgement_letter(taken, words) if taken is not None else None,
        "url": desk.url(),
    }
    return desk.letters(DONE, compose("commanded", words, params))


def _forms(commands: Sequence[Command], words: Words) -> list[tuple[list[str], str]]:
    """How commands are written, each in its lines, and what it does."""
    return [(mail_form(each).split("\n"), each.help(words)) for each in commands if each.mailed]


def _names(desk: Desk) -> list[str]:
    names = spoken(desk.game, desk.to.words)
    assert desk.game.id is not None
    return [names.seat(row.number).lower() for row in seat_rows(desk.session, desk.game.id)]
