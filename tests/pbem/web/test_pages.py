"""Every page tells the truth about the game, in words of the catalog alone."""

import re
from datetime import timedelta
from typing import Any

import pytest

from engine.rockwell.components import BUILT_IN
from pbem import clock, commands
from pbem.accounts import change_account, create_account
from pbem.games.trouble import failed
from pbem.reports.data import decode_report
from pbem.rulings.authority import Actor
from pbem.rulings.seats import stand_in
from pbem.site.blocking import block
from pbem.storage.models import Account
from pbem.storage.sessions import Database
from pbem.words import PSEUDO
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import Match, begun, created, misset, placing, service_on
from tests.pbem.reports.plain import bypassing, shown
from tests.pbem.web.visiting import Visit, app_on, forms, letters_to, link

ANN, BEN, DAN = "ann@players.example", "ben@players.example", "dan@site.example"


def visited(match: Match, address: str = ANN) -> Visit:
    """A player who has signed in, on the page of the seat."""
    visit = Visit(app_on(match.service), match.service, address)
    visit.get(f"/games/{match.code}")
    return visit


def test_text_is_read_while_it_is_written_and_nothing_is_kept(database: Database) -> None:
    """A piece of a page with what the acknowledgement would say: what is read, what can't be, what would change."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    visit = visited(match)
    form = next(each for each in forms(visit.page) if each.action.endswith("/orders"))
    text = "bid 1200 + 1 zink\ndrill 1: c9 to Q7\nHello everyone\nto all: secret"
    fields: dict[str, Any] = dict(form.fields)
    piece = visit.post(f"/games/{match.code}/reading", **{**fields, "text": text})
    for said in ("bid 1200 + 1 zinc", "One line could not be used", "c9 to Q7", "What would change on your sheet"):
        assert said in piece
    assert "<html" not in piece
    assert match.game.next_submission == 1
    visit.get(f"/games/{match.code}/messages")
    assert "secret" not in visit.page
    visit.post(f"/games/{match.code}/reading", 413, **{**fields, "text": "x" * 20_001})


def test_the_link_of_an_invitation_leads_to_the_seat_once(database: Database) -> None:
    """A guest who has never been here joins with two buttons and no second mail, days after the invitation."""
    match = created(service_on(database))
    path = link(match.service, "ann@players.example", "invitation")
    app = app_on(match.service)
    visit = Visit(app, match.service)
    clock.shift(timedelta(days=9))
    visit.get(path)
    visit.send(path)
    visit.send(f"/games/{match.code}/join")
    assert match.seats[0].joined is not None
    Visit(app, match.service).get(path, 410)


def test_invited_player_joins_on_the_page(database: Database) -> None:
    """With a word for the draws, by a button; a second time changes nothing."""
    match = created(service_on(database), title="Small pond")
    visit = visited(match)
    assert "You are invited to Small pond" in visit.page
    join = next(form for form in forms(visit.page) if form.action.endswith("/join"))
    assert match.seats[0].joined is None
    visit.send(f"/games/{match.code}/join", word="marmalade")
    assert "Your seat is taken" in visit.page
    assert "2 more players are awaited" in visit.page
    visit.post(join.action, 200, **{**join.fields, "word": "jam"})
    assert match.seats[0].public_word == "marmalade"


def test_invited_player_declines_on_the_page(database: Database) -> None:
    """The seat is nobody's then, and the page not theirs to see."""
    match = created(service_on(database))
    visit = visited(match)
    visit.send(f"/games/{match.code}/decline")
    assert "You have declined the invitation" in visit.page
    assert match.seats[0].account_id is None
    visit.get(f"/games/{match.code}", 404)


def test_seat_shows_the_report_and_what_is_asked(database: Database) -> None:
    """The form has a blank line for each thing asked; examples stand beside it, the deadline in the player's zone."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    with match.service.writing() as session:
        ann = session.get_one(Account, 1)
        ann.zone = "Europe/Paris"
        session.add(ann)
    visit = visited(match)
    report = decode_report(match.reports(0)[-1].data)
    form = next(form for form in forms(visit.page) if form.action.endswith("/orders"))
    assert form.fields["text"] == "\n".join(line for question in report.questions for line in question.form)
    assert all(line in visit.page for question in report.questions for line in question.examples)
    assert "(Europe/Paris)" in visit.page
    assert "Orders are awaited from: Red, Green, Purple, White" in visit.page
    assert "Your stock: " in visit.page
    assert re.search(r'<img src="/games/\w+/board/[\w-]+\.svg"[^>]* alt="[^"]+"', visit.page)
    assert "Stratum A, outermost" in visit.page


@pytest.mark.parametrize(("rules", "seats"), [("rockwell", 4), ("brass_empire", 3)])
@pytest.mark.parametrize("page", ["", "/table", "/reports/1"])
def test_a_page_leaves_room_for_the_picture_before_it_is_there(
    database: Database, rules: str, seats: int, page: str
) -> None:
    """It says how high the picture is, so that nothing below moves when it comes."""
    match = begun(service_on(database), rules, seats, pace="brisk")
    visit = visited(match)
    found = re.search(r'<img src="([^"]+)" width="(\d+)" height="(\d+)"', visit.get(f"/games/{match.code}{page}"))
    assert found is not None
    assert re.search(rf'viewBox="0 0 {found[2]} {found[3]}"', visit.get(found[1]))


@pytest.mark.parametrize("page", ["", "/table", "/reports/1"])
def test_the_position_in_words_is_a_line_for_each_place(database: Database, page: str) -> None:
    """As the mail has it: one who can't see the picture reads it on every page that shows the board."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    visit = visited(match)
    said = visit.get(f"/games/{match.code}{page}")
    assert re.search(r">Stratum A, outermost, clockwise\n  A1 requires \d\n", said)


def test_orders_sent_by_the_form_are_acknowledged_like_a_mail(database: Database) -> None:
    """Line by line, with what is wrong, what changed, and the sheet that results; and no letter."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    page = visit.send(f"/games/{match.code}/orders", act="send", text="bid 6 or 1\r\nattack nobody with 3\r\nhello")
    assert "Your orders are in, with a problem" in page
    assert "attack nobody with 3" in page
    assert "One line was no order" in page
    assert "bid 6 or 1" in visit.get(f"/games/{match.code}")
    assert not letters_to(match.service, ANN, "acknowledgement")


def test_check_keeps_nothing_and_the_text_stays_to_go_on_with(database: Database) -> None:
    """After a check the same text can be sent."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    page = visit.send(f"/games/{match.code}/orders", act="check", text="bid 2\nattack nobody with 3")
    assert "Checked; nothing was kept" in page
    assert match.seats[0].sheet == b""
    form = next(form for form in forms(page) if form.action.endswith("/orders"))
    assert form.fields["text"] == "bid 2\nattack nobody with 3"
    visit.send(f"/games/{match.code}/orders", act="send")
    assert match.seats[0].sheet


@pytest.mark.parametrize("way", [{"act": "check"}, {}, {"for": "ahead"}], ids=["checked", "chosen", "planned"])
def test_the_way_back_to_the_seat_keeps_what_was_typed(database: Database, way: dict[str, str]) -> None:
    """From each page that a form leads to before it is sent; and nothing is kept by it."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk")
    visit = visited(match)
    if "for" in way:
        match.pass_deadline()
        visit.get(f"/games/{match.code}")
    (form,) = (form for form in forms(visit.page) if form.action.endswith("/orders"))
    action = form.action if "act" in way else f"/games/{match.code}/choose"
    page = visit.post(action, 200, **{**form.fields, "text": "hello\nbid 2", **way})
    back = f'formaction="/games/{match.code}"'
    assert back in page
    (fields,) = (form.fields for form, html in zip(forms(page), page.split("<form")[1:], strict=True) if back in html)
    page = visit.post(f"/games/{match.code}", 200, **fields)
    assert "Your sheet as it stands" in page
    assert next(form for form in forms(page) if form.action.endswith("/orders")).fields["text"] == "hello\nbid 2"
    assert match.game.next_submission == 1
    assert "Your sheet as it stands" in visit.get(action)  # as where it is loaded anew


def test_lines_that_could_not_be_used_stand_in_a_form_to_be_mended(database: Database) -> None:
    """The others count; what was wrong need not be typed again."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    page = visit.send(f"/games/{match.code}/orders", act="send", text="bid 2\nattack nobody with 3")
    form = next(form for form in forms(page) if form.action.endswith("/orders"))
    assert form.fields["text"] == "attack nobody with 3"
    page = visit.send(f"/games/{match.code}/orders", act="send", text="attack green with 3")
    assert not [form for form in forms(page) if form.action.endswith("/orders")]
    assert "bid 2" in visit.get(f"/games/{match.code}")


def test_form_sent_twice_counts_once(database: Database) -> None:
    """Reloaded or pressed twice; the same form with another text is another submission."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    form = next(form for form in forms(visit.page) if form.action.endswith("/orders"))
    first = {**form.fields, "act": "send", "text": "bid 1"}
    visit.post(form.action, 200, **first)
    assert "it has counted once" in visit.post(form.action, 200, **first)
    assert match.game.next_submission == 2
    visit.post(form.action, 200, **{**first, "text": "bid 2"})
    assert match.game.next_submission == 3


def test_form_of_a_closed_stage_is_late(database: Database) -> None:
    """It was written for what is over: kept, told, and not used."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    match.pass_deadline()
    page = visit.send(f"/games/{match.code}/orders", act="send", text="bid 1")
    assert "Your orders came too late for their stage" in page
    assert match.seats[0].sheet == b""


def test_form_of_a_closed_stage_is_told_so_when_it_is_checked(database: Database) -> None:
    """While it is written and when it is checked; what it leads on to is for what is asked now, and counts."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    seat = visit.page
    form = next(each for each in forms(seat) if each.action.endswith("/orders"))
    path = f"/games/{match.code}/reading"
    fields: dict[str, Any] = {**form.fields, "text": "bid 1"}
    assert "has closed" not in visit.post(path, **fields)
    match.pass_deadline()
    assert "That stage has closed meanwhile" in visit.post(path, **fields)
    visit.page = seat
    assert "That stage has closed meanwhile" in visit.send(form.action, act="check", text="bid 1")
    assert "Your orders are in" in visit.send(form.action, act="send", text="bid 1")
    assert match.seats[0].sheet != b""
    visit.get(f"/games/{match.code}")
    assert "has closed" not in visit.send(form.action, act="check", text="bid 1")


def test_passed_deadline_is_told_before_the_stage_has_closed(database: Database) -> None:
    """While the service has not got round to it, the page says that orders are late."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    clock.shift(timedelta(hours=25))
    assert "orders that come now are late" in visit.get(f"/games/{match.code}")


def test_ready_and_not_ready_are_said_by_buttons(database: Database) -> None:
    """The game waits, or does not."""
    match = begun(service_on(database), pace="brisk", settle_minutes=10)
    visit = visited(match)
    visit.send(f"/games/{match.code}/ready", act="ready")
    assert match.seats[0].ready
    assert 'role="switch" aria-checked="true"' in visit.page
    assert "Orders are awaited from: Green, Blue" in visit.page
    visit.send(f"/games/{match.code}/ready", act="not_ready")
    assert not match.seats[0].ready
    assert "You are not ready: the game waits for you, to the deadline." in visit.page


def test_who_is_asked_nothing_is_not_told_that_the_game_waits(database: Database) -> None:
    """It waits for the seat at whose question play stands."""
    match, asked = placing(database)
    assert asked
    visit = visited(match)
    visit.send(f"/games/{match.code}/ready", act="not_ready")
    assert "You are asked nothing now; once you are, the game waits for you" in visit.page
    assert "What you may be asked in this stage" in visit.page
    assert "What is asked of you" not in visit.page


def test_a_question_that_is_answered_is_asked_no_more(database: Database) -> None:
    """The page shows the last letter: where that was a question, it does not say any more that the game waits."""
    match, asked = placing(database)
    places = "place control or exchange or workshop"
    for _ in range(3):
        if asked:
            match.say(asked, places)
            match.settle()
            asked = int(match.game.waiting)
    assert not asked
    visit = visited(match)
    assert "The game waits for you, Red" in visit.page
    match.say(0, places)
    match.settle()
    assert match.game.waiting not in ("", "0")
    assert "The game waits for you, Red" not in visit.get(f"/games/{match.code}")


def test_what_was_sent_last_is_taken_back_by_a_button(database: Database) -> None:
    """The answer says what stands then; commands of the form are followed as those of a mail are."""
    match = begun(service_on(database), pace="brisk", settle_minutes=60)
    visit = visited(match)
    path = f"/games/{match.code}"
    visit.get(path)
    assert not any(form.action.endswith("/undo") for form in forms(visit.page))
    visit.send(f"{path}/orders", act="send", text="bid 1\nabsent until tomorrow")
    assert "You are away from" in visit.page
    visit.get(path)
    answer = visit.send(f"{path}/undo")
    assert "Your last act is taken back" in answer
    assert match.seats[0].sheet == b""


def test_ready_from_a_page_of_a_stage_that_has_closed_is_not_called_kept(database: Database) -> None:
    """Who left the page open overnight is told that another stage is asked now."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    match.pass_deadline()
    visit.send(f"/games/{match.code}/ready", act="ready")
    assert "That stage has closed meanwhile" in visit.page
    assert not match.seats[0].ready


def test_game_set_aside_is_told_and_takes_no_orders(database: Database) -> None:
    """The fault is the service's; what was sent before is kept."""
    match = begun(service_on(database, attempts=1), pace="brisk")
    visit = visited(match)
    with match.service.writing() as session:
        game = session.merge(match.game)
        game.failures = 3
        session.add(game)
    failed(match.service, match.id)
    assert match.game.aside
    page = visit.send(f"/games/{match.code}/orders", 409, act="send", text="bid 1")
    assert "takes no orders now" in page
    assert '<pre class="lines">bid 1</pre>' in page  # what was typed is not lost
    assert "Paused: something went wrong" in visit.get(f"/games/{match.code}")
    assert "Paused: something went wrong" in visit.get("/")
    assert "Paused: something went wrong" in visit.get(f"/games/{match.code}/table")


def test_end_shows_standings_and_the_secret(database: Database) -> None:
    """Until then nobody sees it; then everything can be checked with it."""
    match = begun(service_on(database), pace="brisk", options={"turns": 3}, policy={"pause_after": "0"})
    visit = visited(match)
    secret = match.game.secret.hex()
    while match.game.status == "playing":
        for path in ("", "/table", "/reports/1"):
            assert secret not in visit.get(f"/games/{match.code}{path}")
        match.pass_deadline()
    page = visit.get(f"/games/{match.code}")
    assert "The game is over" in page
    assert "The final standings" in page
    assert 'name="act"' not in page
    table = visit.get(f"/games/{match.code}/table")
    assert secret in table
    assert match.game.head.hex() in table
    assert "The game is over" in visit.get("/")
    visit.get(f"/games/{match.code}/reports")
    assert visit.page.count("<li ") == len(match.reports(0))
    assert "takes no orders now" in visit.post(
        f"/games/{match.code}/orders", 409, **_token(visit), act="send", text="bid 1", stage="0/1-turn"
    )


def test_games_stand_by_urgency(database: Database) -> None:
    """An invitation and what is asked of me first, then what others are asked, then what is over."""
    service = service_on(database)
    over = begun(service, pace="brisk", options={"turns": 3}, policy={"pause_after": "0"}, title="Over")
    while over.game.status == "playing":
        over.pass_deadline()
    waiting = begun(service, pace="brisk", title="Waiting")
    waiting.say(0, BIDS + "\nready")
    begun(service, pace="brisk", title="Asked")
    created(service, title="Invited")
    page = Visit(app_on(service), service, ANN).get("/")
    titles = re.findall(r'<h2 class="heading"><a[^>]*>(\w+)', page)
    assert titles == ["Invited", "Asked", "Waiting", "Over"]
    assert "Orders are awaited from: Green, Blue" in page


def test_messages_go_to_whom_they_are_for(database: Database) -> None:
    """Written on the page, read on the page and by mail; a third player sees nothing of it."""
    match = begun(service_on(database), pace="brisk")
    app = app_on(match.service)
    path = f"/games/{match.code}/messages"
    ann = Visit(app, match.service, ANN)
    ann.get(path)
    ann.send(path, to=["1"], text="shall we?\n\nEnd. .\nor not")
    assert "Your message is on its way" in ann.page
    assert "shall we? End. .\nor not" in Visit(app, match.service, BEN).get(path)
    assert "shall we" not in Visit(app, match.service, "cleo@players.example").get(path)
    assert len(letters_to(match.service, BEN, "press")) == 1
    ann.send(path, to=["0"], text="to myself")
    assert "Nothing was sent" in ann.page
    assert match.seats[0].sheet == b""


def test_an_unsigned_message_and_its_answer_name_nobody_on_the_page(database: Database) -> None:
    """Neither on its reader's page nor, for the answer, on that reader's own; muting is a button."""
    match = begun(service_on(database), pace="brisk", policy={"press": "choose"})
    app = app_on(match.service)
    path = f"/games/{match.code}/messages"
    ann, ben = Visit(app, match.service, ANN), Visit(app, match.service, BEN)
    ann.get(path)
    ann.send(path, to=["all"], text="shall we?", anonymous="yes")
    assert "An unnamed writer to everyone" in ben.get(path)
    (letter,) = letters_to(match.service, BEN, "press")
    post(match.service, reply(letter, "Gladly!"))
    assert "Green to the writer of an anonymous message" in ben.get(path)
    assert "Green to Red" in ann.get(path)
    ben.send(path.replace("messages", "mutes"), whom="anonymous")
    assert match.seats[1].mutes == "anonymous"


def test_a_message_that_is_not_sent_is_still_in_the_form(database: Database) -> None:
    """With the reason, to whom it was to go, and that it was to be unsigned."""
    match = begun(service_on(database), pace="brisk", policy={"press_a_day": "1", "press": "choose"})
    visit = visited(match)
    path = f"/games/{match.code}/messages"
    visit.get(path)
    visit.send(path, text="my first thought", anonymous="yes")
    assert "needs a text and somebody to read it" in visit.page
    assert "my first thought</textarea>" in visit.page
    assert 'name="anonymous" value="yes" checked' in visit.page
    visit.send(path, to=["1"], text="", anonymous="")
    assert 'name="to" value="1" checked' in visit.page
    visit.send(path, to=["all"], text="first")
    visit.send(path, to=["all"], text="my second thought")
    assert "1 messages within 24 hours are the most" in visit.page
    assert "my second thought</textarea>" in visit.page
    assert 'name="to" value="all" checked' in visit.page


def test_message_can_not_carry_orders_of_its_own(database: Database) -> None:
    """What stands in a message is said, not done."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    path = f"/games/{match.code}/messages"
    visit.get(path)
    visit.send(path, to=["all"], text="hm\n\nbid 1\x0b\u2028ＥＮＤ…\nready\nto green: x")
    assert match.seats[0].sheet == b""
    assert not match.seats[0].ready
    assert len(letters_to(match.service, BEN, "press")) == 1


def test_account_is_changed_by_its_player(database: Database) -> None:
    """Name and zone; what there is not is refused."""
    match = begun(service_on(database), pace="brisk")
    visit = visited(match)
    visit.get("/account")
    visit.send("/account", name="  Anna\tMaria  ", zone="Europe/Paris")
    assert 'value="Anna Maria"' in visit.page
    assert "(Europe/Paris)" in visit.page
    visit.send("/account", 409, zone="Mars/Olympus")
    visit.get("/account")
    visit.send("/account", 409, language="tlh")
    visit.get("/account")
    assert "from one to 60 characters" in visit.send("/account", 409, name=" ")


@pytest.mark.parametrize("rules", ["rockwell", "tinygame"])
def test_pages_are_in_words_of_the_catalog_alone(database: Database, rules: str) -> None:
    """In the pseudo-locale no page has a plain word but names, orders and addresses."""
    service = misset(service_on(database), language=PSEUDO)
    seats = 4 if rules == "rockwell" else 3
    invited = created(service, rules, seats, title="Deep Thought")
    options = {} if rules == "rockwell" else {"turns": 3}
    match = begun(service, rules, seats, pace="brisk", title="Deep Thought", options=options)
    orders = ["bid 1", "attack nobody with 3"]
    paths = [f"/games/{match.code}{rest}" for rest in ("", "/table", "/messages", "/reports", "/reports/1")]
    visit = Visit(app_on(service), service)
    seen = [visit.get("/sign-in"), visit.get("/sign-in/sent"), visit.get("/sign-in/none", 410)]
    visit.sign_in(ANN)
    visit.get(f"/games/{match.code}")
    answers = [
        visit.send(f"/games/{match.code}/orders", act=act, text="\n".join([*orders, "hm?"]))
        for act in ("check", "send")
    ]
    match.say(1, "to all: Mo")
    seen += [visit.page, *answers, *map(visit.get, ["/", "/account", f"/games/{invited.code}", *paths])]
    visit.get(f"/games/{invited.code}")
    seen += [visit.send(f"/games/{invited.code}/join"), visit.get("/nothing", 404)]
    match.pass_deadline()
    seen += [visit.get("/"), *map(visit.get, paths)]
    while match.game.status == "playing" and rules == "tinygame":
        match.pass_deadline()
    seen += [visit.get("/"), *map(visit.get, paths)]
    seen += _of_the_site(match)
    allowed = _allowed(match, invited)
    assert [words for page in seen if (words := bypassing(_texts(page), *allowed))] == []
    assert not bypassing(shown(visit.page.partition("<main")[0]), *allowed)


def _of_the_site(match: Match) -> list[str]:
    """What a moderator of the site sees; Dan is the one."""
    number = create_account(match.service, DAN, "Dan", moderator=True)
    other = create_account(match.service, "mo@x.example", "Mo")
    change_account(match.service, number, name="Dan", language=PSEUDO, zone="UTC")
    block(match.service, other, Actor("Mo"))
    visit = Visit(app_on(match.service), match.service, DAN)
    paths = ["/", f"/games/{match.code}/desk", "/site", "/site/people", "/site/people?find=q", f"/site/people/{other}"]
    return [*map(visit.get, paths), visit.get("/site/people/1")]


def _texts(page: str) -> str:
    """What a visitor sees or hears: text, title, labels, alternatives; not what was typed or is an example."""
    page = re.sub(
        r"<textarea.*?</textarea>|<select.*?</select>|<code.*?</code>|<div class=\"lines\">.*?</div>",
        " ",
        page,
        flags=re.DOTALL,
    )
    titles = re.findall(r"<title>(.*?)</title>|(?:aria-label|alt|placeholder)=\"([^\"]*)\"", page)
    return shown(page) + " ".join(part for pair in titles for part in pair)


def _allowed(match: Match, invited: Match) -> list[str]:
    names = ["Play by email", "Mo", "Ann", "Ben", "Cleo", "Dan", "Deep Thought", "UTC", *commands.BY_NAME, "gather"]
    names += [ANN, BEN, DAN, "mo@x.example", "cleo@players.example", "dan@players.example", "postmaster@play.example"]
    names += [*(seat.public_word for seat in match.seats), BUILT_IN.stem]
    proofs = [each.game.secret_hash.hex() for each in (match, invited)] + [match.game.secret.hex()]
    proofs += [entry.public_hash.hex() for entry in match.entries()] + [match.game.head.hex()]
    proofs += [decode_report(report.data).head for report in match.reports(0)]
    return [name for name in names + proofs if name]


def _token(visit: Visit) -> dict[str, str]:
    visit.get("/account")
    return {"csrf_token": forms(visit.page)[0].fields["csrf_token"]}


def test_stand_in_is_shown_to_all_and_to_the_player_whose_seat_it_plays(database: Database) -> None:
    """Before the game begins, at the table, and on the page of the seat; nobody's orders are awaited in its place."""
    match = created(service_on(database), seats=2, standins={"blue": "random"})
    visit = visited(match)
    assert "a stand-in" in shown(visit.page)
    match = begun(service_on(database), pace="brisk", code="another")
    stand_in(match.service, match.code, 1, "random", Actor("Ben is at sea"))
    visit = visited(match)
    assert "Orders are awaited from: Red, Blue" in visit.page
    assert "plays your seat" not in visit.page
    assert "Ben (a stand-in plays)" in visit.get(f"/games/{match.code}/table")
    assert "plays your seat" in visited(match, BEN).page
