"""Laws of what a seat knows: all that it is told and offered follows from its view."""

from random import Random
from typing import Any

from engine.chance import RandomChance, pick_from
from engine.conformance.choices import variants
from engine.conformance.walk import Position, few, hold, positions, same
from engine.contract import Bot, Choice, Event, Rules, RulesModule, Space
from engine.errors import Illegal
from engine.journal import canonical
from engine.spaces import allows, check, every, sample

_LISTED = 12
_SAMPLES = 3


def imagined(module: RulesModule, rules: Rules, seed: int) -> None:
    """The view of an imagined state is the view that it was imagined from; it is sound and at the same decision."""
    for position in positions(rules, seed):
        _imagined(module, position)


def known(module: RulesModule, rules: Rules, seed: int) -> None:
    """What an asked seat may do, its default and every refusal are the same on the real and on an imagined state."""
    for position in positions(rules, seed):
        _known(position)


def unleaked(module: RulesModule, rules: Rules, seed: int) -> None:
    """`imagined`, `known` and `told` in one game: for many games, where playing each three times takes too long."""
    for position in positions(rules, seed):
        _imagined(module, position)
        _known(position)
        _told(position)


def blind(module: RulesModule, rules: Rules, seed: int) -> None:
    """A stand-in makes the same choice on the real state and on an imagined one, and touches neither, nor its view.

    With the same picks the choice is the same: nothing else is drawn on.
    """
    bots = {level: make(rules) for level, make in module.bots.items()}
    for position in few(rules, seed):
        for seat in position.decision.seats:
            imagined = rules.imagine(rules.view(position.state, seat), RandomChance(position.random))
            number = position.random.random()
            for level, bot in bots.items():
                made = [_untouched(bot, rules, position, state, seat, number) for state in (position.state, imagined)]
                hold(made[0] == made[1], "blind", f"{level}, seat {seat} at {position}: {made}")


def _untouched(bot: Bot, rules: Rules, position: Position, state: Any, seat: int, number: float) -> Choice:
    before, view = canonical(state), rules.view(state, seat)
    choice = bot(view, position.decision, rules.space(state, seat), pick_from(Random(number)))
    untouched = canonical(state) == before and same(view, rules.view(state, seat))
    hold(untouched, "blind", f"a stand-in changed what it saw, seat {seat} at {position}")
    return choice


def told(module: RulesModule, rules: Rules, seed: int) -> None:
    """What a seat sees of an act follows from its view and the act, unless its view then shows the difference too.

    At the end of the game everything may be told.
    """
    for position in positions(rules, seed):
        _told(position)


def playable(module: RulesModule, rules: Rules, seed: int) -> None:
    """Imagined states play on like real ones, soundly, for some decisions at least."""
    for position in positions(rules, seed):
        if position.number % 5:
            continue
        seat = position.random.randrange(rules.setup.seats)
        state = rules.imagine(rules.view(position.state, seat), RandomChance(position.random))
        play_on(rules, state, position)


def _imagined(module: RulesModule, position: Position) -> None:
    rules, at, public = position.rules, str(position), canonical(position.view(None))
    stages = {pace: rules.stage(position.state, pace) for pace in module.paces}
    for seat in range(rules.setup.seats):
        state, where = position.world(seat), (seat, at)
        hold(same(rules.view(state, seat), position.view(seat)), "imagined", where)
        hold(rules.pending(state) == position.decision, "imagined", where)
        broken = list(rules.invariants(state))
        hold(not broken, "imagined", (broken, where))
        hold({pace: rules.stage(state, pace) for pace in module.paces} == stages, "imagined", where)
        hold(canonical(rules.view(state, None)) == public, "imagined", where)


def _known(position: Position) -> None:
    rules, at = position.rules, str(position)
    for seat in position.decision.seats:
        state, where = position.world(seat), (seat, at)
        real, other = rules.space(position.state, seat), rules.space(state, seat)
        hold(every(real, _LISTED) == every(other, _LISTED), "known", where)
        hold(rules.default(state, seat) == rules.default(position.state, seat), "known", where)
        _same_answers(position, real, other, where)


def _same_answers(position: Position, real: Space, other: Space, where: object) -> None:
    for _ in range(_SAMPLES):
        seed = position.random.random()
        choice = sample(real, pick_from(Random(seed)))
        hold(sample(other, pick_from(Random(seed))) == choice, "known", where)
    for variant in variants(position.rules, choice, position.random):
        hold(_refusal(real, variant) == _refusal(other, variant), "known", (variant, where))


def _told(position: Position) -> None:
    rules, answers = position.rules, position.answers()
    seat = position.number % rules.setup.seats
    real, other = position.state.copy(), position.world(seat).copy()
    if not all(allows(rules.space(other, each), choice) for each, choice in answers.items()):
        return
    here = position.applied(real, answers, position.number)
    there = position.applied(other, answers, position.number)
    goes_on = rules.pending(real) is not None
    if goes_on and same(rules.view(real, seat), rules.view(other, seat)):
        hold(same(_seen(here, seat), _seen(there, seat)), "told", (seat, answers, str(position)))


def _seen(events: list[Event], seat: int) -> list[Any]:
    return [seen for event in events if (seen := event.seen_by(seat)) is not None]


def _refusal(space: Space, choice: Choice) -> tuple[object, ...] | None:
    try:
        check(space, choice)
    except Illegal as illegal:
        return (illegal.code, illegal.params, illegal.part, illegal.given, illegal.nearest)
    return None


def play_on(rules: Rules, state: Any, position: Position) -> None:
    """Some decisions more, at random, each to a sound state."""
    chance = RandomChance(position.random)
    pick = pick_from(position.random)
    for _ in range(10):
        decision = rules.pending(state)
        if decision is None:
            return
        answers = {seat: sample(rules.space(state, seat), pick) for seat in decision.seats}
        rules.apply(state, answers, chance, [])
        broken = list(rules.invariants(state))
        hold(not broken, "playable", f"{broken} after a state made at {position}")
