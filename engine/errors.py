"""What the engine raises. Codes and parameters only: the words are made by who shows them."""

from collections.abc import Mapping, Sequence
from typing import Any


class EngineError(Exception):
    """The root of all that the engine raises on purpose."""


class Illegal(EngineError):
    """A choice that the decision does not offer. The state is untouched.

    `code` names the reason and `params` its figures; `part` is the part of the choice that was wrong, `given` what
    stood there, `nearest` the legal values of that part that come closest, best first, at most five.
    """

    def __init__(
        self,
        code: str,
        params: Mapping[str, object] | None = None,
        *,
        part: str = "",
        given: object = None,
        nearest: Sequence[Any] = (),
    ) -> None:
        super().__init__(code)
        self.code = code
        self.params = dict(params or {})
        self.part = part
        self.given = given
        self.nearest = tuple(nearest)


class Hold(EngineError):
    """What an order says that asks play to stop there: its seat is asked how it goes on.

    Nothing after it on the sheet is looked at, unless the seat is not waited for: then it is passed over.
    """


class BadSetup(EngineError):
    """Options, number of seats or a component set that no game can be made from.

    `place` is a path into what was given (`tiles.A[3].power`), empty when the whole is meant.
    """

    def __init__(self, code: str, place: str = "", params: Mapping[str, object] | None = None) -> None:
        super().__init__(f"{code} at {place}" if place else code)
        self.code = code
        self.place = place
        self.params = dict(params or {})


class BadJournal(EngineError):
    """A journal that does not replay: `number` is the first entry that does not fit."""

    def __init__(self, code: str, number: int) -> None:
        super().__init__(f"{code} at entry {number}")
        self.code = code
        self.number = number


class BadSnapshot(EngineError):
    """A snapshot that is damaged or of a format that this code does not know: the journal gives the table again."""


class UnknownVersion(EngineError):
    """A game of a rules version or reader that this code does not know: leave it alone."""


class UnknownRules(EngineError):
    """No installed package offers rules of that name; `known` are the names that there are."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"no rules module named {name!r}; there are: {', '.join(known) or 'none'}")
        self.name = name
        self.known = tuple(known)


class Unsound(EngineError):
    """A state that breaks the rules module's own invariants: `codes` are theirs. A defect; the game stops."""

    def __init__(self, codes: Sequence[str]) -> None:
        super().__init__(", ".join(codes))
        self.codes = tuple(codes)
