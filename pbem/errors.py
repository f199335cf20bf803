"""What the service refuses, as codes and parameters: the words are made by who shows them."""

from engine.contract import Setup
from engine.errors import Illegal


class Refused(Exception):
    """An act that can't be done now. Nothing was changed.

    The codes are those of `pbem.refusals`.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class RefusedByRules(Refused):
    """What a game's own rules refuse; `illegal` says why. The words are the game's."""

    def __init__(self, code: str, rules: str, setup: Setup, illegal: Illegal) -> None:
        super().__init__(code)
        self.rules = rules
        self.setup = setup
        self.illegal = illegal


class Busy(Exception):
    """The game changed again and again while the work was done: the sweep will try once more."""
