"""The acknowledgement as data: what was read line by line, what changed, what stands, what is still open."""

from datetime import datetime

from engine.contract import Asked, View
from engine.orders.shape import Line, Order, Reading
from pbem.games.position import Position
from pbem.games.rules import setup_of
from pbem.games.telling import sides
from pbem.reports import data
from pbem.sheets.folding import Folded
from pbem.sheets.lines import line

NOT_OFFERED = ("absent", "back", "extend", "undo")
"""Commands that are read and that the service does not do yet: said so, never passed over."""


class Acknowledger:
    """Makes the acknowledgement of one seat's submission from its own view."""

    def __init__(self, position: Position, seat: int, view: View, tongue: str) -> None:
        self.position = position
        self.seat = seat
        self.view = view
        self.tongue = tongue

    def acknowledgement(
        self,
        reading: Reading,
        folded: Folded,
        outcome: str,
        missing: tuple[Asked, ...],
        *,
        ready: bool,
        settling: datetime | None,
        seal: str,
    ) -> data.Acknowledgement:
        """What the player is told. `missing` is what the sheet does not answer."""
        position = self.position
        game = position.game
        stage = position.rules.stage(position.table.state, game.pace)
        return data.Acknowledgement(
            game=game.code,
            title=game.title,
            seat=self.seat,
            seats=sides(position),
            rules=game.rules,
            setup=setup_of(game),
            turn=stage.turn,
            stage=stage.name,
            outcome=outcome,
            lines=tuple(self._read(each) for each in reading.lines if each.order is not None),
            problems=tuple(self._problem(each) for each in reading.lines if _is_problem(each)),
            commands=tuple(each.text for each in reading.lines if each.command is not None and not _is_problem(each)),
            passed_over=sum(
                each.order is None and each.command is None and each.problem is None for each in reading.lines
            ),
            cut=reading.cut,
            added=tuple(self._line(kept.order) for kept in folded.added),
            removed=tuple(self._line(kept.order) for kept in folded.removed),
            sheet=tuple(self._line(kept.order) for kept in folded.after.orders),
            unanswered=tuple(
                data.Unanswered(kind=asked.kind, round=asked.round, times=asked.times, required=asked.required)
                for asked in missing
            ),
            press=_pressed(reading),
            deadline=game.deadline,
            ready=ready,
            settling=settling,
            seal=seal,
        )

    def _read(self, each: Line) -> data.ReadLine:
        assert each.order is not None
        return data.ReadLine(text=each.text, order=self._line(each.order), doubts=each.doubts)

    def _problem(self, each: Line) -> data.ReadLine:
        if each.problem is None:
            assert each.command is not None
            return data.ReadLine(text=each.text, code="not_offered", params={"command": each.command.name})
        problem = each.problem
        return data.ReadLine(
            text=each.text, code=problem.code, params=problem.params, token=problem.token, nearest=problem.nearest
        )

    def _line(self, order: Order) -> str:
        return line(self.position.module, order, self.view, self.tongue)


def _is_problem(each: Line) -> bool:
    return each.problem is not None or (each.command is not None and each.command.name in NOT_OFFERED)


def _pressed(reading: Reading) -> tuple[int, ...]:
    to = [seat for command in reading.commands if command.name == "press" for seat in command.params["to"]]
    return tuple(seat for seat in to if isinstance(seat, int))
