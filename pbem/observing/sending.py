"""Observers are told of each turn once they may see it, and at once of the end, and that what they were told is void.

What is owed follows from the rows: the stage, line and status that the game has, and those that were looked at last.
"""

from dataclasses import dataclass

from sqlalchemy import bindparam
from sqlmodel import Session, col, or_, select

from pbem import clock
from pbem.accounts import main_address
from pbem.chores import free, tried_at
from pbem.context import Service
from pbem.door import OBSERVE
from pbem.games.policy import NOBODY, policy_of
from pbem.games.position import Player, position
from pbem.letters import Recipient, put
from pbem.observing.horizon import letter_moments, moments, still_told
from pbem.observing.letters import ended_letter, observed_letter, withdraw
from pbem.observing.observers import forget
from pbem.observing.reports import corrected, report_of, stretch
from pbem.storage.models import Account, Game, Letter, Observer
from pbem.storage.sessions import columns, locked_game


@dataclass(frozen=True)
class News:
    """What there is to tell: `told` is the last entry that it tells of, `void` whether earlier letters don't hold."""

    letters: list[Letter]
    told: int
    void: bool


_DUE = (
    select(Observer.id)
    .join(Game, col(Game.id) == col(Observer.game_id))
    .where(col(Observer.since).is_not(None), col(Game.aside).is_(False), free(OBSERVE, Observer.id))
    .where(
        or_(
            col(Observer.stage_number) != col(Game.stage_number),
            col(Observer.line) != col(Game.line),
            col(Observer.status) != col(Game.status),
        )
    )
    .order_by(tried_at(OBSERVE, Observer.id).nulls_first())
    .limit(bindparam("most"))
)


def observers_due(session: Session, most: int) -> list[int]:
    """Those whose games have another stage, line or status than was looked at last, as numbers of rows."""
    return list(columns(session, _DUE, {"now": clock.now(), "most": most}).scalars())


def tell_observer(service: Service, number: int) -> None:
    """Tell one observer what has come to be seen since they were told last."""
    with service.reading() as session:
        row = session.get(Observer, number)
        if row is None or row.since is None:
            return
        game, account = session.get_one(Game, row.game_id), session.get_one(Account, row.account_id)
        player = Player(account, main_address(session, row.account_id))
        closed = policy_of(game).observers == NOBODY
        farewell = News([ended_letter(service, game, player)], row.told, void=False) if closed else None
        news = farewell or _news(service, session, row, player)
    with service.writing() as session:
        locked = locked_game(session, row.game_id)
        again = session.get(Observer, number)
        if again is None or (again.since, again.told, again.line) != (row.since, row.told, row.line):
            return
        if closed:
            forget(session, locked, row.account_id)
            put(session, *news.letters)
            return
        if news.void:
            withdraw(session, row.game_id, row.account_id, still_told(session, game, row))
        again.told, again.line = news.told, game.line
        again.stage_number, again.status = game.stage_number, game.status
        session.add(again)
        if again.letters:
            put(session, *news.letters)


def _news(service: Service, session: Session, row: Observer, player: Player) -> News:
    game = session.get_one(Game, row.game_id)
    found = moments(session, game)
    holds = still_told(session, game, row)
    ends = [each for each in letter_moments(game, found, policy_of(game).observer_delay) if each.entry > holds]
    void = holds < row.told
    if not void and not ends:
        return News([], holds, void=False)
    stands = position(session, row.game_id)
    reports = [corrected(session, stands, holds)] if void else []
    if ends:
        reports.append(report_of(session, stands, stretch(found, holds, ends[-1])))
    to = Recipient.of(player.account, player.address)
    letters = [observed_letter(service, game, to, each) for each in reports]
    return News(letters, ends[-1].entry if ends else holds, void)
