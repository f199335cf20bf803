"""What one world's year came to, as samples that can be put together with those of others."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import msgspec
from sqlmodel import Session, col, select

from pbem.context import Service
from pbem.games.position import numbers
from pbem.storage.models import Game, Letter, Ruling, Seat, StageTime

HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(weeks=1)


class Stages(msgspec.Struct):
    """Stages that closed alike: how many hours each was open, and how many seats had not answered then."""

    hours: list[float] = []
    missing: list[int] = []


class Games(msgspec.Struct):
    """Games of some rules: hours that each turn and each stage took, days that each game lasted."""

    turns: list[float] = []
    stages: list[float] = []
    days: list[float] = []


class Tally(msgspec.Struct):
    """All samples. `letters` is by player: letters that were sent, for each week in which one of its games was open."""

    ended: Counter[str]
    rules: dict[str, Games]
    closed: dict[str, Stages]
    acts: Counter[str]
    fates: Counter[str]
    letters: list[float]
    people: Counter[str]

    def add(self, other: "Tally") -> None:
        """Count another world's too."""
        self.ended += other.ended
        self.acts += other.acts
        self.fates += other.fates
        self.people += other.people
        self.letters += other.letters
        for name, games in other.rules.items():
            mine = self.rules.setdefault(name, Games())
            mine.turns += games.turns
            mine.stages += games.stages
            mine.days += games.days
        for name, stages in other.closed.items():
            ours = self.closed.setdefault(name, Stages())
            ours.hours += stages.hours
            ours.missing += stages.missing


def tally(service: Service, counted: Counter[str]) -> Tally:
    """The samples of a world in which all games have ended."""
    with service.reading() as session:
        games = session.exec(select(Game).order_by(col(Game.id))).all()
        stages = session.exec(select(StageTime).order_by(col(StageTime.game_id), col(StageTime.number))).all()
        return Tally(
            ended=Counter(_ending(session, game) for game in games),
            rules={name: _games([game for game in games if game.rules == name], stages) for name in _names(games)},
            closed={by: _closed(stages, by) for by in sorted({stage.closed_by for stage in stages})},
            acts=Counter(session.exec(select(Ruling.act))),
            fates=Counter(session.exec(select(Letter.fate))),
            letters=_letters(session, games),
            people=counted,
        )


def _names(games: Iterable[Game]) -> list[str]:
    return sorted({game.rules for game in games})


def _ending(session: Session, game: Game) -> str:
    """How it ended: by the rules, or what ended it."""
    if game.status == "over":
        return "by the rules"
    mine = col(Ruling.game_id) == game.id
    last = session.exec(select(Ruling.act).where(mine).order_by(col(Ruling.number).desc()).limit(1)).first()
    left = session.exec(select(Seat.id).where(col(Seat.game_id) == game.id, col(Seat.resigned).is_(None))).first()
    return "nobody left" if left is None else last or game.status


def _games(games: Sequence[Game], stages: Iterable[StageTime]) -> Games:
    ids = {game.id for game in games}
    mine = [stage for stage in stages if stage.game_id in ids]
    turns: dict[tuple[int, str], list[StageTime]] = defaultdict(list)
    for stage in mine:
        turns[stage.game_id, stage.stage_key.partition("-")[0]].append(stage)  # the key begins with the turn's number
    return Games(
        [(max(each.closed for each in some) - min(each.opened for each in some)) / HOUR for some in turns.values()],
        [(stage.closed - stage.opened) / HOUR for stage in mine],
        [(game.ended - game.started) / DAY for game in games if game.ended and game.started],
    )


def _closed(stages: Iterable[StageTime], by: str) -> Stages:
    mine = [stage for stage in stages if stage.closed_by == by]
    hours = [(stage.closed - stage.opened) / HOUR for stage in mine]
    return Stages(hours, [len(numbers(stage.awaited)) for stage in mine])


def _letters(session: Session, games: Iterable[Game]) -> list[float]:
    spans: dict[int, list[tuple[datetime, datetime]]] = defaultdict(list)
    for game in games:
        for account in session.exec(select(Seat.account_id).where(col(Seat.game_id) == game.id)):
            if account is not None and game.ended is not None:
                spans[account].append((game.created, game.ended))
    sent = Counter(session.exec(select(Letter.account_id).where(col(Letter.fate) == "sent")))
    return [sent[account] / (_together(some) / WEEK) for account, some in sorted(spans.items())]


def _together(spans: Iterable[tuple[datetime, datetime]]) -> timedelta:
    """How long at least one of them lasted."""
    total, end = timedelta(), None
    for begins, ends in sorted(spans):
        start = begins if end is None else max(begins, end)
        total += max(ends - start, timedelta())
        end = ends if end is None else max(end, ends)
    return total
