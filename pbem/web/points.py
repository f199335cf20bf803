"""The points of a game that pages offer to go back to, or to copy it at."""

from sqlmodel import Session

from pbem.games.earlier import points
from pbem.reports.game import GameWords
from pbem.storage.models import Game
from pbem.words import Words


def points_told(session: Session, game: Game, said: GameWords, words: Words) -> list[tuple[int, str]]:
    """The entries after which stages opened, the newest first, each with what it was in words."""
    found = []
    for point in reversed(points(session, game)):
        turn, _, stage = point.stage_key.partition("-")
        params = {"turn": turn, "stage": said.name("stage", stage), "entry": point.entry}
        moment = {"moment": words.moment(point.at)}
        label = words.gettext("turn %(turn)s: %(stage)s (after entry %(entry)s, %(moment)s)") % (params | moment)
        found.append((point.entry, label))
    return found
