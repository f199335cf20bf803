"""The engine's figures on games of four, beside random games of catanatron."""

import copy
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
from catanatron import Color, Game, RandomPlayer  # type: ignore[import-untyped]

from engine import registry
from engine.chance import RandomChance, pick_from
from engine.contract import Event, Rules, Setup
from engine.journal import Entry, canonical, state_digest
from engine.spaces import sample
from engine.table import Answered, Table, replay
from tests.bench.figure import Figure, best, figure, seconds

ROUNDS = 6
GAMES = 12
THEIRS = "catanatron, random players"
SECRET = b"the secret of the benchmark"


class Tally:
    """Decisions, games and processor seconds of the best round, each round measured in turn with the others'."""

    def __init__(self, play: Callable[[int], int]) -> None:
        self._play = play
        self.rate = 0.0
        self.games_rate = 0.0
        self.decisions = 0
        self.games = 0

    def round(self, seeds: range) -> None:
        """Play a game for each seed."""
        counts: list[int] = []
        took = seconds(lambda: counts.extend(self._play(seed) for seed in seeds))
        self.rate = max(self.rate, sum(counts) / took)
        self.games_rate = max(self.games_rate, len(counts) / took)
        self.decisions += sum(counts)
        self.games += len(counts)

    @property
    def mean(self) -> float:
        """Decisions a game."""
        return self.decisions / self.games


def figures() -> list[Figure]:
    """All of them, for both games."""
    return [*_figures_of("rockwell", "Rockwell"), *_figures_of("brass_empire", "Brass Empire")]


def _figures_of(name: str, title: str, seats: int = 4) -> list[Figure]:
    rules = registry.bind(name, Setup(seats))
    found = [*_play_figures(rules), *_state_figures(rules), _replay_figure(rules)]
    return [msgspec.structs.replace(each, name=f"{title}: {each.name}") for each in found]


def random_game(rules: Rules, seed: int) -> int:
    """Plays one game with checks off; the number of choices made."""
    random = Random(seed)
    pick, chance = pick_from(random), RandomChance(random)
    events: list[Event] = []
    state = rules.start(chance, events)
    pending, space, apply = rules.pending, rules.space, rules.apply
    count = 0
    while (decision := pending(state)) is not None:
        events.clear()
        answers = {seat: sample(space(state, seat), pick) for seat in decision.seats}
        count += len(answers)
        apply(state, answers, chance, events)
    return count


def checked_game(rules: Rules, seed: int) -> int:
    """Plays one game at a table: legality, journal, digests and chain; invariants and all views at a stage's end."""
    pick = pick_from(Random(seed))
    table, _, _ = Table.begin(rules, SECRET, ())
    count = 0
    stage = None
    while (decision := rules.pending(table.state)) is not None:
        if (now := rules.stage(table.state, "strict")) != stage:
            stage = now
            assert not list(rules.invariants(table.state))
            for seat in range(rules.setup.seats):
                rules.view(table.state, seat)
        answers = {seat: Answered(sample(rules.space(table.state, seat), pick), "standin") for seat in decision.seats}
        count += len(answers)
        table.decide(answers, stage.key)
    return count


def catanatron_game(seed: int) -> int:
    """Plays one game of four random players; the number of actions."""
    players = [RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)]
    game = Game(players, seed=seed)
    game.play()
    return len(game.state.actions)


def _play_figures(rules: Rules) -> list[Figure]:
    own = Tally(lambda seed: random_game(rules, seed))
    checked = Tally(lambda seed: checked_game(rules, seed))
    theirs = Tally(catanatron_game)
    for number in range(ROUNDS):
        seeds = range(number * GAMES, (number + 1) * GAMES)
        for tally in (own, theirs, checked):
            tally.round(seeds)
    return [
        figure("random play, checks off", own.rate, "decisions/s", theirs.rate, THEIRS),
        figure("random games, checks off", own.games_rate, "games/s", theirs.games_rate, THEIRS),
        figure("decisions a random game", own.mean, "decisions", theirs.mean, THEIRS),
        figure("random play, journal and checks", checked.rate, "decisions/s", theirs.rate, THEIRS),
    ]


def _state_figures(rules: Rules) -> list[Figure]:
    states = _states(rules)
    asked = [(state, decision.seats[0]) for state in states if (decision := rules.pending(state)) is not None]
    calls = len(states)
    copies = best(lambda: [state.copy() for state in states], 20)
    deep = best(lambda: [copy.deepcopy(state) for state in states], 3)  # noqa: TID251 - the yardstick
    views = best(lambda: [rules.view(state, seat) for state, seat in asked], 20)
    stored = best(lambda: [_round_trip(rules, state) for state in states], 10)
    return [
        figure("copy of a state", copies / calls * 1e6, "µs", deep / calls * 1e6, "copy.deepcopy of the same"),
        figure("view of the seat asked", views / calls * 1e6, "µs", stored / calls * 1e6, "state to msgpack and back"),
    ]


def _replay_figure(rules: Rules) -> Figure:
    journal = _journal(rules)
    state: Any = replay(rules, SECRET, (), journal).state
    scale = 1000 / len(journal) * 1000
    took = best(lambda: replay(rules, SECRET, (), journal), 8) * scale
    digests = best(lambda: [state_digest(state) for _ in journal], 8) * scale
    return figure("replay of 1,000 entries", took, "ms", digests, "1,000 digests of the state alone")


def _round_trip(rules: Rules, state: Any) -> Any:
    return msgspec.msgpack.decode(canonical(state), type=rules.state_type)


def _states(rules: Rules) -> list[Any]:
    """Copies of the state at every decision of one game."""
    random = Random(1)
    pick, chance = pick_from(random), RandomChance(random)
    state = rules.start(chance, [])
    states = []
    while (decision := rules.pending(state)) is not None:
        states.append(state.copy())
        rules.apply(state, {seat: sample(rules.space(state, seat), pick) for seat in decision.seats}, chance, [])
    return states


def _journal(rules: Rules) -> list[Entry]:
    """The first thousand entries of one game, or as many as it has."""
    pick = pick_from(Random(1))
    table, entry, _ = Table.begin(rules, SECRET, ())
    entries = [entry]
    while len(entries) < 1000 and (decision := rules.pending(table.state)) is not None:
        answers = {seat: Answered(sample(rules.space(table.state, seat), pick), "standin") for seat in decision.seats}
        entries.append(table.decide(answers)[0])
    return entries
