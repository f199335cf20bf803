"""What orders would come to and what stands against them, told before they come up, from the seat's view alone."""

from collections.abc import Sequence
from random import Random

import pytest

from engine.brass_empire import MODULE
from engine.brass_empire.choices import EFFECT, TURN, Corporation
from engine.brass_empire.rules import BrassEmpireRules
from engine.brass_empire.state import State, Turn
from engine.chance import RandomChance, pick_from
from engine.contract import Asked, Obstacle
from engine.orders.outlook import consequences, obstacle
from engine.orders.reader import read
from engine.orders.shape import Order
from engine.spaces import sample
from tests.engine.brass_empire import fuzz
from tests.engine.brass_empire.position import Position


def _orders(position: Position, text: str, seat: int = 0) -> Sequence[Order]:
    reading = read(text, MODULE.language, position.rules.view(position.state, seat))
    assert all(line.order is not None for line in reading.lines), reading.lines
    return reading.orders


def foreseen(position: Position, text: str, pace: str = "strict") -> list[list[tuple[str, dict[str, object]]]]:
    """What each line of seat 0 that would be used would come to."""
    view = position.rules.view(position.state, 0)
    found = consequences(position.rules, view, _orders(position, text), pace)
    return [[(each.code, each.params) for each in told] for _, told, against in found if against is None]


def passed_over(position: Position, text: str) -> list[tuple[str, dict[str, object]]]:
    """What stands against the lines of seat 0 that would be passed over."""
    view = position.rules.view(position.state, 0)
    found = consequences(position.rules, view, _orders(position, text), "strict")
    return [(against.code, against.params) for _, _, against in found if against is not None]


def against(position: Position, text: str, seat: int = 0, pace: str = "strict") -> tuple[str, bool] | None:
    """The code of what stands against a line, and whether for good."""
    view = position.rules.view(position.state, seat)
    (order,) = _orders(position, text, seat)
    found = obstacle(position.rules, view, order, position.rules.agenda(view, pace))
    return None if found is None else (found.code, found.for_good)


def test_a_turn_is_foreseen_line_by_line() -> None:
    """Each line where those before it leave the company; what is not to be had is passed over for what is."""
    position = Position().hand(0, "clerk", "clerk", "manager", "parts_silo").row(0, "manager", deck=("claim_baron",))
    position.reserve(0, "gumshoe").deck(0, *["clerk"] * 9)
    card = position.card
    assert foreseen(position, "play all\nbuy claim baron or manager\nif labor >= 1, buy gumshoe\nend") == [
        [("makes", {"labor": 4, "construction": 0}), ("lays", {"card": card("parts_silo")})],
        [("buys", {"card": card("manager"), "seat": 0, "labor": 1, "construction": 0})],
        [("ends", {"labor": 1, "construction": 0})],
    ]


def test_an_order_that_could_not_be_done_when_it_comes_up_is_told_with_the_reason() -> None:
    """Where the acts before it leave the company; also where no order ends the turn."""
    position = Position().hand(0, "clerk", "union_worker").deck(0, *["clerk"] * 9)
    too_little = [("no_construction", {"needs": 2, "has": 1})]
    assert passed_over(position, "play all\nconvert 4\nend") == too_little
    assert passed_over(position, "play all\nconvert 4") == too_little
    assert passed_over(position, "convert 4\nplay all\nend") == too_little


def test_an_order_that_something_behind_it_makes_possible_is_not_told_as_passed_over() -> None:
    """It stands on the sheet until it can be done."""
    position = Position().hand(0, "union_worker", "union_worker").deck(0, *["clerk"] * 9)
    assert passed_over(position, "convert 2\nplay all\nend") == []
    assert [told[0][0] for told in foreseen(position, "convert 2\nplay all\nend")] == ["makes", "converts", "ends"]


def test_nothing_is_told_against_an_order_that_may_come_up_again_after_a_card_is_drawn() -> None:
    """What is drawn may make it possible; so may what the company says after a pause."""
    position = Position().hand(0, "clerk").deck(0, "clerk", "manager", "union_worker", "chroniker")
    position.piece(0, "clockwerks_factory")
    assert passed_over(position, "convert 2\ndemolish clockwerks factory\nend") == []
    assert passed_over(position, "convert 2\npause\nplay clerk\nend") == []


def test_nothing_is_told_beyond_a_card_that_is_drawn() -> None:
    """What the drawn cards will bring nobody knows; only that they come."""
    position = Position().hand(0, "clerk", "supply_yard").deck(0, "clerk", "manager", "union_worker", "chroniker")
    yard = position.piece(0, "clockwerks_factory")
    assert foreseen(position, "play clerk\ndemolish clockwerks factory\nconvert all\nend") == [
        [("makes", {"labor": 1, "construction": 0})],
        [("draws", {})],
    ]
    assert yard in {piece.id for piece in position.company(0).pieces}


def test_a_card_that_comes_into_a_row_is_not_told() -> None:
    """The place counts as empty, even where the rest of the deck is a single card."""
    position = Position().row(0, "manager", deck=("gumshoe", "clerk")).resources(9)
    assert [code for told in foreseen(position, "buy manager\nbuy clerk\nend") for code, _ in told] == ["buys", "ends"]


def test_a_fight_is_foreseen_with_what_it_costs() -> None:
    """Both deal; who destroys takes brass while the own platform stands."""
    position = Position().brass(0, 0)
    position.piece(0, "chroniker")
    position.piece(1, "tesla_trooper", damage=1)
    card, tables = position.card, position.tables
    chroniker, trooper = card("chroniker"), card("tesla_trooper")
    (told,) = foreseen(position, "attack blue tesla trooper with chroniker")
    fight = {"card": chroniker, "seat": 1, "target": trooper, "damage": tables.attack[chroniker]}
    assert told[0] == ("deals", fight)
    assert ("suffers", {"card": chroniker, "damage": tables.attack[trooper]}) in told
    assert ("destroys", {"card": trooper, "seat": 1}) in told
    assert ("brings", {"brass": tables.brass[trooper], "seat": 0}) in told


def test_a_question_that_no_line_answers_is_told() -> None:
    """Where it may be declined what follows is told as if it were; where something must be chosen nothing more is."""
    position = Position().hand(0, "illumination_inventor", "clerk").discard(0, "clerk").deck(0, "clerk", "manager")
    told = foreseen(position, "play illumination inventor\nplay clerk")
    assert [code for code, _ in told[0]] == ["makes", "asks"]
    assert told[1] == [("makes", {"labor": 1, "construction": 0})]
    answered = foreseen(position, "play illumination inventor, dismiss clerk\nplay clerk")
    assert ("dismisses", {"cards": position.cards("clerk")}) in answered[0]
    assert "asks" not in [code for code, _ in answered[0]]


def test_a_pause_ends_what_is_foreseen() -> None:
    """The lines behind it wait for the company."""
    position = Position().hand(0, "clerk", "clerk")
    assert foreseen(position, "play clerk\npause\nplay clerk") == [
        [("makes", {"labor": 1, "construction": 0})],
        [("pauses", {})],
    ]


def test_a_turn_that_is_not_open_yet_is_not_foreseen() -> None:
    """At the brisk pace another's turn may come first, which changes everything."""
    position = Position().hand(0, "clerk").hand(1, "clerk")
    view = position.rules.view(position.state, 1)
    assert list(consequences(position.rules, view, _orders(position, "play clerk\nend", 1), "brisk")) == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("buy gumshoe", ("not_on_offer", True)),
        ("buy claim baron", ("not_on_offer", False)),
        ("buy manager from reserve", ("not_in_reserve", True)),
        ("buy manager for teammate", ("no_teammate", True)),
        ("buy gumshoe or manager", None),
        ("play manager", ("not_in_hand", False)),
        ("play sky dreadnought", ("not_in_hand", True)),
        ("play 2 clerks", ("not_in_hand", False)),
        ("play clerk", None),
        ("use storm coil", ("not_in_play", True)),
        ("use iron palisade", ("no_use", True)),
        ("demolish parts silo", ("under_construction", True)),
        ("demolish iron palisade", ("no_demolish", True)),
        ("attack blue mining platform with spark drone", ("unit_fresh", True)),
        ("attack blue mining platform with iron palisade", ("no_unit", True)),
        ("attack blue chroniker with tesla trooper", ("target_not_there", True)),
        ("attack blue with tesla trooper", ("no_company_attack", True)),
        ("attack blue mining platform with tesla trooper", None),
        ("mine with spark drone", ("unit_fresh", True)),
        ("mine with all", None),
        ("rebuild", ("platform_stands", False)),
        ("if round < 1, end", ("never_holds", True)),
        ("if pool > 60, end", ("never_holds", True)),
        ("if gumshoe is in the row, end", ("never_holds", True)),
        ("if labor > 60, end", None),
        ("corporation harlem", ("not_in_stage", True)),
    ],
)
def test_what_stands_against_an_order_is_known_at_once(line: str, found: tuple[str, bool] | None) -> None:
    """For good where no act before it can mend that, else as things are now."""
    position = Position().hand(0, "clerk").row(0, "manager", deck=("claim_baron",)).discard(0, "clerk", "manager")
    position.piece(0, "tesla_trooper")
    position.piece(0, "spark_drone", fresh=True)
    position.piece(0, "iron_palisade")
    position.piece(0, "parts_silo", down=True)
    assert against(position, line) == found


def test_what_others_may_still_change_is_not_said_to_be_for_good() -> None:
    """Before its own turn of a brisk round a company's buildings flip, its units are free, and others mobilize."""
    position = Position()
    position.piece(1, "tesla_trooper")
    position.piece(1, "clockwerks_factory", down=True)
    assert against(position, "demolish clockwerks factory", 1, "brisk") is None
    assert against(position, "attack red chroniker with tesla trooper", 1, "brisk") == ("target_not_there", False)
    assert against(position, "attack red mining platform with tesla trooper", 1, "brisk") is None


def test_once_a_unit_has_acted_no_card_is_played() -> None:
    """What is left on the sheet for the play phase is past hope (BE-STA-5)."""
    position = Position().hand(0, "clerk", "manager").row(0, "manager").resources(9)
    position.piece(0, "clockwerks_factory")
    position.mine(position.piece(0, "tesla_trooper"))
    for line in ("play clerk", "play all", "demolish clockwerks factory"):
        assert against(position, line) == ("unit_has_acted", True)
    assert against(position, "mine with tesla trooper") == ("unit_acted", True)
    assert against(position, "buy manager") is None


def test_a_corporation_that_another_has_is_past_hope() -> None:
    """As soon as it is taken."""
    rules, chance = MODULE.bind(fuzz.setup_of("3")), RandomChance(Random(1))
    state = rules.start(chance, [])
    decision = rules.pending(state)
    assert decision is not None
    (first,) = decision.seats
    rules.apply(state, {first: Corporation(3)}, chance, [])
    view = rules.view(state, (first + 1) % 3)
    (taken, free) = read("corporation harlem\ncorporation windcraft", MODULE.language, view).orders
    agenda = rules.agenda(view, "strict")
    assert obstacle(rules, view, taken, agenda) == Obstacle("corporation_taken", {"corp": 3})
    assert obstacle(rules, view, free, agenda) is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("reserve 3 gumshoe, 2 clockwerks factory, miltonian barracks", ""),
        ("reserve 3 gumshoe, 2 clockwerks factory", "reserve_worth"),
        ("reserve 12 gumshoe", "reserve_worth"),
        ("reserve 3 gumshoe, 2 clockwerks factory, drilling caravan", "not_for_reserve"),
        ("reserve 3 gumshoe, 7 clerk", "not_for_reserve"),
    ],
)
def test_a_reserve_that_can_t_be_made_is_told_at_once(line: str, code: str) -> None:
    """Before a corporation is chosen too: it counts as no answer (BE-VAR-2)."""
    rules = MODULE.bind(fuzz.setup_of("2-reserve"))
    view = rules.view(rules.start(RandomChance(Random(1)), []), 0)
    (order,) = read(line, MODULE.language, view).orders
    found = obstacle(rules, view, order, rules.agenda(view, "strict"))
    assert (found.code if found else "") == code
    assert found is None or found.for_good


@pytest.mark.parametrize("configuration", ["2", "3-battle", "4-teams", "3-rulings"])
def test_what_is_foreseen_is_what_happens(configuration: str) -> None:
    """Wherever it is known how the turn goes on, the real state comes to the same in all that the seat sees."""
    rules = MODULE.bind(fuzz.setup_of(configuration))
    compared = 0
    for seed in range(4):
        random = Random(seed)
        pick, chance = pick_from(random), RandomChance(random)
        state = rules.start(chance, [])
        for _ in range(150):
            decision = rules.pending(state)
            if decision is None:
                break
            if decision.kind == TURN:
                compared += _same_as_foreseen(rules, state, decision.seats[0], RandomChance(random))
            answers = {seat: sample(rules.space(state, seat), pick) for seat in decision.seats}
            rules.apply(state, answers, chance, [])
    assert compared > 200


def _same_as_foreseen(rules: BrassEmpireRules, state: State, seat: int, chance: RandomChance) -> int:
    before, compared = rules.view(state, seat), 0
    for order in MODULE.language.ideas(rules, before, TURN, 0):
        intent = order.alternatives[0].intent
        told, after = rules.foresee(before, TURN, 0, intent)
        real = state.copy()
        rules.apply(real, {seat: rules.fit(state, seat, intent)}, chance, [])
        codes = {each.code for each in told}
        if after is None or not after.stack or "asks" in codes or "discards" in codes:
            continue
        if not real.stack or not isinstance(real.stack[-1], Turn) or real.seat != seat:
            continue
        seen = rules.view(real, seat)
        assert (after.labor, after.construction, after.hand) == (seen.labor, seen.construction, seen.hand), intent
        assert (after.pool, after.spare, after.acted) == (seen.pool, seen.spare, seen.acted)
        own = [(side.brass, side.platform, side.pieces, side.reserve) for side in after.companies]
        assert own == [(side.brass, side.platform, side.pieces, side.reserve) for side in seen.companies]
        compared += 1
    return compared


def test_an_open_question_comes_before_all_else_that_a_stage_asks() -> None:
    """A sheet is read and foreseen in that order: the answer first, then the turn goes on."""
    position = Position().hand(0, "illumination_inventor", "clerk").discard(0, "clerk").play("illumination_inventor")
    view = position.rules.view(position.state, 0)
    first, second, *_ = position.rules.agenda(view, "strict")
    assert (first, second) == (Asked(EFFECT), Asked(TURN))
    told = foreseen(position, "dismiss clerk\nplay clerk")
    assert told == [[("dismisses", {"cards": position.cards("clerk")})], [("makes", {"labor": 1, "construction": 0})]]
