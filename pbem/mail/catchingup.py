"""What a page or the API sends for a seat comes after the mails of that seat that came before it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import structlog

from pbem.context import Service
from pbem.errors import Busy
from pbem.games.position import game_of
from pbem.mail import turns
from pbem.mail.ingest import read, take_over
from pbem.mail.posted import gives_up, leave_line, stand_in_line
from pbem.sheets.received import Post
from pbem.sheets.submitting import Taken, submit

log = structlog.get_logger()

LOOKS = 20
LOOK = 0.1
"""Real seconds between two looks: who is at a mail needs a fraction of one, and a first pause is one."""


def submit_in_turn(service: Service, post: Post) -> Taken:
    """As `submit`, after the mails of its seat that came before it, for the stage that was open when it was received.

    Raises Busy as `catch_up`, and then nothing is kept.
    """
    if not turns.waiting(service, post.game_id, post.seat):
        return submit(service, post)
    post = _for_its_stage(service, post)
    place = stand_in_line(service, post)
    try:
        _wait_for_turn(service, place, post)
        return submit(service, post)
    finally:
        leave_line(service, place, post)


def _for_its_stage(service: Service, post: Post) -> Post:
    """What is for the stage that is open names it, for another one may be open once it is taken."""
    if post.asked is not None:
        return post
    with service.reading() as session:
        game = game_of(session, post.game_id)
    return post if game is None else replace(post, asked=(game.line, game.stage_key))


def _wait_for_turn(service: Service, place: int, post: Post) -> None:
    """Until the mails before it are read. Raises Busy, and then nobody else takes it."""
    earlier = [each for each in turns.waiting(service, post.game_id, post.seat) if each < place]
    try:
        _wait_for(service, earlier, post.game_id, post.seat)
    except Busy:
        # They may have been read since, and another call of the seat may be at this one: then it is kept.
        if gives_up(service, place):
            raise


def catch_up(service: Service, game_id: int, seat: int) -> None:
    """Read the mails of a seat that wait, before something is done that comes after them.

    Who is at one already is given a moment; after that it is read here, for they may be dead. Raises Busy where that
    fails: nothing newer is taken before the mail has been read or given up.
    """
    _wait_for(service, turns.waiting(service, game_id, seat), game_id, seat)


def _wait_for(service: Service, numbers: Sequence[int], game_id: int, seat: int) -> None:
    left = numbers
    for _ in range(LOOKS):
        left = _left(service, left, read)
        if not left:
            return
        time.sleep(LOOK)
    if _left(service, left, take_over):
        log.warning("mail_waited_for", game=game_id, seat=seat)
        raise Busy


def _left(service: Service, numbers: Sequence[int], by: Callable[[Service, int], None]) -> list[int]:
    """Those of the mails that wait still when each was tried. One that fails is counted as ever."""
    for number in numbers:
        try:
            by(service, number)
        except Exception as error:
            log.error("mail_failed", inbound=number, kind=type(error).__name__)  # noqa: TRY400 - it may hold orders
    return turns.unread(service, numbers) if numbers else []
