"""The acts of a what-if's owner: orders for a seat, a default, a stand-in's choice, one step back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlmodel import Session, col, func, select

from engine.contract import Bot
from engine.orders.reader import read
from engine.orders.shape import Reading
from engine.play import unanswered
from pbem import clock
from pbem.context import Service
from pbem.errors import Busy, Refused
from pbem.games.lifecycle import check_level
from pbem.games.position import Position
from pbem.games.rules import bound, module_named
from pbem.games.telling import Outlook, Telling
from pbem.reports.data import Acknowledgement, Report
from pbem.sheets.acknowledging import Acknowledger
from pbem.sheets.acting import Acts
from pbem.sheets.folding import Folded, fold
from pbem.sheets.lines import tongue_of
from pbem.storage.models import Game, Seat, WhatIf, WhatIfMoment
from pbem.whatifs.copying import opened_table, what_if
from pbem.whatifs.playing import Act, Moment, Stands, opened_sheets, play

MOST_ACTS = 1000
"""Acts that a what-if remembers, so that each can be taken back."""
FOLLOWED = frozenset({"ready", "clear", "cancel", "never_mind"})
"""Commands that mean something where one person plays all sides."""
_moments = msgspec.msgpack.Decoder(Moment)


@dataclass(frozen=True)
class Opened:
    """A what-if as it stands after its act `number`."""

    row: WhatIf
    number: int
    stands: Stands

    def position(self) -> Position:
        """What reports and acknowledgements are made from: rows that no database has, and nobody's names."""
        return _position(self, self.stands.sheets)


def opened(session: Session, code: str, account_id: int) -> Opened:
    """The account's what-if of that code. Raises Refused `no_what_if`."""
    row = what_if(session, code, account_id)
    last = _last(session, row)
    moment = _moments.decode(last.moment)
    table = opened_table(session, row, moment.table)
    rules = bound(row.rules, row.setup)
    stands = Stands(
        module=module_named(row.rules),
        rules=rules,
        table=table,
        pace=row.pace,
        sheets=opened_sheets(rules, moment.sheets),
        stood=opened_sheets(rules, moment.stood),
        records=moment.records,
        closed=moment.closed,
    )
    return Opened(row, last.number, stands)


def report(at: Opened, seat: int) -> Report:
    """What the seat would be told of the last act, and is asked now."""
    stands = at.stands
    told = _position(at, stands.stood)
    stage, is_over = stands.rules.stage(stands.table.state, stands.pace), not stands.asked
    outlook = Outlook(stage, stands.awaited, None, closed=stands.closed, over=is_over, sheets=stands.sheets)
    return Telling(told, stands.records, outlook, ()).report(seat)


def send_orders(
    service: Service, code: str, account_id: int, seat: int, text: str, language: str, seen: int
) -> Acknowledgement:
    """Read them for that seat, and play on as far as the sheets go; what was read, for the page.

    `seen` is the number of the act after which they were written. Raises Refused `no_what_if`, `no_seat`,
    `what_if_moved`, `what_if_long`.
    """
    told: list[Acknowledgement] = []

    def act(at: Opened) -> Act:
        stands, position = at.stands, at.position()
        view = stands.rules.view(stands.table.state, seat)
        tongue = tongue_of(stands.module, language)
        reading = read(text, stands.module.language, view, tongue, stands.rules)
        refused = {place: each.name for place, each in enumerate(reading.commands) if each.name not in FOLLOWED}
        folded = fold(stands.sheets[seat], at.number + 1, reading, late=False)
        says_ready = any(each.name == "ready" for each in reading.commands)
        told.append(_acknowledged(Acknowledger(position, seat, view, tongue), reading, folded, refused))
        sheets = {**stands.sheets, seat: folded.after}
        return Act(sheets, frozenset({seat}) if says_ready else frozenset())

    _do(service, code, account_id, seat, seen, act)
    return told[-1]


def take_default(service: Service, code: str, account_id: int, seat: int, seen: int) -> None:
    """Answer what is pending for that seat with its default. Raises as `send_orders`."""
    _do(service, code, account_id, seat, seen, lambda at: Act(at.stands.sheets, frozenset({seat})))


def let_play(service: Service, code: str, account_id: int, seat: int, level: str, seen: int) -> None:
    """Let a stand-in answer for that seat until another is asked. Raises as `send_orders`, and `unknown_level`."""

    def act(at: Opened) -> Act:
        check_level(at.stands.module, level)
        bot: Bot = at.stands.module.bots[level](at.stands.rules)
        return Act(at.stands.sheets, standins={seat: bot})

    _do(service, code, account_id, seat, seen, act)


def step_back(service: Service, code: str, account_id: int, seen: int) -> None:
    """Take the last act back. Raises Refused `no_what_if`, `what_if_moved`, `what_if_begins` where there is none."""
    with service.writing() as session:
        row = what_if(session, code, account_id)
        last = _last(session, row)
        if last.number != seen:
            raise Refused("what_if_moved")
        if not last.number:
            raise Refused("what_if_begins")
        session.delete(last)


def _last(session: Session, row: WhatIf) -> WhatIfMoment:
    """Where the last act has led."""
    query = select(WhatIfMoment).where(col(WhatIfMoment.what_if_id) == row.id)
    return session.exec(query.order_by(col(WhatIfMoment.number).desc()).limit(1)).one()


def _do(service: Service, code: str, account_id: int, seat: int, seen: int, act: Callable[[Opened], Act]) -> None:
    """Play with no transaction open, and keep where it leads if nothing was done meanwhile."""
    with service.reading() as session:
        at = opened(session, code, account_id)
    if not 0 <= seat < at.stands.rules.setup.seats:
        raise Refused("no_seat")
    if at.number != seen or not at.stands.asked:
        raise Refused("what_if_moved")
    if at.number >= MOST_ACTS:
        raise Refused("what_if_long", most=MOST_ACTS)
    moment = play(at.stands, act(at)).encoded()
    with service.writing() as session:
        row = what_if(session, code, account_id)
        session.get_one(WhatIf, row.id, with_for_update=True)
        newest = select(func.max(WhatIfMoment.number)).where(col(WhatIfMoment.what_if_id) == row.id)
        if session.exec(newest).one() != at.number:
            raise Busy
        assert row.id is not None
        session.add(WhatIfMoment(what_if_id=row.id, number=at.number + 1, moment=moment))


def _position(at: Opened, sheets: dict[int, Any]) -> Position:
    stands, row = at.stands, at.row
    table = stands.table
    stage = stands.rules.stage(table.state, stands.pace)
    game = Game(
        id=0,
        code=row.code,
        title=row.title,
        rules=row.rules,
        rules_version=stands.rules.setup.version,
        setup=row.setup,
        pace=row.pace,
        stage_seconds=0,
        status="playing",
        secret=b"",
        secret_hash=b"",
        head=table.head,
        next_entry=table.number + 1,
        stage_key=stage.key,
        stage_number=1,
        created=clock.now(),
    )
    names = stands.module.seat_names
    seats = [Seat(game_id=0, number=seat, name=names[seat]) for seat in range(stands.rules.setup.seats)]
    return Position(game, seats, {}, stands.module, stands.rules, table, sheets, [], [], {})


def _acknowledged(maker: Acknowledger, reading: Reading, folded: Folded, refused: dict[int, str]) -> Acknowledgement:
    stands = maker.position
    missing = unanswered(stands.rules, stands.table.state, maker.seat, folded.after, frozenset(), stands.game.pace)
    acts = Acts({}, {place: ("not_in_what_if", {"command": name}) for place, name in refused.items()})
    read_any = bool(reading.orders) or len(reading.commands) > len(refused)
    return maker.acknowledgement(
        reading,
        folded,
        "kept" if read_any else "nothing",
        missing,
        (),
        acts,
        heading="orders" if reading.orders else "changed" if folded.changed else "ready",
        ready=not missing,
        settling=None,
        seal="",
        deadline=None,
        late_by=None,
        overtaken=None,
    )
