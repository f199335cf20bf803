"""The rulebook's example, five turns of two companies, as told."""

from typing import Any

import pytest

from engine.brass_empire.choices import Convert, Dismiss, Rebuild
from engine.brass_empire.events import BrassTaken, Drew, TurnEnded
from engine.brass_empire.state import DOWN
from tests.engine.brass_empire.position import Position

MCGLYNN, WINDCRAFT = 0, 1


def _will_draw(position: Position, seat: int, *names: str) -> None:
    """Lay ready which cards a company draws next: the deck is what a test needs it to be."""
    company = position.company(seat)
    company.deck = sorted([*company.deck, *position.cards(*names)])
    left = company.deck[:]
    picks = position.chance.ready.setdefault(f"deck/{seat}", [])
    for card in position.cards(*names):
        if len(left) > 1:
            picks.append(left.index(card))
        left.remove(card)


def _left(position: Position) -> tuple[int, int]:
    return position.state.labor, position.state.construction


@pytest.mark.rule("BE-EXA-1", "BE-EXA-2", "BE-EXA-3", "BE-EXA-4", "BE-EXA-5")
def test_the_five_turns_of_the_rulebook_play_out_as_told() -> None:
    """McGlynn and Windcraft, from the first hand to the fall of the trooper."""
    position: Any = Position().brass(0, 0)
    position.company(MCGLYNN).corp, position.company(WINDCRAFT).corp = 0, 4
    position.reserve(WINDCRAFT, "jemmy_riveter")
    position.row(0, "construction_sensei", "manager", "railcar_thief", "pendulum_sniper", deck=("claim_baron",) * 9)
    position.row(1, "overclocked_wagon", deck=("iron_palisade",) * 9)

    # Turn 1: three labor and two construction. The hand's fifth card is not named: it stays unplayed.
    position.hand(MCGLYNN, "manager", "clerk", "contractor", "clockwerks_factory", "union_worker")
    position.hand(WINDCRAFT, "clerk", "clerk", "manager", "parts_silo", "tesla_trooper")
    _will_draw(position, MCGLYNN, "clerk", "clerk", "clerk", "illumination_inventor", "manager")
    position.play("manager", "clerk", "contractor")
    assert _left(position) == (3, 2)
    position.buy("construction_sensei").do(Convert(1)).play("clockwerks_factory")
    assert position.company(MCGLYNN).brass == 1
    assert position.company(MCGLYNN).pieces[0].down
    position.end()
    assert position.names(position.told(TurnEnded)[0].cards) == ["union_worker"]
    assert "construction_sensei" in position.names(position.company(MCGLYNN).discard)

    # Turn 2: four labor buy Jemmy Riveter from the reserve; the trooper can't act in the turn of its mobilization.
    assert position.state.seat == WINDCRAFT
    _will_draw(position, WINDCRAFT, "union_worker", "union_worker", "union_worker", "clerk", "clerk")
    position.play("clerk", "clerk", "manager")
    assert _left(position) == (4, 0)
    position.buy_reserve("jemmy_riveter").play("parts_silo")
    trooper = position.state.next_id
    position.play("tesla_trooper")
    # Nothing is left to do, so the turn is over and five cards are drawn.
    assert position.told(Drew)[-1].count == 5

    # Turn 3: the factory flips. Five labor and one construction; a Clerk of the last turn is dismissed.
    assert position.state.seat == MCGLYNN
    assert not position.company(MCGLYNN).pieces[0].down
    _will_draw(position, MCGLYNN, "chroniker", "conductor_terminal", "union_worker", "clerk", "clerk", "clerk")
    clerk = position.card("clerk")
    position.play("clerk", "clerk", "clerk", "illumination_inventor", "manager", wishes=(Dismiss((clerk,)),))
    assert _left(position) == (5, 1)
    assert position.names(position.state.gone) == ["clerk"]
    assert "clerk" not in position.names(position.company(MCGLYNN).discard)
    position.demolish(position.company(MCGLYNN).pieces[0].id)
    assert position.names(position.company(MCGLYNN).hand) == ["chroniker"]
    chroniker = position.state.next_id
    position.play("chroniker").buy("manager").buy("railcar_thief")
    # One construction buys nothing and is lost.
    assert position.told(TurnEnded) == [TurnEnded(MCGLYNN, (), 0, 1)]

    # Turn 4: three construction and two labor buy the wagon; the trooper destroys the platform for 1 brass.
    assert position.state.seat == WINDCRAFT
    _will_draw(position, WINDCRAFT, *["clerk"] * 6)
    position.play_all()
    assert _left(position) == (2, 3)
    position.buy("overclocked_wagon", 1)
    position.attack(trooper, MCGLYNN)
    assert position.company(MCGLYNN).platform == DOWN
    assert position.told(BrassTaken) == [BrassTaken(WINDCRAFT, 1, "destroyed", position.card("mining_platform"))]
    drew = [event for event in position.told(Drew) if event.seat == WINDCRAFT]
    assert sum(event.count for event in drew) == 6

    # Turn 5: the platform is rebuilt, the sniper bought; Chroniker destroys the trooper and is left with 2 health.
    assert position.state.seat == MCGLYNN
    position.play("conductor_terminal", "union_worker", "clerk", "clerk", "clerk")
    assert _left(position) == (3, 1)
    position.do(Rebuild()).buy("pendulum_sniper")
    position.deck(MCGLYNN, *["clerk"] * 5).attack(chroniker, trooper)
    assert position.told(BrassTaken) == [BrassTaken(MCGLYNN, 3, "destroyed", position.card("tesla_trooper"))]
    (piece,) = [piece for piece in position.company(MCGLYNN).pieces if piece.id == chroniker]
    assert position.tables.health[piece.card] - piece.damage == 2
    assert "tesla_trooper" in position.names(position.company(WINDCRAFT).discard)
    assert position.company(MCGLYNN).brass == 1 + 3
