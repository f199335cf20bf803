"""What a company does that does not answer: BE-DEF."""

import pytest

from engine.brass_empire.choices import (
    Accept,
    Convert,
    Decline,
    Discard,
    Dismiss,
    End,
    Mine,
    Pick,
    PlayAll,
    Strike,
)
from engine.brass_empire.state import DOWN
from tests.engine.brass_empire.position import Position, with_effects


def _default(position: Position, seat: int = 0) -> object:
    return position.rules.default(position.state, seat)


@pytest.mark.rule("BE-DEF-1")
def test_who_does_not_answer_plays_every_card() -> None:
    """What is drawn by it too, cards that draw first."""
    position = Position().hand(0, "clerk", "hiring_agent").deck(0, "manager").row(0, "clerk")
    assert _default(position) == PlayAll()
    position.do(PlayAll())
    assert position.names(position.state.played) == ["hiring_agent", "clerk", "manager"]
    assert position.company(0).hand == []


@pytest.mark.rule("BE-DEF-1")
def test_it_declines_what_it_may_and_takes_the_first_option() -> None:
    """Dismissing, acquiring, choosing."""
    position = Position().hand(0, "severance_officer", "clerk").play("severance_officer")
    assert _default(position) == Dismiss(())
    position = Position().hand(0, "contract_lobbyist", "clerk").row(1, "rooftop_shinobi").play("contract_lobbyist")
    assert _default(position) == Decline()
    position = Position().hand(0, "shift_foreman", "clerk").play("shift_foreman")
    assert _default(position) == Pick(0)
    optional = {"when": "play", "do": "gain_brass", "n": 1, "optional": True}
    position = Position(components=with_effects("pendulum_sniper", optional)).hand(0, "pendulum_sniper", "clerk")
    assert _default(position.play("pendulum_sniper")) == Decline()


@pytest.mark.rule("BE-DEF-1")
def test_it_strikes_the_weakest_then_clockwise_then_longest_in_play() -> None:
    """The least health left first."""
    position = Position(3).hand(0, "aether_gunner", "clerk")
    position.piece(2, "balloon_skiff")
    golem = position.piece(1, "kiln_golem", damage=2)
    position.piece(1, "balloon_skiff")
    weakest = position.piece(2, "rooftop_shinobi")
    position.play("aether_gunner")
    assert _default(position) == Strike(weakest)
    position.company(2).pieces.pop()
    # The golem and both skiffs have two left: the next company's come first, of these the golem is longest in play.
    assert _default(position) == Strike(golem)


@pytest.mark.rule("BE-DEF-2")
def test_it_buys_nothing_converts_what_it_can_and_rebuilds_nothing() -> None:
    """All construction that makes a whole brass."""
    position = Position().resources(9, 5).row(0, "manager")
    assert _default(position) == Convert(2)
    position.company(0).platform = DOWN
    assert _default(position) == End()


@pytest.mark.rule("BE-DEF-3")
def test_it_mines_with_every_unit_that_may_attacks_nothing_and_ends_the_turn() -> None:
    """Without a platform it only ends."""
    position = Position()
    units = (position.piece(0, "kiln_golem"), position.piece(0, "spark_drone"))
    position.piece(0, "kiln_golem", fresh=True)
    position.piece(1, "balloon_skiff")
    assert _default(position) == Mine(units)
    position.company(0).platform = DOWN
    assert _default(position) == End()


@pytest.mark.rule("BE-DEF-4")
def test_made_to_discard_it_discards_the_cheapest() -> None:
    """By labor and construction, then brass value, then name."""
    position = Position().hand(0, "parlor_saboteur", "clerk")
    position.hand(1, "union_worker", "railcar_thief", "beat_constable", "clerk").play("parlor_saboteur")
    assert _default(position, 1) == Discard((position.card("clerk"),))
    dear = Position().hand(0, "parlor_saboteur", "clerk")
    dear.hand(1, "railcar_thief", "beat_constable", "station_porter", "manager").play("parlor_saboteur")
    assert _default(dear, 1) == Discard((dear.card("railcar_thief"),))


@pytest.mark.rule("BE-DEF-5")
def test_a_destroyed_effect_that_it_may_decline_it_takes() -> None:
    """It costs nothing."""
    position = Position().hand(0, "clerk").deck(1, "clerk")
    position.attack(position.piece(0, "sky_dreadnought"), position.piece(1, "chroniker"))
    assert _default(position, 1) == Accept()
