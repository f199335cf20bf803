"""How the steady stand-in trades and works: for achievements within reach, power, safety, and deliveries in time."""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.rockwell.achievements import HOLDINGS, THREE_CREWS_OF_POWER_2, TWO_CREWS_OF_POWER_4
from engine.rockwell.geometry import ON
from engine.rockwell.market import BUY, PASS, SELL, MarketSpace
from engine.rockwell.prospects import GAME, LEFT_OVER, PRESTIGE, Scout
from engine.rockwell.state import KINDS, WORKSHOP
from engine.rockwell.view import RockwellView
from engine.rockwell.workspace import DELIVER, MINESHAFT, MOBILITY, MOVE_MINESHAFT, POWER, SAFETY, WorkSpace

ACTION = 2000
RAISES = (0, 1900, 2400, 2700)
"""What a step of power is worth at the beginning, by the power before it."""
SAFETIES = (3600, 4000, 4400)
MOBILITIES = (3300, 5200, 6200)
"""What the next level is worth at the beginning, by the level before it."""
SHAFTS = (1500, 900, 0)
"""What the levels that the next level of mineshaft opens are worth at the beginning, by the level before it."""
IN_REACH = 4
"""So many cubes short of an achievement a company keeps what it has for it."""


def trade(view: RockwellView, space: MarketSpace, seat: int) -> Any:
    """Buy what completes an achievement; sell what the next actions cost; else pass."""
    chosen = _purchase(view, space, seat) or _sale(view, space, seat)
    return space.build(chosen or (PASS,))


def _purchase(view: RockwellView, space: MarketSpace, seat: int) -> tuple[str, int] | None:
    """The first kind to buy for the achievement that is worth most beyond its price."""
    own, market = view.own, space.tables.market
    assert own is not None
    best, most = None, 0.0
    for achievement, count, kinds in HOLDINGS:
        lacking = [(kind, count - own.cubes[kind]) for kind in kinds if own.cubes[kind] < count]
        cost = sum(market[kind] * short for kind, short in lacking)
        if own.claimed[achievement] or not lacking or len(lacking) > view.left[seat] or cost > own.money:
            continue
        if any(view.traded[seat] >> kind & 1 for kind, _ in lacking):
            continue
        worth = _prestige(view, space, achievement) * PRESTIGE - 0.4 * cost
        if worth > most:
            best, most = (BUY[lacking[0][0]], lacking[0][1]), worth
    return best


def _prestige(view: RockwellView, space: Any, achievement: int) -> int:
    tiles = space.tables.achievements[achievement]
    gone = view.achievements[achievement]
    return int(tiles[gone]) if gone < len(tiles) else 0


def _sale(view: RockwellView, space: MarketSpace, seat: int) -> tuple[str, int] | None:
    """As many cubes of one kind as bring the money that is wanted, or as near to it as spare ones go."""
    own, market = view.own, space.tables.market
    assert own is not None
    wanted = _wanted(view, space, seat) - own.money
    best, most = None, 0
    for kind in KINDS:
        spare = own.cubes[kind] - _kept(own.cubes, own.claimed, kind)
        if wanted <= 0 or spare <= 0 or view.traded[seat] >> kind & 1:
            continue
        amount = min(spare, -(-wanted // market[kind]))
        brings = min(wanted, amount * market[kind])
        if brings > most:
            best, most = (SELL[kind], amount), brings
    return best


def _wanted(view: RockwellView, space: MarketSpace, seat: int) -> int:
    """The money for the actions that its slot in the workshop grants, and for a subcontractor."""
    for slot, grant in enumerate(space.tables.grants[WORKSHOP]):
        if view.slots[WORKSHOP * 4 + slot] == seat:
            return ACTION * grant + space.tables.fees[1]
    return ACTION


def _kept(cubes: Sequence[int], claimed: Sequence[int], kind: int) -> int:
    """How many cubes of a kind are kept for achievements within reach."""
    kept = 0
    for achievement, count, kinds in HOLDINGS:
        if kind in kinds and not claimed[achievement]:
            short = sum(max(0, count - cubes[other]) for other in kinds)
            if short <= IN_REACH:
                kept = max(kept, count)
    return kept


def work(view: RockwellView, space: WorkSpace, seat: int) -> Any:
    """The action whose worth is furthest above its price; pass where none is."""
    return space.build(ranked(view, space, seat)[0])


def ranked(view: RockwellView, space: WorkSpace, seat: int) -> list[tuple[Any, ...]]:
    """The parts of all actions that are worth more than their price, the best first; at the end of the list a pass."""
    scout = Scout(space.tables, view, seat)
    part = space.part(())
    assert part is not None
    # Money is worth little when the game is over.
    thrift = max(0.3, 1.0 - view.turn / (2 * GAME))
    gains = [
        (worth - thrift * price, chosen)
        for action in part.values
        for chosen, worth, price in _offers(scout, space, action)
        if worth > thrift * price
    ]
    gains.sort(key=lambda gain: -gain[0])
    return [*(chosen for _, chosen in gains), (PASS,)]


def _offers(scout: Scout, space: WorkSpace, action: str) -> Iterator[tuple[tuple[Any, ...], float, float]]:
    """An action, or each of its sites, with worth and price."""
    view, tables = scout.view, space.tables
    own = view.own
    assert own is not None
    left = max(0.2, 1.0 - view.turn / GAME)
    if action in POWER:
        crew = POWER.index(action)
        power = view.power[scout.seat * 4 + crew]
        yield (action,), RAISES[power] * left + _raised(scout, crew, power), tables.power_prices[power]
    elif action == SAFETY:
        yield (action,), SAFETIES[own.safety] * left, tables.safety[own.safety]
    elif action == MOBILITY:
        yield (action,), MOBILITIES[own.mobility] * left, tables.mobility[own.mobility]
    elif action == MINESHAFT:
        sites = space.part((action,))
        assert sites is not None
        for tile in sites.values:
            yield (action, tile), site(scout, tile) + SHAFTS[own.mineshaft] * left, tables.mineshaft[own.mineshaft]
    elif action == MOVE_MINESHAFT:
        yield from _removals(scout, space)
    elif action in DELIVER:
        pile = DELIVER.index(action)
        tile = tables.deliveries[pile][view.deliveries[pile]]
        yield (action,), *_delivery(scout, tile.cost, tile.prestige)


def _raised(scout: Scout, crew: int, power: int) -> float:
    """What one more power brings at once: achievements, nearer or met, and extractions."""
    view, seat = scout.view, scout.seat
    claimed = view.companies[seat].claimed
    powers = view.power[seat * 4 : seat * 4 + 4]
    worth = 0.0
    if power == 1 and not claimed[THREE_CREWS_OF_POWER_2]:
        worth += scout.prestige(THREE_CREWS_OF_POWER_2) * PRESTIGE / max(1, powers.count(1) - 1)
    if power >= 2 and not claimed[TWO_CREWS_OF_POWER_4]:
        best = sorted(powers)[2:]
        steps = sum(4 - each for each in best)
        if power >= best[0] and steps:
            worth += scout.prestige(TWO_CREWS_OF_POWER_4) * PRESTIGE / steps
    for tile in ON[view.at[seat * 4 + crew]]:
        if view.back[tile] < 0 and scout.strength[tile] + 1 >= view.required[tile]:
            worth += scout.booty(tile, 1)
    return worth


def site(scout: Scout, tile: int) -> float:
    """A mineshaft yields each turn once its tile is revealed, and before that it takes what is left over."""
    view = scout.view
    turns = max(1, GAME - view.turn)
    if view.back[tile] < 0:
        return LEFT_OVER * len(scout.powers[tile]) + 120.0 * (tile // 8 + 1) * turns / 2
    yields = scout.tables.backs[tile // 8][view.back[tile]].yields
    return 0.8 * turns * sum(scout.tables.market[kind] * yields[kind] for kind in KINDS)


def _removals(scout: Scout, space: WorkSpace) -> Iterator[tuple[tuple[Any, ...], float, float]]:
    """From each tile with a mineshaft of its own to each better one, at the price of the level that it takes."""
    origins = space.part((MOVE_MINESHAFT,))
    assert origins is not None
    for origin in origins.values:
        sites = space.part((MOVE_MINESHAFT, origin))
        assert sites is not None
        before = site(scout, origin)
        for tile in sites.values:
            gain = site(scout, tile) - before
            if gain > 0:
                yield (MOVE_MINESHAFT, origin, tile), gain, space.moving_price(tile)


def _delivery(scout: Scout, cost: Sequence[int], prestige: int) -> tuple[float, float]:
    """The prestige, against cubes that are worth less the later it is, and more where an achievement is near."""
    own = scout.view.own
    assert own is not None
    price = 0.7 * sum(scout.tables.market[kind] * cost[kind] for kind in KINDS)
    for kind in KINDS:
        if cost[kind] and own.cubes[kind] - cost[kind] < _kept(own.cubes, own.claimed, kind):
            price += 2 * PRESTIGE
    return float(prestige * PRESTIGE), price
