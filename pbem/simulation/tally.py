"""What is counted over the games, as plain data that processes hand to one another and add up."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from engine.contract import Standing
from pbem.simulation.bysheets import SheetTally
from pbem.simulation.uses import Key, Use, Uses


class LevelTally(msgspec.Struct):
    """One level of stand-ins. `seats` counts seats played, `games` games with one of them.

    `wins` counts shared ones in part; `scores` adds up scores by source; `micros` counts decisions by their processor
    time in millionths of a second.
    """

    seats: int = 0
    games: int = 0
    wins: float = 0.0
    scores: Counter[str] = msgspec.field(default_factory=Counter)
    micros: Counter[int] = msgspec.field(default_factory=Counter)


class FactionTally(msgspec.Struct):
    """One faction: the seats that played it, and their wins, shared ones in part."""

    seats: int = 0
    wins: float = 0.0


class Tally(msgspec.Struct):
    """All games so far. `turns` and `decisions` count games by theirs, `wins` by seat, shared ones in part.

    `asked` counts turns of a seat by the decisions that it was asked in them, private ones left out; `sheets` has what
    was counted by sheets, by pace.
    """

    wins: list[float]
    games: int = 0
    turns: Counter[int] = msgspec.field(default_factory=Counter)
    decisions: Counter[int] = msgspec.field(default_factory=Counter)
    levels: dict[str, LevelTally] = msgspec.field(default_factory=dict)
    factions: dict[str, FactionTally] = msgspec.field(default_factory=dict)
    uses: dict[Key, Use] = msgspec.field(default_factory=dict)
    asked: Counter[int] = msgspec.field(default_factory=Counter)
    sheets: dict[str, SheetTally] = msgspec.field(default_factory=dict)

    def level(self, name: str) -> LevelTally:
        """The tally of a level."""
        return self.levels.setdefault(name, LevelTally())

    def add_game(self, turns: int, decisions: int, levels: Sequence[str], standings: Iterable[Standing]) -> list[float]:
        """Count a game that is over; each seat's share of the win."""
        self.games += 1
        self.turns[turns] += 1
        self.decisions[decisions] += 1
        wins = [0.0] * len(levels)
        places = list(standings)
        winners = [standing.seat for standing in places if standing.place == 1]
        for seat in winners:
            wins[seat] = 1 / len(winners)
        for name in set(levels):
            self.level(name).games += 1
        for standing in places:
            tally = self.level(levels[standing.seat])
            tally.seats += 1
            tally.wins += wins[standing.seat]
            tally.scores.update(standing.sources or {"score": standing.score})
            self.wins[standing.seat] += wins[standing.seat]
        return wins

    def add_factions(self, factions: Iterable[str], wins: Sequence[float]) -> None:
        """Count what the seats of a game played."""
        for faction, win in zip(factions, wins, strict=True):
            self._faction(faction).seats += 1
            self._faction(faction).wins += win

    def _faction(self, name: str) -> FactionTally:
        return self.factions.setdefault(name, FactionTally())

    def add_uses(self, uses: Uses, wins: list[float]) -> None:
        """Count what the seats of a game made use of."""
        for key, use in uses.finish(wins):
            self.uses.setdefault(key, Use()).add(use)

    def add(self, other: "Tally") -> None:
        """Count another's games too."""
        self.games += other.games
        self.wins = [one + more for one, more in zip(self.wins, other.wins, strict=True)]
        self.turns.update(other.turns)
        self.decisions.update(other.decisions)
        for name, theirs in other.levels.items():
            own = self.level(name)
            own.seats += theirs.seats
            own.games += theirs.games
            own.wins += theirs.wins
            own.scores.update(theirs.scores)
            own.micros.update(theirs.micros)
        for name, more in other.factions.items():
            self._faction(name).seats += more.seats
            self._faction(name).wins += more.wins
        for key, use in other.uses.items():
            self.uses.setdefault(key, Use()).add(use)
        self.asked.update(other.asked)
        for pace, counted in other.sheets.items():
            self.sheets.setdefault(pace, SheetTally()).add(counted)
