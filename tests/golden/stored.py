"""What is kept of a golden game: how it was played, its journal, its reports, and a page to read."""

import lzma
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine.contract import Rules, Setup
from engine.journal import Entry, canonical, decode
from engine.orders.sheet import Sheet
from pbem.sheets.stored import decode_sheet, encode_sheet

FOLDER = Path(__file__).parent / "kept"
Sheets = Sequence[Mapping[int, Sheet]]
"""What stands on the seats' sheets in each stage, in order of play."""


class _Kept(msgspec.Struct):
    rules: str
    setup: Setup
    pace: str
    secret: bytes
    words: tuple[str, ...]
    entries: list[msgspec.Raw]
    sheets: list[list[bytes]]


class Kept(msgspec.Struct):
    """A game as it was played. `secret` and public `words` make its draws."""

    rules: str
    setup: Setup
    pace: str
    secret: bytes
    words: tuple[str, ...]
    entries: list[Entry]
    sheets: list[dict[int, Sheet]]


def names(folder: Path) -> list[str]:
    """The games that there are."""
    return sorted(path.stem for path in folder.glob("*.journal"))


def read_game(name: str, bind: Any, folder: Path) -> Kept:
    """A stored game; `bind` makes rules of a name and a setup."""
    raw = msgspec.msgpack.decode(lzma.decompress((folder / f"{name}.journal").read_bytes()), type=_Kept)
    rules: Rules = bind(raw.rules, raw.setup)
    entries = [decode(rules, bytes(entry)) for entry in raw.entries]
    sheets = [{seat: decode_sheet(rules, sheet) for seat, sheet in enumerate(stage)} for stage in raw.sheets]
    return Kept(raw.rules, raw.setup, raw.pace, raw.secret, raw.words, entries, sheets)


def write_game(name: str, game: Kept, folder: Path) -> None:
    """Store how a game was played."""
    entries = [msgspec.Raw(canonical(entry)) for entry in game.entries]
    sheets = [[encode_sheet(stage[seat]) for seat in sorted(stage)] for stage in game.sheets]
    raw = _Kept(game.rules, game.setup, game.pace, game.secret, game.words, entries, sheets)
    _write(folder / f"{name}.journal", canonical(raw))


def read_reports(name: str, folder: Path) -> list[bytes]:
    """The data of all reports of a game, in order of play and seat, the public one last."""
    return lzma.decompress((folder / f"{name}.reports").read_bytes()).splitlines()


def write_reports(name: str, reports: Sequence[bytes], folder: Path) -> None:
    """Store them, a line each."""
    _write(folder / f"{name}.reports", b"\n".join(reports))


def read_page(name: str, folder: Path) -> str:
    """The page to read."""
    return (folder / f"{name}.txt").read_text(encoding="utf-8")


def write_page(name: str, page: str, folder: Path) -> None:
    """Store it."""
    (folder / f"{name}.txt").write_text(page, encoding="utf-8")


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))
