"""Changing the state by hand: what the game's rules let be changed, in a list, whole or not at all.

What may be changed, and what a change comes to, shows things that are hidden. So a moderator looks first, of which all
players are told at once. Each player then gets a report of what is otherwise for them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, delete, select

from engine.changes import changed, check_words, read_changes
from engine.contract import Change, Changing, Event
from engine.errors import Illegal
from engine.journal import Entry
from engine.play import Record
from pbem import clock
from pbem.context import Service, nudge
from pbem.door import ADVANCE, SEND
from pbem.errors import Busy, Refused, RefusedByRules
from pbem.games.advance import untold
from pbem.games.away import put_off
from pbem.games.position import Position, game_row, position
from pbem.games.posting import Posted, post
from pbem.games.recording import all_told, note_of, put_entry
from pbem.games.resolve import at_once, awaited
from pbem.games.rules import setup_of
from pbem.games.telling import Outlook, Telling, before
from pbem.rulings.authority import CHANGED, Actor, check_apart, check_seen, ruler
from pbem.rulings.looking import LOOKED, look
from pbem.rulings.record import TRIES, id_of, ruling_on
from pbem.storage.bulk import insert_rows, rows
from pbem.storage.models import Account, Game, Letter, Picture, Report, Ruling, Seat, Snapshot
from pbem.storage.sessions import locked_game

MOST_TEXT = 5000
"""How many characters all lines may have together."""


@dataclass(frozen=True)
class Wanted:
    """Changes, one a line (`engine.changes.read_changes`).

    `version` is the game's when its moderator saw what they come to: where it has another one nothing is done. None is
    whatever it has.
    """

    text: str
    version: int | None = None


@dataclass(frozen=True)
class Tried:
    """What changes come to, made on a copy: the position as it stands, the state after them, what would be told."""

    stands: Position
    changes: tuple[Change, ...]
    state: Any
    events: list[Event]


def look_to_change(service: Service, code: str, actor: Actor, text: str | None = None) -> Position:
    """The whole position, to change it; every player is told of the look at once, before it is shown.

    What everybody can tell of it is refused before the look: `text` has the changes where they are known by now. Raises
    Refused `unchangeable` for rules by which nothing can be changed, `wrong_status`, as `tried`, and as `look`.
    """
    with service.reading() as session:
        game = game_row(session, code)
        account = ruler(session, game, actor)
        _check_playing(game)
        check_seen(game, actor)
        check_apart(session, game, account, CHANGED, actor)
        stands = position(session, id_of(game))
        if not isinstance(stands.rules, Changing):
            raise Refused("unchangeable")
        _check_known(stands, text)
    return look(service, code, actor)


def _check_known(stands: Position, text: str | None) -> None:
    rules, state = stands.rules, stands.table.state
    assert isinstance(rules, Changing)
    if text is not None and len(text) > MOST_TEXT:
        raise Refused("long_changes", most=MOST_TEXT)
    try:
        if text is None:
            rules.changeable(state)
        else:
            check_words(rules, state, text.split("\n"))
    except Illegal as illegal:
        raise _by_rules(stands, illegal) from illegal


def _by_rules(stands: Position, illegal: Illegal) -> RefusedByRules:
    code = "bad_change_line" if "line" in illegal.params else "bad_change"
    return RefusedByRules(code, stands.game.rules, setup_of(stands.game), illegal)


def looked_at(service: Service, code: str, actor: Actor) -> Position:
    """The position, for who has looked at it as it is.

    Raises Refused `not_looked` where the last thing that happened is no look of theirs, and as `look_to_change`.
    """
    with service.reading() as session:
        game = game_row(session, code)
        account = ruler(session, game, actor)
        _check_playing(game)
        check_apart(session, game, account, CHANGED, actor)
        if not _has_looked(session, game, account):
            raise Refused("not_looked")
        stands = position(session, id_of(game))
        session.expunge_all()
    return stands


def tried(stands: Position, text: str) -> Tried:
    """What changes would come to. Raises Refused `bad_change`, `bad_change_line`, `long_changes`."""
    if len(text) > MOST_TEXT:
        raise Refused("long_changes", most=MOST_TEXT)
    rules, state = stands.rules, stands.table.state
    try:
        changes = read_changes(rules, state, text.split("\n"))
        after, events = changed(rules, state, changes)
    except Illegal as illegal:
        raise _by_rules(stands, illegal) from illegal
    return Tried(stands, changes, after, events)


def change_state(service: Service, code: str, wanted: Wanted, actor: Actor) -> Ruling:
    """Make the changes, on record and told at once; who has not looked at the game as it is looks first.

    Nobody is ready any more, orders stay, and there is half of a stage's time at least. Raises Refused as
    `look_to_change` and `tried`, `ruled_meanwhile` where it is not the version that was seen; and Busy.
    """
    for _ in range(TRIES):
        try:
            stands = looked_at(service, code, actor)
        except Refused as refused:
            if refused.code != "not_looked" or wanted.version is not None:
                raise
            stands = look_to_change(service, code, actor, wanted.text)
            actor = replace(actor, stage=stands.game.stage_number, ruling=stands.game.next_ruling)
            continue
        game = stands.game
        check_seen(game, actor)
        if wanted.version not in (None, game.version):
            raise Refused("ruled_meanwhile")
        changes = tried(stands, wanted.text).changes
        with service.reading() as session:
            account = ruler(session, game, actor)
            told = untold(session, id_of(game))
            session.expunge_all()
        made = _made(service, stands, changes, (*told, ruling_on(game, account, actor, CHANGED, {})))
        if _write(service, game, made):
            return made.ruling
    raise Busy


def _check_playing(game: Game) -> None:
    if game.status != "playing":
        raise Refused("wrong_status", status=game.status)


def _has_looked(session: Session, game: Game, account: Account | None) -> bool:
    """Whether the journal's last entry is that account's look."""
    last = session.exec(
        select(Ruling).where(
            col(Ruling.game_id) == game.id, col(Ruling.line) == game.line, col(Ruling.entry) == game.next_entry - 1
        )
    ).first()
    return last is not None and (last.act, last.account_id) == (LOOKED, account.id if account is not None else None)


@dataclass(frozen=True)
class _Made:
    """The changes made: the position after them with the game's row as it is to be, the entry, and what is told."""

    after: Position
    entry: Entry
    events: Sequence[Event]
    ruling: Ruling
    posted: Posted


def _made(service: Service, stands: Position, changes: Sequence[Change], rulings: Sequence[Ruling]) -> _Made:
    ruling = rulings[-1]
    was = {seat: before(stands, seat) for seat in stands.held}
    table = stands.table
    entry, events = table.change(note_of(ruling), changes, stands.game.stage_key)
    game = Game(**{**stands.game.model_dump(), "head": table.head, "next_entry": table.number + 1})
    seats = [Seat(**{**seat.model_dump(), "ready": False, "passes": False, "silent": False}) for seat in stands.seats]
    after = replace(stands, game=game, seats=seats)
    waiting, _ = awaited(after)
    game.waiting = ",".join(map(str, waiting))
    game.deadline = _deadline(after, waiting)
    game.settle_until = None if game.held else at_once(after, waiting)
    stage = after.rules.stage(table.state, game.pace)
    outlook = Outlook(stage, waiting, game.deadline, closed=False, over=False, sheets=after.sheets)
    records = [Record(entry, tuple(events), {})]
    telling = Telling(after, records, outlook, rulings, was, otherwise="changed")
    return _Made(after, entry, events, ruling, post(service, telling, after.held))


def _deadline(after: Position, waiting: Sequence[int]) -> datetime | None:
    """As it was, with half of a stage's time at least; none where the game stands still."""
    game = after.game
    if game.deadline is None:
        return None
    deadline = max(game.deadline, clock.now() + timedelta(seconds=game.stage_seconds // 2))
    return put_off(game, deadline, waiting, after.away)


def _write(service: Service, read: Game, made: _Made) -> bool:
    """All of it in one transaction, or nothing where the game has changed since it was read."""
    then, ruling = made.after.game, made.ruling
    with service.writing() as session:
        game = locked_game(session, id_of(read))
        if game.version != read.version:
            return False
        put_entry(session, game, ruling, made.entry, made.events)
        assert (game.head, game.next_entry) == (then.head, then.next_entry)
        all_told(session, game)
        ruling.told = game.stage_key
        game.next_ruling = ruling.number + 1
        game.waiting, game.settle_until, game.forced = then.waiting, then.settle_until, False
        if game.deadline != then.deadline:
            game.deadline, game.sequence = then.deadline, game.sequence + 1
        game.version += 1
        session.add(game)
        for row in made.after.seats:
            seat = session.get_one(Seat, row.id)
            seat.ready, seat.passes, seat.silent = row.ready, row.passes, row.silent
            seat.told = made.entry.number if row.number in made.after.held else row.told
        session.execute(delete(Snapshot).where(col(Snapshot.game_id) == game.id, col(Snapshot.closes).is_(False)))
        snapshot = made.after.table.snapshot()
        session.add(
            Snapshot(
                game_id=id_of(game),
                line=game.line,
                number=made.entry.number,
                stage_key=game.stage_key,
                table=snapshot,
            )
        )
        insert_rows(session, Report, rows(Report, made.posted.reports))
        insert_rows(session, Picture, rows(Picture, made.posted.pictures))
        insert_rows(session, Letter, rows(Letter, made.posted.letters))
        nudge(session, SEND, 0)
        nudge(session, ADVANCE, id_of(game))
    return True
