"""A moderator who plays may do more with the word of the other players: more than half of them, by mail or page."""

import pytest

from pbem.commands import BY_NAME
from pbem.errors import Refused
from pbem.rulings.authority import Actor
from pbem.rulings.record import rulings_of
from pbem.storage.sessions import Database
from pbem.voting.asking import ask_players
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.voting.test_voting import outcomes, problems
from tests.pbem.web.visiting import Visit, app_on

ANN = "ann@players.example"


def acts(match: Match) -> list[tuple[str, str, str]]:
    """The rulings: what, by whom, why."""
    return [(each.act, each.actor, each.reason) for each in rulings_of(match.service, match.code)]


def test_a_playing_moderator_rules_with_the_others_word(database: Database) -> None:
    """Asked on the desk, voted by mail; the ruling is the moderator's, with the reason, and done once."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk", moderator=ANN)
    path = f"/games/{match.code}/desk"
    visit = Visit(app_on(match.service), match.service, ANN)
    visit.get(path)
    page = visit.page
    assert "You play in this game" in visit.send(f"{path}/standin", 409, seat="1", level="steady", reason="at sea")
    visit.page = page
    said = visit.send(f"{path}/standin", seat="1", level="steady", reason="at sea", ask="1")
    assert "The players are asked" in said
    assert {letter.seat for letter in match.letters(kind="proposal")} == {1, 2, 3}
    letter = match.letters(2, "proposal")[0]
    assert "The moderator proposes" in letter.text
    assert "standin (green, steady): Let a stand-in of a level play a seat" in " ".join(letter.text.split())
    assert "plays as well" not in letter.text
    assert "The reason: at sea" in letter.text
    assert problems(match, 0, "vote yes") == ["vote_not_yours"]
    post(match.service, reply(letter, "vote yes"))
    assert acts(match) == []
    post(match.service, reply(match.letters(3, "proposal")[0], "vote yes"))
    assert acts(match) == [("standin_set", "players", "at sea")]
    told = match.letters(2, "ruling")[-1].text
    assert "by a vote of the players: A stand-in" in told
    assert "The reason: at sea" in told
    assert ", Ann:" not in told
    assert match.seats[1].standin == "steady"
    assert outcomes(match) == ["carried"]


def test_half_of_the_others_is_not_enough(database: Database) -> None:
    """It falls as soon as more than half can't come together any more, and nothing is done."""
    match = begun(service_on(database), pace="brisk", moderator=ANN)
    ask_players(match.service, match.code, BY_NAME["force"], {}, Actor("too slow", ANN))
    match.say(1, "vote yes")
    match.settle()
    assert outcomes(match) == [""]
    match.say(2, "vote no")
    match.settle()
    assert outcomes(match) == ["failed"]
    assert acts(match) == []
    assert match.game.stage_number == 1


def test_a_stage_is_drawn_anew_a_second_time_by_vote(database: Database) -> None:
    """In place of a second moderator's word; the first time needs none."""
    match = begun(service_on(database), pace="brisk", moderator="mod@players.example")
    by = Actor("a slip", "mod@players.example")
    again = {"entry": 1, "chance": "redraw", "sheets": "clear"}
    for _ in range(2):
        for seat in range(3):
            match.say(seat, f"{BIDS}\nready")
        match.settle()
    BY_NAME["roll-back"].act(match.service, match.code, again, by)
    match.settle()
    for seat in range(3):
        match.say(seat, f"{BIDS}\nready")
    match.settle()
    ask_players(match.service, match.code, BY_NAME["roll-back"], again, by)
    line = match.game.line
    for seat in (0, 1):
        match.say(seat, "vote yes")
    match.settle()
    assert match.game.line == line + 1
    assert [act for act, _, _ in acts(match)] == ["rolled_back", "rolled_back"]
    assert outcomes(match) == ["carried"]


def test_what_would_show_secrets_is_not_voted_on(database: Database) -> None:
    """Nor what makes no sense, nor by who has no reason or does not lead; a second question waits for the first."""
    match = begun(service_on(database), pace="brisk", moderator=ANN)
    service, code, by = match.service, match.code, Actor("so", ANN)
    for problem, name, given, actor in (
        ("not_asked", "orders", {"seat": 1, "lines": BIDS}, by),
        ("not_asked", "admit", {"seat": 1}, by),
        ("no_seat", "give-back", {"seat": 7}, by),
        ("unknown_level", "standin", {"seat": 1, "level": "clever"}, by),
        ("no_reason", "force", {}, Actor(" ", ANN)),
        ("not_moderator", "force", {}, Actor("so", "ben@players.example")),
        ("ruled_meanwhile", "force", {}, Actor("so", ANN, stage=7)),
    ):
        with pytest.raises(Refused, match=problem):
            ask_players(service, code, BY_NAME[name], given, actor)
    ask_players(service, code, BY_NAME["force"], {}, by)
    with pytest.raises(Refused, match="vote_open"):
        ask_players(service, code, BY_NAME["force"], {}, by)
    assert outcomes(match) == [""]
