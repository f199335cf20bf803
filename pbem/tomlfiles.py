"""TOML files that people type: read within limits, with the line of every place in them."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Item

from engine.components import Place
from pbem.errors import Refused

MAX_BYTES = 200_000
MAX_DEPTH = 16
_STRINGS = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*',
    re.DOTALL,
)
_MARK = "pbem-mark"


def read_toml(file: Path) -> tuple[str, dict[str, Any]]:
    """The text of a file, and what it says.

    Raises Refused `file_kind`, `file_size`, `file_text` (not UTF-8), `file_form` (no TOML), `file_depth`,
    `file_unread`.
    """
    text = read_text(file)
    return text, _parsed(file, text)


def read_text(file: Path) -> str:
    """The text of a file that people type. Raises as `read_toml` but for what is about TOML."""
    if not file.exists():
        raise Refused("file_unread", file=str(file))
    if not file.is_file():
        raise Refused("file_kind", file=str(file))
    try:
        with file.open("rb") as opened:
            raw = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise Refused("file_unread", file=str(file)) from error
    if len(raw) > MAX_BYTES:
        raise Refused("file_size", file=str(file), most=MAX_BYTES)
    return decoded(raw, str(file))


def decoded(raw: bytes, name: str) -> str:
    """The text in a file of that name. Raises Refused `file_text`."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Refused("file_text", file=name, line=line) from error


def _parsed(file: Path, text: str) -> dict[str, Any]:
    line = _too_deep(text)
    if line:
        raise Refused("file_depth", file=str(file), line=line, most=MAX_DEPTH)
    try:
        return tomllib.loads(text)
    except ValueError as error:  # also for numbers with too many digits
        raise Refused("file_form", file=str(file), problem=str(error)) from error


def _too_deep(text: str) -> int:
    """The line on which brackets, or dotted keys, go deeper than they may; 0 for none. Looks before anything parses."""
    bare = _STRINGS.sub(lambda found: "\n" * found[0].count("\n"), text)
    depth = 0
    for number, line in enumerate(bare.split("\n"), 1):
        for mark in line:
            depth += (mark in "[{") - (mark in "]}")
            if depth > MAX_DEPTH:
                return number
        if any(part.count(".") > MAX_DEPTH for part in re.split("[,={]", line)):
            return number
    return 0


def lines_of(text: str, places: Iterable[Place]) -> dict[Place, int]:
    """On which line of a sound TOML text each place begins: for what is not there, what it would be in."""
    places = list(places)
    try:
        document = tomlkit.parse(text)
    except TOMLKitError:  # it may see an odd file otherwise than the parser that the set came from
        return dict.fromkeys(places, 0)
    there = {place: _innermost(document, place) for place in places}
    lines: dict[Place, int] = {(): 1}
    left = sorted(set(there.values()) - {()}, key=len, reverse=True)
    while left:
        # A mark in each of them at once, inner ones first: one parse finds many.
        marked: list[Place] = []
        for place in left:
            if not any(other[: len(place)] == place for other in marked):
                _mark(document, place, len(marked))
                marked.append(place)
        written = document.as_string()
        lines |= {place: _line_of(written, number) for number, place in enumerate(marked)}
        left = [place for place in left if place not in lines]
        if left:
            document = tomlkit.parse(text)
    return {place: lines[inner] for place, inner in there.items()}


def _innermost(document: tomlkit.TOMLDocument, place: Place) -> Place:
    """As much of a place as the file has; of a table its first entry, for a table has no line of its own."""
    node: Any = document
    for depth, step in enumerate(place):
        try:
            node = node[step]
        except (KeyError, IndexError, TypeError):
            place = place[:depth]
            break
    while isinstance(node, Mapping) and not isinstance(node, InlineTable) and node:
        first = next(iter(node))
        place, node = (*place, first), node[first]
    return place


def _mark(document: tomlkit.TOMLDocument, place: Place, number: int) -> None:
    node: Any = document
    for step in place[:-1]:
        node = node[step]
    kept = node[place[-1]].as_string().count("\n") if isinstance(node[place[-1]], Item) else 0
    node[place[-1]] = tomlkit.string(f"{_MARK}{number};" + "\n" * kept, multiline=kept > 0)


def _line_of(written: str, number: int) -> int:
    return written.count("\n", 0, written.index(f"{_MARK}{number};")) + 1
