"""A program of a player sees and does by the API what its player sees and does by mail and page, and no more."""

from typing import Any

import pytest

from pbem.reports.data import decode_report
from pbem.reports.render import report_letter
from pbem.storage.models import Account
from pbem.storage.sessions import Database
from pbem.tokens import READ
from pbem.web import create_app
from pbem.web.api.routes import CALLS
from pbem.words import PSEUDO, Words
from tests.pbem.games.test_play import BIDS
from tests.pbem.playing import Match, begun, created, service_on
from tests.pbem.reports.plain import bypassing
from tests.pbem.web.api.calling import Program, program
from tests.pbem.web.visiting import Visit, app_on

ANN = "ann@players.example"
UNBROKEN = {"ask_share": "100", "pause_after": "0"}
"""Silence stops nothing."""


def test_my_games_tell_deadline_who_is_waited_for_and_what_is_asked(database: Database) -> None:
    """The most urgent first; of who has answered nothing is asked any more."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    created(match.service, title="Pond")
    api = program(match)
    invited, asked = api.get("/games")["games"]
    assert (invited["title"], invited["state"], invited["asks"]) == ("Pond", "invited", [])
    assert (asked["code"], asked["side"], asked["state"]) == (match.code, "Red", "asked")
    assert asked["waiting"] == ["Red", "Green", "Purple", "White"]
    assert "Your bid for the auction" in asked["asks"][0]
    deadline = match.game.deadline
    assert deadline is not None
    assert asked["deadline"] == deadline.isoformat().replace("+00:00", "Z")
    api.post(f"/games/{match.code}/orders", text="bid 100")
    found = next(row for row in api.get("/games")["games"] if row["code"] == match.code)
    assert (found["state"], found["asks"]) == ("waiting", [])


def test_a_game_is_shown_as_all_its_players_see_it(database: Database) -> None:
    """The same for every seat but for which is mine; the secret only when it is over."""
    match = begun(service_on(database), pace="brisk", options={"turns": 3}, policy=UNBROKEN)
    app = create_app(match.service)
    mine, other = (program(match, seat, READ, app).get(f"/games/{match.code}") for seat in (0, 1))
    assert [side["mine"] for side in mine["sides"]] == [True, False, False]
    assert [side["id"] for side in mine["sides"]] == ["red", "green", "blue"]
    for each in (mine, other):
        for side in each["sides"]:
            del side["mine"]
    assert mine == other
    assert mine["public"] == decode_report(match.reports(0)[-1].data).public
    assert (mine["secret"], mine["standings"]) == ("", [])
    while match.game.status == "playing":
        match.pass_deadline()
    ended = program(match, 0, READ, app).get(f"/games/{match.code}")
    assert (ended["status"], ended["secret"]) == ("over", match.game.secret.hex())
    assert len(ended["standings"]) == 3


def test_reports_are_those_of_the_mails(database: Database) -> None:
    """Text as in the letter, data as stored, of one's own seat alone."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    match.pass_deadline()
    api, path = program(match, 1, READ), f"/games/{match.code}/reports"
    rows, stored = api.get(path)["reports"], match.reports(1)
    assert [row["number"] for row in rows] == list(range(len(stored), 0, -1))
    told = api.get(f"{path}/{len(stored)}")
    report = decode_report(stored[-1].data)
    assert told["text"] == report_letter(report, Words.of("en")).text
    assert told["subject"] == match.letters(1, "report")[-1].subject
    assert (told["data"]["seat"], told["data"]["view"]) == (1, report.view)
    api.get(f"{path}/{len(stored) + 1}", 404)
    api.get(f"{path}/0", 404)


def test_a_seat_is_told_what_is_asked_and_what_its_sheet_answers(database: Database) -> None:
    """With a form, examples that can be sent as they are, and what happens otherwise."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    api, path = program(match), f"/games/{match.code}"
    now = api.get(f"{path}/seat")
    assert now["form"] == ["bid ____"]
    assert (now["sheet"], now["ready"], now["late"]) == ([], False, False)
    assert now["otherwise"] == ["You bid nothing."]
    assert api.post(f"{path}/orders", text=now["examples"][0], stage=now["stage"])["outcome"] == "kept"
    now = api.get(f"{path}/seat")
    assert (now["sheet"], now["form"], now["ready"]) == ([now["examples"][0]], [], True)


def test_the_form_has_as_many_lines_as_are_needed_and_one_of_what_may_be_said(database: Database) -> None:
    """The same as in the letter: not four lines for each of what nobody must answer."""
    match = begun(service_on(database), "rockwell", 2, pace="brisk")
    match.pass_deadline()
    form = program(match).get(f"/games/{match.code}/seat")["form"]
    assert [line for line in form if form.count(line) > 1] == ["place ____", "place ____"]
    assert {"insure ____", "automaton ____", "first ____"} < set(form)
    letter = match.letters(0, "report")[-1].text.splitlines()
    assert [line.strip() for line in letter if line.strip().endswith("____")] == form


def test_a_check_keeps_nothing_and_says_what_the_acknowledgement_would(database: Database) -> None:
    """With a token for reading too; what can't be read comes back with the nearest that can."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    api, path = program(match, scope=READ), f"/games/{match.code}/orders/check"
    before, letters = match.game.version, len(match.letters())
    told = api.post(path, text="bid 100\ndrill 2: c9 to Z9")
    assert (told["outcome"], told["ready"], told["sheet"], told["seal"]) == ("checked", True, ["bid 100"], "")
    assert [each["text"] for each in told["data"]["problems"]] == ["drill 2: c9 to Z9"]
    assert "nothing was kept" in told["text"]
    assert (match.game.version, len(match.letters())) == (before, letters)
    assert match.seats[0].ready is False


def test_orders_are_kept_played_and_acknowledged_by_mail(database: Database) -> None:
    """The same submission as by mail: on record, with its letter, carried out when the stage closes."""
    match = begun(service_on(database), pace="brisk")
    api = program(match)
    told = api.post(f"/games/{match.code}/orders", text=BIDS)
    assert (told["outcome"], told["ready"]) == ("kept", True)
    letter = match.letters(0, "acknowledgement")[-1]
    assert told["seal"] in letter.text
    assert match.game.next_submission == 2
    match.pass_deadline()
    text = api.get(f"/games/{match.code}/reports/{len(match.reports(0))}")["text"]
    assert "What became of your orders" in text


def test_an_acknowledgement_comes_as_the_player_has_chosen(database: Database) -> None:
    """With one letter a day it waits for that one."""
    match = begun(service_on(database), pace="brisk")
    api = program(match)
    api.post(f"/games/{match.code}/orders", text="mail daily at 8:00")
    api.post(f"/games/{match.code}/orders", text=BIDS)
    assert match.letters(0, "acknowledgement")[-1].problem == "daily-mail"


def test_what_was_sent_by_a_program_is_undone_by_mail_and_by_itself(database: Database) -> None:
    """It is the last act of the seat, whichever way it came."""
    match = begun(service_on(database), pace="brisk")
    api, path = program(match), f"/games/{match.code}"
    for undo in (lambda: match.say(0, "undo"), lambda: api.post(f"{path}/orders", text="undo")):
        api.post(f"{path}/orders", text=BIDS)
        assert api.get(f"{path}/seat")["sheet"] != []
        undo()
        assert api.get(f"{path}/seat")["sheet"] == []


def test_the_same_with_the_same_key_counts_once(database: Database) -> None:
    """A program that was not answered sends it again without harm."""
    match = begun(service_on(database), pace="brisk")
    api, path = program(match), f"/games/{match.code}/orders"
    first = api.post(path, text="bid 1", key="a")
    again = api.post(path, text="bid 1", key="a")
    assert (first["outcome"], again["outcome"]) == ("kept", "counted_before")
    assert again["sheet"] == first["sheet"]
    assert match.game.next_submission == 2
    assert api.post(path, text="bid 1", key="b")["outcome"] == "kept"
    assert match.game.next_submission == 3
    message: dict[str, Any] = {"to": ["green"], "text": "psst", "key": "a"}
    assert [api.post(f"/games/{match.code}/messages", **message)["duplicate"] for _ in range(2)] == [False, True]
    assert len(program(match, 1).get(f"/games/{match.code}/messages")["messages"]) == 1


def test_orders_for_a_stage_that_has_closed_are_late(database: Database) -> None:
    """The mark of the stage that they were written for tells."""
    match = begun(service_on(database), pace="brisk")
    api, path = program(match), f"/games/{match.code}"
    mark = api.get(f"{path}/seat")["stage"]
    match.pass_deadline()
    told = api.post(f"{path}/orders", text="bid 1", stage=mark)
    assert (told["outcome"], told["sheet"]) == ("late", [])
    assert api.get(f"{path}/seat")["stage"] != mark


def test_ready_and_not_ready(database: Database) -> None:
    """As by the buttons of the page."""
    match = begun(service_on(database), pace="brisk")
    api, path = program(match), f"/games/{match.code}/ready"
    assert api.post(path, ready=True)["ready"] is True
    assert match.seats[0].ready
    assert api.post(path, ready=False)["ready"] is False
    assert not match.seats[0].ready


def test_messages_are_written_and_read(database: Database) -> None:
    """Each side reads what is for it; who does not sign is not named."""
    match = begun(service_on(database), pace="brisk", policy={"press": "choose"})
    app = create_app(match.service)
    red, green, blue = (program(match, seat, app=app) for seat in range(3))
    path = f"/games/{match.code}/messages"
    red.post(path, to=["green"], text="bid 3\n\nend\nand see")
    red.post(path, to=["green", "blue"], text="boo", anonymous=True)
    newest, oldest = green.get(path)["messages"]
    assert (newest["author"], newest["text"]) == ("", "boo")
    assert (oldest["author"], oldest["readers"]) == ("Red", ["Green"])
    assert "and see" in oldest["text"]
    assert [each["text"] for each in blue.get(path)["messages"]] == ["boo"]
    assert [each["mine"] for each in red.get(path)["messages"]] == [True, True]
    assert match.game.next_submission == 3
    assert red.get(f"/games/{match.code}/seat")["sheet"] == []


def test_a_message_that_can_not_go_out_says_why(database: Database) -> None:
    """To nobody, too long, to a side that there is not: nothing is kept and no letter goes out."""
    match = begun(service_on(database), pace="brisk")
    api, path = program(match), f"/games/{match.code}/messages"
    letters = len(match.letters())
    told = api.post(path, 422, to=["green", "gren", "red"], text="hey")
    assert [each["where"] for each in told["errors"]] == ["/to/1", "/to/2"]
    assert "green, blue, all, moderator" in told["errors"][0]["right"]
    assert "characters" in api.post(path, 409, to=["all"], text="hey " * 3000)["detail"]
    assert len(match.letters()) == letters
    assert api.get(path)["messages"] == []


def every_call(match: Match, api: Program, status: int) -> None:
    """Each call on a game is answered with that status."""
    bodies: dict[str, dict[str, Any]] = {"send_message": {"to": ["green"], "text": "hey"}, "set_ready": {"ready": True}}
    for call in CALLS:
        if "<code>" in call.path:
            path = call.path.replace("<code>", match.code).replace("<int:number>", "1")
            if call.body is None:
                api.get(path, status)
            else:
                api.post(path, status, **bodies.get(call.name, {"text": "bid 1"}))


def test_another_seat_is_not_found(database: Database) -> None:
    """By any call, whether the game exists or not; after one has left it too."""
    match = begun(service_on(database), pace="brisk")
    other = begun(match.service, pace="brisk", code="pond")
    with match.service.writing() as session:
        seat = session.merge(other.seats[0])
        seat.account_id = None
        session.add(seat)
    api = program(match)
    every_call(other, api, 404)
    assert other.game.next_submission == 1
    assert api.get("/games/pond", 404) == api.get("/games/nothing", 404)


def test_a_token_for_reading_changes_nothing(database: Database) -> None:
    """Each call that would is forbidden; all others are not."""
    match = begun(service_on(database), pace="brisk")
    reader, path = program(match, scope=READ), f"/games/{match.code}"
    for call, given in (
        ("orders", {"text": "bid 1"}),
        ("ready", {"ready": True}),
        ("messages", {"to": ["green"], "text": "hey"}),
    ):
        assert "reading alone" in reader.post(f"{path}/{call}", 403, **given)["detail"]
    assert match.game.next_submission == 1
    for call in ("", "/seat", "/reports", "/reports/1", "/messages"):
        reader.get(path + call)


def test_a_session_is_no_token(database: Database) -> None:
    """Nobody who is signed in can be made to call the API by another site."""
    match = begun(service_on(database), pace="brisk")
    visit = Visit(app_on(match.service), match.service, ANN)
    assert visit.client.get("/api/v1/games").status_code == 401
    answer = visit.client.post(f"/api/v1/games/{match.code}/orders", json={"text": "bid 1"})
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert match.game.next_submission == 1


def test_a_game_that_takes_no_orders_says_so(database: Database) -> None:
    """One that is over, one that has not begun, one that was set aside."""
    over = begun(service_on(database), pace="brisk", options={"turns": 3}, policy=UNBROKEN)
    while over.game.status == "playing":
        over.pass_deadline()
    gathering, aside = created(over.service), begun(over.service, pace="brisk")
    with over.service.writing() as session:
        row = session.merge(aside.game)
        row.aside = True
        session.add(row)
    api = program(over)
    for match in (over, gathering, aside):
        path = f"/games/{match.code}"
        assert "not being played" in api.post(f"{path}/orders", 409, text="bid 1")["detail"]
        api.post(f"{path}/orders/check", 409, text="bid 1")
        api.post(f"{path}/ready", 409, ready=True)
        api.post(f"{path}/messages", 409, to=["green"], text="hey")
        assert api.get(f"{path}/seat")["state"] in ("over", "gathering", "aside", "invited")


def test_what_is_wrong_with_a_body_is_told_part_by_part(database: Database) -> None:
    """What was wrong, where, and what would be right; nothing is kept."""
    match = begun(service_on(database), pace="brisk")
    api, path = program(match), f"/games/{match.code}"
    told = api.post(f"{path}/orders", 422, text=7, stage="soon", note="x")
    assert {each["where"]: each["right"] for each in told["errors"]}["/text"] == "a string"
    assert {each["where"] for each in told["errors"]} == {"/text", "/stage", "/note"}
    assert api.post(f"{path}/orders", 422)["errors"][0]["wrong"] == "it is missing"
    for body in (b"", b"{", b"[]", b"7", b"\xff", b'{"text": "\\ud800"}', b"[" * 60_000, b'{"text": "bid \\u0000"}'):
        assert api.raw(f"{path}/orders", body, 422)["errors"]
    assert "Content-Type" in api.raw(f"{path}/orders", b"text=bid", 415, "application/x-www-form-urlencoded")["detail"]
    assert match.game.next_submission == 1


def test_sizes_are_bounded_before_anything_is_read(database: Database) -> None:
    """A body beyond the limit is not parsed; the longest text that counts fits in it with every letter escaped."""
    match = begun(service_on(database), pace="brisk")
    api, path = program(match), f"/games/{match.code}/orders"
    assert "150,000 bytes" in api.raw(path, b"{" * 150_001, 413)["detail"]
    api.raw(path, b'{"text": "' + b"\\u0078" * 20_000 + b'"}', 200)
    api.raw(path, b'{"text": "' + b"x" * 20_001 + b'"}', 422)


def test_rates_are_bounded_for_a_token_and_for_a_client(database: Database) -> None:
    """One program can't call without end, and another's is not held up by it; made up tokens share one limit."""
    match = begun(service_on(database), pace="brisk")
    app = create_app(match.service)
    ann, ben = program(match, 0, app=app), program(match, 1, app=app)
    path = f"/games/{match.code}/seat"
    for _ in range(120):
        ann.client.get("/api/v1/nothing/there", headers={"Authorization": f"Bearer {ann.token}"})
        ann.get("/games")
    assert "Retry-After" in ann.get("/games", 429)["detail"]
    ben.get(path)
    for number in range(500):
        ben.client.get("/api/v1/games", headers={"Authorization": f"Bearer pbem_{number}"})
    ben.get(path, 429)


def test_nothing_there_and_a_wrong_method_are_told_as_problems(database: Database) -> None:
    """Also where no call is near."""
    match = begun(service_on(database), pace="brisk")
    client = create_app(match.service).test_client()
    for answer, status in (
        (client.get("/api/v1/nothing"), 404),
        (client.get("/api/nothing"), 404),
        (client.delete("/api/v1/games"), 405),
        (client.put(f"/api/v1/games/{match.code}/orders"), 405),
    ):
        assert (answer.status_code, answer.content_type) == (status, "application/problem+json")
    assert "GET" in client.delete("/api/v1/games").headers["Allow"]


def test_all_words_come_from_the_catalog(database: Database) -> None:
    """Answers and problems are in the language of the player."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    api, path = program(match, scope=READ), f"/games/{match.code}"
    with match.service.writing() as session:
        account = session.get_one(Account, match.seats[0].account_id)
        account.language = PSEUDO
        session.add(account)
    told = [api.get(f"{path}/seat")["asks"][0], api.get("/games")["games"][0]["rules"]]
    told.append(api.post(f"{path}/ready", 403, ready=True)["detail"])
    problem = api.post(f"{path}/orders/check", 422, text=7)
    told += [problem["title"], problem["detail"], problem["errors"][0]["wrong"], problem["errors"][0]["right"]]
    told.append(api.get("/games/nothing", 404)["detail"])
    for text in told:
        assert not bypassing(text), text


def test_a_fault_shows_nothing_of_the_inside(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a problem like any other."""
    match = begun(service_on(database), pace="brisk")
    api = program(match)

    def fail(*_: object) -> None:
        raise RuntimeError("a hidden card")

    monkeypatch.setattr("pbem.web.api.games.rows_of", fail)
    assert "hidden" not in str(api.get("/games", 500))
