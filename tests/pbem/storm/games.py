"""What games there are in a storm: of all rules, sizes and paces, with all policies and schedules, led by anybody."""

from collections.abc import Mapping
from random import Random

from engine import registry
from engine.contract import RulesModule
from pbem.games.lifecycle import Guest, Plan

RULES = ("tinygame", "brass_empire", "tinygame", "rockwell")
SITE = "site@leaders.example"
LEADER = "leader@leaders.example"
STRANGER = "stranger@players.example"
PEOPLE = tuple(f"p{number}@players.example" for number in range(9))
NEWCOMERS = tuple(f"n{number}@players.example" for number in range(8))
"""Who has no seat to begin with: they wait for one, or are asked."""
POLICIES: tuple[Mapping[str, str], ...] = (
    {},
    {"press": "choose", "press_a_day": "6"},
    {"nmr": "wait", "pause_after": "2", "abandon_days": "2"},
    {"nmr": "standin", "level": "random", "press": "anonymous"},
    {"extensions": "1", "extension_hours": "12", "open_after": "1"},
    {"open_after": "2", "ask_share": "100", "observers": "invited", "observer_delay": "0"},
    {"ask_share": "30", "ask_hours": "24"},
)
SCHEDULES: tuple[Mapping[str, str], ...] = (
    {},
    {},
    {"waking": "no"},
    {"days": "mon-fri", "quiet": "22:00-07:00", "zone": "America/New_York"},
    {"at": "18:00", "zone": "Europe/Berlin", "holidays": "2026-03-10,2026-03-29,2026-04-06"},
    {"grace": "90", "earliest": "3"},
    {"early": "no", "days": "mon,wed,fri,sun"},
)
DRAWN = 0.1
"""The part of games whose seats are all open, and drawn at the start."""


def drawn_plan(number: int, random: Random) -> Plan:
    """The plan of the next game."""
    rules = RULES[number % len(RULES)]
    module = registry.load(rules)
    guests = random.sample(PEOPLE, random.choice([size for size in module.seat_numbers if size < 5]))
    seating = "draw" if random.random() < DRAWN else random.choice(("choice", "choice", ""))
    free = len(guests) if seating == "draw" else 0
    standins = _standins(module, guests, random) if not free and random.random() < 0.2 else {}
    return Plan(
        rules,
        [Guest(address, address.partition("@")[0]) for address in guests[free:]],
        random.choice(module.paces),
        settle_minutes=random.choice((0, 10)),
        moderator=random.choice(("", LEADER, LEADER, guests[0])),
        absence=random.choice(("wait", "standing", "steady")),
        policy=random.choice(POLICIES),
        schedule=random.choice(SCHEDULES),
        code=f"storm{number}",
        standins=standins,
        seating=seating,
        free=free,
        listed=bool(seating) and random.random() < 0.5,
        anonymous=random.random() < 0.2,
    )


def _standins(module: RulesModule, guests: list[str], random: Random) -> dict[str, str]:
    """The last seat has one, where there are others."""
    if len(guests) < 2:
        return {}
    guests.pop()
    return {module.seat_names[len(guests)]: random.choice(("random", "steady"))}
