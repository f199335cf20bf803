"""What a seat is told of the play: its events, the fate of its orders, what is asked next. Data only, no words.

Everything comes from the seat's view and the events that it may see, and from what all may know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

import msgspec

from engine.contract import Event, Stage, View
from engine.journal import Entry
from engine.orders.shape import Order
from engine.orders.sheet import Sheet, Tried
from engine.play import Record
from pbem.games.away import away_now
from pbem.games.drawing import moved
from pbem.games.position import Position, Ref, name_shown
from pbem.games.rules import setup_of
from pbem.reports import data
from pbem.sheets.lines import fact, line, questions, tongue_of
from pbem.storage.models import Ruling


@dataclass(frozen=True)
class Outlook:
    """How things stand after the play that is told: what the game's row will say. `closed` where a stage has ended."""

    stage: Stage
    waiting: tuple[int, ...]
    deadline: datetime | None
    closed: bool
    over: bool
    sheets: Mapping[int, Sheet]


@dataclass(frozen=True)
class Telling:
    """All that the reports of one play have in common."""

    position: Position
    records: Sequence[Record]
    outlook: Outlook
    rulings: Sequence[Ruling]
    before: Mapping[int, data.Before] = field(default_factory=dict)
    """By seat how things were told before a ruling made them otherwise: then these are reports of that."""
    unheard: Mapping[int, Sequence[data.Told]] = field(default_factory=dict)
    """By seat rulings that a report told of which never reached it."""
    otherwise: str = "corrected"
    """The occasion of such reports: `corrected`, or `changed`."""

    def report(self, seat: int | None) -> data.Report:
        """What the seat is told; what everyone may know for None."""
        position, outlook = self.position, self.outlook
        game, rules, state = position.game, position.rules, position.table.state
        view = rules.view(state, seat)
        return data.Report(
            game=game.code,
            title=game.title,
            seat=seat,
            seats=sides(position, is_over=outlook.over),
            rules=game.rules,
            setup=setup_of(game),
            turn=outlook.stage.turn,
            stage=outlook.stage.name,
            events=data.seen(self._events(seat), seat),
            orders=() if seat is None else self._fates(seat, view),
            view=data.plain(view),
            public=self.public,
            moved=self.moved,
            standings=tuple(rules.standings(state)) if outlook.over else (),
            questions=() if seat is None else self._questions(seat, view),
            rulings=self._all_rulings(seat),
            sheet=() if seat is None else self._lines(seat, view),
            deadline=outlook.deadline,
            waiting=outlook.waiting,
            over=outlook.over,
            entry=position.table.number,
            head=position.table.head.hex(),
            secret_hash=game.secret_hash.hex(),
            secret=game.secret.hex() if outlook.over else "",
            openings=() if seat is None else self._openings(seat),
            pace=game.pace,
            away=tuple(sorted(away_now(position.away).items())),
            observers=() if outlook.over else position.observers,
            first=not game.stage_number,
            agreed=game.agreed if outlook.over else "",
            occasion=self._occasion,
            before=None if seat is None else self.before.get(seat),
        )

    @property
    def _occasion(self) -> str:
        if self.before:
            return self.otherwise
        return "over" if self.outlook.over else "stage" if self.outlook.closed else "question"

    def _openings(self, seat: int) -> tuple[str, ...]:
        """The seal of the seat's sheet as its last acknowledgement had it, and the salt that opens it (hexadecimal)."""
        row = self.position.seats[seat]
        if not self.outlook.closed or not row.nonce:
            return ()
        return (f"{row.seal.hex()}:{row.nonce.hex()}",)

    @cached_property
    def public(self) -> Any:
        """What everyone knows now, as plain values."""
        return data.plain(self.position.rules.view(self.position.table.state, None))

    @cached_property
    def moved(self) -> tuple[Any, ...]:
        """What the picture draws of what happened in this stage, as plain values."""
        earlier = [event for each in self.position.played for event in each.events]
        return moved(self.position.rules, earlier, [event for record in self.records for event in record.events])

    def _events(self, seat: int | None) -> list[Event]:
        told_of = 0 if seat is None else self.position.seats[seat].told
        earlier = [event for number, events in self.position.untold if number > told_of for event in events]
        return earlier + [event for record in self.records for event in record.events]

    def _rulings(self, seat: int | None) -> list[Ruling]:
        """Those that the seat's reports have not told yet: one that asks within a stage has told some already."""
        told_of = 0 if seat is None else self.position.seats[seat].told
        return [ruling for ruling in self.rulings if not ruling.entry or ruling.entry > told_of]

    def _all_rulings(self, seat: int | None) -> tuple[data.Told, ...]:
        """Each once: one that only some have been told of in its stage is both unheard and to be told."""
        unheard = () if seat is None else self.unheard.get(seat, ())
        now = [told(ruling) for ruling in self._rulings(seat)]
        return (*unheard, *(each for each in now if each not in unheard))

    def _questions(self, seat: int, view: View) -> tuple[data.Question, ...]:
        if self.outlook.over:
            return ()
        position = self.position
        rules = position.rules
        agenda = rules.agenda(view, position.game.pace)
        return questions(position.module, rules, agenda, view, self._tongue(seat))

    def _lines(self, seat: int, view: View) -> tuple[str, ...]:
        uses = self._uses(seat)
        left = (kept for kept in self.outlook.sheets[seat].orders if kept.order.always or kept.ref not in uses)
        return tuple(self._line(seat, kept.order, view) for kept in left)

    def _fates(self, seat: int, view: View) -> tuple[data.Fate, ...]:
        """What became of each order that stood for this play, in the order in which they stood."""
        uses, tried, results = self._uses(seat), self._tried(seat), self._results(seat)
        standing = [(kept.ref, kept.order) for kept in self.position.sheets[seat].orders]
        replaced = [(ref, order) for ref, order in self.position.replaced.items() if ref in uses]
        fates = [
            (ref, self._fate(seat, order, uses.get(ref), tried.get(ref), view)) for ref, order in replaced + standing
        ]
        return tuple(msgspec.structs.replace(fate, result=results.get(ref, ())) for ref, fate in fates)

    def _fate(self, seat: int, order: Order, use: int | None, tried: Tried | None, view: View) -> data.Fate:
        written = self._line(seat, order, view)
        if use is not None and order.always:
            return data.Fate(order=written, code="standing")
        if use:
            taken = msgspec.structs.replace(order, alternatives=order.alternatives[use : use + 1], test=None)
            return data.Fate(order=written, code="alternative", taken=self._line(seat, taken, view))
        if use is not None:
            return data.Fate(order=written, code="used")
        if tried is not None:
            params = dict(tried.params)
            if "fact" in params:
                params["fact"] = fact(self.position.module, params["fact"], view, self._tongue(seat))
            return data.Fate(order=written, code=tried.reason, params=params)
        waits = order.always or not self.outlook.closed
        return data.Fate(order=written, code="waiting" if waits else self._left(seat, order))

    def _left(self, seat: int, order: Order) -> str:
        """Why an order was not even looked at: what it was for was answered without it, asked of others, or never
        asked."""
        asked = [
            entry
            for entry in self._entries()
            if entry.kind == order.kind and (not entry.round or order.round in (0, entry.round))
        ]
        if any(given.seat == seat for entry in asked for given in entry.answers):
            return "answered"
        return "unasked" if asked else "left"

    def _entries(self) -> list[Entry]:
        """The decisions of this stage."""
        return [each.entry for each in self.position.played] + [record.entry for record in self.records]

    def _uses(self, seat: int) -> dict[Ref, int]:
        """Which alternative of each order was used in this stage."""
        return {
            given.ref: given.alternative
            for entry in self._entries()
            for given in entry.answers
            if given.seat == seat and given.ref is not None
        }

    def _results(self, seat: int) -> dict[Ref, tuple[Any, ...]]:
        """What the seat saw happen at the decision that each order answered, as far as it was played just now."""
        return {
            given.ref: data.seen(record.events, seat)
            for record in self.records
            for given in record.entry.answers
            if given.seat == seat and given.ref is not None
        }

    def _tried(self, seat: int) -> dict[Ref, Tried]:
        """The first reason for which each order was passed over in this stage: later ones may only follow from it."""
        tries = [each.tried for each in self.position.played] + [record.tried for record in self.records]
        found: dict[Ref, Tried] = {}
        for tried in (tried for by_seat in tries for tried in by_seat.get(seat, ())):
            found.setdefault(tried.ref, tried)
        return found

    def _line(self, seat: int, order: Order, view: View) -> str:
        return line(self.position.module, order, view, self._tongue(seat))

    def _tongue(self, seat: int) -> str:
        player = self.position.players.get(seat)
        return tongue_of(self.position.module, player.account.language if player else "en")


def before(position: Position, seat: int) -> data.Before:
    """How things stand for a seat now, to be told of when a ruling makes them otherwise."""
    rules, state = position.rules, position.table.state
    view = rules.view(state, seat)
    player = position.players.get(seat)
    tongue = tongue_of(position.module, player.account.language if player else "en")
    kept = position.open_orders(position.sheets[seat])
    return data.Before(
        view=data.plain(view),
        public=data.plain(rules.view(state, None)),
        sheet=tuple(line(position.module, each.order, view, tongue) for each in kept),
    )


def sides(position: Position, *, is_over: bool) -> tuple[data.Seat, ...]:
    """The sides and who holds them, by the names that others see; in an anonymous game at its end alone."""
    players = position.players
    return tuple(
        data.Seat(
            id=position.module.seat_names[seat.number],
            player=players[seat.number].account.name
            if is_over and seat.number in players
            else name_shown(position.game, players.get(seat.number)),
            standin=bool(seat.standin),
        )
        for seat in position.seats
    )


def told(ruling: Ruling) -> data.Told:
    """A ruling as the report tells it."""
    return data.Told(
        code=ruling.act,
        reason=ruling.reason,
        by=ruling.actor,
        at=ruling.at,
        params=msgspec.json.decode(ruling.params),
    )


def asks_of(position: Position) -> tuple[int, ...]:
    """Whose answers a stage that opens now waits for: follows from what all may know.

    At the brisk pace all seats that it asks anything of; else those of the pending decision, or, where that is a
    private one, all that the stage asks.
    """
    rules, state, pace = position.rules, position.table.state, position.game.pace
    decision = rules.pending(state)
    if decision is None:
        return ()
    if pace != "brisk" and not decision.private:
        return decision.seats
    seats = range(len(position.seats))
    return tuple(seat for seat in seats if rules.agenda(rules.view(state, seat), pace))
