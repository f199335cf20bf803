"""Games are played by what comes in, by deadlines, and by nothing else."""

from pbem.storage.sessions import Database
from tests.pbem.playing import begun, created, service_on

BIDS = "bid 6 or 5 or 4 or 3 or 2 or 1"


def test_game_starts_when_the_last_has_joined(database: Database) -> None:
    """Invitations carry the secret's hash; the first stage opens with a report to everybody."""
    match = created(service_on(database))
    invitations = match.letters(kind="invitation")
    assert len(invitations) == 3
    assert all(match.game.secret_hash.hex() in letter.text for letter in invitations)
    match = begun(service_on(database), pace="brisk")
    assert match.game.status == "playing"
    assert match.game.stage_key == "1-turn"
    assert [len(match.letters(seat, "report")) for seat in range(3)] == [1, 1, 1]
    assert match.game.secret.hex() not in "".join(letter.text for letter in match.letters())


def test_brisk_stage_closes_when_all_are_ready(database: Database) -> None:
    """The last submission that answers all closes the stage, and everyone gets a report."""
    match = begun(service_on(database), pace="brisk")
    for seat in range(3):
        assert match.game.stage_key == "1-turn"
        taken = match.say(seat, BIDS)
        assert taken.acknowledgement is not None
        assert taken.acknowledgement.ready
        match.settle()
    assert match.game.stage_key == "2-turn"
    assert [len(match.letters(seat, "report")) for seat in range(3)] == [2, 2, 2]
    assert [len(match.letters(seat, "acknowledgement")) for seat in range(3)] == [1, 1, 1]
