"""Games that were played once are played the same for ever, unless a change is meant."""

from collections import Counter
from typing import get_args

import pytest

from engine.brass_empire import MODULE
from engine.brass_empire.choices import Accept, BrassChoice
from engine.table import replay, retrace
from tests.engine.brass_empire import golden


@pytest.mark.parametrize("name", golden.GAMES)
def test_a_kept_game_replays_to_the_same_end(name: str) -> None:
    """Every choice, draw, digest and link of the chain; without the secret, every choice and digest."""
    kept, entries = golden.read(name)
    rules = MODULE.bind(kept.setup)
    table = replay(rules, kept.secret, (), entries)
    assert table.head == kept.head
    assert rules.pending(table.state) is None
    assert retrace(rules, entries) == table.state


def test_the_kept_games_hold_every_kind_of_choice() -> None:
    """So that a change to any of them is seen; but that a destroyed card's draw is accepted, which is too seldom."""
    found: Counter[type] = Counter()
    for name in golden.GAMES:
        _, entries = golden.read(name)
        found.update(type(given.choice) for entry in entries for given in entry.answers)
    assert set(get_args(BrassChoice)) - set(found) <= {Accept}
