"""The letters that answer a moderator's mail: how the game stands, what is to be confirmed, what came of it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import main_address
from pbem.commands import (
    ALL,
    BECAUSE,
    COMMANDS,
    LINES,
    MESSAGE,
    MESSAGE_FORM,
    SEAT,
    Answer,
    mail_form,
    message_help,
)
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.leading import stands_now
from pbem.games.notices import compose, spoken, thread
from pbem.games.position import seat_rows
from pbem.games.rules import module_of
from pbem.letters import Composed, Envelope, Recipient, finish
from pbem.mail.commandlines import TEXT, Given, Sides
from pbem.mail.identity import Purpose
from pbem.refusals import said
from pbem.reports.render import acknowledgement_letter
from pbem.sheets.answers import CONFIRM_HOURS
from pbem.sheets.submitting import Taken
from pbem.storage.models import Account, Game, Letter
from pbem.words import Words

DESK, CONFIRM_COMMAND, DONE, REFUSED = "desk", "confirm-command", "commanded", "nocommand"
KINDS: tuple[str, ...] = (DESK, CONFIRM_COMMAND, DONE, REFUSED)
"""The kinds of letter that answer a moderator's mail."""
FOREIGN = "foreign-"
"""What the kinds begin with of those that answer a mail from elsewhere with the moderator's reply address."""
FOREIGN_A_DAY = 5
"""Such letters a day to one moderator: whoever got hold of the address can't use up what answers the moderator."""
CONFIRMED = (CONFIRM_COMMAND, FOREIGN + CONFIRM_COMMAND)
"""The kinds that `confirm` understands."""


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


@dataclass(frozen=True)
class Done:
    """What came of it: a sentence, and what the command has to show."""

    said: str
    answer: Answer = None
    is_ruling: bool = True


def status_letters(desk: Desk) -> list[Letter]:
    """How the game stands, and what can be answered."""
    words = desk.to.words
    params = {
        "stands": stands_now(desk.session, desk.game, words, desk.account),
        "forms": _forms(words),
        "sides": _names(desk),
        "levels": list(module_of(desk.game).bots),
        "url": desk.url(),
        "hours": CONFIRM_HOURS,
    }
    return desk.letters(DESK, compose("desk", words, params))


def confirmation_letters(desk: Desk, given: Given, sender: str) -> list[Letter]:
    """What is to be confirmed, and how the game stands; `sender` is told where it is none of the moderator's own."""
    words = desk.to.words
    rules = given.name != MESSAGE
    params = {
        "stands": stands_now(desk.session, desk.game, words, desk.account),
        "lines": _written(desk, given),
        "does": given.command.help(words) if rules else message_help(words),
        "reveals": rules and given.command.reveals,
        "rules": rules,
        "sender": "" if desk.theirs else sender,
        "url": desk.url(),
        "hours": CONFIRM_HOURS,
    }
    return desk.letters(CONFIRM_COMMAND, compose("confirmcommand", words, params), Purpose.CONFIRMATION)


def _written(desk: Desk, given: Given) -> list[str]:
    """The command as it was understood, in lines."""
    names = spoken(desk.game, desk.to.words)
    if given.name == MESSAGE:
        to = names.seat(given.params[SEAT]).lower() if given.params[SEAT] is not None else ALL
        return [f"{MESSAGE} {to}", *given.params[TEXT].splitlines()]
    shown = [
        names.seat(value).lower() if kind == SEAT else f"{value:g}" if isinstance(value, float) else str(value)
        for kind, value in given.params.items()
        if kind != LINES
    ]
    orders = given.params.get(LINES, "")
    return [" ".join([given.name, *shown]), *orders.splitlines(), f"{BECAUSE} {given.reason}"]


def refusal_letters(desk: Desk, why: Refused) -> list[Letter]:
    """What was wrong, and the right form: of the command, or of all where none was found."""
    name = why.params.get("name")
    words = desk.to.words
    forms = _forms(words)
    known = [form for form in forms if form[0][0].split(" ")[0] == name]
    params = {
        "title": desk.game.title,
        "reason": said(why, words),
        "forms": known or forms,
        "all": not known,
        "rules": name != MESSAGE,
        "sides": _names(desk),
        "levels": list(module_of(desk.game).bots),
        "url": desk.url(),
    }
    return desk.letters(REFUSED, compose("nocommand", words, params))


def done_letters(desk: Desk, done: Done) -> list[Letter]:
    """What came of a command."""
    words = desk.to.words
    taken = done.answer.acknowledgement if isinstance(done.answer, Taken) else None
    params: dict[str, Any] = {
        "title": desk.game.title,
        "done": done.said,
        "rules": done.is_ruling,
        "deadline": done.answer if isinstance(done.answer, datetime) else None,
        "acknowledgement": acknowledgement_letter(taken, words) if taken is not None else None,
        "url": desk.url(),
    }
    return desk.letters(DONE, compose("commanded", words, params))


def _forms(words: Words) -> list[tuple[list[str], str]]:
    """How commands are written, each in its lines, and what it does."""
    forms = [(mail_form(each).split("\n"), each.help(words)) for each in COMMANDS if each.mailed]
    return [*forms, (MESSAGE_FORM.split("\n"), message_help(words))]


def _names(desk: Desk) -> list[str]:
    names = spoken(desk.game, desk.to.words)
    assert desk.game.id is not None
    return [names.seat(row.number).lower() for row in seat_rows(desk.session, desk.game.id)]
