"""Games that nobody moderates end, among people who are late, silent, away or gone, by the defaults of the policies."""

from pbem.storage.sessions import Database
from tests.pbem.year.figures import figures, page, table
from tests.pbem.year.running import play

GAMES = (0, 2, 3, 4)
"""Of a year those that take little time; `./run soak year` plays all."""


def test_games_that_nobody_moderates_end(sqlite: Database) -> None:
    """None hangs, no deadline is forgotten, each letter goes once, each journal replays; the figures tell of all."""
    found = figures("test", play(sqlite, GAMES, "test"))
    assert sum(found["ended"].values()) == found["games"] == len(GAMES)
    assert found["waited"]["ready"]["stages"] > 0
    assert found["waited"]["deadline"]["seats_missing"] > 0
    assert found["letters_a_player_a_week"]["median"] > 1
    assert set(found["letters"]) <= {"sent", "withdrawn"}
    assert "rules: tinygame: games" in table(found)
    assert "<td>rules: tinygame: games<td>3" in page(found)
