"""The automaton that a company alone plays against: BE-SOL."""

from engine.brass_empire import battle, brass, combat, turn
from engine.brass_empire.drawing import take
from engine.brass_empire.events import AutomatonGained, AutomatonTook, TurnBegan
from engine.brass_empire.play import Play
from engine.brass_empire.state import DOWN, EMPTY, Automaton, Piece, State
from engine.brass_empire.tables import BUILDING, DESIGN, LABOR, UNIT, Tables

SIDE = 1
"""The automaton's side."""
RICH = 7
"""Tokens from which on it takes design cards too (BE-SOL-16)."""


def begin(play: Play) -> None:
    """Its turn starts with 1 brass and 1 more for each of its buildings (BE-SOL-2)."""
    state, kind = play.state, play.tables.kind
    state.seat = SIDE
    play.tell(TurnBegan(SIDE, state.round))
    pieces = state.companies[SIDE].pieces
    gained = 1 + sum(1 for piece in pieces if kind[piece.card] == BUILDING)
    state.stack.append(Automaton(tuple(piece.id for piece in pieces if kind[piece.card] == UNIT)))
    before = state.pool
    play.tell(AutomatonGained(brass.pay(play, SIDE, gained)))
    brass.look(play, before)


def run(play: Play, step: Automaton) -> bool:
    """Its next unit acts, each deciding anew (BE-SOL-3); when all have, it takes cards and the round is over."""
    state = play.state
    if step.units:
        unit = step.units[0]
        state.stack[-1] = Automaton(step.units[1:])
        if battle.is_there(state, unit):
            _act(play, unit)
        return False
    state.stack.pop()
    _take(play, LABOR)
    # Counted before the design card is taken, after mining (BE-SOL-13).
    if state.companies[SIDE].brass >= RICH:
        _take(play, DESIGN)
    state.seat = state.first
    turn.end_round(play)
    return False


def _act(play: Play, unit: int) -> None:
    """While the company has more tokens and its platform stands, attack; else mine (BE-SOL-9)."""
    state = play.state
    company, own = state.companies
    if company.brass > own.brass and company.platform != DOWN:
        combat.attack(play, SIDE, unit, _target(play.tables, state))
    else:
        combat.mine(play, SIDE, unit)


def _target(tables: Tables, state: State) -> int:
    """The platform, or what guards it: the warden of the least health left, then longest in play (BE-SOL-10)."""
    guards = battle.wardens(tables, state, 0)
    if not guards:
        return 0
    return min(guards, key=lambda piece: tables.health[piece.card] - piece.damage).id


def _take(play: Play, row: int) -> None:
    """The rightmost card of a row: an employee into the score pile, a design card into play (BE-SOL-4, BE-SOL-16)."""
    state = play.state
    cards = [card for card in state.rows[row] if card != EMPTY]
    if not cards:
        return
    card = cards[-1]
    play.tell(AutomatonTook(card, row))
    take(play, row, card)
    own = state.companies[SIDE]
    if row == LABOR:
        own.discard.append(card)
    else:
        own.pieces.append(Piece(state.next_id, card))
        state.next_id += 1
