"""Laws of a whole game: it is sound throughout, stages follow one another, it ends, and it is the same anywhere."""

import os
import subprocess
import sys
from collections import Counter
from random import Random
from typing import Any

import msgspec

from engine.chance import RandomChance, pick_from
from engine.conformance.walk import CAP, hold, positions
from engine.contract import Asked, Decision, Event, Rules, RulesModule, Setup, Standing
from engine.journal import Entry, canonical
from engine.spaces import sample
from engine.table import Answered, Table, replay


def sound(module: RulesModule, rules: Rules, seed: int) -> None:
    """No invariant is broken at any decision, and standings add up at each."""
    for position in positions(rules, seed):
        broken = list(rules.invariants(position.state))
        hold(not broken, "sound", f"{broken} at {position}")
        _add_up(rules, rules.standings(position.state))


def ends(module: RulesModule, rules: Rules, seed: int) -> None:
    """Random play comes to an end that has standings, a stage, and nothing to answer."""
    random = Random(seed)
    chance, pick = RandomChance(random), pick_from(random)
    events: list[Event] = []
    state = rules.start(chance, events)
    for _ in range(CAP):
        decision = rules.pending(state)
        if decision is None:
            break
        answers = {seat: sample(rules.space(state, seat), pick) for seat in decision.seats}
        rules.apply(state, answers, chance, events)
    hold(rules.pending(state) is None, "ends", f"not over after {CAP} decisions")
    _add_up(rules, rules.standings(state))
    hold(not list(rules.invariants(state)), "ends", "unsound at the end")
    for pace in module.paces:
        rules.stage(state, pace)
        for seat in range(rules.setup.seats):
            hold(not rules.agenda(rules.view(state, seat), pace), "ends", f"seat {seat} is asked after the end")


def stages(module: RulesModule, rules: Rules, seed: int) -> None:
    """No stage comes back once left, and its agenda at its opening foresees all that it asks of each seat."""
    for pace in module.paces:
        left: set[str] = set()
        current = ""
        foreseen: dict[int, list[Asked]] = {}
        came: Counter[tuple[int, str, int]] = Counter()
        for position in positions(rules, seed):
            key = rules.stage(position.state, pace).key
            if key != current:
                hold(key not in left, "stages", f"{key} comes back at {position}")
                left.add(current)
                current = key
                came.clear()
                foreseen = {
                    seat: list(rules.agenda(rules.view(position.state, seat), pace))
                    for seat in range(rules.setup.seats)
                }
            for seat in position.decision.seats:
                came[seat, position.decision.kind, position.decision.round] += 1
                _foreseen(foreseen[seat], position.decision, came, f"opening of {key}, seat {seat}, {position}")
                now = rules.agenda(rules.view(position.state, seat), pace)
                _foreseen(now, position.decision, Counter(), f"seat {seat} at {position}")


def repeatable(module: RulesModule, rules: Rules, seed: int) -> None:
    """The same secret and answers give the same journal, which replays to the same table."""
    table, entries = journal(rules, seed)
    hold(fingerprint(rules, seed) == _fingerprint(table, entries), "repeatable", "played twice")
    again = replay(rules, secret_of(seed), (), entries)
    hold(canonical(again.state) == canonical(table.state) and again.head == table.head, "repeatable", "replayed")


def anywhere(module: RulesModule, rules: Rules, seed: int) -> None:
    """Processes with different hash seeds play the same game to the byte. The module must be installed."""
    setup = msgspec.json.encode(rules.setup).decode()
    command = [sys.executable, "-m", "engine.conformance", module.name, setup, str(seed)]
    prints = set()
    for hash_seed in ("0", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        prints.add(done.stdout.strip())
    prints.add(fingerprint(rules, seed))
    hold(len(prints) == 1, "anywhere", prints)


def journal(rules: Rules, seed: int) -> tuple[Table, list[Entry]]:
    """A random game with its journal."""
    pick = pick_from(Random(seed))
    table, entry, _ = Table.begin(rules, secret_of(seed), ())
    entries = [entry]
    while (decision := rules.pending(table.state)) is not None:
        answers = {seat: Answered(sample(rules.space(table.state, seat), pick), "standin") for seat in decision.seats}
        entries.append(table.decide(answers)[0])
    return table, entries


def fingerprint(rules: Rules, seed: int) -> str:
    """What a random game with its journal comes to."""
    return _fingerprint(*journal(rules, seed))


def bound(module: RulesModule, setup: str) -> Rules:
    """The rules for a setup as JSON."""
    return module.bind(msgspec.json.decode(setup, type=Setup))


def _fingerprint(table: Table, entries: list[Entry]) -> str:
    views: list[Any] = [table.rules.view(table.state, seat) for seat in range(table.rules.setup.seats)]
    return f"{len(entries)} {table.head.hex()} {canonical(views).hex()[-64:]}"


def secret_of(seed: int) -> bytes:
    """The secret of the random game of that seed."""
    return f"conformance {seed}".encode()


def _add_up(rules: Rules, standings: Any) -> None:
    seats = sorted(standing.seat for standing in standings)
    hold(seats == list(range(rules.setup.seats)), "standings", f"seats {seats}")
    places = [standing.place for standing in standings]
    hold(places == sorted(places) and (places[0] == 1 or rules.setup.seats == 1), "standings", f"places {places}")
    hold(all(_sums(standing) for standing in standings), "standings", standings)


def _sums(standing: Standing) -> bool:
    return sum(standing.sources.values()) == standing.score


def _foreseen(agenda: Any, decision: Decision, came: Counter[tuple[int, str, int]], where: str) -> None:
    for seat in decision.seats:
        times = sum(
            asked.times for asked in agenda if asked.kind == decision.kind and asked.round in (0, decision.round)
        )
        hold(times >= max(1, came[seat, decision.kind, decision.round]), "stages", f"not foreseen: {where}")
