"""A moderator can overrule everything, and everything a moderator does is on record and told."""

from datetime import timedelta

import pytest

from pbem import clock
from pbem.accounts import create_account
from pbem.commands import COMMANDS, LEVEL, LINES, PLAYER, SEAT, Command
from pbem.errors import Refused
from pbem.games.lifecycle import Guest
from pbem.mail.intake import Arrived, store
from pbem.reports.data import decode_report
from pbem.rulings.authority import MAX_REASON, Actor
from pbem.rulings.deadlines import end_deadline, extend_deadline, force_stage, pause, resume
from pbem.rulings.ending import end_game
from pbem.rulings.looking import look
from pbem.rulings.previewing import hold_for_review
from pbem.rulings.record import rulings_of
from pbem.rulings.seats import open_seat
from pbem.rulings.sheets import admit_late, enter_orders
from pbem.storage.sessions import Database
from pbem.voting.proposals import RULED
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import reply
from tests.pbem.playing import AT_ANY_HOUR, begun, service_on

OPERATOR = Actor("the post was down")


def test_extended_deadline_is_told_at_once_and_in_the_next_report(database: Database) -> None:
    """The stage waits the longer time; each player has a letter with the reason."""
    match = begun(service_on(database), pace="brisk")
    old = match.game.deadline
    assert old is not None
    new = extend_deadline(match.service, match.code, 12, OPERATOR)
    assert new == match.game.deadline == old + timedelta(hours=12)
    assert len(match.letters(kind="ruling")) == 3
    assert all("the post was down" in letter.text for letter in match.letters(kind="ruling"))
    clock.shift(timedelta(hours=25))
    match.settle()
    assert match.game.stage_key == "1-turn"
    match.pass_deadline()
    rulings = decode_report(match.reports(0)[-1].data).rulings
    assert [(ruling.code, ruling.reason) for ruling in rulings] == [("deadline_extended", "the post was down")]
    match.pass_deadline()
    assert decode_report(match.reports(0)[-1].data).rulings == ()


def test_ruling_is_told_once_though_a_stage_asks_several_times(database: Database) -> None:
    """The report that asks within the stage tells it, the next ones do not; who was not asked has it later."""
    match = begun(service_on(database), "brass_empire", 2, pace="strict")
    for seat in (0, 1):
        match.say(seat, "corporation any")
    match.settle()
    first = int(match.game.waiting)
    extend_deadline(match.service, match.code, 12, OPERATOR)
    for text in ("play all", "end"):
        match.say(first, text)
        match.settle()
    told = [[len(decode_report(row.data).rulings) for row in match.reports(seat)[2:]] for seat in (first, 1 - first)]
    assert told == [[1, 0], [1]]


def test_ended_deadline_and_forced_stage_play_on(database: Database) -> None:
    """Both go on with what the sheets say; each is on record."""
    match = begun(service_on(database), pace="brisk")
    end_deadline(match.service, match.code, OPERATOR)
    match.settle()
    assert match.game.stage_key == "2-turn"
    force_stage(match.service, match.code, OPERATOR)
    match.settle()
    assert match.game.stage_key == "3-turn"
    assert [ruling.act for ruling in rulings_of(match.service, match.code)] == ["deadline_ended", "stage_forced"]


def test_orders_entered_for_a_seat_are_its_orders(database: Database) -> None:
    """The player gets the acknowledgement; all are told that it was done, not what was entered."""
    match = begun(service_on(database), pace="brisk")
    taken = enter_orders(match.service, match.code, 1, BIDS, OPERATOR)
    assert taken.acknowledgement is not None
    assert match.seats[1].ready
    (letter,) = match.letters(1, "acknowledgement")
    assert "The orders of Green are in" in letter.text
    assert "The moderator entered this for Green" in " ".join(letter.text.split())
    match.pass_deadline()
    ruling = decode_report(match.reports(0)[-1].data).rulings[0]
    assert (ruling.code, ruling.params) == ("orders_entered", {"seat": 1})


@pytest.mark.parametrize("standins", [{"blue": "random"}, {}])
def test_orders_can_be_entered_for_a_seat_that_nobody_holds(database: Database, standins: dict[str, str]) -> None:
    """Its sheet plays; who left is shown nothing of it, and what only a player could follow is refused."""
    match = begun(service_on(database), seats=3 - len(standins), pace="brisk", standins=standins)
    if not standins:
        open_seat(match.service, match.code, 2, OPERATOR)
    before = len(match.letters(2))
    taken = enter_orders(match.service, match.code, 2, BIDS, OPERATOR)
    assert taken.acknowledgement is not None
    assert taken.acknowledgement.sheet == (BIDS,)
    with pytest.raises(Refused, match="nobody_there"):
        enter_orders(match.service, match.code, 2, "to red: hello", OPERATOR)
    match.pass_deadline()
    assert match.game.stage_key == "2-turn"
    assert len(match.letters(2)) == before


@pytest.mark.parametrize(
    "line",
    [
        "vote yes",
        "propose draw",
        "to red: hello",
        "mute red",
        "mail when asked",
        "away 2026-12-24 to 2026-12-27",
        "extend 24h: at sea",
    ],
)
def test_what_only_a_player_says_can_not_be_entered_for_a_seat(database: Database, line: str) -> None:
    """Nothing of it is done, nobody is told, and it is named; orders beside it wait until they are entered alone."""
    match = begun(service_on(database), pace="brisk", moderator="mod@players.example")
    match.say(0, "propose draw")
    before = len(match.letters())
    with pytest.raises(Refused) as refused:
        enter_orders(match.service, match.code, 1, f"{BIDS}\n{line}", OPERATOR)
    assert (refused.value.code, refused.value.params) == ("players_alone", {"line": line})
    match.settle()
    assert len(match.letters()) == before
    assert match.game.status == "playing"
    assert not rulings_of(match.service, match.code)
    assert enter_orders(match.service, match.code, 1, BIDS, OPERATOR).number is not None


def test_who_enters_orders_is_told_of_as_one_who_looked(database: Database) -> None:
    """The acknowledgement shows the seat's sheet and what it has: all learn of it at once, even of a mere `check`."""
    match = begun(service_on(database), pace="brisk")
    match.say(1, BIDS)
    taken = enter_orders(match.service, match.code, 1, "check", OPERATOR)
    assert taken.acknowledgement is not None
    assert taken.acknowledgement.sheet == (BIDS,)
    assert {letter.seat for letter in match.letters(kind="looked")} == {0, 1, 2}
    assert rulings_of(match.service, match.code)[0].secret


def test_deadline_that_is_ended_lets_count_what_came_before(database: Database) -> None:
    """However shortly, and read however late; what comes after it is late by as long as it came after it."""
    match = begun(service_on(database), pace="brisk", schedule={**AT_ANY_HOUR, "grace": "30"})
    report = match.letters(0, "report")[-1]

    def come(text: str) -> None:
        mail = reply(report, text)
        store(match.service, [Arrived(mail.as_bytes(), clock.now(), report.recipient, (str(mail["To"]),))])

    come(BIDS)
    clock.shift(timedelta(milliseconds=70))
    end_deadline(match.service, match.code, OPERATOR)
    match.settle()
    assert match.game.stage_key == "2-turn"
    clock.shift(timedelta(seconds=5))
    come(f"{BIDS}\nready")
    match.settle()
    first, second = match.letters(0, "acknowledgement")
    assert "Your orders are in" in first.text
    assert "We received them 5 seconds after its time was over." in second.text


def test_forced_stage_is_played_whatever_comes_in_before_it_is(database: Database) -> None:
    """Orders that arrive between the ruling and the play neither stop nor delay it, nudge or no nudge."""
    match = begun(service_on(database), pace="brisk")
    force_stage(match.service, match.code, OPERATOR)
    match.say(0, "bid 1\nnot ready")
    match.settle()
    assert match.game.stage_key == "2-turn"


def test_late_orders_can_be_admitted(database: Database) -> None:
    """The moderator's word does what the player's `use` would."""
    match = begun(service_on(database), pace="brisk")
    first = (match.game.line, match.game.stage_key)
    match.pass_deadline()
    match.say(0, BIDS, asked=first)
    admit_late(match.service, match.code, 0, OPERATOR)
    assert match.seats[0].ready


def test_look_at_hidden_things_is_announced_at_once(database: Database) -> None:
    """Every player has the letter before anything is shown."""
    match = begun(service_on(database), pace="brisk")
    position = look(match.service, match.code, OPERATOR)
    assert position.table.state.hands
    assert len(match.letters(kind="looked")) == 3
    assert rulings_of(match.service, match.code)[0].secret


def test_only_moderators_rule_and_never_without_a_reason(database: Database) -> None:
    """A player is no moderator; the game's own moderator and one of the site are."""
    match = begun(service_on(database), pace="brisk", moderator="mod@players.example")
    with pytest.raises(Refused, match="not_moderator"):
        extend_deadline(match.service, match.code, 1, Actor("I am late", "ann@players.example"))
    with pytest.raises(Refused, match="no_reason"):
        extend_deadline(match.service, match.code, 1, Actor(" "))
    extend_deadline(match.service, match.code, 1, Actor("asked for", "mod@players.example"))
    create_account(match.service, "site@players.example", moderator=True)
    extend_deadline(match.service, match.code, 1, Actor("asked for", "site@players.example"))
    assert [ruling.number for ruling in rulings_of(match.service, match.code)] == [1, 2]


@pytest.mark.parametrize("command", [each for each in COMMANDS if SEAT in each.parameters], ids=lambda each: each.name)
@pytest.mark.parametrize("is_player", [False, True])
def test_seat_that_is_not_there_is_refused(database: Database, command: Command, is_player: bool) -> None:
    """Whoever rules, by a number below or beyond the seats nothing is done, and the answer says that there is none."""
    match = begun(service_on(database), moderator="ann@players.example")
    given = {LEVEL: "steady", LINES: "bid 1", PLAYER: Guest("new@players.example", "New")}
    actor = Actor("a slip", "ann@players.example" if is_player else "")
    for number in (-1, 3, 99):
        with pytest.raises(Refused) as refused:
            command.act(match.service, match.code, {**given, SEAT: number}, actor)
        assert refused.value.code in (("no_seat", "plays_too") if is_player else ("no_seat",))
    assert rulings_of(match.service, match.code) == []


def test_reason_is_one_line_of_a_limited_length(database: Database) -> None:
    """It is mailed to all: nobody writes a report's other lines with it, nor a book."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    for none in ("", " \n\t "):
        with pytest.raises(Refused, match="no_reason"):
            extend_deadline(match.service, match.code, 1, Actor(none))
    with pytest.raises(Refused, match="long_reason"):
        extend_deadline(match.service, match.code, 1, Actor("x" * (MAX_REASON + 1)))
    assert rulings_of(match.service, match.code) == []
    extend_deadline(match.service, match.code, 1, Actor("a\n\nDeadline: never\r\n"))
    assert rulings_of(match.service, match.code)[0].reason == "a Deadline: never"
    assert "a Deadline: never" in " ".join(match.letters(0, "ruling")[-1].text.split())


def test_a_deadline_that_stays_where_it_is_is_no_ruling(database: Database) -> None:
    """Nobody is told that it was moved."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    with pytest.raises(Refused, match="nothing_changed"):
        extend_deadline(match.service, match.code, 0, OPERATOR)
    assert rulings_of(match.service, match.code) == []
    assert match.letters(kind="ruling") == []


@pytest.mark.parametrize("stopped", ["held for review", "paused", "set aside"])
def test_game_that_does_not_go_on_is_ended_all_the_same(database: Database, stopped: str) -> None:
    """All are told that it is ended: then it is, whatever kept it from going on."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    if stopped == "held for review":
        hold_for_review(match.service, match.code, OPERATOR)
    elif stopped == "paused":
        pause(match.service, match.code, OPERATOR)
    else:
        with match.service.writing() as session:
            game = session.merge(match.game)
            game.aside, game.problem, game.failures = True, "failed", 3
            session.add(game)
    end_game(match.service, match.code, RULED, None, OPERATOR)
    match.settle()
    assert match.game.status == "over"
    assert not match.game.aside
    assert "ended" in match.letters(0, "report")[-1].text


@pytest.mark.parametrize("name", ["players", "Operator", " service"])
def test_nobody_passes_by_their_name_for_the_players_or_the_operator(database: Database, name: str) -> None:
    """What a moderator of that name rules is not told as what a vote has carried."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    create_account(match.service, "mod@players.example", name, moderator=True)
    extend_deadline(match.service, match.code, 24, Actor("a holiday", "mod@players.example"))
    assert f"“{name.strip()}”: The deadline was moved" in " ".join(match.letters(0, "ruling")[-1].text.split())


def test_operator_is_spoken_of_in_a_sentence(database: Database) -> None:
    """Not by the bare word that is on record."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    extend_deadline(match.service, match.code, 24, OPERATOR)
    look(match.service, match.code, OPERATOR)
    assert ", the operator: The deadline was moved" in " ".join(match.letters(0, "ruling")[-1].text.split())
    assert "The operator looked at hidden information" in " ".join(match.letters(0, "looked")[-1].text.split())


def test_game_that_goes_on_is_not_taken_up(database: Database) -> None:
    """It is said that there is nothing to be taken up, and nothing is put on record."""
    match = begun(service_on(database, mail_port=0), pace="brisk")
    with pytest.raises(Refused, match="goes_on"):
        resume(match.service, match.code, OPERATOR)
    assert rulings_of(match.service, match.code) == []
