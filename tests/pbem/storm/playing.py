"""What players do in a storm: orders and nonsense, commands of every sort, late and early, by mail and by page."""

import re
from dataclasses import dataclass
from random import Random

from sqlmodel import col, select

from pbem import clock
from pbem.errors import Refused
from pbem.games.position import Position, holds
from pbem.sheets.received import Post
from pbem.sheets.submitting import submit
from pbem.storage.models import Letter, Seat
from tests.pbem.storm.values import NONSENSE
from tests.pbem.world import writing
from tests.pbem.world.world import Broken, World

PAGE = 0.15
"""The part of submissions by the page."""
OLDER = 0.15
"""The part of mails that answer some older letter."""
ASKING = ("report", "course", "ruling", "reminder", "acknowledgement", "undone", "press", "looked")
CONFIRMED = ("confirm-resign", "confirm-new_token")
OFFERED = ("invitation", "offer")
COMMANDS = (
    *("ready", "ready", "not ready", "undo", "undo", "use", "use", "clear", "check", "never mind all", "resign"),
    *("show orders", "show report", "status", "history", "help", "mail daily", "mail each", "quiet 22:00 to 7:00"),
    *("back", "extend 12 because I travel", "absent today to tomorrow", "absent mon to fri", "remind 24", "new token"),
)
MARK = re.compile(r"zq([a-z0-9]+)x(\d+)q(?:to([a-z]+))?")
"""A mark with its game, its seat, and whom it is meant for."""


@dataclass(frozen=True)
class Marks:
    """What a seat's own words have in them, that nobody else may ever see."""

    secret: str
    """In the prose of its mails."""

    def press(self, other: str) -> str:
        """In what it says to one other seat alone."""
        return f"{self.secret}to{other}"


def marks(code: str, seat: Seat) -> Marks:
    """Those of a seat."""
    return Marks(f"zq{code}x{seat.number}q")


def act(world: World, stands: Position, seat: Seat, random: Random) -> str:
    """Whoever holds the seat sends something; what it was."""
    text, what = _text(stands, seat, random)
    letter = _letter(world, seat, random)
    if letter is None or random.random() < PAGE:
        return _by_page(world, stands, seat, text, random) or what
    world.mail(letter, text)
    return what


def confirm(world: World, random: Random) -> None:
    """Answer a letter that asks for a word, to whomever it went."""
    with world.service.reading() as session:
        kinds = col(Letter.kind).in_((*CONFIRMED, *OFFERED))
        letters = session.exec(
            select(Letter).where(kinds, col(Letter.fate) == "sent").order_by(col(Letter.queued))
        ).all()
    if letters:
        letter = random.choice(letters[-10:])
        world.mail(letter, "confirm" if letter.kind in CONFIRMED else "join")


def _text(stands: Position, seat: Seat, random: Random) -> tuple[str, str]:
    own, drawn = marks(stands.game.code, seat), random.random()
    lines = [f"Hello, {own.secret} as ever."] if random.random() < 0.5 else []
    if drawn < 0.45:
        lines += writing.sheet(stands, seat.number, random)
        lines += ["ready"] if random.random() < 0.7 else []
        return "\n".join(lines), "orders"
    if drawn < 0.55:
        return "\n".join([*lines, *random.sample(NONSENSE, 2)]), "nonsense"
    if drawn < 0.65:
        other = random.choice([*(each.name for each in stands.seats if each.number != seat.number), "moderator"])
        return "\n".join([*lines, f"to {other}: {own.press(other)}", "to all: good luck"]), "press"
    said = random.choice(COMMANDS)
    return "\n".join([*lines, said]), said.partition(" ")[0]


def _letter(world: World, seat: Seat, random: Random) -> Letter | None:
    """The last letter that the holder got, or an older one, which may even have gone to somebody before."""
    with world.service.reading() as session:
        mine = col(Letter.game_id) == seat.game_id, col(Letter.seat) == seat.number
        sent = col(Letter.kind).in_(ASKING), col(Letter.fate).in_(("sent", "unknown"))
        letters = session.exec(select(Letter).where(*mine, *sent).order_by(col(Letter.queued), col(Letter.id))).all()
    if not letters:
        return None
    return random.choice(letters) if random.random() < OLDER else letters[-1]


def _by_page(world: World, stands: Position, seat: Seat, text: str, random: Random) -> str:
    if not holds(seat):
        return ""
    world.mails += 1
    post = Post(seat.game_id, seat.number, text, "page", f"page/{world.mails}", clock.now())
    try:
        taken = submit(world.service, post)
        if taken.number is not None and not submit(world.service, post).duplicate:
            raise Broken(f"{post.key} was sent twice, and taken twice")
    except Refused as refused:
        return f"refused {refused.code}"
    return ""
