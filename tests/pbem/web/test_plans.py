"""How the pages' statements find what they show, by SQLite's plans: PostgreSQL's look through what is small."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Connection

from pbem.storage.sessions import Database
from pbem.web import create_app
from tests.pbem.playing import begun, service_on
from tests.pbem.web.visiting import Visit

NARROW = re.compile(
    r"SEARCH \w+ USING .*(\((rowid|code|game_id|account_id|moderator_id)=| ix_game_(shown|listed) )"
    r"|USE TEMP B-TREE|CO-ROUTINE|LIST SUBQUERY|SCALAR SUBQUERY"
)
"""Steps to what belongs to one game or account, or to what all are shown."""
PATHS = ["", "/table", "/history", "/messages", "/reports", "/reports/1"]


@contextmanager
def plans(database: Database) -> Iterator[list[str]]:
    """The steps of what is asked of the database meanwhile, each with its statement."""
    found: list[str] = []

    def explain(connection: Connection, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.lstrip().startswith("SELECT"):
            driver = connection.connection.driver_connection
            assert driver is not None
            steps = driver.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()
            found.extend(f"{step[3]} in {statement}" for step in steps)

    event.listen(database.reader, "before_cursor_execute", explain)
    try:
        yield found
    finally:
        event.remove(database.reader, "before_cursor_execute", explain)


def test_no_page_of_a_player_looks_through_all_games(sqlite: Database) -> None:
    """Home, archive, account and the pages of a seat take as long with many games as with few."""
    match = begun(service_on(sqlite), pace="brisk")
    match.pass_deadline()
    visit = Visit(create_app(match.service), match.service, "ann@players.example")
    with plans(sqlite) as found:
        for path in ["/", "/archive", "/account", *(f"/games/{match.code}{rest}" for rest in PATHS)]:
            visit.get(path)
    assert any("SEARCH game" in step for step in found)
    assert [step for step in found if not NARROW.match(step)] == []


def test_a_seats_page_reads_letters_of_the_stage_alone(sqlite: Database) -> None:
    """It takes as long late in a game as early."""
    match = begun(service_on(sqlite), pace="brisk")
    visit = Visit(create_app(match.service), match.service, "ann@players.example")
    with plans(sqlite) as found:
        visit.get(f"/games/{match.code}")
    letters = [step for step in found if "FROM letter" in step and step.startswith("SEARCH letter")]
    assert letters
    assert all("(game_id=? AND stage_key=? AND seat=?)" in step for step in letters)
