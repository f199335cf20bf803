"""How a program tells the supervisor that it is ready."""

import os
from pathlib import Path

from pbem.settings import READY_FILE


def say_ready() -> None:
    """Make the file that the supervisor waits for; nothing where none waits."""
    path = os.environ.get(READY_FILE, "")
    if path:
        Path(path).touch()
