"""A game from its record: checked whole, then written whole, and played on here where it is not over.

A game that goes on stands still until its moderator takes it up. Its seats are nobody's: those who are to play them are
asked, as whenever a seat passes on, and told its story.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec
from sqlmodel import Session, col, select

from engine.journal import Entry, Note, canonical
from pbem import clock
from pbem.accounts import account_of, check_wanted, ensure_account
from pbem.context import Service
from pbem.errors import Refused
from pbem.games import policy, schedule
from pbem.games.away import POLICIES
from pbem.games.lifecycle import MAX_WORD, MOST_HOURS, Guest, check_level, check_number
from pbem.games.nmr import hold
from pbem.games.policy import PAUSED
from pbem.games.position import position
from pbem.games.posting import picture_of, stored
from pbem.games.rules import module_of
from pbem.games.telling import Outlook, Telling, told
from pbem.games.titles import MOST_TITLE, drawn_code, is_code
from pbem.letters import Recipient
from pbem.persontext import one_line
from pbem.records.checking import BadRecord, Whole, ended_by, read_record
from pbem.records.goingon import is_moment, typed_reading
from pbem.records.shape import Passed, Recorded, Running, Submitted
from pbem.records.writing import EXPORTED
from pbem.reports.game import game_words
from pbem.reports.ruled import rulings_told
from pbem.rulings.authority import Actor, check_length
from pbem.rulings.ending import AGREED, ENDED
from pbem.rulings.looking import LOOKED, SEEN
from pbem.rulings.previewing import PREVIEWED
from pbem.rulings.seats import replace_player
from pbem.sheets.folding import seal
from pbem.sheets.stored import Opened, decode_sheet, encode_reading, encode_sheet
from pbem.storage.bulk import insert_rows, rows
from pbem.storage.models import Game, JournalEntry, Picture, Press, Report, Ruling, Seals, Seat, Snapshot, Submission
from pbem.voting.proposals import CONCEDE, DRAW, RULED
from pbem.whatifs.copying import COPIED
from pbem.words import Words

MOMENTS = ("until", "from", "to")
"""Parameters of rulings that are moments, which each reader is told in a zone of their own."""
LOOKS = frozenset({LOOKED, SEEN, PREVIEWED, EXPORTED, COPIED})


@dataclass(frozen=True)
class Arrival:
    """Who a game is to have here: guests by the names of their sides, and a moderator's address, empty for none.

    `actor` asks the guests, with the reason that they are told.
    """

    seats: Mapping[str, Guest] = field(default_factory=dict)
    moderator: str = ""
    actor: Actor = Actor("")  # noqa: RUF009 - it is frozen


def import_record(service: Service, content: bytes, arrival: Arrival) -> str:
    """A game made from a record; its code. It is the record's own where no game here has that.

    Raises BadRecord as `read_record` does, and `setting`, `ruling`, `ending`, `moment`, `word`; Refused `bad_side`,
    `same_player`, `unwanted`, `blocked`, `bad_address`, `too_many_invitations`, `no_reason`, `long_reason`,
    `not_of_site`. Then nothing is made.
    """
    whole = read_record(content)
    _check_notes(whole)
    game = _game(whole)
    rulings = _rulings(whole, game)
    guests = {_side(whole, name): guest for name, guest in arrival.seats.items()}
    if guests and not (whole.game.over or arrival.actor.reason.strip()):
        raise Refused("no_reason")
    check_length(arrival.actor.reason)
    with service.writing() as session:
        _check_rights(session, arrival.actor)
        if session.exec(select(Game.id).where(col(Game.code) == game.code)).first() is not None:
            game.code = drawn_code()
        if arrival.moderator:
            game.moderator_id = _account_id(service, session, Guest(arrival.moderator))
        held = _held(service, session, game, guests)
        session.add(game)
        session.flush()
        assert game.id is not None
        _write(session, whole, game.id)
        for ruling in rulings:
            ruling.game_id = game.id
        insert_rows(session, Ruling, rows(Ruling, rulings))
        for number, seat in enumerate(_seats(whole, game.id)):
            if whole.game.over:
                seat.account_id, seat.joined = held.get(number), game.started if number in held else None
            session.add(seat)
    if whole.game.over:
        _tell_end(service, game.id, held)
    else:
        for number, guest in guests.items():
            replace_player(service, game.code, number, guest, arrival.actor)
    return game.code


def _tell_end(service: Service, game_id: int, held: Mapping[int, int]) -> None:
    """The last report of each seat that somebody has: how the game went, as the seat saw it."""
    with service.reading() as session:
        stands = position(session, game_id)
    stage = stands.rules.stage(stands.table.state, stands.game.pace)
    telling = Telling(stands, (), Outlook(stage, (), None, closed=True, over=True, sheets=stands.sheets), ())
    reports: list[Report] = []
    pictures: dict[str, Picture] = {}
    for number in held:
        player = stands.players[number]
        picture = picture_of(telling, Recipient.of(player.account, player.address, number))
        reports.append(stored(telling, telling.report(number), picture))
        pictures |= {picture.id: picture} if picture is not None else {}
    with service.writing() as session:
        insert_rows(session, Picture, rows(Picture, list(pictures.values())))
        insert_rows(session, Report, rows(Report, reports))


def _check_rights(session: Session, actor: Actor) -> None:
    """Raises Refused `not_of_site` for an account that does not moderate the site."""
    account = account_of(session, actor.address) if actor.address else None
    if actor.address and (account is None or not account.moderator or account.blocked is not None):
        raise Refused("not_of_site")


def _side(whole: Whole, name: str) -> int:
    names = [side.name for side in whole.game.sides]
    if name.lower() not in names:
        raise Refused("bad_side", given=name, known=", ".join(names))
    return names.index(name.lower())


def _held(service: Service, session: Session, game: Game, guests: Mapping[int, Guest]) -> dict[int, int]:
    """The accounts of those who are to have seats, made where there are none."""
    check_number(service, session, game, len(guests) if game.status == "playing" else 0)
    held: dict[int, int] = {}
    for number, guest in guests.items():
        check_wanted(session, guest.address)
        account_id = _account_id(service, session, guest)
        if account_id in held.values():
            raise Refused("same_player", address=guest.address)
        held[number] = account_id
    return held


def _account_id(service: Service, session: Session, guest: Guest) -> int:
    known = account_of(session, guest.address)
    account = known or ensure_account(
        session, service.settings.language, service.settings.time_zone, guest.address, guest.name
    )
    assert account.id is not None
    return account.id


def _game(whole: Whole) -> Game:
    """The row of a game that stands where its journal ends. Raises BadRecord for what no game here can have."""
    said, present = whole.game, list(whole.present.values())
    first, last = _moment(whole.entries[0].at), _moment(whole.entries[-1].at)
    if any(len(side.word) > MAX_WORD for side in said.sides):
        raise BadRecord("word", 1)
    code = said.code if is_code(said.code) else drawn_code()
    game = Game(
        code=code,
        title=one_line(said.title)[:MOST_TITLE] or code,
        rules=said.rules,
        rules_version=said.setup.version,
        setup=canonical(said.setup),
        pace=said.pace,
        stage_seconds=0,
        status="over" if said.over else "playing",
        line=said.line,
        epoch=whole.table.epoch,
        secret=whole.secret,
        secret_hash=bytes.fromhex(said.secret_hash),
        head=whole.table.head,
        next_entry=whole.table.number + 1,
        next_ruling=sum(entry.note is not None for entry in whole.typed) + 1,
        stage_key=whole.rules.stage(whole.table.state, said.pace).key,
        stage_number=len({entry.stage for entry in present if entry.stage}),
        agreed=_agreed(present),
        opened=last,
        created=clock.now(),
        started=first,
        ended=last if said.over else None,
    )
    if whole.rest:
        _run_on(whole, game)
    return game


def _agreed(present: list[Entry]) -> str:
    """How it ended before its rules ended it, as the game's row keeps it."""
    note = ended_by(present)
    if note is None:
        return ""
    how = str(note.params.get("how", ""))
    return f"{how} {note.params['seat']}" if how == CONCEDE else how


def _run_on(whole: Whole, game: Game) -> None:
    """What a game that goes on is run by. Raises BadRecord `setting` for what can't be set here."""
    running, place = whole.rest[0], 2 + len(whole.entries) + len(whole.seals) + len(whole.messages)
    assert isinstance(running, Running)
    module = module_of(game)
    most = MOST_HOURS * 3600
    try:
        silence = policy.changed(policy.Policy(), running.policy, module.bots)
        times = schedule.changed(schedule.Schedule(), running.schedule)
        if running.absence not in POLICIES:
            check_level(module, running.absence)
        for chair in running.seats:
            if chair.standin:
                check_level(module, chair.standin)
    except Refused as refused:
        raise BadRecord("setting", place) from refused
    if not (0 < running.stage_seconds <= most and 0 <= running.settling_seconds <= most):
        raise BadRecord("setting", place)
    game.stage_seconds, game.settling_seconds = running.stage_seconds, running.settling_seconds
    game.absence, game.policy = running.absence, policy.encode(silence)
    schedule.set_schedule(game, times)
    game.anonymous = running.anonymous
    game.stage_number, game.next_submission = running.number, running.next_submission
    game.waiting = ",".join(map(str, running.waiting))
    game.opened = clock.now()
    hold(game, PAUSED)


def _rulings(whole: Whole, game: Game) -> list[Ruling]:
    """The rulings of all lines as the journal has them; those of the open stage are to be told by the next report.

    Raises BadRecord `ruling` for one that there are no words for.
    """
    said, words = game_words(game.rules, whole.game.setup, "en"), Words.of("en", "UTC")
    made: list[Ruling] = []
    present = whole.present
    for place, (recorded, entry) in enumerate(zip(whole.entries, whole.typed, strict=True), 2):
        note = entry.note
        if note is None:
            continue
        is_present = present.get(entry.number) is entry
        ruling = Ruling(
            game_id=0,
            number=len(made) + 1,
            line=entry.line,
            entry=entry.number,
            actor=note.actor,
            act=note.act,
            reason=note.reason,
            params=msgspec.json.encode(note.params).decode(),
            secret=note.act in LOOKS,
            told="" if is_present and not game.ended and entry.stage == game.stage_key else entry.stage or game.code,
            at=_moment(recorded.at),
        )
        try:
            rulings_told([told(ruling)], said, words)
        except (KeyError, ValueError, TypeError, AttributeError, IndexError, OverflowError) as error:
            raise BadRecord("ruling", place, entry.number) from error
        made.append(ruling)
    return made


def _check_notes(whole: Whole) -> None:
    """Raises BadRecord `ending` for an end of which the game's row can't say how it was, `moment` for an odd one."""
    for place, entry in enumerate(whole.typed, 2):
        note = entry.note
        if note is None:
            continue
        if note.act in (ENDED, AGREED) and not _ends(note, whole.game.setup.seats):
            raise BadRecord("ending", place, entry.number)
        if any(name in note.params and not is_moment(note.params[name]) for name in MOMENTS):
            raise BadRecord("moment", place, entry.number)


def _ends(note: Note, seats: int) -> bool:
    how, seat = note.params.get("how"), note.params.get("seat")
    if note.act == ENDED:
        return how == RULED
    return how == DRAW or (how == CONCEDE and type(seat) is int and 0 <= seat < seats)


def _seats(whole: Whole, game_id: int) -> list[Seat]:
    seats = [Seat(game_id=game_id, number=number, name=side.name) for number, side in enumerate(whole.game.sides)]
    for seat, side in zip(seats, whole.game.sides, strict=True):
        seat.public_word = side.word
    running = whole.rest[0] if whole.rest else None
    if isinstance(running, Running):
        for seat, chair in zip(seats, running.seats, strict=True):
            sheet = decode_sheet(whole.rules, canonical(chair.sheet))
            seat.sheet, seat.nonce, seat.standin = encode_sheet(sheet), bytes.fromhex(chair.salt), chair.standin
            seat.seal = bytes.fromhex(seal(sheet, seat.nonce)) if seat.nonce else b""
    return seats


def _write(session: Session, whole: Whole, game_id: int) -> None:
    """Journal, snapshot, seals, messages, and what was sent to a game that goes on."""
    tried = {(line.line, line.entry): line.tried for line in whole.rest if isinstance(line, Passed)}
    entries: list[dict[str, Any]] = []
    for recorded, entry in zip(whole.entries, whole.typed, strict=True):
        passed = tried.get((entry.line, entry.number))
        entries.append(
            {
                "game_id": game_id,
                "line": entry.line,
                "number": entry.number,
                "stage_key": entry.stage,
                "entry": canonical(entry),
                "events": canonical(tuple(whole.events[entry.line, entry.number])),
                "opened": _stood(whole, recorded),
                "tried": msgspec.msgpack.encode(dict(passed)) if passed else b"",
                "public_hash": bytes.fromhex(recorded.hash),
                "at": _moment(recorded.at),
            }
        )
    insert_rows(session, JournalEntry, entries)
    table = whole.table
    stage = whole.rules.stage(table.state, whole.game.pace).key
    session.add(
        Snapshot(game_id=game_id, line=table.line, number=table.number, stage_key=stage, table=table.snapshot())
    )
    insert_rows(session, Seals, rows(Seals, _sealed(whole, game_id)))
    insert_rows(session, Press, rows(Press, _said(whole, game_id)))
    insert_rows(session, Submission, rows(Submission, _submissions(whole, game_id)))


def _stood(whole: Whole, recorded: Recorded) -> bytes:
    made = [
        Opened(
            each.seat,
            bytes.fromhex(each.salt),
            encode_sheet(decode_sheet(whole.rules, canonical(each.sheet))),
            bytes.fromhex(each.seal),
        )
        for each in recorded.sheets
    ]
    return canonical(made) if made else b""


def _sealed(whole: Whole, game_id: int) -> list[Seals]:
    opened: dict[tuple[int, int, str], list[Opened]] = {}
    for each in whole.seals:
        sheet = encode_sheet(decode_sheet(whole.rules, canonical(each.sheet)))
        opened.setdefault((each.line, each.entry, each.stage), []).append(
            Opened(each.seat, bytes.fromhex(each.salt), sheet, bytes.fromhex(each.seal))
        )
    return [
        Seals(game_id=game_id, line=line, entry=entry, stage_key=stage, opened=canonical(found))
        for (line, entry, stage), found in opened.items()
    ]


def _said(whole: Whole, game_id: int) -> list[Press]:
    return [
        Press(
            game_id=game_id,
            sender=each.by,
            seats=",".join(map(str, each.to)),
            text=each.text,
            stage_key=each.stage,
            at=_moment(each.at),
            everyone=each.by is None,
            anonymous=each.anonymous,
        )
        for each in whole.messages
    ]


def _submissions(whole: Whole, game_id: int) -> list[Submission]:
    rules = whole.rules
    return [
        Submission(
            game_id=game_id,
            seat=each.seat,
            number=each.number,
            key=f"import/{game_id}/{each.number}",
            line=each.line,
            stage_key=each.stage,
            received=_moment(each.received),
            stored=_moment(each.stored),
            source=each.source,
            text="",
            reading=encode_reading(typed_reading(rules, each.reading)),
            late=each.late,
            used_late=_moment(each.used_late) if each.used_late else None,
            acted=each.acted,
            entry=each.entry,
            sheet_before=encode_sheet(decode_sheet(rules, canonical(each.before))),
            ready_before=each.ready_before,
            sent_before=each.sent_before,
            undone=_moment(each.undone) if each.undone else None,
        )
        for each in whole.rest
        if isinstance(each, Submitted)
    ]


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
