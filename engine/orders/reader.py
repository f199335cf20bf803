"""Text to orders, commands and problems: one reader for mail, web form, command line and moderator."""

import re

from engine.contract import Rules, View
from engine.orders.commands import Recipients, recipients
from engine.orders.cursor import Cursor, OutOfWork, Unread, Work
from engine.orders.language import Language
from engine.orders.lexicon import Lexicon, lexicon
from engine.orders.lines import LineReader
from engine.orders.mending import joined
from engine.orders.shape import Command, Line, Problem, Reading
from engine.orders.tokens import BLANK, RawLine, Token, fold, is_long, raw_lines, tokens

VERSION = 2
"""Raised with every change after which a line may read to another order."""
FOLDED = 40
"""Characters of a line with others than ASCII that are worth a step."""
PART_COST = 3
"""Steps for each order of several in one line."""
_COLON = re.compile("[:：]")
_REASON = re.compile(r"[:：,]|\s[-–—]\s")


def read(text: str, language: Language, view: View, tongue: str = "en", rules: Rules | None = None) -> Reading:
    """All lines of a submission and what was made of them. It never raises for what stands in the text.

    Comments (`#`) and blank lines give no line; a quoted line (`>`) and a form's line whose blank is not filled in
    are passed over like prose. Where the text is longer, or takes more steps, than a reading may, `cut` is set and
    the rest is unread. With the game's own `rules` what can't be read may come back with an order that fits the
    position. Raises NoCatalog for an unknown tongue.
    """
    return _Reader(language, view, lexicon(language.words, tongue), rules).read(text)


class _Reader:
    def __init__(self, language: Language, view: View, words: Lexicon, rules: Rules | None) -> None:
        self.language = language
        self.view = view
        self.lexicon = words
        self.work = Work()
        self.lines = LineReader(language, view, words, rules)
        self.found: list[Line] = []

    def read(self, text: str) -> Reading:
        raws, cut = raw_lines(text)
        index = 0
        try:
            while index < len(raws):
                index += self._one(raws, index)
        except OutOfWork:
            cut = True
        return Reading(tuple(self.found), VERSION * 1000 + self.language.version, cut)

    def _one(self, raws: list[RawLine], index: int) -> int:
        """Reads a line, or a whole message between players; gives the number of lines that it took."""
        raw = raws[index]
        if raw.text.startswith(">"):
            self.found.append(Line(raw.number, raw.text))
            return 1
        found = tokens(raw.text)
        self.work.step(len(found) // 3 + (0 if raw.text.isascii() else len(raw.text) // FOLDED))
        if not found:
            if "#" not in raw.text:
                self.found.append(Line(raw.number, raw.text))
            return 1
        if self._head(found) == "command:press" and (taken := self._press(raws, index, found)):
            return taken
        if is_long(raw.text, found):
            self._long(raw, found)
            return 1
        parts = self.lines.split(found, self.work)
        for part in parts:
            self.work.step(PART_COST)
            text = raw.text if len(parts) == 1 else " ".join(token.text for token in part)
            self.found.append(self._line(raw.number, text, part))
        return 1

    def _head(self, found: list[Token]) -> str:
        head = self.lexicon.heads.exact(Cursor(found, self.lexicon, self.work).words_ahead())
        return head.id if head is not None else ""

    def _long(self, raw: RawLine, found: list[Token]) -> None:
        """An overlong line is prose, unless it begins as an order does."""
        head = self._head(found)
        problem = Problem("too_long", token=found[0].text) if head.startswith(("order:", "command:")) else None
        self.found.append(Line(raw.number, raw.text, problem=problem))

    def _line(self, number: int, text: str, found: list[Token]) -> Line:
        filled = [token for token in found if token.kind != BLANK]
        is_form = len(filled) < len(found)
        if is_form and self._is_head_alone(filled):
            return Line(number, text)
        read = self.lines.read(filled, self.work)
        if is_form and read.problem is not None and read.problem.code == "ends_early":
            return Line(number, text)
        command = read.command
        if command is not None and command.params.get("reason"):
            reason = self._reason(text)
            command = Command(command.name, {**command.params, "reason": reason})
        return Line(number, text, read.order, command, read.problem, tuple(read.doubts))

    def _is_head_alone(self, filled: list[Token]) -> bool:
        """Whether nothing was filled into a form's line: `convert ____` would else be read as `convert`."""
        head = self.lexicon.heads.exact(Cursor(filled, self.lexicon, self.work).words_ahead())
        return head is not None and head.words == len(filled)

    def _reason(self, text: str) -> str:
        """What stands after the colon, or after `because`, as it was written."""
        said = _REASON.split(text, maxsplit=1)
        if len(said) == 1:
            because = "|".join(re.escape(word) for word in self.lexicon.spellings("because"))
            said = re.split(rf"\b(?:{because})\b", text, maxsplit=1, flags=re.IGNORECASE) if because else said
        return said[-1].strip()

    def _press(self, raws: list[RawLine], index: int, found: list[Token]) -> int:
        """A message to players, up to the next blank line or `end`; 0 lines if this is none ("to be honest, …")."""
        raw = raws[index]
        words = Cursor(found, self.lexicon, self.work)
        head = self.lexicon.heads.exact(words.words_ahead())
        start = words.at = head.words if head is not None else 0
        found_to = Recipients([], anonymous=False)
        problem: Problem | None = None
        try:
            found_to = recipients(words, self.language, self.view)
        except Unread as unread:
            token = found[unread.at].text if unread.at < len(found) else ""
            if unread.code == "colon_expected":
                problem = Problem("colon_expected", {}, token, f"{joined(found[: unread.at])}: …")
                self.found.append(Line(raw.number, raw.text, problem=problem))
                return 1
            if len(found) <= start + 1 or found[start + 1].text != ":":
                return 0
            seats = [self.lexicon.say(seat) for seat in self.language.seats(self.view)]
            nearest = f"{self.lexicon.say('press')} {unread.nearest[0]}: …"
            problem = Problem("unknown_recipient", {"seats": seats}, token, nearest)
        message, taken = self._message(raws, index)
        if problem is None and not message:
            problem = Problem("empty_message", {}, "", self.lexicon.templates["press"])
        command = _message_to(found_to, message) if problem is None else None
        text = "\n".join(part.text for part in raws[index : index + taken])
        self.found.append(Line(raw.number, text, None, command, problem, tuple(words.doubts)))
        return taken

    def _message(self, raws: list[RawLine], index: int) -> tuple[str, int]:
        """The message's text and the number of lines that it takes, its `end` among them."""
        said = [_COLON.split(raws[index].text, maxsplit=1)[-1].strip()] if _COLON.search(raws[index].text) else []
        end = index
        while not raws[end].last:
            end += 1
            if fold(raws[end].text).strip(" .") == fold(self.lexicon.say("end")):
                break
            said.append(raws[end].text)
        return "\n".join(said).strip(), end - index + 1


def _message_to(found: Recipients, message: str) -> Command:
    params = {"to": found.to, "text": message}
    return Command("press", {**params, "anonymous": True} if found.anonymous else params)
