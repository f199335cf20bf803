"""Play goes as far as sheets and pace allow, and never past the end of a stage."""

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from tinygame.rules import TinyRules
from tinygame.state import Attack, Bid, Defend, State

from engine.contract import Asked, Condition, Decision, Pick, Setup, Space, Test
from engine.errors import Unsound
from engine.journal import used_orders
from engine.orders.shape import Alternative, Order
from engine.orders.sheet import Sheet
from engine.play import Over, Record, Run, StageEnded, Waiting, run, unanswered
from engine.table import Answered, Table
from tests.engine.tiny import SECRET, WORDS, begin

ALL = frozenset({0, 1, 2})
NONE: frozenset[int] = frozenset()
ANY_CARD = tuple(Alternative(Bid(card)) for card in range(6, 0, -1))


def sheet(*orders: Order) -> Sheet:
    """A sheet with one submission."""
    return Sheet().with_submission(1, orders)


def bids() -> dict[int, Sheet]:
    """Every seat bids its highest card; refs differ by seat."""
    return {seat: Sheet().with_submission(seat + 1, [Order("bid", ANY_CARD)]) for seat in range(3)}


def to_attack() -> tuple[Table, int]:
    """A table whose bids are in, and who attacks."""
    table = begin()
    ran = run(table, "strict", bids(), frozenset(), NONE, ALL)
    assert isinstance(ran.stop, StageEnded)
    return table, table.state.attacker


def test_it_waits_for_seats_without_an_answer_and_for_those_not_ready() -> None:
    """A seat that answers but is not ready is waited for like one that does not answer."""
    sheets = bids()
    del sheets[1]
    table = begin()
    before = table.snapshot()
    assert run(table, "strict", sheets, frozenset(), NONE, frozenset({1, 2})) == Run((), Waiting((0, 1)))
    assert table.snapshot() == before


def test_silent_seats_take_their_sheet_else_the_default() -> None:
    """At a deadline orders count without a word of readiness, and who sent none gets the default."""
    sheets = bids()
    del sheets[1]
    table = begin()
    lowest = table.state.hands[1][0]
    ran = run(table, "strict", sheets, frozenset(), ALL, NONE)
    given = ran.records[0].entry.answers
    assert [answer.source for answer in given] == ["order", "default", "order"]
    assert given[1].choice == Bid(lowest)
    assert given[0].ref == (1, 0)


def test_play_stops_at_the_end_of_a_stage_and_goes_on_in_the_next_run() -> None:
    """With everyone silent each run plays one stage, until the game is over."""
    table = begin()
    stages = []
    stop: object = None
    while not isinstance(stop, Over):
        ran = run(table, "brisk", {}, frozenset(), ALL, NONE)
        stop = ran.stop
        stages.append({record.entry.stage for record in ran.records})
    assert all(len(keys) == 1 for keys in stages)
    assert stages[0] == {"1-turn"}
    assert len(set().union(*stages)) == len(stages)


def test_a_decision_in_another_seats_turn_is_waited_for() -> None:
    """The attacker is asked, then the target in the middle of the attacker's turn."""
    table, attacker = to_attack()
    assert run(table, "strict", {}, frozenset(), NONE, NONE).stop == Waiting((attacker,))
    target = (attacker + 1) % 3
    attack = sheet(Order("attack", tuple(Alternative(Attack(target, card)) for card in range(1, 7))))
    ran = run(table, "strict", {attacker: attack}, frozenset(), NONE, frozenset({attacker}))
    assert ran.stop == Waiting((target,))
    assert len(ran.records) == 1


def test_an_order_is_used_once_and_a_standing_one_again_and_again() -> None:
    """In the next turn an order spent does not answer, a standing one does."""
    once = {seat: Sheet().with_submission(seat + 1, [Order("bid", ANY_CARD)]) for seat in (0, 1)}
    always = Sheet().with_submission(3, [Order("bid", ANY_CARD, always=True)])
    table = begin()
    first = run(table, "brisk", once | {2: always}, frozenset(), ALL, NONE)
    used = used_orders(record.entry for record in first.records)
    assert used == {(1, 0), (2, 0), (3, 0)}
    second = run(table, "brisk", once | {2: always}, used, ALL, NONE)
    sources = {answer.seat: answer.source for answer in second.records[0].entry.answers}
    assert sources == {0: "default", 1: "default", 2: "order"}


def test_orders_looked_at_and_not_used_are_told_with_the_reason() -> None:
    """A condition that does not hold and a card not held are both on record, for the why-lines."""
    table = begin()
    missing = next(card for card in range(1, 8) if card not in table.state.hands[0])
    attacked: Test = Condition("attacked_by", {"seat": 1})
    orders = sheet(
        Order("bid", ANY_CARD, test=attacked),
        Order("bid", (Alternative(Bid(missing)),)),
        Order("bid", (Alternative(Bid(missing)), *ANY_CARD)),
    )
    record: Record = run(table, "strict", {0: orders}, frozenset(), ALL, NONE).records[0]
    assert [(tried.ref, tried.reason) for tried in record.tried[0]] == [
        ((1, 0), "condition"),
        ((1, 1), "no_such_card"),
    ]
    assert record.entry.answers[0].ref == (1, 2)
    assert record.entry.answers[0].alternative > 0


def test_what_is_unanswered_at_strict_pace_is_the_pending_decision() -> None:
    """Only a seat that is asked now has something to answer, and an order it can't carry out is no answer."""
    table = begin()
    lacking = next(card for card in range(1, 8) if card not in table.state.hands[0])

    def missing(orders: Sheet, seat: int = 0) -> tuple[Asked, ...]:
        return unanswered(table.rules, table.state, seat, orders, frozenset(), "strict")

    assert missing(Sheet()) == (Asked("bid"),)
    assert missing(bids()[0]) == ()
    assert missing(sheet(Order("bid", (Alternative(Bid(lacking)),)))) == (Asked("bid"),)
    attacking, attacker = to_attack()
    assert unanswered(attacking.rules, attacking.state, (attacker + 1) % 3, Sheet(), frozenset(), "strict") == ()


def test_what_is_unanswered_at_brisk_pace_is_the_rest_of_the_agenda() -> None:
    """Each kind asked for in the stage needs an unused order, or a standing one."""
    table = begin()

    def missing(orders: Sheet, used: frozenset[tuple[int, int]] = frozenset()) -> list[str]:
        return [asked.kind for asked in unanswered(table.rules, table.state, 0, orders, used, "brisk")]

    take = Order("defend", (Alternative(Defend(0)),), always=True)
    bid = Order("bid", ANY_CARD)
    assert missing(Sheet()) == ["bid", "attack", "defend"]
    assert missing(sheet(bid, take)) == ["attack"]
    assert missing(sheet(bid, take), frozenset({(1, 0)})) == ["bid", "attack"]
    assert missing(sheet(Order("bid", (Alternative(Bid(9)),)), take)) == ["bid", "attack"]


def _lowest(view: Any, decision: Decision, space: Space, pick: Pick) -> Bid:
    """A stand-in that bids one of its two lowest cards."""
    return Bid(sorted(view.hand)[pick(2)])


def test_a_stand_in_answers_what_the_sheet_does_not() -> None:
    """Its seat is never waited for, in the open or sealed; what the sheet says comes first."""
    table = begin()
    assert run(table, "strict", {}, frozenset(), NONE, NONE, standins={1: _lowest}).stop == Waiting((0, 2))
    orders = {0: bids()[0], 2: bids()[2]}
    lowest = sorted(table.state.hands[1])[:2]
    ran = run(table, "strict", orders, frozenset(), NONE, frozenset({0, 2}), standins={1: _lowest, 2: _lowest})
    given = ran.records[0].entry.answers
    assert [answer.source for answer in given] == ["order", "standin", "order"]
    assert given[1].choice.card in lowest


def test_a_stand_in_chooses_the_same_when_the_play_is_made_again_and_shifts_no_draw() -> None:
    """So a resolution that is tried again comes to the same entries; other secrets and seats make other choices."""
    standins = dict.fromkeys(range(3), _lowest)
    runs = [run(begin(), "strict", {}, frozenset(), NONE, NONE, standins=standins) for _ in range(2)]
    assert runs[0] == runs[1]
    table = begin()
    given = runs[0].records[0].entry.answers
    written = {answer.seat: Answered(answer.choice, "standin") for answer in given}
    assert table.decide(written, "1-bid")[0] == runs[0].records[0].entry
    picked = {tuple(begin(bytes([secret])).whims(seat)(1000) for seat in range(3)) for secret in range(1, 6)}
    assert len({whim for whims in picked for whim in whims}) > 10


class _SecretDefence(TinyRules):
    """Whether an attack can be met is nobody else's business."""

    def pending(self, state: State) -> Decision | None:
        decision = super().pending(state)
        if decision is None or decision.kind != "defend":
            return decision
        return msgspec.structs.replace(decision, private=True)


@pytest.mark.parametrize("meets", [True, False])
def test_a_private_decision_never_stops_the_game(meets: bool) -> None:
    """It is answered by the sheet of a seat that is not ready, else by the default, and nobody is waited for."""
    table, _, _ = Table.begin(_SecretDefence(Setup(3)), SECRET, WORDS)
    run(table, "strict", bids(), frozenset(), NONE, ALL)
    attacker = table.state.attacker
    target = (attacker + 1) % 3
    attack = sheet(Order("attack", tuple(Alternative(Attack(target, card)) for card in range(1, 7))))
    any_way = Order("defend", tuple(Alternative(Defend(card)) for card in range(6, -1, -1)))
    defend = Sheet().with_submission(2, [any_way] if meets else [])
    ran = run(table, "strict", {attacker: attack, target: defend}, frozenset(), NONE, frozenset({attacker}))
    assert [record.entry.kind for record in ran.records] == ["attack", "defend"]
    assert ran.records[1].entry.answers[0].source == ("order" if meets else "default")
    assert isinstance(ran.stop, StageEnded)


class _Unsound(TinyRules):
    """Rules with a defect."""

    def invariants(self, state: State) -> Iterable[str]:
        return ["cards"] if state.turn == 2 else []


def test_a_state_that_breaks_invariants_is_never_kept() -> None:
    """Whoever runs a stage hears of the defect instead of getting a run to store."""
    table, _, _ = Table.begin(_Unsound(Setup(3)), SECRET, WORDS)
    with pytest.raises(Unsound, match="cards"):
        run(table, "brisk", {}, frozenset(), ALL, NONE)
