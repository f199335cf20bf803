"""Whole turns by sheets: what is used, what stops, what waits."""

from typing import Any

import pytest

from engine.brass_empire.events import Bought, Converted, Discarded, TurnEnded
from engine.brass_empire.rules import BrassEmpireRules
from engine.errors import Illegal
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


def _run(
    position: Position, text: str, *, other: str = "", silent: frozenset[int] = NOBODY, pace: str = "strict"
) -> Run:
    """Play on from a position by one sheet of the company whose turn it is, and one of the next."""
    seat = position.state.seat
    sheets = {seat: _sheet(position, seat, text), seat + 1: _sheet(position, seat + 1, other)}
    rules: Any = Loose(position.rules.setup)
    table, _, _ = Table.begin(rules, b"secret", ())
    table.state = position.state
    ready = frozenset(range(position.tables.seats))
    return run(table, pace, sheets, frozenset(), silent, ready)


def _sheet(position: Position, seat: int, text: str) -> Sheet:
    return Sheet().with_submission(1 + seat, [order(position, line, seat) for line in text.splitlines()])


def _made_to_discard() -> Position:
    """A turn in which a card is played that makes the other company discard."""
    position = _turn().hand(0, "parlor_saboteur", "clerk")
    return position.hand(1, "clerk", "clerk", "manager", "union_worker", "contractor")


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


@pytest.mark.rule("BE-EFF-25")
def test_a_turn_waits_for_a_company_that_its_card_makes_discard() -> None:
    """In the middle of the play of a hand; nothing after it happens before."""
    position = _made_to_discard()
    assert _run(position, "play parlor saboteur, clerk\nend").stop == Waiting((1,))
    assert position.names(position.state.played) == ["parlor_saboteur"]


@pytest.mark.rule("BE-EFF-25")
@pytest.mark.parametrize(
    ("standing", "discarded"),
    [("always discard cheapest", "clerk"), ("always discard manager", "manager"), ("discard 2 managers", "manager")],
)
def test_a_standing_order_answers_in_anothers_turn(standing: str, discarded: str) -> None:
    """The turn does not stop for it, and goes on to its end."""
    position = _made_to_discard()
    played = _run(position, "play parlor saboteur, clerk\nend", other=standing)
    assert isinstance(played.stop, StageEnded)
    assert [position.names(event.cards) for event in _told(played, Discarded)] == [[discarded]]


def test_a_card_that_is_destroyed_asks_its_owner_in_anothers_turn() -> None:
    """Chroniker's owner may draw: the attacker's turn waits, unless a standing order has said it."""
    for other, stopped, drew in (("", True, 0), ("always accept", False, 1), ("always decline", False, 0)):
        position = _turn()
        position.piece(0, "sky_dreadnought")
        position.piece(1, "chroniker")
        before = len(position.company(1).hand)
        played = _run(position, "attack blue chroniker with sky dreadnought\nend", other=other)
        assert (played.stop == Waiting((1,))) == stopped
        assert len(position.company(1).hand) == before + drew


def test_decline_answers_what_may_be_dismissed() -> None:
    """By itself, and as the last alternative of a standing order."""
    for answer in ("decline", "always dismiss paymaster or decline"):
        position = _turn().hand(0, "severance_officer", "clerk")
        played = _run(position, f"play all\n{answer}\nend")
        assert isinstance(played.stop, StageEnded)
        assert position.state.gone == []
        assert _told(played, TurnEnded)[0].cards == ()


def test_the_weakest_is_struck_and_attacked() -> None:
    """The legal card with the least health left, of one company where one is named; never a company itself."""
    position = _turn().hand(0, "pendulum_sniper")
    position.piece(1, "kiln_golem")
    weak = position.piece(1, "kiln_golem", damage=1)
    _run(position, "play all\nstrike weakest")
    assert [piece.damage for piece in position.company(1).pieces if piece.id == weak] == [3]
    battle = Position(3, battle=True).hand(0, "clerk").hand(1, "clerk").hand(2, "clerk").brass(20, 1, 20)
    unit = battle.piece(0, "kiln_golem")
    battle.piece(1, "iron_palisade", damage=1)
    choice = battle.rules.fit(battle.state, 0, order(battle, "attack blue weakest with golem").alternatives[0].intent)
    assert (choice.unit, battle.company(1).pieces[0].id) == (unit, choice.target)


def test_all_units_but_some_mine() -> None:
    """Those named keep their action; where none is left it is told."""
    position = _turn()
    wagon, golem = position.piece(0, "overclocked_wagon"), position.piece(0, "kiln_golem")
    fit = position.rules.fit
    choice: Any = fit(position.state, 0, order(position, "mine with all but wagon").alternatives[0].intent)
    assert choice.units == (golem,)
    assert wagon not in choice.units
    with pytest.raises(Illegal) as refused:
        fit(position.state, 0, order(position, "mine with all but wagon and golem").alternatives[0].intent)
    assert refused.value.code == "no_unit_ready"
