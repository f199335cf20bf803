"""Open seats: taken in order of arrival by page and mail, waited for, left; drawn or chosen; begun full or by date."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP

import msgspec
import pytest
from sqlmodel import select

from pbem import clock
from pbem.accounts import account_of, create_account
from pbem.context import Service
from pbem.errors import Refused
from pbem.games import seating
from pbem.games.gathering import Manner, Newcomer, change_manner, come, leave
from pbem.games.lifecycle import Guest, Plan, create_game, decline, invite, join
from pbem.records.checking import BadRecord, check_record
from pbem.records.verifying import verify
from pbem.records.writing import record
from pbem.rulings.authority import Actor
from pbem.rulings.ending import end_game
from pbem.rulings.life import start_game
from pbem.rulings.record import rulings_of
from pbem.sheets.confirming import resign
from pbem.storage.models import Account, Seat, Standby
from pbem.storage.sessions import Database
from pbem.voting.proposals import RULED
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import NAMES, Match, service_on
from tests.pbem.web.visiting import Visit, app_on, forms, letters_to, link

MODERATOR = "mod@players.example"


def gathering(service: Service, free: int = 3, seating: str = "choice", **plan: object) -> Match:
    """A game whose seats are open."""
    given = {"settle_minutes": 0, "moderator": MODERATOR, "listed": True, "title": "Deep Shaft", **plan}
    guests = given.pop("guests", [])
    code = create_game(service, Plan("tinygame", guests, free=free, seating=seating, **given))  # type: ignore[arg-type]
    return Match(service, code)


def came(match: Match, name: str, wish: int | None = None) -> int | None:
    """Somebody comes for a seat; the one that they get."""
    number = create_account(match.service, f"{name}@players.example", name.title())
    return come(match.service, match.id, Newcomer(number, wish, name))


def sitting(match: Match) -> list[str]:
    """The players' names by seat, empty for nobody."""
    with match.service.reading() as session:
        return [session.get_one(Account, seat.account_id).name if seat.account_id else "" for seat in match.seats]


def waiting(match: Match) -> list[str]:
    """Who waits, in order."""
    with match.service.reading() as session:
        rows = session.exec(select(Standby).order_by(Standby.id)).all()  # type: ignore[arg-type]
        return [session.get_one(Account, row.account_id).name for row in rows if row.game_id == match.id]


def request(text: str, sender: str, subject: str = "hello") -> EmailMessage:
    """A mail to the service's own address."""
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Subject"] = sender, "play@play.example", subject
    mail["Message-ID"] = f"<{abs(hash((text, sender, subject)))}@players.example>"
    mail.set_content(text)
    return mail


def test_seats_are_taken_by_mail(database: Database) -> None:
    """`join CODE` to the service brings what there is; `join` in answer to that takes a seat; the last begins it."""
    match = gathering(service_on(database))
    for name in NAMES[:3]:
        address = f"{name.lower()}@players.example"
        post(match.service, request(f"Hello!\njoin {match.code}\n", f"{name} <{address}>"))
        [opening] = letters_to(match.service, address, "opening")
        assert name not in sitting(match)
        post(match.service, reply(opening, "join blue apricot" if name == "Ann" else "join"))
    assert sitting(match) == ["Ben", "Cleo", "Ann"]
    assert match.seats[2].public_word == "apricot"
    assert match.game.status == "playing"
    assert len(match.letters(kind="report")) == 3


def test_a_request_does_nothing_and_tells_no_secret(database: Database) -> None:
    """Whoever forges a sender's name gets nobody a seat; of games that take nobody a stranger learns nothing."""
    match = gathering(service_on(database))
    closed = create_game(match.service, Plan("tinygame", [Guest(f"{name}@players.example") for name in ("ann", "ben")]))
    post(
        match.service, request(f"join {closed}", "eve@players.example"), request("join nothing", "fay@players.example")
    )
    for address in ("eve@players.example", "fay@players.example"):
        assert letters_to(match.service, address, "opening") == []
        assert len(letters_to(match.service, address, "stranger")) == 1
    for number in range(5):
        post(match.service, request(f"join {match.code}\n{number}", "ann@players.example"))
    assert len(letters_to(match.service, "ann@players.example", "opening")) == 3
    assert sitting(match) == ["", "", ""]
    assert waiting(match) == []


def test_an_open_game_is_on_the_first_page_and_taken_there(database: Database) -> None:
    """With its free seats; who has a seat finds it among their games, and who comes too late a place in the line."""
    match = gathering(service_on(database))
    unlisted = gathering(match.service, listed=False, title="Hidden")
    app = app_on(match.service)
    for place, name in enumerate(("ann", "ben", "cleo", "dan", "eve")):
        create_account(match.service, f"{name}@players.example", name.title())
        visit = Visit(app, match.service, f"{name}@players.example")
        shown = visit.get("/")
        assert "Deep Shaft" in shown
        assert "Hidden" not in shown
        page = visit.get(f"/games/{match.code}/open")
        said = visit.send(f"/games/{match.code}/open/join", side="1" if place == 0 else "")
        if place < 3:
            assert "Your seat is taken" in said
        else:
            assert "You wait for a seat" in said
            assert f"number {place - 2} of those who wait" in said
            assert "No seat is free" in page or "has begun" in page
    assert sitting(match) == ["Ben", "Ann", "Cleo"]
    assert waiting(match) == ["Dan", "Eve"]
    visit.get(f"/games/{unlisted.code}/open")
    assert "number 2 of those who wait" in visit.get("/")
    visit.get(f"/games/{match.code}/open")
    visit.send(f"/games/{match.code}/leave")
    assert waiting(match) == ["Dan"]


def test_a_side_that_is_taken_is_said_with_those_that_are_free(database: Database) -> None:
    """Nothing is done; twice the same changes nothing; a side that is none is refused."""
    match = gathering(service_on(database))
    assert came(match, "ann", 1) == 1
    assert came(match, "ann", 1) == 1
    with pytest.raises(Refused, match="side_taken") as refused:
        came(match, "ben", 1)
    assert refused.value.params["known"] == "red, blue"
    with pytest.raises(Refused, match="no_seat"):
        came(match, "ben", 7)
    assert sitting(match) == ["", "Ann", ""]


def test_who_waits_gets_the_seat_that_becomes_free(database: Database) -> None:
    """In order, by declined invitation or by leaving; each is told, and a place in the line is left by mail."""
    service = service_on(database)
    match = gathering(service, 2, guests=[Guest("zoe@players.example", "Zoe")])
    invite(service, match.code)
    for name in ("ann", "ben", "cleo", "dan", "eve"):
        came(match, name)
    assert sitting(match) == ["Zoe", "Ann", "Ben"]
    assert "number 3 of those" in letters_to(service, "eve@players.example", "waiting")[0].text
    post(service, reply(letters_to(service, "cleo@players.example", "waiting")[0], "leave"))
    assert waiting(match) == ["Dan", "Eve"]
    decline(service, match.id, 0)
    match.settle()
    assert sitting(match) == ["Dan", "Ann", "Ben"]
    assert letters_to(service, "dan@players.example", "joined")
    assert match.game.status == "playing"


def test_who_joined_can_leave_before_the_game_begins(database: Database) -> None:
    """By answering `leave` to the letter that confirmed the seat; afterwards it is `resign`."""
    match = gathering(service_on(database))
    came(match, "ann")
    post(match.service, reply(letters_to(match.service, "ann@players.example", "joined")[0], "leave"))
    assert sitting(match) == ["", "", ""]
    assert len(letters_to(match.service, "ann@players.example", "left")) == 1
    for name in ("ann", "ben", "cleo"):
        came(match, name)
    match.settle()
    with match.service.reading() as session:
        account = account_of(session, "ann@players.example")
    assert account is not None
    assert account.id is not None
    with pytest.raises(Refused, match="leave_resign"):
        leave(match.service, match.id, account.id)
    assert sitting(match) == ["Ann", "Ben", "Cleo"]


def test_a_seat_of_a_running_game_is_offered_to_the_line(database: Database) -> None:
    """The first is asked; who declines leaves the line, and the next is asked at once; who accepts plays."""
    match = gathering(service_on(database))
    for name in ("ann", "ben", "cleo", "dan", "eve", "fay"):
        came(match, name)
    match.settle()
    resign(match.service, match.id, 1, 0)
    match.settle()
    assert letters_to(match.service, "eve@players.example", "offer") == []
    post(match.service, reply(letters_to(match.service, "dan@players.example", "offer")[0], "decline"))
    post(match.service, reply(letters_to(match.service, "eve@players.example", "offer")[0], "join"))
    match.settle()
    assert sitting(match) == ["Ann", "Eve", "Cleo"]
    assert waiting(match) == ["Fay"]
    resign(match.service, match.id, 2, 0)
    match.settle()
    clock.shift(timedelta(hours=100))
    match.settle()
    assert waiting(match) == []
    assert verify(match.service, match.code).problem == ""


def test_sides_are_drawn_when_the_game_begins(database: Database) -> None:
    """From the secret and all words: every order comes up; names, words and reports go with the players, and the
    letters from before are good for no seat any more."""
    service, orders = service_on(database), set()
    for _ in range(40):
        match = gathering(service, seating="draw")
        for name in ("ann", "ben", "cleo"):
            came(match, name, 2)
        assert "You are Red" not in letters_to(service, "ann@players.example", "joined")[-1].text
        early = match.letters(0, "joined")[0]
        match.settle()
        orders.add(tuple(sitting(match)))
        for seat, name in zip(match.seats, sitting(match), strict=True):
            assert seat.public_word == name.lower()
            assert match.letters(seat.number, "report")[0].recipient == f"{name.lower()}@players.example"
        [ruling] = rulings_of(service, match.code)
        assert ruling.act == "seats_drawn"
        went = msgspec.json.decode(ruling.params)["went"]
        assert [sitting(match)[at] for at in went] == ["Ann", "Ben", "Cleo"]
        if len(orders) == 6:
            break
    assert len(orders) == 6
    post(service, reply(early, "ready"))
    assert not any(seat.ready for seat in match.seats)
    assert verify(service, match.code).problem == ""


def test_a_draw_of_sides_that_was_chosen_is_found(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the journal says the same of it: by `verify` on the service, and with the record's file alone."""
    match = gathering(service_on(database), seating="draw")
    drawn = seating._went

    def chosen(secret: bytes, words: Sequence[str]) -> list[int]:
        went = drawn(secret, words)
        return went[1:] + went[:1]

    with monkeypatch.context() as patched:
        patched.setattr(seating, "_went", chosen)
        for name in ("ann", "ben", "cleo"):
            came(match, name)
    match.settle()
    assert verify(match.service, match.code).problem == "draw"
    end_game(match.service, match.code, RULED, None, Actor("enough"))
    match.settle()
    with pytest.raises(BadRecord, match="draw"):
        check_record(record(match.service, match.code))


def test_a_draw_of_sides_as_it_should_be_is_sound(database: Database) -> None:
    """In the record's file as well; and what is no draw at all fits nothing."""
    match = gathering(service_on(database), seating="draw")
    for name in ("ann", "ben", "cleo"):
        came(match, name)
    match.settle()
    end_game(match.service, match.code, RULED, None, Actor("enough"))
    match.settle()
    assert check_record(record(match.service, match.code)).entries > 1
    words = [seat.public_word for seat in match.seats]
    for bad in ({}, {"seats": [0, 1, 9], "went": [9, 0, 1]}, {"seats": [0, 1, 2], "went": [2, 2, 0]}):
        assert not seating.draw_fits(match.game.secret, words, bad)


def test_a_guest_who_did_not_join_is_told_that_the_game_has_begun(database: Database) -> None:
    """By letter and on the page that the invitation leads to; they see nothing of the game, and may wait for a seat."""
    service = service_on(database)
    match = gathering(service, 2, guests=[Guest("zoe@players.example", "Zoe")])
    invite(service, match.code)
    for name in ("ann", "ben"):
        came(match, name)
    start_game(service, match.code, Actor("Zoe never answered"))
    match.settle()
    assert match.game.status == "playing"
    [told] = letters_to(service, "zoe@players.example", "began-without")
    assert "has begun without you" in told.text
    zoe = Visit(app_on(service), service)
    zoe.get(link(service, "zoe@players.example", "invitation"))
    assert "has begun without you" in zoe.send(forms(zoe.page)[0].action)
    for path in ("/table", "/reports", "/messages"):
        zoe.get(f"/games/{match.code}{path}", 404)
    post(service, reply(letters_to(service, "zoe@players.example", "invitation")[0], "join"))
    assert "has begun without you" in letters_to(service, "zoe@players.example", "unreadable")[0].text
    post(service, reply(told, "join"))
    match.settle()
    [offer] = letters_to(service, "zoe@players.example", "offer")
    post(service, reply(offer, "join"))
    assert sitting(match) == ["Zoe", "Ann", "Ben"]
    assert verify(service, match.code).problem == ""


def test_who_was_never_invited_is_not_told_that_there_is_a_game(database: Database) -> None:
    """And a guest of a game that takes nobody else is only told that it has begun."""
    service = service_on(database)
    code = create_game(service, Plan("tinygame", [Guest(f"{name}@players.example") for name in ("ann", "ben")]))
    match = Match(service, code)
    invite(service, code)
    join(service, match.id, 0)
    start_game(service, code, Actor("Ben never answered"))
    match.settle()
    assert "wait for a seat" not in letters_to(service, "ben@players.example", "began-without")[0].text
    create_account(service, "eve@players.example")
    Visit(app_on(service), service, "eve@players.example").get(f"/games/{code}", 404)
    page = Visit(app_on(service), service, "ben@players.example").get(f"/games/{code}")
    assert "has begun without you" in page
    assert "Wait for a seat" not in page


def test_a_game_with_a_date_begins_then(database: Database) -> None:
    """Not before, full or not; with who has joined, the others' seats nobody's; all are told of another date."""
    service = service_on(database)
    match = gathering(service, starts_at=clock.now() + timedelta(days=3))
    for name in ("ann", "ben", "cleo"):
        came(match, name)
    match.settle()
    assert match.game.status == "inviting"
    assert "It begins on" in letters_to(service, "ann@players.example", "joined")[0].text
    change_manner(service, match.code, Manner("choice", listed=True, starts_at=clock.now() + timedelta(days=5)))
    assert {letter.seat for letter in match.letters(kind="date")} == {0, 1, 2}
    post(service, reply(match.letters(1, "joined")[0], "leave"))
    clock.shift(timedelta(days=4))
    match.settle()
    assert match.game.status == "inviting"
    clock.shift(timedelta(days=1, seconds=1))
    match.settle()
    assert match.game.status == "playing"
    assert sitting(match) == ["Ann", "", "Cleo"]
    assert len(match.letters(kind="report")) == 2


def test_a_date_without_players_is_told_and_waits(database: Database) -> None:
    """The moderator hears of it once; the game is not lost."""
    match = gathering(service_on(database), starts_at=clock.now() + timedelta(days=3))
    clock.shift(timedelta(days=4))
    match.settle()
    match.settle()
    assert match.game.status == "inviting"
    assert len(letters_to(match.service, MODERATOR, "nobody")) == 1
    for name in ("ann", "ben", "cleo"):
        came(match, name)
    match.settle()
    assert match.game.status == "playing"


def test_taking_the_date_away_from_a_full_game_begins_it(database: Database) -> None:
    """Nothing is waited for any more."""
    match = gathering(service_on(database), starts_at=clock.now() + timedelta(days=3))
    for name in ("ann", "ben", "cleo"):
        came(match, name)
    change_manner(match.service, match.code, Manner("choice", listed=True, starts_at=None))
    match.settle()
    assert match.game.status == "playing"


def test_an_unanswered_invitation_is_reminded_once_and_expires(database: Database) -> None:
    """Each is told to its guest, the end to the moderator too; the seat goes to who waits; the old letter is void."""
    service = service_on(database)
    match = gathering(service, 2, guests=[Guest("zoe@players.example", "Zoe")])
    invite(service, match.code)
    for name in ("ann", "ben", "cleo"):
        came(match, name)
    clock.shift(timedelta(hours=95))
    match.settle()
    assert letters_to(service, "zoe@players.example", "invitation-again") == []
    for _ in range(3):
        clock.shift(timedelta(hours=60))
        match.settle()
    assert len(letters_to(service, "zoe@players.example", "invitation-again")) == 1
    assert sitting(match)[0] == "Zoe"
    clock.shift(timedelta(hours=62))
    match.settle()
    assert sitting(match) == ["Cleo", "Ann", "Ben"]
    assert len(letters_to(service, "zoe@players.example", "expired")) == 1
    assert len(letters_to(service, MODERATOR, "expired")) == 1
    post(service, reply(letters_to(service, "zoe@players.example", "invitation-again")[0], "join"))
    assert sitting(match) == ["Cleo", "Ann", "Ben"]


def test_an_answer_to_an_expired_invitation_takes_the_seat_if_it_is_free(database: Database) -> None:
    """Once it has expired `join` still does, as long as nobody else has the seat; after `decline` it does not."""
    service = service_on(database)
    match = gathering(service, 0, guests=[Guest(f"{name}@players.example", name.title()) for name in ("zoe", "yan")])
    invite(service, match.code)
    [first], [second] = (letters_to(service, f"{name}@players.example", "invitation") for name in ("zoe", "yan"))
    clock.shift(timedelta(days=15))
    match.settle()
    assert sitting(match) == ["", ""]
    post(service, reply(first, "join apricot"))
    assert sitting(match) == ["Zoe", ""]
    assert match.seats[0].public_word == "apricot"
    assert len(letters_to(service, "zoe@players.example", "joined")) == 1
    post(service, reply(second, "decline"))
    post(service, reply(second, "join", Message_ID="<once.more@players.example>"))
    assert sitting(match) == ["Zoe", ""]
    assert match.game.status == "inviting"


def test_an_expired_guest_is_not_let_into_another_s_seat(database: Database) -> None:
    """Nor twice into one game, nor by somebody else's mail."""
    service = service_on(database)
    guests = [Guest(f"{name}@players.example", name.title()) for name in ("zoe", "yan")]
    match = gathering(service, 1, guests=guests)
    invite(service, match.code)
    [zoes], [yans] = (letters_to(service, f"{name}@players.example", "invitation") for name in ("zoe", "yan"))
    clock.shift(timedelta(days=15))
    match.settle()
    came(match, "yan")
    assert sitting(match) == ["Yan", "", ""]
    for letter, sender in ((zoes, ""), (yans, ""), (zoes, "yan@players.example")):
        post(service, reply(letter, "join", sender))
    assert sitting(match) == ["Yan", "", ""]


def test_a_game_that_does_not_come_together_is_called_off(database: Database) -> None:
    """When nobody has come for its days: all are told once. One that is led otherwise waits on."""
    service = service_on(database)
    match = gathering(service, 3)
    patient = gathering(service, 3, policy={"gather_days": "0"})
    for each in (match, patient):
        came(each, "ann")
    clock.shift(timedelta(days=29))
    match.settle()
    came(match, "ben")
    clock.shift(timedelta(days=29))
    match.settle()
    assert match.game.status == "inviting"
    clock.shift(timedelta(days=2))
    match.settle()
    assert (match.game.status, patient.game.status) == ("cancelled", "inviting")
    told = [letter.recipient for letter in match.letters(kind="ungathered")]
    assert sorted(told) == ["ann@players.example", "ben@players.example", MODERATOR]
    assert patient.letters(kind="ungathered") == []


def test_a_reminder_is_answered_like_the_invitation(database: Database) -> None:
    """A plain `join` takes the seat; who has joined is not reminded and does not expire."""
    service = service_on(database)
    match = gathering(service, 1, guests=[Guest("zoe@players.example", "Zoe"), Guest("yan@players.example", "Yan")])
    invite(service, match.code)
    join(service, match.id, 1)
    clock.shift(timedelta(hours=97))
    match.settle()
    assert letters_to(service, "yan@players.example", "invitation-again") == []
    post(service, reply(letters_to(service, "zoe@players.example", "invitation-again")[0], "join"))
    clock.shift(timedelta(days=60))
    match.settle()
    assert sitting(match)[:2] == ["Zoe", "Yan"]
    assert match.letters(kind="expired") == []


def test_what_makes_no_sense_is_refused(database: Database) -> None:
    """A listed game that takes nobody, a date that has passed, a manner that is none, seats that do not fit."""
    service = service_on(database)
    for problem, given in {
        "not_open": {"free": 0, "seating": "", "guests": [Guest("a@players.example"), Guest("b@players.example")]},
        "start_past": {"starts_at": clock.now() - timedelta(hours=1)},
        "start_far": {"starts_at": clock.now() + timedelta(days=367)},
        "bad_seating": {"seating": "lottery"},
        "bad_seats": {"free": 9},
    }.items():
        with pytest.raises(Refused, match=problem):
            gathering(service, **given)  # type: ignore[arg-type]
    for beyond in ("9999-12-31T23:59-12:00", "9999-12-31T23:59+00:00"):  # the first is no moment in UTC any more
        with pytest.raises(Refused, match="start_far"):
            gathering(service, starts_at=datetime.fromisoformat(beyond))
    match = gathering(service)
    with pytest.raises(Refused, match="not_waiting"):
        leave(service, match.id, create_account(service, "ann@players.example"))
    change_manner(service, match.code, Manner("", listed=False, starts_at=None))
    with pytest.raises(Refused, match="not_open"):
        came(match, "ann")
    Visit(app_on(service), service, "ann@players.example").get(f"/games/{match.code}/open", 404)
    with service.reading() as session:
        assert {seat.account_id for seat in session.exec(select(Seat))} == {None}
