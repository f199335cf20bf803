"""All games of the site at a glance, the most urgent first: public facts, and what became of letters."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import and_, func, or_
from sqlalchemy.orm import defer
from sqlalchemy.sql.elements import ColumnElement
from sqlmodel import Session, col, select

from pbem import clock
from pbem.games.leading import awaited, is_masked
from pbem.games.names import Names
from pbem.games.policy import ASKED
from pbem.games.position import LEFT, holds
from pbem.habits import HABITS
from pbem.mail.joining import HELD_BACK
from pbem.mail.outbox import AGAIN
from pbem.storage.models import Account, Game, Inbound, Letter, Report, Seat
from pbem.words import Words

URGENCY = (
    "aside",
    "asked",
    "overdue",
    "letters",
    "open",
    "silent",
    "held",
    "waiting",
    "gathering",
    "settling",
)
"""What a game asks of whoever looks after it, the most urgent first.

aside: the service gave up on it; asked: it stands still and asks its moderator; overdue: its deadline has passed and
play has not gone on; letters: some do not arrive; open: a seat has no player; silent: a player has missed stages;
held: it stands still; waiting: for orders; gathering: for guests; settling: all have answered.
"""
OVERDUE = timedelta(minutes=10)
LOST = ("failed", "bounced", "complained", "aside")
"""Fates of letters that did not arrive."""
RECENT = timedelta(days=7)
"""How far back letters of no game, and mails that were given up, are looked for."""
MOST = 500
"""Mails, and letters of no game, that are shown."""


@dataclass(frozen=True)
class Waited:
    """A side whose orders, or whose word to an invitation, are awaited; `since` when it was asked.

    `player` is empty in an anonymous game, for a moderator of the site may play in it.
    """

    side: str
    player: str
    since: datetime | None


@dataclass(frozen=True)
class Lost:
    """A letter that did not arrive, or has not yet. `side` is empty for one to no seat; `said` by a mail server."""

    number: int
    side: str
    kind: str
    fate: str
    queued: datetime
    said: str


@dataclass(frozen=True)
class Trouble:
    """A seat in trouble. `what`: silent (`missed` stages in a row), bounced, open."""

    side: str
    what: str
    missed: int = 0


@dataclass(frozen=True)
class Aside:
    """A mail that was set aside, without what it says. `game` is a code, or empty."""

    number: int
    game: str
    received: datetime


@dataclass(frozen=True)
class Row:
    """One game that is not over. `since` is when its stage opened, or the game was made; `urgency` one of `URGENCY`.

    `installed`: whether its rules are; if not, sides and stages have their stored names.
    """

    code: str
    title: str
    rules: str
    status: str
    turn: str
    stage: str
    since: datetime
    deadline: datetime | None
    held: str
    problem: str
    moderator: str
    urgency: str
    waited: tuple[Waited, ...]
    letters: tuple[Lost, ...]
    troubles: tuple[Trouble, ...]
    installed: bool


@dataclass(frozen=True)
class Overview:
    """The site: its games, mails that were set aside, and letters of no game that did not arrive."""

    games: tuple[Row, ...]
    mails: tuple[Aside, ...]
    letters: tuple[Lost, ...]


def overview(session: Session, words: Words) -> Overview:
    """The site now, names of sides and stages in somebody's words."""
    games = session.exec(select(Game).where(col(Game.status).not_in(LEFT))).all()
    facts = _Facts.of(session, games)
    rows = [_row(game, facts, words) for game in games]
    rows.sort(key=lambda row: (URGENCY.index(row.urgency), row.deadline or row.since, row.code))
    return Overview(tuple(rows), _mails(session), tuple(_lost(each, "") for each in _of_no_game(session)))


@dataclass(frozen=True)
class _Facts:
    """What is needed of all games, found at once. By game."""

    seats: Mapping[int, list[Seat]]
    letters: Mapping[int, list[Letter]]
    asked: Mapping[tuple[int, int], datetime]
    names: Mapping[int, str]

    @classmethod
    def of(cls, session: Session, games: Sequence[Game]) -> "_Facts":
        numbers = [game.id for game in games]
        seats: dict[int, list[Seat]] = defaultdict(list)
        for seat in session.exec(select(Seat).where(col(Seat.game_id).in_(numbers)).order_by(col(Seat.number))):
            seats[seat.game_id].append(seat)
        letters: dict[int, list[Letter]] = defaultdict(list)
        for letter in _of_present_stages(session):
            letters[letter.game_id or 0].append(letter)
        people = {seat.account_id for each in seats.values() for seat in each} | {game.moderator_id for game in games}
        found = session.exec(select(Account.id, Account.name).where(col(Account.id).in_(people)))
        names = {number: name for number, name in found if number is not None}
        return cls(seats, letters, _asked(session), names)


def _row(game: Game, facts: _Facts, words: Words) -> Row:
    assert game.id is not None
    seats = facts.seats[game.id]
    said = Names(game, words)
    lost = [
        _lost(letter, said.seat(seats[letter.seat]) if letter.seat is not None else "")
        for letter in facts.letters.get(game.id, ())
    ]
    waited = tuple(
        Waited(said.seat(seat), _player(game, seat, facts), _since(game, seat, facts)) for seat in _waited(game, seats)
    )
    troubles = tuple(_troubles(game, seats, facts.letters.get(game.id, ()), said))
    turn, _, stage = game.stage_key.partition("-")
    return Row(
        code=game.code,
        title=game.title,
        rules=said.rules,
        status=game.status,
        turn=turn,
        stage=said.stage(stage),
        since=game.opened or game.created,
        deadline=game.deadline,
        held=game.stopped,
        problem=game.problem,
        moderator=facts.names.get(game.moderator_id or 0, ""),
        urgency=_urgency(game, waited, lost, troubles),
        waited=waited,
        letters=tuple(lost),
        troubles=troubles,
        installed=said.installed,
    )


def _player(game: Game, seat: Seat, facts: _Facts) -> str:
    return "" if is_masked(game) else facts.names.get(seat.account_id or 0, "")


def _urgency(game: Game, waited: Sequence[Waited], lost: Sequence[Lost], troubles: Sequence[Trouble]) -> str:
    what = {trouble.what for trouble in troubles}
    overdue = game.deadline is not None and game.deadline + OVERDUE < clock.now()
    stands = game.stopped
    true = {
        "aside": game.aside,
        "asked": stands == ASKED,
        "overdue": overdue,
        "letters": bool(lost),
        "open": "open" in what,
        "silent": "silent" in what,
        "held": bool(stands),
        "waiting": game.status == "playing" and bool(waited),
        "gathering": game.status == "inviting",
        "settling": True,
    }
    return next(code for code in URGENCY if true[code])


def _waited(game: Game, seats: Sequence[Seat]) -> list[Seat]:
    if game.status == "inviting":
        return [seat for seat in seats if seat.account_id is not None and seat.joined is None]
    numbers = awaited(game, list(seats)) if game.status == "playing" else []
    return [seats[number] for number in numbers]


def _since(game: Game, seat: Seat, facts: _Facts) -> datetime | None:
    if game.status == "inviting":
        return game.created
    return facts.asked.get((seat.game_id, seat.number), game.opened)


def _troubles(game: Game, seats: Sequence[Seat], letters: Iterable[Letter], said: Names) -> Iterable[Trouble]:
    bounced = {letter.seat for letter in letters if letter.fate in LOST}
    for seat in seats:
        name = said.seat(seat)
        if game.status == "playing" and not holds(seat) and not seat.standin:
            yield Trouble(name, "open")
        elif seat.missed and not seat.standin:
            yield Trouble(name, "silent", seat.missed)
        if seat.number in bounced:
            yield Trouble(name, "bounced")


def _lost(letter: Letter, side: str) -> Lost:
    return Lost(letter.id, side, letter.kind, letter.fate, letter.queued, letter.problem)


def _is_lost() -> ColumnElement[bool]:
    """Did not arrive, or was refused for now; not what waits because its reader wants it so."""
    fine = ("", AGAIN, HELD_BACK, *HABITS)
    refused = and_(col(Letter.fate) == "queued", col(Letter.attempts) > 0, col(Letter.problem).not_in(fine))
    return or_(col(Letter.fate).in_(LOST), refused)


def _of_present_stages(session: Session) -> Iterable[Letter]:
    """Those of the stage that is open in each game: what was lost before it has been overtaken."""
    return session.exec(
        select(Letter)
        .join(Game, and_(col(Game.id) == col(Letter.game_id), col(Game.line) == col(Letter.line)))
        .where(_is_lost(), col(Letter.stage_key) == col(Game.stage_key))
        .where(col(Game.status).not_in(LEFT))
        .options(defer(Letter.content), defer(Letter.text))  # type: ignore[arg-type]
        .order_by(col(Letter.queued))
    )


def _of_no_game(session: Session) -> Iterable[Letter]:
    return session.exec(
        select(Letter)
        .where(_is_lost(), col(Letter.game_id).is_(None), col(Letter.queued) > clock.now() - RECENT)
        .options(defer(Letter.content), defer(Letter.text))  # type: ignore[arg-type]
        .order_by(col(Letter.queued).desc())
        .limit(MOST)
    )


def _mails(session: Session) -> tuple[Aside, ...]:
    rows = session.exec(
        select(Inbound.id, Game.code, Inbound.received)
        .outerjoin(Game, col(Game.id) == col(Inbound.game_id))
        .where(col(Inbound.status) == "aside", col(Inbound.next_try) > clock.now() - RECENT)
        .order_by(col(Inbound.received).desc())
        .limit(MOST)
    )
    return tuple(Aside(number or 0, code or "", received) for number, code, received in rows)


def _asked(session: Session) -> dict[tuple[int, int], datetime]:
    """When each seat was asked last in the stage that is open: its newest report."""
    rows = session.exec(
        select(Report.game_id, Report.seat, func.max(Report.at))
        .join(Game, and_(col(Game.id) == col(Report.game_id), col(Game.line) == col(Report.line)))
        .where(col(Game.status) == "playing", col(Report.stage_key) == col(Game.stage_key))
        .group_by(col(Report.game_id), col(Report.seat))
    )
    return {(game, seat): at for game, seat, at in rows}
