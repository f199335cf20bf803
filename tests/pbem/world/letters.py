"""What must hold of all letters of a world: each went out once, or is marked as one of which nobody knows."""

from sqlalchemy import select as columns
from sqlmodel import col

from pbem.mail.outbox import AGAIN
from pbem.storage.models import Letter
from tests.pbem.world.world import Broken, World

OPEN = frozenset({"queued", "claimed", "begun"})
NEVER = frozenset({"withdrawn", "failed"})

_COLUMNS = (col(Letter.key), col(Letter.message_id), col(Letter.fate), col(Letter.problem), col(Letter.attempts))


def check_post(world: World) -> None:
    """Each letter was taken as often as its fate says. Raises Broken."""
    with world.service.reading() as session:
        letters = session.execute(columns(*_COLUMNS)).all()
    taken = dict(world.postman.taken)
    for key, message_id, fate, problem, attempts in letters:
        _check(key, taken.pop(message_id, 0), fate, problem, attempts)
    if taken:
        raise Broken(f"letters went out that are not in the outbox: {list(taken)}")


def _check(key: str, taken: int, fate: str, problem: str, attempts: int) -> None:
    marked = fate == "unknown" or problem.startswith(AGAIN)
    if fate == "sent" and not marked and taken != 1:
        raise Broken(f"{key} is sent, and was taken {taken} times")
    if marked and taken > max(2, attempts):  # again after each death of its sender, and no oftener than it was tried
        raise Broken(f"{key} is marked as sent again, and was taken {taken} times")
    if fate in NEVER and not marked and taken:
        raise Broken(f"{key} is {fate}, and was taken {taken} times")
    if fate in OPEN and not marked and fate != "begun" and taken:
        raise Broken(f"{key} is {fate}, and was taken {taken} times")
