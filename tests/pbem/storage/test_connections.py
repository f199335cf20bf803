"""A worker, and a page, have work for one connection for reading and one for writing at a time: see the guide."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Engine, QueuePool, create_engine, event
from sqlmodel import select

from pbem import clock
from pbem.context import Service
from pbem.mail.intake import Arrived, store
from pbem.storage.limits import Limits
from pbem.storage.models import Inbound, Letter, Setting
from pbem.storage.sessions import AWAY, PREPARE_AFTER, Database
from pbem.sweep import settle
from tests.pbem.games.test_gathering import gathering, request
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import HOME, reply
from tests.pbem.mail.test_desk import led
from tests.pbem.mail.test_ledger import dsn
from tests.pbem.playing import Match, begun, created, service_on
from tests.pbem.web.api.calling import program
from tests.pbem.web.visiting import Visit, app_on


@pytest.fixture
def frugal(database: Database) -> Iterator[Database]:
    """A database of which nobody may have two connections of a kind at the same time."""
    with _counted(database.reader) as reading, _counted(database.writer) as writing:
        yield database
    assert (set(reading), set(writing)) == ({1}, {1})


@contextmanager
def _counted(engine: Engine) -> Iterator[list[int]]:
    """How many connections were out, each time that one was taken."""
    out: list[int] = []

    def note(*_: Any) -> None:
        assert isinstance(engine.pool, QueuePool)
        out.append(engine.pool.checkedout())

    event.listen(engine, "checkout", note)
    yield out
    event.remove(engine, "checkout", note)


def take(service: Service, mail: EmailMessage, to: str = "") -> list[Letter]:
    """A mail comes, and what comes of it is done here; the letters that are written then."""
    known = {letter.id for letter in letters(service)}
    sender = mail["From"].addresses[0].addr_spec
    store(service, [Arrived(mail.as_bytes(), clock.now(), sender, (to or str(mail["To"]),))])
    settle(service)
    return [letter for letter in letters(service) if letter.id not in known]


def letters(service: Service) -> list[Letter]:
    """All letters."""
    with service.reading() as session:
        return list(session.exec(select(Letter)))


def say(match: Match, letter: Letter, text: str, sender: str = "") -> list[Letter]:
    """What is written for an answer to a letter."""
    return take(match.service, reply(letter, text, sender, Message_ID=f"<{uuid4().hex}@{HOME}>"))


def test_orders_by_mail_and_what_comes_of_them(frugal: Database) -> None:
    """Kept, refused, held and confirmed; a stage closed by its deadline, with a reminder before."""
    match = begun(service_on(frugal), pace="brisk", moderator="mod@players.example")
    report = match.letters(0, "report")[-1]
    say(match, report, BIDS)
    say(match, report, "Good luck to all of you.")
    [held] = say(match, match.letters(1, "report")[-1], BIDS, "elsewhere@players.example")
    say(match, held, "confirm")
    say(match, report, "to green: shall we?\nundo\nstatus\nextend 24h: at sea")
    say(match, report, "away 2026-12-24 to 2026-12-27")
    match.pass_deadline()
    assert match.game.stage_key != report.stage_key


@pytest.mark.parametrize(
    "text",
    [
        "extend 12\nbecause so",
        "standin green random\nbecause so",
        f"orders green\n{BIDS}\nbecause so",
        "message all\nhello",
        "end\nbecause so",
        "extend 0\nbecause so",
    ],
)
def test_a_moderators_commands_by_mail(frugal: Database, text: str) -> None:
    """Asked for, done or refused, and answered."""
    match = led(frugal)
    match.say(1, BIDS)
    leading = [letter for letter in match.letters(kind="leading") if letter.seat is None][-1]
    say(match, leading, "status")
    say(match, leading, "nonsense")
    [asks] = say(match, leading, text)
    assert any(letter.kind in ("commanded", "nocommand") for letter in say(match, asks, "confirm"))
    say(match, asks, "confirm")


def test_games_that_gather_and_mails_of_others(frugal: Database) -> None:
    """Invitations, seats that are asked for, and mails of strangers, of mail servers and to the operator."""
    match = created(service_on(frugal, operator="op@players.example"))
    service = match.service
    first, second, third = match.letters(kind="invitation")
    say(match, first, "join apricot")
    say(match, second, "perhaps")
    say(match, third, "decline")
    take(service, dsn(second, "failed", "5.1.1", "550 no such user"), service.identity.bounces)
    take(service, request("Hello?", "eve@elsewhere.example"))
    take(service, request("Is anybody there?", "eve@elsewhere.example"), f"postmaster@{service.identity.domain}")
    open_game = gathering(service)
    [opening] = take(service, request(f"join {open_game.code}", "dan@players.example"))
    say(open_game, opening, "join")
    assert any(seat.account_id for seat in open_game.seats)


def test_pages_of_a_seat(frugal: Database) -> None:
    """Before and after the game begins, with orders that come after a mail, and its player's program."""
    match = created(service_on(frugal))
    visit = Visit(app_on(match.service), match.service, "ann@players.example")
    visit.get(f"/games/{match.code}")
    for letter in match.letters(kind="invitation"):
        say(match, letter, "join")
    mail = reply(match.letters(0, "report")[-1], BIDS)
    store(match.service, [Arrived(mail.as_bytes(), clock.now(), str(mail["From"]), (str(mail["To"]),))])
    visit.get(f"/games/{match.code}")
    visit.send(f"/games/{match.code}/orders", text=BIDS, act="send")
    program(match, 1).get("/games")
    Visit(app_on(match.service), match.service, "ben@players.example").get(f"/games/{match.code}")


def test_one_connection_of_each_kind_is_enough(postgresql_url: str) -> None:
    """As few as the settings allow: a moderator's command is done by mail, and nobody waits in vain."""
    database = Database(postgresql_url, Limits(connections=1, wait=1))
    match = led(database)
    leading = [letter for letter in match.letters(kind="leading") if letter.seat is None][-1]
    [asks] = say(match, leading, "extend 12\nbecause so")
    assert [letter.kind for letter in say(match, asks, "confirm") if letter.seat is None] == ["commanded"]
    with match.service.reading() as session:
        assert set(session.exec(select(Inbound.status))) == {"read"}
    database.close()


def test_migration_under_an_open_connection_is_no_fault_of_what_is_asked(database: Database) -> None:
    """What PostgreSQL keeps a plan of may get a column of another type: as if it had been away, for once."""
    change = "ALTER TABLE setting ALTER COLUMN value TYPE text" if not database.sqlite else "VACUUM"
    ask = select(Setting.value).where(Setting.name == "x")
    with database.writing() as session:
        session.add(Setting(name="x", value="y"))
    for _ in range(2 * PREPARE_AFTER):
        with database.reading() as session:
            assert session.exec(ask).one() == "y"
    migrator = create_engine(database.url)
    with migrator.connect().execution_options(isolation_level="AUTOCOMMIT") as other:
        other.exec_driver_sql(change)
    migrator.dispose()
    with suppress(*AWAY), database.reading() as session:
        session.exec(ask).one()
    with database.reading() as session:
        assert session.exec(ask).one() == "y"
