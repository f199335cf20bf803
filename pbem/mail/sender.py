"""Sends what is in the outbox, many letters over one connection."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from email.utils import format_datetime
from functools import partial
from typing import Any

import structlog

from pbem import clock, crashing
from pbem.context import Service
from pbem.mail import outbox
from pbem.mail.addresses import canonical
from pbem.mail.joining import join
from pbem.mail.outbox import Claimed
from pbem.mail.transport import Keep, Never, NotNow, Shut, Transport, Unfinished, Unknown, Unreachable, opened, place
from pbem.storage.sessions import AWAY, AWAY_SECONDS

log = structlog.get_logger()

LONGEST = 35.0
"""Real seconds after which the rest is left to the next task. The limit of a task (`pbem.door`) leaves time for a last
letter whose server is slow at every step."""
AT_ONCE = 16
"""Letters that are marked in one commit: as many may go out twice where a sender dies between two marks. One that may
have gone out before is marked alone, so that none is given up because of others."""
DOWN = 15.0
"""Real seconds to wait for a server that is away."""


def send(service: Service, number: int = 0) -> int:
    """Send all that is owed; how many letters were handed over. `number` is of no matter: the outbox is one."""
    end = time.monotonic() + LONGEST

    def over() -> bool:
        return time.monotonic() > end or service.stopping()

    count = 0
    join(service, over)
    while not over():
        service.unwritten.settle()  # or letters that have gone out might be claimed
        letters = outbox.claim(service)
        if not letters:
            break
        handed, more = _send_batch(service, letters, over)
        count += handed
        if not more:
            break
    return count


def _send_batch(service: Service, letters: list[Claimed], over: Callable[[], bool]) -> tuple[int, bool]:
    """How many were handed over, and whether to claim again: what comes into the outbox meanwhile has its own nudge."""
    try:
        transport = opened(service.settings)
    except Shut as error:
        log.warning("no_way_out", place=place(service.settings), reason=str(error), letters=len(letters))
        service.unwritten.keep(partial(outbox.release, service, letters, DOWN))
        return 0, False
    post = _Post(service, transport, letters)
    with closing(transport), post.settling():
        for index, letter in enumerate(letters):
            if not post.hand_over(letter):
                post.give_back(letters[index + 1 :], 0 if post.broken else DOWN)
                return post.count, post.broken
            if over():
                post.give_back(letters[index + 1 :], 0)
                break
    return post.count, len(letters) == outbox.BATCH


class _Post:
    """One connection's work on a batch. Marks are made for several letters at a time, to save commits.

    What became of a letter is known here alone: where the database is away, the process keeps it until it is written.
    """

    def __init__(self, service: Service, transport: Transport, letters: Sequence[Claimed]) -> None:
        self.count = 0
        self.broken = False
        """Whether it ended at a letter and not at the server: the others may go at once, over a new connection."""
        self._service = service
        self._transport = transport
        self._rest = list(letters)
        self._begun: set[int] = set()
        self._good_until = 0.0
        self._taken: list[Claimed] = []

    def hand_over(self, letter: Claimed) -> bool:
        """Deliver one letter and keep what became of it; False where the connection, or the database, is gone."""
        sender = self._service.identity.returns_to(letter.message_id)
        try:
            done = self._transport.deliver(
                sender, canonical(letter.recipient), _dated(letter), lambda: self._begin(letter)
            )
        except NotNow as error:
            return self._keep(outbox.postpone, letter, str(error))
        except Never as error:
            log.warning("letter_refused", letter=letter.id, code=str(error)[:3])
            return self._keep(outbox.fail, letter, str(error))
        except Unknown as error:
            log.warning("letter_unknown", letter=letter.id, reason=str(error))
            self._keep(outbox.lose, letter)
            return False
        except Unfinished as error:
            log.warning("program_not_finished", letter=letter.id)
            self._keep(outbox.doubt, letter, str(error))
            return False
        except Shut as error:
            log.warning("no_way_out", place=place(self._service.settings), reason=str(error), letter=letter.id)
            self.give_back([letter], DOWN)
            return False
        except Unreachable as error:
            log.warning("mail_server_lost", letter=letter.id, reason=str(error)[:3])
            self._keep(outbox.postpone, letter, str(error))
            return False
        except AWAY:
            log.warning("letter_not_begun", letter=letter.id)
            self._leave(outbox.release, [letter], AWAY_SECONDS)
            return False
        except Exception as error:  # what is wrong with one letter holds up no other
            log.error("letter_broken", letter=letter.id, kind=type(error).__name__)  # noqa: TRY400 - may quote it
            self._give_up(letter, type(error).__name__)
            return False
        else:
            if done is not None:
                crashing.at("letter-taken")
                letter.answer = done
                self._taken.append(letter)
                self.count += 1
        return True

    def give_back(self, letters: list[Claimed], pause: float) -> None:
        """They were not tried. `pause` in real seconds."""
        self._keep(outbox.release, letters, pause)

    @contextmanager
    def settling(self) -> Iterator[None]:
        """At its end the letters that were taken last are marked, however it ends."""
        try:
            yield
        finally:
            if self._taken:
                self._keep(outbox.sent, self._taken)

    def _give_up(self, letter: Claimed, kind: str) -> None:
        """What was wrong may be that our time is over, so the database is not waited for."""
        self.broken = True
        if letter.id in self._begun:
            self._leave(outbox.lose, letter)
        else:
            self._leave(outbox.stumble, letter, kind)

    def _keep(self, write: Callable[..., None], *said: Any) -> bool:
        """Whether it is written."""
        return self._service.unwritten.keep(partial(write, self._service, *said))

    def _leave(self, write: Callable[..., None], *said: Any) -> None:
        self._service.unwritten.leave(partial(write, self._service, *said))

    def _begin(self, letter: Claimed) -> Keep | None:
        """Where the letter's data may go out, what keeps it ours: marked a moment ago with others, or now with the next
        few."""
        while self._rest[0].id != letter.id:
            self._rest.pop(0)
        if letter.id not in self._begun or time.monotonic() > self._good_until:
            self._mark(letter)
        crashing.at("data-begun")
        return partial(self._hold, letter) if letter.id in self._begun else None

    def _mark(self, letter: Claimed) -> None:
        """It and the next few begin, or go on for another lease."""
        self._good_until = time.monotonic() + self._service.settings.lease_seconds / 3
        self._begun = outbox.begin(self._service, self._next(letter), self._taken)
        self._taken = []

    def _hold(self, letter: Claimed) -> None:
        """While a server is asked about a letter whose data has gone out, nobody is to think that its sender died."""
        if time.monotonic() > self._good_until:
            try:
                self._mark(letter)
            except AWAY:
                log.warning("lease_not_renewed", letter=letter.id)
            self._begun.add(letter.id)  # its data has, whoever holds it now

    def _next(self, letter: Claimed) -> list[Claimed]:
        """The letters to be marked with that one."""
        if letter.problem == outbox.AGAIN:
            return [letter]
        return [each for each in self._rest if each.problem != outbox.AGAIN][:AT_ONCE]


def _dated(letter: Claimed) -> bytes:
    """The finished message, with the date of sending."""
    return b"Date: " + format_datetime(clock.now()).encode("ascii") + b"\r\n" + letter.content
