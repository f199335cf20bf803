"""A mail to the service's own address with `join CODE`: who asks for a seat is told what there is, and how to take it.

Such a mail proves nothing about its sender, so nothing is done by it: the letter goes to the account's own address, and
an answer to that one counts.
"""

import re
from datetime import timedelta

from sqlmodel import Session, col, func, select

from pbem import clock
from pbem.accounts import account_of, ensure_account, main_address
from pbem.context import Service
from pbem.games.gathering import GATHERS, free_seats, waiting_count
from pbem.games.gatheringletters import OPENING, Opening, opening_letter
from pbem.games.position import Player, seat_rows
from pbem.mail.message import Mail
from pbem.storage.models import Account, Game, Inbound, Letter, SignInLink

MOST_LINES = 30
"""Lines that are looked at."""
OPENINGS_A_DAY = 200
"""Such letters a day, all together; one account gets a few at most."""
TO_ONE_A_DAY = 3
_SEEKS = re.compile(r"\W*(?:join|leave)\s+([a-z0-9-]{1,40})\W*", re.IGNORECASE)


def sought(session: Session, mail: Mail) -> Game | None:
    """The game whose code a mail without a token names, if it takes whoever comes; the subject may say it as well."""
    if mail.problem or mail.quiet:
        return None
    lines = [mail.subject, *mail.text.split("\n")[:MOST_LINES]]
    codes = [found[1].lower() for line in lines if (found := _SEEKS.fullmatch(line.strip()))]
    if not codes:
        return None
    query = select(Game).where(col(Game.code) == codes[0], col(Game.seating) != "", col(Game.status).in_(GATHERS))
    return session.exec(query).one_or_none()


def answer(service: Service, game: Game, inbound: Inbound, mail: Mail) -> tuple[Letter, SignInLink] | None:
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
            session, settings.language, settings.time_zone, mail.sender, " ".join(mail.sender_name.split())[:60]
        )
        assert account.id is not None
        assert game.id is not None
        player = Player(account, main_address(session, account.id))
        host = session.get(Account, game.moderator_id) if game.moderator_id is not None else None
        name = host.name if host is not None else settings.sender_name
        free = free_seats(game, seat_rows(session, game.id))
        opening = Opening(free, waiting_count(session, game), name)
    return opening_letter(service, game, player, opening, str(inbound.id))


def _today(session: Session, account: Account | None = None) -> int:
    """How many such letters were written in a day, to one account or to all."""
    query = select(func.count()).select_from(Letter).where(col(Letter.kind) == OPENING)
    query = query.where(col(Letter.queued) > clock.now() - timedelta(days=1))
    return session.exec(query.where(col(Letter.account_id) == account.id) if account is not None else query).one()
