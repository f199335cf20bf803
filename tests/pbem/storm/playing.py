"""What players do in a storm: orders and nonsense, commands of every sort, late and early, by mail and by page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from sqlmodel import col, select

from pbem import clock
from pbem.errors import Refused
from pbem.games.policy import PAUSED
from pbem.games.position import Position, holds
from pbem.observing.letters import ANSWERED as OBSERVERS
from pbem.sheets.received import Post
from pbem.sheets.submitting import submit
from pbem.storage.models import Letter, Seat
from tests.pbem.storm.values import NONSENSE
from tests.pbem.storm.ways import Ways
from tests.pbem.web.visiting import forms
from tests.pbem.world import writing
from tests.pbem.world.world import Broken, World

PAGE = 0.15
"""The part of submissions by the page."""
OLDER = 0.15
"""The part of mails that answer some older letter."""
ASKING = ("report", "course", "ruling", "reminder", "acknowledgement", "undone", "press", "looked", "story", "proposal")
CONFIRMED = ("confirm-resign", "confirm-new_token", "confirm-command", "foreign-confirm-command")
OFFERED = ("invitation", "offer", "opening", "waiting")
STANDING = 0.2
"""The part of sheets with a line that is to stand."""
REGRETS = 0.1
"""The part of orders that are taken back at once."""
ANSWER = "plain answer"
"""What is sent in answer to a message, without saying that it is one."""
VOTES = 0.45
"""The part of what is sent while a proposal is open that votes on it."""
DECLINES = 0.15
"""The part of offers that are turned down."""
PAGES = ("", "/reports", "/messages", "/table")
"""Of a player, in a game."""
COMMANDS = (
    *("ready", "ready", "not ready", "undo", "undo", "use", "use", "clear", "check", "never mind all", "resign"),
    *("show orders", "show report", "status", "history 3", "help", "mail daily", "mail each", "quiet 22:00 to 7:00"),
    *("back", "extend 12 because I travel", "absent today to tomorrow", "absent mon to fri", "remind 24", "new token"),
    *("propose draw", "propose extend 24h", "propose pause", "propose resume", "vote yes", "vote no"),
    *(
        "propose extend 2h",
        "mail when asked",
        "calendar on",
        "calendar off",
        "mute anonymous",
        "unmute all",
        "help orders",
    ),
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
    letter = _letter(world, seat, random, ("press",) if what == ANSWER else ASKING)
    if letter is None or random.random() < PAGE:
        return _by_page(world, stands, seat, text, random) or what
    world.mail(letter, text)
    if what == "orders" and random.random() < REGRETS:
        world.settle()
        world.mail(letter, "undo")
    return what


def confirm(world: World, random: Random) -> None:
    """Answer a letter that asks for a word, to whomever it went."""
    with world.service.reading() as session:
        kinds = col(Letter.kind).in_((*CONFIRMED, *OFFERED, *OBSERVERS))
        letters = session.exec(
            select(Letter).where(kinds, col(Letter.fate) == "sent").order_by(col(Letter.queued))
        ).all()
    if letters:
        letter = random.choice(letters[-10:])
        word = "confirm" if letter.kind in CONFIRMED else "observe" if letter.kind in OBSERVERS else "join"
        declines = letter.kind in OFFERED and random.random() < DECLINES
        world.mail(letter, "decline" if declines else word)


def _text(stands: Position, seat: Seat, random: Random) -> tuple[str, str]:
    own, drawn = marks(stands.game.code, seat), random.random()
    if stands.game.voting and random.random() < VOTES:
        vote = random.choice(("vote yes", "vote yes", "vote yes", "vote no"))
        return vote, vote
    if stands.game.held == PAUSED and random.random() < VOTES:
        return "propose resume", "propose"
    lines = [f"Hello, {own.secret} as ever."] if random.random() < 0.5 else []
    answered = random.choice(("Thanks, agreed.", "Never in my life"))
    if drawn < 0.05:
        return answered, ANSWER
    if drawn < 0.45:
        lines += _orders(stands, seat, random)
        lines += ["ready"] if random.random() < 0.7 else []
        return "\n".join(lines), "orders"
    if drawn < 0.55:
        return "\n".join([*lines, *random.sample(NONSENSE, 2)]), "nonsense"
    if drawn < 0.65:
        return "\n".join([*lines, *_press(stands, seat, own, random)]), "press"
    said = random.choice([*COMMANDS, *_about_another(stands, seat, random)])
    return "\n".join([*lines, said]), said.partition(" ")[0]


def _orders(stands: Position, seat: Seat, random: Random) -> list[str]:
    """A sheet, of which some line may be to stand for good."""
    lines = writing.sheet(stands, seat.number, random)
    if lines and random.random() < STANDING:
        place = random.randrange(len(lines))
        lines[place] = f"always {lines[place].removeprefix('always ')}"
    return lines


def _press(stands: Position, seat: Seat, own: Marks, random: Random) -> list[str]:
    """Messages of all sorts: to one, to who leads, to all, with or without a name."""
    other = random.choice([*(each.name for each in stands.seats if each.number != seat.number), "moderator"])
    unsigned = random.choice(("", "", ", anonymous"))
    more = random.choice(("", "to all: good luck", "to writer: I see"))
    return [f"to {other}{unsigned}: {own.press(other)}", "", more]


def _about_another(stands: Position, seat: Seat, random: Random) -> list[str]:
    """Commands that name another seat."""
    others = [each.name for each in stands.seats if each.number != seat.number]
    heads = ("concede to", "propose replace", "mute", "unmute")
    return [f"{head} {random.choice(others)}" for head in heads] if others else []


def _letter(world: World, seat: Seat, random: Random, kinds: Sequence[str]) -> Letter | None:
    """The last letter that the holder got, or an older one, which may even have gone to somebody before."""
    with world.service.reading() as session:
        mine = col(Letter.game_id) == seat.game_id, col(Letter.seat) == seat.number
        sent = col(Letter.kind).in_(kinds), col(Letter.fate).in_(("sent", "unknown"))
        letters = session.exec(select(Letter).where(*mine, *sent).order_by(col(Letter.queued), col(Letter.id))).all()
    if not letters:
        return None
    return random.choice(letters) if random.random() < OLDER else letters[-1]


def line_up(ways: Ways, code: str, address: str, random: Random) -> str:
    """Somebody comes for a seat of the game by its page, or for a place among those who wait for one; or leaves."""
    visit = ways.visit(address)
    assert visit is not None
    page, status = visit.get(f"/games/{code}/open")
    found = [form for form in forms(page) if form.action.endswith(("/open/join", "/leave"))]
    if status != 200 or not found:
        return "not open"
    form = found[0]
    leaves = form.action.endswith("/leave")
    if leaves and random.random() < 0.7:
        return "goes on waiting"
    _, status = visit.post(form.action, form.fields)
    return ("left" if leaves else "came") if status == 200 else "refused"


def take_offer(ways: Ways, code: str, address: str) -> str:
    """Somebody takes the seat that they are offered, by the page of the offer."""
    visit = ways.visit(address)
    assert visit is not None
    page, status = visit.get(f"/games/{code}/offer")
    form = next((form for form in forms(page) if form.action.endswith("/offer/join")), None)
    if status != 200 or form is None:
        return "nothing offered"
    return "took" if visit.post(form.action, form.fields)[1] == 200 else "refused"


def browse(ways: Ways, code: str, address: str) -> str:
    """All that somebody is shown on the pages of a game in which they have a seat."""
    visit = ways.visit(address)
    assert visit is not None
    pages = [visit.get(path) for path in ("/", *(f"/games/{code}{page}" for page in PAGES))]
    broken = [place for place, (_, status) in enumerate(pages) if status != 200]
    if broken:
        raise Broken(f"pages {broken} of {code} are not there for {address}")
    return "\n".join(page for page, _ in pages)


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
