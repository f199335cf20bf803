"""What a game's sides and stages are called where several games are listed: one of them may be unknown here."""

from pbem.games.rules import installed, setup_of
from pbem.reports.game import game_words
from pbem.storage.models import Game, Seat
from pbem.words import Words


class Names:
    """The game's own words; where its rules are not installed here, the names that are stored."""

    def __init__(self, game: Game, words: Words) -> None:
        self.installed = installed(game)
        self._words = game_words(game.rules, setup_of(game), words.language) if self.installed else None
        self.rules = self._words.title() if self._words is not None else game.rules

    def seat(self, seat: Seat) -> str:
        """The name of a side."""
        return self._words.seat(seat.number) if self._words is not None else seat.name

    def stage(self, code: str) -> str:
        """The name of a stage; empty for none."""
        return self._words.name("stage", code) if self._words is not None and code else code


def unknown_told(words: Words) -> str:
    """What is said of a game whose rules are not installed here."""
    return words.gettext(
        "The rules of this game are not installed here, or not in the version that it needs: until they are, it can't"
        " be shown or go on."
    )
