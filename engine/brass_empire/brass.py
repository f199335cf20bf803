"""Brass tokens, in battle a company's health: how they come and go."""

from engine.brass_empire.events import PoolEmpty, WentOut
from engine.brass_empire.play import GameOver, Play
from engine.brass_empire.state import DOWN, State
from engine.brass_empire.tables import HEALTH, Tables


def pay(play: Play, side: int, brass: int) -> int:
    """Give a side brass from the pool, or health in battle; how much it came to.

    It is paid in full though the pool holds less (BE-ACT-12, BE-WIN-2). Whoever takes the last token of the pool makes
    the round the last one; alone against the automaton the game is over (BE-WIN-1, BE-SOL-15).
    """
    state, tables = play.state, play.tables
    if tables.battle:
        return _restore(play, side, brass)
    state.companies[side].brass += brass
    if not state.pool:
        state.spare += brass
        return brass
    if brass < state.pool:
        state.pool -= brass
        return brass
    state.spare += brass - state.pool
    state.pool = 0
    return brass


def look(play: Play, before: int) -> None:
    """After something was paid and told, when the pool held `before`: see whether that was the last of it."""
    if not before or play.state.pool:
        return
    at_once = play.tables.solo and not play.tables.equal_turns
    play.tell(PoolEmpty(at_once))
    if at_once:
        raise GameOver


def _restore(play: Play, side: int, health: int) -> int:
    """In battle brass is health, never above what a company starts with (BE-BAT-2, `health_cap`)."""
    company = play.state.companies[side]
    if is_out(play.state, side):
        return 0
    restored = max(0, min(health, HEALTH - company.brass)) if play.tables.health_cap else health
    company.brass += restored
    return restored


def lose(play: Play, side: int, brass: int) -> None:
    """Take brass off a side that has as much; in battle a company that has none left is out (BE-BAT-5)."""
    company = play.state.companies[side]
    company.brass -= brass
    if play.tables.battle and not company.brass:
        _go_out(play, side)


def is_out(state: State, side: int) -> bool:
    """Whether a company is out of the battle."""
    return side in state.out


def standing(tables: Tables, state: State) -> set[int]:
    """The companies, or of each team the one of the lower seat, of which somebody is still in."""
    left = [seat for seat in range(tables.seats) if seat not in state.out]
    return {min(seat, tables.mates[seat]) if tables.teams else seat for seat in left}


def is_pool_over(tables: Tables, state: State) -> bool:
    """Whether a game for the pool of which a round is over goes on no more (BE-WIN-1, BE-WIN-8, BE-WIN-9).

    Companies that have dismissed almost all that they had could go on for ever.
    """
    return not state.pool or state.round >= _last_round(tables, tables.pool_rounds)


def _last_round(tables: Tables, most: int) -> int:
    """The last round that is played: so many at the most, or fewer where a number of turns was set."""
    return min(most, tables.turn_limit or most)


def is_spent(state: State) -> bool:
    """Whether no company that is still in has a card: nobody could do anything ever again."""
    return not any(
        company.hand or company.deck or company.discard or company.coming or company.pieces
        for company in state.companies
    )


def is_battle_over(tables: Tables, state: State) -> bool:
    """Whether a battle of which a round is over goes on no more, though nobody has won it (BE-BAT-12, BE-WIN-9)."""
    return state.round >= _last_round(tables, tables.battle_rounds) or is_spent(state)


def _go_out(play: Play, side: int) -> None:
    """Its cards leave the game without effect (BE-BAT-9); the last one standing wins."""
    state = play.state
    company = state.companies[side]
    state.out.append(side)
    play.tell(WentOut(side))
    state.gone += company.hand
    state.gone += company.deck
    state.gone += company.discard
    state.gone += company.coming
    state.gone += company.reserve
    state.gone += [piece.card for piece in company.pieces]
    if side == state.seat:
        state.gone += [card for card in state.played if play.tables.kind[card] == 0]
        state.played = []
    company.hand, company.deck, company.discard, company.coming, company.reserve = [], [], [], [], []
    company.pieces = []
    company.platform = DOWN
    if len(standing(play.tables, state)) == 1:
        raise GameOver
