"""HTML to the lines that a reader of the mail would see, with `>` for what is quoted; bounded, never raises.

The tags are found by one expression that never looks past the next `<`, so the time taken grows with the length and
no faster. The standard library's parser takes 15 seconds for 30 KB of unfinished tags.
"""

import html
import re
from functools import lru_cache
from typing import NamedTuple

from pbem.mail.unseen import is_unseen

_LONGEST = 1_000_000
_MOST_TAGS = 40_000
_TAG = re.compile(
    r"""<!--|<(/?)([a-zA-Z][\w:-]*+)((?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>|<(/?)([a-zA-Z][\w:-]*+)([^<>]*+)>|<[!?/][^<>]*+>"""
)
_ATTRIBUTE = re.compile(r"""([\w:-]{1,40})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?""")
_LONGEST_TAG = 2000
_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
_BLOCK = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header"
        " hr html li main nav ol p pre section table tbody tfoot thead tr ul",
    )
)
_UNSEEN = frozenset(
    re.findall(
        r"\w+",
        "script style head title template noscript noframes iframe svg math object select textarea"
        " s strike del",  # struck out: taken back
    )
)
# Marks that programs leave in class, id, name and data-marker; only evidence beside that of the text: the words of the
# quote are subtracted in any case. Yahoo and others put something of their own before theirs.
_ORIGINALS = ("yahoo_quoted", "zmail_extra", "moz-forward-container", "__quoted_text__", "quoted-content")
_ATTRIBUTIONS = ("gmail_attr", "moz-cite-prefix")
_SIGNATURES = (
    "gmail_signature", "moz-signature", "protonmail_signature_block", "front-signature", "k9mail-signature",
    "ms-outlook-mobile-signature", "applemailsignature", "composer_signature", "yahoo_signature", "_rc_sig",
)  # fmt: skip
_SIGNATURE = re.compile(r"signature|sig\d+")
"""The whole of the name that Outlook and Fastmail give theirs."""
_ORIGINAL = "----- original -----"
"""Stands in the lines where a program's element for the original begins, in the form of those that write a line."""
_LONGEST_STYLES = 50_000
_SELECTED = re.compile(r"(?:^|[\s,>])[\w-]*([.#][\w-]{1,60}|(?<![\w-])[a-zA-Z][a-zA-Z0-9]{0,20})(?=\s*(?:,|$))")
"""What the last part of a selector is about."""
_STYLES = re.compile(r"<style\b[^<>]*>([^<]*(?:<!--[^<]*)?)", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n\f]+")


def lines_of(source: str) -> str:
    """The visible text, a line for each line or block; quoted lines begin with `> `. What is beyond a bound is cut."""
    return shown(source)[0]


def shown(source: str) -> tuple[str, bool]:
    """The same, and whether something was cut."""
    text = source[:_LONGEST]
    lines = _Lines(_hidden_by_sheets(text))
    place = 0
    for _ in range(_MOST_TAGS):
        match = _TAG.search(text, place)
        if match is None:
            lines.data(text[place:])
            place = len(text)
            break
        lines.data(text[place : match.start()])
        place = match.end()
        if match[0] == "<!--":
            end = text.find("-->", place)
            place = end + 3 if end >= 0 else len(text)
            continue
        name = (match[2] or match[5] or "").lower()
        if match[1] or match[4]:
            lines.closes(name)
        elif name:
            lines.opens(name, _attributes(match[3] or match[6] or ""))
    lines.line_ends()
    return "\n".join(lines.lines), place < len(source)


def _hidden_by_sheets(text: str) -> frozenset[str]:
    """What a style sheet within the mail does not show: `.class`, `#id`, `tag`."""
    if "<style" not in text and "<STYLE" not in text:
        return frozenset()
    sheets = "".join(match[1] for match in _STYLES.finditer(text))[:_LONGEST_STYLES]
    rules = (rule.partition("{") for rule in sheets.split("}"))
    return frozenset(_SELECTED.findall(",".join(selectors for selectors, _, style in rules if is_unseen(style))))


class _Attributes(NamedTuple):
    """What matters of a start tag's attributes: its `.class`es and `#id`, whether it hides, whether an original begins
    with it."""

    names: frozenset[str]
    hides: bool
    original: bool


@lru_cache(maxsize=500)
def _attributes(text: str) -> _Attributes:
    """Programs write the same attributes again and again."""
    pairs = _ATTRIBUTE.findall(text[:_LONGEST_TAG])
    values = {name.lower(): html.unescape(first or second or third) for name, first, second, third in pairs}
    marks = " ".join(values.get(name, "") for name in ("class", "id", "name", "data-marker")).lower().split()
    hides = (
        "hidden" in values
        or is_unseen(values.get("style", ""))
        or any(mark.startswith(_SIGNATURES) or mark.endswith(_ATTRIBUTIONS) for mark in marks)
        or any(_SIGNATURE.fullmatch(mark) for mark in marks)
    )
    names = {f".{name}" for name in values.get("class", "").split()} | {f"#{values.get('id', '')}"}
    return _Attributes(frozenset(names), hides, any(mark.endswith(_ORIGINALS) for mark in marks))


class _Lines:
    """Collects lines. `_open` is what is open now: tag, whether it hides, whether it quotes, whether it is `pre`."""

    def __init__(self, hidden: frozenset[str]) -> None:
        self.lines: list[str] = []
        self._hidden = hidden
        self._line: list[str] = []
        self._open: list[tuple[str, bool, bool, bool]] = []
        self._count: dict[str, int] = {}
        self._hiding = self._quoting = self._pre = 0

    def opens(self, tag: str, attributes: _Attributes) -> None:
        """A start tag."""
        if tag in _BLOCK:
            self.line_ends()
        if tag == "br":
            self.line_ends(blank=True)
        elif tag in {"td", "th"} and self._line:
            self._line.append(" ")
        if tag == "hr" and not self._hiding:
            self.lines.append("_" * 32)
        if tag in _VOID:
            return
        if attributes.original and not self._hiding and not self._quoting:
            self.line_ends()
            self.lines.append(_ORIGINAL)
        hides = tag in _UNSEEN or attributes.hides or not self._hidden.isdisjoint({tag, *attributes.names})
        quotes = tag == "blockquote"
        self._open.append((tag, hides, quotes, tag == "pre"))
        self._count[tag] = self._count.get(tag, 0) + 1
        self._hiding += hides
        self._quoting += quotes
        self._pre += tag == "pre"

    def closes(self, tag: str) -> None:
        """An end tag; with it all that is open within ends."""
        if tag in _BLOCK:
            self.line_ends()
        if not self._count.get(tag):
            return  # closes nothing that is open
        while self._open:
            name, hides, quotes, pre = self._open.pop()
            self._count[name] -= 1
            self._hiding -= hides
            self._quoting -= quotes
            self._pre -= pre
            if name == tag:
                return

    def data(self, source: str) -> None:
        """Text between tags."""
        if self._hiding or not source:
            return
        text = html.unescape(source)
        if not self._pre:
            self._line.append(_SPACE.sub(" ", text))
            return
        first, *rest = text.replace("\r\n", "\n").split("\n")
        self._line.append(first)
        for line in rest:
            self.line_ends(blank=True)
            self._line.append(line)

    def line_ends(self, *, blank: bool = False) -> None:
        """Close the line that is being collected; an empty one counts only where a break asks for it."""
        text = "".join(self._line).strip(" \t\r\n\f")
        self._line = []
        if text or (blank and not self._hiding):
            mark = ">" * min(self._quoting, 20)
            self.lines.append(f"{mark} {text}".rstrip() if mark else text)
