"""A moderator's command as lines of a mail: the command, perhaps orders, and `because` with the reason."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.commands import ALL, BECAUSE, BY_NAME, HOURS, LEVEL, LINES, MESSAGE, SEAT, STATUS, Command
from pbem.errors import Refused
from pbem.rulings.authority import check_length
from pbem.rulings.deadlines import check_hours

MOST_LINES = 200
"""Lines that are looked at."""
TEXT = "text"
"""What a message says: a kind of parameter that it alone has, beside the seat, which is None for all players."""
_BECAUSE = re.compile(rf"\W*{BECAUSE}\b[\s:,]*(.*)", re.IGNORECASE)
_INLINE = re.compile(rf"(?<!\s)\s++{BECAUSE}\b[\s:,]*", re.IGNORECASE)
_HOURS = re.compile(r"([+-]?\d{1,20}(?:\.\d{1,20})?)\s*(?:h|hours?)?\b(.*)", re.IGNORECASE)
_CONFIRM = re.compile(r"\W*confirm\W*", re.IGNORECASE)


@dataclass(frozen=True)
class Sides:
    """How seats may be named, in lower case, with their numbers; and the levels of stand-ins that the rules have."""

    seats: Mapping[str, int]
    levels: tuple[str, ...]


@dataclass(frozen=True)
class Given:
    """What was written: a command's name, its parameters by kind, the reason in one line."""

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""

    @property
    def command(self) -> Command:
        """The command of that name."""
        return BY_NAME[self.name]


def read(text: str, sides: Sides) -> Given:
    """The one command of a mail; what stands before it, and after the reason's paragraph, is passed over.

    Raises Refused `no_command`, `two_commands`, `no_reason`, `long_reason`, `too_many_lines`, `too_much`,
    `missing_part`, `bad_side`, `bad_number`, `unknown_level`, `no_orders`, `no_text`; all but the first with the
    command's `name`.
    """
    lines = [line.strip() for line in text.split("\n")]
    if len(lines) > MOST_LINES:
        raise Refused("too_many_lines", most=MOST_LINES)
    start = _start(lines, sides)
    name = _name(lines[start])
    if name == STATUS:
        return Given(STATUS)
    try:
        return _message(lines[start:], sides) if name == MESSAGE else _read(name, lines[start:], sides)
    except Refused as refused:
        raise Refused(refused.code, **refused.params, name=name) from refused


def _start(lines: list[str], sides: Sides) -> int:
    """Where the command stands: the first line that is one, else the first that begins as one."""
    begins = [place for place, line in enumerate(lines) if _name(line)]
    if not begins:
        raise Refused(
            "no_command", known=", ".join([STATUS, MESSAGE, *(name for name in BY_NAME if BY_NAME[name].mailed)])
        )
    return next((place for place in begins if _fits(lines[place], sides)), begins[0])


def _name(line: str) -> str:
    """The command that a line begins with; empty where it begins with none."""
    word = line.partition(" ")[0].lower().rstrip(":,.!")
    known = word in (STATUS, MESSAGE) or (word in BY_NAME and BY_NAME[word].mailed)
    return word if known else ""


def _fits(line: str, sides: Sides) -> bool:
    """Whether the line by itself is a whole command, as far as orders and the reason may follow."""
    name = _name(line)
    if name == STATUS:
        return not line[len(name) :].strip(":,.! ")
    try:
        if name == MESSAGE:
            _readers(line, sides)
            return True
        command = BY_NAME[name]
        _params(command, _INLINE.split(line, maxsplit=1)[0], ["-"] if LINES in command.parameters else [], sides)
    except Refused:
        return False
    return True


def _message(lines: list[str], sides: Sides) -> Given:
    """All that stands below the readers, or behind them, is the message; paragraphs are kept."""
    number, rest = _readers(lines[0], sides)
    body = [rest.lstrip(": "), *lines[1:]]
    if any(map(_CONFIRM.fullmatch, body)):
        raise Refused("too_much", given="confirm")  # as in `_lines`
    text = "\n".join(body).strip("\n")
    if not text:
        raise Refused("no_text")
    return Given(MESSAGE, {SEAT: number, TEXT: text})


def _readers(line: str, sides: Sides) -> tuple[int | None, str]:
    """The seat that a message goes to, None for all, and what stands behind it."""
    rest = line[len(MESSAGE) :].lstrip(":,. ")
    if rest.lower().rstrip(":,.").split(" ")[0].rstrip(":,") == ALL:
        return None, rest[len(ALL) :].lstrip(":, ")
    return _seat(rest, sides)


def _read(name: str, lines: list[str], sides: Sides) -> Given:
    command = BY_NAME[name]
    head, *inline = _INLINE.split(lines[0], maxsplit=1)
    ends = next((place for place, line in enumerate(lines) if place and _BECAUSE.fullmatch(line)), None)
    if inline:
        more, said, rest = [], inline[0], lines[1:]
    elif ends is not None:
        more, said, rest = lines[1:ends], _after(lines[ends]), lines[ends + 1 :]
    else:
        raise Refused("no_reason")
    params = _params(command, head, more, sides)
    paragraph = next((place for place, line in enumerate(rest) if not line), len(rest))
    reason = " ".join([said, *rest[:paragraph]]).strip()
    if not reason:
        raise Refused("no_reason")
    check_length(reason)
    another = next((line for line in rest if _name(line) and _fits(line, sides)), None)
    if another is not None:
        raise Refused("two_commands", given=another)
    return Given(name, params, " ".join(reason.split()))


def _after(line: str) -> str:
    found = _BECAUSE.fullmatch(line)
    return found[1] if found is not None else ""


def _params(command: Command, head: str, more: list[str], sides: Sides) -> dict[str, Any]:
    """The parameters by kind: from the command's own line, orders from the lines that follow as well."""
    rest = head[len(command.name) :].lstrip(":,.! ")
    params: dict[str, Any] = {}
    for kind in command.parameters:
        if kind == LINES:
            params[kind] = _lines([rest.lstrip(": "), *more])
            return params
        params[kind], rest = _READ[kind](rest, sides)
        rest = rest.lstrip()
    beyond = [line for line in [rest.strip(" .!:,"), *more] if line]
    if beyond:
        raise Refused("too_much", given=beyond[0][:60])
    return params


def _lines(lines: list[str]) -> str:
    orders = [line for line in lines if line]
    if not orders:
        raise Refused("no_orders")
    if any(map(_CONFIRM.fullmatch, orders)):
        raise Refused("too_much", given="confirm")  # it may not stand alone in the letter that asks for this word
    return "\n".join(orders)


def _seat(text: str, sides: Sides) -> tuple[int, str]:
    plain = text.lower()
    for name in sorted(sides.seats, key=len, reverse=True):
        rest = plain.removeprefix(name)
        if rest != plain and not rest[:1].isalnum():
            return sides.seats[name], text[len(name) :].lstrip(":,")
    known = ", ".join(sides.seats)
    if not plain:
        raise Refused("missing_part", known=known)
    raise Refused("bad_side", given=text.split(maxsplit=1)[0][:40], known=known)


def _hours(text: str, sides: Sides) -> tuple[float, str]:
    found = _HOURS.match(text)
    if found is None:
        raise Refused("bad_number", given=text[:20])
    hours = float(found[1])
    check_hours(hours)
    return hours, found[2]


def _level(text: str, sides: Sides) -> tuple[str, str]:
    level, _, rest = text.partition(" ")
    level = level.lower().rstrip(".:,")
    if level not in sides.levels:
        raise Refused("unknown_level", given=level, levels=", ".join(sides.levels))
    return level, rest


_READ: Mapping[str, Callable[[str, Sides], tuple[Any, str]]] = {SEAT: _seat, HOURS: _hours, LEVEL: _level}
