"""What a seat can reckon: the truth lies within every bound, and the bounds come from what the seat knows alone."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from engine.chance import RandomChance, pick_from
from engine.contract import Setup
from engine.rockwell import MODULE
from engine.rockwell.achievements import HOLDINGS
from engine.rockwell.changes import TOLD
from engine.rockwell.choices import Insure
from engine.rockwell.events import (
    AutomatonMoved,
    Bidden,
    BidsRevealed,
    Bribed,
    Claimed,
    Fell,
    Moved,
    NoCrew,
    Raised,
    RoundBegan,
    Share,
    Shared,
    Stayed,
    Traded,
)
from engine.rockwell.reckoning import Range, known
from engine.rockwell.rules import RockwellRules
from engine.rockwell.state import State

GAMES = pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3), (4, 4)])
RULES = MODULE.bind(Setup(4))


def _states(seats: int, seed: int) -> Iterator[tuple[RockwellRules, State]]:
    """Every decision of a game in which companies insure a good deal, and its end."""
    rules = MODULE.bind(Setup(seats))
    random = Random(seed)
    pick, chance = pick_from(random), RandomChance(random)
    bots = [MODULE.bots["steady" if seat % 2 else "random"](rules) for seat in range(seats)]
    state = rules.start(chance, [])
    while (decision := rules.pending(state)) is not None:
        yield rules, state
        answers = {
            seat: bots[seat](rules.view(state, seat), decision, rules.space(state, seat), pick)
            for seat in decision.seats
        }
        if decision.kind == "insure":
            for seat in decision.seats:
                held = state.companies[seat].cubes
                answers[seat] = Insure(
                    (random.randint(0, held[0]), random.randint(0, held[1]), 0, random.randint(0, held[3]))
                )
        rules.apply(state, answers, chance, [])
    yield rules, state


def _within(number: int, bounds: Range) -> bool:
    return bounds.least <= number <= bounds.most


@GAMES
def test_the_truth_lies_within_the_bounds_of_every_stock(seats: int, seed: int) -> None:
    """Whoever looks, at every decision; one's own stock is known as it is, and so is what nobody could hide."""
    open_ones = exact = 0
    for rules, state in _states(seats, seed):
        for seat in (None, *range(seats)):
            for company, told in zip(state.companies, rules.stocks(rules.view(state, seat)), strict=True):
                assert told.money == company.money
                assert _within(company.insurance, told.insurance)
                assert all(_within(*pair) for pair in zip(company.cubes, told.cubes, strict=True))
                if seat == told.seat:
                    assert [each.least for each in told.cubes] == [each.most for each in told.cubes] == company.cubes
                open_ones += any(each.least < each.most for each in told.cubes)
                exact += seat != told.seat and all(each.least == each.most for each in told.cubes)
    assert open_ones
    assert exact


@GAMES
def test_the_truth_lies_within_what_the_end_and_the_race_are_said_to_be(seats: int, seed: int) -> None:
    """The standings if the game ended now, source by source, and what each company lacks."""
    for rules, state in _states(seats, seed):
        truth = {standing.seat: standing for standing in rules.standings(state)}
        for seat in (None, *range(seats)):
            view = rules.view(state, seat)
            held = rules.stocks(view)
            for tally in rules.tallies(view, held):
                found = truth[tally.seat]
                assert _within(found.score, tally.total)
                assert found.sources["achievements"] == tally.claimed
                assert found.sources["deliveries"] == tally.delivered
                for what, award in zip(("zinc", "copper", "silver", "gold", "money"), tally.awards, strict=True):
                    assert _within(found.sources[what], award)
            for race in rules.race(view, held):
                for company, lacking in zip(state.companies, race.lacking, strict=True):
                    assert (lacking is None) == bool(company.claimed[race.achievement])
                    for achievement, count, kinds in HOLDINGS:
                        if lacking is not None and achievement == race.achievement:
                            assert _within(sum(max(count - company.cubes[kind], 0) for kind in kinds), lacking)


@GAMES
def test_what_is_reckoned_is_the_same_in_every_state_that_the_seat_must_think_possible(seats: int, seed: int) -> None:
    """No bound is drawn from what is hidden."""
    different = 0
    for number, (rules, state) in enumerate(_states(seats, seed)):
        if number % 7:
            continue
        for seat in range(seats):
            view = rules.view(state, seat)
            other = rules.imagine(view, RandomChance(Random(number)))
            different += other != state
            there = rules.view(other, seat)
            held = rules.stocks(view)
            assert rules.stocks(there) == held
            assert rules.race(there, rules.stocks(there)) == rules.race(view, held)
            assert rules.tallies(there, rules.stocks(there)) == rules.tallies(view, held)
            for told in held:
                company = other.companies[told.seat]
                assert _within(company.insurance, told.insurance)
                assert all(_within(*pair) for pair in zip(company.cubes, told.cubes, strict=True))
    assert different


def test_what_was_insured_makes_the_bounds_and_what_is_spent_narrows_them() -> None:
    """After the insurance step all may be gone; three spent, of three zinc and one silver, prove two zinc at least."""
    state = RULES.start(RandomChance(Random(1)), [])
    account = state.companies[1].account
    account.seen[:], account.high[:], account.spent = [3, 0, 1, 2], [3, 0, 1, 0], 3
    told = known(RULES.view(state, 0), 1)
    assert told.cubes == (Range(0, 1), Range(0, 0), Range(0, 1), Range(2, 2))
    assert told.insurance == Range(0, 1)


def test_an_award_is_bounded_by_the_best_and_the_worst_that_can_be() -> None:
    """Whoever surely has the most surely gets it; who may have as many may share it; nobody gets one for nothing."""
    state = RULES.start(RandomChance(Random(1)), [])
    for company, (seen, high) in zip(state.companies, ((9, 0), (5, 3), (4, 0), (0, 0)), strict=True):
        company.account.seen[3], company.account.high[3] = seen, high
    view = RULES.view(state, None)
    by_seat = {tally.seat: tally for tally in RULES.tallies(view, RULES.stocks(view))}
    assert [by_seat[seat].awards[3] for seat in range(4)] == [Range(3, 3), Range(1, 2), Range(1, 2), Range(0, 0)]


def _changes(*events: object) -> list[str]:
    state = RULES.start(RandomChance(Random(1)), [])
    return [change.code for change in RULES.changes(events, RULES.view(state, 1), 1)]


def test_what_weighs_most_for_the_seat_comes_first_and_three_are_told() -> None:
    """Prestige before cubes before trifles; what befell others is not told."""
    bids = BidsRevealed((Bidden(1, 0, (0, 0, 0, 0), 0),), (1, 0, 2, 3), (0, 1, 2, 3))
    shared = Shared(4, (Share(1, 2, (0, 0, 1, 2)), Share(0, 2, (9, 9, 9, 9))), 0, "dominant", (5, 5, 5, 5))
    sold, claim, raised = Traded(1, 0, -1, 400), Claimed(1, 2, 4), Raised(1, 0, 2, 1500)
    assert _changes(sold, bids, raised, shared, claim) == ["claimed", "booty", "built"]
    assert len(_changes(sold, bids, raised, shared, claim)) == TOLD
    assert _changes(sold, bids) == ["place", "traded"]
    assert _changes(Claimed(0, 2, 4), Traded(2, 0, -9, 3600)) == []


def _moved(*events: object) -> list[object]:
    return list(RULES.moved(events))


def test_the_moves_of_the_last_round_are_the_last_act_of_each_company() -> None:
    """Across the border of two rounds; with bribes, falls and second moves; nothing of the turn before."""
    first, second = Moved(0, 0, 33, 0, 1), Moved(1, 0, 33, 0, 1)
    bribe, fall, onward = Bribed(1, 0, 0, 0, 1, 0, 0, 0), Fell(2, 1, 40, 0), Moved(1, 0, 0, 8, 2)
    again = Moved(0, 1, 34, 2, 1)
    assert _moved(RoundBegan(1), first, second, RoundBegan(2), again) == [second, again]
    assert _moved(RoundBegan(1), first, second, onward, bribe, fall) == [first, second, onward, bribe, fall]
    assert _moved(RoundBegan(1), first, Stayed(1, 0, 33), RoundBegan(2), Stayed(0, 0, 0), NoCrew(1)) == []
    assert _moved(first, RoundBegan(1), second) == [second]
    assert _moved(first, AutomatonMoved(0, 33, 1, None), AutomatonMoved(1, 34, 2, None)) == [
        AutomatonMoved(1, 34, 2, None)
    ]
    assert _moved(fall) == [fall]
    assert _moved() == []


def test_moves_survive_storage() -> None:
    """They are kept in reports as plain values."""
    move = Moved(0, 0, 33, 0, 1)
    assert msgspec.convert(msgspec.to_builtins(move), RULES.event_type) == move
