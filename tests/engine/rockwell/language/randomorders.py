"""Any order of Rockwell, drawn at random: for the laws that hold of all of them."""

from random import Random
from typing import Any

from engine.contract import Condition, Either, Every, Foreseen, Test
from engine.orders.shape import Alternative, Order
from engine.rockwell.choices import (
    LEFT,
    NOT_SAID,
    AutomatonMove,
    AutomatonRaise,
    Deliver,
    First,
    Mineshaft,
    Mobility,
    MoveMineshaft,
    Pass,
    Raise,
    Safety,
)
from engine.rockwell.geometry import BORDER, CENTRE, ENTRANCES
from engine.rockwell.language import LANGUAGE
from engine.rockwell.language.intents import (
    ALL,
    ANY,
    SAME,
    STAY,
    WITH,
    BidOf,
    Buy,
    CoverBy,
    DrillBy,
    InsureOf,
    PlaceOn,
    Sell,
)
from engine.rockwell.language.quantities import COUNTS, LEVELS
from tests.engine.rockwell.position import tile

B3 = tile("B3")


def random_order(random: Random, seat: int) -> Order:
    """Any order, with conditions."""
    kind = random.choice(
        ("bid", "place", "insure", "drill", "first", "danger", "market", "workshop", "automaton_move", "automaton_step")
    )
    alternatives = tuple(
        Alternative(random_intent(kind, random, seat), random.choice((None, random_test(random, 1, kind))))
        for _ in range(random.randrange(1, 4))
    )
    round_ = random.randrange(5) if kind == "drill" else 0
    return Order(kind, alternatives, round_, random.choice((None, random_test(random, 1))), random.random() < 0.3)


def random_cubes(random: Random) -> tuple[int, int, int, int]:
    """Any amounts."""
    return tuple(random.choice((0, 0, 1, 7, ALL)) for _ in range(4))  # type: ignore[return-value]


def random_intent(kind: str, random: Random, seat: int) -> Any:
    """Any intent of that kind."""
    spot_, crew, kind_ = random.randrange(32), random.randrange(4), random.randrange(4)
    if kind == "bid":
        return BidOf(random.choice((0, 100, 2400, ALL)), random_cubes(random))
    if kind == "drill":
        return random_drill(random, seat)
    choices: dict[str, list[Any]] = {
        "place": [PlaceOn(random.randrange(3), random.randrange(-1, 4))],
        "insure": [InsureOf(random_cubes(random))],
        "first": [First(spot_)],
        "danger": [CoverBy(random.randrange(-1, 5)), CoverBy(ALL, kind_)],
        "market": [Sell(kind_, 3), Buy(kind_, ALL), Pass()],
        "workshop": [
            Raise(crew),
            Safety(),
            Mobility(),
            Mineshaft(spot_),
            MoveMineshaft(spot_, 3),
            MoveMineshaft(ANY, spot_),
            Deliver(kind_),
            Pass(),
        ],
        "automaton_move": [AutomatonMove(crew, spot_)],
        "automaton_step": [AutomatonRaise(crew)],
    }
    return random.choice(choices[kind])


def random_drill(random: Random, seat: int) -> DrillBy:
    """Any act of a drilling round; nobody bribes its own."""
    if random.random() < 0.1:
        return DrillBy(ANY, STAY)
    crew, moves = random.randrange(4), (random.randrange(32), CENTRE, BORDER + random.randrange(32), WITH + B3)
    to = random.choice((*moves, STAY))
    if random.random() < 0.5:
        bribe = random.choice([other for other in range(16) if other // 4 != seat])
        return DrillBy(crew, to, bribe=bribe, onto=random.choice((NOT_SAID, B3)))
    second = NOT_SAID if to == STAY else random.choice((NOT_SAID, *moves))
    die = random.choice((NOT_SAID, LEFT, 1, 4, SAME))
    hire = random.choice((0, 0, 2))
    return DrillBy(crew, to, second, die, hire, bool(hire) and random.random() < 0.5)


def random_test(random: Random, depth: int, kind: str = "") -> Test:
    """Any condition; with a kind of which consequences are foreseen also one on those."""
    if depth and random.random() < 0.5:
        parts = tuple(random_test(random, depth - 1, kind) for _ in range(random.randrange(2, 4)))
        return random.choice((Every, Either))(parts)
    seat, crew, tile_, n = random.randrange(4), random.randrange(-1, 4), random.randrange(32), random.randrange(9)
    op = random.choice((">=", "<=", ">", "<", "=", "!="))
    board, slot = random.randrange(3), random.randrange(4)
    facts: list[tuple[str, dict[str, Any]]] = [
        ("revealed", {"tile": tile_}),
        ("on", {"seat": seat, "crew": crew, "spot": random.choice((tile_, CENTRE, ENTRANCES[1]))}),
        ("power", {"tile": tile_, "seat": random.randrange(-1, 4), "op": op, "n": n}),
        ("lacks", {"tile": tile_, "op": op, "n": n}),
        ("requires", {"tile": tile_, "op": op, "n": n}),
        ("cubes", {"kind": slot, "op": op, "n": n}),
        ("level", {"seat": seat, "what": random.choice(LEVELS), "op": op, "n": n}),
        ("holds", {"seat": seat, "board": board, "slot": random.choice((slot, -1))}),
        ("free", {"board": board, "slot": slot}),
        ("on", {"seat": random.choice((-1, -2)), "crew": -1, "spot": tile_}),
        ("has_die", {"crew": seat * 4 + slot}),
        ("crew_power", {"crew": seat * 4 + slot, "op": op, "n": n}),
        ("mineshaft_on", {"tile": tile_, "seat": random.choice((seat, -1, -2))}),
        ("before", {"first": seat, "second": (seat + 1) % 4}),
        ("compare", {"left": random_quantity(random), "op": op, "right": random_quantity(random)}),
        *((code, {"op": op, "n": n}) for code in COUNTS.values()),
    ]
    if kind in LANGUAGE.foreseen and random.random() < 0.3:
        foreseen: list[tuple[str, dict[str, Any]]] = [
            ("extracts", random.choice(({}, {"tile": tile_}))),
            ("shares", {"seat": seat}),
            ("priority", {"seat": seat}),
            ("alone", {}),
        ]
        code, params = random.choice(foreseen)
        return Foreseen(code, params, random.random() < 0.7)
    code, params = random.choice(facts)
    return Condition(code, params, random.random() < 0.7)


def random_quantity(random: Random) -> dict[str, Any]:
    """Any number that a condition may compare."""
    seat, tile_ = random.randrange(4), random.randrange(32)
    return random.choice(
        [
            {"code": "power", "tile": tile_, "seat": random.choice((-1, seat))},
            {"code": "requires", "tile": tile_},
            {"code": "lacks", "tile": tile_},
            {"code": "crew_power", "crew": seat * 4 + tile_ % 4},
            {"code": "cubes", "kind": seat},
            {"code": "level", "seat": seat, "what": random.choice(LEVELS)},
            *({"code": code} for code in COUNTS.values()),
        ]
    )
