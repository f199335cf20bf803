"""A person gets everything that is kept of them, and nothing of anybody else; others get nothing that a game hides."""

import json
from typing import Any

from pbem.rulings.authority import Actor
from pbem.site.exporting import data_of
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import Match
from tests.pbem.site.governing import ANN, BEN, acts, number, playing
from tests.pbem.web.visiting import Visit, app_on


def own(match: Match, address: str = ANN) -> dict[str, Any]:
    """What a person gets by the page of their account."""
    visit = Visit(app_on(match.service), match.service, address)
    assert 'href="/account/data"' in visit.get("/account")
    found: dict[str, Any] = json.loads(visit.get("/account/data"))
    return found


def test_a_person_gets_all_of_their_own(database: Database) -> None:
    """Account, addresses, absences, seats with what was sent, messages, mails as they came, letters as they went."""
    match = playing(database)
    post(match.service, reply(match.letters(0, "report")[-1], f"{BIDS}\n\nto green: psst\n\nabsent 3 dec to 10 dec"))
    found = own(match)
    assert found["account"]["name"] == "Ann"
    assert [each["address"] for each in found["addresses"]] == [ANN]
    assert len(found["absences"]) == 1
    (seat,) = found["seats"]
    assert (seat["side"], seat["public_word"]) == ("red", "ann")
    assert BIDS in seat["sent"][0]["text"]
    assert [each["text"] for each in seat["messages"]] == ["psst"]
    assert BIDS in found["mails"][0]["mail"]
    assert {"report", "acknowledgement", "invitation"} <= {each["kind"] for each in found["letters"]}
    assert {each["to"] for each in found["letters"]} == {ANN}


def test_nothing_of_others_is_in_it(database: Database) -> None:
    """Neither their addresses nor what they have sent."""
    match = playing(database)
    post(match.service, reply(match.letters(1, "report")[-1], "bid 4\n\nto blue: secret pact"))
    found = json.dumps(own(match))
    assert BEN not in found
    assert "secret pact" not in found


def test_the_operators_file_hides_what_a_game_that_goes_on_hides(database: Database) -> None:
    """Else it would be a look that nobody is told of; of a game that is over everything is in it."""
    match = playing(database, options={"turns": 3})
    post(match.service, reply(match.letters(0, "report")[-1], BIDS))
    of = number(match.service, ANN)
    hidden = json.loads(data_of(match.service, of, Actor("asked by letter")))
    assert BIDS not in json.dumps(hidden)
    assert hidden["seats"][0]["hidden"]
    assert acts(match.service) == [("exported", of, "asked by letter")]
    while match.game.status == "playing":
        match.pass_deadline()
    assert BIDS in json.dumps(json.loads(data_of(match.service, of, Actor("asked by letter"))))


def test_who_has_not_signed_in_gets_nothing(database: Database) -> None:
    """They are asked to sign in."""
    match = playing(database)
    assert "Ann" not in Visit(app_on(match.service), match.service).get("/account/data")
