"""Set-up: RW-SET."""

from engine.contract import Chance, Event
from engine.rockwell import automaton
from engine.rockwell.components import Tables
from engine.rockwell.events import Started, TurnBegan
from engine.rockwell.geometry import ENTRANCES
from engine.rockwell.layout import lay
from engine.rockwell.play import Play
from engine.rockwell.state import Account, Auction, Company, State


def begin(tables: Tables, chance: Chance, events: list[Event]) -> Play:
    """The game set up, at its first auction."""
    seats = tables.seats
    required = lay([[back.power for back in backs] for backs in tables.backs], lambda n: chance.draw("layout", n))
    # The automaton's crews stand at the entrances like those of a company (RW-TWO-1).
    sides = seats + (seats == automaton.SEATS)
    state = State(
        at=list(ENTRANCES) * sides,
        power=[1] * 4 * sides,
        die=[0] * 4 * sides,
        required=required,
        back=[-1] * 32,
        mineshaft=[-1] * 32,
        companies=[_company(tables) for _ in range(seats)],
        management=_shuffled(seats, chance, "management"),
        control=_shuffled(seats, chance, "control"),
        slots=[-1] * 12,
        bribery=tables.bribery_tiles,
        dice=tables.dice,
        cards=[(1 << len(pile)) - 1 for pile in tables.cards],
        deliveries=[0] * 4,
        achievements=[0] * 9,
        traded=[0] * seats,
        left=[0] * seats,
        stack=[Auction()],
    )
    play = Play(tables, state, chance, events)
    play.tell(Started(tuple(required), tuple(state.management), tuple(state.control)))
    play.tell(TurnBegan(1))
    return play


def _company(tables: Tables) -> Company:
    cubes = tables.start_cubes
    return Company(list(cubes), tables.start_money, Account(list(cubes), [0] * 4, [0] * 4))


def _shuffled(seats: int, chance: Chance, stream: str) -> list[int]:
    left = list(range(seats))
    return [left.pop(chance.draw(stream, len(left))) if len(left) > 1 else left.pop() for _ in range(seats)]
