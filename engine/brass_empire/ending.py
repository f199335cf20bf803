"""How a game ends and who has won: BE-WIN, BE-TEA-4, BE-BAT-5, BE-BAT-10, BE-BAT-12, BE-SOL-6."""

from collections.abc import Iterator

from engine.brass_empire import brass
from engine.brass_empire.events import GameEnded, Score
from engine.brass_empire.play import Play
from engine.brass_empire.state import State
from engine.brass_empire.tables import EMPLOYEE, Tables
from engine.contract import Standing


def finish(play: Play) -> None:
    """Nothing is asked any more."""
    state, tables = play.state, play.tables
    state.stack.clear()
    state.wishes = ()
    if tables.battle:
        play.tell(GameEnded(_why_battle_ended(tables, state), (), _first(tables, state)))
        return
    scores = tuple(Score(side, state.companies[side].brass, worth(tables, state, side)) for side in range(tables.sides))
    # A company alone that has not won leaves the first place to the automaton.
    play.tell(GameEnded("stalled" if state.pool else "pool", scores, _first(tables, state) or (tables.seats,)))


def _first(tables: Tables, state: State) -> tuple[int, ...]:
    return tuple(standing.seat for standing in standings(tables, state) if standing.place == 1)


def _why_battle_ended(tables: Tables, state: State) -> str:
    """One side is left, or nobody has a card, or the last round is over (BE-BAT-5, BE-BAT-12)."""
    if len(brass.standing(tables, state)) == 1:
        return "battle"
    return "spent" if brass.is_spent(state) else "rounds"


def _beats_automaton(tables: Tables, state: State) -> bool:
    """More brass in all (BE-SOL-6); equal brass is no win for the company (BE-SOL-7)."""
    own, automaton = (state.companies[side].brass + worth(tables, state, side) for side in range(tables.sides))
    return own > automaton


def cards(tables: Tables, state: State, side: int) -> Iterator[int]:
    """All cards that score: deck, hand, discard pile and play, face up or down (BE-WIN-3), without the platform."""
    company = state.companies[side]
    yield from company.deck
    yield from company.hand
    yield from company.discard
    yield from company.coming
    for piece in company.pieces:
        yield piece.card
    if side == state.seat and side < tables.seats:
        yield from (card for card in state.played if tables.kind[card] == EMPLOYEE)


def worth(tables: Tables, state: State, side: int) -> int:
    """The brass value of a side's cards."""
    return sum(tables.brass[card] for card in cards(tables, state, side)) + _platform(tables, side)


def _platform(tables: Tables, side: int) -> int:
    return tables.brass[tables.platform] if side < tables.seats else 0


def standings(tables: Tables, state: State) -> list[Standing]:
    """Places and scores if the game ended now."""
    return _battle(tables, state) if tables.battle else _scores(tables, state)


def _team(tables: Tables, seat: int) -> tuple[int, ...]:
    return (seat, tables.mates[seat]) if tables.teams else (seat,)


def _key(tables: Tables, state: State, seat: int) -> tuple[int, ...]:
    """Most brass, then most in cards of one's own corporation, then fewest cards, then most tokens (BE-WIN-4).

    The platform counts as a card (BE-WIN-7); teams by their sums (BE-TEA-9).
    """
    totals = [0, 0, 0, 0]
    for member in _team(tables, seat):
        company = state.companies[member]
        held = [*cards(tables, state, member), tables.platform]
        own = sum(tables.brass[card] for card in held if tables.corp[card] == company.corp)
        figures = (company.brass + worth(tables, state, member), own, -len(held), company.brass)
        totals = [total + figure for total, figure in zip(totals, figures, strict=True)]
    return tuple(totals)


def _scores(tables: Tables, state: State) -> list[Standing]:
    keys = {seat: _key(tables, state, seat) for seat in range(tables.seats)}
    ranked = sorted(keys, key=lambda seat: (tuple(-figure for figure in keys[seat]), seat))
    made = []
    for seat in ranked:
        tokens, value = state.companies[seat].brass, worth(tables, state, seat)
        sources = {"tokens": tokens, "cards": value}
        if tables.teams:
            sources["teammate"] = keys[seat][0] - tokens - value
        ahead = {_team(tables, other)[0] for other in keys if keys[other] > keys[seat]}
        place = 1 + len({min(_team(tables, other)) for other in ahead})
        if tables.solo and not _beats_automaton(tables, state):
            place = 2
        made.append(Standing(seat, place, keys[seat][0], sources))
    return made


def _battle(tables: Tables, state: State) -> list[Standing]:
    """By how long they lasted (BE-BAT-10), a team by its last member; those still in by their health."""

    def lasted(seat: int) -> tuple[int, int]:
        team = _team(tables, seat)
        falls = [state.out.index(member) if member in state.out else len(state.out) for member in team]
        return max(falls), sum(state.companies[member].brass for member in team)

    keys = {seat: lasted(seat) for seat in range(tables.seats)}
    ranked = sorted(keys, key=lambda seat: (-keys[seat][0], -keys[seat][1], seat))
    made = []
    for seat in ranked:
        health = state.companies[seat].brass
        ahead = {min(_team(tables, other)) for other in keys if keys[other] > keys[seat]}
        made.append(Standing(seat, 1 + len(ahead), health, {"health": health}))
    return made
