"""Numbers of letters, which stand readable in addresses: they tell nothing, and a letter is stored once by its key."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import blake2b
from itertools import product

import pytest
from sqlmodel import select

from engine.orders.lexicon import lexicon
from pbem.context import Service
from pbem.games.lifecycle import invite
from pbem.games.rules import module_of
from pbem.mail.identity import Identity
from pbem.reports.data import decode_report
from pbem.rulings.authority import Actor
from pbem.rulings.goingback import Back, roll_back
from pbem.rulings.returning import return_to
from pbem.sheets.messages import message_order, recipients
from pbem.storage.models import Letter, SignInLink
from pbem.storage.sessions import Database
from tests.pbem.games.test_succession import EVE, account_id, offered
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import begun, created, placing, service_on
from tests.pbem.rulings.test_goingback import corrected, opening, played
from tests.pbem.web.api.calling import program
from tests.pbem.web.visiting import app_on

NEW_KEY = b"n" * 32
Upgrade = Callable[[Service], Service]


def unkeyed(_identity: Identity, key: str) -> int:
    """The number that releases before made of a key."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest()) >> 1


@pytest.fixture(params=["release", "key"])
def upgrade(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Upgrade]:
    """What comes after numbers letters in another way than before: another release does, or another signing key."""
    with monkeypatch.context() as before:
        if request.param == "release":
            before.setattr(Identity, "number", unkeyed)

        def upgraded(service: Service) -> Service:
            before.undo()
            keys = service.identity.keys if request.param == "release" else (NEW_KEY, *service.identity.keys)
            return replace(service, identity=Identity(service.identity.domain, keys))

        yield upgraded


def test_number_of_a_letter_tells_nobody_who_wrote_it(database: Database) -> None:
    """Its reader knows all that its key is made of but the seat and the program's own short key, and tries them all."""
    match = begun(service_on(database), "tinygame", 3, pace="brisk", policy={"press": "choose"})
    said = "Shall we gang up on nobody?"
    sender = program(match, 1, app=app_on(match.service))
    sender.post(f"/games/{match.code}/messages", to=["red", "blue"], text=said, anonymous=True, key="7")
    match.settle()
    [letter] = match.letters(0, "press")
    mark = match.service.identity.find([], [letter.message_id]).mark
    assert mark is not None
    module = module_of(match.game)
    words, sides = lexicon(module.language.words, "en"), module.seat_names[:3]
    readers_own = Identity("play.example", (b"r" * 32,))
    tried = []
    for seat, to, key in product((1, 2), ("0", "01", "02"), map(str, range(10))):
        order = message_order(words, recipients(words, sides, seat, to), said, unsigned=True)
        given = blake2b(f"{key}\n{order}".encode(), digest_size=16).hexdigest()
        tried.append(f"press/api/{match.code}/{seat}/{given}/0/{letter.recipient}")
    assert letter.key in tried
    assert mark.letter not in {
        number for key in tried for number in (unkeyed(readers_own, key), readers_own.number(key))
    }


def test_letter_that_is_written_again_in_another_way_is_stored_once(database: Database, upgrade: Upgrade) -> None:
    """By another release, or after the signing key was changed. The one that was stored first is answered as ever."""
    match = created(service_on(database), seats=3)
    before = match.letters()
    match.service = upgrade(match.service)
    with match.service.reading() as session:
        links = len(session.exec(select(SignInLink)).all())
    invite(match.service, match.code)
    assert [each.id for each in match.letters()] == [each.id for each in before]
    with match.service.reading() as session:
        assert len(session.exec(select(SignInLink)).all()) == links
    post(match.service, *(reply(letter, "join") for letter in before if letter.kind == "invitation"))
    assert match.game.status == "playing"


def test_offer_that_another_release_has_stored_is_the_one_that_is_known(database: Database, upgrade: Upgrade) -> None:
    """Two processes offer a seat in the same moment: one letter goes out, and `join` in answer takes the seat."""
    match = begun(service_on(database))
    version = match.game.version
    first = offered(match)
    match.service = upgrade(match.service)
    with match.service.writing() as session:
        session.merge(match.game).version = version
    assert offered(match).id == first.id
    post(match.service, reply(first, "join"))
    assert match.seats[0].account_id == account_id(match, EVE)


def test_report_that_another_release_has_stored_is_taken_back(database: Database, upgrade: Upgrade) -> None:
    """An undo withdraws the letter that has not gone out, and sends no correction of what nobody was told."""
    match, seat = placing(database)
    match.say(seat, "place workshop 1")
    match.settle()
    asked = int(match.game.waiting)
    letter = match.letters(asked, "report")[-1]
    match.service = upgrade(match.service)
    match.say(seat, "undo")
    with match.service.reading() as session:
        assert session.get_one(Letter, letter.id).fate == "withdrawn"
    assert not match.letters(kind="undone")


def test_reports_that_another_release_has_stored_are_withdrawn_and_told_anew(
    database: Database, upgrade: Upgrade
) -> None:
    """Where play goes back: what was ruled and had reached nobody stands in the next report."""
    match = played(database)
    left = match.game.line
    roll_back(match.service, match.code, Back(opening(match, "2-turn")), Actor("the first reason"))
    first = match.letters(0, "report")[-1]
    match.service = upgrade(match.service)
    return_to(match.service, match.code, left, Actor("the second reason"))
    told = [each.reason for each in decode_report(corrected(match, 0).data).rulings]
    assert told == ["the first reason", "the second reason"]
    with match.service.reading() as session:
        assert session.get_one(Letter, first.id).fate == "withdrawn"
