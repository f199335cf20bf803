"""What holds in every sound state, by code: what random play is checked against at each decision."""

from collections import Counter
from collections.abc import Iterator

from engine.rockwell import automaton
from engine.rockwell.achievements import met
from engine.rockwell.components import Tables
from engine.rockwell.ending import over
from engine.rockwell.geometry import ABOVE, BORDER, CAP, CENTRE, ENTRANCES, ON, RIGHT, SPOTS, TILE_SPOTS
from engine.rockwell.state import BOARDS, KINDS, Acting, Company, Danger, Ripe, State


def broken(tables: Tables, state: State) -> Iterator[str]:
    """The codes of what does not hold."""
    if not all(_sound_stock(company) for company in state.companies):
        yield "stock"
    if not all(_sound_account(company) for company in state.companies):
        yield "account"
    yield from _orders(tables, state)
    yield from _board_one(tables, state)
    yield from _tiles(tables, state)
    yield from _cards(tables, state)
    yield from _crews(tables, state)
    yield from _piles(tables, state)
    yield from _levels(tables, state)
    yield from _moment(tables, state)


def _sound_stock(company: Company) -> bool:
    return min(company.cubes) >= 0 and company.money >= 0 and company.insurance >= 0


def _sound_account(company: Company) -> bool:
    """What everyone wrote down fits what the company holds."""
    account = company.account
    insured = [account.seen[kind] - company.cubes[kind] for kind in KINDS]
    bounded = all(account.low[kind] <= insured[kind] <= account.high[kind] for kind in KINDS)
    return bounded and sum(insured) == company.insurance + account.spent


def _orders(tables: Tables, state: State) -> Iterator[str]:
    seats = list(range(tables.seats))
    if sorted(state.management) != seats:
        yield "management"
    if sorted(state.control) != seats:
        yield "control"
    placed = Counter(seat for seat in state.slots if seat >= 0)
    if any(seat >= tables.seats or count > 2 for seat, count in placed.items()):
        yield "vice_presidents"
    for board in BOARDS:
        slots = state.slots[board * 4 : board * 4 + 4]
        there = [seat for seat in slots if seat >= 0]
        if len(there) != len(set(there)) or any(seat >= 0 for seat in slots[len(tables.grants[board]) :]):
            yield "slots"


def _board_one(tables: Tables, state: State) -> Iterator[str]:
    """One die a crew is how they are stored; that all are accounted for is not."""
    if state.dice < 0 or state.dice + sum(1 for die in state.die if die) != tables.dice:
        yield "dice"
    if not 0 <= state.bribery <= tables.bribery_tiles:
        yield "bribery"


def _tiles(tables: Tables, state: State) -> Iterator[str]:
    for stratum, backs in enumerate(tables.backs):
        first = stratum * 8
        required = state.required[first : first + 8]
        if sorted(required) != sorted([back.power for back in backs]):
            yield "tiles"
        revealed = [
            (back, power) for back, power in zip(state.back[first : first + 8], required, strict=True) if back >= 0
        ]
        if len({back for back, _ in revealed}) != len(revealed):
            yield "backs_twice"
        if [back for back, power in revealed if backs[back].power != power]:
            yield "back_of_other_power"
    required = state.required
    beside = [tile for tile in TILE_SPOTS if required[tile] == required[RIGHT[tile]]]
    if beside or [tile for tile in TILE_SPOTS[8:] if required[tile] == required[ABOVE[tile]]]:
        yield "layout"


def _cards(tables: Tables, state: State) -> Iterator[str]:
    """Every revealed tile was extracted once: one card less in its pile, one card more with a company."""
    revealed = Counter(
        tables.backs[tile // 8][state.back[tile]].pile - 1 for tile in TILE_SPOTS if state.back[tile] >= 0
    )
    for pile, cards in enumerate(tables.cards):
        if len(cards) - state.cards[pile].bit_count() != revealed[pile]:
            yield "cards"
    aside = revealed.total() - sum(company.cards for company in state.companies)
    # Cards of extractions that the automaton triggered are set aside (RW-TWO-24).
    if aside < 0 or (aside and tables.seats != automaton.SEATS):
        yield "cards_held"


def _crews(tables: Tables, state: State) -> Iterator[str]:
    if not all(1 <= power <= 4 for power in state.power):
        yield "power"
    for number, spot in enumerate(state.at):
        if not _is_spot(number, spot):
            yield "spot"
        elif not 0 <= state.die[number] <= CAP[spot]:
            yield "subcontractor_cap"
    straddling = [(spot, number // 4) for number, spot in enumerate(state.at) if spot >= BORDER]
    if any(state.back[tile] >= 0 for spot, _ in straddling for tile in ON[spot]):
        yield "straddles_revealed"
    taken = Counter(straddling if tables.straddle_per_company else [spot for spot, _ in straddling])
    if any(count > 1 for count in taken.values()):
        yield "border_twice"
    if tables.seats == automaton.SEATS and not all(_sound_automaton(state, number) for number in automaton.CREWS):
        yield "automaton"


def _sound_automaton(state: State, number: int) -> bool:
    """It never straddles, nor hires, nor ends its journey (RW-TWO-25, RW-TWO-23)."""
    return state.at[number] < BORDER and state.at[number] != CENTRE and not state.die[number]


def _is_spot(number: int, spot: int) -> bool:
    """A crew is on a tile, on a border, at the centre, or still at the entrance where it started."""
    return spot in TILE_SPOTS or BORDER <= spot < SPOTS or spot == CENTRE or spot == ENTRANCES[number % 4]


def _piles(tables: Tables, state: State) -> Iterator[str]:
    for kind, tiles in enumerate(tables.achievements):
        held = sorted((company.claimed[kind] for company in state.companies if company.claimed[kind]), reverse=True)
        if held != list(tiles[: state.achievements[kind]]):
            yield "achievements"
    taken = sorted(tile for company in state.companies for tile in company.delivered)
    if taken != [pile * 8 + place for pile, gone in enumerate(state.deliveries) for place in range(gone)]:
        yield "deliveries"


def _levels(tables: Tables, state: State) -> Iterator[str]:
    for seat, company in enumerate(state.companies):
        if not all(0 <= level <= 3 for level in (company.safety, company.mineshaft, company.mobility)):
            yield "levels"
        if state.mineshaft.count(seat) != company.mineshaft:
            yield "mineshafts"


def _moment(tables: Tables, state: State) -> Iterator[str]:
    """Between two acts nothing is left to be done by itself: no tile to extract, no achievement to claim."""
    if not state.stack:
        if not over(tables, state):
            yield "over"
        return
    if any(isinstance(step, Acting | Ripe | Danger) for step in state.stack):
        return
    strength = [0] * len(TILE_SPOTS)
    for number, spot in enumerate(state.at):
        for tile in ON[spot]:
            strength[tile] += state.power[number] + state.die[number]
    for back, power, required in zip(state.back, strength, state.required, strict=True):
        if back < 0 and power >= required:
            yield "unextracted"
    if any(met(state, seat) for seat in range(tables.seats)):
        yield "unclaimed"
