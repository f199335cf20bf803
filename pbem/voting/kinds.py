"""What each kind of proposal does when it has carried: one of the acts that a moderator has, in the players' name.

A new kind is one more entry here, with its sentence in `pbem.reports.proposed`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pbem import commands
from pbem.context import Service
from pbem.rulings import deadlines, ending, seats
from pbem.rulings.authority import Actor
from pbem.voting.proposals import COMMAND, END, EXTEND, PAUSE, REPLACE, RESUME

Act = Callable[[Service, str, Mapping[str, Any], Actor], object]

ACTS: Mapping[str, Act] = {
    END: lambda service, code, given, by: ending.end_game(service, code, given["how"], given.get("seat"), by),
    EXTEND: lambda service, code, given, by: deadlines.extend_deadline(service, code, given["hours"], by),
    PAUSE: lambda service, code, given, by: deadlines.pause(service, code, by),
    RESUME: lambda service, code, given, by: deadlines.resume(service, code, by),
    REPLACE: lambda service, code, given, by: seats.open_seat(service, code, given["seat"], by),
    COMMAND: lambda service, code, given, by: commands.BY_NAME[given["name"]].act(service, code, given["given"], by),
}


def may_be_asked(command: commands.Command) -> bool:
    """Whether a moderator who plays may put a command to the others: not what would show the seats' secrets."""
    return not command.reveals and not command.early
