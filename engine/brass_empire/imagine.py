"""A full state that a seat must think possible: hands, decks and face-down buildings of the others are dealt anew."""

from engine.brass_empire.state import Company, Piece, Playing, State, Step
from engine.brass_empire.tables import BUILDING, Tables
from engine.brass_empire.view import UNKNOWN, BrassView, Side
from engine.contract import Chance


def imagine(tables: Tables, view: BrassView, chance: Chance) -> State:
    """A state with that view. Draws from the stream `imagine`."""
    companies = [_company(tables, view, side, chance) for side in range(tables.sides)]
    rows, decks = view.rows, view.decks
    hand = companies[view.seat].hand
    return State(
        companies,
        [rows[0][:], rows[1][:]],
        [decks[0][:], decks[1][:]],
        view.pool,
        view.spare,
        view.seat,
        view.first,
        view.round,
        view.labor,
        view.construction,
        view.acted,
        view.end_draw,
        view.next_id,
        _played(view, companies),
        view.gone[:],
        view.out[:],
        view.wishes,
        [_step(step, hand) for step in view.stack],
    )


def _played(view: BrassView, companies: list[Company]) -> list[int]:
    """The buildings that it has played this turn are those that lie face down before it, in that order."""
    laid = iter([piece.card for piece in companies[view.seat].pieces if piece.down])
    return [next(laid) if card == UNKNOWN else card for card in view.played]


def _step(step: Step, hand: list[int]) -> Step:
    """Another is about to play so many cards: some that it holds, or, where it holds too few, cards now gone."""
    if type(step) is Playing and UNKNOWN in step.cards:
        held = hand[: len(step.cards)]
        return Playing((*held, *(0 for _ in range(len(step.cards) - len(held)))), step.all)
    return step


def _company(tables: Tables, view: BrassView, side: int, chance: Chance) -> Company:
    seen = view.companies[side]
    known: list[int] | None = None
    if side == view.me:
        known = view.hand
    elif view.me is not None and tables.team_hands and tables.mates[view.me] == side:
        known = view.mate
    left = seen.unseen[:]
    pieces = _pieces(tables, seen, left, chance)
    hand = []
    for place in range(seen.hand):
        card = known[place] if known is not None else left[_pick(chance, len(left))]
        left.remove(card)
        hand.append(card)
    return Company(
        seen.corp,
        seen.brass,
        seen.platform,
        sorted(hand),
        left,
        seen.discard[:],
        pieces,
        seen.reserve[:],
        seen.coming[:],
        seen.last[:],
    )


def _pieces(tables: Tables, seen: Side, left: list[int], chance: Chance) -> list[Piece]:
    """What lies face down is a building; those not known are drawn out of what is `left` unseen."""
    pieces = seen.pieces[:]
    for place, piece in enumerate(pieces):
        if not piece.down:
            continue
        card = piece.card
        if card == UNKNOWN:
            able = [each for each in left if tables.kind[each] == BUILDING]
            card = able[_pick(chance, len(able))]
            pieces[place] = Piece(piece.id, card, down=True)
        left.remove(card)
    return pieces


def _pick(chance: Chance, count: int) -> int:
    return chance.draw("imagine", count) if count > 1 else 0
