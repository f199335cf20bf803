"""What-ifs as rows: who may have one, how it is made, found, and goes."""

import secrets
from datetime import timedelta
from typing import Any

import msgspec
from sqlmodel import Session, col, delete, func, select

from engine.table import Table
from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.earlier import table_after
from pbem.games.position import game_row, position, words_of
from pbem.games.rules import bound
from pbem.observing.observers import observer_of
from pbem.rulings.authority import Actor, plays
from pbem.rulings.record import rule
from pbem.storage.models import Account, Game, Seat, WhatIf, WhatIfMoment
from pbem.whatifs.playing import Moment

COPIED = "copied"
"""The act on record of a copy of a game that goes on: a look at all that is hidden."""
FRESH, AGAIN = "fresh", "again"
CHANCES = (FRESH, AGAIN)
"""What is drawn in it: by a secret of its own, or, where its game is over, what that would have drawn."""
_ALPHABET = "bcdfghjkmnpqrstvwxz"


def copy_game(service: Service, code: str, entry: int | None, chance: str, account_id: int, actor: Actor) -> str:
    """A what-if of the game as it stood after that entry (None: the last), for that account; its code.

    Of a game that is over for whoever had a seat in it, observed or moderates it, of one that goes on for its
    moderator alone, who rules as `actor`: all players are told of the look. Raises Refused `no_game`, `not_for_you`,
    `plays_too`, `wrong_status`, `bad_choice` for an unknown chance, `not_over` for `again` in a game that goes on,
    `no_such_entry`, `too_many_what_ifs`, and what `pbem.rulings.record.rule` raises.
    """
    if chance not in CHANCES:
        raise Refused("bad_choice", given=chance[:20], known=", ".join(CHANCES))
    with service.reading() as session:
        game, account = game_row(session, code), session.get_one(Account, account_id)
        is_over = game.status == "over"
        if game.status not in ("over", "playing") or not game.next_entry:
            raise Refused("wrong_status", status=game.status)
        if not is_over and plays(session, game, account):
            raise Refused("plays_too")
        if not may_see(session, game, account):
            raise Refused("not_for_you")
        if chance == AGAIN and not is_over:
            raise Refused("not_over")
        number = game.next_entry - 1 if entry is None else entry
        if not 1 <= number < game.next_entry:
            raise Refused("no_such_entry", given=number, last=game.next_entry - 1)
        _check_number(service, session, account_id)
    if not is_over:
        rule(service, code, actor, COPIED, lambda game, seats: _told(game, seats, number), secret=True, at_once=True)
    with service.reading() as session:
        assert game.id is not None
        stands = position(session, game.id)
        table, words = table_after(session, stands, number), words_of(stands.seats)
    secret = game.secret if chance == AGAIN else secrets.token_bytes(32)
    days = timedelta(days=service.settings.what_if_days)
    with service.writing() as session:
        session.get_one(Account, account_id, with_for_update=True)
        _check_number(service, session, account_id)
        row = WhatIf(
            code="".join(secrets.choice(_ALPHABET) for _ in range(12)),
            account_id=account_id,
            game_id=game.id,
            entry=number,
            title=game.title,
            rules=game.rules,
            setup=game.setup,
            pace=game.pace,
            secret=secret,
            words=msgspec.json.encode(words).decode(),
            created=clock.now(),
            expires=clock.now() + days,
        )
        session.add(row)
        session.flush()
        assert row.id is not None
        session.add(WhatIfMoment(what_if_id=row.id, number=0, moment=Moment.opening(table).encoded()))
    return row.code


def _told(game: Game, seats: list[Seat], number: int) -> dict[str, Any]:
    """The ruling's parameters. Raises Refused where the game is over by now, or was set back."""
    if game.status != "playing" or number >= game.next_entry:
        raise Refused("ruled_meanwhile")
    return {"entry": number}


def may_see(session: Session, game: Game, account: Account) -> bool:
    """Whether all of the game is open to the account: once it is over to all who saw it, else to its moderator."""
    if account.blocked is not None or account.deleted is not None:
        return False
    leads = account.moderator or game.moderator_id == account.id
    if game.status == "over":
        return leads or plays(session, game, account) or _observes(session, game, account)
    return leads and not plays(session, game, account)


def _observes(session: Session, game: Game, account: Account) -> bool:
    assert game.id is not None
    assert account.id is not None
    row = observer_of(session, game.id, account.id)
    return row is not None and row.since is not None and row.barred is None


def what_ifs_of(session: Session, account_id: int) -> list[WhatIf]:
    """Those of the account that it may see now, the newest first."""
    rows = session.exec(select(WhatIf).where(_alive(account_id)).order_by(col(WhatIf.id).desc())).all()
    account = session.get_one(Account, account_id)
    return [row for row in rows if may_see(session, session.get_one(Game, row.game_id), account)]


def what_if(session: Session, code: str, account_id: int) -> WhatIf:
    """The account's what-if of that code. Raises Refused `no_what_if`, also for one that it may not see any more."""
    row = session.exec(select(WhatIf).where(col(WhatIf.code) == code, _alive(account_id))).first()
    if row is None or not may_see(session, session.get_one(Game, row.game_id), session.get_one(Account, account_id)):
        raise Refused("no_what_if")
    return row


def opened_table(session: Session, row: WhatIf, stored: bytes) -> Table:
    """The table of a moment."""
    words: list[str] = msgspec.json.decode(row.words)
    rules = bound(row.rules, row.setup)
    return Table.restore(rules, row.secret, words, stored)


def remove(service: Service, code: str, account_id: int) -> None:
    """Delete a what-if. Raises Refused `no_what_if`."""
    with service.writing() as session:
        row = session.exec(select(WhatIf).where(col(WhatIf.code) == code, col(WhatIf.account_id) == account_id)).first()
        if row is None:
            raise Refused("no_what_if")
        session.delete(row)


def forget_expired(session: Session) -> None:
    """Those whose time is over go."""
    session.execute(delete(WhatIf).where(col(WhatIf.expires) <= clock.now()))


def _alive(account_id: int) -> Any:
    return (col(WhatIf.account_id) == account_id) & (col(WhatIf.expires) > clock.now())


def _check_number(service: Service, session: Session, account_id: int) -> None:
    most = service.settings.what_ifs_each
    if session.exec(select(func.count()).select_from(WhatIf).where(_alive(account_id))).one() >= most:
        raise Refused("too_many_what_ifs", most=most)
