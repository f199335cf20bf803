"""The service was down, or its clock stood still or jumped: deadlines that fell into that time are put off, and told.

The sweep's heartbeat says when the service was up last. Until this has been done, no such deadline counts as passed
(`pbem.games.due`), so nothing is played on orders that could not come.
"""

from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service
from pbem.errors import Busy
from pbem.games.course import Step, take
from pbem.games.due import OUTAGE_SECONDS, SWEEPING
from pbem.games.schedule import schedule_of
from pbem.storage.models import Game, Heartbeat, Seat

log = structlog.get_logger()

TRIES = 20
LEFT = timedelta(hours=2)
"""What players have left at least once the service is back, half of a stage where that is less."""


def mend_outage(service: Service) -> int:
    """Put off the deadlines that fell into a time without a heartbeat, by as long as that was; how many they were.

    One whose letters can't be written, such as that of a game whose rules are gone, holds up no other. Raises Busy
    where a game changed each time: until there is a beat, its deadline does not count as passed.
    """
    now, done, failed = clock.now(), 0, set[int]()
    with service.reading() as session:
        beat = session.get(Heartbeat, SWEEPING)
    if beat is None or now - beat.at < clock.span(OUTAGE_SECONDS):
        return 0
    for _ in range(TRIES):
        with service.reading() as session:
            games = [game for game in _caught(session, beat.at, now) if game.id not in failed]
        if not games:
            return done
        for game in games:
            assert game.id is not None
            try:
                done += take(service, game.id, game.version, _step(game, beat.at, now))
            except Exception as error:
                log.error("outage_not_told", game=game.id, kind=type(error).__name__)  # noqa: TRY400
                failed.add(game.id)
    raise Busy


def _caught(session: Session, since: datetime, now: datetime) -> list[Game]:
    query = select(Game).where(
        col(Game.status) == "playing",
        col(Game.aside).is_(False),
        col(Game.forced).is_(False),
        col(Game.deadline) > since,
        col(Game.deadline) <= now,
    )
    return list(session.exec(query))


def _step(game: Game, since: datetime, now: datetime) -> Step:
    assert game.deadline is not None
    least = now + min(LEFT, timedelta(seconds=game.stage_seconds // 2))
    until = schedule_of(game).first(max(game.deadline + (now - since), least))
    params: dict[str, Any] = {"from": since.isoformat(), "to": now.isoformat(), "until": until.isoformat()}

    def change(game: Game, seats: list[Seat]) -> None:
        game.deadline, game.sequence = until, game.sequence + 1

    return Step("outage", params, change)
