"""The places at which each program has to die: the points that it comes to, and the commits on its way."""

from collections.abc import Mapping, Set

POINTS: Mapping[str, Set[str]] = {
    "worker": {"task-taken", "task-done", "before-commit", "after-commit", "after-publish"},
    "sender": {"task-taken", "task-done", "before-commit", "after-commit", "data-begun", "letter-taken"},
    "mail": {"before-commit", "after-commit", "mail-stored", "after-publish"},
    "web": {"before-commit", "after-commit", "after-publish"},
}
"""By program. `beat` has none: it publishes by Celery's own hand, and is killed at random."""
_COMMITS: Mapping[str, Set[str]] = {
    "worker": {"mail.turns._take", "sheets.keeping.keep", "games.trouble.begin", "games.writing.write"},
    "sender": {"mail.outbox.claim", "mail.outbox.begin", "mail.outbox.sent"},
    "mail": {"mail.intake.store"},
    "web": {"sheets.keeping.keep"},
}
"""Those on the way from a mail to the reports; there are others, of what comes up more rarely."""


def places() -> set[tuple[str, str]]:
    """Program and place of each that has to be hit; a point without a function is hit at any."""
    commits = {
        (program, f"{when}-commit@pbem.{function}")
        for program, functions in _COMMITS.items()
        for function in functions
        for when in ("before", "after")
    }
    return commits | {(program, point) for program, points in POINTS.items() for point in points}


def names_of(program: str, place: str) -> set[tuple[str, str]]:
    """What is hit with that place: itself, and its point."""
    return {(program, place), (program, place.partition("@")[0])}
