"""One game among stand-ins that answer each decision as it comes, counted."""

from collections import Counter
from functools import lru_cache
from time import process_time_ns
from typing import Any

from engine import registry
from engine.chance import RandomChance, pick_from
from engine.contract import Bot, Factions, Naming, Rules
from engine.errors import EngineError
from engine.spaces import check
from pbem.simulation.bysheets import Desk, SheetTally, Unreadable
from pbem.simulation.plan import Game, Plan, planners_of, random_of
from pbem.simulation.tally import Tally
from pbem.simulation.uses import Uses, plainly

MOST_DECISIONS = 100_000


class GameFailed(Exception):
    """A game that could not be played to its end: its number in the plan, and what went wrong."""


class Hall:
    """Where the games of a plan are played: rules and stand-ins, made once a process."""

    def __init__(self, plan: Plan) -> None:
        module = registry.load(plan.rules)
        self.plan = plan
        self.rules: Rules = registry.bind(plan.rules, plan.setup)
        self.pace = module.paces[0]
        self.module = module
        self.named = lru_cache(maxsize=None)(module.named if isinstance(module, Naming) else plainly)
        self.planners = planners_of(module, plan.levels) if plan.sheets else {}
        self.bots: dict[str, Bot] = {level: module.bots[level](self.rules) for level in dict.fromkeys(plan.levels)}

    def play(self, game: Game, tally: Tally) -> None:
        """Play a game to its end and count it. Raises GameFailed for an illegal choice or an endless game."""
        try:
            self._play(game, tally)
            if self.plan.sheets:
                for pace in self.module.paces:
                    self._play_by_sheets(game, pace, tally)
        except (EngineError, Unreadable) as error:
            raise GameFailed(f"game {game.number} of seed {self.plan.seed}: {error!r}") from error

    def _play(self, game: Game, tally: Tally) -> None:
        rules = self.rules
        chance = RandomChance(random_of(self.plan, game, "chance"))
        pick = pick_from(random_of(self.plan, game, "picks"))
        uses = Uses(len(game.levels), self.named)
        clocks = [tally.level(level).micros for level in game.levels]
        bots = [self.bots[level] for level in game.levels]
        state = rules.start(chance, [])
        decisions = 0
        asked: Counter[tuple[int, int]] = Counter()
        while (decision := rules.pending(state)) is not None:
            answers: dict[int, Any] = {}
            for seat in decision.seats:
                before = process_time_ns()
                space = rules.space(state, seat)
                choice = bots[seat](rules.view(state, seat), decision, space, pick)
                clocks[seat][(process_time_ns() - before) // 1000] += 1
                check(space, choice)
                uses.count(seat, decision.kind, space, choice)
                answers[seat] = choice
                if not decision.private:
                    asked[rules.stage(state, self.pace).turn, seat] += 1
            decisions += len(answers)
            if decisions > MOST_DECISIONS:
                raise GameFailed(f"game {game.number} of seed {self.plan.seed}: endless")
            rules.apply(state, answers, chance, [])
        turns = rules.stage(state, self.pace).turn
        tally.asked.update(asked.values())
        wins = tally.add_game(turns, decisions, game.levels, rules.standings(state))
        tally.add_uses(uses, wins)
        if isinstance(rules, Factions):
            tally.add_factions(rules.factions(state), wins)

    def _play_by_sheets(self, game: Game, pace: str, tally: Tally) -> None:
        """Once with all seats writing sheets, once with a single one among seats that answer at the table."""
        bots = {seat: self.bots[level] for seat, level in enumerate(game.levels)}
        planners = {seat: self.planners[level](self.rules) for seat, level in enumerate(game.levels)}
        counted = tally.sheets.setdefault(pace, SheetTally())
        desk = Desk(self.module, self.rules, pace, planners, {})
        desk.play(self.plan, game)
        counted.asked.update(desk.asked.values())
        counted.sources.update(desk.sources)
        alone = game.number % len(game.levels)
        others = {seat: bot for seat, bot in bots.items() if seat != alone}
        standings = Desk(self.module, self.rules, pace, {alone: planners[alone]}, others).play(self.plan, game)
        winners = [standing.seat for standing in standings if standing.place == 1]
        counted.won += (alone in winners) / len(winners)
        counted.against += 1
