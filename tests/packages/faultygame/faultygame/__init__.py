"""The tiny game with a fault that its options choose: for tests of what a service does with bad rules modules."""

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

from tinygame import Module as TinyModule
from tinygame.rules import TinyRules
from tinygame.state import State

from engine.contract import Chance, Event, Setup

SLOW_SECONDS = 0.5


class FaultyRules(TinyRules):
    """`raise` raises with a hidden card in its text, `exit` ends the process, `slow` takes long, `none` is sound."""

    def apply(self, state: State, answers: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:
        fault = self.setup.options.get("fault", "none")
        if fault == "raise":
            raise RuntimeError(f"hidden hands {state.hands}")
        if fault == "exit":
            os._exit(9)
        if fault == "slow":
            time.sleep(SLOW_SECONDS)
        super().apply(state, answers, chance, events)


class Module(TinyModule):
    """What the entry point names."""

    name = "faultygame"

    def bind(self, setup: Setup) -> TinyRules:
        """The rules for a setup."""
        return FaultyRules(setup)

    def options(self) -> Mapping[str, Sequence[Any]]:
        """Those of the tiny game, and the fault."""
        return {**super().options(), "fault": ("none", "raise", "exit", "slow")}


MODULE = Module()
