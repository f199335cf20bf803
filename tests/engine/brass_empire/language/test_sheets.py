"""Whole turns by sheets: what is used, what stops, what waits."""

from typing import Any

from engine.brass_empire.events import Bought, Converted, TurnEnded
from engine.brass_empire.rules import BrassEmpireRules
from engine.orders.sheet import Sheet
from engine.play import Run, StageEnded, Waiting, run
from engine.table import Table
from tests.engine.brass_empire.language.said import order
from tests.engine.brass_empire.position import Position

NOBODY: frozenset[int] = frozenset()


class Loose(BrassEmpireRules):
    """A test's position holds a few cards and no whole box."""

    def invariants(self, state: Any) -> tuple[str, ...]:
        """Nothing is looked for."""
        return ()


def _run(position: Position, text: str, *, silent: frozenset[int] = NOBODY, pace: str = "strict") -> Run:
    """Play on from a position by one sheet of the company whose turn it is."""
    seat = position.state.seat
    orders = [order(position, line, seat) for line in text.splitlines()]
    rules: Any = Loose(position.rules.setup)
    table, _, _ = Table.begin(rules, b"secret", ())
    table.state = position.state
    ready = frozenset(range(position.tables.seats))
    return run(table, pace, {seat: Sheet().with_submission(1, orders)}, frozenset(), silent, ready)


def _told(played: Run, kind: type) -> list[Any]:
    return [event.data for record in played.records for event in record.events if isinstance(event.data, kind)]


def _turn() -> Position:
    position = Position().hand(1, "clerk").hand(0, "manager", "clerk", "contractor").deck(0, *["clerk"] * 9)
    return position.row(0, "construction_sensei", deck=("paymaster",)).row(1, "iron_palisade").deck(1, *["clerk"] * 9)


def test_a_whole_turn_stands_in_one_sheet() -> None:
    """Alternatives and conditions hold when they come up; `end` ends it, and with it the stage."""
    position = _turn()
    played = _run(
        position,
        "play all\nif labor >= 9, buy paymaster\nbuy chroniker or construction sensei\nconvert all\nend",
    )
    assert isinstance(played.stop, StageEnded)
    assert [position.names([event.card]) for event in _told(played, Bought)] == [["construction_sensei"]]
    assert [event.brass for event in _told(played, Converted)] == [1]
    assert position.state.seat == 1


def test_a_sheet_that_runs_out_leaves_the_turn_open_at_the_strict_pace() -> None:
    """The company has drawn or bought something; it is asked how it goes on."""
    played = _run(_turn(), "play all")
    assert played.stop == Waiting((0,))


def test_a_pause_holds_play_there() -> None:
    """What stands after it is not looked at, though it could be done."""
    position = _turn()
    played = _run(position, "play manager\npause\nplay contractor")
    assert played.stop == Waiting((0,))
    assert position.names(position.state.played) == ["manager"]


def test_a_pause_of_a_seat_that_is_not_waited_for_is_passed_over() -> None:
    """After the deadline, and at the brisk pace, the sheet goes on, and then the default."""
    position = _turn()
    played = _run(position, "play manager\npause\nbuy paymaster", silent=frozenset({0}))
    assert played.records[1].tried[0][0].reason == "pause"
    assert position.names([event.card for event in _told(played, Bought)]) == []
    assert _told(played, TurnEnded)
