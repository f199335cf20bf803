"""The course of rounds and turns: BE-STA, BE-END, BE-WIN-1, BE-WIN-8, and who comes next."""

from engine.brass_empire import automaton, brass
from engine.brass_empire.battle import happens
from engine.brass_empire.drawing import deal
from engine.brass_empire.events import Built, RoundBegan, TurnBegan, TurnEnded
from engine.brass_empire.play import GameOver, Play
from engine.brass_empire.state import Ending, Piece, Turn
from engine.brass_empire.tables import BUILDING, EMPLOYEE, HAND


def begin_round(play: Play) -> None:
    """The first company that is still in has its turn."""
    state = play.state
    state.round += 1
    play.tell(RoundBegan(state.round))
    seats = play.tables.seats
    order = [(state.first + index) % seats for index in range(seats)]
    _begin(play, next(seat for seat in order if seat not in state.out))


def _begin(play: Play, seat: int) -> None:
    """All buildings flip together; then come `built`, then `turn` effects, as the buildings were played (BE-STA-6)."""
    state = play.state
    state.seat = seat
    company = state.companies[seat]
    play.tell(TurnBegan(seat, state.round))
    flipped = [piece.card for piece in company.pieces if piece.down]
    for place, piece in enumerate(company.pieces):
        if piece.down or piece.fresh or piece.used:
            company.pieces[place] = Piece(piece.id, piece.card, piece.damage)
    state.stack.append(Turn())
    kind = play.tables.kind
    for piece in reversed(company.pieces):
        if kind[piece.card] == BUILDING:
            happens(play, seat, piece.card, "turn", piece.card)
    if flipped:
        play.tell(Built(seat, tuple(flipped)))
        for card in reversed(flipped):
            happens(play, seat, card, "built", card)


def run_ending(play: Play, step: Ending) -> bool:
    """Employees played and the rest of the hand are discarded, then the next hand is drawn; the next turn begins."""
    state, tables = play.state, play.tables
    state.stack.pop()
    seat = state.seat
    company = state.companies[seat]
    if not brass.is_out(state, seat):
        kind = tables.kind
        company.discard += [card for card in state.played if kind[card] == EMPLOYEE]
        left = company.hand
        company.last = [*(card for card in state.played if kind[card] != BUILDING), *left]
        company.discard += left
        company.hand = []
        play.tell(TurnEnded(seat, tuple(left), state.labor, state.construction))
        for other in state.companies:
            if other.coming:
                other.discard += other.coming
                other.coming = []
        size = HAND + state.end_draw
        for piece in company.pieces:
            if not piece.down:
                size += tables.hand_size[piece.card]
        deal(play, seat, size)
    state.labor = state.construction = state.end_draw = 0
    state.played = []
    state.acted = False
    _next(play)
    return False


def _next(play: Play) -> None:
    """Clockwise; after the last of a round the game is over if the pool is empty (BE-WIN-1), else it goes on."""
    state, tables = play.state, play.tables
    place = (state.seat - state.first) % tables.seats
    for index in range(place + 1, tables.seats):
        seat = (state.first + index) % tables.seats
        if seat not in state.out:
            _begin(play, seat)
            return
    if tables.solo:
        automaton.begin(play)
    else:
        end_round(play)


def end_round(play: Play) -> None:
    """Every company has had as many turns."""
    is_over = brass.is_battle_over if play.tables.battle else brass.is_pool_over
    if is_over(play.tables, play.state):
        raise GameOver
    begin_round(play)
