"""Letters about mails that could not be used as they came. They go to an account's own address, or once to a stranger.

How many go out a day is limited, so that no loop and no flood comes of them.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any

import msgspec
from sqlalchemy import func
from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import account_of, main_address
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.notices import compose
from pbem.letters import Envelope, Recipient, finish
from pbem.mail.identity import Purpose
from pbem.mail.letters import is_sendable
from pbem.mail.message import Mail
from pbem.mail.proof import fails
from pbem.refusals import said
from pbem.storage.models import Account, Game, Inbound, Letter, Seat
from pbem.words import Words

ANSWERS = ("unreadable", "held", "setaside")
STRANGERS_A_DAY = 200
"""Answers a day to strangers, all together; one of them gets one at most."""
PASSED_ON_A_DAY = 50
"""Mails a day that are passed on to the operator."""
_SHOWN = 20
_PASSED_ON = 200

_Say = Callable[[str], str]


def _texts(_: _Say) -> Mapping[str, str]:
    return {
        "two-from": _("It names more than one sender. Please send it again from one address."),
        "no-from": _("It names no sender that can be read. Please send it again from your own address."),
        "bad-header": _("Its header is damaged. Please send your orders again, as plain text."),
        "too-big": _("It is too large. Please send your orders again, without attachments and as plain text."),
        "too-deep": _("It is made of too many parts. Please send your orders again, as plain text."),
        "too-many-parts": _("It is made of too many parts. Please send your orders again, as plain text."),
        "too-long": _(
            "Its text is longer than we read, so nothing of it was used. Please send your orders again without the text"
            " that you answer."
        ),
        "two-texts": _(
            "It says one thing as plain text and another as HTML, and we do not guess which you meant. Please send your"
            " orders again, as plain text."
        ),
        "encrypted": _("It is encrypted, and we have no key. Please send your orders again, unencrypted."),
        "tnef": _("It has only a form that Outlook alone can read. Please send your orders again, as plain text."),
        "no-text": _(
            "There is no text in it. Orders are read from the text of a mail, not from its subject or its attachments."
        ),
        "nothing-new": _(
            "We found nothing in it but our own text. Write your orders above it, one a line. Its subject and its"
            " attachments are not read."
        ),
        "join-or-decline": _(
            "We could not see whether you want to play. Please answer the invitation with one line: `join` or"
            " `decline`."
        ),
        "join-or-leave": _(
            "We could not see what you want. Please answer with one line: `join`, or `leave` where you want no seat."
        ),
        "observe-or-leave": _(
            "We could not see what you want. Please answer with one line: `observe`, or `leave` if you don't want to."
        ),
        "old-address": _(
            "It went to a reply address that is no longer good. Please answer the latest letter that you have."
        ),
        "began-without": _(
            "The game has begun without you, for you had not answered the invitation then: no seat is kept for you."
        ),
        "not-yours": _(
            "It answers a letter of a game in which you have that seat no longer: nothing of it was used, and nobody"
            " has seen it."
        ),
        "confirmed-before": _(
            "You have confirmed this before. It was done then, and counts from when the mail that you confirmed came."
        ),
        "not-asked": _("It answers a letter that asks for nothing. Orders are sent as an answer to a report."),
    }


class _About(msgspec.Struct, frozen=True):
    """Whose seat something is about that answers no letter."""

    account_id: int | None
    game_id: int
    seat: int
    generation: int


class Answers:
    """Composes what is said about one mail, from the letter that it answers."""

    def __init__(self, service: Service, session: Session, inbound: Inbound) -> None:
        self._service = service
        self._session = session
        self._inbound = inbound

    def unusable(self, letter: Letter, mail: Mail, why: str | Refused) -> list[Letter]:
        """Tells the account that the letter went to why its mail changed nothing; `why` is a code or a refusal."""

        def params(words: Words) -> dict[str, Any]:
            if isinstance(why, Refused):
                reason = said(why, words)
            else:
                reason = words.gettext(_texts(lambda message: message)[why])
            return {"received": self._inbound.received, "subject": mail.subject, "reason": reason}

        return self._to_account("unreadable", letter, Purpose.NOTICE, params)

    def held(self, letter: Letter, mail: Mail, lines: list[str]) -> list[Letter]:
        """Asks the player's own address whether a mail is theirs that came from another one, or can't be proven theirs.

        Of another player of the game it shows neither address nor words: they may be orders.
        """
        game = self._session.get(Game, letter.game_id) if letter.game_id is not None else None
        other = self._other_player(letter, mail)
        params = {
            "title": game.title if game else "",
            "sender": mail.sender if other is None else self._named(game, other, letter),
            "proven": not fails(mail.proofs, self._service.settings.authserv_id),
            "received": self._inbound.received,
            "lines": lines[:_SHOWN] if other is None else [],
            "withheld": other is not None,
            "url": "",
        }
        return self._to_account("held", letter, Purpose.CONFIRMATION, lambda _: params)

    def _named(self, game: Game | None, other: Account, letter: Letter) -> str:
        """Another player as the letter's reader may know them."""
        words = Words.of(self._service.settings.language)
        account = self._session.get(Account, letter.account_id) if letter.account_id is not None else None
        if account is not None:
            words = Words.of(account.language, account.zone)
        is_hidden = game is not None and game.anonymous and game.status != "over"
        return words.gettext("another player of the game") if is_hidden else other.name

    def _other_player(self, letter: Letter, mail: Mail) -> Account | None:
        """Who else plays in the letter's game and has the address that the mail came from."""
        account = account_of(self._session, mail.sender)
        if account is None or account.id == letter.account_id or letter.game_id is None:
            return None
        seats = select(Seat.id).where(col(Seat.game_id) == letter.game_id, col(Seat.account_id) == account.id)
        return account if self._session.exec(seats).first() is not None else None

    def set_aside(self, letter: Letter) -> list[Letter]:
        """Tells the player that the service could not read the mail."""
        return self._to_account("setaside", letter, Purpose.NOTICE, lambda _: self._aside(by_mail=True))

    def post_set_aside(self, seat: Seat) -> list[Letter]:
        """Tells the seat's player that the service could not take what they had sent by page or API."""
        about = _About(seat.account_id, seat.game_id, seat.number, seat.generation)
        return self._to_account("setaside", about, Purpose.NOTICE, lambda _: self._aside(by_mail=False))

    def _aside(self, *, by_mail: bool) -> dict[str, Any]:
        operator = bool(self._service.settings.operator)
        return {"received": self._inbound.received, "by_mail": by_mail, "operator": operator}

    def first_of_a_day(self) -> list[Letter]:
        """Tells the operator that a mail is set aside: of the first of a day, for where it is one it may be many."""
        settings = self._service.settings
        if not settings.operator:
            return []
        words = Words.of(settings.language, settings.time_zone)
        to = Recipient(None, settings.operator, settings.operator, words)
        made = compose("aside", words, {"number": self._inbound.id, "received": self._inbound.received})
        envelope = Envelope("aside", f"aside/{clock.now():%Y-%m-%d}", Purpose.NOTICE)
        return [finish(self._service, envelope, to, made)]

    def blocked(self, account: Account) -> list[Letter]:
        """Tells whose account is blocked that nothing is done with mail; the key lets it go out once a block."""
        assert account.id is not None
        assert account.blocked is not None
        to = Recipient.of(account, main_address(self._session, account.id))
        made = compose("blocked", to.words, {"postmaster": f"postmaster@{self._service.identity.domain}"})
        key = f"blocked/{account.id}/{account.blocked.isoformat()}"
        return [finish(self._service, Envelope("blocked", key, Purpose.NOTICE), to, made)]

    def stranger(self, mail: Mail) -> list[Letter]:
        """Tells a person whom we don't know, once a day, that nothing was done."""
        settings = self._service.settings
        if mail.quiet or not is_sendable(mail.sender):
            return []
        if self._today("stranger") >= STRANGERS_A_DAY or self._told_today(mail.sender):
            return []
        words = Words.of(settings.language, settings.time_zone)
        to = Recipient(None, mail.sender_name, mail.sender, words)
        key = f"stranger/{sha256(mail.sender.encode()).hexdigest()[:32]}/{self._inbound.id}"
        return [finish(self._service, Envelope("stranger", key, Purpose.NOTICE), to, compose("stranger", words, {}))]

    def passed_on(self, mail: Mail) -> list[Letter]:
        """The mail's sender and text for the operator; nothing where there is none, or beyond the day's limit."""
        settings = self._service.settings
        if not settings.operator or self._today("postmaster") >= PASSED_ON_A_DAY:
            return []
        words = Words.of(settings.language, settings.time_zone)
        params = {
            "sender": mail.sender,
            "subject": mail.subject,
            "received": self._inbound.received,
            "lines": [line for line in mail.text.split("\n") if line.strip()][:_PASSED_ON],
            "number": self._inbound.id,
        }
        to = Recipient(None, settings.operator, settings.operator, words)
        envelope = Envelope("postmaster", f"postmaster/{self._inbound.id}", Purpose.NOTICE)
        return [finish(self._service, envelope, to, compose("postmaster", words, params))]

    def _today(self, kind: str) -> int:
        """How many letters of that kind were written in a day."""
        written = select(func.count()).where(col(Letter.kind) == kind, col(Letter.queued) > _yesterday())
        return self._session.exec(written).one()

    def _told_today(self, address: str) -> bool:
        same = col(Letter.kind) == "stranger", col(Letter.recipient) == address, col(Letter.queued) > _yesterday()
        return self._session.exec(select(Letter.id).where(*same).limit(1)).first() is not None

    def _to_account(
        self, kind: str, letter: Letter | _About, purpose: Purpose, params: Callable[[Words], Mapping[str, Any]]
    ) -> list[Letter]:
        """A letter to the main address of the account that the answered letter went to; none beyond the day's limit."""
        account = self._session.get(Account, letter.account_id) if letter.account_id is not None else None
        if account is None or account.id is None:
            return []
        today = select(func.count()).where(
            col(Letter.account_id) == account.id, col(Letter.kind).in_(ANSWERS), col(Letter.queued) > _yesterday()
        )
        if self._session.exec(today).one() >= self._service.settings.answers_a_day:
            return []
        to = Recipient.of(account, main_address(self._session, account.id), letter.seat, self._generation(letter))
        game = self._session.get(Game, letter.game_id) if letter.game_id is not None else None
        envelope = Envelope(kind, f"{kind}/{self._inbound.id}", purpose, game, game.code if game else "")
        return [finish(self._service, envelope, to, compose(kind, to.words, params(to.words)))]

    def _generation(self, letter: Letter | _About) -> int:
        """The seat's present one while it is the same player's, so that this letter can be answered; else its own."""
        seat = self._session.exec(
            select(Seat).where(col(Seat.game_id) == letter.game_id, col(Seat.number) == letter.seat)
        ).one_or_none()
        is_theirs = seat is not None and seat.account_id == letter.account_id
        return seat.generation if seat is not None and is_theirs else letter.generation


def _yesterday() -> Any:
    return clock.now() - timedelta(days=1)
