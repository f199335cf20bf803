"""The words of one tongue for one game, out of TOML catalogs, and how near a written word is to one of them."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from engine.errors import EngineError
from engine.numerals import DIGITS
from engine.orders.tokens import fold

SHARED = Path(__file__).parent / "words"
"""The catalogs of what every game shares."""


POLITE = ("please", "my")
"""What may be left out anywhere."""


class NoCatalog(EngineError):
    """There is no catalog of the game's words in that tongue."""


class Found(NamedTuple):
    """A spelling that was met: the id that it stands for, and how many words it took."""

    id: str
    words: int
    exact: bool
    spelling: str


class Spellings:
    """Ids by spelling, where a spelling may have several words."""

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self.ids: dict[str, str] = {}
        self.clashes: list[tuple[str, str, str]] = []
        self._by_length: dict[int, list[str]] = {}
        self._lengths: dict[str, list[int]] = {}
        for spelling, name in pairs:
            self.add(spelling, name)

    def add(self, spelling: str, name: str) -> None:
        """Enter one more; a second id under the same spelling is kept as a clash."""
        if spelling not in self.ids:
            self.ids[spelling] = name
            length = spelling.count(" ") + 1
            self._by_length.setdefault(length, []).append(spelling)
            lengths = {*self._lengths.get(spelling.split(" ", 1)[0], ()), length}
            self._lengths[spelling.split(" ", 1)[0]] = sorted(lengths, reverse=True)
        elif self.ids[spelling] != name:
            self.clashes.append((spelling, self.ids[spelling], name))

    def exact(self, words: list[str]) -> Found | None:
        """The longest spelling that the words begin with."""
        for length in self._lengths.get(words[0], ()) if words else ():
            spelling = " ".join(words[:length])
            if spelling in self.ids:
                return Found(self.ids[spelling], min(length, len(words)), True, spelling)
        return None

    def begun(self, word: str) -> Found | None:
        """The one id that has a spelling of one word which begins so, from two letters on."""
        begun = {self.ids[s]: s for s in self._by_length.get(1, ()) if s.startswith(word)} if len(word) > 1 else {}
        if len(begun) != 1:
            return None
        name, spelling = begun.popitem()
        return Found(name, 1, False, spelling)

    def misspelt(self, words: list[str]) -> Found | None:
        """The one id with a spelling that differs by a slip or two; None where two are as close."""
        best: dict[str, tuple[int, Found]] = {}
        for length, spellings in self._by_length.items():
            written = " ".join(words[:length])
            if length > len(words) or allowed(written) == 0:
                continue
            close = process.extract(written, spellings, scorer=OSA.distance, score_cutoff=allowed(written), limit=4)
            for spelling, slips, _ in close:
                if _has_more_before(written, spelling) or not _is_close_in_each(written, spelling):
                    continue
                found = Found(self.ids[spelling], length, False, spelling)
                if slips <= allowed(spelling) and (found.id not in best or slips < best[found.id][0]):
                    best[found.id] = (int(slips), found)
        fewest = min((slips for slips, _ in best.values()), default=0)
        closest = [found for slips, found in best.values() if slips == fewest]
        return closest[0] if len(closest) == 1 else None


def _has_more_before(written: str, spelling: str) -> bool:
    """Whether one of them is the other behind a syllable, which may well turn its sense round: `unrevealed`."""
    longer, shorter = (written, spelling) if len(written) > len(spelling) else (spelling, written)
    return len(longer) - len(shorter) > 1 and longer.endswith(shorter)


def _is_close_in_each(written: str, spelling: str) -> bool:
    """Whether no word has more slips than it would be forgiven alone: `dear all` is no `clear all`."""
    pairs = zip(written.split(), spelling.split(), strict=True)
    return all(OSA.distance(one, other) <= max(allowed(one), allowed(other)) for one, other in pairs)


def allowed(spelling: str) -> int:
    """How many slips a spelling forgives."""
    if len(spelling) < 4:
        return 0
    return 1 if len(spelling) < 7 else 2


class Lexicon:
    """Spellings in two places: `heads`, which begin a line, and `body`, which stand within one.

    A head's id is `command:ready`, `order:bid` or `lead:if`; ids of the body are as in the catalogs.
    """

    def __init__(self, tongue: str, shared: Mapping[str, Any], game: Mapping[str, Any]) -> None:
        self.tongue = tongue
        self.kinds = tuple(game["kinds"])
        self._first: dict[str, str] = {}
        self._chosen: dict[tuple[str, ...], Spellings] = {}
        heads = {f"command:{name}": words for name, words in shared["commands"].items()}
        heads |= {f"lead:{name}": words for name, words in shared["lead"].items()}
        commands = {spelling for words in shared["commands"].values() for spelling in words}
        self.longer: dict[str, str] = {}
        """Spellings that are a command where nothing follows, and else begin an order of the game: its head's id."""
        for name, words in game["orders"].items():
            self.longer |= {spelling: f"order:{name}" for spelling in words if spelling in commands}
            own = [spelling for spelling in words if spelling not in commands]
            heads |= {f"order:{name}": own} if own else {}
        self.heads = self._spellings(heads)
        self.months = self._spellings(shared["months"])
        self.days = self._spellings(shared.get("days", {}))
        habits = shared.get("habits", {}).items()
        self.habits = Spellings((fold(spelling), name) for name, written in habits for spelling in written)
        """Of commands about letters alone: nothing else ever says these words by their ids."""
        self.numbers = self._spellings(shared.get("numbers", {}))
        of_game = (game["orders"], game.get("words", {}), game.get("seats", {}), game["kinds"])
        groups = (shared["joins"], game.get("plain", {}), *of_game)
        self.body = self._spellings(*groups)
        for name, words in heads.items():
            self._first.setdefault(name.partition(":")[2], words[0])
        side = self.say(next(iter(game["seats"]))) if game.get("seats") else ""
        self.templates = {
            name: line.replace("{kind}", self.say(self.kinds[0]))
            for name, line in {**shared["templates"], **game["templates"]}.items()
        }
        self.forms = {
            name: tuple(line.replace("{kind}", self.say(self.kinds[0])).replace("{side}", side) for line in lines)
            for name, lines in {**shared.get("forms", {}), **game.get("forms", {})}.items()
        }
        """Lines that show every form, by kind of decision and topic of help."""
        self.within = frozenset(name for name in game["templates"] if name not in game["orders"] and name != "if")
        """Words of a line's body that have a model line: what stands within an order only."""
        self.polite = frozenset(s.split(" ")[0] for s, name in self.body.ids.items() if name in POLITE)
        """First words of what may be left out anywhere."""
        self.game_words = frozenset(self._spellings(*of_game).ids)
        """Words that only the game's orders are made of."""

    def _spellings(self, *groups: Mapping[str, list[str]]) -> Spellings:
        entered = Spellings()
        for group in groups:
            for name, written in group.items():
                self._first.setdefault(name, written[0])
                for spelling in written:
                    entered.add(fold(spelling).replace("'", ""), name)
        return entered

    def kind_of_part(self, words: list[str]) -> str:
        """The word that begins the orders in which these words have a place, empty if they have none of their own."""
        found = self.body.exact(words)
        if found is None or found.id not in self.within:
            return ""
        for word in self.templates[found.id].replace(":", " ").split():
            head = self.heads.exact([word])
            if head is not None and head.id.startswith("order:"):
                return head.id.partition(":")[2]
        return ""

    @property
    def clashes(self) -> list[tuple[str, str, str]]:
        """Spellings that mean two things in one place, with both: none in a sound catalog."""
        return [*self.heads.clashes, *self.body.clashes, *self.months.clashes, *self.days.clashes, *self.habits.clashes]

    def say(self, name: str) -> str:
        """How we write that id ourselves."""
        return self._first[name]

    def spellings(self, name: str) -> list[str]:
        """All spellings of an id of the body."""
        return [spelling for spelling, found in self.body.ids.items() if found == name]

    def knows(self, name: str) -> bool:
        """Whether this tongue has a word for that id."""
        return name in self._first

    def among(self, words: list[str], ids: tuple[str, ...]) -> Found | None:
        """The one of `ids` that the words begin with, shortened or misspelt a little.

        What is spelt as another id of the body, or a word that ends in a digit, is never taken for a misspelling.
        """
        if not words:
            return None
        chosen = self._chosen.get(ids)
        if chosen is None:
            chosen = Spellings((spelling, name) for spelling, name in self.body.ids.items() if name in ids)
            self._chosen[ids] = chosen
        found = chosen.exact(words)
        if found is not None or words[0][-1] in DIGITS or self.body.exact(words) is not None:
            return found
        return chosen.begun(words[0]) or chosen.misspelt(words)

    def nearest(self, word: str, ids: Iterable[str]) -> str | None:
        """What we write for the one of `ids` that is closest to the word, however far: for suggestions only."""
        spellings = [self._first[name] for name in ids if name in self._first]
        return min(spellings, key=lambda spelling: OSA.normalized_distance(word, spelling), default=None)


def tongues(words: Path) -> tuple[str, ...]:
    """The tongues in which both the shared words and that folder's have a catalog."""
    return tuple(sorted(path.stem for path in words.glob("*.toml") if (SHARED / path.name).is_file()))


@lru_cache(maxsize=32)
def lexicon(words: Path, tongue: str) -> Lexicon:
    """The words of one tongue for the game whose catalogs lie in that folder. Raises NoCatalog."""
    if tongue not in tongues(words):
        raise NoCatalog(tongue)
    return Lexicon(tongue, _load(SHARED / f"{tongue}.toml"), _load(words / f"{tongue}.toml"))


def _load(path: Path) -> Mapping[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
