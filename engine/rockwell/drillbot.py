"""How the steady stand-in drills: it extracts what pays, goes where something can be had, and ever deeper."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.rockwell.achievements import ALL_CREWS_AT_STRATUM_C, CENTRE_REACHED, SIX_EXTRACTIONS, STRATUM_C
from engine.rockwell.bribery import NEAR
from engine.rockwell.choices import LEFT, NOT_SAID
from engine.rockwell.drillspace import DrillSpace
from engine.rockwell.geometry import BORDER, CAP, CENTRE, DEPTH, ENTRANCES, ON
from engine.rockwell.prospects import GAME, PRESTIGE, Scout
from engine.rockwell.subcontracting import BRIBERY, SUBCONTRACTING
from engine.rockwell.view import RockwellView

EARNS = 1200
"""What a crew earns a turn for each power, more or less."""


class Act(NamedTuple):
    """One thing to do: how good it is, the parts that lead there, and what to say to the parts that follow."""

    worth: float
    chosen: tuple[int, ...]
    wanted: dict[str, int]


def drill(view: RockwellView, space: DrillSpace, seat: int) -> Any:
    """The best act, by what it changes for the crew that does it."""
    return choice(space, max(_all_acts(view, space, seat), key=_worth))


def ranked(view: RockwellView, space: DrillSpace, seat: int) -> list[Act]:
    """All acts that the stand-in thinks of, the best first."""
    return sorted(_all_acts(view, space, seat), key=_worth, reverse=True)


def _worth(act: Act) -> float:
    return act.worth


def _all_acts(view: RockwellView, space: DrillSpace, seat: int) -> Iterator[Act]:
    scout = Scout(space.tables, view, seat)
    first = seat * 4
    leaving = [_stand(scout, number, view.at[number], 0) for number in range(first, first + 4)]
    for chosen, final in _ends(view, space, seat):
        yield from _acts(scout, chosen, final, space.right, leaving[chosen[0]])


def _ends(view: RockwellView, space: DrillSpace, seat: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """The shortest way to each spot where a crew can end."""
    crews = space.part(())
    assert crews is not None
    for crew in crews.values:
        firsts = space.part((crew,))
        assert firsts is not None
        seen = set(firsts.values)
        for to in firsts.values:
            yield (crew, to), to
        if space.mobility < 3:
            continue
        for to in firsts.values[1:]:
            part = space.part((crew, to))
            if part is None or part.name != "second":
                continue
            for second in part.values:
                if second != NOT_SAID and second not in seen:
                    seen.add(second)
                    yield (crew, to, second), second


def _acts(scout: Scout, chosen: tuple[int, ...], final: int, right: str, left: float) -> Iterator[Act]:
    """Ending there as it is; with a die, if that extracts something; with a crew bribed, if that does.

    `left` is what it is worth that the crew stands where it does now.
    """
    view = scout.view
    number = scout.seat * 4 + chosen[0]
    origin = view.at[number]
    stays = final == origin
    die = view.die[number] if stays else 0
    worth = _depth(scout, chosen[0], final) - left
    plain = worth + _stand(scout, number, final, die)
    yield Act(plain, chosen, {})
    if not right:
        return
    for tile in ON[final]:
        lacking = _lacking(scout, number, tile, die)
        if lacking <= 0 or view.back[tile] >= 0:
            continue
        if right == SUBCONTRACTING and lacking <= CAP[final] and not die:
            fee = scout.tables.fees[lacking]
            part = "hire" if stays or not view.die[number] else "die"
            yield Act(worth + _stand(scout, number, final, lacking) - fee, chosen, {part: lacking})
        elif right == BRIBERY and view.bribery:
            yield from _bribes(scout, chosen, tile, lacking, worth)


def _bribes(scout: Scout, chosen: tuple[int, ...], tile: int, lacking: int, worth: float) -> Iterator[Act]:
    view = scout.view
    number = scout.seat * 4 + chosen[0]
    for other, spot in enumerate(view.at):
        power = view.power[other] + view.die[other]
        if spot in NEAR[tile] and other >> 2 != scout.seat and power >= lacking:
            booty = scout.booty(tile, _added(scout, number, tile, 0), {other >> 2: power})
            fee = scout.tables.fees[view.die[other]]
            yield Act(worth + booty + _card(scout) - fee, chosen, {"bribe": other, "onto": tile})


def _lacking(scout: Scout, number: int, tile: int, die: int) -> int:
    """The power that the tile still lacks once the crew is there."""
    return scout.view.required[tile] - scout.strength[tile] - _added(scout, number, tile, die)


def _added(scout: Scout, number: int, tile: int, die: int) -> int:
    """What the crew adds to the power on a tile; of one that is there already only a new die."""
    view = scout.view
    here = view.power[number] + view.die[number] if tile in ON[view.at[number]] else 0
    return view.power[number] + die - here


def _stand(scout: Scout, number: int, spot: int, die: int) -> float:
    """What it is worth that the crew stands there, extractions that this brings about included."""
    if spot == CENTRE:
        return 0.0
    if spot in ENTRANCES:
        return -500.0
    view = scout.view
    worth = 0.0
    if view.at[number] == spot and not die:
        die = view.die[number]
    for tile in ON[spot]:
        added = _added(scout, number, tile, die)
        strength = scout.strength[tile] + added
        if view.back[tile] < 0 and strength >= view.required[tile]:
            worth += scout.booty(tile, added) + _card(scout)
        else:
            worth += scout.stake(tile, strength)
    tiles = ON[spot]
    nearby = scout.field[spot] if spot < CENTRE else max(scout.field[tiles[0]], scout.field[tiles[1]])
    return worth + 0.25 * nearby * view.power[number] / (1 + (spot >= BORDER))


def _card(scout: Scout) -> float:
    """What one more extraction card is worth beyond the usual: the sixth claims an achievement."""
    company = scout.view.companies[scout.seat]
    if company.claimed[SIX_EXTRACTIONS] or company.cards >= 6:
        return 0.0
    return scout.prestige(SIX_EXTRACTIONS) * PRESTIGE / (7 - company.cards)


def _depth(scout: Scout, crew: int, final: int) -> float:
    """Deeper is better; the last crew above stratum C and the first at the centre most of all."""
    view = scout.view
    origin = view.at[scout.seat * 4 + crew]
    claimed = view.companies[scout.seat].claimed
    pull = 120.0 + 40.0 * view.turn
    worth = pull * (DEPTH[final] - DEPTH[origin])
    if not claimed[ALL_CREWS_AT_STRATUM_C] and DEPTH[final] >= STRATUM_C > DEPTH[origin]:
        first = scout.seat * 4
        above = sum(1 for spot in view.at[first : first + 4] if DEPTH[spot] < STRATUM_C)
        worth += scout.prestige(ALL_CREWS_AT_STRATUM_C) * PRESTIGE / above
    if final == CENTRE:
        # A crew at the centre earns nothing more.
        worth -= EARNS * view.power[scout.seat * 4 + crew] * max(0, GAME - view.turn)
        if not claimed[CENTRE_REACHED]:
            worth += scout.prestige(CENTRE_REACHED) * PRESTIGE
    return worth


def choice(space: DrillSpace, act: Act) -> Any:
    """The choice that does it. Parts that follow are as wanted, else the least: a die is left behind, nobody hired."""
    chosen: tuple[Any, ...] = act.chosen
    while (part := space.part(chosen)) is not None:
        value = act.wanted.get(part.name, LEFT if part.name == "die" else part.values[0])
        chosen = (*chosen, value if value in part.values else part.values[0])
    return space.build(chosen)
