"""What players decide together: by mail and page, to the stage's end; what carries is done once and on record."""

from datetime import timedelta

import pytest
from sqlmodel import select

from pbem import clock
from pbem.errors import Refused
from pbem.records.checking import check_record
from pbem.records.verifying import verify
from pbem.records.writing import record
from pbem.reports.data import decode_report
from pbem.rulings import ending
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import extend_deadline, pause
from pbem.rulings.record import rulings_of
from pbem.sheets.confirming import resign
from pbem.storage.models import Proposal, Seat
from pbem.storage.sessions import Database
from pbem.voting import deciding
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.web.visiting import Visit, app_on

OPERATOR = Actor("so it shall be")


def outcomes(match: Match) -> list[str]:
    """What became of the proposals, oldest first."""
    with match.service.reading() as session:
        return [row.outcome for row in session.exec(select(Proposal).order_by(Proposal.id))]  # type: ignore[arg-type]


def acts(match: Match) -> list[tuple[str, str]]:
    """The rulings: what, by whom."""
    return [(each.act, each.actor) for each in rulings_of(match.service, match.code)]


def problems(match: Match, seat: int, text: str) -> list[str]:
    """Why a seat's lines could not be followed."""
    told = match.say(seat, text).acknowledgement
    assert told is not None
    return [line.code for line in told.problems]


def test_a_game_ends_as_a_draw_when_all_agree(database: Database) -> None:
    """Proposed and voted by mail; the last reports have the standings of then and the secret, and the record holds."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, BIDS)
    match.pass_deadline()
    post(match.service, reply(match.letters(0, "report")[-1], "propose draw"))
    asked = match.letters(kind="proposal")
    assert {letter.seat for letter in asked} == {1, 2}
    assert "Red proposes: The game ends now, as a draw." in asked[0].text
    post(match.service, reply(match.letters(1, "proposal")[0], "vote yes"))
    assert match.game.status == "playing"
    post(match.service, reply(match.letters(2, "proposal")[0], "vote yes\n\nThanks for the game!"))
    assert match.game.status == "over"
    assert acts(match) == [("ended_agreed", "players")]
    assert outcomes(match) == ["carried"]
    for seat in range(3):
        told = decode_report(match.reports(seat)[-1].data)
        assert (told.occasion, told.agreed) == ("over", "draw")
        assert told.standings
        assert told.secret == match.game.secret.hex()
        last = match.letters(seat, "report")[-1].text
        assert "agreed on a draw" in last
        assert "by a vote of the players: The game was ended, as all have agreed: a draw." in last
    assert verify(match.service, match.code).problem == ""
    assert check_record(record(match.service, match.code), match.game.head.hex()).entries == match.game.next_entry - 1


@pytest.mark.parametrize("moderator", ["", "mod@players.example"])
def test_a_player_among_stand_ins_ends_no_game_alone(database: Database, moderator: str) -> None:
    """Nobody would have agreed, and nobody would have been asked whether it is meant: that is for `resign`."""
    match = begun(service_on(database), seats=1, pace="brisk", moderator=moderator, standins={"green": "random"})
    for text in ("propose draw", "concede to green"):
        told = match.say(0, text).acknowledgement
        assert told is not None
        assert [line.code for line in told.problems] == ["nobody_agrees"]
        match.settle()
    assert match.game.status == "playing"
    assert outcomes(match) == []


def test_who_holds_two_seats_may_agree_with_the_other(database: Database) -> None:
    """It takes a second answer, so nothing ends unasked."""
    match = begun(service_on(database), seats=2, pace="brisk", standins={"blue": "random"})
    with match.service.writing() as session:
        for seat in match.seats:
            if seat.account_id is not None:
                session.get_one(Seat, seat.id).account_id = match.seats[0].account_id
    assert problems(match, 0, "propose draw") == []
    match.settle()
    assert match.game.status == "playing"


def test_a_game_is_conceded_to_a_side(database: Database) -> None:
    """The side that has won is told as the winner, by the last report and the page of the game."""
    match = begun(service_on(database), pace="strict")
    assert problems(match, 0, "concede to red") == ["about_yourself"]
    assert problems(match, 0, "concede to blue") == []
    for seat in (1, 2):
        match.say(seat, "vote yes")
    match.settle()
    assert match.game.status == "over"
    assert "Blue has won: the others have conceded" in match.letters(1, "report")[-1].text
    visit = Visit(app_on(match.service), match.service, "ann@players.example")
    assert "as all have agreed: Blue has won" in visit.get(f"/games/{match.code}/table")


def test_one_vote_against_the_end_is_enough(database: Database) -> None:
    """All are told at once that it came to nothing, and not by whom; the same side proposes once a stage."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, "propose draw")
    match.say(1, "vote no")
    match.settle()
    assert match.game.status == "playing"
    assert outcomes(match) == ["failed"]
    told = match.letters(kind="unvoted")
    assert {letter.seat for letter in told} == {0, 1, 2}
    assert not any(side in letter.text for letter in told for side in ("Green", "Blue"))
    assert problems(match, 0, "propose draw") == ["proposed_before"]
    assert problems(match, 2, "propose draw") == []
    assert acts(match) == []


def test_a_vote_can_be_changed_until_it_is_decided(database: Database) -> None:
    """The last word counts; who proposes, and who has no seat, has no vote; without a proposal there is none."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    assert problems(match, 1, "vote yes") == ["vote_none"]
    match.say(0, "propose extend 5h: two of us travel")
    assert "two of us travel" in match.letters(1, "proposal")[0].text
    assert problems(match, 0, "vote no") == ["vote_not_yours"]
    match.say(1, "vote no")
    match.say(1, "vote yes")
    match.settle()
    assert outcomes(match) == [""]
    assert problems(match, 2, "propose draw") == ["vote_open"]
    old = match.game.deadline
    assert old is not None
    match.say(2, "vote yes")
    match.settle()
    assert outcomes(match) == ["carried"]
    assert match.game.deadline == old + timedelta(hours=5)
    assert acts(match) == [("deadline_extended", "players")]


def test_an_undecided_proposal_falls_with_its_stage(database: Database) -> None:
    """It is told, and the votes that were given for it count for nothing later."""
    match = begun(service_on(database), pace="brisk", policy={"pause_after": "0", "ask_share": "100"})
    match.say(0, "propose draw")
    match.say(1, "vote yes")
    match.pass_deadline()
    match.settle()
    assert outcomes(match) == ["lapsed"]
    assert "not decided by the end of the stage" in match.letters(1, "unvoted")[0].text
    assert problems(match, 2, "vote yes") == ["vote_none"]
    assert match.game.status == "playing"


def test_more_than_half_pause_and_resume_a_game_without_a_moderator(database: Database) -> None:
    """Each is a ruling of the players; what would change nothing can't be proposed."""
    match = begun(service_on(database), pace="brisk")
    assert problems(match, 0, "propose resume") == ["goes_on"]
    match.say(0, "propose pause")
    match.say(1, "vote yes")
    match.settle()
    assert match.game.held == "paused"
    assert problems(match, 1, "propose pause") == ["stands_still"]
    match.say(1, "propose resume")
    match.say(0, "vote no")
    match.say(2, "vote yes")
    match.settle()
    assert match.game.held == ""
    assert acts(match) == [("paused", "players"), ("unpaused", "players")]


def test_players_open_the_seat_of_one_of_them(database: Database) -> None:
    """Who is to be replaced has no vote; half of the rest is not more than half."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    match.say(0, "propose replace white")
    white = next(seat.number for seat in match.seats if seat.name == "white")
    assert match.letters(white, "proposal") == []
    others = [seat.number for seat in match.seats if seat.number not in (0, white)]
    assert problems(match, white, "vote no") == ["vote_not_yours"]
    match.say(others[0], "vote no")
    match.settle()
    assert outcomes(match) == [""]
    match.say(others[1], "vote yes")
    match.settle()
    assert outcomes(match) == ["carried"]
    assert match.seats[white].resigned is not None
    assert acts(match) == [("seat_taken_away", "players")]


def test_with_a_moderator_only_the_end_is_proposed(database: Database) -> None:
    """All else is the moderator's; a side that has no player can't be replaced anywhere."""
    match = begun(service_on(database), pace="brisk", moderator="mod@players.example")
    for text in ("propose pause", "propose extend 5h", "propose replace blue"):
        assert problems(match, 0, text) == ["has_moderator"]
    assert problems(match, 0, "propose draw") == []
    alone = begun(match.service, pace="brisk")
    resign(match.service, alone.id, 2, 0)
    assert problems(alone, 0, "propose replace blue") == ["nobody_to_replace"]


def test_who_has_left_is_not_waited_for(database: Database) -> None:
    """The votes of those who are there decide, also where the others leave after the proposal."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, "propose draw")
    match.say(1, "vote yes")
    match.settle()
    assert match.game.status == "playing"
    resign(match.service, match.id, 2, 0)
    match.settle()
    assert match.game.status == "over"


def test_check_proposes_nothing(database: Database) -> None:
    """It says what would be, and nobody hears of it."""
    match = begun(service_on(database), pace="brisk")
    told = match.say(0, "check\npropose draw").acknowledgement
    assert told is not None
    assert [done.code for done in told.done] == ["proposed"]
    assert outcomes(match) == []
    assert match.letters(kind="proposal") == []
    assert problems(match, 0, "propose draw\nconcede to green") == ["vote_open"]
    assert len(outcomes(match)) == 1


def test_what_can_not_be_done_when_it_has_carried_is_told(database: Database) -> None:
    """The game was paused in between by the operator: nothing is done twice, and the vote is closed."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, "propose pause")
    pause(match.service, match.code, OPERATOR)
    match.say(1, "vote yes")
    match.settle()
    assert outcomes(match) == ["refused"]
    assert "can't be done as things stand" in match.letters(0, "unvoted")[0].text


def test_what_was_cut_off_is_done_once(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the service died before the ruling or after it: the deadline moves once, also if another ruling came."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, "propose extend 5h")
    old = match.game.deadline
    assert old is not None

    def dies(*_: object) -> None:
        raise SystemError

    with monkeypatch.context() as patched:
        patched.setattr(deciding, "ACTS", {"extend": dies})
        match.say(1, "vote yes")
        match.settle()
    assert outcomes(match) == ["carrying"]
    extend_deadline(match.service, match.code, 1, OPERATOR)
    with monkeypatch.context() as patched:
        patched.setattr(deciding, "_close", dies)
        clock.shift(timedelta(minutes=10))
        match.settle()
    assert acts(match) == [("deadline_extended", "operator"), ("deadline_extended", "players")]
    clock.shift(timedelta(minutes=10))
    match.settle()
    assert outcomes(match) == ["carried"]
    assert match.game.deadline == old + timedelta(hours=6)
    assert len(acts(match)) == 2


def test_it_is_all_done_on_the_page_too(database: Database) -> None:
    """Proposed with the form, seen by the others with two buttons, changed, and done."""
    match = begun(service_on(database), pace="brisk")
    app, path = app_on(match.service), f"/games/{match.code}"
    ann, ben, cleo = (Visit(app, match.service, f"{name}@players.example") for name in ("ann", "ben", "cleo"))
    ann.get(path)
    assert "Your proposal goes to the others" in ann.send(f"{path}/propose", what="concede", side="1")
    assert "Against it" not in ann.page
    assert "Red proposes: The game ends now, and Green has won it." in ben.get(path)
    ben.send(f"{path}/vote", act="no")
    match.settle()
    ben.get(path)
    assert "that the game ends as a draw" in ben.page
    assert "be proposed or voted on now" in ben.send(f"{path}/propose", what="propose_extend", hours="soon")
    ben.send(f"{path}/propose", what="propose_extend", hours="5")
    cleo.get(path)
    old = match.game.deadline
    assert "Your vote counts" in cleo.send(f"{path}/vote", act="yes")
    match.settle()
    assert match.game.deadline is not None
    assert old is not None
    assert match.game.deadline == old + timedelta(hours=5)
    cleo.get(path)
    cleo.send(f"{path}/propose", 400, what="propose_war")


def test_a_moderator_ends_a_game_by_ruling(database: Database) -> None:
    """With the standings as they are, on record with the reason; once."""
    match = begun(service_on(database), pace="strict")
    ending.end_game(match.service, match.code, "ruled", None, OPERATOR)
    match.settle()
    assert match.game.status == "over"
    assert acts(match) == [("ended", "operator")]
    assert "ended by a ruling" in match.letters(0, "report")[-1].text
    assert "so it shall be" in match.letters(0, "report")[-1].text
    with pytest.raises(Refused, match="wrong_status"):
        ending.end_game(match.service, match.code, "ruled", None, OPERATOR)
    clock.shift(timedelta(days=3))
    match.settle()
    assert verify(match.service, match.code).problem == ""
