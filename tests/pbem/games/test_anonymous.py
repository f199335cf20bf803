"""In an anonymous game the players learn only at its end who is who."""

from pbem.sheets.confirming import resign
from pbem.storage.models import Letter
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import begun, created, service_on
from tests.pbem.web.visiting import Visit, app_on

MODERATOR = "mod@players.example"
PEOPLE = {"Ann": "ann@players.example", "Ben": "ben@players.example", "Cleo": "cleo@players.example"}


def names_in(letters: list[Letter]) -> set[tuple[str, str]]:
    """Whose name stands in a letter to whom, but for one's own and the moderator's letters."""
    return {
        (name, letter.recipient)
        for letter in letters
        for name, address in PEOPLE.items()
        if letter.recipient not in (address, MODERATOR) and name in letter.text + letter.content.decode("utf-8")
    }


def test_nobody_learns_a_name_before_the_end(database: Database) -> None:
    """Not from a letter of any kind, nor a page, nor a message; the moderator sees them, the last report tells."""
    service = service_on(database, operator="")
    match = created(service, anonymous=True, moderator=MODERATOR, pace="brisk", options={"turns": 3})
    app = app_on(service)
    waiting = Visit(app, service, PEOPLE["Ann"])
    for number, (name, address) in enumerate(PEOPLE.items()):
        post(service, reply(match.letters(number, "invitation")[0], f"join w{number}", sender=address))
        assert not any(other in waiting.get(f"/games/{match.code}") for other in PEOPLE if other != "Ann"), name
    match.settle()
    post(service, reply(match.letters(1, "report")[0], "to all: hello\n\nto red: hello you", sender=PEOPLE["Ben"]))
    post(service, reply(match.letters(1, "report")[0], "absent tomorrow", sender=PEOPLE["Ben"]))
    post(service, reply(match.letters(0, "report")[0], BIDS, sender=PEOPLE["Ben"]))  # by mistake, to another's address
    resign(service, match.id, 2, 0)
    match.settle()
    assert match.letters(0, "held")
    assert match.letters(0, "press")
    assert match.letters(0, "resigned")
    for path in ("", "/table", "/messages", "/reports", "/reports/1"):
        page = waiting.get(f"/games/{match.code}{path}")
        assert "Ben" not in page, path
        assert "Cleo" not in page, path
    assert names_in(match.letters()) == set()
    assert "Ben" in Visit(app, service, MODERATOR).get(f"/games/{match.code}/desk")
    while match.game.status == "playing":
        match.pass_deadline()
        for seat in (0, 1):
            match.say(seat, f"{BIDS}\nready")
        match.settle()
    assert match.game.status == "over"
    last = match.letters(0, "report")[-1]
    assert names_in([letter for letter in match.letters() if letter.stage_key != last.stage_key]) == set()
    assert "Ben" in last.text
    assert "Ben" in waiting.get(f"/games/{match.code}/table")


def test_names_are_told_in_any_other_game(database: Database) -> None:
    """What the test above looks for is there where it should be."""
    match = begun(service_on(database), pace="brisk")
    resign(match.service, match.id, 2, 0)
    assert ("Cleo", PEOPLE["Ann"]) in names_in(match.letters())
