"""Going back: play stands again where it stood earlier, on a new line of the journal; the old one stays in it.

Letters of the old line that nobody has begun to send are withdrawn, answers to those that went out come late, and each
player gets a report that says what is otherwise for them.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from sqlmodel import Session, col, delete, select

from engine.journal import canonical
from pbem.context import Service, nudge
from pbem.door import ADVANCE, SEND
from pbem.errors import Busy, Refused
from pbem.games.advance import untold
from pbem.games.earlier import latest_epoch, position_after, sheets_of_stage
from pbem.games.policy import PAUSED
from pbem.games.position import Played, Position, numbers, seat_rows
from pbem.games.posting import Posted, post, report_key
from pbem.games.recording import all_told, note_of, put_on_record
from pbem.games.resolve import at_once, awaited
from pbem.games.telling import Outlook, Telling, before
from pbem.letters import numbers_of
from pbem.mail.withdrawing import hold, unsent, withdraw
from pbem.reports.data import Told, decode_report
from pbem.rulings.authority import Actor
from pbem.rulings.record import TRIES, id_of, on_game, rule, ruling_on
from pbem.sheets.folding import new_salt, seal
from pbem.sheets.stored import Opened, decode_sheet, encode_sheet, opened_now
from pbem.storage.bulk import insert_rows, rows
from pbem.storage.models import (
    Account,
    Game,
    JournalEntry,
    Letter,
    Picture,
    Report,
    Ruling,
    Seals,
    Seat,
    Snapshot,
    StageTime,
)
from pbem.storage.sessions import locked_game

KEEP, REDRAW, CLEAR = "keep", "redraw", "clear"
CHANCES = (KEEP, REDRAW)
SHEETS = (KEEP, CLEAR)
ROLLED_BACK, ASKED = "rolled_back", "redraw_asked"


@dataclass(frozen=True)
class Back:
    """Where a game goes back to: as it stood after that journal entry.

    `chance` says whether what was drawn since comes again or is drawn anew (`CHANCES`); `sheets` whether the orders
    that stood in the stage stand again, for their players to change, or only the standing ones (`SHEETS`).
    """

    entry: int
    chance: str = KEEP
    sheets: str = KEEP


@dataclass(frozen=True)
class Reached:
    """Where a game comes to: how it stands on the new line, the sheets with their salts; `first` is the first entry of
    the present line that no longer is."""

    after: Position
    opened: Mapping[int, Opened]
    first: int


@dataclass(frozen=True)
class Gone:
    """A game gone back: its position on the new line, the sheets with their salts, what is told of it.

    `once_more` are by seat the rulings that are told again, for the letter that told of them goes no further than here.
    `head` is the chain's before the ruling. `first` is the first entry that no longer is, `made` what is put on the new
    line before the ruling, `copied` the rulings among that.
    """

    after: Position
    opened: Mapping[int, Opened]
    ruling: Ruling
    posted: Posted
    once_more: Mapping[int, Sequence[Told]]
    first: int
    head: bytes
    made: Sequence[JournalEntry] = ()
    copied: Sequence[Ruling] = ()


def roll_back(service: Service, code: str, back: Back, actor: Actor) -> Ruling:
    """Let the game stand as it did after an earlier entry; nobody is ready, and there is a whole stage's time.

    A stage that was drawn anew once is drawn anew again only if two say so: the first one's word is a ruling of its
    own (`redraw_asked`), and another's same word carries it out. Raises Refused `wrong_status` (after the end the
    secret is known), `no_reason`, `not_moderator`, `plays_too`, `ruled_meanwhile`, `no_entry`, `bad_choice`; and Busy.
    """
    for _ in range(TRIES):
        with service.reading() as session:
            way = way_back(session, code, back, actor)
            account, stands, after, opened = way.account, way.stands, way.after, way.opened
            epoch = after.table.epoch if back.chance == KEEP else latest_epoch(session, stands.game) + 1
            told = untold(session, id_of(stands.game))
            session.expunge_all()
        if not way.agreed:
            return _ask_for_another(service, code, back, after.game.stage_key, actor)
        ruling = ruling_on(stands.game, account, actor, *_record(after, back))
        after.table.branch(after.game.line, epoch)
        gone = told_of(service, stands, Reached(after, opened, back.entry + 1), (*told, ruling))
        if write(service, stands.game, gone):
            return gone.ruling
    raise Busy


@dataclass(frozen=True)
class Way:
    """How a game stands and where it would come to, for that account; `agreed`: whether nobody else has to say so."""

    account: Account | None
    stands: Position
    after: Position
    opened: Mapping[int, Opened]
    agreed: bool = True


def way_back(session: Session, code: str, back: Back, actor: Actor) -> Way:
    """Where a roll-back leads to. Nothing is changed. Raises as `roll_back`."""
    if back.chance not in CHANCES:
        raise Refused("bad_choice", given=back.chance, known=", ".join(CHANCES))
    if back.sheets not in SHEETS:
        raise Refused("bad_choice", given=back.sheets, known=", ".join(SHEETS))
    account, stands = on_game(session, code, actor, ROLLED_BACK)
    if not 1 <= back.entry < stands.table.number:
        raise Refused("no_entry", given=back.entry, last=stands.table.number - 1)
    after = position_after(session, stands, back.entry)
    opened = sheets_of_stage(session, stands, after.game.stage_key) if back.sheets == KEEP else {}
    agreed = back.chance == KEEP or actor.agreed or _agreed(session, after.game, back, account)
    return Way(account, stands, after, opened, agreed)


def _record(after: Position, back: Back) -> tuple[str, dict[str, Any]]:
    """What is on record of it: all may know all of it."""
    return ROLLED_BACK, {
        "entry": back.entry,
        "stage": after.game.stage_key,
        "chance": back.chance,
        "sheets": back.sheets,
    }


def _agreed(session: Session, then: Game, back: Back, account: Account | None) -> bool:
    """Whether what was drawn may be drawn anew: once for each stage, and again where another has asked for the same.

    To go back behind a stage that was drawn anew, and draw anew from there, draws that stage anew once more.
    """
    anew = [each for each in _rulings(session, then, ROLLED_BACK) if each[1]["chance"] == REDRAW]
    if not any(
        params["stage"] == then.stage_key or back.entry < _left_at(session, then, ruling) for ruling, params in anew
    ):
        return True
    mine = account.id if account is not None else None
    now = then.line - 1
    return any(
        asked.line == now and asked.account_id != mine and params["entry"] == back.entry
        for asked, params in _rulings(session, then, ASKED)
    )


def _left_at(session: Session, game: Game, ruling: Ruling) -> int:
    """The last entry of the line that was left by going back."""
    numbers = select(JournalEntry.number).where(
        col(JournalEntry.game_id) == game.id, col(JournalEntry.line) == ruling.line - 1
    )
    return session.exec(numbers.order_by(col(JournalEntry.number).desc()).limit(1)).first() or 0


def _rulings(session: Session, game: Game, act: str) -> list[tuple[Ruling, dict[str, Any]]]:
    found = session.exec(select(Ruling).where(col(Ruling.game_id) == game.id, col(Ruling.act) == act))
    return [(each, msgspec.json.decode(each.params)) for each in found]


def _ask_for_another(service: Service, code: str, back: Back, stage: str, actor: Actor) -> Ruling:
    """The first word for drawing a stage anew once more: on record and told at once, and nothing else happens."""
    params = {"entry": back.entry, "stage": stage}
    return rule(service, code, actor, ASKED, lambda game, seats: params, at_once=True)


def told_of(service: Service, stands: Position, reached: Reached, rulings: Sequence[Ruling]) -> Gone:
    """The last of the rulings put on the new line, where `after` stands, and each player's report of what is otherwise
    than it `stands`; it tells of the other rulings, which no report has told yet, as well."""
    after, opened, ruling = reached.after, reached.opened, rulings[-1]
    table, head = after.table, after.table.head
    entry = table.note(note_of(ruling), after.game.stage_key)
    sheets = {**after.sheets, **{seat: decode_sheet(stands.rules, each.sheet) for seat, each in opened.items()}}
    after = replace(after, sheets=sheets, played=[*after.played, Played(entry, {})])
    game = after.game
    game.line, game.epoch, game.head, game.next_entry = table.line, table.epoch, table.head, table.number + 1
    waiting, deadline = awaited(after)
    game.waiting = ",".join(map(str, waiting))
    game.deadline = None if game.held == PAUSED else deadline
    game.settle_until = None if game.held == PAUSED else at_once(after, waiting)
    stage = after.rules.stage(table.state, game.pace)
    outlook = Outlook(stage, waiting, game.deadline, closed=False, over=False, sheets=sheets)
    was = {seat: before(stands, seat) for seat in after.held}
    with service.reading() as session:
        once_more = _unheard(session, _void(session, stands.game, reached.first))
    posted = post(service, Telling(after, (), outlook, rulings, was, once_more), after.held)
    return Gone(after, opened, ruling, posted, once_more, reached.first, head)


def write(service: Service, read: Game, gone: Gone) -> bool:
    """All of it in one transaction, or nothing where the game has changed since it was read, or where others have not
    heard of rulings than those who are told once more."""
    after, ruling = gone.after, gone.ruling
    reports, pictures = rows(Report, gone.posted.reports), rows(Picture, gone.posted.pictures)
    letters = rows(Letter, gone.posted.letters)
    with service.writing() as session:
        game = locked_game(session, id_of(read))
        if game.version != read.version:
            return False
        void = _void(session, game, gone.first)
        hold(session, set(numbers_of(session, void).values()))
        if _unheard(session, void) != gone.once_more:
            return False
        _keep_sheets(session, game)
        _withdraw(session, game, void)
        missed = _missed(session, game, after.game)
        session.add_all([*gone.made, *gone.copied])
        session.flush()
        _take_over(game, gone)
        put_on_record(session, game, ruling)
        assert (game.head, game.next_entry) == (after.game.head, after.game.next_entry)
        all_told(session, game)
        ruling.told = game.stage_key
        game.next_ruling = ruling.number + 1
        game.version += 1
        for row in seat_rows(session, id_of(game)):
            _seat_back(row, gone)
            row.missed = max(row.missed - missed[row.number], 0)
            session.add(row)
        session.execute(delete(Snapshot).where(col(Snapshot.game_id) == game.id, col(Snapshot.closes).is_(False)))
        session.add(
            Snapshot(
                game_id=id_of(game),
                line=game.line,
                number=after.table.number,
                stage_key=game.stage_key,
                table=after.table.snapshot(),
            )
        )
        session.add(game)
        insert_rows(session, Report, reports)
        insert_rows(session, Picture, pictures)
        insert_rows(session, Letter, letters)
        nudge(session, SEND, 0)
        nudge(session, ADVANCE, id_of(game))
    return True


def _keep_sheets(session: Session, game: Game) -> None:
    """The sheets of the stage that is left are opened like those of one that has closed, so that they can come back."""
    opened = opened_now(seat_rows(session, id_of(game)))
    if opened:
        session.add(
            Seals(
                game_id=id_of(game),
                line=game.line,
                entry=game.next_entry - 1,
                stage_key=game.stage_key,
                opened=canonical(opened),
            )
        )


def _unheard(session: Session, void: Mapping[str, Report]) -> Mapping[int, Sequence[Told]]:
    """By seat the rulings in reports that go no further than here, for their letters are withdrawn: told once more."""
    found: dict[int, list[Told]] = defaultdict(list)
    numbers = numbers_of(session, void)
    here = unsent(session, set(numbers.values()))
    for key, report in void.items():
        for each in decode_report(report.data).rulings if numbers.get(key) in here else ():
            if each not in found[report.seat]:
                found[report.seat].append(each)
    return found


def _void(session: Session, game: Game, first: int) -> Mapping[str, Report]:
    """The reports that tell of that entry or later ones, by the unique key of the letter."""
    here = col(Report.game_id) == game.id, col(Report.entry) >= first
    reports = session.exec(select(Report).where(*here).order_by(col(Report.id)))
    return {report_key(game.code, each.line, each.entry, each.kind, each.seat): each for each in reports}


def _withdraw(session: Session, game: Game, void: Mapping[str, Report]) -> None:
    """Void reports are no longer any; of their letters, and of reminders, those that nobody has begun to send are never
    sent."""
    letters = col(Letter.key).in_(void) | (col(Letter.kind) == "reminder")
    withdraw(session, col(Letter.game_id) == game.id, letters)
    for report in void.values():
        session.delete(report)


def _missed(session: Session, game: Game, then: Game) -> Counter[int]:
    """By seat how many stages that are taken back closed without its answer: it has not missed them any more."""
    number = col(StageTime.number)
    since = col(StageTime.game_id) == game.id, number >= then.stage_number, number < game.stage_number
    rows = session.exec(select(StageTime).where(*since).order_by(col(StageTime.line)))
    closed = {row.number: row.awaited for row in rows}  # of a stage that was played twice the later time
    return Counter(seat for awaited in closed.values() for seat in numbers(awaited))


def _take_over(game: Game, gone: Gone) -> None:
    """The row becomes what the new line says, up to the ruling."""
    then = gone.after.game
    game.line, game.epoch, game.head, game.next_entry = then.line, then.epoch, gone.head, gone.after.table.number
    game.stage_key, game.stage_number, game.opened = then.stage_key, then.stage_number, then.opened
    game.waiting, game.settle_until = then.waiting, then.settle_until
    game.forced, game.quiet, game.agreed = False, 0, ""
    if game.held != PAUSED:
        game.held, game.held_since = "", None
    if game.deadline != then.deadline:
        game.deadline, game.sequence = then.deadline, game.sequence + 1


def _seat_back(row: Seat, gone: Gone) -> None:
    opened = gone.opened.get(row.number)
    row.ready = row.passes = row.silent = False
    row.sent = opened is not None
    sheet = gone.after.sheets[row.number]
    row.sheet = encode_sheet(sheet)
    # Standing orders of then are no sheet that a seal was told of: they get one, so that the record opens them too.
    row.nonce = opened.nonce if opened is not None else new_salt() if sheet.orders else b""
    told = opened.seal.hex() if opened is not None else ""
    row.seal = bytes.fromhex(told or seal(sheet, row.nonce)) if row.nonce else b""
    row.told = gone.after.table.number if row.number in gone.after.held else min(row.told, gone.after.table.number - 1)
