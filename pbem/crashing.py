"""Named points at which a test lets this process die at once, as by kill -9. Elsewhere they do nothing.

Where the environment names a folder (`PBEM_CRASHES`) when the process starts, a file in it is an order to die: it is
called like a point, or like a point and the function at work there (`before-commit@pbem.games.writing.write`). Who
passes there takes the file away and dies, so whoever takes its place lives. The folder `passed` in it lists what was
passed.
"""

import os
import signal
import sys
from pathlib import Path

FOLDER = "PBEM_CRASHES"
PASSED = "passed"
BELOW = ("pbem.crashing", "pbem.context", "pbem.storage.sessions")
"""Modules that work for whoever called them."""
POINTS = frozenset(
    {
        "before-commit",
        "after-commit",
        "after-publish",
        "task-taken",
        "task-done",
        "mail-stored",
        "data-begun",
        "letter-taken",
    }
)
"""`mail-stored` is before whoever handed it over is answered, `task-done` before the broker hears of it, `data-begun`
before a letter's data goes out, `letter-taken` after the mail server's 250 and before that is kept."""

_folder = Path(os.environ[FOLDER]) if os.environ.get(FOLDER) else None
_passed: set[str] = set()


def at(point: str) -> None:
    """Die here, if that was ordered."""
    if _folder is not None:
        _obey(_folder, point)


def _obey(folder: Path, point: str) -> None:
    place = f"{point}@{_at_work()}"
    if place not in _passed:
        _passed.add(place)
        (folder / PASSED / place).touch()
    for order in (point, place):
        try:
            (folder / order).unlink()
        except FileNotFoundError:
            continue
        os.kill(os.getpid(), signal.SIGKILL)


def _at_work() -> str:
    """The function of ours that came here, by module and name."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith(("pbem.", "worker.")) and module not in BELOW:
            break
        frame = frame.f_back
    return f"{frame.f_globals.get('__name__', '')}.{frame.f_code.co_name}"
