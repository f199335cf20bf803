"""The steady stand-in."""

from random import Random
from typing import Any

import pytest

from engine.brass_empire import MODULE
from engine.brass_empire.choices import Attack, Buy, Discard, Dismiss, Mine, Pick, Rebuild, Strike
from engine.brass_empire.rules import BrassEmpireRules
from engine.brass_empire.state import DOWN
from engine.chance import RandomChance, pick_from
from engine.contract import Setup
from tests.engine.brass_empire.position import Position


def _play(rules: BrassEmpireRules, levels: list[str], seed: int) -> Any:
    """The state at the end of a game of stand-ins."""
    random = Random(seed)
    pick, chance = pick_from(random), RandomChance(random)
    bots = [MODULE.bots[level](rules) for level in levels]
    state = rules.start(chance, [])
    while (decision := rules.pending(state)) is not None:
        answers = {
            seat: bots[seat](rules.view(state, seat), decision, rules.space(state, seat), pick)
            for seat in decision.seats
        }
        rules.apply(state, answers, chance, [])
    return state


@pytest.mark.parametrize("seats", [2, 4])
def test_steady_beats_chance(seats: int) -> None:
    """In nine games of ten at least, from any seat."""
    rules = MODULE.bind(Setup(seats))
    won = 0
    for seed in range(20):
        levels = ["steady" if seat == seed % seats else "random" for seat in range(seats)]
        state = _play(rules, levels, seed)
        won += rules.standings(state)[0].seat == seed % seats
    assert won >= 18


def _choice(position: Position, seat: int | None = None) -> Any:
    decision = position.rules.pending(position.state)
    assert decision is not None
    seat = decision.seats[0] if seat is None else seat
    bot = MODULE.bots["steady"](position.rules)
    view = position.rules.view(position.state, seat)
    return bot(view, decision, position.rules.space(position.state, seat), lambda n: 0)


def test_it_buys_what_is_worth_most() -> None:
    """A strong unit before a weak employee."""
    position = Position().resources(6, 3).row(0, "scroll_broker").row(1, "tesla_trooper", "balloon_skiff")
    assert _choice(position) == Buy(position.card("tesla_trooper"), 1)


def test_it_rebuilds_its_platform_first() -> None:
    """Without it nothing is mined."""
    position = Position().resources(3, 3).row(0, "manager")
    position.company(0).platform = DOWN
    assert _choice(position) == Rebuild()


def test_it_takes_a_card_that_is_cheap_to_take_and_mines_with_what_is_not() -> None:
    """Three brass for the trooper at no loss; nothing for a strong defender."""
    position = Position()
    unit, trooper = position.piece(0, "sky_dreadnought"), position.piece(1, "chroniker")
    assert _choice(position) == Attack(unit, trooper)
    weak = Position()
    skiff = weak.piece(0, "balloon_skiff")
    weak.piece(1, "sky_dreadnought")
    assert _choice(weak) == Mine((skiff,))


def test_it_dismisses_clerks_strikes_what_falls_and_discards_what_is_worth_least() -> None:
    """Sound answers to what cards ask."""
    position = Position().hand(0, "severance_officer", "clerk").discard(0, "manager", *["clerk"] * 9)
    position.play("severance_officer")
    assert _choice(position) == Dismiss((position.card("clerk"),))
    strike = Position().hand(0, "aether_gunner", "clerk")
    strike.piece(1, "sky_dreadnought")
    weak = strike.piece(1, "lacquered_ronin")
    strike.play("aether_gunner")
    assert _choice(strike) == Strike(weak)
    forced = Position().hand(0, "parlor_saboteur", "clerk").hand(1, "manager", "clerk", "paymaster", "hiring_agent")
    forced.play("parlor_saboteur")
    assert _choice(forced, 1) == Discard((forced.card("clerk"),))
    late = Position().hand(0, "prairie_surveyor", "clerk").brass(30, 19).play("prairie_surveyor")
    assert _choice(late) == Pick(1)
