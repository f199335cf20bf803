"""Thin tasks: an id in, a call of the service, nothing out. Each may run twice, late, or never."""

from pbem import sweep
from pbem.door import ADVANCE, INVITE, OBSERVE, READ, REMIND, SEND, SENDING_LIMIT, SWEEP, TEND, WARNED
from worker import pacing
from worker.app import app
from worker.service import service


@app.task(name=ADVANCE)  # type: ignore[untyped-decorator]
def advance(number: int) -> None:
    """Take a game as far as it may go."""
    sweep.perform(service(), ADVANCE, number)


@app.task(name=READ)  # type: ignore[untyped-decorator]
def read(number: int) -> None:
    """Read a mail that was stored."""
    sweep.perform(service(), READ, number)


@app.task(name=REMIND)  # type: ignore[untyped-decorator]
def remind(number: int) -> None:
    """Remind the player of a seat."""
    sweep.perform(service(), REMIND, number)


@app.task(name=INVITE)  # type: ignore[untyped-decorator]
def invite(number: int) -> None:
    """Tell a player's calendar of a deadline."""
    sweep.perform(service(), INVITE, number)


@app.task(name=SEND, soft_time_limit=SENDING_LIMIT - WARNED, time_limit=SENDING_LIMIT)  # type: ignore[untyped-decorator]
def send(number: int) -> None:
    """Send what is in the outbox, once letters have had a moment to gather there."""
    pacing.gather()
    service().door.taken(SEND)
    sweep.perform(service(), SEND, number)


@app.task(name=TEND)  # type: ignore[untyped-decorator]
def tend(number: int) -> None:
    """Do what a game needs beside play."""
    sweep.perform(service(), TEND, number)


@app.task(name=OBSERVE)  # type: ignore[untyped-decorator]
def observe(number: int) -> None:
    """Tell an observer what has come to be seen."""
    sweep.perform(service(), OBSERVE, number)


@app.task(name=SWEEP)  # type: ignore[untyped-decorator]
def look_for_what_is_owed() -> None:
    """Hand over what is owed."""
    sweep.sweep(service())
