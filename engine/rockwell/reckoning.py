"""What a seat can reckon from its view: bounds on every stock, the race for achievements, what the end would give now.

All that is hidden is what the others turned into insurance; how far that can go, the account of each company says.
"""

from typing import NamedTuple

from engine.rockwell.account import may_have
from engine.rockwell.achievements import (
    ALL_CREWS_AT_STRATUM_C,
    CENTRE_REACHED,
    HOLDINGS,
    SIX_EXTRACTIONS,
    STRATUM_C,
    THREE_CREWS_OF_POWER_2,
    TWO_CREWS_OF_POWER_4,
)
from engine.rockwell.components import Tables
from engine.rockwell.ending import AWARDED, MONEY, delivered, prize
from engine.rockwell.geometry import CENTRE, DEPTH
from engine.rockwell.state import KINDS
from engine.rockwell.view import RockwellView


class Range(NamedTuple):
    """A number that lies between these two, or is known where they are the same."""

    least: int
    most: int


Ranges = tuple[Range, ...]


class Known(NamedTuple):
    """What is known of a company's stock: cubes by kind, insurance, money."""

    seat: int
    cubes: Ranges
    insurance: Range
    money: int


class Race(NamedTuple):
    """An achievement of which a tile is left, worth `prestige`. `lacking` is by seat, None where it has one already.

    What is lacking is counted in `unit`: `cubes`, `cards`, `crews`, or `strata` from the deepest crew to the centre.
    """

    achievement: int
    prestige: int
    unit: str
    lacking: tuple[Range | None, ...]


class Tally(NamedTuple):
    """The prestige of a company if the game ended now: what it has claimed and delivered, and what awards can add.

    `awards` are by kind of cube, money last. Its `total` need not come out at either end: awards hang together.
    """

    seat: int
    claimed: int
    delivered: int
    awards: Ranges
    total: Range


def known(view: RockwellView, seat: int) -> Known:
    """A company's stock as the view has it: one's own as it is, any other as far as public events tell."""
    company = view.companies[seat]
    if view.own is not None and seat == view.seat:
        held = tuple(Range(count, count) for count in view.own.cubes)
        return Known(seat, held, Range(view.own.insurance, view.own.insurance), company.money)
    account = company.account
    most_insured = sum(account.high)
    cubes = []
    for kind in KINDS:
        # What was spent of insurance, and can't have come from the other kinds, came from this one.
        proven = account.spent - (most_insured - account.high[kind])
        most = min(may_have(account, kind), account.seen[kind] - proven)
        cubes.append(Range(account.seen[kind] - account.high[kind], most))
    insured = sum(account.seen) - sum(each.most for each in cubes)
    return Known(
        seat, tuple(cubes), Range(max(insured - account.spent, 0), most_insured - account.spent), company.money
    )


def stocks(view: RockwellView) -> tuple[Known, ...]:
    """Every company's stock by seat, see `known`."""
    return tuple(known(view, seat) for seat in range(len(view.companies)))


def race(tables: Tables, view: RockwellView, held: tuple[Known, ...]) -> list[Race]:
    """The achievements of which a tile is left; `held` are the `stocks` of the view."""
    found = []
    for achievement, pile in enumerate(tables.achievements):
        gone = view.achievements[achievement]
        if gone < len(pile):
            unit, lacking = _lacking(view, held, achievement)
            found.append(Race(achievement, pile[gone], unit, lacking))
    return found


_HELD = {achievement: (count, kinds) for achievement, count, kinds in HOLDINGS}


def _lacking(view: RockwellView, held: tuple[Known, ...], achievement: int) -> tuple[str, tuple[Range | None, ...]]:
    unit = "crews"
    lacking: list[Range | None] = []
    count, kinds = _HELD.get(achievement, (0, ()))
    for seat, company in enumerate(view.companies):
        crews = slice(seat * 4, seat * 4 + 4)
        if company.claimed[achievement]:
            lacking.append(None)
            continue
        if kinds:
            unit, cubes = "cubes", held[seat].cubes
            least = sum(max(count - cubes[kind].most, 0) for kind in kinds)
            lacking.append(Range(max(least, 1), sum(max(count - cubes[kind].least, 0) for kind in kinds)))
            continue
        if achievement == SIX_EXTRACTIONS:
            unit, short = "cards", 6 - company.cards
        elif achievement == THREE_CREWS_OF_POWER_2:
            short = 3 - sum(power >= 2 for power in view.power[crews])
        elif achievement == TWO_CREWS_OF_POWER_4:
            short = 2 - sum(power >= 4 for power in view.power[crews])
        elif achievement == ALL_CREWS_AT_STRATUM_C:
            short = sum(DEPTH[spot] < STRATUM_C for spot in view.at[crews])
        else:
            assert achievement == CENTRE_REACHED
            unit, short = "strata", DEPTH[CENTRE] - max(DEPTH[spot] for spot in view.at[crews])
        short = max(short, 0)
        lacking.append(Range(short, short))
    return unit, tuple(lacking)


def tallies(tables: Tables, view: RockwellView, held: tuple[Known, ...]) -> list[Tally]:
    """What each company would have if the game ended now, by the least that it would have, then by the most."""
    found = []
    awards = [_awards(tables, [company.cubes[kind] for company in held]) for kind in KINDS]
    awards.append(_awards(tables, [Range(company.money, company.money) for company in held]))
    assert len(awards) == MONEY + 1 == len(AWARDED)
    for seat, company in enumerate(view.companies):
        own = tuple(award[seat] for award in awards)
        sure = sum(company.claimed) + delivered(tables, company)
        total = Range(sure + sum(award.least for award in own), sure + sum(award.most for award in own))
        found.append(Tally(seat, sum(company.claimed), delivered(tables, company), own, total))
    return sorted(found, key=lambda tally: (-tally.total.least, -tally.total.most, tally.seat))


def _awards(tables: Tables, amounts: list[Range]) -> list[Range]:
    """What the award for one thing gives each company at least and at most (RW-END-4, 5, 8)."""
    places = len(amounts) - 1
    found = []
    for seat, own in enumerate(amounts):
        others = amounts[:seat] + amounts[seat + 1 :]
        surely_ahead = sum(1 for other in others if other.least > own.most)
        maybe_ahead = sum(1 for other in others if other.most > own.least)
        worst = prize(places, own.least, maybe_ahead, tables.award_for_none)
        found.append(Range(worst, prize(places, own.most, surely_ahead, tables.award_for_none)))
    return found
