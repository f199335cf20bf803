"""What a moderator changes by hand in Rockwell keeps every rule, and the account that all can keep of each stock."""

from random import Random

import pytest

from engine.chance import RandomChance, pick_from
from engine.changes import changed, read_changes
from engine.conformance.changing import drawn
from engine.conformance.walk import few
from engine.contract import Setup
from engine.errors import Illegal
from engine.rockwell.events import AchievementSet, CrewPut, CubesGiven, MineshaftSet, MoneySet
from engine.rockwell.module import MODULE
from engine.rockwell.state import Ripe, State
from pbem.reports.game import game_words
from tests.engine.rockwell.position import Position, tile

RULES = MODULE.bind(Setup(4))
BREAKABLE = {
    "unextracted",
    "unclaimed",
    "subcontractor_cap",
    "straddles_revealed",
    "border_twice",
    "automaton",
    "levels",
}


def _start() -> State:
    return RULES.start(RandomChance(Random(7)), [])


def _by_hand(state: State, *lines: str) -> tuple[State, list[object]]:
    after, events = changed(RULES, state, read_changes(RULES, state, lines))
    assert all(event.seats is None for event in events)
    return after, [event.data for event in events]


def _refused(state: State, *lines: str) -> tuple[str, object]:
    with pytest.raises(Illegal) as refused:
        _by_hand(state, *lines)
    return refused.value.code, refused.value.params.get("broken")


def test_money_and_cubes_are_changed_with_the_account_that_all_keep() -> None:
    """What is given and taken is seen by all, whatever is insured; nobody gives up what it does not hold."""
    state = _start()
    company = state.companies[0]
    zinc, seen = company.cubes[0], company.account.seen[0]
    after, told = _by_hand(state, "money red 1,250", "give red gold 3", "take red zinc 1")
    assert told == [MoneySet(0, company.money, 1250), CubesGiven(0, 3, 3), CubesGiven(0, 0, -1)]
    changed_company = after.companies[0]
    assert (changed_company.money, changed_company.cubes[3]) == (1250, company.cubes[3] + 3)
    assert (changed_company.cubes[0], changed_company.account.seen[0]) == (zinc - 1, seen - 1)
    assert _refused(state, f"take red zinc {zinc + 1}")[0] == "number_not_read"


def test_cubes_that_are_insured_can_not_be_taken_and_stay_hidden() -> None:
    """What others can tell of a stock after a gift is the same whether or not some of it is insured."""
    views = []
    for insured in ((0, 0, 0, 0), (1, 0, 0, 0)):
        state = _start()
        while RULES.pending(state).kind != "insure":  # type: ignore[union-attr]
            RULES.apply(state, _defaults(state), RandomChance(Random(1)), [])
        company = state.companies[0]
        company.account.high[:] = company.account.seen
        company.cubes[0] -= insured[0]
        company.insurance += insured[0]
        after, _ = changed(RULES, state, read_changes(RULES, state, ["give red zinc 2", "take red zinc 1"]))
        views.append(RULES.view(after, 1))
    assert views[0] == views[1]


def _defaults(state: State) -> dict[int, object]:
    decision = RULES.pending(state)
    assert decision is not None
    return {seat: RULES.default(state, seat) for seat in decision.seats}


def test_an_achievement_is_never_left_unclaimed_and_can_be_claimed_with_what_earns_it() -> None:
    """A list that makes a company meet one has to claim it; the last claim of one can be taken back."""
    state = _start()
    assert _refused(state, "give red gold 12") == ("breaks", ("unclaimed",))
    after, told = _by_hand(state, "give red gold 12", "claim red twelve gold")
    prestige = RULES.tables.achievements[4][0]
    assert told[-1] == AchievementSet(0, 4, prestige)
    assert (after.companies[0].claimed[4], after.achievements[4]) == (prestige, 1)
    assert _refused(after, "unclaim red twelve gold") == ("breaks", ("unclaimed",))
    again, told = _by_hand(after, "take red gold 10", "unclaim red twelve gold")
    assert told[-1] == AchievementSet(0, 4, prestige, gone=True)
    assert (again.companies[0].claimed[4], again.achievements[4]) == (0, 0)


def test_crews_and_mineshafts_are_put_where_the_rules_let_them_stand() -> None:
    """A mineshaft's owner has the level that goes with it, three at most; a crew extracts nothing by hand."""
    state = _start()
    after, told = _by_hand(state, "crew green c2 A3", "mineshaft A5 green", "mineshaft B5 green", "mineshaft B5 white")
    assert told[0] == CrewPut(1, 1, state.at[5], tile("A3"))
    assert told[-1] == MineshaftSet(tile("B5"), 1, 3)
    assert [company.mineshaft for company in after.companies] == [0, 1, 0, 1]
    assert _by_hand(after, "mineshaft A5 nobody")[0].companies[1].mineshaft == 0
    assert _refused(state, *(f"mineshaft A{number} red" for number in range(1, 5))) == ("breaks", ("levels",))
    weak = min(range(8), key=lambda number: state.required[number])
    lines = [f"crew {side} c1 A{weak + 1}" for side in ("red", "green", "purple", "white")]
    powers = [f"power {side} c1 4" for side in ("red", "green", "purple", "white")]
    assert _refused(state, *lines, *powers) == ("breaks", ("unextracted",))


def test_the_automaton_of_a_game_of_two_is_moved_by_its_name() -> None:
    """It is no company: it has no money, and never straddles."""
    rules = MODULE.bind(Setup(2))
    state = rules.start(RandomChance(Random(3)), [])
    (change,) = read_changes(rules, state, ["crew automaton c3 A1"])
    assert changed(rules, state, (change,))[0].at[10] == tile("A1")
    with pytest.raises(Illegal) as refused:
        changed(rules, state, read_changes(rules, state, ["crew automaton c3 A1-A2"]))
    assert refused.value.params["broken"] == ("automaton",)
    with pytest.raises(Illegal):
        read_changes(rules, state, ["money automaton 100"])


def test_nothing_is_changed_while_an_act_is_half_done_or_after_the_end() -> None:
    """Nor is a decision answered by hand: with all of its crews at the centre the company that drills has none left."""
    position = Position().drilling(0, 1, 2, 3)
    position.state.stack.append(Ripe(0, 0, "move"))
    for stack, code in ((position.state.stack, "in_the_middle"), ([], "game_over")):
        position.state.stack = stack
        with pytest.raises(Illegal) as refused:
            position.rules.changeable(position.state)
        assert refused.value.code == code
    state = _start()
    while RULES.pending(state).kind != "drill":  # type: ignore[union-attr]
        RULES.apply(state, _defaults(state), RandomChance(Random(1)), [])
    side = ("red", "green", "purple", "white")[state.control[0]]
    lines = [f"crew {side} c{crew} core" for crew in range(1, 5)]
    claims = [f"claim {side} {name}" for name in ("all crews at stratum c", "centre reached")]
    assert _refused(state, *lines, *claims) == ("lapses", None)


@pytest.mark.parametrize("seats", [2, 4])
def test_every_invariant_that_a_change_breaks_has_words(seats: int) -> None:
    """Of random changes all over random games those that are refused say why in a sentence."""
    rules = MODULE.bind(Setup(seats))
    words = game_words("rockwell", Setup(seats), "en")
    found = set()
    for position in few(rules, 3):
        for _ in range(40):
            try:
                changed(rules, position.state, drawn(rules, position.state, pick_from(position.random)))
            except Illegal as illegal:
                found |= set(illegal.params.get("broken", ()))  # type: ignore[call-overload]
    assert found <= BREAKABLE
    assert {"unextracted", "unclaimed", "straddles_revealed"} <= found
    assert all(words.reason(f"breaks_{code}", {}).endswith(".") for code in BREAKABLE)
