"""Several addresses of one player: added by who reads them, and letters moved only with a word from the old place."""

import re

import pytest
from sqlmodel import select

from pbem import crashing
from pbem.accounts import addresses, main_address
from pbem.addressbook import confirm
from pbem.context import Service
from pbem.storage.models import Submission
from pbem.storage.sessions import Database
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import begun, service_on
from tests.pbem.web.visiting import Visit, app_on, forms, letters_to

CSRF = r'name="csrf_token" value="[^"]*"'
"""What has the second in it at which the page was made."""
ANN, WORK = "ann@players.example", "ann@work.example"


def path(service: Service, address: str, kind: str) -> str:
    """The link in the newest letter of a kind."""
    found = re.search(r"/address/[\w-]+", letters_to(service, address, kind)[-1].text)
    assert found is not None
    return found[0]


def own(service: Service) -> tuple[str, list[str]]:
    """Where Ann's letters go, and all her addresses."""
    with service.reading() as session:
        return main_address(session, 1), sorted(addresses(session, 1))


def added(visit: Visit) -> None:
    """Add the second address by the link in its mail."""
    visit.get("/account")
    visit.send("/account/addresses", address=WORK)
    there = path(visit.service, WORK, "newaddress")
    visit.get(there)
    visit.send(there)


def test_address_counts_once_its_reader_has_confirmed(database: Database) -> None:
    """Mail from it is held before, and the player's after; the old address is told."""
    service = service_on(database, mail_port=0)
    match = begun(service, pace="brisk")
    report = match.letters(0, "report")[0]
    visit = Visit(app_on(service), service, ANN)
    visit.get("/account")
    visit.send("/account/addresses", address=" Ann@Work.example ")
    post(service, reply(report, "bid 1", WORK))
    there = path(service, WORK, "newaddress")
    stranger = Visit(app_on(service), service)
    for _ in range(2):
        stranger.get(there)
    assert own(service) == (ANN, [ANN])
    stranger.send(there)
    assert own(service) == (ANN, [ANN, WORK])
    assert WORK in letters_to(service, ANN, "addresses")[0].text
    stranger.get(there, 410)
    post(service, reply(report, "bid 4", WORK))
    with service.reading() as session:
        assert [row.text for row in session.exec(select(Submission))] == ["bid 4"]


def test_a_link_that_is_used_has_done_its_work(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the service ends with the first thing that it writes: nobody would do the rest any more."""
    service = service_on(database, mail_port=0)
    begun(service, pace="brisk")
    visit = Visit(app_on(service), service, ANN)
    visit.get("/account")
    visit.send("/account/addresses", address=WORK)

    def ends(point: str) -> None:
        if point == "after-commit":
            raise Death

    monkeypatch.setattr(crashing, "at", ends)
    with pytest.raises(Death):
        confirm(service, path(service, WORK, "newaddress").rpartition("/")[2])
    assert own(service) == (ANN, [ANN, WORK])


class Death(BaseException):
    """The end of a process."""


def test_letters_move_with_a_word_from_the_old_address(database: Database) -> None:
    """By link or by mail; the new address alone can't do it, and both are told."""
    service = service_on(database, mail_port=0)
    begun(service, pace="brisk")
    visit = Visit(app_on(service), service, ANN)
    added(visit)
    visit.get("/account")
    visit.send("/account/addresses/main", address=WORK)
    [asked] = letters_to(service, ANN, "confirm-address")
    post(service, reply(asked, "confirm", "eve@evil.example"), reply(asked, "Thanks, but no"))
    assert own(service)[0] == ANN
    post(service, reply(asked, "confirm"))
    assert own(service)[0] == WORK
    assert [len(letters_to(service, each, "addresses")) for each in (ANN, WORK)] == [2, 1]
    post(service, reply(asked, "confirm!"))
    assert len(letters_to(service, WORK, "addresses")) == 1
    visit.get("/account")
    visit.send("/account/addresses/main", address=ANN)
    there = path(service, WORK, "confirm-address")
    visit.get(there)
    assert own(service)[0] == WORK
    visit.send(there)
    assert own(service)[0] == ANN


def test_address_is_taken_off_at_once_but_not_the_last(database: Database) -> None:
    """The one that letters go to stays."""
    service = service_on(database)
    begun(service, pace="brisk")
    visit = Visit(app_on(service), service, ANN)
    added(visit)
    visit.get("/account")
    token = forms(visit.page)[0].fields["csrf_token"]
    visit.post("/account/addresses/remove", 409, csrf_token=token, address=ANN)
    visit.post("/account/addresses/remove", 409, csrf_token=token, address="ben@players.example")
    visit.get("/account")
    visit.send("/account/addresses/remove", address=WORK)
    assert own(service) == (ANN, [ANN])


def test_somebody_else_s_address_is_neither_taken_nor_told(database: Database) -> None:
    """What is said is the same, and no letter goes out; nor can a link be asked for without end."""
    service = service_on(database)
    begun(service, pace="brisk")
    visit = Visit(app_on(service), service, ANN)
    visit.get("/account")
    told = visit.send("/account/addresses", address="new@players.example")
    said = visit.send("/account/addresses", address="ben@players.example")
    apart = rf"{CSRF}|\d\d:\d\d \(UTC\)"  # a minute may end between the two
    assert re.sub(apart, "", said) == re.sub(apart, "", told)
    assert letters_to(service, "ben@players.example", "newaddress") == []
    for number in range(5):
        visit.send("/account/addresses", address=f"new{number}@players.example")
    visit.send("/account/addresses", 409, address="new9@players.example")
    assert letters_to(service, "new9@players.example", "newaddress") == []
