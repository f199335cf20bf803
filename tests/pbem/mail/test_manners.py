"""Nobody is invited against their will: after a decline, a complaint, a click, or by the hundred."""

from datetime import timedelta

import pytest

from pbem import clock
from pbem.accounts import invite_again
from pbem.errors import Refused
from pbem.games.lifecycle import Guest, Plan, create_game, invite, join, replace_guest
from pbem.mail.message import read_head
from pbem.storage.models import Letter
from pbem.storage.sessions import Database
from pbem.web import create_app
from pbem.words import Words
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import Match, begun, created, service_on

ANN = "ann@players.example"


def header(letter: Letter, name: str) -> str:
    """A header of a letter, or empty."""
    lines = letter.content.decode("ascii").partition("\r\n\r\n")[0].split("\r\n")
    return next((line.partition(": ")[2] for line in lines if line.startswith(f"{name}: ")), "")


def test_who_declined_is_not_invited_again(database: Database) -> None:
    """Into no game, by nobody, until they ask for it themselves."""
    service = service_on(database, mail_port=0)
    match = created(service)
    post(service, reply(match.letters(0, "invitation")[0], "decline"))
    guests = [Guest(f" {ANN.title()} "), Guest("b@players.example"), Guest("c@players.example")]
    with pytest.raises(Refused, match="unwanted"):
        create_game(service, Plan("tinygame", guests))
    with pytest.raises(Refused, match="unwanted"):
        replace_guest(service, match.code, 0, Guest(ANN))
    assert invite_again(service, ANN)
    replace_guest(service, match.code, 0, Guest(ANN))
    invite(service, match.code)
    assert len(match.letters(0, "invitation")) == 2
    assert not invite_again(service, ANN)


def test_one_click_ends_invitations(database: Database) -> None:
    """A provider's POST without form or session declines; following the link does nothing, and play goes on."""
    service = service_on(database, base_url="https://play.example")
    match = created(service)
    client = create_app(service).test_client()
    letter = match.letters(0, "invitation")[0]
    assert header(letter, "List-Unsubscribe-Post") == "List-Unsubscribe=One-Click"
    path = header(letter, "List-Unsubscribe").removeprefix("<https://play.example").removesuffix(">")
    assert ANN in client.get(path).text
    assert match.seats[0].account_id is not None
    for _ in range(2):
        assert client.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
        assert match.seats[0].account_id is None
    with pytest.raises(Refused, match="unwanted"):
        replace_guest(service, match.code, 0, Guest(ANN))


def test_click_after_joining_leaves_the_seat(database: Database) -> None:
    """It ends invitations, not games."""
    service = service_on(database)
    match = created(service)
    join(service, match.id, 0)
    path = header(match.letters(0, "invitation")[0], "List-Unsubscribe").partition("8000")[2].removesuffix(">")
    assert create_app(service).test_client().post(path).status_code == 200
    assert match.seats[0].joined is not None
    with pytest.raises(Refused, match="unwanted"):
        create_game(service, Plan("tinygame", [Guest(ANN), Guest("b@x.example"), Guest("c@x.example")]))


def test_only_invitations_have_the_click(database: Database) -> None:
    """A letter that somebody plays by can't be ended by a stray click; a made-up token finds nothing."""
    service = service_on(database)
    match = created(service)
    for seat in range(3):
        join(service, match.id, seat)
    match.settle()
    others = [letter for letter in match.letters() if letter.kind != "invitation"]
    assert others
    client = create_app(service).test_client()
    for letter in others:
        assert header(letter, "List-Unsubscribe") == ""
        token = header(letter, "Reply-To").partition("+")[2].partition("@")[0]
        assert client.post(f"/unsubscribe/{token}").status_code == 404
    assert client.post(f"/unsubscribe/{'a' * 40}").status_code == 404


def test_invitations_a_day_are_limited(database: Database) -> None:
    """By moderator; the next day there is room again."""
    service = service_on(database, invitations_a_day=5)
    first, second = created(service), Match(service, create_game(service, Plan("tinygame", _guests("d", "e", "f"))))
    with pytest.raises(Refused, match="too_many_invitations"):
        invite(service, second.code)
    other = Plan("tinygame", _guests("g", "h", "i"), moderator="mo@play.example")
    assert invite(service, create_game(service, other)) == 3
    clock.shift(timedelta(days=1, seconds=1))
    assert invite(service, second.code) == 3
    assert len(first.letters(kind="invitation")) == 3


def _guests(*names: str) -> list[Guest]:
    return [Guest(f"{name}@players.example") for name in names]


def test_every_letter_says_that_a_machine_wrote_it(database: Database) -> None:
    """Robots leave it alone, list programs file it, and a bounce names it."""
    match = created(service_on(database))
    for letter in match.letters():
        assert header(letter, "Auto-Submitted") == "auto-generated"
        assert header(letter, "X-Auto-Response-Suppress") == "All"
        assert header(letter, "List-Id") == f"<{match.code}.play.example>"
        assert read_head(letter.content).automatic == "auto-submitted"
        assert match.service.identity.find([header(letter, "Reply-To")], []).mark is not None


def test_a_turn_is_one_thread_with_a_subject_that_stays(database: Database) -> None:
    """Report and acknowledgements of a turn stand together in every mail program, another turn's apart from them."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    match.say(0, "bid 100")
    match.say(0, "bid 200")
    found = [*match.letters(0, "report"), *match.letters(0, "acknowledgement")]
    assert {letter.subject for letter in found} == {f"[{match.game.title}] turn 1 (Red)"}
    assert len({header(letter, "References") for letter in found}) == 1
    while match.game.stage_key.startswith("1-"):
        match.pass_deadline()
    newest = match.letters(0, "report")[-1]
    assert newest.subject == f"[{match.game.title}] turn 2 (Red)"
    assert header(newest, "References") not in {header(letter, "References") for letter in found}


def test_letters_to_be_answered_say_where(database: Database) -> None:
    """In text and page, below what an inbox shows of them; letters that want no answer don't."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    match.say(0, "bid 100")
    for letter in (*match.letters(0, "report"), *match.letters(0, "acknowledgement"), *match.letters(0, "invitation")):
        assert letter.text.split("\n")[1] == "-=-=- Write your answer above this line -=-=-"
        assert letter.content.count(b"Write your answer above this line") == 2
    assert "above this line" not in match.letters(0, "joined")[0].text


def test_first_line_of_a_letter_has_stage_and_deadline(database: Database) -> None:
    """What an inbox shows of a report, and of the answer to orders: the game, the stage, until when."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    match.say(0, "bid 100")
    deadline = match.game.deadline
    assert deadline is not None
    for letter in (match.letters(0, "report")[-1], match.letters(0, "acknowledgement")[-1]):
        first = letter.text.split("\n")[0]
        assert first.startswith(f"{match.game.title}, turn 1: ")
        assert first.endswith(f"until {Words.of('en', 'UTC').moment(deadline)}")
