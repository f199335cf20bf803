"""The whole of a game as plain data. What is not drawn yet does not exist: no deck has an order in here.

A card is its number in the card file, a *side* a seat or, where one company plays alone, the automaton's number 1.
Decks and hands are kept sorted, for only what is in them counts. Not everyone knows a company's hand, what is left in
its deck, and which building of it lies face down; all else is public.
"""

from typing import TypeAlias, Union

import msgspec

from engine.brass_empire.choices import PIECES, Answer

DOWN = -1
"""In place of a platform's damage: it lies face down."""
EMPTY = -1
"""In place of a card of a row: its deck has run out."""


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit or building in play, but the platform. `id` is its own for the whole game.

    `down` is one under construction, `fresh` a unit that came into play this turn, `used` one that has acted, or a
    building whose effect was used, this turn.
    """

    id: int
    card: int
    damage: int = 0
    down: bool = False
    fresh: bool = False
    used: bool = False


class Company(msgspec.Struct, omit_defaults=True):
    """One side. `corp` is its corporation 0..4, -1 for none; `brass` its tokens, in battle its health.

    `platform` is the damage of the platform, or DOWN. `pieces` are in the order in which they were played. `coming` are
    cards bought this turn that are not in the discard pile yet (`bought_at_end`). `last` are the cards that it showed
    in its last turn: those played face up, then those discarded unplayed. The automaton has a platform that is
    always DOWN, and its `discard` is its score pile.
    """

    corp: int = -1
    brass: int = 0
    platform: int = 0
    hand: list[int] = []
    deck: list[int] = []
    discard: list[int] = []
    pieces: list[Piece] = []
    reserve: list[int] = []
    coming: list[int] = []
    last: list[int] = []

    def copy(self) -> "Company":
        """A copy that shares nothing that either may change: pieces are frozen."""
        return Company(
            self.corp,
            self.brass,
            self.platform,
            self.hand[:],
            self.deck[:],
            self.discard[:],
            self.pieces[:],
            self.reserve[:],
            self.coming[:],
            self.last[:],
        )


class Founding(msgspec.Struct, frozen=True, omit_defaults=True, tag="founding"):
    """The company `index` seats after the first names its corporation."""

    index: int


class Reserving(msgspec.Struct, frozen=True, omit_defaults=True, tag="reserving"):
    """The company `index` seats after the first makes its reserve (BE-VAR-2)."""

    index: int


class Opening(msgspec.Struct, frozen=True, omit_defaults=True, tag="opening"):
    """Corporations are fixed: reserves, decks and rows are laid out and hands drawn."""


class Turn(msgspec.Struct, frozen=True, omit_defaults=True, tag="turn"):
    """The company whose turn it is does what it wants next."""


class Playing(msgspec.Struct, frozen=True, omit_defaults=True, tag="playing"):
    """The rest of what is being played; with `all` whatever is in the hand."""

    cards: tuple[int, ...] = ()
    all: bool = False


class Mining(msgspec.Struct, frozen=True, omit_defaults=True, tag="mining"):
    """The units that are still to mine."""

    units: tuple[int, ...]


class Resolving(msgspec.Struct, frozen=True, omit_defaults=True, tag="resolving"):
    """Effects of a side that are still to happen, by number. `source` is the card if it is face up in play, else -1."""

    seat: int
    todo: tuple[int, ...]
    source: int = -1


class Asking(msgspec.Struct, frozen=True, omit_defaults=True, tag="asking"):
    """An effect asks its side; with `may` only whether it is to happen. `source` as in Resolving."""

    seat: int
    effect: int
    source: int = -1
    may: bool = False


class Discarding(msgspec.Struct, frozen=True, omit_defaults=True, tag="discarding"):
    """These seats discard so many cards each."""

    seats: tuple[int, ...]
    counts: tuple[int, ...]


class Ending(msgspec.Struct, frozen=True, omit_defaults=True, tag="ending"):
    """The turn is over but for its clearing up."""


class Automaton(msgspec.Struct, frozen=True, omit_defaults=True, tag="automaton"):
    """The automaton's turn: the units that are still to act, then it takes cards."""

    units: tuple[int, ...]


Step: TypeAlias = Union[
    Founding, Reserving, Opening, Turn, Playing, Mining, Resolving, Asking, Discarding, Ending, Automaton
]


class State(msgspec.Struct, omit_defaults=True):
    """A game between two choices. `stack` is what is being done, innermost last; empty when the game is over.

    rows, decks: labor and design: the cards on offer, EMPTY where there is none, and what is left to come.
    pool, spare: brass in the mining pool; tokens paid after it was empty.
    seat: the side whose turn it is. first: the company that began. round: the round that is played, 0 before the first.
    labor, construction: what it may still spend. played: the cards that it has played this turn, employees among
    them lying before it until the turn ends. acted: whether a unit has acted. end_draw: cards drawn in addition at the
    end. wishes: what the act that is going on has said to questions that may come up.
    gone: dismissed cards. out: in battle the companies that are out, in that order. next_id: of the next piece.
    """

    companies: list[Company]
    rows: list[list[int]]
    decks: list[list[int]]
    pool: int = 0
    spare: int = 0
    seat: int = 0
    first: int = 0
    round: int = 0
    labor: int = 0
    construction: int = 0
    acted: bool = False
    end_draw: int = 0
    next_id: int = PIECES
    played: list[int] = []
    gone: list[int] = []
    out: list[int] = []
    wishes: tuple[Answer, ...] = ()
    stack: list[Step] = []

    def copy(self) -> "State":
        """A state that shares nothing that either may change: steps are frozen."""
        rows, decks = self.rows, self.decks
        return State(
            [company.copy() for company in self.companies],
            [rows[0][:], rows[1][:]],
            [decks[0][:], decks[1][:]],
            self.pool,
            self.spare,
            self.seat,
            self.first,
            self.round,
            self.labor,
            self.construction,
            self.acted,
            self.end_draw,
            self.next_id,
            self.played[:],
            self.gone[:],
            self.out[:],
            self.wishes,
            self.stack[:],
        )
