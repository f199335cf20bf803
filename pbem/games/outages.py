"""The service was down, or its clock stood still or jumped: deadlines that fell into that time are put off, and told.

The sweep's heartbeat says when the service was up last. Until this has been done, no such deadline counts as passed
(`pbem.games.due`), so nothing is played on orders that could not come.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service
from pbem.games.course import Step, take
from pbem.games.due import OUTAGE_SECONDS, SWEEPING
from pbem.games.schedule import schedule_of
from pbem.storage.models import Game, Heartbeat, Seat

LEFT = timedelta(hours=2)
"""What players have left at least once the service is back, half of a stage where that is less."""


def mend_outage(service: Service) -> int:
    """Put off the deadlines that fell into a time without a heartbeat, by as long as that was; how many they were."""
    now = clock.now()
    with service.reading() as session:
        beat = session.get(Heartbeat, SWEEPING)
        if beat is None or now - beat.at < clock.span(OUTAGE_SECONDS):
            return 0
        games = _caught(session, beat.at, now)
    for game in games:
        assert game.id is not None
        take(service, game.id, game.version, _step(game, beat.at, now))  # one that has changed meanwhile is found again
    return len(games)


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
