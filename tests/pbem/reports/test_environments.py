"""What all games of a kind share of their words."""

from typing import Any

import jinja2
import pytest

from engine import registry
from engine.contract import Setup
from pbem.reports.game import GameWords


@pytest.mark.parametrize("rules", ["rockwell", "brass_empire"])
def test_templates_are_compiled_once_for_all_setups(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are."""
    module, compiled = registry.load(rules), list[str]()
    compile_one: Any = jinja2.Environment.compile

    def counted(self: jinja2.Environment, source: Any, name: Any = None, *rest: Any) -> Any:
        compiled.append(name)
        return compile_one(self, source, name, *rest)

    def named(seats: int, language: str) -> str:
        return GameWords(module, Setup(seats), language).name("seat", module.seat_names[0])

    assert named(2, "en") == named(3, "en")
    monkeypatch.setattr(jinja2.Environment, "compile", counted)
    assert named(2, "en") == named(3, "en")
    assert not compiled
