"""Mutated mails; `./run soak mail` goes on with them for as long as one likes."""

from pbem.storage.sessions import Database
from tests.pbem.mail.fuzzing import Fuzzer
from tests.pbem.playing import begun, service_on


def test_mutated_mails_break_nothing_and_are_not_believed(sqlite: Database) -> None:
    """Whatever is done to mails, the inbound path deals with each; none with a forged token or sender is believed.

    On SQLite alone: what is tried is the reading, and there is as much of it as there is time for.
    """
    match = begun(service_on(sqlite, answers_a_day=5), "tinygame", 3, pace="brisk")
    counted = Fuzzer(match, seed=1).run(range(2000))
    assert counted["forged"] == 100
    assert counted["read"]
    assert counted["text"] > 500
