"""`pbem game export` and `pbem verify`: a game's record as a file, and what it is worth."""

from pathlib import Path

import click

from pbem.cli.opened import opened
from pbem.cli.shown import as_json, print_json, show_one
from pbem.cli.words import _
from pbem.records.checking import BadRecord, Checked, check_record
from pbem.records.shape import MOST_BYTES
from pbem.records.writing import record


@click.command(
    "export",
    help=_(
        "Write the record of a game that is over to FILE: set-up, journal, seals, secret and press as canonical JSON "
        "lines, without names or addresses. `pbem verify` checks it."
    ),
)
@click.argument("code")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def export(code: str, file: Path) -> None:
    """Write a record."""
    with opened() as service:
        content = record(service, code)
    try:
        file.write_bytes(content)
    except OSError as error:
        raise click.FileError(str(file), error.strerror) from error
    params = {"file": file, "lines": content.count(b"\n")}
    click.echo(_("%(file)s: %(lines)s lines. `pbem verify %(file)s --head HEAD` checks it.") % params)


@click.command(
    "verify",
    help=_(
        "Check the record of a game: every draw, choice, digest, hash and seal, and that the journal is the one of "
        "which a report's HEAD was made. It needs the file alone, and the rules of the game."
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--head", default="", help=_("A head that stands in any report of the game, or how it begins."))
@as_json
def verify(file: Path, head: str, as_json: bool) -> None:
    """Check a record."""
    if head and not _is_head(head):
        wrong = _("A head is of figures and the letters a to f, at least eight of them.")
        raise click.BadParameter(wrong, param_hint="--head")
    try:
        checked = check_record(_read(file), head)
    except BadRecord as bad:
        if as_json:
            print_json({"problem": bad.code, "line": bad.line, "entry": bad.entry})
            raise SystemExit(1) from bad
        raise click.ClickException(_problem(file, bad)) from bad
    row = {"title": checked.title, "rules": checked.rules, "entries": checked.entries, "seals": checked.seals}
    row |= {"messages": checked.messages, "head": checked.head, "head_checked": bool(head)}
    headings = {"title": _("game"), "rules": _("rules"), "entries": _("entries"), "seals": _("seals")}
    show_one(row, headings | {"messages": _("messages"), "head": _("head")}, as_json)
    if not as_json:
        click.echo(_verdict(checked, head))


def _is_head(head: str) -> bool:
    return 8 <= len(head) <= 64 and not set(head.lower()) - set("0123456789abcdef")


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as record_file:
            return record_file.read(MOST_BYTES + 1)
    except OSError as error:
        raise click.FileError(str(file), error.strerror) from error


def _verdict(checked: Checked, head: str) -> str:
    if head:
        return _(
            "Sound: every draw follows from the secret that was sealed before anyone sat down, every choice was legal, "
            "and the report with that head was made from this journal."
        )
    return _(
        "The record agrees with itself. Whether it is that of the game you played is shown by --head alone: give one "
        "that stands in a report of yours."
    )


def _problem(file: Path, bad: BadRecord) -> str:
    """What is wrong, where, and what that means."""
    said = {
        "too_long": _("this is longer than a record can be"),
        "unreadable": _("this is not as a record is written; something in the line was changed or damaged"),
        "unfinished": _("the record breaks off here: its last line is missing"),
        "no_game": _("the first line does not say which game it is"),
        "out_of_place": _("this line stands in the wrong place"),
        "format": _("this is a record of another form than this version reads"),
        "rules": _("the game's rules are not installed here in that version, or can't be played with that set-up"),
        "count": _("the first line says that there are other lines than there are"),
        "secret": _("the secret is not the one whose hash was given out before the game"),
        "hash": _("the entry %(entry)s of the journal was changed: its hash is another"),
        "chain": _("the entry %(entry)s of the journal does not follow from those before it"),
        "seal": _("sheet and salt do not make the seal: one of them was changed"),
        "message": _("this message is by or to a seat that the game does not have"),
        "head": _("the journal does not end with the head that the first line names"),
        "altered": _("something in the file was changed that the journal says nothing of, such as the title"),
        "other_head": _("the record is sound, but no report with the head that was given was made from it"),
    }
    other = _("the entry %(entry)s of the journal is not what the secret and the choices make of it (%(problem)s)")
    params = {"entry": bad.entry, "problem": bad.code}
    return f"{file}:{bad.line}: {said.get(bad.code, other) % params}."
