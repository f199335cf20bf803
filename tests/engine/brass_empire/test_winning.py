"""The end of the game: BE-WIN."""

import pytest

from engine.brass_empire.choices import Convert
from engine.brass_empire.events import GameEnded, PoolEmpty
from tests.engine.brass_empire.position import Position


def _last(seats: int = 2) -> Position:
    """A position with two tokens in the pool, all with something to do."""
    position = Position(seats)
    for seat in range(seats):
        position.hand(seat, "clerk").deck(seat, *["clerk"] * 6)
    position.brass(position.tables.size - 2, *[0] * (seats - 1))
    return position


@pytest.mark.rule("BE-WIN-1")
def test_when_the_pool_is_empty_the_round_is_finished() -> None:
    """So that every company has had as many turns."""
    position = _last(3).resources(0, 4).do(Convert(2))
    assert position.told(PoolEmpty) == [PoolEmpty(False)]
    position.end()
    assert position.asked() == ("turns", (1,))
    position.end()
    assert position.asked() == ("turns", (2,))
    position.end()
    assert position.asked() == ("", ())
    assert position.told(GameEnded)


@pytest.mark.rule("BE-WIN-8")
def test_a_game_ends_after_its_last_round_whatever_the_pool_holds() -> None:
    """`pool_rounds`: companies that have dismissed what makes brass would go on for ever."""
    position = Position(2, pool_rounds=40)
    for seat in (0, 1):
        position.hand(seat, "clerk").deck(seat, *["clerk"] * 9)
    position.brass(3, 5)
    position.state.round = 39
    position.end().end()
    assert (position.told(GameEnded), position.state.round) == ([], 40)
    position.end().end()
    (ended,) = position.told(GameEnded)
    assert (ended.reason, ended.winners) == ("stalled", (1,))
    assert "over" not in set(position.rules.invariants(position.state))


@pytest.mark.rule("BE-WIN-9")
def test_a_set_number_of_turns_ends_the_game_after_that_round() -> None:
    """Every company has had as many turns, and the score is counted as ever."""
    position = Position(3, turn_limit=5)
    for seat in range(3):
        position.hand(seat, "clerk").deck(seat, *["clerk"] * 9)
    position.brass(3, 5, 1)
    position.state.round = 5
    position.end().end()
    assert position.told(GameEnded) == []
    position.end()
    (ended,) = position.told(GameEnded)
    assert (ended.reason, ended.winners, position.state.round) == ("stalled", (1,), 5)
    assert position.rules.last_turn == 5
    assert "over" not in set(position.rules.invariants(position.state))


@pytest.mark.rule("BE-WIN-9")
def test_a_battle_ends_after_a_set_number_of_turns_too() -> None:
    """Most health wins; a number beyond the battle's own last round changes nothing."""
    for limit, rounds in ((4, 4), (100, 20)):
        position = Position(2, battle=True, battle_rounds=20, turn_limit=limit)
        for seat in range(2):
            position.hand(seat, "clerk").deck(seat, *["clerk"] * 9)
        position.state.round = rounds
        position.end().end()
        (ended,) = position.told(GameEnded)
        assert (ended.reason, position.state.round) == ("rounds", rounds)


@pytest.mark.rule("BE-WIN-8")
def test_two_companies_that_can_make_no_brass_any_more_come_to_an_end() -> None:
    """Found by random play: each had dismissed all but one card, and one construction converts to nothing."""
    position = Position(2, pool_rounds=40).brass(26, 20)
    position.hand(0, "illumination_inventor").hand(1, "efficiency_monk")
    for _ in range(400):
        _, seats = position.asked()
        if not seats:
            break
        position.do(*(position.rules.default(position.state, seat) for seat in seats))
    assert (position.state.round, position.state.pool) == (40, 4)
    (ended,) = position.told(GameEnded)
    assert (ended.reason, ended.winners) == ("stalled", (0,))


@pytest.mark.rule("BE-WIN-2", "BE-WIN-6")
def test_brass_earned_after_that_is_paid_from_spare_tokens() -> None:
    """The pool stays at nothing, and the end is never called off."""
    position = _last().resources(0, 4).do(Convert(2)).end()
    position.resources(0, 6).do(Convert(3))
    assert position.company(1).brass == 3
    assert (position.state.pool, position.state.spare) == (0, 3)
    assert position.told(PoolEmpty) == []
    position.end()
    assert position.asked() == ("", ())


@pytest.mark.rule("BE-WIN-5")
def test_the_round_in_which_the_pool_is_emptied_in_anothers_turn_is_the_last() -> None:
    """A defender takes the last brass in the turn of the round's last company."""
    position = _last().end()
    assert position.state.seat == 1
    position.resources(0, 2)
    attacker, defender = position.piece(1, "overclocked_wagon"), position.piece(0, "sky_dreadnought")
    position.attack(attacker, defender)
    assert position.state.pool == 0
    assert position.company(0).brass == 50
    position.end()
    assert position.asked() == ("", ())


@pytest.mark.rule("BE-WIN-3")
def test_the_score_is_tokens_and_the_brass_value_of_all_cards() -> None:
    """Deck, hand, discard pile, in play face up or down, played this turn; neither the reserve nor dismissed cards."""
    position = Position().hand(0, "manager", "clerk").deck(0, "paymaster").discard(0, "fleet_commodore").brass(7, 0)
    position.piece(0, "chroniker")
    position.piece(0, "payroll_vault", down=True)
    position.reserve(0, "jemmy_riveter")
    position.state.gone = position.cards("claim_baron")
    position.play("manager")
    (first,) = [standing for standing in position.rules.standings(position.state) if standing.seat == 0]
    assert (first.score, first.sources) == (23, {"tokens": 7, "cards": 1 + 3 + 6 + 3 + 3})


def _places(position: Position) -> list[tuple[int, int]]:
    return [(standing.seat, standing.place) for standing in position.rules.standings(position.state)]


@pytest.mark.rule("BE-WIN-4", "BE-WIN-7")
def test_a_tie_goes_by_brass_of_ones_own_corporation_then_fewest_cards_then_tokens() -> None:
    """Then it stays a tie."""
    position = Position().brass(3, 3)
    for seat in (0, 1):
        position.company(seat).corp = seat
        position.discard(seat, "paymaster")
    assert _places(position) == [(0, 1), (1, 1)]
    position.discard(1, "railway_banker")
    assert _places(position) == [(1, 1), (0, 2)]
    position.discard(0, "hiring_agent")
    assert _places(position) == [(0, 1), (1, 1)]
    position.discard(0, "hiring_agent", "clerk")
    assert _places(position) == [(1, 1), (0, 2)]
    position.discard(0, "hiring_agent", "manager").discard(1, "railway_banker", "clerk").brass(3, 4)
    assert _places(position) == [(1, 1), (0, 2)]
    # Each of the three goes before the next: own brass before few cards, few cards before tokens.
    position.discard(0, "hiring_agent", "clerk").discard(1, "paymaster").brass(3, 3)
    assert _places(position) == [(0, 1), (1, 2)]
    position.discard(0, "hiring_agent", "manager").discard(1, "railway_banker", "clerk", "clerk").brass(3, 4)
    assert _places(position) == [(0, 1), (1, 2)]
    # What does not score does not count there.
    position.discard(0, "hiring_agent").discard(1, "railway_banker").brass(3, 3)
    position.reserve(1, "jetpack_courier").state.gone = position.cards("railway_banker")
    assert _places(position) == [(0, 1), (1, 1)]


@pytest.mark.rule("BE-WIN-4")
def test_most_brass_wins() -> None:
    """Whatever the rest."""
    position = Position(3).brass(3, 9, 5)
    assert _places(position) == [(1, 1), (2, 2), (0, 3)]
