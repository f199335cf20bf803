"""Whatever is ruled, on whatever players do, and wherever the service dies: all that must hold holds."""

from random import Random

import pytest

from pbem.commands import COMMANDS, Command
from pbem.rulings.authority import Actor
from pbem.storage.sessions import Database
from tests.pbem.playing import begun, service_on
from tests.pbem.storm.running import run
from tests.pbem.storm.values import Asked, given
from tests.pbem.storm.ways import Act, words_of
from tests.pbem.world import writing

GAMES, STEPS = 3, 30
"""As many as take half a minute; `./run soak storm` has 20 games, 2,000 steps, and wants all to be reached."""


def test_storm_breaks_nothing(database: Database) -> None:
    """Invariants, replays, letters and each player's story hold after random rulings, orders, deadlines and deaths."""
    storm = run(database, "1", GAMES, STEPS)
    assert storm.counted["rulings"] > STEPS // 2
    assert storm.counted["deaths"] > 0
    assert storm.counted["replays"] >= GAMES
    assert storm.counted["second presses"] > 0
    assert len(storm.rulings.done) > STEPS // 6


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_storm_has_values_for_each_command(database: Database, command: Command) -> None:
    """A command with a new kind of parameter is given in the storm only once there are values of it."""
    match = begun(service_on(database))
    asked = Asked(writing.stands(match.service, match.id), Random(1), ("n@players.example",))
    values = given(command, asked)
    assert values.keys() == set(command.parameters)
    act = Act(command, match.code, values, Actor("a test"), ("red", "green", "blue"))
    assert len(words_of(act)) >= len(values)
