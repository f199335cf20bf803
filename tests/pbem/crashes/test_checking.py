"""The storm's own check: a sound end passes, and one that is spoiled in any way is found."""

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import update
from sqlmodel import SQLModel, col, select

from pbem import clock
from pbem.mail.intake import Arrived, store
from pbem.mail.outbox import PAUSES
from pbem.storage.models import Chore, Game, Inbound, JournalEntry, Letter, Report, StageTime, Submission
from pbem.storage.sessions import Database
from tests.pbem.crashes.checking import OVER, Struck, book, check
from tests.pbem.crashes.town import Books, Moody
from tests.pbem.mail.mailing import reply
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.world.world import Broken

BIDS = "bid 6 or 5 or 4 or 3 or 2 or 1"


class End(NamedTuple):
    """A game of which one stage was played by mail, and the books of its town."""

    match: Match
    town: Path
    server: Moody

    @property
    def books(self) -> Books:
        """To write more into."""
        return Books(self.town)

    def checked(self, *log: Struck) -> Counter[str]:
        """What is counted. Raises Broken."""
        return check(self.match.service, self.town, log)

    @property
    def letter(self) -> Letter:
        """With a seat's last report."""
        return self.match.letters(0, "report")[-1]


@pytest.fixture
def end(sqlite: Database, tmp_path: Path) -> Iterator[End]:
    """All went well. What is checked are rows and books: of which sort the database is makes no difference."""
    books = Books(tmp_path)
    (tmp_path / "calm").touch()
    with _serving(Moody(0, books, "")) as server:
        match = begun(service_on(sqlite, smtp_host="127.0.0.1", smtp_port=server.port), pace="brisk")
        for seat in range(3):
            mail = reply(match.letters(seat, "report")[-1], BIDS)
            arrived = Arrived(mail.as_bytes(), clock.now(), str(mail["From"]), (str(mail["To"]),))
            store(match.service, [arrived])
            books.note("mails", id=str(mail["Message-ID"]), tries=1)
        match.settle()
        yield End(match, tmp_path, server)


@contextmanager
def _serving(server: Moody) -> Iterator[Moody]:
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def rows(model: type[SQLModel], **values: object) -> Callable[[End], None]:
    """All rows of that sort get these values."""

    def spoil(end: End) -> None:
        with end.match.service.writing() as session:
            session.execute(update(model).values(**values))

    return spoil


def letter(**values: object) -> Callable[[End], None]:
    """So does the last report's letter."""

    def spoil(end: End) -> None:
        with end.match.service.writing() as session:
            session.execute(update(Letter).where(col(Letter.id) == end.letter.id).values(**values))

    return spoil


def again(model: type[SQLModel], **values: object) -> Callable[[End], None]:
    """The first row of that sort is there once more, with other values for what is to be unique."""

    def spoil(end: End) -> None:
        with end.match.service.writing() as session:
            kept = session.exec(select(model)).first()
            assert kept is not None
            session.add(model(**{**kept.model_dump(), "id": None, **values}))

    return spoil


def gone(model: type[SQLModel]) -> Callable[[End], None]:
    """The last row of that sort is lost."""

    def spoil(end: End) -> None:
        with end.match.service.writing() as session:
            session.delete(session.exec(select(model)).all()[-1])

    return spoil


def noted(name: str, **facts: object) -> Callable[[End], None]:
    """The town has written that down."""
    return lambda end: end.books.note(name, **facts)


def refused_call(end: End) -> None:
    """A game that goes on takes no orders."""
    end.books.note("refusals", letter=end.letter.message_id, when=clock.now().isoformat(), said=OVER)


def taken_again(end: End) -> None:
    """A letter came a second time."""
    letter(problem="sent-again")(end)
    end.books.note("letters", id=end.letter.message_id, answer="250")


def not_taken(end: End) -> None:
    """A letter never came."""
    lines = (end.town / "letters").read_text().splitlines(keepends=True)
    (end.town / "letters").write_text("".join(line for line in lines if end.letter.message_id not in line))


def chore_aside(end: End) -> None:
    """A task was given up."""
    with end.match.service.writing() as session:
        session.add(Chore(task="tend", number=1, next_try=clock.now(), aside=True))


NOBODY = "550 5.1.1 nobody of that name"
SPOILED: dict[str, tuple[Callable[[End], None], str]] = {
    "mails refused": (rows(Inbound, status="refused", problem="forged"), "mail .* is .*forged"),
    "mails refused as too late": (rows(Inbound, status="refused", problem="wrong_status"), "mail .* is .*wrong_status"),
    "mails held": (rows(Inbound, status="held"), "mail .* is .*held"),
    "mails not read": (rows(Inbound, status="stored"), "mail .* is .*stored"),
    "mail lost": (noted("mails", id="<lost@players.example>", tries=1), r"mail <lost@players.example> is \[\]"),
    "mail read twice": (again(Inbound), "mail .* is .*read.*read"),
    "mail counts twice": (again(Submission, key="other", number=99), "counts 2 times"),
    "mail refused by the door": (noted("refusals", letter="", when="", said="550"), "was refused"),
    "call lost": (noted("calls", key="k", text="bid 3", tries=1, outcome="kept"), "counts 0 times"),
    "call refused in a game that goes on": (refused_call, "was refused"),
    "letter failed that was never refused": (letter(fate="failed", problem=NOBODY), r"failed .*said \[\]"),
    "letter broken by a fault of ours": (letter(fate="failed", problem="KeyError"), "failed .KeyError"),
    "letter put off that was never put off": (letter(deferred=1), "counts as put off 1 times, and was 0 times"),
    "letter set aside": (letter(fate="aside"), "is aside"),
    "letter not sent": (letter(fate="claimed"), "is claimed"),
    "letter not taken": (not_taken, "is sent.*nobody took it"),
    "letter sent again for nothing": (taken_again, "was sent again"),
    "letter of nobody's": (noted("letters", id="<no@play.example>", answer="250"), "that nobody wrote"),
    "letter not written": (gone(Report), "too few"),
    "report twice": (again(Report, entry=99), "too many"),
    "stage closed twice": (again(StageTime, line=1), "were closed"),
    "stage not closed": (gone(StageTime), "were closed"),
    "game set aside": (rows(Game, aside=True), "was set aside"),
    "task set aside": (chore_aside, "tasks were set aside"),
    "another end than the journal's": (rows(Game, head=b"another"), "journal of"),
    "journal cut": (gone(JournalEntry), "journal of"),
}


def test_sound_end_passes(end: End) -> None:
    """Everything that is looked at is there to be looked at."""
    counted = end.checked()
    assert counted["mails accepted"] == 3
    assert counted["stages resolved"] == 1
    assert counted["entries replayed"] > 0
    assert counted["letters sent"] == len(end.match.letters())


@pytest.mark.parametrize("how", SPOILED)
def test_spoiled_end_is_found(end: End, how: str) -> None:
    """Whatever was lost, doubled, or made up is told."""
    spoil, told = SPOILED[how]
    spoil(end)
    with pytest.raises(Broken, match=f"(?s){told}"):
        end.checked()


def test_letters_that_the_mail_server_refused_may_have_failed(end: End) -> None:
    """One for good at once, one because it was put off as often as the service tries."""
    ann, ben = (end.match.letters(seat)[0].recipient for seat in (0, 1))
    end.server.fail("rcpt", "550 5.1.1 nobody of that name", to=ann)
    end.server.fail("rcpt", "450 4.2.0 greylisted", times=len(PAUSES) + 1, to=ben)
    for seat in (0, 1):
        end.match.say(seat, "status")
    for pause in (0, *PAUSES):
        clock.shift(timedelta(seconds=pause))
        end.match.settle()
    counted = end.checked()
    assert (counted["letters failed"], counted["letters refused for good"]) == (2, 1)
    assert counted["letters put off too often"] == 1


def test_letter_that_failed_too_early_is_found(end: End) -> None:
    """It was put off, but less often than the service tries."""
    ann = end.match.letters(0)[0].recipient
    end.server.fail("rcpt", "450 4.2.0 greylisted", times=3, to=ann)
    end.match.say(0, "status")
    for pause in (0, *PAUSES[:3]):
        clock.shift(timedelta(seconds=pause))
        end.match.settle()
    end.checked()
    with end.match.service.writing() as session:
        late = session.exec(select(Letter).where(col(Letter.deferred) == 3)).one()
        late.fate, late.problem = "failed", "450 4.2.0 greylisted"
        session.add(late)
    with pytest.raises(Broken, match=re.escape("failed (450 4.2.0 greylisted)")):
        end.checked()


def test_letter_taken_again_after_the_sender_was_killed_is_no_fault(end: End) -> None:
    """Nobody could know whether it had been handed over."""
    taken_again(end)
    first, second = (each["at"] for each in book(end.town, "letters") if each["id"] == end.letter.message_id)
    assert end.checked(Struck("sender", first, second))["letters taken again: the sender was killed"] == 1


def test_call_that_was_refused_once_its_game_was_over_is_no_fault(end: End) -> None:
    """What was refused before that is one, and so is a second refusal for the same letter."""
    rows(Game, status="over", ended=clock.now())(end)
    refused_call(end)
    assert end.checked()["calls refused, their games over"] == 1
    refused_call(end)
    with pytest.raises(Broken, match="were refused twice"):
        end.checked()
    rows(Game, ended=clock.now() + timedelta(hours=1))(end)
    with pytest.raises(Broken, match="was refused"):
        end.checked()
