"""Games that nobody moderates end, among people who are late, silent, away or gone, by the defaults of the policies."""

import pytest

from pbem.storage.sessions import Database
from tests.pbem.year import people
from tests.pbem.year.figures import figures, page, table
from tests.pbem.year.running import play

GAMES = (0, 2, 4)
"""Of a year those that take little time; `./run soak year` plays all."""


def test_games_that_nobody_moderates_end(database: Database) -> None:
    """None hangs, no deadline is forgotten, each letter goes once, each journal replays; the figures tell of all."""
    found = figures("test", play(database, GAMES, "test"))
    assert sum(found["ended"].values()) == found["games"] == len(GAMES)
    assert found["waited"]["ready"]["stages"] > 0
    assert found["waited"]["deadline"]["seats_missing"] > 0
    assert found["letters_a_player_a_week"]["median"] > 1
    assert set(found["letters"]) <= {"sent", "withdrawn"}
    assert "rules: tinygame: games" in table(found)
    assert "<td>rules: tinygame: games<td>3" in page(found)


def test_seats_that_are_left_are_taken_by_who_waits(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where many leave and many wait, seats are opened and pass on with nobody to see to it, and the games end."""
    monkeypatch.setattr(people, "RESIGNS", 0.2)
    monkeypatch.setattr(people, "LISTED", 1.0)
    monkeypatch.setattr(people, "LINES_UP_DAYS", 0.5)
    found = figures("test", play(database, (0, 2), "left"))
    assert sum(found["ended"].values()) == 2
    assert found["people"]["seats taken over"] > 0
    assert found["acts"]["seat_replaced"] == found["people"]["seats taken over"]
