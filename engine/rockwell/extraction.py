"""Extraction: RW-EXT."""

from collections.abc import Mapping
from typing import Any

from engine.contract import Decision, Part
from engine.errors import Illegal
from engine.rockwell import account, danger, stock
from engine.rockwell.choices import FIRST, First
from engine.rockwell.components import Card, Tables
from engine.rockwell.events import Extracted, Fell, Share, Shared
from engine.rockwell.geometry import BORDERS, ON, TILE_SPOTS
from engine.rockwell.play import Play
from engine.rockwell.state import Cubes, Danger, Ripe, Spoil, State

HERE = tuple((tile, *BORDERS[tile]) for tile in TILE_SPOTS)
"""By tile, the spots where a crew is on it: the tile and its two borders (RW-WRK-28)."""
BACKS = tuple(f"backs/{stratum}" for stratum in "ABCD")
CARDS = tuple(f"cards/{pile}" for pile in range(1, 9))
NONE = (0, 0, 0, 0)


def strength(state: State, tile: int) -> int:
    """The power of all crews on a tile with their subcontractors, whosever they are."""
    here = HERE[tile]
    return sum([power + die for spot, power, die in zip(state.at, state.power, state.die, strict=True) if spot in here])


def ripe(state: State, spot: int) -> tuple[int, ...]:
    """The tiles that a crew on a spot is on and that can be extracted now (RW-EXT-1)."""
    back, required = state.back, state.required
    return tuple([tile for tile in ON[spot] if back[tile] < 0 and strength(state, tile) >= required[tile]])


def trigger(play: Play, number: int, tiles: tuple[int, ...], cause: str) -> None:
    """Extract the ripe tiles of crew `number`, by its owner's act; of two, its owner says which first."""
    seat, crew = divmod(number, 4)
    if len(tiles) == 1:
        extract(play, tiles[0], seat, cause)
    elif tiles:
        play.state.stack.append(Ripe(seat, crew, cause))


class FirstSpace:
    """Which of the two tiles of the straddling crew is extracted."""

    __slots__ = ("tiles",)

    def __init__(self, state: State, seat: int) -> None:
        step = state.stack[-1]
        assert isinstance(step, Ripe)
        self.tiles = tuple(sorted(ON[state.at[step.seat * 4 + step.crew]]))

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """The tile, the lower number first."""
        return None if chosen else Part("tile", self.tiles)

    def build(self, chosen: tuple[Any, ...]) -> First:
        """That tile."""
        return First(chosen[0])

    def split(self, choice: object) -> tuple[int]:
        """The tile."""
        if not isinstance(choice, First):
            raise Illegal("wrong_kind", given=choice)
        return (choice.tile,)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """The crew does not straddle it."""
        return "not_that_tile", {"tiles": self.tiles}


def pending(tables: Tables, state: State, step: Ripe) -> Decision:
    """The company whose act it was chooses."""
    return Decision(FIRST, (step.seat,))


def space(tables: Tables, state: State, seat: int) -> FirstSpace:
    """The two tiles."""
    return FirstSpace(state, seat)


def run(play: Play, step: Ripe) -> bool:
    """Wait for the choice."""
    return True


def answer(play: Play, step: Ripe, answers: Mapping[int, First]) -> None:
    """The crew lands on the tile chosen. The other was not ripe before the act, nor is it without that crew."""
    play.state.stack.pop()
    extract(play, answers[step.seat].tile, step.seat, step.cause)


def extract(play: Play, tile: int, seat: int, cause: str) -> None:
    """Reveal a tile, draw its card and divide the cubes; where danger leaves a choice, stop for it."""
    state, tables = play.state, play.tables
    power = strength(state, tile)
    back = _reveal(play, tile)
    yields = tables.backs[tile // 8][back]
    card = _draw(play, yields.pile - 1)
    if seat < tables.seats:
        state.companies[seat].cards += 1
    play.tell(
        Extracted(
            tile,
            seat,
            cause,
            state.required[tile],
            power,
            back,
            yields.pile,
            yields.yields,
            card.cubes,
            card.danger,
        )
    )
    _land(play, tile)
    spoils = _divide(play, tile, seat, card)
    if not card.danger:
        for spoil in spoils:
            if spoil.seat < tables.seats:
                stock.gain(state.companies[spoil.seat], danger.total(spoil.share, spoil.rest))
        danger.distributed(play, spoils, seat)
        return
    asked = tuple(
        spoil.seat for spoil in spoils if spoil.loss and account.may_be_insured(state.companies[spoil.seat].account)
    )
    step = Danger(tile, seat, spoils, asked)
    if asked:
        state.stack.append(step)
    else:
        danger.strike(play, step, {})


def _reveal(play: Play, tile: int) -> int:
    """Draw its back among those left of its stratum and power."""
    state = play.state
    stratum = tile // 8
    ring = state.back[stratum * 8 : stratum * 8 + 8]
    required = state.required[tile]
    left = [
        back
        for back, printed in enumerate(play.tables.backs[stratum])
        if printed.power == required and back not in ring
    ]
    drawn = left[play.chance.draw(BACKS[stratum], len(left))] if len(left) > 1 else left[0]
    state.back[tile] = drawn
    return drawn


def _draw(play: Play, pile: int) -> Card:
    """Draw a card among those left in a pile."""
    state = play.state
    mask = state.cards[pile]
    left = [card for card in range(mask.bit_length()) if mask >> card & 1]
    drawn = left[play.chance.draw(CARDS[pile], len(left))] if len(left) > 1 else left[0]
    state.cards[pile] = mask & ~(1 << drawn)
    return play.tables.cards[pile][drawn]


def _land(play: Play, tile: int) -> None:
    """Crews that straddle the tile land on it (RW-WRK-29, RW-EXT-19)."""
    at = play.state.at
    for border in BORDERS[tile]:
        while border in at:
            number = at.index(border)
            at[number] = tile
            play.tell(Fell(number >> 2, number & 3, border, tile))


def _divide(play: Play, tile: int, seat: int, card: Card) -> tuple[Spoil, ...]:
    """Who gets what, and what danger would take of it (RW-EXT-4 to 7)."""
    state, tables = play.state, play.tables
    powers: dict[int, int] = {}
    for number, spot in enumerate(state.at):
        if spot == tile:
            owner = number >> 2
            powers[owner] = powers.get(owner, 0) + state.power[number] + state.die[number]
    sharers = len(powers)
    zinc, copper, silver, gold = card.cubes
    share: Cubes = (zinc // sharers, copper // sharers, silver // sharers, gold // sharers)
    rest: Cubes = (zinc % sharers, copper % sharers, silver % sharers, gold % sharers)
    priority, reason = _priority(state, tile, seat, powers)
    play.tell(
        Shared(tile, tuple([Share(owner, power, share) for owner, power in powers.items()]), priority, reason, rest)
    )
    if priority not in powers:
        powers[priority] = 0
    return tuple(
        [
            _spoil(tables, state, owner, power, share if power else NONE, rest if owner == priority else NONE, card)
            for owner, power in powers.items()
        ]
    )


def _priority(state: State, tile: int, seat: int, powers: Mapping[int, int]) -> tuple[int, str]:
    owner = state.mineshaft[tile]
    if owner >= 0:
        return owner, "mineshaft"
    most = max(powers.values())
    strongest = [seat for seat, power in powers.items() if power == most]
    return (strongest[0], "dominant") if len(strongest) == 1 else (seat, "triggered")


def _spoil(tables: Tables, state: State, seat: int, power: int, share: Cubes, rest: Cubes, card: Card) -> Spoil:
    if not card.danger or not power or seat >= tables.seats:
        return Spoil(seat, power, share, rest)
    booty = sum(danger.at_risk(tables, share, rest))
    cut, loss = danger.loss(tables, power, booty, state.companies[seat].safety)
    return Spoil(seat, power, share, rest, cut, loss)
