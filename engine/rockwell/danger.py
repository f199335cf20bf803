"""Danger: RW-DNG. Also how booty reaches the stock."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.contract import Decision, Part
from engine.errors import Illegal
from engine.rockwell import account, achievements, stock
from engine.rockwell.choices import DANGER, Cover
from engine.rockwell.components import Tables
from engine.rockwell.events import DangerStruck
from engine.rockwell.play import Play
from engine.rockwell.state import KINDS, Cubes, Danger, Spoil, State


class CoverSpace:
    """Insurance for any of the cubes that would be lost (RW-DNG-4, RW-DNG-5)."""

    __slots__ = ("insurance", "loss")

    def __init__(self, state: State, seat: int) -> None:
        danger = state.stack[-1]
        assert isinstance(danger, Danger)
        self.loss = next(spoil.loss for spoil in danger.spoils if spoil.seat == seat)
        self.insurance = state.companies[seat].insurance

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """How many."""
        return None if chosen else Part("insurance", range(min(self.loss, self.insurance) + 1))

    def build(self, chosen: tuple[Any, ...]) -> Cover:
        """So many discarded."""
        return Cover(chosen[0])

    def split(self, choice: object) -> tuple[int]:
        """How many."""
        if not isinstance(choice, Cover):
            raise Illegal("wrong_kind", given=choice)
        return (choice.insurance,)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """More than it has, or than it would lose."""
        if type(value) is not int or value < 0:
            return "not_a_number", {}
        if value > self.insurance:
            return "more_than_held", {"most": self.insurance}
        return "more_than_lost", {"most": self.loss}


def at_risk(tables: Tables, share: Cubes, rest: Cubes) -> Cubes:
    """The booty that danger may take (RW-DNG-14)."""
    return share if tables.danger_spares_leftover else total(share, rest)


def total(share: Cubes, rest: Cubes) -> Cubes:
    """Both together."""
    return (share[0] + rest[0], share[1] + rest[1], share[2] + rest[2], share[3] + rest[3])


def loss(tables: Tables, power: int, booty: int, safety: int) -> tuple[int, int]:
    """What danger takes of so many cubes, before safety and after it (RW-DNG-1, 3, 11, 12)."""
    saves = tables.saves[safety]
    if tables.safety_before_cut:
        return power, min(booty, max(0, power - saves))
    cut = min(power, booty)
    return cut, max(0, cut - saves)


def pending(tables: Tables, state: State, step: Danger) -> Decision:
    """All that may hold insurance choose at once, unseen (RW-DNG-10)."""
    return Decision(DANGER, step.asked, sealed=True, private=True)


def space(tables: Tables, state: State, seat: int) -> CoverSpace:
    """How much insurance a company may discard."""
    return CoverSpace(state, seat)


def run(play: Play, step: Danger) -> bool:
    """Wait for those that are asked."""
    return True


def answer(play: Play, step: Danger, answers: Mapping[int, Cover]) -> None:
    """Danger takes what is neither safe nor insured; the rest of the booty reaches the stocks."""
    play.state.stack.pop()
    strike(play, step, {seat: cover.insurance for seat, cover in answers.items()})


def strike(play: Play, step: Danger, covers: Mapping[int, int]) -> None:
    """What danger does to each company on the tile, then what each receives (RW-EXT-14)."""
    state, tables = play.state, play.tables
    for spoil in step.spoils:
        if spoil.seat >= tables.seats:
            continue
        company = state.companies[spoil.seat]
        kept = total(spoil.share, spoil.rest)
        if spoil.power:
            covered = covers.get(spoil.seat, 0)
            booty = at_risk(tables, spoil.share, spoil.rest)
            lost = most_valuable(booty, spoil.loss - covered)
            kept = (kept[0] - lost[0], kept[1] - lost[1], kept[2] - lost[2], kept[3] - lost[3])
            if covered:
                account.discard(company, covered)
            saved = min(tables.saves[company.safety], spoil.cut)
            play.tell(DangerStruck(step.tile, spoil.seat, spoil.power, booty, spoil.cut, saved, covered, lost, kept))
        stock.gain(company, kept)
    distributed(play, step.spoils, step.seat)


def distributed(play: Play, spoils: Sequence[Spoil], active: int) -> None:
    """A distribution is done: whoever was on the tile, as who triggered it always is, may meet an achievement."""
    seats = [spoil.seat for spoil in spoils if spoil.seat < play.tables.seats]
    achievements.look(play, seats, active)


def most_valuable(booty: Cubes, count: int) -> Cubes:
    """The `count` most valuable cubes of a booty."""
    lost = [0, 0, 0, 0]
    for kind in reversed(KINDS):
        lost[kind] = min(count, booty[kind])
        count -= lost[kind]
    return (lost[0], lost[1], lost[2], lost[3])
