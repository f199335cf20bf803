"""Turn start and the order of a turn: BE-STA."""

import pytest

from engine.brass_empire.choices import Attack, Decline, Demolish, Dismiss, Pick, Play, Strike, Use
from engine.brass_empire.events import Built, Gained
from tests.engine.brass_empire.position import Position


def _next(position: Position) -> Position:
    """Seat 1 ends its turn, so that seat 0's begins."""
    position.state.seat = 1
    return position.hand(1, "clerk").deck(0, "clerk").deck(1, "clerk").end()


@pytest.mark.rule("BE-STA-1", "BE-STA-2", "BE-EFF-12", "BE-EFF-13")
def test_buildings_flip_and_their_effects_are_to_be_had_from_that_turn_on() -> None:
    """`built` once, `turn` each turn, the turn of the flip included."""
    position = Position().deck(0, *["clerk"] * 3)
    position.piece(0, "signal_belfry", down=True)
    position.piece(0, "relay_pylon", down=True)
    _next(position)
    assert position.names(position.told(Built)[0].cards) == ["signal_belfry", "relay_pylon"]
    assert not any(piece.down for piece in position.company(0).pieces)
    assert position.state.labor == 1
    assert [event.labor for event in position.told(Gained)] == [1]
    hand = len(position.company(0).hand)
    assert hand == 1
    _next(position)
    assert position.told(Built) == []
    assert position.state.labor == 1


@pytest.mark.rule("BE-STA-2", "BE-EFF-14")
def test_a_building_is_used_once_each_turn_if_its_owner_wants() -> None:
    """From the turn that it flips."""
    position = Position().hand(0, "clerk").discard(0, "union_worker", "clerk")
    incinerator = position.piece(0, "incinerator")
    position.use(incinerator)
    assert position.asked()[0] == "effect"
    assert position.why_not(Use(incinerator)) == "wrong_kind"
    position.do(Dismiss((position.card("union_worker"),)))
    assert position.why_not(Use(incinerator)) == "nothing_to_use"
    assert _next(position).why_not(Use(incinerator)) == ""
    fresh = Position().deck(0, "clerk").discard(0, "clerk")
    id_ = fresh.piece(0, "incinerator", down=True)
    _next(fresh)
    assert fresh.why_not(Use(id_)) == ""


@pytest.mark.rule("BE-STA-3", "BE-STA-7")
def test_a_building_under_construction_has_no_effects_and_is_no_target() -> None:
    """Neither used nor demolished, no warden, and neither attacked nor struck."""
    position = Position().hand(0, "spark_drone", "clerk")
    hidden = position.piece(1, "iron_palisade", down=True)
    own = position.piece(0, "incinerator", down=True)
    unit = position.piece(0, "overclocked_wagon")
    assert position.why_not(Use(own)) == "nothing_to_use"
    assert position.why_not(Attack(unit, hidden)) == "target_under_construction"
    assert position.why_not(Attack(unit, 1)) == ""
    position.piece(1, "kiln_golem")
    position.play("spark_drone")
    assert hidden not in position.offered("target")
    assert position.why_not(Strike(hidden)) == "no_such_target"


@pytest.mark.rule("BE-STA-4", "BE-STA-5")
def test_once_a_unit_has_acted_no_card_is_played_and_no_building_used() -> None:
    """Start, play, action, end; buying, conversion and rebuilding go on."""
    position = Position().hand(0, "clerk").resources(3, 4).row(0, "manager").brass(0, 0)
    building = position.piece(0, "incinerator")
    silo = position.piece(0, "parts_silo")
    unit = position.piece(0, "overclocked_wagon")
    position.discard(0, "clerk")
    assert {"play", "play_all", "use", "demolish"} <= set(position.acts())
    position.mine(unit)
    assert position.why_not(Play((position.card("clerk"),))) == "unit_has_acted"
    assert position.why_not(Use(building)) == "unit_has_acted"
    assert position.why_not(Demolish(silo)) == "unit_has_acted"
    assert {"buy", "convert"} <= set(position.acts())
    position.company(0).platform = -1
    assert "rebuild" in position.acts()


@pytest.mark.rule("BE-STA-6")
def test_all_flip_then_built_then_turn_effects_in_the_order_played() -> None:
    """The choice of the yard played first comes after the draw of the belfry played last."""
    position = Position().deck(0, "clerk", "clerk")
    position.piece(0, "supply_yard", down=True)
    position.piece(0, "signal_belfry", down=True)
    position.piece(0, "relay_pylon", down=True)
    _next(position)
    assert len(position.company(0).hand) == 1
    assert position.state.labor == 0
    assert position.asked() == ("effect", (0,))
    position.do(Pick(1))
    assert (position.state.labor, position.state.construction) == (1, 1)
    built = Position().deck(0, "clerk").row(0, "manager")
    built.piece(0, "holding_company", down=True)
    built.piece(0, "signal_belfry", down=True)
    _next(built)
    assert built.asked() == ("effect", (0,))
    assert built.company(0).hand == []
    built.do(Decline())
    assert len(built.company(0).hand) == 1
