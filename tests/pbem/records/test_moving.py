"""A game that goes on at another house tells nothing that it hides at the old one, whatever is asked there."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from sqlmodel import Session, select

from pbem.errors import Refused
from pbem.games.archiving import archive, restore
from pbem.games.position import game_row
from pbem.records.checking import check_record
from pbem.records.importing import Arrival, import_record
from pbem.records.verifying import verify
from pbem.records.writing import record, whole_record
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import pause, resume
from pbem.rulings.ending import end_game, move_game
from pbem.rulings.goingback import Back, roll_back
from pbem.rulings.record import rulings_of
from pbem.sheets.confirming import resign
from pbem.site.exporting import data_of, own_data
from pbem.storage.models import Account, Letter
from pbem.storage.sessions import Database
from pbem.voting.proposals import RULED
from pbem.whatifs.copying import AGAIN, FRESH, copy_game
from tests.pbem.mail.mailing import HOME, post, reply
from tests.pbem.observing.watching import EVE, MODERATOR, observing
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.records.test_records import over
from tests.pbem.web.api.calling import program
from tests.pbem.web.visiting import Visit, app_on

WHY = Actor("it goes on at the other house")
ANN, BEN = "ann@players.example", "ben@players.example"
HIDDEN = "bid 5"
"""An order that only its own player may know before the end."""
SAID = "The game has moved: it goes on at another house"


def moving(database: Database) -> tuple[Match, Match]:
    """A game in its second stage, paused, with an observer; and the same at the house to which it was moved."""
    service = service_on(database)
    here = begun(service, "tinygame", 2, pace="brisk", moderator=MODERATOR, policy={"observers": "anybody"})
    observing(here)
    here.say(0, "bid 6 or 5 or 4 or 3 or 2 or 1")
    here.pass_deadline()
    here.say(1, f"{HIDDEN} or 4\nnot ready")
    pause(service, here.code, WHY)
    content = whole_record(service, here.code, WHY)
    return here, Match(service, import_record(service, content, Arrival()))


def pages(match: Match) -> Iterator[str]:
    """What red, an observer and the moderator are shown, and what a program of red's reads."""
    app = app_on(match.service)
    for address in (ANN, MODERATOR, EVE):
        visit = Visit(app, match.service, address)
        for page in ("", "/table", "/history", "/reports", "/record", "/desk", "/desk-record", "/observe"):
            found = visit.client.get(f"/games/{match.code}{page}", follow_redirects=True)
            assert found.status_code in (200, 404, 409)
            yield found.text
        yield visit.get("/")
    for call in ("", "/seat", "/reports", "/messages"):
        yield str(program(match, 0, app=app).get(f"/games/{match.code}{call}"))


def letters(session: Session) -> list[Letter]:
    """All letters to others than green."""
    return [each for each in session.exec(select(Letter)) if each.recipient != BEN or each.kind == "ruling"]


def told(match: Match) -> str:
    """All that anybody but green is told, and what the operator hands out of green's."""
    with match.service.reading() as session:
        written = [f"{each.subject}\n{each.text}" for each in letters(session)]
        known = {name: number or 0 for name, number in session.exec(select(Account.name, Account.id))}
    own = [own_data(match.service, known[name]).decode() for name in ("Ann", "Eve", "mod")]
    own.append(data_of(match.service, known["Ben"], Actor("asked by letter")).decode())
    return "\n".join([*written, *own, *pages(match)])


def test_a_game_that_has_moved_tells_nothing_that_it_hides_at_the_old_house(database: Database) -> None:
    """Not by letter, page, program, record or what-if, nor to an observer; the new one does at its end."""
    here, there = moving(database)
    secret = here.game.secret.hex()
    move_game(here.service, here.code, WHY)
    here.settle()
    assert (here.game.status, here.game.deadline, there.game.status) == ("moved", None, "playing")
    assert {each.recipient for each in here.letters(kind="ruling") if SAID in each.text} == {ANN, BEN}
    found = told(here)
    assert found.count(SAID) > 4
    assert secret not in found
    assert HIDDEN not in found
    refused: list[Callable[[], object]] = [
        lambda: record(here.service, here.code),
        lambda: whole_record(here.service, here.code, WHY),
        lambda: copy_game(here.service, here.code, None, AGAIN, 1, WHY),
        lambda: copy_game(here.service, here.code, 1, FRESH, here.game.moderator_id or 0, WHY),
        lambda: roll_back(here.service, here.code, Back(1), WHY),
        lambda: end_game(here.service, here.code, RULED, None, WHY),
    ]
    for each in refused:
        with pytest.raises(Refused):
            each()
    here.say(0, "bid 1")
    here.settle()
    assert secret not in told(here)
    assert verify(here.service, here.code).problem == ""
    archive(here.service, here.code, Actor(""))
    resume(there.service, there.code, Actor("all are here"))
    assert there.game.secret.hex() == secret
    for _ in range(20):
        if there.game.status == "playing":
            there.pass_deadline()
    assert there.game.status == "over"
    assert check_record(record(there.service, there.code)).goes_on is False


def test_a_game_that_was_said_to_have_moved_is_taken_up_again(database: Database) -> None:
    """With its orders, on record; its records have that it was, and are sound, and its own end tells its secret."""
    here, _ = moving(database)
    move_game(here.service, here.code, WHY)
    here.settle()
    with pytest.raises(Refused) as refused:
        pause(here.service, here.code, WHY)
    assert refused.value.code == "wrong_status"
    resume(here.service, here.code, Actor("the other house is gone"))
    assert (here.game.status, here.game.held) == ("playing", "")
    assert here.game.deadline is not None
    assert [each.act for each in rulings_of(here.service, here.code)][-2:] == ["moved", "moved_back"]
    whole = whole_record(here.service, here.code, WHY)
    assert check_record(whole).goes_on
    again = Match(here.service, import_record(here.service, whole, Arrival()))
    assert [each.act for each in rulings_of(again.service, again.code)][-3:] == ["moved", "moved_back", "exported"]
    content = record(over(here).service, here.code)
    assert not check_record(content).goes_on
    assert secret_told(here)


def test_a_game_that_is_taken_up_again_leaves_the_archive(database: Database) -> None:
    """Its players find it on their first page; one that an earlier release left in the archive can be restored."""
    here, _ = moving(database)
    move_game(here.service, here.code, WHY)
    archive(here.service, here.code, Actor(""))
    ann = Visit(app_on(here.service), here.service, ANN)
    link = f'href="/games/{here.code}"'
    assert link not in ann.get("/")
    resume(here.service, here.code, Actor("the other house is gone"))
    assert link in ann.get("/")
    with here.service.writing() as session:
        game = game_row(session, here.code)
        game.archived = game.created
        session.add(game)
    assert link not in ann.get("/")
    restore(here.service, here.code, Actor(""))
    assert link in ann.get("/")
    for act in (archive, restore):
        with pytest.raises(Refused) as refused:
            act(here.service, here.code, Actor(""))
        assert refused.value.code == "wrong_status"


def secret_told(match: Match) -> bool:
    """Whether each player got the secret by letter."""
    secret = match.game.secret.hex()
    return {ANN, BEN} <= {each.recipient for each in match.letters(kind="report") if secret in each.text}


def test_a_moderator_of_a_moved_game_can_only_take_it_up_again(database: Database) -> None:
    """By the one form on the desk, or by mail; a player who asks by mail is told that it has moved."""
    here, _ = moving(database)
    move_game(here.service, here.code, WHY)
    here.settle()
    visit = Visit(app_on(here.service), here.service, MODERATOR)
    desk = visit.get(f"/games/{here.code}/desk")
    assert SAID in desk
    assert f'action="/games/{here.code}/desk/resume"' in desk
    assert f'action="/games/{here.code}/desk/end"' not in desk
    here.say(0, "status")
    assert SAID in last_to(here, ANN).text
    for text in ("resume\nbecause it was a slip", "confirm"):
        answered = [each for each in here.letters() if each.recipient == MODERATOR][-1]
        post(here.service, reply(answered, text, Message_ID=f"<{uuid4().hex}@{HOME}>"))
    with here.service.reading() as session:
        assert game_row(session, here.code).status == "playing"


def last_to(match: Match, address: str) -> Letter:
    """The newest letter to that address."""
    with match.service.reading() as session:
        found = session.exec(select(Letter).where(Letter.recipient == address)).all()
    return max(found, key=lambda each: each.queued)


@pytest.mark.parametrize("has_moved", [False, True])
def test_a_game_stays_what_it_is_when_its_last_player_leaves_it(database: Database, has_moved: bool) -> None:
    """One that is over has its record still, and one that has moved hides what it hid."""
    here, _ = moving(database)
    if has_moved:
        move_game(here.service, here.code, WHY)
    else:
        resume(here.service, here.code, WHY)
        end_game(here.service, here.code, RULED, None, WHY)
        here.settle()
    status = here.game.status
    assert status == ("moved" if has_moved else "over")
    for seat in here.seats:
        resign(here.service, here.id, seat.number, seat.generation)
    assert here.game.status == status
