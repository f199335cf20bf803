"""What a person settles for themselves on the page of their account: absences, and that their data goes."""

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from pbem import clock
from pbem.accounts import account_of
from pbem.records.verifying import verify
from pbem.site.deleting import OWN_WISH
from pbem.storage.models import Absence, Account, SiteRecord
from pbem.storage.sessions import Database
from pbem.words import PSEUDO
from tests.pbem.playing import Match, begun, misset, service_on
from tests.pbem.reports.plain import bypassing, shown
from tests.pbem.site.test_deleting import everything
from tests.pbem.web.visiting import Visit, app_on, letters_to

ANN, BEN = "ann@players.example", "ben@players.example"


def visited(match: Match) -> Visit:
    """Ann at the page of her account."""
    visit = Visit(app_on(match.service), match.service, ANN)
    visit.get("/account")
    return visit


def absences(match: Match) -> list[Absence]:
    """What is kept of absences."""
    with match.service.reading() as session:
        return list(session.exec(select(Absence)))


def test_an_absence_is_entered_on_the_page_and_told(database: Database) -> None:
    """As by the order `absent`: the others learn until when, the deadline is put off, and `back` ends it."""
    match = begun(service_on(database), pace="brisk")
    visit, before = visited(match), match.game.deadline
    days = [(clock.now() + timedelta(days=days)).date().isoformat() for days in (0, 3)]
    page = visit.send("/account/absence", first=days[0], last=days[1])
    assert "You are away from" in page
    assert before is not None
    after = match.game.deadline
    assert after is not None
    assert after > before + timedelta(days=2)
    assert "away" in letters_to(match.service, BEN, "absence")[-1].text
    assert "You are not away any longer" in visit.send("/account/back")
    assert "You are away from" not in visit.get("/account")
    assert [each.ends <= clock.now() for each in absences(match)] == [True]


def test_days_that_make_no_absence_are_told_and_nothing_is_entered(database: Database) -> None:
    """Over already, too long, no days."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    for first, last, said in (
        ("2020-01-01", "2020-01-05", "over already"),
        ("", "2999-01-01", "92 days at most"),
        ("", "soon", "no such day"),
        ("", "", "no such day"),
    ):
        visit.get("/account")
        assert said in visit.send("/account/absence", 409, first=first, last=last)
    assert absences(match) == []


def link(match: Match) -> str:
    """The path of the link in the newest letter."""
    found = re.search(r"/leave/[\w-]+", letters_to(match.service, ANN, "leaving")[-1].text)
    assert found is not None
    return found[0]


def test_a_person_has_their_data_deleted_by_the_link_in_a_letter(database: Database) -> None:
    """Nothing happens before its button is pressed; then name and address are gone, and the game is whole."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    assert "Nothing is deleted before" in visit.send("/account/delete")
    path, stranger = link(match), Visit(visit.client.application, match.service)
    for _ in range(2):
        stranger.get(path)
    with match.service.reading() as session:
        assert account_of(session, ANN) is not None
    assert "Your data is deleted." in stranger.send(path)
    assert ANN not in everything(match.service)
    assert match.seats[0].account_id is None
    assert not verify(match.service, match.code).problem
    with match.service.reading() as session:
        (row,) = session.exec(select(SiteRecord))
        assert (row.act, row.reason, row.account_id) == ("deleted", OWN_WISH, row.subject_id)
    stranger.get(path, 410)
    assert "Enter the address" in visit.get("/account")


def test_the_link_ends_with_its_time_and_is_for_nothing_else(database: Database) -> None:
    """It signs nobody in, others don't delete, and there are few a day."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    visit.send("/account/delete")
    path, stranger = link(match), Visit(visit.client.application, match.service)
    stranger.get(path.replace("/leave/", "/sign-in/"), 410)
    signin = re.search(r"/sign-in/([\w-]+)", letters_to(match.service, ANN)[-1].text)
    assert signin is not None
    stranger.get(f"/leave/{signin[1]}", 410)
    stranger.get(path)
    clock.shift(timedelta(hours=25))
    stranger.send(path, 410)
    for _ in range(3):
        visit.get("/account")
        visit.send("/account/delete")
    visit.get("/account")
    assert "too often" in visit.send("/account/delete", 409)
    with match.service.reading() as session:
        assert account_of(session, ANN) is not None


def test_the_account_is_in_words_of_the_catalog_alone(database: Database) -> None:
    """With a token, an absence, and what follows each button."""
    match = begun(misset(service_on(database), language=PSEUDO), pace="brisk")
    visit = visited(match)
    day = clock.now().date().isoformat()
    seen = [visit.send("/account/tokens", name="Bram", scope="play")]
    visit.get("/account")
    seen.append(visit.send("/account/absence", first="", last=day))
    seen.append(visit.send("/account/delete"))
    seen.append(visit.send("/account/tokens/revoke"))
    path = link(match)
    seen += [visit.get(path), visit.send(path), visit.get(path, 410)]
    written_by_nobody = r"<select.*?</select>|<code>.*?</code>|<a class=\"brand\".*?</a>"
    texts = [re.sub(written_by_nobody, "", page, flags=re.DOTALL) for page in seen]
    allowed = ("Ann", ANN, match.service.settings.url, "UTC")
    assert [found for text in texts if (found := bypassing(shown(text), *allowed))] == []


@pytest.mark.parametrize("name", ["", " \t", "x" * 61])
def test_a_name_that_is_none_or_too_long_is_told_and_nothing_is_changed(database: Database, name: str) -> None:
    """It is neither cut nor passed over in silence."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    visit.get("/account")
    assert "from one to 60 characters" in visit.send("/account", 409, name=name, zone="Europe/Rome")
    with match.service.reading() as session:
        account = session.get_one(Account, match.seats[0].account_id)
        assert (account.name, account.zone) == ("Ann", "UTC")
