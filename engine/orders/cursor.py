"""A place in a line's tokens, with the forgiving steps that readers of orders and conditions are made of."""

import re
from collections.abc import Sequence
from typing import NoReturn

from engine.errors import EngineError
from engine.numerals import DIGITS
from engine.orders.lexicon import POLITE, Found, Lexicon
from engine.orders.tokens import NUMBER, SIGN, WORD, Token

MAX_WORK = 5_000
"""Steps that the reading of one submission may take; about 100 are needed for a long line."""

COMPARISONS = {"at_least": ">=", "at_most": "<=", "more_than": ">", "less_than": "<"}
_OPPOSITE = {">=": "<", "<": ">=", "<=": ">", ">": "<=", "=": "!=", "!=": "="}
_SIGNS = (">=", "<=", ">", "<", "=", "!=")


class Unread(EngineError):
    """The tokens can't be read from `at` on.

    `nearest` are words that would be readable there in the place of `over` tokens, best first.
    """

    def __init__(self, code: str, at: int, nearest: Sequence[str] = (), over: int = 1, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.at = at
        self.nearest = tuple(nearest)
        self.over = over
        self.params = params


class OutOfWork(EngineError):
    """The submission takes more steps than a reading may."""


class Work:
    """The steps that are left for a submission."""

    def __init__(self, steps: int = MAX_WORK) -> None:
        self.left = steps

    def step(self, steps: int = 1) -> None:
        """Take some. Raises OutOfWork."""
        self.left -= steps
        if self.left < 0:
            raise OutOfWork


class Cursor:
    """Reads on from `at` to `end`. What does not fit raises Unread; a `take_…` gives None or False instead."""

    def __init__(self, tokens: Sequence[Token], lexicon: Lexicon, work: Work, start: int = 0, end: int = -1) -> None:
        self.tokens = tokens
        self.lexicon = lexicon
        self.work = work
        self.at = start
        self.end = len(tokens) if end < 0 else end
        self.doubts: list[tuple[str, str]] = []

    def part(self, start: int, end: int) -> "Cursor":
        """A cursor of its own over some of the tokens; it shares the list of doubts."""
        part = Cursor(self.tokens, self.lexicon, self.work, start, end)
        part.doubts = self.doubts
        return part

    def words_ahead(self) -> list[str]:
        """The next words, up to four, as far as nothing else stands between them."""
        ahead: list[str] = []
        for token in self.tokens[self.at : min(self.end, self.at + 4)]:
            if token[0] != WORD:
                break
            ahead.append(token[1])
        return ahead

    @property
    def here(self) -> Token | None:
        """The token that comes next."""
        return self.tokens[self.at] if self.at < self.end else None

    @property
    def done(self) -> bool:
        """Whether nothing is left but polite words and pauses."""
        start = self.at
        while self.skip_polite() or self.take_sign(*",.;!-"):
            pass
        if self.at < self.end:
            self.at = start
        return self.at >= self.end

    def finish(self) -> None:
        """Raises Unread if anything is left."""
        if not self.done:
            raise self.unread("too_much")

    def unread(self, code: str, nearest: Sequence[str] = (), over: int = 1, **params: object) -> Unread:
        """The exception for what comes next."""
        return Unread(code if self.at < self.end else "ends_early", self.at, nearest, over, **params)

    def fail(self, code: str, nearest: Sequence[str] = (), over: int = 1, **params: object) -> NoReturn:
        """Raise Unread for what comes next."""
        raise self.unread(code, nearest, over, **params)

    def take(self, *ids: str) -> str | None:
        """The one of these words that comes next, passed over; None if none does."""
        start, ahead = self.at, self.words_ahead()
        if not ahead:
            return None
        found = self._find(ahead, ids)
        if found is None and self.skip_polite():
            found = self._find(self.words_ahead(), ids)
        if found is None:
            self.at = start
            return None
        self._pass(found)
        return found.id

    def word(self, *ids: str) -> str:
        """The one of these words that comes next. Raises Unread."""
        found = self.take(*ids)
        if found is not None:
            return found
        here = self.here
        nearest = self.lexicon.nearest(here.text, ids) if here is not None else None
        others = [self.lexicon.say(name) for name in ids]
        raise self.unread("unknown_word", [nearest, *others] if nearest else others, expected=others[:8])

    def take_number(self) -> int | None:
        """The number that comes next."""
        self.work.step()
        start = self.at
        self.skip_polite()
        here = self.here
        if here is not None and here.kind == NUMBER:
            self.at += 1
            return here.value
        found = self.lexicon.numbers.exact([here.text]) if here is not None and here.kind == WORD else None
        if found is None:
            self.at = start
            return None
        self.at += 1
        return int(found.id)

    def number(self, nearest: str = "1") -> int:
        """The number that comes next; `nearest` is one that would do. Raises Unread."""
        found = self.take_number()
        if found is None:
            raise self.unread("number_expected", [nearest] if nearest == "1" else [nearest, "1"])
        return found

    def take_sign(self, *signs: str) -> bool:
        """Whether one of these signs comes next; it is passed over."""
        here = self.here
        if here is None or here.kind != SIGN or here.text not in signs:
            return False
        self.at += 1
        return True

    def take_piece(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The next token if it has that form (`c2`), also when a blank stands before its number (`c 2`)."""
        here = self.here
        if here is None or here.kind != WORD:
            return None
        self.work.step()
        match, used = pattern.fullmatch(here.text), 1
        if match is None and self.at + 1 < self.end and self.tokens[self.at + 1].kind == NUMBER:
            match, used = pattern.fullmatch(here.text + self.tokens[self.at + 1].text), 2
        if match is not None:
            self.at += used
        return match

    def comparison(self) -> tuple[str, int]:
        """A comparison with a number, such as `>= 4`, `at least 4`, `is 4` or `4`. Raises Unread."""
        return self.comparator(), self.number()

    def comparator(self) -> str:
        """The sign of a comparison, in words or as a sign; `=` where nothing is said, or `is`."""
        is_negated = self.take("is", "isnt") == "isnt"
        words = self.take(*COMPARISONS)
        if words is None and self.take("not"):
            is_negated = not is_negated
            words = self.take(*COMPARISONS)
        here = self.here
        op = COMPARISONS[words] if words is not None else "="
        if words is None and here is not None and here.kind == SIGN and here.text in _SIGNS:
            self.at += 1
            op = here.text
        elif words is None:
            self.take("exactly")
        return _OPPOSITE[op] if is_negated else op

    def _find(self, ahead: list[str], ids: tuple[str, ...]) -> Found | None:
        if not ahead:
            return None
        is_known = ahead[0] in self.lexicon.body.ids or ahead[0][-1] in DIGITS
        self.work.step(1 if is_known else 3)
        return self.lexicon.among(ahead, ids)

    def _pass(self, found: Found) -> None:
        if not found.exact:
            written = " ".join(token.text for token in self.tokens[self.at : self.at + found.words])
            self.doubts.append((written, found.spelling))
        self.at += found.words

    def skip_polite(self) -> bool:
        """Whether words that say nothing came next; they are passed over."""
        before = self.at
        while self.at < self.end and self.tokens[self.at].text in self.lexicon.polite:
            found = self.lexicon.body.exact(self.words_ahead())
            if found is None or found.id not in POLITE:
                break
            self.at += found.words
        return self.at > before
