"""What holds in every sound state, by code: what random play is checked against at each decision."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from engine.brass_empire.brass import is_battle_over, is_pool_over, standing
from engine.brass_empire.choices import PIECES
from engine.brass_empire.state import DOWN, EMPTY, Discarding, Founding, Opening, Reserving, State
from engine.brass_empire.tables import BUILDING, EMPLOYEE, HEALTH, ROW, UNIT, Tables


def broken(tables: Tables, state: State) -> Iterator[str]:
    """The codes of what does not hold."""
    yield from _brass(tables, state)
    if _misplaced(tables, state):
        yield "cards"
    yield from _pieces(tables, state)
    if any(len(cards) != ROW for cards in state.rows):
        yield "rows"
    if any(cards != sorted(cards) for cards in _piles(state)):
        yield "order"
    for row, deck in zip(state.rows, state.decks, strict=True):
        if deck and EMPTY in row and not _is_before(state):
            yield "gap"
    if state.labor < 0 or state.construction < 0:
        yield "resources"
    if not state.stack and not _may_be_over(tables, state):
        yield "over"
    for step in state.stack:
        if isinstance(step, Discarding) and any(
            count > len(state.companies[seat].hand) for seat, count in zip(step.seats, step.counts, strict=True)
        ):
            yield "discarding"


def _is_before(state: State) -> bool:
    return any(isinstance(step, Founding | Reserving | Opening) for step in state.stack)


def _may_be_over(tables: Tables, state: State) -> bool:
    if tables.battle:
        return len(standing(tables, state)) == 1 or is_battle_over(tables, state)
    return is_pool_over(tables, state)


def _brass(tables: Tables, state: State) -> Iterator[str]:
    """Tokens come from the pool or, once it is empty, from spare ones, and go nowhere."""
    held = [company.brass for company in state.companies]
    if min(held) < 0 or state.pool < 0 or state.spare < 0 or (state.spare and state.pool):
        yield "brass"
    if tables.battle:
        if tables.health_cap and max(held) > HEALTH:
            yield "health"
        if [seat for seat, health in enumerate(held) if not health] != sorted(state.out):
            yield "out"
    elif sum(held) + state.pool != tables.size + state.spare:
        yield "brass"


def _piles(state: State) -> Iterator[list[int]]:
    yield from state.decks
    for company in state.companies:
        yield company.deck
        yield company.hand


def _misplaced(tables: Tables, state: State) -> bool:
    """Every card of the game is in exactly one place."""
    kind = tables.kind
    places = [state.gone, *state.rows, *state.decks]
    for company in state.companies:
        places += (company.deck, company.hand, company.discard, company.reserve, company.coming)
        places.append([piece.card for piece in company.pieces])
    places.append([card for card in state.played if kind[card] == EMPLOYEE])
    found = Counter(chain.from_iterable(places))
    found.pop(EMPTY, None)
    all_in = (not tables.custom_reserve or tables.corporation_cards_in_pools) and not _is_before(state)
    for card, in_box in _in_box(tables, state).items():
        count = found.pop(card, 0)
        if count > in_box or (all_in and count != in_box):
            return True
    return dict(found) != _common(tables)


def _in_box(tables: Tables, state: State) -> dict[int, int]:
    """How many of each card of a reserve there may be in the game."""
    several = tables.seats > len(tables.reserves) or not tables.custom_reserve
    corps = [company.corp for company in state.companies]
    in_box: dict[int, int] = {}
    for corp, reserve in enumerate(tables.reserves):
        copies = corps.count(corp) if several else 1
        if tables.custom_reserve and not copies:
            copies = 1
        for card in reserve:
            in_box[card] = in_box.get(card, 0) + copies
    return in_box


@lru_cache(maxsize=8)
def _counted(start: tuple[int, ...], seats: int, pools: tuple[tuple[int, ...], ...]) -> dict[int, int]:
    return dict(Counter(chain(start * seats, *pools)))


def _common(tables: Tables) -> dict[int, int]:
    """How many of each card there are that is of no reserve."""
    return _counted(tables.start, tables.seats, tables.pools)


def _pieces(tables: Tables, state: State) -> Iterator[str]:
    ids = [piece.id for company in state.companies for piece in company.pieces]
    if len(ids) != len(set(ids)) or any(not PIECES <= id_ < state.next_id for id_ in ids):
        yield "ids"
    for company in state.companies:
        if not DOWN <= company.platform < tables.platform_health:
            yield "platform"
        for piece in company.pieces:
            kind = tables.kind[piece.card]
            if kind == EMPLOYEE or (piece.down and kind != BUILDING) or (piece.fresh and kind != UNIT):
                yield "piece"
            if not 0 <= piece.damage < tables.health[piece.card] or (piece.down and piece.damage):
                yield "damage"
