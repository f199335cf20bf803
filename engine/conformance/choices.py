"""Laws of what is legal: what is offered is legal, what is altered is told, nothing is touched by asking."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from engine.chance import RandomChance, pick_from
from engine.conformance.walk import Position, few, hold, positions
from engine.contract import Choice, Rules, RulesModule, Space
from engine.errors import Illegal
from engine.journal import canonical
from engine.spaces import allows, check, every, sample, single

_LISTED = 100
_SAMPLES = 3
_ALTERED = 6
_IMAGINED = 200


def asked(module: RulesModule, rules: Rules, seed: int) -> None:
    """A decision names its seats in order, one unless it is sealed, and offers nothing to any other seat."""
    for position in positions(rules, seed):
        seats = position.decision.seats
        everyone = range(rules.setup.seats)
        hold(seats == tuple(sorted(set(seats))) and set(seats) <= set(everyone), "asked", position)
        hold(position.decision.sealed or len(seats) == 1, "asked", f"several seats, not sealed, at {position}")
        for seat in everyone:
            if seat not in seats:
                hold(_refuses(rules, position, seat), "asked", f"choices for seat {seat} at {position}")


def offered(module: RulesModule, rules: Rules, seed: int) -> None:
    """Samples, defaults, stand-ins' choices and all that is listed are legal; no value is offered twice."""
    for position in positions(rules, seed):
        for seat in position.decision.seats:
            space = rules.space(position.state, seat)
            listed = every(space, _LISTED)
            hold(bool(listed) and len(set(listed)) == len(listed), "offered", f"listing at {position}")
            for choice in listed[:: max(1, len(listed) // 20)]:
                hold(allows(space, choice), "offered", f"{choice} is listed and not legal at {position}")
            _stands(space, rules.default(position.state, seat), f"default at {position}")
            pick = pick_from(position.random)
            for _ in range(_SAMPLES):
                choice = sample(space, pick)
                _stands(space, choice, f"sample at {position}")
                hold(len(listed) == _LISTED or choice in listed, "offered", f"{choice} not listed at {position}")


def stand_ins(module: RulesModule, rules: Rules, seed: int) -> None:
    """What any stand-in chooses is legal, and it is given its seat's view alone."""
    bots = {level: make(rules) for level, make in module.bots.items()}
    for position in few(rules, seed):
        for seat in position.decision.seats:
            space = rules.space(position.state, seat)
            for level, bot in bots.items():
                view = rules.view(position.state, seat)
                choice = bot(view, position.decision, space, pick_from(position.random))
                _stands(space, choice, f"{level} at {position}")


def altered(module: RulesModule, rules: Rules, seed: int) -> None:
    """A choice altered or brought from another moment is either offered here or raises Illegal, touching nothing."""
    old: list[Choice] = []
    for position in positions(rules, seed):
        before = canonical(position.state)
        for seat in position.decision.seats:
            space = rules.space(position.state, seat)
            listed = every(space, _LISTED)
            choice = sample(space, pick_from(position.random))
            for other in (*variants(rules, choice, position.random), *old[-_ALTERED:]):
                legal = _told(space, other, position)
                if len(listed) < _LISTED:
                    hold(legal == (other in listed), "altered", f"{other} is legal: {legal}, at {position}")
            old.append(choice)
        hold(canonical(position.state) == before, "altered", f"asking changed the state at {position}")


def singles(module: RulesModule, rules: Rules, seed: int) -> None:
    """A seat with one legal choice is asked only if another seat could think that it has more."""
    for position in positions(rules, seed):
        (seat, *others) = position.decision.seats
        if others or position.decision.private or not single(rules.space(position.state, seat)):
            continue
        hold(_might_choose(rules, position, seat), "singles", f"one choice, as all know, at {position}")


def variants(rules: Rules, choice: Choice, random: Random) -> Iterator[Choice]:
    """Choices that differ from one in a single number or word, as far as they are choices at all."""
    plain = msgspec.to_builtins(choice)
    for _ in range(_ALTERED):
        changed = change_one(plain, random)
        try:
            yield msgspec.convert(changed, rules.choice_type)
        except msgspec.ValidationError:
            continue


def change_one(value: Any, random: Random) -> Any:
    """Plain data with a single number, word or length of a list changed."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return random.choice((value + 1, value - 1, -value - 1, value + 10**6))
    if isinstance(value, str):
        return random.choice((value + "x", ""))
    if isinstance(value, list) and value:
        place = random.randrange(len(value))
        shorter, changed = value[:place], [change_one(value[place], random)]
        return random.choice((shorter, value + value[-1:], value[:place] + changed + value[place + 1 :]))
    if isinstance(value, dict):
        names = [name for name in value if name != "type"]
        if names:
            name = random.choice(names)
            return {**value, name: change_one(value[name], random)}
    return random.choice((0, 1, None))


def _might_choose(rules: Rules, position: Position, seat: int) -> bool:
    for other in range(rules.setup.seats):
        if other == seat:
            continue
        view = rules.view(position.state, other)
        for _ in range(_IMAGINED):
            imagined = rules.imagine(view, RandomChance(position.random))
            if not single(rules.space(imagined, seat)):
                return True
    return False


def _refuses(rules: Rules, position: Position, seat: int) -> bool:
    try:
        rules.space(position.state, seat)
    except Illegal:
        return True
    return False


def _told(space: Space, choice: Choice, position: Position) -> bool:
    try:
        check(space, choice)
    except Illegal as illegal:
        hold(bool(illegal.code), "altered", f"no reason for {choice} at {position}")
        return False
    return True


def _stands(space: Space, choice: Choice, where: str) -> None:
    try:
        check(space, choice)
    except Illegal as illegal:
        detail = f"{choice}: {illegal.code} in {illegal.part}, {where}"
        hold(False, "offered", detail)
