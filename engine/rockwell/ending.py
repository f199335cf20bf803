"""The end of the turn and of the game: RW-END."""

from collections.abc import Sequence

from engine.contract import Standing
from engine.rockwell.components import Tables
from engine.rockwell.events import Award, GameEnded, Stock, TurnBegan, TurnEnded
from engine.rockwell.geometry import CENTRE
from engine.rockwell.play import Play
from engine.rockwell.state import KIND_NAMES, Auction, Company, State
from engine.rockwell.view import Rival, RockwellView

MONEY = 4
"""What an award is for, next to the kinds of cube 0..3."""
AWARDED = (*KIND_NAMES, "money")
HIGHEST_KIND = (6, 7, 8)
"""The achievements of the most prestige, all three of which end the game with any three others (RW-END-3)."""


def end_turn(play: Play) -> None:
    """Vice presidents, dice and bribery tiles go back; the next auction begins, or the game is over (RW-END-1)."""
    state, tables = play.state, play.tables
    state.slots = [-1] * 12
    state.die = [0] * len(state.die)
    state.dice = tables.dice
    state.bribery = tables.bribery_tiles
    play.tell(TurnEnded(state.turn))
    reason = over(tables, state)
    if reason:
        state.stack.clear()
        stocks = tuple(
            Stock(seat, _four(company.cubes), company.money, company.insurance, tuple(company.delivered))
            for seat, company in enumerate(state.companies)
        )
        play.tell(GameEnded(reason, stocks, tuple(award for award in awards(tables, state) if award.prestige)))
        return
    state.turn += 1
    play.tell(TurnBegan(state.turn))
    state.stack[-1] = Auction()


def over(tables: Tables, state: State | RockwellView) -> str:
    """Why the game ends after this turn: `centre`, `achievements`, `turns` (RW-END-16), or nothing for one that goes
    on."""
    arrived = sum(1 for seat in range(tables.seats) if CENTRE in state.at[seat * 4 : seat * 4 + 4])
    if 2 * arrived > tables.seats:
        return "centre"
    for company in state.companies:
        claimed = company.claimed
        if all(claimed[kind] for kind in HIGHEST_KIND) and sum(1 for prestige in claimed if prestige) >= 6:
            return "achievements"
    return "turns" if tables.turn_limit and state.turn >= tables.turn_limit else ""


def prizes(amounts: Sequence[int], for_none: bool) -> list[int]:
    """The prestige for each company's amount: 3, 2, 1 among four, 2, 1 among three, 2 among two.

    Those that tie each get the higher award, and the places that they fill are used up (RW-END-5): a company's award
    falls by one for each company that has more. Nothing gets one only with `for_none` (RW-END-8).
    """
    places = len(amounts) - 1
    return [prize(places, amount, sum(1 for other in amounts if other > amount), for_none) for amount in amounts]


def prize(places: int, amount: int, ahead: int, for_none: bool) -> int:
    """The prestige for an amount that so many companies surpass, where so many `places` are awarded."""
    return max(places, 2) - ahead if ahead < places and (amount or for_none) else 0


def awards(tables: Tables, state: State) -> list[Award]:
    """What every company gets for each kind of cube and for money, nothings too (RW-END-4)."""
    listed = []
    for what in range(len(AWARDED)):
        amounts = [company.money if what == MONEY else company.cubes[what] for company in state.companies]
        for seat, prestige in enumerate(prizes(amounts, tables.award_for_none)):
            listed.append(Award(seat, what, amounts[seat], prestige))
    return listed


def standings(tables: Tables, state: State) -> list[Standing]:
    """Places by prestige, then achievement tiles, then cubes in stock; what is equal still ties (RW-END-7, 14, 15)."""
    given = awards(tables, state)
    ranks = []
    for seat, company in enumerate(state.companies):
        sources = {
            "achievements": sum(company.claimed),
            "deliveries": delivered(tables, company),
        }
        for award in given:
            if award.seat == seat:
                sources[AWARDED[award.what]] = award.prestige
        tiles = sum(1 for prestige in company.claimed if prestige)
        ranks.append((sum(sources.values()), tiles, sum(company.cubes), -seat, sources))
    ranks.sort(key=lambda rank: rank[:4], reverse=True)
    listed: list[Standing] = []
    for index, (score, tiles, cubes, seat, sources) in enumerate(ranks):
        tied = index > 0 and ranks[index - 1][:3] == (score, tiles, cubes)
        listed.append(Standing(-seat, listed[-1].place if tied else index + 1, score, sources))
    return listed


def delivered(tables: Tables, company: Company | Rival) -> int:
    """The prestige of the delivery tiles that a company has taken."""
    return sum(tables.deliveries[tile >> 3][tile & 7].prestige for tile in company.delivered)


def _four(cubes: Sequence[int]) -> tuple[int, int, int, int]:
    return (cubes[0], cubes[1], cubes[2], cubes[3])
