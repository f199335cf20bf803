"""The commands that any game takes: a mail in, a mail out."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from pbem import clock
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import pause
from pbem.rulings.sheets import enter_orders
from pbem.storage.models import Press, Submission
from pbem.storage.sessions import Database
from tests.ops.test_docs import DOCS, lines
from tests.pbem.games.test_play import BIDS
from tests.pbem.playing import Match, begun, placing, service_on
from tests.pbem.sheets.mailed import answer, mailed, title
from tests.pbem.sheets.test_undo import sheet


def playing(database: Database, **plan: object) -> Match:
    """A brisk game whose settling time does not run out by itself."""
    return begun(service_on(database, mail_port=0), **{"pace": "brisk", "settle_minutes": 60, **plan})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("first", "text", "expected"),
    [
        ("", BIDS, "Your orders are in"),
        ("", f"{BIDS}\nready", "Your orders are in"),
        ("", "bid 1\nattack nobody with 3", "Your orders are in, with a problem"),
        (BIDS, "not ready", "The game waits for you"),
        (f"{BIDS}\nnot ready", "ready", "You are ready"),
        ("", "ready", "You are ready"),
        (BIDS, "clear", "Your sheet is changed"),
        (BIDS, "cancel bid", "Your sheet is changed"),
        ("", "clear", "Your sheet is as it was"),
        (BIDS, "never mind", "Your sheet is as it was"),
        ("always defend nothing", "never mind defend", "Your sheet is changed"),
        ("", "use", "Nothing could be used; your orders are as they were"),
        ("", "hello there", "No order was found"),
        ("", "to green: hello", "Your message was read; your orders are as they were"),
        ("", "check\nbid 1", "Checked; nothing was kept"),
        (BIDS, "check\nready", "Checked; nothing was kept"),
    ],
)
def test_title_says_what_was_done(database: Database, first: str, text: str, expected: str) -> None:
    """A mail that only says `ready` or clears a sheet is not told that its orders are in."""
    match = playing(database)
    if first:
        match.say(0, first)
    (told,) = [letter for letter in mailed(match, 0, text) if letter.kind == "acknowledgement"]
    assert title(told.text) == expected


def test_what_reached_others_is_not_called_unused(database: Database) -> None:
    """One line did something and another could not be used: both are told."""
    match = playing(database)
    text = answer(match, 0, "to green: hello\n\nto red: hello me")
    assert title(text) == "Read, with a problem; your orders are as they were"
    assert "Your message went to: Green" in text
    assert "There is nobody whom that message would reach" in " ".join(text.split())


def test_orders_for_a_stage_that_closed_early_are_not_told_of_a_deadline(database: Database) -> None:
    """How late they were goes by its end, though its deadline is yet to come."""
    match = playing(database)
    first = match.letters(0, "report")[-1]
    for seat in range(3):
        match.say(seat, f"{BIDS}\nready")
    clock.shift(timedelta(minutes=61))
    match.settle()
    assert match.game.stage_key != first.stage_key
    clock.shift(timedelta(minutes=5))
    (late,) = mailed(match, 0, BIDS, first)
    assert title(late.text) == "Your orders came too late for their stage"
    assert "We received them 5 minutes after its time was over." in late.text


def test_use_alone_is_told_as_what_it_is(database: Database) -> None:
    """The late orders count from then on, and the letter says how many they were."""
    match = playing(database)
    first = match.letters(0, "report")[-1]
    match.pass_deadline()
    (late,) = mailed(match, 0, f"{BIDS}\ndefend nothing", first)
    assert title(late.text) == "Your orders came too late for their stage"
    text = answer(match, 0, "use")
    assert title(text) == "Your late orders count now"
    assert "2 late orders count now." in text
    assert match.seats[0].ready


def test_late_orders_that_nothing_can_come_of_now_are_told_and_make_nobody_ready(database: Database) -> None:
    """Taken up by `use`, they stand on the sheet, and what stands against them is said."""
    match, asked = placing(database)
    seat = (asked + 1) % 4
    match.say(seat, "bid 100", asked=(match.game.line, "1-auction"))
    text = answer(match, seat, "use")
    assert title(text) == "Your late orders count now"
    assert "One order on it can't be used in this stage\n" in text
    assert not match.seats[seat].ready


def test_late_standing_orders_are_not_told_to_wait(database: Database) -> None:
    """They count at once; what is for once is kept, and `use` takes it."""
    match = playing(database)
    first = match.letters(0, "report")[-1]
    match.pass_deadline()
    (told,) = mailed(match, 0, f"always defend nothing\n{BIDS}", first)
    text = " ".join(told.text.split())
    assert 'Those that begin with "always" count from now on. The others are kept but not used' in text
    (told,) = mailed(match, 0, "always defend nothing\nbid 1\ncancel bid", first)
    text = " ".join(told.text.split())
    assert "Standing orders are for other stages as well: they count from now on." in text
    assert "kept but not used" not in text


def test_who_is_asked_nothing_is_told_the_same_by_check(database: Database) -> None:
    """Ready or not, with an empty sheet or a full one."""
    match, asked = placing(database)
    seat = (asked + 1) % 4
    for text in ("place control", "ready"):
        match.say(seat, text)
        assert match.seats[seat].ready
        told = " ".join(answer(match, seat, "check\nclear").split())
        assert "You are asked nothing now: the game does not wait for you." in told
        assert "you would be ready" not in told


def test_confirm_is_the_answer_to_the_letter_that_asks_for_it(database: Database) -> None:
    """Sent in answer to another letter it does nothing, and that is said: its sender may think that they have left."""
    match = playing(database)
    text = answer(match, 0, "confirm")
    assert title(text) == "Nothing could be used; your orders are as they were"
    assert "asks for nothing to be confirmed" in " ".join(text.split())
    assert match.seats[0].resigned is None


@pytest.mark.parametrize(
    ("text", "ready"), [("not ready\nready", True), ("ready\nnot ready", False), (f"not ready\n{BIDS}\nready", True)]
)
def test_the_last_word_on_readiness_holds(database: Database, text: str, ready: bool) -> None:
    """As with all lines of a mail that speak of one thing."""
    match = playing(database)
    match.say(0, text)
    assert match.seats[0].ready is ready


def test_an_order_that_nothing_can_come_of_makes_nobody_ready(database: Database) -> None:
    """It is no answer to what may still be asked; with another one that is, the seat is ready."""
    match, asked = placing(database)
    seat = (asked + 1) % 4
    match.say(seat, "bid 100")
    assert not match.seats[seat].ready
    match.say(seat, "bid 100\nplace control")
    assert match.seats[seat].ready


def test_who_is_asked_nothing_is_not_told_that_the_game_waits(database: Database) -> None:
    """Play stands at another seat's question: it waits for that one."""
    match, asked = placing(database)
    other = (asked + 1) % 4
    for text in ("to all: hello", "check\nnot ready"):
        told = " ".join(answer(match, other, text).split())
        assert "You are asked nothing now: the game does not wait for you." in told
        assert "the game waits for you, to the deadline" not in told
    assert title(answer(match, other, "not ready")) == "You are not ready"
    assert "the game waits for you, to the deadline" in " ".join(answer(match, asked, "to all: hello").split())
    assert title(answer(match, asked, "not ready")) == "The game waits for you"


def test_game_that_stands_still_waits_to_no_deadline(database: Database) -> None:
    """Where none runs, none is spoken of."""
    match = playing(database)
    pause(match.service, match.code, Actor("a holiday"))
    for text, said in (
        ("bid 1", "You are not ready yet."),
        ("check\nbid 1", "Sent like this, you would not be ready yet."),
    ):
        told = " ".join(answer(match, 0, text).split())
        assert said in told
        assert "The moderator has paused the game." in told
        assert "to the deadline" not in told


@pytest.mark.parametrize(
    ("text", "left", "expected"),
    [
        (f"{BIDS}\ndefend nothing\ncancel bid", ["defend nothing"], "Your orders are in"),
        (f"defend nothing\nclear\n{BIDS}", [BIDS], "Your orders are in"),
        (f"bid 90\nclear\n{BIDS}", [BIDS], "Your orders are in"),
        ("bid 90\nclear", [], "Your sheet is changed"),
        (f"clear\n{BIDS}", [BIDS], "Your orders are in"),
        (f"always defend nothing\n{BIDS}\nnever mind", [BIDS], "Your orders are in"),
    ],
)
def test_the_last_line_of_a_mail_holds(database: Database, text: str, left: list[str], expected: str) -> None:
    """What takes orders back takes those back that stand above it, and leaves those below."""
    match = playing(database)
    match.say(0, "bid 3\ndefend nothing")
    (told,) = mailed(match, 0, f"clear\n{text}")
    assert title(told.text) == expected
    assert sheet(match, 0) == left


def test_orders_that_their_own_mail_takes_back_are_not_taken_up_when_late(database: Database) -> None:
    """`use` finds what its player meant."""
    match = playing(database)
    first = (match.game.line, match.game.stage_key)
    match.pass_deadline()
    match.say(0, "bid 1\ncancel bid\ndefend nothing", asked=first)
    match.say(0, "use")
    assert sheet(match, 0) == ["defend nothing"]


def test_ready_for_a_stage_that_is_over_is_told_so(database: Database) -> None:
    """There is nothing in it to be kept, and the stage that is open is not touched."""
    match = playing(database)
    first = match.letters(0, "report")[-1]
    match.pass_deadline()
    (told,) = mailed(match, 0, "ready", first)
    assert title(told.text) == "What you answered is over; your orders are as they were"
    assert not match.seats[0].ready


def test_check_says_what_the_acknowledgement_says(database: Database) -> None:
    """Line by line, change by change, and what would be open: only nothing is kept."""
    match = playing(database)
    match.say(0, "bid 1\ndefend nothing")
    text = "bid 2 or 3\nplase wurkshop 7\ncancel defend\nHello!"
    checked = match.say(0, f"check\n{text}").acknowledgement
    kept = match.say(0, text).acknowledgement
    assert checked is not None
    assert kept is not None
    for name in ("lines", "problems", "passed_over", "added", "removed", "sheet", "unanswered", "later", "deadline"):
        assert getattr(checked, name) == getattr(kept, name), name
    assert checked.ready == kept.ready


def test_lines_in_doubt_come_first(database: Database) -> None:
    """What was taken for something else than was written is asked about before what is sure."""
    match = playing(database, rules="rockwell", seats=4)
    text = answer(match, 0, "always danger: all\nbid nothng")
    assert text.index("were they meant so?") < text.index('"bid nothing" (read') < text.index("What was read")
    assert text.index("What was read") < text.index("always danger")


def test_a_command_that_was_guessed_is_told_as_what_it_was_taken_for(database: Database) -> None:
    """Whoever wrote something else learns what was done in its stead."""
    match = playing(database)
    match.say(0, BIDS)
    text = answer(match, 0, "claer\nready")
    assert text.index("were they meant so?") < text.index('"claer" (read "claer" as "clear")') < text.index("# ready")


def test_greeting_leaves_the_sheet_alone(database: Database) -> None:
    """`Dear all` is spelt almost like a command that empties it."""
    match = playing(database)
    match.say(0, BIDS)
    text = answer(match, 0, "Dear all,\nattack nobody\n\nAll the best")
    assert "# - bid 1" not in text
    assert "2 lines were no orders" in text


def test_a_message_that_would_reach_nobody_is_refused(database: Database) -> None:
    """To oneself alone; one to another player as well goes to that one."""
    match = playing(database)
    text = answer(match, 0, "to red: hello me")
    assert title(text) == "Nothing could be used; your orders are as they were"
    assert "There is nobody whom that message would reach" in " ".join(text.split())
    assert "Your message went to: Green" in answer(match, 0, "to red and green: hello")


def test_time_is_asked_of_the_moderator_and_given_by_nobody_else(database: Database) -> None:
    """The moderator learns who asks, for how long and why, and what to type; the player that it was asked."""
    match = playing(database, moderator="mod@players.example", title="Deep")
    deadline = match.game.deadline
    assert deadline is not None
    letters = mailed(match, 0, "extend 2 days: my train is late")
    told = {letter.recipient: letter for letter in letters}
    assert set(told) == {"ann@players.example", "mod@players.example"}
    request = told["mod@players.example"].text
    assert "Ann (Red) asks for 48 hours more." in request
    assert "> my train is late" in request
    assert f"pbem game extend {match.code} --hours 48 --reason 'red asked' --as mod@players.example" in request
    assert "The moderator is asked for 48 hours, to " in told["ann@players.example"].text
    assert match.game.deadline == deadline
    with match.service.reading() as session:
        assert not [row for row in session.exec(select(Submission)) if row.seat != 0]


def test_where_nobody_could_be_asked_for_time_it_is_said(database: Database) -> None:
    """A game without moderator and operator has nobody to move its deadline."""
    assert "no moderator who could be asked" in answer(playing(database), 0, "extend 24h: ill")


def test_checked_request_for_time_reaches_nobody(database: Database) -> None:
    """`check` keeps it back as it does a message."""
    match = playing(database, moderator="mod@players.example")
    assert [letter.recipient for letter in mailed(match, 0, "check\nextend 24h: ill")] == ["ann@players.example"]


def test_press_ends_at_an_empty_line_or_end(database: Database) -> None:
    """What stands after it is orders again; each side reads its own message alone."""
    match = playing(database)
    letters = mailed(match, 0, "to green: shall we\nshare?\nend\nbid 1\nto all: hello\n\nready")
    press = sorted((letter.seat, "share?" in letter.text) for letter in letters if letter.kind == "press")
    assert press == [(1, False), (1, True), (2, False)]
    (told,) = [letter for letter in letters if letter.kind == "acknowledgement"]
    assert '# "bid 1"' in told.text
    with match.service.reading() as session:
        kept = session.exec(select(Press).order_by(col(Press.id)))
        assert [(row.seats, row.text) for row in kept] == [("1", "shall we\nshare?"), ("1,2", "hello")]


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("show orders", "orders", "Your orders as they stand"),
        ("show report", "report-again", "What is asked of you"),
        ("status", "status", "Your games"),
        ("history 3", "history", "What happened"),
        ("help", "help-", "How to write orders"),
        ("help bid", "help-bid", "How to write orders"),
        ("new token", "confirm-new_token", "answer this mail with the one word"),
        ("resign", "confirm-resign", "answer this mail with the one word"),
    ],
)
def test_question_is_answered_by_one_letter(database: Database, text: str, kind: str, says: str) -> None:
    """To the account's own address, without an acknowledgement beside it, and nothing changes by it."""
    match = playing(database)
    match.pass_deadline()
    before = match.seats[0].model_dump(exclude={"nonce", "seal"})
    (letter,) = mailed(match, 0, text)
    assert (letter.kind, letter.recipient) == (kind, "ann@players.example")
    assert says in letter.text
    assert match.seats[0].model_dump(exclude={"nonce", "seal"}) == before


def test_what_is_to_be_confirmed_stands_in_the_subject(database: Database) -> None:
    """Each is done by the same word, and one of them can't be undone."""
    match = playing(database)
    subjects = [letter.subject for letter in mailed(match, 0, "new token\nresign")]
    assert subjects == ["Confirm that you want new reply addresses", f"{match.game.title}: confirm that you leave"]


@pytest.mark.parametrize(("kind", "done"), [("resign", "resigned"), ("new_token", "newtoken")])
def test_confirmed_by_mail_it_is_done(database: Database, kind: str, done: str) -> None:
    """Leaving and new addresses are done by the answer `confirm`, and not before."""
    match = playing(database)
    (asks,) = mailed(match, 0, kind.replace("_", " "))
    assert not match.letters(kind=done)
    assert done in {letter.kind for letter in mailed(match, 0, "confirm", asks)}


def test_moderator_at_the_command_line_writes_the_same_commands(database: Database) -> None:
    """What is entered for a seat is read as its player's mail would be; the player is told."""
    match = playing(database)
    match.say(0, BIDS)
    taken = enter_orders(match.service, match.code, 0, "not ready\ncancel bid", Actor("asked by telephone"))
    assert taken.acknowledgement is not None
    assert taken.acknowledgement.sheet == ()
    assert not match.seats[0].ready
    assert title(match.letters(0, "acknowledgement")[-1].text) == "Your sheet is changed"


def test_every_command_of_the_players_guide_is_followed(database: Database) -> None:
    """In the order of the guide, by a player who has orders, late ones too: each has an answer that refuses nothing."""
    match = playing(
        database,
        rules="rockwell",
        seats=4,
        moderator="mod@players.example",
        policy={"ask_share": "100", "press": "choose"},
    )
    before = (match.game.line, match.game.stage_key)
    match.pass_deadline()
    match.say(1, "bid 100\ndrill 2: c1 stay\nalways danger: all")
    match.say(1, "bid 200", asked=before)
    for line in lines(DOCS / "player.md", "commands"):
        known = {letter.id for letter in match.letters(1)}
        taken = match.say(1, line).acknowledgement
        assert taken is not None
        assert not taken.problems, line
        assert [letter for letter in match.letters(1) if letter.id not in known], line


def test_ready_takes_the_default_of_what_is_asked_now_alone(database: Database) -> None:
    """At the strict pace what comes up later in the stage is asked for all the same."""
    match = begun(service_on(database, mail_port=0), "rockwell", 4, settle_minutes=10)
    for seat in range(4):
        match.say(seat, "bid nothing")
    clock.shift(timedelta(minutes=11))
    match.settle()
    assert match.game.stage_key == "1-placing"
    seat = int(match.game.waiting)
    text = answer(match, seat, "ready")
    assert "the game does not wait for your answer, and what is said here is done" in text
    for other in range(4):
        if other != seat:
            match.say(other, "place control or exchange or workshop\nplace workshop or control or exchange\nready")
    clock.shift(timedelta(minutes=11))
    match.settle()
    assert (match.game.stage_key, match.game.waiting) == ("1-placing", str(seat))


def test_who_is_asked_within_a_stage_has_time(database: Database) -> None:
    """Half of a stage at least, however late the one before answered; the deadline passes over who was asked alone."""
    match = begun(service_on(database, mail_port=0), "rockwell", 4, stage_hours=24)
    for seat in range(4):
        match.say(seat, "bid nothing")
    match.settle()
    first = int(match.game.waiting)
    opened = match.game.deadline
    assert opened is not None
    clock.shift(timedelta(hours=23))
    match.say(first, "place workshop or control or exchange")
    match.settle()
    second = int(match.game.waiting)
    assert second != first
    deadline = match.game.deadline
    assert deadline is not None
    assert timedelta(hours=10) < deadline - opened < timedelta(hours=12)
    match.pass_deadline()
    third = int(match.game.waiting)
    assert third not in (first, second)
    assert match.game.deadline is not None
    assert match.game.deadline - deadline >= timedelta(hours=24)
