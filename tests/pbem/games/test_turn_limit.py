"""A game with a set number of turns: said in the invitation and at the top of each report, and over after the last."""

import pytest

from pbem.errors import Refused
from pbem.games.lifecycle import Guest, Plan, create_game, invite, join
from pbem.refusals import said
from pbem.reports.data import decode_report
from pbem.storage.sessions import Database
from pbem.words import Words
from tests.pbem.playing import Match, service_on

SIDES = {"rockwell": ("green", "purple"), "brass_empire": ("blue",)}


@pytest.mark.parametrize("rules", sorted(SIDES))
def test_number_of_turns_is_told_and_ends_the_game(database: Database, rules: str) -> None:
    """In the invitation, above each report, on the pages' own words; then it is counted as ever."""
    service = service_on(database)
    standins = dict.fromkeys(SIDES[rules], "steady")
    guests = [Guest("ann@players.example", "Ann")]
    plan = Plan(rules, guests, "brisk", settle_minutes=0, standins=standins, options={"turn_limit": 4})
    match = Match(service, create_game(service, plan))
    invite(service, match.code)
    word = {"rockwell": "turn", "brass_empire": "round"}[rules]
    told = f"The game ends after {word} 4 at the latest, and is counted as ever."
    assert told in " ".join(match.letters(0, "invitation")[0].text.split())
    join(service, match.id, 0, "ann")
    match.settle()
    for _ in range(60):
        if match.game.status != "playing":
            break
        match.say(0, "ready")
        match.settle()
    assert match.game.status == "over"
    letters = match.letters(0, "report")
    for letter, report in zip(letters, match.reports(0), strict=True):
        turn = decode_report(report.data).turn
        if report.kind != "final":
            assert f"turn {turn} of 4" in "\n".join(letter.text.splitlines()[:8])
        assert f"turn {turn} " in letter.subject or report.kind == "final"
    last = decode_report(match.reports(0)[-1].data)
    assert (last.turn, last.over) == (4, True)
    assert last.standings
    assert told in " ".join(letters[0].text.split())


def test_number_of_turns_out_of_range_is_refused_with_the_range(database: Database) -> None:
    """In words."""
    guests = [Guest("ann@players.example", "Ann")]
    plan = Plan("rockwell", guests, standins={"green": "steady"}, options={"turn_limit": 200})
    with pytest.raises(Refused) as refused:
        create_game(service_on(database), plan)
    assert "turn_limit can't be 200; it can be: 0, 3–30." in said(refused.value, Words.of("en", "UTC"))
