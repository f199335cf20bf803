"""What an order comes to at the decision that it meets: the choice, or the code of the refusal."""

import tomllib
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import spaces
from engine.chance import RandomChance, pick_from
from engine.contract import Choice, Setup
from engine.errors import Illegal
from engine.orders.shape import Order
from engine.rockwell import MODULE
from engine.rockwell.choices import (
    LEFT,
    Bid,
    Cover,
    Deliver,
    Drill,
    First,
    Insure,
    Mineshaft,
    Mobility,
    MoveMineshaft,
    Pass,
    Place,
    Raise,
    Safety,
    Trade,
)
from engine.rockwell.components import BUILT_IN
from engine.rockwell.geometry import CENTRE
from engine.rockwell.language import INTENTS, LANGUAGE
from engine.rockwell.language.intents import Buy
from engine.rockwell.rules import RockwellRules
from engine.rockwell.state import (
    CONTROL,
    GOLD,
    WORKSHOP,
    Acting,
    Danger,
    Drilling,
    Insuring,
    Placing,
    Ripe,
    Spoil,
    State,
)
from tests.engine.rockwell.language.said import GREEN, PURPLE, RED, fitted, order, said
from tests.engine.rockwell.late import at_market, at_workshop
from tests.engine.rockwell.position import Position, spot, tile


def bids() -> Position:
    """Red, with 3 zinc, 2 copper, 1 silver and $3,000, bids first."""
    return Position().stock(RED, (3, 2, 1, 0), 3050)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("bid 1200 + 2 zinc", Bid(1200, (2, 0, 0, 0))),
        ("bid nothing", Bid(0, (0, 0, 0, 0))),
        ("bid all", Bid(3000, (3, 2, 1, 0))),
        ("bid all zinc + all money", Bid(3000, (3, 0, 0, 0))),
        ("bid 1250", "hundreds"),
        ("bid 9000", "too_much_money"),
        ("bid 4 zinc", "too_many_cubes"),
    ],
)
def test_a_bid(text: str, choice: Choice | str) -> None:
    """Money in hundreds and cubes, as far as it holds them."""
    assert fitted(text, bids()) == choice


def test_a_refusal_says_what_would_be_right() -> None:
    """The most that it may be, and the nearest that is legal."""
    position = bids()
    with pytest.raises(Illegal) as caught:
        position.rules.fit(position.state, RED, order("bid 9000", position).alternatives[0].intent)
    assert (caught.value.code, caught.value.params, caught.value.part) == ("too_much_money", {"most": 3050}, "money")
    assert caught.value.nearest[0] == 3000


def test_insurance_may_be_of_all_cubes_of_a_kind() -> None:
    """And of no more than it holds."""
    position = Position().stock(RED, (3, 2, 1, 0)).step(Insuring())
    assert fitted("insure all zinc, 1 copper", position) == Insure((3, 1, 0, 0))
    assert fitted("insure 1 gold", position) == "too_many_cubes"


def test_placing_without_a_slot_takes_the_leftmost_that_is_free() -> None:
    """And is refused on a board that is full or where the company is already."""
    position = Position().slot(WORKSHOP, 0, GREEN).step(Placing(0))
    assert fitted("place workshop", position) == Place(WORKSHOP, 1)
    assert fitted("place workshop 1", position) == "slot_taken"
    assert fitted("place control", position.slot(CONTROL, 3, RED)) == "on_that_board"


def drills(mobility: int = 0) -> Position:
    """Red plays a crew: c1 on B3, c2 on C3 with a die of 2, c3 on D1; Green's c1 on B4; Red may hire up to 3 dice."""
    position = Position().levels(RED, mobility=mobility).crew(RED, 0, "B3").crew(RED, 1, "C3", die=2).crew(RED, 2, "D1")
    return position.crew(GREEN, 0, "B4").stock(RED, money=5000).slot(CONTROL, 2, RED).drilling(RED)


@pytest.mark.parametrize(
    ("text", "mobility", "choice"),
    [
        ("drill: c1 to B4", 0, Drill(0, tile("B4"))),
        ("drill: c1 stay", 0, Drill(0, tile("B3"))),
        ("drill: stay", 0, Drill(0, tile("B3"))),
        ("drill: c1 to B3", 0, Drill(0, tile("B3"))),
        ("drill: c1 to C3, hire 3", 0, Drill(0, tile("C3"), hire=3)),
        ("drill: c1 to B4, hire 2 anyway", 0, Drill(0, tile("B4"), hire=2, anyway=True)),
        ("drill: c3 to core", 0, Drill(2, CENTRE)),
        ("drill: c1 to B5", 1, Drill(0, tile("B5"))),
        ("drill: c1 straddle B3 B4", 2, Drill(0, spot("B3/B4"))),
        ("drill: c1 straddle B2", 2, Drill(0, spot("B2/B3"))),
        ("drill: c1 to B4 then C4", 3, Drill(0, tile("B4"), tile("C4"))),
        ("drill: c1 to B4 then straddle C4", 3, "not_adjacent"),
        ("drill: c1 to B4 then straddle B5", 3, Drill(0, tile("B4"), spot("B4/B5"))),
        ("drill: c1 to B5", 0, "needs_mobility"),
        ("drill: c1 straddle B3 B4", 1, "needs_mobility"),
        ("drill: c1 to D3", 0, "not_adjacent"),
        ("drill: c1 to B4, hire 3", 0, "above_cap"),
        ("drill: c1 to B4, bribe green c1", 0, "no_right"),
        ("drill: c1 to B4, bring die", 0, "no_die"),
    ],
)
def test_a_drill(text: str, mobility: int, choice: Choice | str) -> None:
    """Where the crew goes from where it stands, and what goes with it."""
    assert fitted(text, drills(mobility)) == choice


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("drill: c2 to C4", Drill(1, tile("C4"), die=LEFT)),
        ("drill: c2 to C4, leave die", Drill(1, tile("C4"), die=LEFT)),
        ("drill: c2 to C4, bring die", Drill(1, tile("C4"), die=2)),
        ("drill: c2 to C4, bring die 3", Drill(1, tile("C4"), die=3)),
        ("drill: c2 stay", Drill(1, tile("C3"))),
        ("drill: c2 stay, bring die", Drill(1, tile("C3"))),
        ("drill: c2 to C4, hire 3", Drill(1, tile("C4"), die=LEFT, hire=3)),
        ("drill: c2 to C4, bring die 4", "above_cap"),
    ],
)
def test_a_die_that_is_not_spoken_of_stays_behind(text: str, choice: Choice | str) -> None:
    """Nothing is paid that was not ordered; a die that comes along keeps its power unless another is said."""
    assert fitted(text, drills()) == choice


def test_a_die_comes_along_as_far_as_the_stratum_allows() -> None:
    """Outwards it is put down to the cap."""
    assert fitted("drill: c2 to B3, bring die", drills()) == Drill(1, tile("B3"), die=2)
    assert fitted("drill: c2 to A3, bring die", drills().crew(RED, 1, "B3", die=2)) == Drill(1, tile("A3"), die=1)


def test_a_bribe_goes_to_the_only_tile_in_reach() -> None:
    """A straddling crew that bribes need not say where, unless either is possible."""
    position = Position().levels(RED, mobility=2).crew(RED, 0, "B3").slot(CONTROL, 0, RED).drilling(RED)
    position.crew(GREEN, 0, "B5").crew(GREEN, 1, "C3")
    for other in range(2, 4):
        position.crew(RED, other, "D1")
    straddle = spot("B3/B4")
    assert fitted("drill: c1 straddle B4, bribe green c1", position) == Drill(0, straddle, bribe=4, onto=tile("B4"))
    assert fitted("drill: c1 straddle B4, bribe green c2 to B3", position) == Drill(
        0, straddle, bribe=5, onto=tile("B3")
    )
    assert fitted("drill: c1 to C3, bribe green c2", position) == "not_in_reach"
    assert fitted("drill: c1 stay, bribe green c2 to B3", position) == Drill(0, tile("B3"), bribe=5)


def test_which_tile_of_a_straddling_crew_comes_first() -> None:
    """RW-EXT-16: `first B3`."""
    position = Position().crew(RED, 0, "B3/B4").tile("B3", 1).tile("B4", 1)
    position.drilling(RED).step(Drilling(1, 0), Acting(RED, Drill(0, spot("B3/B4")), 4), Ripe(RED, 0, "move"))
    assert fitted("first B4", position) == First(tile("B4"))
    assert fitted("first B5", position) == "not_that_tile"


def in_danger(insurance: int, loss: int = 3) -> Position:
    """Red loses 3 of 1 gold, 1 silver and 4 zinc."""
    spoil = Spoil(RED, 3, (4, 0, 1, 1), (0, 0, 0, 0), loss, loss)
    return Position().stock(RED, insurance=insurance).step(Drilling(1, 0), Danger(tile("B3"), RED, (spoil,), (RED,)))


@pytest.mark.parametrize(
    ("text", "insurance", "covered"),
    [
        ("danger: insurance 2", 5, 2),
        ("danger: insurance 9", 5, 3),
        ("danger: insurance 2", 1, 1),
        ("danger: all", 5, 3),
        ("danger: all", 2, 2),
        ("danger: none", 5, 0),
        ("danger: keep gold", 5, 3),
        ("danger: keep gold", 2, 0),
        ("danger: keep silver", 2, 2),
    ],
)
def test_insurance_is_spent_as_far_as_it_helps(text: str, insurance: int, covered: int) -> None:
    """Never more than is held or would be lost; `keep gold` spends nothing where it would not save the gold."""
    assert fitted(text, in_danger(insurance)) == Cover(covered)


def test_market_orders() -> None:
    """All that it holds, all that it can pay, and refusals."""
    position = at_market(Position().stock(RED, (3, 2, 0, 1), 2500), RED)
    assert fitted("sell 2 zinc", position) == Trade(0, -2)
    assert fitted("sell all zinc", position) == Trade(0, -3)
    assert fitted("buy all copper", position) == Trade(1, 4)
    assert fitted("pass", position) == Pass()
    assert fitted("sell 2 gold", position) == "too_many_cubes"
    assert fitted("sell all silver", position) == "trade_of_nothing"
    assert fitted("buy 3 gold", position) == "cannot_pay"


def test_workshop_orders() -> None:
    """Each action, and refusals."""
    position = Position().stock(RED, (9, 9, 9, 9), 3000).crew(RED, 0, "B3").mineshaft("A1", RED)
    position.levels(RED, mineshaft=1)
    position = at_workshop(position, RED)
    assert fitted("power c2", position) == Raise(1)
    assert fitted("safety", position) == Safety()
    assert fitted("mobility", position) == Mobility()
    assert fitted("mineshaft B4", position) == Mineshaft(tile("B4"))
    assert fitted("move mineshaft A1 to B4", position) == MoveMineshaft(tile("A1"), tile("B4"))
    assert fitted("move mineshaft to B4", position) == MoveMineshaft(tile("A1"), tile("B4"))
    assert fitted("deliver gold", position) == Deliver(3)
    assert fitted("pass", position) == Pass()
    assert fitted("mineshaft D8", position) == "no_site"
    position.mineshaft("A2", RED)
    assert fitted("move mineshaft to B4", position) == "which_mineshaft"


def test_an_order_for_another_kind_of_decision_is_refused() -> None:
    """Whatever it says."""
    position = bids()
    for text in ("place workshop", "insure nothing", "first B3", "danger: all", "sell 1 zinc", "safety", "drill: stay"):
        intent = order(text, position).alternatives[0].intent
        with pytest.raises(Illegal) as caught:
            position.rules.fit(position.state, RED, intent)
        assert caught.value.code == "wrong_kind", text


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_examples_can_be_carried_out_and_anything_else_is_legal_or_refused(seed: int) -> None:
    """At random positions each example is legal, and an intent of any numbers gives a legal choice or Illegal."""
    random = Random(seed)
    rules = MODULE.bind(Setup(random.choice((3, 4))))
    chance = RandomChance(random)
    state = rules.start(chance, [])
    for _ in range(60):
        decision = rules.pending(state)
        if decision is None:
            break
        answers = {}
        for seat in decision.seats:
            view = rules.view(state, seat)
            made = LANGUAGE.ideas(rules, view, decision.kind, decision.round)
            assert all(can_be_done(rules, state, seat, example) for example in made)
            answers[seat] = spaces.sample(rules.space(state, seat), pick_from(random))
            for example in made[:1]:
                try_anything(rules, state, seat, example, random)
        rules.apply(state, answers, chance, [])


def test_examples_go_by_the_prices_of_the_game_s_own_component_set() -> None:
    """What the built-in set would let a company pay is no example where its own set asks for more, nor the reverse."""
    dearer = tomllib.loads(BUILT_IN.read_text(encoding="utf-8"))
    dearer["prices"]["mobility"] = [2200, 2300, 2500]
    dearer["prices"]["market"]["gold"] = 2000
    dearer["prices"]["safety"]["four"] = [400, 2000, 2500]
    dearer["set"]["name"] = "dearer"
    for components, bought, trades in ((None, {Mobility, Safety}, True), (dearer, {Safety}, False)):
        position = Position(components=components).stock(RED, (0, 0, 0, 0), money=2100)
        for crew in range(4):
            position.crew(RED, crew, "A1", power=4)
        rules, view = position.rules, position.rules.view(position.state, RED)
        first = {type(made.alternatives[0].intent) for made in LANGUAGE.ideas(rules, view, "workshop", 0)}
        assert first == bought | {Pass}
        firsts = [made.alternatives[0].intent for made in LANGUAGE.ideas(rules, view, "market", 0)]
        assert (Buy(GOLD, 1) in firsts) == trades


def can_be_done(rules: RockwellRules, state: State, seat: int, made: Order) -> bool:
    """Whether one of an order's alternatives is legal."""
    for alternative in made.alternatives:
        try:
            choice = rules.fit(state, seat, alternative.intent)
        except Illegal:
            continue
        return spaces.allows(rules.space(state, seat), choice)
    return False


def try_anything(rules: RockwellRules, state: State, seat: int, made: Order, random: Random) -> None:
    """An intent with numbers changed at will."""
    plain = msgspec.to_builtins(made.alternatives[0].intent)
    for name, value in plain.items():
        if type(value) is int:
            plain[name] = random.choice((-5, -2, -1, 0, 1, 7, 31, 32, 36, 60, 110, 999, 9999))
    try:
        intent = msgspec.convert(plain, INTENTS)
        choice = rules.fit(state, seat, intent)
    except Illegal:
        return
    assert spaces.allows(rules.space(state, seat), choice)


def test_a_crew_of_another_colour_is_shown_by_its_colour() -> None:
    """In the normal form too."""
    assert said(order("drill 2: c1 stay, bribe red c3", seat=PURPLE), seat=PURPLE) == "drill 2: c1 stay, bribe red c3"
