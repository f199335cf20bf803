"""What an operator types and hands to commands: words and standard input, in UTF-8 as everything is kept."""

import sys
from collections.abc import Sequence

import click

from pbem.cli.words import _
from pbem.errors import Refused
from pbem.persontext import escaped_line
from pbem.tomlfiles import MAX_BYTES, decoded


def require_utf8(words: Sequence[str]) -> None:
    """Raises ClickException for a word with other bytes: it could be neither kept nor shown as it was meant."""
    for word in words:
        if not _is_utf8(word):
            raise click.ClickException(
                _("“%(word)s” is not UTF-8 text: write it in UTF-8, or name the file otherwise.")
                % {"word": escaped_line(word)}
            )


def standard_input() -> str:
    """All of it. Raises Refused `file_size`, `file_text`."""
    name = _("standard input")
    raw = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise Refused("file_size", file=name, most=MAX_BYTES)
    return decoded(raw, name)


def _is_utf8(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True
