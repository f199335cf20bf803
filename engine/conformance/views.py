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

_LISTED = 40
_SAMPLES = 3


def imagined(module: RulesModule, rules: Rules, seed: int) -> None:
    """The view of an imagined state is the view that it was imagined from; it is sound and at the same decision."""
    for position in positions(rules, seed):
        for seat in range(rules.setup.seats):
            view = rules.view(position.state, seat)
            state = rules.imagine(view, RandomChance(position.random))
            where = f"seat {seat} at {position}"
            hold(same(rules.view(state, seat), view), "imagined", f"view of {where}")
            hold(rules.pending(state) == position.decision, "imagined", f"decision of {where}")
            hold(not list(rules.invariants(state)), "imagined", f"{list(rules.invariants(state))} for {where}")
            for pace in module.paces:
                hold(rules.stage(state, pace) == rules.stage(position.state, pace), "imagined", f"stage of {where}")
            hold(same(rules.view(state, None), rules.view(position.state, None)), "imagined", f"public of {where}")


def known(module: RulesModule, rules: Rules, seed: int) -> None:
    """What an asked seat may do, its default and every refusal are the same on the real and on an imagined state."""
    for position in positions(rules, seed):
        for seat in position.decision.seats:
            state = rules.imagine(rules.view(position.state, seat), RandomChance(position.random))
            real, other = rules.space(position.state, seat), rules.space(state, seat)
            where = f"seat {seat} at {position}"
            hold(every(real, _LISTED) == every(other, _LISTED), "known", f"choices of {where}")
            default = rules.default(position.state, seat)
            hold(rules.default(state, seat) == default, "known", f"default of {where}")
            _same_answers(rules, position, real, other)


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
        answers = position.answers()
        seat = position.number % rules.setup.seats
        state = rules.imagine(rules.view(position.state, seat), RandomChance(position.random))
        if not all(allows(rules.space(state, each), choice) for each, choice in answers.items()):
            continue
        real = position.applied(position.state, answers, position.number)
        other = position.applied(state, answers, position.number)
        goes_on = rules.pending(position.state) is not None
        if goes_on and same(rules.view(position.state, seat), rules.view(state, seat)):
            hold(same(_seen(real, seat), _seen(other, seat)), "told", f"seat {seat} of {answers} at {position}")


def playable(module: RulesModule, rules: Rules, seed: int) -> None:
    """Imagined states play on like real ones, soundly, for some decisions at least."""
    for position in positions(rules, seed):
        if position.number % 5:
            continue
        seat = position.random.randrange(rules.setup.seats)
        state = rules.imagine(rules.view(position.state, seat), RandomChance(position.random))
        play_on(rules, state, position)


def _same_answers(rules: Rules, position: Position, real: Space, other: Space) -> None:
    for _ in range(_SAMPLES):
        seed = position.random.random()
        choice = sample(real, pick_from(Random(seed)))
        hold(sample(other, pick_from(Random(seed))) == choice, "known", f"samples at {position}")
        for variant in variants(rules, choice, position.random):
            hold(_refusal(real, variant) == _refusal(other, variant), "known", f"refusal of {variant} at {position}")


def _seen(events: list[Event], seat: int) -> list[Any]:
    return [event.seen_by(seat) for event in events]


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
