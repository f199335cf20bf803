"""What stands in play and what is dealt to it: targets, wardens, damage, destruction. BE-ACT, BE-STA-7, BE-PLT-12."""

from engine.brass_empire.brass import is_out
from engine.brass_empire.choices import COMPANIES, PIECES
from engine.brass_empire.events import Destroyed
from engine.brass_empire.play import Play
from engine.brass_empire.state import DOWN, Piece, Resolving, State
from engine.brass_empire.tables import BUILDING, UNIT, Tables

KINDS = {"unit": (UNIT,), "building": (BUILDING,), "any": (UNIT, BUILDING)}


def find(state: State, id_: int) -> tuple[int, int]:
    """The side that has a piece, and the piece's place with it. Raises LookupError."""
    for side, company in enumerate(state.companies):
        for place, piece in enumerate(company.pieces):
            if piece.id == id_:
                return side, place
    raise LookupError(id_)


def is_there(state: State, id_: int) -> bool:
    """Whether a piece is still in play."""
    return any(piece.id == id_ for company in state.companies for piece in company.pieces)


def is_up(tables: Tables, state: State, side: int) -> bool:
    """Whether a side's platform stands; the automaton needs none (BE-SOL-11)."""
    return side >= tables.seats or state.companies[side].platform != DOWN


def struck_by_effect(tables: Tables, state: State, side: int, kind: str) -> list[int]:
    """The targets of an effect's damage: opponents' face-up cards of that kind, wardens or not (BE-ACT-18)."""
    kinds = KINDS[kind]
    found: list[int] = []
    for foe in tables.foes[side]:
        company = state.companies[foe]
        if company.platform != DOWN and BUILDING in kinds:
            found.append(foe)
        found += [piece.id for piece in company.pieces if not piece.down and tables.kind[piece.card] in kinds]
    return found


def attacked(tables: Tables, state: State, side: int) -> list[int]:
    """What a unit of that side may attack.

    While its owner has a face-up warden, of its buildings only wardens can be attacked (BE-ACT-10, BE-ACT-19). In
    battle a company may be attacked as well (BE-BAT-3), wardens or not (BE-BAT-6).
    """
    found: list[int] = []
    kinds, warden = tables.kind, tables.warden
    for foe in tables.foes[side]:
        company = state.companies[foe]
        pieces = [piece for piece in company.pieces if not piece.down]
        guarded = False
        for piece in pieces:
            if warden[piece.card]:
                guarded = True
        if tables.battle and not is_out(state, foe):
            found.append(COMPANIES + foe)
        if company.platform != DOWN and not guarded:
            found.append(foe)
        for piece in pieces:
            if not guarded or kinds[piece.card] == UNIT or warden[piece.card]:
                found.append(piece.id)
    return found


def wardens(tables: Tables, state: State, side: int) -> list[Piece]:
    """A side's face-up wardens, in the order in which they came into play."""
    return [piece for piece in state.companies[side].pieces if not piece.down and tables.warden[piece.card]]


def card_of(tables: Tables, state: State, target: int) -> tuple[int, int]:
    """The side and the card of a target in play."""
    if target < PIECES:
        return target, tables.platform
    side, place = find(state, target)
    return side, state.companies[side].pieces[place].card


def left(tables: Tables, state: State, target: int) -> int:
    """How much health a target in play has left."""
    if target < COMPANIES:
        return tables.platform_health - state.companies[target].platform
    if target < PIECES:
        return state.companies[target - COMPANIES].brass
    side, place = find(state, target)
    piece = state.companies[side].pieces[place]
    return tables.health[piece.card] - piece.damage


def deal(play: Play, target: int, damage: int) -> bool:
    """Deal damage, which stays (BE-ACT-5), to a target in play; whether it has no health left."""
    state, tables = play.state, play.tables
    if target < COMPANIES:
        state.companies[target].platform += damage
        return state.companies[target].platform >= tables.platform_health
    side, place = find(state, target)
    pieces = state.companies[side].pieces
    piece = pieces[place]
    pieces[place] = piece = Piece(piece.id, piece.card, piece.damage + damage, piece.down, piece.fresh, piece.used)
    return piece.damage >= tables.health[piece.card]


def destroy(play: Play, target: int) -> None:
    """A platform is turned over (BE-PLT-2), another card goes to its owner's discard pile (BE-ACT-6)."""
    state, tables = play.state, play.tables
    if target < COMPANIES:
        state.companies[target].platform = DOWN
        play.tell(Destroyed(target, tables.platform))
        return
    side, place = find(state, target)
    company = state.companies[side]
    card = company.pieces.pop(place).card
    company.discard.append(card)
    play.tell(Destroyed(side, card))


def happens(play: Play, side: int, card: int, moment: str, source: int = -1) -> None:
    """What a card does at a moment is the next thing to happen. The automaton's cards do nothing (BE-SOL-17)."""
    todo = play.tables.by_trigger[card].get(moment)
    if todo and side < play.tables.seats:
        play.state.stack.append(Resolving(side, todo, source))
