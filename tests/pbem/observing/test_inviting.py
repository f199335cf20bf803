"""A moderator invites somebody to observe, or lets somebody observe no longer: by mail, on record, and told."""

import pytest

from pbem.accounts import create_account, never_again
from pbem.errors import Refused
from pbem.games.lifecycle import Guest
from pbem.observing.observers import known_observers, observe
from pbem.rulings.authority import Actor
from pbem.rulings.life import change_policy
from pbem.rulings.observers import invite_observer, remove_observer
from pbem.rulings.record import rulings_of
from pbem.storage.sessions import Database
from tests.pbem.games.test_gathering import gathering
from tests.pbem.observing.watching import EVE, MODERATOR, observed, observing, open_game, send, turns
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.web.visiting import Visit, app_on, letters_to

WHY = Actor("she asked to learn the game", MODERATOR)


def known(match: Match) -> list[tuple[str, bool]]:
    """Who observes the game, or (False) is invited to."""
    with match.service.reading() as session:
        return [(name, row.since is not None) for row, name in known_observers(session, match.game)]


def number(match: Match) -> int:
    """That of the only one."""
    with match.service.reading() as session:
        [(row, _)] = known_observers(session, match.game)
    assert row.id is not None
    return row.id


def test_who_is_invited_observes_a_game_that_is_not_open(database: Database) -> None:
    """By an answer to the letter; the players are told of the ruling, which names nobody, and then who observes."""
    match = begun(
        service_on(database), pace="brisk", moderator=MODERATOR, policy={"observer_delay": "0", "ask_share": "100"}
    )
    invite_observer(match.service, match.code, Guest(EVE, "Eve"), WHY)
    [letter] = letters_to(match.service, EVE, "observer-invited")
    assert "she asked to learn the game" in letter.text
    assert known(match) == [("Eve", False)]
    send(match, letter, "observe")
    assert known(match) == [("Eve", True)]
    match.pass_deadline()
    told = match.letters(0, "report")[-1].text
    assert "Somebody was invited to observe the game. The reason: she asked to learn the game" in told
    assert "observed by Eve" in told
    assert all("Eve" not in ruling.params for ruling in rulings_of(match.service, match.code))
    assert len(observed(match)) == 2


def test_before_the_game_begins_an_invitation_is_no_ruling(database: Database) -> None:
    """And needs no reason; declining it takes it back."""
    match = gathering(service_on(database), listed=False, policy={"observers": "invited"})
    invite_observer(match.service, match.code, Guest(EVE, "Eve"), Actor("", MODERATOR))
    assert rulings_of(match.service, match.code) == []
    send(match, letters_to(match.service, EVE, "observer-invited")[0], "no thanks")
    assert known(match) == []


def test_who_was_removed_does_not_come_back_uninvited(database: Database) -> None:
    """Though everybody may observe the game; nothing that waited is sent, and the page is gone."""
    match = open_game(service_on(database))
    observing(match)
    turns(match, 2)
    remove_observer(match.service, match.code, number(match), Actor("told others what was asked of them", MODERATOR))
    match.settle()
    assert "told others" in letters_to(match.service, EVE, "observing-ended")[0].text
    Visit(app_on(match.service), match.service, EVE).get(f"/games/{match.code}/observe", 404)
    with pytest.raises(Refused, match="observer_barred"):
        observe(match.service, match.id, create_account(match.service, EVE))
    turns(match, 1)
    assert all(each.fate == "withdrawn" for each in observed(match))
    told = match.letters(0, "report")[-1].text
    assert "may not any more" in told
    assert "observed by" not in told
    invite_observer(match.service, match.code, Guest(EVE), WHY)
    observe(match.service, match.id, create_account(match.service, EVE))
    assert known(match) == [("Eve", True)]


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("ann@players.example", "plays_here"),
        (MODERATOR, "leads_here"),
        ("no@players.example", "unwanted"),
        ("x", "bad"),
    ],
)
def test_who_can_t_be_invited_is_said(database: Database, address: str, why: str) -> None:
    """And nothing is on record."""
    match = open_game(service_on(database))
    with match.service.writing() as session:
        never_again(session, "no@players.example", "declined")
    with pytest.raises(Refused, match=why):
        invite_observer(match.service, match.code, Guest(address), WHY)
    with pytest.raises(Refused, match="no_observers"):
        remove_observer(match.service, match.code, 7, WHY)
    change_policy(match.service, match.code, {"observers": "nobody"}, WHY)
    with pytest.raises(Refused, match="not_observable"):
        invite_observer(match.service, match.code, Guest(EVE), WHY)
    assert [each.act for each in rulings_of(match.service, match.code)] == ["policy_changed"]
    assert known(match) == []
