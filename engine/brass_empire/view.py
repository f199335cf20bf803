"""What a seat knows: all that is public, its own hand, and which building of its own lies face down."""

import msgspec

from engine.brass_empire.choices import Answer
from engine.brass_empire.state import Piece, Playing, State, Step
from engine.brass_empire.tables import BUILDING, Tables

UNKNOWN = -1
"""In place of the card of a building that lies face down."""


class Side(msgspec.Struct):
    """What is seen of a side. Fields as in `state.Company`; `hand` and `deck` are how many cards are in them.

    `unseen` are the cards that are in its hand, in its deck or face down before it, sorted: all that it ever got was
    seen. The card of a piece that lies face down is UNKNOWN, but for who may know it.
    """

    corp: int
    brass: int
    platform: int
    hand: int
    deck: int
    unseen: list[int]
    discard: list[int]
    pieces: list[Piece]
    reserve: list[int]
    coming: list[int]
    last: list[int]


class BrassView(msgspec.Struct):
    """Fields as in `state.State`; `me` is whose view it is, None for the public one.

    `hand` is one's own, `mate` that of a teammate who shows it (`team_hands`). `decks` are the cards that are still to
    come into the rows, sorted; `seats` how many companies play. Of another's turn there are no `wishes`, and UNKNOWN
    stands for buildings that it has played and for cards that it is yet to play. `names` has id and name of each card
    where a table plays with its own.
    """

    me: int | None
    hand: list[int]
    mate: list[int]
    companies: list[Side]
    rows: list[list[int]]
    decks: list[list[int]]
    pool: int
    spare: int
    seat: int
    first: int
    round: int
    labor: int
    construction: int
    acted: bool
    end_draw: int
    next_id: int
    played: list[int]
    gone: list[int]
    out: list[int]
    wishes: tuple[Answer, ...]
    stack: list[Step]
    seats: int
    names: tuple[tuple[str, str], ...] = ()


def view(tables: Tables, state: State, seat: int | None) -> BrassView:
    """What `seat` knows of a state. Of the stack all is public but the cards that another is about to play."""
    rows, decks = state.rows, state.decks
    kind = tables.kind
    own_turn = seat is not None and seat == state.seat
    mate = tables.mates[seat] if seat is not None and tables.team_hands else -1
    return BrassView(
        seat,
        [] if seat is None else state.companies[seat].hand[:],
        state.companies[mate].hand[:] if mate >= 0 else [],
        [_side(state, side, side in (seat, mate)) for side in range(tables.sides)],
        [rows[0][:], rows[1][:]],
        [decks[0][:], decks[1][:]],
        state.pool,
        state.spare,
        state.seat,
        state.first,
        state.round,
        state.labor,
        state.construction,
        state.acted,
        state.end_draw,
        state.next_id,
        state.played[:] if own_turn else [UNKNOWN if kind[card] == BUILDING else card for card in state.played],
        state.gone[:],
        state.out[:],
        state.wishes if own_turn else (),
        state.stack[:] if own_turn else [_masked(step) for step in state.stack],
        tables.seats,
        tables.names,
    )


def _masked(step: Step) -> Step:
    return Playing((UNKNOWN,) * len(step.cards), step.all) if type(step) is Playing else step


def _side(state: State, side: int, known: bool) -> Side:
    company = state.companies[side]
    pieces, unseen = company.pieces[:], company.hand + company.deck
    for place, piece in enumerate(pieces):
        if piece.down:
            unseen.append(piece.card)
            if not known:
                pieces[place] = Piece(piece.id, UNKNOWN, down=True)
    unseen.sort()
    return Side(
        company.corp,
        company.brass,
        company.platform,
        len(company.hand),
        len(company.deck),
        unseen,
        company.discard[:],
        pieces,
        company.reserve[:],
        company.coming[:],
        company.last[:],
    )
