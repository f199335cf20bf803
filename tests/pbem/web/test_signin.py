"""Only who reads a player's mail gets in, only by a button, and only as long as the account says so."""

from datetime import timedelta

import pytest

from pbem import clock
from pbem.accounts import create_account, make_link
from pbem.context import Service
from pbem.storage.sessions import Database
from pbem.web.pages import safe_next
from tests.pbem.playing import created, service_on
from tests.pbem.web.visiting import Visit, app_on, forms, letters_to, link

ANN = "ann@players.example"


def known(database: Database, **settings: object) -> Service:
    """A service that knows one player."""
    service = service_on(database, **settings)
    create_account(service, ANN, "Ann")
    return service


def test_answer_is_the_same_whether_the_address_is_known(database: Database) -> None:
    """Nobody learns who plays here; only the known address gets a letter."""
    service = known(database)
    app = app_on(service)
    pages = set()
    for address in (ANN, " ANN@players.example ", "eve@players.example", "nonsense", ""):
        visit = Visit(app, service)
        visit.get("/sign-in")
        pages.add(visit.send("/sign-in", address=address))
    assert len(pages) == 1
    assert len(letters_to(service, ANN)) == 2
    assert not letters_to(service, "eve@players.example")


def test_following_the_link_changes_nothing(database: Database) -> None:
    """Scanners may follow it as often as they like: the button alone uses it, and once."""
    service = known(database)
    app = app_on(service)
    first = Visit(app, service)
    first.get("/sign-in")
    first.send("/sign-in", address=ANN)
    path = link(service, ANN)
    for _ in range(3):
        assert "My games" not in first.get(path)
    assert "<h1" in first.send(path)
    assert "You are in no game at present" in first.page
    second = Visit(app, service)
    second.get(path, 410)
    token = forms(second.page)[0].fields["csrf_token"]
    second.post(path, 410, csrf_token=token)
    assert "Enter the address" in second.get("/")


def test_link_ends_with_its_time(database: Database) -> None:
    """After the minutes of the settings it is worth nothing."""
    service = known(database)
    visit = Visit(app_on(service), service)
    visit.get("/sign-in")
    visit.send("/sign-in", address=ANN)
    clock.shift(timedelta(minutes=31))
    visit.get(link(service, ANN), 410)


def test_link_for_another_purpose_does_not_sign_in(database: Database) -> None:
    """A confirmation's secret is no key to the door."""
    service = known(database)
    with service.writing() as session:
        secret = make_link(service, session, 1, purpose="something else")
    visit = Visit(app_on(service), service)
    visit.get(f"/sign-in/{secret}", 410)
    token = forms(visit.page)[0].fields["csrf_token"]
    visit.post(f"/sign-in/{secret}", 410, csrf_token=token)


def test_account_gets_a_few_links_an_hour(database: Database) -> None:
    """Whoever asks again and again fills nobody's mailbox, and is told nothing of it."""
    service = known(database)
    visit = Visit(app_on(service), service)
    for _ in range(10):
        visit.get("/sign-in")
        visit.send("/sign-in", address=ANN)
    assert len(letters_to(service, ANN)) == 6
    clock.shift(timedelta(hours=2))
    visit.get("/sign-in")
    visit.send("/sign-in", address=ANN)
    assert len(letters_to(service, ANN)) == 7


def test_client_may_ask_for_few_links_an_hour(database: Database) -> None:
    """Whatever addresses it tries."""
    visit = Visit(app_on(known(database)), known(database))
    for number in range(20):
        visit.get("/sign-in")
        visit.send("/sign-in", address=f"{number}@players.example")
    visit.get("/sign-in")
    assert "too often" in visit.send("/sign-in", 429, address=ANN)


def test_session_cookie_is_signed_and_kept_from_scripts_and_strangers(database: Database) -> None:
    """HttpOnly and SameSite always, Secure where the pages have a secure address; a changed cookie is nobody's."""
    service = known(database, base_url="https://play.example")
    app = app_on(service)
    client = app.test_client()
    secret = _secret(service)
    client.get(f"/sign-in/{secret}", base_url="https://play.example")
    token = forms(client.get(f"/sign-in/{secret}", base_url="https://play.example").text)[0].fields["csrf_token"]
    answer = client.post(f"/sign-in/{secret}", data={"csrf_token": token}, base_url="https://play.example")
    cookie = answer.headers["Set-Cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=Lax", "Secure", "Expires="))
    value = client.get_cookie("pbem", domain="localhost") or client.get_cookie("pbem", domain="play.example")
    assert value is not None
    forged = app.test_client()
    forged.set_cookie("pbem", value.value[:-2] + "xx", domain="localhost")
    assert forged.get("/").status_code == 303


def test_signing_out_ends_the_session_here_or_everywhere(database: Database) -> None:
    """`everywhere` ends what another browser has open."""
    service = known(database)
    app = app_on(service)
    here, there = Visit(app, service, ANN), Visit(app, service, ANN)
    here.get("/account")
    here.send("/sign-out")
    assert "Enter the address" in here.get("/")
    assert "Your account" in there.get("/account")
    third = Visit(app, service, ANN)
    third.get("/account")
    third.send("/account/sign-out-everywhere")
    assert "Enter the address" in there.get("/account")


def test_visitor_is_led_to_where_the_link_was_asked_from(database: Database) -> None:
    """From a report's link over the mail to the seat."""
    service = service_on(database)
    match = created(service, title="Small pond")
    visit = Visit(app_on(service), service)
    visit.sign_in(ANN, f"/games/{match.code}")
    assert "You are invited to Small pond" in visit.page


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "\\\\evil",
        "javascript:1",
        "/a\nb",
        "/é",
        "/" * 300,
        "",
    ],
)
def test_nobody_is_led_away(path: str) -> None:
    """Whatever a link says, the next page is ours."""
    assert safe_next(path) == "/"


def _secret(service: Service) -> str:
    with service.writing() as session:
        return make_link(service, session, 1)
