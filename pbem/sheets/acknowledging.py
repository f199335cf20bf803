"""The acknowledgement as data: what was read line by line, what changed, what stands, what is still open."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec

from engine.contract import Asked, Obstacle, View
from engine.orders.outlook import consequences, obstacle
from engine.orders.shape import Alternative, Line, Order, Reading
from engine.orders.sheet import Kept, Sheet, Tried, answer
from engine.orders.writer import examples
from pbem.games.position import Position
from pbem.games.rules import setup_of
from pbem.games.telling import sides
from pbem.reports import data
from pbem.sheets.acting import Acts
from pbem.sheets.folding import Folded, written
from pbem.sheets.lines import fact, line
from pbem.sheets.pressing import Delivery, Refusal

ELSEWHERE = ("not_in_stage", "round_over")
"""What stands against an order that the pending decision is not for."""
PROSE_LINES = 5
PROSE_WIDTH = 72
"""How much of what was passed over is shown: so much that nothing of weight goes unseen."""


class Acknowledger:
    """Makes the acknowledgement of one seat's submission from its own view."""

    def __init__(self, position: Position, seat: int, view: View, tongue: str) -> None:
        self.position = position
        self.seat = seat
        self.view = view
        self.tongue = tongue
        self._agenda = position.rules.agenda(view, position.game.pace)

    def acknowledgement(
        self,
        reading: Reading,
        folded: Folded,
        outcome: str,
        missing: tuple[Asked, ...],
        later: tuple[Asked, ...],
        acts: Acts,
        *,
        heading: str,
        ready: bool,
        settling: datetime | None,
        seal: str,
        deadline: datetime | None,
        late_by: int | None,
        overtaken: datetime | None,
    ) -> data.Acknowledgement:
        """What the player is told. The sheet answers neither `missing`, which is asked, nor `later`, which may be."""
        position = self.position
        game = position.game
        stage = position.rules.stage(position.table.state, game.pace)
        refused, gone = _refused(reading, acts), folded.removed
        ordered = [each for each in reading.lines if each.order is not None]
        own = written(game.next_submission, reading)
        stand = [kept.order for kept in own]
        lines = tuple(self._read(ordered[kept.ref[1]], stand) for kept in own)
        spent = self._spent(folded, stand)
        against = {each.order for each in (*lines, *spent) if each.code}
        followed = [each for at, each in enumerate(reading.lines) if each.command is not None and at not in refused]
        return data.Acknowledgement(
            game=game.code,
            title=game.title,
            seat=self.seat,
            seats=sides(position, is_over=False),
            rules=game.rules,
            setup=setup_of(game),
            turn=stage.turn,
            stage=stage.name,
            outcome=outcome,
            heading=heading,
            lines=lines,
            problems=tuple(_problem(each, refused[at]) for at, each in enumerate(reading.lines) if at in refused),
            commands=tuple(each.text for each in followed),
            guessed=tuple(
                data.ReadLine(text=each.text, order=each.text, doubts=each.doubts) for each in followed if each.doubts
            ),
            done=tuple(acts.done.values()),
            passed_over=sum(map(_is_prose, reading.lines)),
            prose=tuple(each.text[:PROSE_WIDTH] for each in reading.lines if _is_prose(each))[:PROSE_LINES],
            cut=reading.cut,
            added=tuple(self._line(kept.order) for kept in folded.added),
            removed=tuple(self._line(each.order) for each in position.open_orders(folded.before) if each in gone),
            sheet=tuple(self._line(kept.order) for kept in position.open_orders(folded.after)),
            spent=spent,
            foreseen=tuple(self._foreseen(folded, against)) if outcome == "checked" else (),
            unanswered=_unanswered(missing),
            later=_unanswered(later),
            **(_pressed(acts.press) if outcome != "checked" else {}),
            deadline=deadline,
            ready=ready,
            settling=settling,
            seal=seal,
            late_by=late_by,
            overtaken=overtaken,
        )

    def _read(self, each: Line, stand: Sequence[Order]) -> data.ReadLine:
        """An order, with why it can't be done: nothing in it can as things stand, or its stage is another one.

        `stand` are all orders of its submission that do.
        """
        assert each.order is not None
        read = data.ReadLine(text=each.text, order=self._line(each.order), doubts=each.doubts)
        against = self._against(each.order)
        is_now = self._comes_up_as_things_stand(each.order, stand)
        tried = self._tried(each.order) if is_now and (against is None or against.code not in ELSEWHERE) else None
        if tried is not None and tried.reason != "condition":
            nearest = self._nearest(each.order)
            return msgspec.structs.replace(read, code=tried.reason, params=dict(tried.params), nearest=nearest)
        if against is None:
            return read
        return msgspec.structs.replace(read, code=against.code, params=against.params, passing=not against.for_good)

    def _comes_up_as_things_stand(self, order: Order, stand: Sequence[Order]) -> bool:
        """Whether nothing that the same player does first will change what the order finds."""
        if order.kind not in self.position.module.language.successive:
            return True
        return order is next(each for each in stand if each.kind == order.kind)

    def _against(self, order: Order) -> Obstacle | None:
        """What stands against an order, with facts in words."""
        found = obstacle(self.position.rules, self.view, order, self._agenda)
        if found is None or "fact" not in found.params:
            return found
        said = fact(self.position.module, found.params["fact"], self.view, self.tongue)
        return Obstacle(found.code, {**found.params, "fact": said}, found.for_good)

    def _nearest(self, order: Order) -> str:
        """What could be done: near to what was asked where the game knows that, else an example."""
        position, language = self.position, self.position.module.language
        intent = language.nearby(position.rules, position.table.state, self.seat, order.alternatives[-1].intent)
        if intent is not None:
            return self._line(Order(order.kind, (Alternative(intent),), order.round))
        asked = examples(language, position.rules, self.view, order.kind, order.round, self.tongue)
        return asked[0] if asked else ""

    def _spent(self, folded: Folded, stand: Sequence[Order]) -> tuple[data.ReadLine, ...]:
        """Orders of the sheet that can't be used any more and were written before: of this one's that is told by line.

        Those that `use` or `undo` have brought back to the sheet are among them.
        """
        new, used = {each.ref for each in folded.added if each.order in stand}, self.position.used
        kept = [each.order for each in folded.after.orders if each.ref not in new and each.ref not in used]
        found = [(order, self._against(order)) for order in kept]
        return tuple(
            data.ReadLine(text="", order=self._line(order), code=against.code, params=against.params)
            for order, against in found
            if against is not None and against.for_good
        )

    def _foreseen(self, folded: Folded, against: set[str]) -> Iterator[data.Prospect]:
        """What the orders of the sheet would bring about, from the seat's own view; and which would not be used, but
        for those of which that is said already."""
        position = self.position
        orders = [kept.order for kept in position.open_orders(folded.after)]
        for order, told, passed in consequences(position.rules, self.view, orders, position.game.pace):
            said = self._line(order)
            if passed is not None and said not in against:
                yield data.Prospect(order=said, code=passed.code, params=passed.params)
            elif told:
                yield data.Prospect(order=said, consequences=tuple((each.code, each.params) for each in told))

    def _tried(self, order: Order) -> Tried | None:
        """Why the pending decision of the seat can't be answered with that order alone; None if it can be."""
        rules, state = self.position.rules, self.position.table.state
        decision = rules.pending(state)
        if decision is None or self.seat not in decision.seats:
            return None
        said = answer(rules, state, self.seat, decision, Sheet((Kept((0, 0), order),)), frozenset())
        tried = said.tried[-1] if said.choice is None and said.tried else None
        return tried if tried is None or tried.reason != "pause" else None

    def _line(self, order: Order) -> str:
        return line(self.position.module, order, self.view, self.tongue)


def _pressed(press: Sequence[Delivery]) -> dict[str, Any]:
    """Whom its messages went to, as far as their writer is to know it."""
    known = [seat for each in press if not each.veiled for seat in each.seats]
    return {
        "press": tuple(dict.fromkeys(known)),
        "press_answers": any(each.veiled for each in press),
        "press_moderator": any(each.to_moderator for each in press),
    }


def _is_prose(each: Line) -> bool:
    return each.order is None and each.command is None and each.problem is None


def _refused(reading: Reading, acts: Acts) -> dict[int, Refusal | None]:
    """The places of the lines that come to nothing; with the reason where it is a command that can't be followed."""
    found: dict[int, Refusal | None] = {at: None for at, each in enumerate(reading.lines) if each.problem is not None}
    commands = [at for at, each in enumerate(reading.lines) if each.command is not None]
    return found | {commands[place]: refusal for place, refusal in acts.refused.items()}


def _problem(each: Line, refusal: Refusal | None) -> data.ReadLine:
    if refusal is not None:
        code, params = refusal
        return data.ReadLine(text=each.text, code=code, params=dict(params))
    problem = each.problem
    assert problem is not None
    return data.ReadLine(
        text=each.text, code=problem.code, params=problem.params, token=problem.token, nearest=problem.nearest
    )


def _unanswered(missing: tuple[Asked, ...]) -> tuple[data.Unanswered, ...]:
    return tuple(
        data.Unanswered(kind=asked.kind, round=asked.round, times=asked.times, required=asked.required)
        for asked in missing
    )
