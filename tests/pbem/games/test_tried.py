"""Orders that were tried and did not fit are kept with the entry that they were tried for."""

from pbem.storage.sessions import Database
from tests.pbem.playing import begun, service_on


def test_order_that_does_not_fit_stops_nothing(database: Database) -> None:
    """Whatever cards a seat has, an order for one that it has not is told in the report, and play goes on."""
    match = begun(service_on(database), pace="brisk")
    held = match.game.stage_key
    for seat in range(3):
        match.say(seat, "bid 1")
    match.pass_deadline()
    assert match.game.failures == 0
    assert match.game.stage_key != held
