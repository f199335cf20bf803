"""What a moderator changes by hand in Brass Empire keeps every rule, and shows a hand to nobody who may not see it."""

from random import Random
from typing import Any

import pytest

from engine.brass_empire.events import BrassSet, CardMoved, DamageSet, ResourceSet
from engine.brass_empire.module import MODULE
from engine.brass_empire.rules import BrassEmpireRules
from engine.brass_empire.state import EMPTY, Piece, State
from engine.chance import RandomChance, pick_from
from engine.changes import changed, read_changes
from engine.contract import Event, Setup
from engine.errors import Illegal
from engine.spaces import sample
from pbem.reports.game import game_words

RULES = MODULE.bind(Setup(3))


def _turn(rules: BrassEmpireRules = RULES, decisions: int = 0) -> State:
    """A random game after so many decisions of its first turns, at one of a turn."""
    random = Random(11)
    state = rules.start(RandomChance(random), [])
    while (decision := rules.pending(state)) is not None and (decision.kind != "turns" or decisions > 0):
        decisions -= decision.kind == "turns"
        answers = {seat: sample(rules.space(state, seat), pick_from(random)) for seat in decision.seats}
        rules.apply(state, answers, RandomChance(random), [])
    return state


def _by_hand(state: State, *lines: str, rules: BrassEmpireRules = RULES) -> tuple[State, list[Event]]:
    after, events = changed(rules, state, read_changes(rules, state, lines))
    return after, events


def _refused(state: State, *lines: str, rules: BrassEmpireRules = RULES) -> str:
    with pytest.raises(Illegal) as refused:
        _by_hand(state, *lines, rules=rules)
    return refused.value.code


def _name(card: int, rules: BrassEmpireRules = RULES) -> str:
    return rules.called("card", card)


def test_brass_comes_from_the_pool_and_goes_back_to_it() -> None:
    """No token comes into being, and the last one of the pool is for play to take."""
    state = _turn()
    after, events = _by_hand(state, "brass blue 12", "brass blue 5")
    assert [event.data for event in events] == [BrassSet(1, 0, 12, 38), BrassSet(1, 12, 5, 45)]
    assert (after.companies[1].brass, after.pool, after.spare) == (5, 45, 0)
    assert _refused(state, "brass blue 50") == "number_not_read"
    assert _by_hand(state, "brass blue 49")[0].pool == 1


def test_once_the_pool_is_empty_spare_tokens_are_given_and_taken() -> None:
    """What is taken beyond the spare ones fills the pool again."""
    state = _turn()
    state.companies[0].brass, state.pool = 50, 0
    after, _ = _by_hand(state, "brass red 53")
    assert (after.pool, after.spare) == (0, 3)
    after, _ = _by_hand(after, "brass red 48")
    assert (after.pool, after.spare) == (2, 0)


def test_a_card_between_hand_and_deck_is_seen_by_its_company_alone() -> None:
    """The others see that one was moved; anywhere else it lies open, or all know what lies there."""
    state = _turn()
    company = state.companies[1]
    card = company.hand[0]
    after, (event,) = _by_hand(state, f"card blue hand {_name(card)} blue deck")
    assert after.companies[1].deck.count(card) == company.deck.count(card) + 1
    assert event.seen_by(1) == CardMoved(3, 4, card)
    assert event.seen_by(0) == event.seen_by(None) == CardMoved(3, 4)
    for to in ("blue discard", "red hand", "dismissed"):
        _, (event,) = _by_hand(state, f"card blue hand {_name(card)} {to}")
        assert event.seen_by(0) == event.data
    assert _refused(state, f"card blue hand {_name(card)} labor deck") == "not_read"


def test_a_teammate_who_sees_hands_sees_what_is_moved() -> None:
    """With `team_hands`; the foes don't."""
    rules = MODULE.bind(Setup(4, {"teams": True, "team_hands": True}))
    state = _turn(rules)
    card = state.companies[1].hand[0]
    _, (event,) = _by_hand(state, f"card blue hand {_name(card, rules)} blue deck", rules=rules)
    assert event.seats == (1, 3)


def test_a_card_of_a_row_is_brought_back_to_its_deck_alone() -> None:
    """Cards of the pools go to their own deck; not where its row has an empty place."""
    state = _turn()
    card = state.decks[0][0]
    after, _ = _by_hand(state, f"card labor deck {_name(card)} dismissed")
    assert card in after.gone
    again, _ = _by_hand(after, f"card dismissed {_name(card)} labor deck")
    assert again.decks == state.decks
    after.gone += after.decks[0]
    after.gone.append(after.rows[0][0])
    after.decks[0], after.rows[0][0] = [], EMPTY
    with pytest.raises(Illegal) as refused:
        _by_hand(after, f"card dismissed {_name(card)} labor deck")
    assert refused.value.params["broken"] == ("gap",)


def test_damage_and_what_the_turn_may_spend_are_set() -> None:
    """Of the platform and of cards in play, never so much that it would be destroyed."""
    state = _turn()
    seat = state.seat
    side, platform = RULES.called("seat", seat), _name(RULES.tables.platform)
    after, events = _by_hand(state, f"damage {side} {platform} 1", "labor 4", "construction 2")
    assert [event.data for event in events] == [
        DamageSet(seat, RULES.tables.platform, 0, 1),
        ResourceSet(seat, "labor", 0, 4),
        ResourceSet(seat, "construction", 0, 2),
    ]
    assert (after.companies[seat].platform, after.labor, after.construction) == (1, 4, 2)
    assert _refused(state, f"damage {side} {platform} {RULES.tables.platform_health}") == "number_not_read"


def test_one_of_several_alike_is_damaged_by_its_number() -> None:
    """In the order in which they came into play; an only one needs no number."""
    state = _turn()
    unit = next(card for card in state.decks[0] + state.decks[1] if RULES.tables.kind[card] == 1)
    tough = [card for card in set(state.decks[0] + state.decks[1]) if RULES.tables.health[card] > 1]
    card = next(each for each in tough if (state.decks[0] + state.decks[1]).count(each) > 1)
    assert unit in state.decks[0] + state.decks[1]
    deck = next(deck for deck in state.decks if deck.count(card) > 1)
    for _ in range(2):
        deck.remove(card)
        state.companies[0].pieces.append(Piece(state.next_id, card))
        state.next_id += 1
    after, _ = _by_hand(state, f"damage red {_name(card)} 1 2")
    assert [piece.damage for piece in after.companies[0].pieces] == [0, 1]
    assert _refused(state, f"damage red {_name(card)} 1") == "unfinished"


def test_in_battle_brass_is_health() -> None:
    """At least one, at most what a company starts with; the pool is nobody's."""
    rules = MODULE.bind(Setup(2, {"battle": True}))
    state = _turn(rules)
    after, _ = _by_hand(state, "brass red 3", rules=rules)
    assert (after.companies[0].brass, after.pool) == (3, state.pool)
    assert _refused(state, "brass red 0", rules=rules) == "number_not_read"
    assert _refused(state, "brass red 21", rules=rules) == "number_not_read"


def test_nothing_is_changed_but_in_a_turn_between_acts() -> None:
    """Not before corporations are fixed, nor after the end; nor so that only the end of the turn is left."""
    state = RULES.start(RandomChance(Random(1)), [])
    assert _refused(state, "labor 4") == "in_the_middle"
    over = _turn()
    over.stack = []
    assert _refused(over, "labor 4") == "game_over"
    state = _turn()
    side = RULES.called("seat", state.seat)
    lines = [f"card {side} hand {_name(card)} {side} discard" for card in state.companies[state.seat].hand]
    assert _refused(state, *lines) == "lapses"


@pytest.mark.parametrize("options", [{}, {"battle": True}])
def test_every_change_has_words(options: dict[str, Any]) -> None:
    """Each event as a sentence for who sees all of it and for who does not; so has what a change can break."""
    setup = Setup(3, options)
    words = game_words("brass_empire", setup, "en")
    for data in (
        BrassSet(0, 3, 5, 40),
        CardMoved(3, 4),
        CardMoved(3, 21, 0),
        CardMoved(22, 5, 0),
        DamageSet(1, 0, 0, 2),
        ResourceSet(2, "labor", 0, 4),
        ResourceSet(2, "construction", 0, 4),
    ):
        assert words.event(data).endswith(".")
    assert words.reason("breaks_gap", {}).endswith(".")
