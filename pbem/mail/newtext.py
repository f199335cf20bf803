"""What a player wrote in a reply: the mail's text without ours that it quotes, and without what programs add.

First our own text is taken out, as runs of words that stand in the order in which we sent them. What is left goes by
the marks of mail programs. A line of our order form that was filled in, or an example whose `#` was taken away, is the
player's even within the quote.
"""

import re
from collections import Counter

from pbem.mail.abovemark import is_mark
from pbem.mail.alignment import Run, align, fill, words
from pbem.mail.markers import (
    attribution,
    before_attribution,
    begins_footer,
    begins_original,
    header_block,
    introduces,
    is_advertising,
    is_signature_mark,
    is_whole_attribution,
)

MOST_LINES = 4_000

_QUOTE = re.compile(r"\s{0,3}(?:[>»|]\s?)+")
_ODD_MARK = re.compile(r"\s{0,3}([^\W\d_]{1,12}>|[:}])(?:\s|$)")
_LEAST_MARKED = 3
"""Lines that bear an odd mark, before it is taken for one: initials of who is quoted (`DS>`), a brace, a colon."""
_MANY_BLANKS = re.compile(r"\n[\s>]*\n[\s>]*\n")
_RULED = re.compile(r"={4,}|-{4,}")
_BLANK = re.compile(r"_{2,}")
_LINK = re.compile(r"((?<!<)https?://[^\s<>]+)")
_LONGEST_FOOTER = 13
_NEAR = 6
"""Lines below a header block among which its quote has begun, where it has marks."""
_UNQUOTED_SHARE = 0.4
_LEAST_UNQUOTED = 20


class TooLong(Exception):
    """The text has more lines than are read."""


def new_text(text: str, *versions: str) -> str:
    """The player's lines of a mail. `versions` are the forms in which we sent the letter that it answers: text, HTML.

    Without any, only the marks of mail programs tell what is quoted. Raises TooLong.
    """
    rows = _MANY_BLANKS.sub("\n\n\n", text).split("\n")
    if len(rows) > MOST_LINES:
        raise TooLong
    odd = _odd_mark(rows)
    lines = [_Line(row, odd) for row in rows]
    mail = _Mail(lines)
    best = max((_Letter(version, mail) for version in versions), key=lambda each: each.covered, default=None)
    if best is not None:
        best.take_out([form for version in versions for form in _forms(version)])
    _drop_marked(lines, known=best is not None and best.is_found)
    kept = [line.body if line.state == "filled" else line.text for line in lines if line.state in {"new", "filled"}]
    return "\n".join(kept).strip("\n")


class _Line:
    """A line of the mail. `state`: new, ours, filled (of ours, by the player), quote (of somebody), dropped."""

    def __init__(self, text: str, odd: str = "") -> None:
        mark = _QUOTE.match(text)
        self.text = text.rstrip()
        self.body = (text[mark.end() :] if mark else text).strip()
        self.depth = sum(char in ">»|" for char in mark[0]) if mark else 0
        if odd and not mark and self.body.startswith(odd):
            self.body, self.depth = self.body.removeprefix(odd).strip(), 1
        self.words, self.linked = _words_and_links(self.body)
        self.state = "new" if not self.depth else "quote"


def _odd_mark(rows: list[str]) -> str:
    """A mark of another kind than `>` that so many lines of this mail begin with that it is one; or empty."""
    marks = Counter(match[1] for match in map(_ODD_MARK.match, rows) if match)
    mark, count = marks.most_common(1)[0] if marks else ("", 0)
    return mark if count >= _LEAST_MARKED else ""


def _words_and_links(text: str) -> tuple[list[str], list[bool]]:
    """The words, and which of them belong to a link: gateways put others in place of ours."""
    found: list[str] = []
    linked: list[bool] = []
    for index, piece in enumerate(_LINK.split(text) if "http" in text else (text,)):
        here = words(piece)
        found += here
        linked += [index % 2 == 1] * len(here)
    return found, linked


class _Mail:
    """All words of a mail, and for each the number of its line."""

    def __init__(self, lines: list[_Line]) -> None:
        self.lines = lines
        self.words = [word for line in lines for word in line.words]
        self.owner = [index for index, line in enumerate(lines) for _ in line.words]
        self.quoted = [bool(line.depth) for line in lines for _ in line.words]


def _forms(version: str) -> list[list[str]]:
    """The lines of a letter that may be filled in: with a blank, or behind a `#`."""
    made = [words(line) for line in version.split("\n") if "_" in line or "#" in line]
    return [line for line in made if len(line) > 1 and ("__" in line or line[0] == "#")]


class _Letter:
    """One form of the letter that is answered, against the mail."""

    def __init__(self, version: str, mail: _Mail) -> None:
        self._words = words(version)
        self._mail = mail
        self._runs = self._allowed(align(mail.words, self._words))
        self.covered = sum(run.length for run in self._runs)

    @property
    def is_found(self) -> bool:
        """Whether so much of the letter stands in the mail that the rest need not be guessed."""
        return self.covered >= min(_LEAST_UNQUOTED, len(self._words) // 2 + 1)

    def take_out(self, forms: list[list[str]]) -> None:
        """Mark the lines that are ours, and those that the player has filled in."""
        if not self._runs:
            return
        at = self._places()
        lines, owner = self._mail.lines, self._mail.owner
        depths = Counter(lines[number].depth for number, place in zip(owner, at, strict=True) if place is not None)
        depth = depths.most_common(1)[0][0]
        commented = self._comments_kept(at)
        first = 0
        for line in lines:
            last = first + len(line.words)
            places, before = at[first:last], at[first - 1] if first else None
            first = last
            if _is_ours(places, line.linked):
                changed = commented and self._uncommented(places[0], before)
                line.state = "filled" if changed else "ours"
            elif line.depth == depth and _is_filled(line.words, forms, commented=commented):
                line.state = "filled"
                line.body = _BLANK.sub("", line.body).strip()

    def _allowed(self, runs: list[Run]) -> list[Run]:
        """The runs that count: those with quoted words and, where much of the letter stands unquoted, all."""
        quoted = self._mail.quoted
        marked = [run for run in runs if any(quoted[run.mail : run.mail + run.length])]
        unmarked = sum(run.length for run in runs) - sum(run.length for run in marked)
        return runs if unmarked >= max(_LEAST_UNQUOTED, _UNQUOTED_SHARE * len(self._words)) else marked

    def _places(self) -> list[int | None]:
        """For each word of the mail its place in the letter, or None."""
        mail = self._mail
        at: list[int | None] = [None] * len(mail.words)
        whole = any(not mail.quoted[run.mail] for run in self._runs)
        for run in self._runs:
            at[run.mail : run.mail + run.length] = range(run.letter, run.letter + run.length)
        for run in fill(mail.words, self._words, self._runs, head=not whole):
            for step in range(run.length):
                if whole or mail.quoted[run.mail + step]:
                    at[run.mail + step] = run.letter + step
        return at

    def _comments_kept(self, at: list[int | None]) -> bool:
        """Whether the quote is of our plain text: the HTML form has neither `#` nor lines of dashes."""
        if any(word == "#" and place is not None for word, place in zip(self._mail.words, at, strict=True)):
            return True
        return any(line.depth and _RULED.fullmatch(line.body) for line in self._mail.lines)

    def _uncommented(self, place: int | None, before: int | None) -> bool:
        """Whether the letter's line began with a `#` that the mail's does not have."""
        return place is not None and place > 0 and self._words[place - 1] == "#" and before != place - 1


def _is_ours(places: list[int | None], linked: list[bool]) -> bool:
    """Whether all words of a line stand in our letter, but for those of links where it has others."""
    known = [place is not None for place in places]
    return any(known) and all(here or link for here, link in zip(known, linked, strict=True))


def _is_filled(line: list[str], forms: list[list[str]], *, commented: bool) -> bool:
    """Whether a quoted line that differs from ours is one of our forms with something put in.

    Where the quote is not of our plain text (`commented`), an example without its `#` is just as we sent it.
    """
    said = [word for word in line if word != "__"]
    if not said or said[0] == "#" or (not commented and ["#", *said] in forms):
        return False
    for form in forms:
        if form[0] == "#":
            if form[1] == said[0] and "__" not in line:
                return True
            continue
        head = form[: form.index("__")]
        tail = form[len(form) - form[::-1].index("__") :]
        if said[: len(head)] == head and len(said) > len(head) + len(tail) and (not tail or said[-len(tail) :] == tail):
            return True
    return False


def _drop_marked(lines: list[_Line], *, known: bool) -> None:
    """Take out what mail programs add. Where our text was not found (`known`), an original below is dropped whole."""
    _drop_footers(lines)
    for line in lines:
        if line.state == "new" and _RULED.fullmatch(line.body):
            line.state = "dropped"
    _drop_signatures(lines)
    _drop_header_blocks(lines, known=known)
    _drop_attributions(lines)
    if not known:
        _drop_unmarked_original(lines)
    _drop_advertising(lines)


def _drop_footers(lines: list[_Line]) -> None:
    for index, line in enumerate(lines):
        if line.state != "new" or not begins_footer([each.text for each in lines[index : index + 16]]):
            continue
        underlines = index and len(lines[index - 1].text) == len(line.text)  # a title, as our letters have them
        if not underlines and sum(bool(each.text) for each in lines[index:]) <= _LONGEST_FOOTER:
            _drop(lines[index:])


def _drop(lines: list[_Line]) -> None:
    for line in lines:
        if line.state == "new":
            line.state = "dropped"


def _drop_signatures(lines: list[_Line]) -> None:
    within = False
    for line in lines:
        if line.state != "new":
            within = False
        elif within or is_signature_mark(line.text):
            within = True
            line.state = "dropped"


def _drop_header_blocks(lines: list[_Line], *, known: bool) -> None:
    index = 0
    while index < len(lines):
        if lines[index].state != "new" or not lines[index].text:
            index += 1
            continue
        block = header_block([line.text for line in lines[index : index + 16]])
        if block or begins_original(lines[index].text) or is_mark(lines[index].text):
            _drop_introduction(lines[:index] if block else [])
            end = index + max(block, 1)
            bounded = known or any(line.state == "quote" for line in lines[end : end + _NEAR])
            _drop(lines[index:end] if bounded else lines[index:])
        index += max(block, 1)


def _drop_introduction(above: list[_Line]) -> None:
    """A line by itself above a header block that says what follows: "Begin forwarded message:"."""
    while above and not above[-1].text:
        above = above[:-1]
    alone = bool(above) and (len(above) == 1 or not above[-2].text)
    if alone and above[-1].state == "new" and introduces(above[-1].text):
        above[-1].state = "dropped"


def _drop_unmarked_original(lines: list[_Line]) -> None:
    """All from an attribution on that no quote mark follows: some programs mark nothing."""
    for index, line in enumerate(lines):
        if line.state != "new" or not line.text.endswith((":", "：")):
            continue
        above = [each.text for each in lines[max(0, index - 3) : index + 1]]
        count = attribution(above)
        if count and is_whole_attribution(" ".join(above[-count:])):
            _drop(lines[index + 1 - count :])
            return


def _drop_advertising(lines: list[_Line]) -> None:
    """A phone's line about itself: a paragraph of its own, the last one before a quote or the end."""
    below = "end"
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index]
        if not line.text:
            continue
        above = lines[index - 1] if index else None
        alone = above is None or not above.text or above.state not in {"new", "filled"}
        if line.state == "new" and alone and below not in {"new", "filled"} and is_advertising(line.text):
            line.state = "dropped"
        below = line.state


def _drop_attributions(lines: list[_Line]) -> None:
    above: list[_Line] = []
    gap = False
    for line in [*lines, _Line(">")]:
        if line.state == "new" and line.text:
            above = [line] if gap else [*above[-3:], line]
            gap = False
        elif line.state == "new" or not above:
            gap = bool(above)
        else:
            _drop_attribution(above)
            above, gap = [], False


def _drop_attribution(above: list[_Line]) -> None:
    count = attribution([line.text for line in above])
    if not count:
        return
    first, *others = above[-count:]
    kept = before_attribution(first.text)
    for line in others:
        line.state = "dropped"
    if kept:
        first.text = kept
    else:
        first.state = "dropped"
