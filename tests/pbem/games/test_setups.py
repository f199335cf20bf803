"""What a game is played with: told in its first report, kept with it, played."""

import tomllib
from typing import Any

import pytest

from engine.rockwell.components import BUILT_IN, OPTIONS
from pbem.accounts import create_account
from pbem.errors import Refused
from pbem.games.lifecycle import Guest, Plan, create_game, invite
from pbem.games.position import position
from pbem.records.verifying import verify
from pbem.rulings.authority import Actor
from pbem.rulings.life import start_game
from pbem.rulings.seats import replace_player
from pbem.storage.sessions import Database
from tests.pbem.games.test_gathering import request
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import Match, begun, created, service_on
from tests.pbem.web.visiting import Visit, app_on, letters_to

RECONSTRUCTED = "It is reconstructed"


def own_set() -> dict[str, Any]:
    """A set of one's own, in which a company starts with more."""
    components = tomllib.loads(BUILT_IN.read_text(encoding="utf-8"))
    components["set"] = {"name": "Grandfather's box", "edition": 2}
    components["start"]["money"] = 4200
    return components


def test_the_first_report_names_the_built_in_set_and_that_it_is_reconstructed(database: Database) -> None:
    """The first and no other."""
    match = begun(service_on(database), "rockwell", 4)
    for _ in range(2):
        match.pass_deadline()
    for seat in range(4):
        first, *later = match.letters(seat, "report")
        assert "The component set is “reconstructed”, edition 1." in first.text
        assert RECONSTRUCTED in first.text
        assert later
        assert not any("component set" in letter.text for letter in later)


def test_a_set_of_ones_own_is_named_kept_and_played_with(database: Database) -> None:
    """Nobody calls it reconstructed; the game goes on with it from what is stored."""
    match = begun(service_on(database), "rockwell", 4, components=own_set())
    for seat in range(4):
        (first,) = match.letters(seat, "report")
        assert "The component set is “Grandfather's box”, edition 2." in " ".join(first.text.split())
        assert RECONSTRUCTED not in first.text
    with match.service.reading() as session:
        stands = position(session, match.id)
    assert stands.rules.setup.components == own_set()
    assert [company.money for company in stands.table.state.companies] == [4200] * 4
    match.pass_deadline()
    assert not match.game.aside
    assert verify(match.service, match.code).problem == ""


def test_a_set_that_is_wrong_makes_no_game(database: Database) -> None:
    """Nor does one for rules that take none; the place is told."""
    wrong = own_set()
    wrong["tiles"]["A"].pop()
    service = service_on(database)
    with pytest.raises(Refused) as refused:
        created(service, "rockwell", 4, components=wrong)
    assert (refused.value.code, refused.value.params) == ("bad_components", {"place": "tiles.A"})
    with pytest.raises(Refused) as refused:
        created(service, "tinygame", components=own_set())
    assert refused.value.code == "no_components"


def test_options_that_are_not_at_their_defaults_are_told_in_the_first_report(database: Database) -> None:
    """Each in a sentence; those at their defaults are not told."""
    service = service_on(database)
    options = {name: values[1] for name, values in OPTIONS.items()}
    odd = begun(service, "rockwell", 4, code="odd", options=options)
    usual = begun(service, "rockwell", 4, code="usual", options={name: values[0] for name, values in OPTIONS.items()})
    said, unsaid = odd.letters(0, "report")[0].text, usual.letters(0, "report")[0].text
    for sentence in ("act in the management order, not by slot", "triggers no extraction", "can get the award"):
        assert sentence in " ".join(said.split())
        assert sentence not in " ".join(unsaid.split())


LIVES = "Each seat starts with 3 lives."


def test_who_is_asked_for_a_seat_is_told_what_is_played_with_before_saying_yes(database: Database) -> None:
    """In invitations, in letters about open seats and about one to take over, and on their pages."""
    service = service_on(database)
    guests = [Guest(f"{name}@players.example", name.title()) for name in ("ann", "ben")]
    match = Match(service, create_game(service, Plan("tinygame", guests, free=1, options={"lives": 3})))
    invite(service, match.code)
    app = app_on(service)
    invited = Visit(app, service, "ann@players.example")
    assert LIVES in match.letters(0, "invitation")[0].text
    assert LIVES in invited.get(f"/games/{match.code}")
    create_account(service, "cleo@players.example", "Cleo")
    post(service, request(f"join {match.code}", "cleo@players.example"))
    [opening] = letters_to(service, "cleo@players.example", "opening")
    assert LIVES in opening.text
    assert LIVES in Visit(app, service, "cleo@players.example").get(f"/games/{match.code}/open")
    post(service, reply(match.letters(0, "invitation")[0], "join"))
    start_game(service, match.code, Actor("Ben never answered"))
    match.settle()
    replace_player(service, match.code, 0, Guest("eve@players.example", "Eve"), Actor("Ann has gone to sea"))
    [offer] = letters_to(service, "eve@players.example", "offer")
    assert LIVES in offer.text
    assert LIVES in Visit(app, service, "eve@players.example").get(f"/games/{match.code}/offer")


def test_another_games_options_are_told_too(database: Database) -> None:
    """Whatever the rules: tinygame has no component sets."""
    match = begun(service_on(database), options={"lives": 3, "turns": 8})
    text = match.letters(0, "report")[0].text
    assert "Each seat starts with 3 lives." in text
    assert "turns at the latest" not in text
    assert "component set" not in text
