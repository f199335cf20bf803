"""The shape of an order as it is kept: ids and numbers, never the player's words, which stay with the submission."""

from typing import Any

import msgspec

from engine.contract import Intent, Test


class Alternative(msgspec.Struct, frozen=True):
    """One thing that an order may do; tried only while its test, if it has one, holds."""

    intent: Intent
    test: Test | None = None


class Order(msgspec.Struct, frozen=True):
    """One order line: what to answer to a decision of its kind.

    `round` 0 fits any round. `always` marks a standing order: used as often as it fits, not once.
    """

    kind: str
    alternatives: tuple[Alternative, ...]
    round: int = 0
    test: Test | None = None
    always: bool = False


class Command(msgspec.Struct, frozen=True):
    """A line that is no order but a command of the service: `ready`, `not_ready`, `clear`, `cancel`, `help`, …

    `params` by name, such as {"kind": "bid"} for `cancel bid`.
    """

    name: str
    params: dict[str, Any] = {}


class Problem(msgspec.Struct, frozen=True):
    """A line that looks like an order and can't be read.

    `code` and `params` say what is wrong with it and `token` at which word; `nearest` is a readable line close to
    it, or a template of one, in the order language; empty where nothing is close.
    """

    code: str
    params: dict[str, Any] = {}
    token: str = ""
    nearest: str = ""


class Line(msgspec.Struct, frozen=True):
    """One line of a submission and what was made of it.

    `number` counts from 1 within the submission's text. Exactly one of order, command and problem is set, none for
    prose. `doubts` are the words that were taken for another ("teh workshp" for "workshop").
    """

    number: int
    text: str
    order: Order | None = None
    command: Command | None = None
    problem: Problem | None = None
    doubts: tuple[tuple[str, str], ...] = ()


class Reading(msgspec.Struct, frozen=True):
    """All lines of a submission, in the order written; `language` is the reader's version that made it."""

    lines: tuple[Line, ...]
    version: int
    cut: bool = False
    """Whether the text was longer than the reader takes, and its rest was left unread."""

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders, in the order written."""
        return tuple(line.order for line in self.lines if line.order is not None)

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands, in the order written."""
        return tuple(line.command for line in self.lines if line.command is not None)

    @property
    def problems(self) -> tuple[Line, ...]:
        """The lines that could not be read."""
        return tuple(line for line in self.lines if line.problem is not None)
