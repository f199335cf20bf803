"""What golden games of Rockwell show: features told from their entries, events and refusals."""

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from engine.contract import Setup
from engine.journal import Entry
from engine.registry import load
from engine.rockwell import events as told
from engine.rockwell.choices import LEFT, NOT_SAID, Bid, Drill
from engine.rockwell.events import ByHand, RockwellEvent
from engine.rockwell.geometry import BORDER, ENTRANCES, STEPS
from tests.golden.games import LIMIT
from tests.golden.playing import Played
from tests.golden.rules import ALSO, SHOWN
from tests.golden.stored import Kept


def features(game: Kept, played: Played) -> set[str]:
    """All that a game shows, by names such as `event:hired`, `extracted:power`, `refused:cannot_pay`."""
    found = {f"seats:{game.setup.seats}", f"pace:{game.pace}"}
    found |= {f"refused:{code}" for code in played.refused}
    found |= set(_options(game.setup))
    if game.setup.components is not None:
        found.add("components:own")
    for entry in game.entries:
        found |= set(_of_entry(entry))
    for event in played.events:
        found |= set(_of_event(event))
    return found


def _offered() -> dict[str, Sequence[Any]]:
    return {name: values for name, values in load("rockwell").options().items() if name != LIMIT}


def _options(setup: Setup) -> Iterator[str]:
    for name, values in _offered().items():
        yield f"option:{name}={setup.options.get(name, values[0])}"


def _of_entry(entry: Entry) -> Iterator[str]:
    yield f"kind:{entry.kind}"
    for given in entry.answers:
        yield f"{given.source}:{entry.kind}"
        choice = given.choice
        yield f"choice:{type(choice).__struct_config__.tag}"
        if isinstance(choice, Drill):
            yield from _of_drill(choice)
    bids = [given.choice for given in entry.answers if isinstance(given.choice, Bid)]
    if len(bids) != len(set(bids)):
        yield "bids:tie"


def _of_drill(choice: Drill) -> Iterator[str]:
    if choice.second != NOT_SAID:
        yield "drill:second"
        if choice.die not in (NOT_SAID, LEFT):
            yield "drill:second_with_die"
    if choice.anyway:
        yield "drill:anyway"
    if choice.onto != NOT_SAID:
        yield "drill:onto"
    if choice.hire and choice.die == LEFT:
        yield "drill:left_and_hired"


def _of_event(event: Any) -> Iterator[str]:
    tag = type(event).__struct_config__.tag
    yield f"event:{tag}"
    for name in ("cause", "reason", "what", "part"):
        if isinstance(getattr(event, name, None), str):
            yield f"{tag}:{getattr(event, name)}"
    match event:
        case told.Lapsed():
            yield f"lapsed:{event.part}:{event.reason}"
        case told.LevelBought():
            yield f"level_bought:{event.what}:{event.level}"
        case told.MineshaftBuilt() | told.MineshaftMoved():
            yield f"{tag}:{event.level}"
        case told.Claimed():
            yield f"claimed:{event.achievement}"
        case told.Delivered():
            yield f"delivered:{event.pile}"
        case told.Traded():
            yield "traded:bought" if event.amount > 0 else "traded:sold"
        case told.Passed():
            yield f"passed:{event.board}"
        case told.DieLeft():
            yield "die_left:centre" if event.centre else "die_left:behind"
        case told.Insured():
            if any(event.cubes):
                yield "insured:some"
        case told.Bribed():
            yield from _of_bribe(event)
        case told.Moved():
            yield from _of_move(event)
        case told.Shared():
            if len(event.shares) > 1:
                yield "shared:several"
            if event.reason == "mineshaft" and event.priority in {share.seat for share in event.shares}:
                yield "shared:mineshaft_and_crew"
        case told.DangerStruck():
            if event.safety:
                yield "danger:safety"
            if event.insurance:
                yield "danger:insurance"
            if any(event.lost):
                yield "danger:lost"


def _of_bribe(event: told.Bribed) -> Iterator[str]:
    if event.die:
        yield "bribed:die"
    if event.origin >= BORDER:
        yield "bribed:border"


def _of_move(event: told.Moved) -> Iterator[str]:
    if event.origin in ENTRANCES:
        yield "moved:entrance"
    if event.to >= BORDER:
        yield "moved:border"
    elif event.origin >= BORDER:
        yield "moved:off_border"
    elif event.to not in STEPS[event.origin]:
        yield "moved:jump"
    if event.move == 2:
        yield "moved:second"


def all_events() -> set[str]:
    """Every kind of event that play can bring forth.

    Nobody ever has to stay at home (RW-VP-4): a sound set has one board at most with fewer slots than companies, and
    another is full only with all of them on it.
    """
    played = [event for event in get_args(RockwellEvent) if event not in get_args(ByHand)]
    return {f"event:{event.__struct_config__.tag}" for event in played} - {"event:stayed_home"}


def wanted() -> set[str]:
    """What the golden games together have to show."""
    values = {f"option:{name}={value}" for name, options in _offered().items() for value in options}
    return {*SHOWN, *ALSO, *all_events(), *values}
