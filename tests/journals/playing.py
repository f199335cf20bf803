"""The games that are played for each version: one person's random orders, some taken back, and stand-ins at random."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from engine import registry
from pbem.context import Service
from pbem.games.lifecycle import Guest, Plan, create_game, invite, join
from pbem.records.writing import record, whole_record
from pbem.rulings.authority import Actor
from tests.pbem.playing import Match, service_on
from tests.pbem.sheets.test_undo import one_order
from tests.pbem.world.databases import in_memory
from tests.pbem.world.writing import stands

KEPT = Path(__file__).parent / "kept"
MOST_STEPS = 1000
ORDERS_BEFORE = 6
"""Orders after which the record of a game that goes on is written."""


@dataclass(frozen=True)
class Kept:
    """What a game is played from; `goes_on` for one whose record is written while it is played."""

    seats: int
    pace: str = "strict"
    options: Mapping[str, object] = field(default_factory=dict)
    goes_on: bool = False


SHORT = {"turn_limit": 4}
OTHERS = {name: values[1] for name, values in registry.load("rockwell").options().items()}
"""Each of Rockwell's options at a value that is not its default."""
GAMES: Mapping[str, Mapping[str, Kept]] = {
    "tinygame": {
        "two": Kept(2),
        "three-brisk": Kept(3, "brisk"),
        "four-options": Kept(4, options={"lives": 3, "turns": 20}),
        "three-goes-on": Kept(3, options={"lives": 3}, goes_on=True),
        "three-seals": Kept(3),
    },
    "rockwell": {
        "two": Kept(2, options=SHORT),
        "three-brisk": Kept(3, "brisk"),
        "four": Kept(4, options=SHORT),
        "four-options": Kept(4, "brisk", OTHERS),
        "three-goes-on": Kept(3, options=SHORT, goes_on=True),
        "two-seals": Kept(2, options=SHORT),
    },
    "brass_empire": {
        "one-brisk": Kept(1, "brisk"),
        "two": Kept(2, options={"turn_limit": 6}),
        "three-battle": Kept(3, "brisk", {"battle": True}),
        "four-teams": Kept(4, "brisk", {"teams": True, "team_hands": True, "turn_limit": 8}),
        "six-brisk": Kept(6, "brisk", {"turn_limit": 5, "first_edition": True}),
        "two-goes-on": Kept(2, goes_on=True),
        "two-seals": Kept(2, options={"turn_limit": 6}),
    },
}


def played(rules: str, kept: Kept, seed: int) -> bytes:
    """The record of such a game, under the present version of its rules."""
    with in_memory() as database:
        match = _begun(service_on(database), rules, kept)
        if not kept.goes_on:
            _to_its_end(match, seed)
            return record(match.service, match.code)
        _some(match, seed)
        return whole_record(match.service, match.code, Actor("to be kept"))


def _begun(service: Service, rules: str, kept: Kept) -> Match:
    others = dict.fromkeys(registry.load(rules).seat_names[1 : kept.seats], "random")
    guests = [Guest("ann@players.example", "Ann")]
    plan = Plan(rules, guests, kept.pace, options=dict(kept.options), settle_minutes=0, standins=others)
    match = Match(service, create_game(service, plan))
    invite(service, match.code)
    join(service, match.id, 0, "ann")
    match.settle()
    return match


def _some(match: Match, seed: int) -> None:
    """Play for a while, with a message."""
    random = Random(seed)
    for _ in range(ORDERS_BEFORE):
        _go_on(match, random)
    match.say(0, f"to {match.seats[1].name}: well played")
    match.settle()


def _to_its_end(match: Match, seed: int) -> None:
    random = Random(seed)
    for _ in range(MOST_STEPS):
        if match.game.status != "playing":
            return
        _go_on(match, random)
    raise AssertionError("endless")


def _go_on(match: Match, random: Random) -> None:
    """One order where the seat is asked, which may be taken back; then perhaps silence until the deadline."""
    now = stands(match.service, match.id)
    decision = now.rules.pending(now.table.state)
    asked = decision is not None and 0 in decision.seats
    match.say(0, one_order(match, 0, random)[0] if asked else "ready")
    match.settle()
    if random.random() < 0.1 and match.game.status == "playing":
        match.say(0, "undo")
    if random.random() < 0.2 and match.game.status == "playing":
        match.pass_deadline()
