"""Values for what a moderator's command asks for, sensible and senseless, and who gives it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.chance import pick_from
from engine.changes import write_change
from engine.contract import Changing
from engine.errors import Illegal
from engine.spaces import sample
from pbem import commands
from pbem.commands import Command
from pbem.games.lifecycle import Guest
from pbem.games.position import Position
from pbem.rulings.changing import Wanted
from pbem.rulings.goingback import REDRAW
from tests.pbem.storm.games import POLICIES
from tests.pbem.world import writing

NONSENSE = ("Hello all, sorry", "bid tomorrow", "drill c9 to Z9", "attack nobody with 9", "ready steady go", "?!")
ODD = ("", "nobody", "a b@c", "x@y.example\r\nBcc: z@z.example")
"""What is no address."""
SENSIBLE = 0.85
"""The part of values that may do."""


class NoValues(LookupError):
    """A command asks for something of which the storm has no values yet: give it some in `VALUES`."""


@dataclass(frozen=True)
class Asked:
    """The position that a command is given in, the source of chance, and the addresses of people without a seat."""

    stands: Position
    random: Random
    newcomers: tuple[str, ...]
    redraw: int | None = None
    """The entry that one moderator has gone back to, or asked to go back to, and draw anew from."""
    left: tuple[int, ...] = ()
    """The lines that were left."""
    observers: tuple[int, ...] = ()
    """The numbers of those who observe, or might."""


def given(command: Command, asked: Asked) -> dict[str, Any]:
    """A value for each parameter. Raises NoValues."""
    unknown = [kind for kind in command.parameters if kind not in VALUES and kind not in commands.CHOICES]
    if unknown:
        raise NoValues(f"{command.name} asks for {', '.join(unknown)}: see {__name__}.VALUES")
    found = {kind: _value(kind, asked) for kind in command.parameters}
    if commands.CHANCE in found and asked.redraw is not None and asked.random.random() < SENSIBLE:
        found |= {commands.ENTRY: asked.redraw, commands.CHANCE: REDRAW}
    return found


def _value(kind: str, asked: Asked) -> Any:
    if kind in commands.CHOICES:
        known = commands.CHOICES[kind]
        return asked.random.choice(known) if asked.random.random() < SENSIBLE else "nonsense"
    sensible, senseless = VALUES[kind]
    return sensible(asked) if asked.random.random() < SENSIBLE else senseless(asked)


def _seat(asked: Asked) -> int:
    return asked.random.randrange(len(asked.stands.seats))


def _lines(asked: Asked) -> str:
    seat = _seat(asked)
    return "\n".join([*writing.sheet(asked.stands, seat, asked.random), *asked.random.choice(([], ["ready"]))])


def _player(asked: Asked) -> Guest:
    address = asked.random.choice(asked.newcomers)
    return Guest(address, address.partition("@")[0])


def _changes(asked: Asked) -> Wanted:
    """A change or two that the rules would make by hand, as they stand now; nothing where they make none."""
    rules, state = asked.stands.rules, asked.stands.table.state
    if not isinstance(rules, Changing):
        return Wanted("")
    try:
        space = rules.changeable(state)
    except Illegal:
        return Wanted("")
    made = [sample(space, pick_from(asked.random)) for _ in range(asked.random.choice((1, 1, 2)))]
    version = asked.random.choice((None, None, asked.stands.game.version))
    return Wanted("\n".join(write_change(rules, space, change) for change in made), version)


def _entry(asked: Asked) -> int:
    """Any, or one of the last."""
    last = max(1, asked.stands.table.number - 1)
    return asked.random.randint(asked.random.choice((1, max(1, last - 6))), last)


Draw = Callable[[Asked], Any]
VALUES: Mapping[str, tuple[Draw, Draw]] = {
    commands.SEAT: (_seat, lambda asked: asked.random.choice((-1, len(asked.stands.seats), 99))),
    commands.HOURS: (
        lambda asked: asked.random.choice((1, 6.5, 24, 72, -1, -12)),
        lambda asked: asked.random.choice((0, -900, 1e9, float("nan"), float("inf"))),
    ),
    commands.LEVEL: (lambda asked: asked.random.choice(sorted(asked.stands.module.bots)), lambda _: "clever"),
    commands.PLAYER: (
        _player,
        lambda asked: Guest(asked.random.choice(("", "nobody", "a b@c", "x@y\r\nBcc: z@z.example"))),
    ),
    commands.LINES: (_lines, lambda asked: "\n".join(asked.random.sample(NONSENSE, 2))),
    commands.ENTRY: (
        _entry,
        lambda asked: asked.random.choice((0, -3, asked.stands.game.next_entry + 5, 10**9)),
    ),
    commands.VERSION: (
        lambda asked: asked.stands.game.version,
        lambda asked: asked.random.choice((-1, 0, asked.stands.game.version + 1)),
    ),
    commands.CHANGES: (_changes, lambda asked: Wanted(asked.random.choice(NONSENSE))),
    commands.OBSERVER: (
        lambda asked: asked.random.choice(asked.observers or (1,)),
        lambda asked: asked.random.choice((0, -1, 10**9)),
    ),
    commands.SCHEDULE: (
        lambda asked: asked.random.choice(("waking=no", "days=mon-sat", "grace=5\nearliest=1")),
        lambda asked: asked.random.choice(("", "days=never", "when=18:00", "sometimes")),
    ),
    commands.POLICY: (
        lambda asked: "\n".join(f"{name}={value}" for name, value in asked.random.choice(POLICIES).items()),
        lambda asked: asked.random.choice(("", "nmr=perhaps", "pause_after=-1", "sometimes")),
    ),
    commands.LINE: (
        lambda asked: asked.random.choice(asked.left or (0,)),
        lambda asked: asked.random.choice((-1, asked.stands.game.line, 10**9)),
    ),
}
