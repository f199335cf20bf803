"""What a day has to be like: in large on a machine of its own, and in small on one that is as busy as it likes."""

from collections.abc import Mapping

import msgspec

from tests.pbem.day.watching import Left, Seen

MOST_LAG = 5.0
"""Seconds on the wall, in large alone: among other tests that is a matter of what else the machine does."""
MOST_GROWN = 1.1
MOST_BEHIND = 10.0
"""Seconds by which the machine may hold the players up themselves."""
MOST_OVERTAKEN = 0.25
"""As a share of the deadlines of a small day. Where the machine is slow, all of them wait, and in their order."""
MOST_LEAKED, MOST_LEAKED_AT_WORK = 0.03, 0.2
"""Megabytes for each mail of a small day. Workers need more and less from game to game, and remember the last letters:
a small day has too few mails to tell that from what each leaves, which `test_memory` counts."""
FEWEST_DEADLINES, FEWEST_MAILS = 20, 60
"""With less than that a small day says nothing."""


class Plan(msgspec.Struct, frozen=True):
    """How large the service is: `mails` are those of a day, `rate` how much faster it goes."""

    games: int
    mails: int
    hours: float
    rate: float
    stage_hours: float
    seed: str


class Result(msgspec.Struct, frozen=True):
    """What was seen, and what the players say: mails that were taken, letters that came, the longest that one of them
    was behind in writing, in seconds."""

    seen: Seen
    leaked: Mapping[str, float]
    """By program, in megabytes for each mail that was read, also of those that were read after the day."""
    taken: int
    came: int
    behind: float
    left: Left
    """Once there was time for all."""
    load: float
    """How many processes wanted to run in the last quarter of an hour, on the average."""


def large(result: Result) -> list[str]:
    """What did not go as it should in a large day."""
    seen = result.seen
    found = _lost(result)
    found += [f"{name} has grown to {grown:.2f} of itself" for name, grown in seen.grown.items() if grown > MOST_GROWN]
    if seen.lag_most > MOST_LAG:
        found.append(f"deadlines were missed by {seen.lag_most:.1f} s")
    if result.behind > MOST_BEHIND:
        found.append(f"a player wrote {result.behind:.0f} s too late: this is less than the load that was asked for")
    return found


def small(result: Result) -> list[str]:
    """What did not go as it should in a small day. Nothing of it is a time."""
    seen = result.seen
    found = _lost(result)
    found += [
        f"{name} keeps {leaked:.3f} MB of each mail"
        for name, leaked in result.leaked.items()
        if leaked > (MOST_LEAKED_AT_WORK if name == "worker" else MOST_LEAKED)
    ]
    if seen.overtaken > MOST_OVERTAKEN * seen.deadlines:
        found.append(f"of {seen.deadlines} deadlines, {seen.overtaken} later ones were gone on from before one")
    if seen.deadlines < FEWEST_DEADLINES:
        found.append(f"only {seen.deadlines} deadlines passed")
    if result.taken < FEWEST_MAILS:
        found.append(f"only {result.taken} mails were taken")
    if not result.leaked:
        found.append("no program was there all the time")
    return found


def _lost(result: Result) -> list[str]:
    found = []
    if result.left.deadlines:
        found.append(f"{result.left.deadlines} deadlines passed, and play did not go on")
    if result.left.mails or result.left.letters:
        found.append(f"{result.left.mails} mails were not read, {result.left.letters} letters not sent, in the end")
    if result.seen.aside:
        found.append(f"{result.seen.aside} games were set aside")
    return found
