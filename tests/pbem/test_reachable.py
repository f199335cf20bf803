"""One who can't be written to is no harm to all who are told of the same."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select, update

from pbem import clock
from pbem.accounts import account_of
from pbem.addressbook import ask_to_add, confirm
from pbem.context import Service
from pbem.games.gathering import leave
from pbem.games.lifecycle import Guest, invite
from pbem.letters import BAD_ADDRESS
from pbem.sheets.confirming import resign
from pbem.storage.models import Address, Inbound, Letter
from pbem.storage.sessions import Database
from tests.pbem.games.test_gathering import came, gathering, sitting, waiting
from tests.pbem.games.test_play import BIDS
from tests.pbem.games.test_succession import ANN, EVE, MODERATOR, account_id, offered, taken_over
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import Match, begun, created, misset, service_on
from tests.pbem.web.visiting import Visit, app_on, letters_to

NOBODY = "Nobody <nobody@players.example>"
"""No address that a letter can be sent to, as older versions took it for the operator's."""


@pytest.fixture
def service(database: Database) -> Service:
    """A service whose operator can't be written to."""
    return misset(service_on(database, mail_port=0), operator=NOBODY)


def fates(service: Service) -> set[str]:
    """What became of the mails that came."""
    with service.reading() as session:
        return set(session.exec(select(Inbound.status)))


def silenced(match: Match, address: str) -> None:
    """The account of that address can't be written to."""
    with match.service.writing() as session:
        session.execute(update(Address).where(col(Address.address) == address).values(address=NOBODY))


def going(match: Match, seat: int | None = None, kind: str = "") -> list[Letter]:
    """Its letters, but for those that can't be sent."""
    return [each for each in match.letters(seat, kind) if each.fate != "failed"]


def test_a_guest_declines_where_the_operator_can_not_be_told(service: Service) -> None:
    """The mail is read at once."""
    match = created(service, moderator=MODERATOR)
    post(service, reply(match.letters(0, "invitation")[-1], "decline"))
    assert fates(service) == {"read"}
    assert [letter.recipient for letter in going(match, kind="declined")] == [MODERATOR]


def test_what_players_write_is_read_where_the_operator_can_not_be_told(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of absences, for time, to the moderator; what players are told as well, they are told. No log has the address."""
    match = begun(service)
    day = (clock.now() + timedelta(days=2)).date().isoformat()
    text = f"absent {day} to {day}\nextend 24h: late\n\nto moderator: hello"
    post(service, reply(match.letters(0, "report")[-1], text))
    assert fates(service) == {"read"}
    assert {letter.recipient for letter in going(match, kind="absence")} == {
        "ben@players.example",
        "cleo@players.example",
    }
    resign(service, match.id, 2, 0)
    assert {letter.seat for letter in going(match, kind="resigned")} == {0, 1, 2}
    said = capsys.readouterr()
    assert "not_reachable" in said.out
    assert "nobody@" not in said.out + said.err


def test_a_game_that_fails_is_set_aside_where_the_operator_can_not_be_told(service: Service) -> None:
    """Its players are told."""
    match = begun(service, "faultygame", options={"fault": "raise"}, pace="brisk")
    match.pass_deadline()
    for _ in range(3):
        clock.shift(timedelta(minutes=1))
        match.settle()
    assert match.game.aside
    assert {letter.seat for letter in going(match, kind="fault")} == {0, 1, 2}


def test_a_game_goes_on_where_one_of_its_players_can_not_be_written_to(database: Database) -> None:
    """All others get their reports, messages and what is told to all; theirs stands on their page."""
    match = begun(service_on(database), pace="brisk")
    silenced(match, "cleo@players.example")
    match.say(0, f"{BIDS}\n\nto all: hello")
    before = len(match.letters(1, "report")), len(going(match, 2, "report"))
    match.pass_deadline()
    assert match.game.failures == 0
    assert len(match.letters(1, "report")) > before[0]
    assert len(going(match, 2, "report")) == before[1]
    assert match.reports(2)[-1].stage_key == match.reports(1)[-1].stage_key
    assert [letter.seat for letter in going(match, kind="press")] == [1]
    match.say(0, "propose extend 24h")
    match.settle()
    assert {letter.seat for letter in going(match, kind="proposal")} == {1}


def test_a_seat_passes_on_where_its_former_player_can_not_be_told(database: Database) -> None:
    """The new one has it, and all others know."""
    match = begun(service_on(database), pace="brisk")
    silenced(match, ANN)
    taken_over(match)
    assert match.seats[0].account_id == account_id(match, EVE)
    assert letters_to(match.service, EVE, "story")
    assert not going(match, kind="replaced")


def test_an_offer_lapses_where_who_was_asked_can_not_be_told(database: Database) -> None:
    """Whoever leads the game hears of it."""
    match = begun(service_on(database), pace="brisk", moderator=MODERATOR, stage_hours=500)
    offered(match)
    silenced(match, EVE)
    clock.shift(timedelta(hours=73))
    match.settle()
    assert [letter.recipient for letter in going(match, kind="offer-declined")] == [MODERATOR]
    assert not going(match, kind="offer-lapsed")


def test_an_account_gets_another_address_where_its_own_can_not_be_told(database: Database) -> None:
    """Whose letters no longer arrive can still change that."""
    match = begun(service_on(database), pace="brisk")
    ask_to_add(match.service, account_id(match, ANN), "ann@work.example")
    silenced(match, ANN)
    [asked] = letters_to(match.service, "ann@work.example", "newaddress")
    [secret] = re.findall(r"/address/(\S+)", asked.text)
    confirm(match.service, secret)
    with match.service.reading() as session:
        assert account_of(session, "ann@work.example") is not None


def test_a_seat_is_offered_to_the_next_where_the_first_in_line_can_not_be_asked(database: Database) -> None:
    """Who can't be asked keeps their place."""
    match = gathering(service_on(database))
    for name in ("ann", "ben", "cleo", "dan", "eve"):
        came(match, name)
    match.settle()
    silenced(match, "dan@players.example")
    resign(match.service, match.id, 1, 0)
    match.settle()
    assert len(letters_to(match.service, EVE, "offer")) == 1
    assert waiting(match) == ["Dan", "Eve"]


def test_a_free_seat_goes_to_the_next_where_the_first_in_line_can_not_be_told(database: Database) -> None:
    """Before the game begins."""
    match = gathering(service_on(database), 1, guests=[Guest(ANN, "Ann"), Guest("ben@players.example", "Ben")])
    for name in ("cleo", "dan", "eve"):
        came(match, name)
    silenced(match, "dan@players.example")
    leave(match.service, match.id, account_id(match, "cleo@players.example"))
    match.settle()
    assert sitting(match)[2] == "Eve"
    assert waiting(match) == ["Dan"]


def test_guests_are_invited_and_reminded_where_one_of_them_can_not_be_written_to(database: Database) -> None:
    """Each once; in the end the seats of all who did not answer are free."""
    match = gathering(service_on(database), 0, guests=[Guest(f"{name}@players.example") for name in ("zoe", "yan")])
    silenced(match, "zoe@players.example")
    invite(match.service, match.code)
    for _ in range(8):
        clock.shift(timedelta(hours=60))
        match.settle()
    kinds = ("invitation", "invitation-again", "expired")
    assert [len(letters_to(match.service, "yan@players.example", kind)) for kind in kinds] == [1, 1, 1]
    assert {letter.fate for letter in match.letters() if letter.recipient == NOBODY} == {"failed"}
    assert sitting(match) == ["", ""]


def test_a_game_begins_without_a_guest_who_can_not_be_told(database: Database) -> None:
    """The seat is nobody's, so that another may have it."""
    starts = clock.now() + timedelta(hours=30)
    match = gathering(service_on(database), 2, guests=[Guest("zoe@players.example", "Zoe")], starts_at=starts)
    invite(match.service, match.code)
    for name in ("ann", "ben"):
        came(match, name)
    silenced(match, "zoe@players.example")
    clock.shift(timedelta(hours=31))
    match.settle()
    assert match.game.status == "playing"
    assert sitting(match) == ["", "Ann", "Ben"]


def test_a_deadline_waits_for_a_player_whose_report_could_not_be_sent(database: Database, tmp_path: Path) -> None:
    """Once a stage; whoever leads the game is told why, and the player reads it on the page."""
    match = begun(service_on(database, undelivered_hours=24, maildir=tmp_path, operator=MODERATOR), pace="brisk")
    visit = Visit(app_on(match.service), match.service, ANN)
    visit.get(f"/games/{match.code}")
    silenced(match, ANN)
    match.pass_deadline()
    stage = match.game.stage_key
    lost = match.letters(0, "report")[-1]
    assert (lost.fate, lost.problem) == ("failed", BAD_ADDRESS)
    assert "none that mail can be sent to" in visit.get(f"/games/{match.code}")
    match.say(1, f"{BIDS}\nready")
    match.say(2, f"{BIDS}\nready")
    match.pass_deadline()
    assert match.game.stage_key == stage
    [told] = [letter for letter in match.letters(kind="undelivered") if "Ann" in letter.text]
    assert told.recipient == MODERATOR
    assert "none that mail can be sent to" in told.text
    match.pass_deadline()
    assert match.game.stage_key != stage


def test_a_person_who_can_not_be_written_to_breaks_no_page(database: Database) -> None:
    """A link to sign in, a token: what is asked for is done, and the letter has failed."""
    match = begun(service_on(database), pace="brisk")
    visit = Visit(app_on(match.service), match.service, ANN)
    visit.get("/account")
    silenced(match, ANN)
    assert "laptop" in visit.send("/account/tokens", name="laptop", scope="read")
    [letter] = letters_to(match.service, NOBODY, "token")
    assert letter.fate == "failed"
