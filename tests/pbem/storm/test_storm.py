"""Whatever is ruled, on whatever players do, and wherever the service dies: all that must hold holds."""

from pbem.storage.sessions import Database
from tests.pbem.storm.running import run

GAMES, STEPS = 3, 25
"""As many as take half a minute; `./run soak storm` has 20 games, 2,000 steps, and wants each command to succeed."""


def test_storm_breaks_nothing(sqlite: Database) -> None:
    """Invariants, replays, letters and each player's story hold after random rulings, orders, deadlines and deaths."""
    storm = run(sqlite, "1", GAMES, STEPS)
    assert storm.counted["rulings"] > STEPS // 2
    assert storm.counted["deaths"] > 0
    assert storm.counted["replays"] >= GAMES
    assert storm.counted["second presses"] > 0
    assert storm.done.total() > 0
