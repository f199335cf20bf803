"""`pbem game export`, `pbem game import` and `pbem verify`: a game's record as a file, and what it is worth."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from pbem import private
from pbem.cli.opened import opened
from pbem.cli.pairs import pairs
from pbem.cli.ruling import why
from pbem.cli.shown import as_json, print_json, show, show_one
from pbem.cli.words import WORDS, _
from pbem.games.lifecycle import Guest
from pbem.records.checking import BadRecord, Checked, checked, read_record
from pbem.records.importing import Arrival, import_record
from pbem.records.problems import problem
from pbem.records.shape import MOST_BYTES
from pbem.records.told import Told, told
from pbem.records.writing import record, whole_record
from pbem.rulings.authority import Actor


@click.command(
    "export",
    help=_(
        "Write the record of a game that is over to FILE: set-up, journal, seals, secret and press as canonical JSON "
        "lines, without names or addresses. `pbem verify` checks it. With --whole write a game that goes on, with all "
        "that is hidden, to be imported elsewhere, to a new file that only you can read: every player is told of it at "
        "once."
    ),
)
@click.argument("code")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--whole", is_flag=True, help=_("Of a game that goes on: whoever has the file knows its secret."))
@why(required=False)
def export(code: str, file: Path, whole: bool, reason: str, address: str) -> None:
    """Write a record."""
    if whole:
        content = _write_whole(file, code, Actor(reason, address))
    else:
        with opened() as service:
            content = record(service, code)
        _write(file, content)
    params = {"file": file, "lines": content.count(b"\n")}
    click.echo(_("%(file)s: %(lines)s lines. `pbem verify %(file)s --head HEAD` checks it.") % params)


def _write_whole(file: Path, code: str, actor: Actor) -> bytes:
    """Into a file that nobody else can read, and that is there before players are told."""
    with opened() as service, private.new_file(file) as new:
        content = whole_record(service, code, actor)
        new.write(content)
    return content


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise click.FileError(str(file), error.strerror) from error


@click.command(
    "import",
    help=_(
        "Make a game here from FILE, which `pbem game export` wrote, and print its code. The file is checked whole "
        "first. A game that goes on (--whole) stands still until you `resume` it; a seat is nobody's until the one who "
        "is asked takes it."
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--seat", "seats", multiple=True, metavar="SIDE=[NAME=]ADDRESS", help=_("Who is to have a side; may be repeated.")
)
@click.option("--moderator", default="", metavar="ADDRESS", help=_("Who moderates it beside the operator."))
@why(required=False)
@as_json
def import_(file: Path, seats: tuple[str, ...], moderator: str, reason: str, address: str, as_json: bool) -> None:
    """Make a game from a record."""
    guests = _guests(seats)
    content = _read(file)
    try:
        with opened() as service:
            code = import_record(service, content, Arrival(guests, moderator, Actor(reason, address)))
    except BadRecord as bad:
        raise click.ClickException(_problem(file, bad)) from bad
    show_one({"code": code}, {"code": _("code")}, as_json)


def _guests(seats: Sequence[str]) -> dict[str, Guest]:
    return {side.strip().lower(): Guest.written(text) for side, text in pairs(seats, "--seat").items()}


@click.command(
    "verify",
    help=_(
        "Check the record of a game: every draw, choice, digest, hash and seal, that its secret is the one whose seal "
        "stands in the invitation, and that the journal is the one of which a report's HEAD was made; show the sheet "
        "of a SEAL, and what was played by it. It needs the file alone, and the rules of the game."
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--head", default=None, help=_("A head that stands in any report of the game, or how it begins."))
@click.option(
    "--seal",
    "seals",
    multiple=True,
    help=_("A seal that stands in an acknowledgement, or how it begins; may be repeated."),
)
@click.option(
    "--secret-seal",
    default=None,
    help=_("The seal of the secret that stands in the invitation and in each report, or how it begins."),
)
@as_json
def verify(file: Path, head: str | None, seals: tuple[str, ...], secret_seal: str | None, as_json: bool) -> None:
    """Check a record."""
    _check_hashes(head, seals, secret_seal)
    head, secret_seal = head or "", secret_seal or ""
    try:
        whole = read_record(_read(file))
        found = checked(whole, head, secret_seal)
        sheets = [told(whole, seal) for seal in seals]
    except BadRecord as bad:
        if as_json:
            print_json({"problem": bad.code, "line": bad.line, "entry": bad.entry})
            raise SystemExit(1) from bad
        raise click.ClickException(_problem(file, bad)) from bad
    row = {"title": found.title, "rules": found.rules, "entries": found.entries, "seals": found.seals}
    row |= {"messages": found.messages, "left": found.left, "redrawn": found.redrawn, "unbound": found.unbound}
    row |= {"doubtful": list(found.doubtful), "changed": list(found.changed)}
    row |= {"head": found.head, "head_checked": bool(head)}
    row |= {"secret_hash": found.secret_hash, "secret_hash_checked": bool(secret_seal)}
    row |= {"sides": [asdict(side) for side in found.sides], "sheets": [asdict(sheet) for sheet in sheets]}
    headings = {"title": _("game"), "rules": _("rules"), "entries": _("entries"), "seals": _("seals")}
    headings |= {"messages": _("messages"), "left": _("lines left"), "redrawn": _("drawn anew")}
    headings |= {"changed": _("changed by hand"), "head": _("head"), "secret_hash": _("seal of the secret")}
    show_one(row if as_json else row | {"changed": len(found.changed)}, headings, as_json)
    if not as_json:
        columns = {"side": _("side"), "word": _("public word"), "orders": _("orders used")}
        columns |= {"defaults": _("defaults"), "standins": _("stand-ins")}
        show([asdict(side) for side in found.sides], columns, form=False)
        for sheet in sheets:
            _show_sheet(sheet)
        click.echo(_verdict(found, head, secret_seal))


def check_head(head: str | None) -> None:
    """Raises BadParameter for what can't be one; an empty one, as of a variable that was never set, is none."""
    if head is not None and not _is_hash(head):
        wrong = _("A head is of figures and the letters a to f, at least eight of them.")
        raise click.BadParameter(wrong, param_hint="--head")


def _check_hashes(head: str | None, seals: Sequence[str], secret_seal: str | None) -> None:
    """A seal may be as long as that of the secret, which is told apart where it is looked for."""
    check_head(head)
    for option, given in (("--seal", seals), ("--secret-seal", () if secret_seal is None else (secret_seal,))):
        if not all(map(_is_hash, given)):
            wrong = _("A seal is of figures and the letters a to f, at least eight of them.")
            raise click.BadParameter(wrong, param_hint=option)


def _show_sheet(sheet: Told) -> None:
    columns = {"seal": _("seal"), "side": _("side"), "orders": _("orders"), "stages": _("stages")}
    columns |= {"stood": _("stood at the entries"), "used": _("used at the entries")}
    row: dict[str, Any] = {name: value or None for name, value in asdict(sheet).items()}
    row["orders"] = "; ".join(sheet.orders) or None
    row["used"] = "; ".join(f"{number}: {order}" for number, order in sheet.played) or None
    if sheet.left:
        columns["left"] = _("stood on lines that were left, at the entries")
        row["left"] = tuple(number for _line, number in sheet.left)
    show_one(row, columns, form=False)
    if sheet.unbound:
        said = _(
            "In that stage an earlier release played the entries %(entries)s, which hold no seals: that this sheet "
            "stood at none of them is no sign that it was exchanged, if the game began under that release."
        )
        click.echo(said % {"entries": ", ".join(map(str, sheet.unbound))})


def _is_hash(text: str) -> bool:
    return 8 <= len(text) <= 64 and not set(text.lower()) - set("0123456789abcdef")


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as record_file:
            return record_file.read(MOST_BYTES + 1)
    except OSError as error:
        raise click.FileError(str(file), error.strerror) from error


def _verdict(found: Checked, head: str, secret_seal: str) -> str:
    """What was found, and what nothing shows."""
    said = [_finding(found, head)]
    if secret_seal:
        said.append(_("Its secret is the one of that seal."))
    elif not found.goes_on or head:
        said.append(
            _(
                "That the secret is the one that was sealed before anyone sat down is shown by --secret-seal alone: "
                "give what stands in your invitation."
            )
        )
    if any(side.standins for side in found.sides):
        said.append(_("What stand-ins chose is not worked out anew: see in the list whether your side had one."))
    if found.changed:
        by_hand = _("The position was changed by hand at the entries %(entries)s: a report of then tells of each.")
        said.append(by_hand % {"entries": ", ".join(map(str, found.changed))})
    if found.doubtful:
        against = _(
            "At the entries %(entries)s an order was used against its conditions, as this release reads them, or not "
            "by its first alternative that was legal: look at the report of then."
        )
        said.append(against % {"entries": ", ".join(map(str, found.doubtful))})
    if found.unbound:
        without = _(
            "%(number)s decisions have no seals in the journal, as an earlier release played them: that they were made "
            "by the orders that were sealed is not shown."
        )
        said.append(without % {"number": found.unbound})
    return " ".join(said)


def _finding(found: Checked, head: str) -> str:
    if found.goes_on and not head:
        return _(
            "The record agrees with itself. The game goes on: keep it from its players, for it tells their secrets."
        )
    if head:
        return _(
            "Sound: every draw follows from the secret, every choice was legal, every order that was used stands on a "
            "sheet whose seal is in the journal, every default is the rules' own, and "
            "the report with that head was made from this journal."
        )
    return _(
        "The record agrees with itself. Whether it is that of the game you played is shown by --head alone: give one "
        "that stands in a report of yours."
    )


def _problem(file: Path, bad: BadRecord) -> str:
    """What is wrong, and where."""
    return f"{file}:{bad.line}: {problem(bad, WORDS)}."
