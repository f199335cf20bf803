"""One player's mail in, and the letters that come of it."""

from uuid import uuid4

from pbem.storage.models import Letter
from tests.pbem.mail import mailing
from tests.pbem.playing import Match


def mailed(match: Match, seat: int, text: str, to: Letter | None = None) -> list[Letter]:
    """The letters of the game that come of a mail, sent through the listener in answer to the seat's last report."""
    known = {letter.id for letter in match.letters()}
    own = f"<{uuid4().hex}@{mailing.HOME}>"
    mailing.post(match.service, mailing.reply(to or match.letters(seat, "report")[-1], text, Message_ID=own))
    return [letter for letter in match.letters() if letter.id not in known]


def answer(match: Match, seat: int, text: str) -> str:
    """The text of the one letter that a mail is answered with; others may get some as well."""
    (letter,) = [letter for letter in mailed(match, seat, text) if letter.seat == seat]
    return letter.text


def title(text: str) -> str:
    """The title of a letter: the line above the first rule."""
    lines = text.split("\n")
    return lines[next(at for at, line in enumerate(lines) if line.startswith("====")) - 1]
