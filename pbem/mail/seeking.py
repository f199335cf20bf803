"""A mail to the service's own address with `join CODE` or `observe CODE`: who asks is told what there is, and how.

Such a mail proves nothing about its sender, so nothing is done by it: the letter goes to the account's own address, and
an answer to that one counts.
"""

import re
from dataclasses import dataclass
from datetime import timedelta

from sqlmodel import Session, col, func, select

from pbem import clock
from pbem.accounts import MAX_NAME, account_of, ensure_account, main_address
from pbem.context import Service
from pbem.games.gathering import GATHERS, free_seats, waiting_count
from pbem.games.gatheringletters import OPENING, Opening, opening_letter
from pbem.games.position import Player, seat_rows
from pbem.mail.message import Mail
from pbem.observing.letters import ASKED, OBSERVING, Welcome, welcome_letter
from pbem.observing.observers import is_for_all, observer_of
from pbem.storage.models import Account, Game, Inbound, Letter, SignInLink

MOST_LINES = 30
"""Lines that are looked at."""
OPENINGS_A_DAY = 200
"""Such letters a day, all together; one account gets a few at most."""
TO_ONE_A_DAY = 3
_SEEKS = re.compile(r"\W*(join|leave|observe)\s+([a-z0-9-]{1,40})(?:\s+off)?\W*", re.IGNORECASE)


@dataclass(frozen=True)
class Sought:
    """What a mail asks for: a seat of a game, or to observe it."""

    game: Game
    observes: bool


def sought(session: Session, mail: Mail) -> Sought | None:
    """The game whose code a mail without a token names, if it takes whoever comes; the subject may say it as well.

    Nothing for one that the sender may not observe: then nobody learns that it is there.
    """
    if mail.problem or mail.quiet:
        return None
    lines = [mail.subject, *mail.text.split("\n")[:MOST_LINES]]
    asked = [found for line in lines if (found := _SEEKS.fullmatch(line.strip()))]
    if not asked:
        return None
    observes = asked[0][1].lower() == "observe"
    game = session.exec(select(Game).where(col(Game.code) == asked[0][2].lower())).one_or_none()
    if game is None or not (_is_seen(session, game, mail) if observes else _gathers(game)):
        return None
    return Sought(game, observes)


def _gathers(game: Game) -> bool:
    return bool(game.seating) and game.status in GATHERS


def _is_seen(session: Session, game: Game, mail: Mail) -> bool:
    """Whether the sender observes the game, or may."""
    account = account_of(session, mail.sender)
    if account is None or account.id is None or game.id is None:
        return is_for_all(game)
    return observer_of(session, game.id, account.id) is not None or is_for_all(game)


def answer(service: Service, asked: Sought, inbound: Inbound, mail: Mail) -> tuple[Letter, SignInLink] | None:
    """What the game has to give, for the sender's own address; None beyond the day's limits, and for a blocked account.

    Raises Refused `bad_address`.
    """
    with service.writing() as session:
        if _today(session) >= OPENINGS_A_DAY:
            return None
        settings = service.settings
        known = account_of(session, mail.sender)
        if known is not None and (known.blocked is not None or _today(session, known) >= TO_ONE_A_DAY):
            return None
        account = known or ensure_account(
            session, settings.language, settings.time_zone, mail.sender, " ".join(mail.sender_name.split())[:MAX_NAME]
        )
        assert account.id is not None
        player = Player(account, main_address(session, account.id))
        if asked.observes:
            return welcome_letter(service, asked.game, player, Welcome(ASKED, str(inbound.id)))
        opening = _opening(service, session, asked.game)
    return opening_letter(service, asked.game, player, opening, str(inbound.id))


def _opening(service: Service, session: Session, game: Game) -> Opening:
    assert game.id is not None
    host = session.get(Account, game.moderator_id) if game.moderator_id is not None else None
    name = host.name if host is not None else service.settings.sender_name
    return Opening(free_seats(game, seat_rows(session, game.id)), waiting_count(session, game), name)


def _today(session: Session, account: Account | None = None) -> int:
    """How many such letters were written in a day, to one account or to all."""
    query = select(func.count()).select_from(Letter).where(col(Letter.kind).in_((OPENING, OBSERVING)))
    query = query.where(col(Letter.queued) > clock.now() - timedelta(days=1))
    return session.exec(query.where(col(Letter.account_id) == account.id) if account is not None else query).one()
