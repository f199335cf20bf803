"""Achievements: claimed by themselves, at the moment when a company meets a condition."""

from collections.abc import Sequence

from engine.rockwell import stock
from engine.rockwell.events import Claimed
from engine.rockwell.geometry import CENTRE, DEPTH
from engine.rockwell.play import Play
from engine.rockwell.state import COPPER, GOLD, KINDS, SILVER, ZINC, Company, State

(
    EIGHT_ZINC_AND_COPPER,
    SIX_EXTRACTIONS,
    TEN_SILVER,
    THREE_CREWS_OF_POWER_2,
    TWELVE_GOLD,
    ALL_CREWS_AT_STRATUM_C,
    SIX_OF_EACH,
    TWO_CREWS_OF_POWER_4,
    CENTRE_REACHED,
) = range(9)
STRATUM_C = 2
HOLDINGS = (
    (EIGHT_ZINC_AND_COPPER, 8, (ZINC, COPPER)),
    (TEN_SILVER, 10, (SILVER,)),
    (TWELVE_GOLD, 12, (GOLD,)),
    (SIX_OF_EACH, 6, tuple(KINDS)),
)
"""The achievements that a stock meets: so many cubes of each of these kinds."""
LEAST = min(count for _, count, _ in HOLDINGS)
_HELD = {achievement: (count, kinds) for achievement, count, kinds in HOLDINGS}


def look(play: Play, seats: Sequence[int], active: int | None) -> None:
    """Claim what the companies meet whose stock, cards or crews have just changed, each once.

    `seats` without doubles. `active` is the company whose act it was, None where nobody acts; it matters only where
    the option `achievement_ties` puts it first (RW-ACH-3).
    """
    if len(seats) > 1:
        seats = _by_priority(play, seats, active)
    for seat in seats:
        for achievement in met(play.state, seat):
            _claim(play, seat, achievement)
        note(play.state.companies[seat])


def _by_priority(play: Play, seats: Sequence[int], active: int | None) -> list[int]:
    ordered = [seat for seat in play.state.management if seat in seats]
    if play.tables.achievement_ties == "active-first" and active in ordered:
        ordered.remove(active)
        ordered.insert(0, active)
    return ordered


def met(state: State, seat: int) -> list[int]:
    """The achievements that a company meets and has not claimed."""
    company = state.companies[seat]
    claimed, cubes = company.claimed, company.cubes
    # No stock below the least count of HOLDINGS, in whatever kind, can meet any.
    found = [] if max(cubes) < LEAST else _met_by_stock(claimed, cubes)
    if company.cards >= 6 and not claimed[SIX_EXTRACTIONS]:
        found.append(SIX_EXTRACTIONS)
    # Subcontractors don't count, crews at the centre do (RW-ACH-13, RW-ACH-15).
    first = seat * 4
    power = state.power[first : first + 4]
    if not claimed[THREE_CREWS_OF_POWER_2] and power.count(1) <= 1:
        found.append(THREE_CREWS_OF_POWER_2)
    if not claimed[TWO_CREWS_OF_POWER_4] and power.count(4) >= 2:
        found.append(TWO_CREWS_OF_POWER_4)
    at = state.at[first : first + 4]
    if not claimed[CENTRE_REACHED] and CENTRE in at:
        found.append(CENTRE_REACHED)
    if not claimed[ALL_CREWS_AT_STRATUM_C] and min([DEPTH[spot] for spot in at]) >= STRATUM_C:
        found.append(ALL_CREWS_AT_STRATUM_C)
    return found


def _met_by_stock(claimed: list[int], cubes: list[int]) -> list[int]:
    return [
        achievement
        for achievement, count, kinds in HOLDINGS
        if not claimed[achievement] and min([cubes[kind] for kind in kinds]) >= count
    ]


def note(company: Company) -> None:
    """Whoever might have met a condition of its stock and did not claim holds less than that."""
    account = company.account
    seen = account.seen
    if max(account.high) == 0 or max(seen) < LEAST:
        return
    for achievement, count, kinds in HOLDINGS:
        if company.claimed[achievement] or seen[kinds[0]] < count or min([seen[kind] for kind in kinds]) < count:
            continue
        doubtful = [kind for kind in kinds if seen[kind] - account.high[kind] < count]
        if len(doubtful) == 1:
            stock.at_most(company, doubtful[0], count - 1)


def _claim(play: Play, seat: int, achievement: int) -> None:
    """The tile of most prestige left. There is one a company, so none is ever missing (RW-ACH-1, RW-ACH-2)."""
    state = play.state
    company = state.companies[seat]
    prestige = play.tables.achievements[achievement][state.achievements[achievement]]
    state.achievements[achievement] += 1
    company.claimed[achievement] = prestige
    play.tell(Claimed(seat, achievement, prestige))
    count, kinds = _HELD.get(achievement, (0, ()))
    for kind in kinds:
        stock.at_least(company, kind, count)
