"""`pbem components …`: sets that a moderator typed from a box of their own."""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from engine.components import place_said
from engine.contract import RulesModule, Setup
from pbem import refusals
from pbem.cli.groups import Group
from pbem.cli.shown import as_json, print_json
from pbem.cli.words import WORDS, _
from pbem.components import BadSet, Found, module_named, only_taker, read_set, sets_of
from pbem.errors import Refused
from pbem.gametemplates import BadTemplate, said
from pbem.reports.game import game_words

rules_option = click.option("--rules", default="", help=_("For which rules; needed where several take component sets."))


@click.group(cls=Group, help=_("Component sets: the built-in one, and whether one of your own can be played with."))
def components() -> None:
    """Component sets."""


@components.command(
    "check", help=_("Say what is wrong with the component set in FILE: all of it, each with its place.")
)
@click.argument("file", type=click.Path(path_type=Path))
@rules_option
@as_json
def check(file: Path, rules: str, as_json: bool) -> None:
    """Say what is wrong with a component set; the exit status is 1 where anything is."""
    with told_in_words():
        try:
            module, parsed = read_set(file, rules)
        except BadSet as bad:
            if not as_json:
                raise
            print_json({"file": str(file), "rules": bad.module.name, "faults": _rows(bad)})
            raise SystemExit(1) from bad
    named = sets_of(module).name(parsed)
    row = {"file": str(file), "rules": module.name, "name": named.name, "edition": named.edition, "faults": []}
    if as_json:
        print_json(row)
        return
    click.echo(_("%(file)s: the set “%(name)s”, edition %(edition)s, can be played with (%(rules)s).") % row)


@components.command("show", help=_("Print the built-in component set: save it as a file, change it, and check that."))
@rules_option
@as_json
def show(rules: str, as_json: bool) -> None:
    """Print the built-in component set."""
    with told_in_words():
        module = module_named(rules) if rules else only_taker()
        text = sets_of(module).built_in.read_text(encoding="utf-8")
    if as_json:
        print_json({"rules": module.name, "components": tomllib.loads(text)})
    else:
        click.echo(text, nl=False)


@contextmanager
def told_in_words() -> Iterator[None]:
    """What is refused becomes a sentence; of a component set or a template all that is wrong, a line each."""
    try:
        yield
    except Refused as refused:
        raise click.ClickException(refusals.said(refused, WORDS)) from refused
    except BadTemplate as bad:
        raise click.ClickException("\n".join(said(bad, WORDS))) from bad
    except BadSet as bad:
        raise click.ClickException("\n".join(_line(bad, found) for found in bad.found)) from bad


def _line(bad: BadSet, found: Found) -> str:
    row = {"where": _("%(file)s, line %(line)s") % {"file": bad.file, "line": found.line}, **_row(bad.module, found)}
    if not found.line:
        row["where"] = bad.file
    if found.fault.rule:
        return _("%(where)s, %(place)s: %(what)s (%(rule)s)") % row
    return _("%(where)s, %(place)s: %(what)s (the form of the file)") % row


def _rows(bad: BadSet) -> list[dict[str, Any]]:
    return [_row(bad.module, found) | {"params": found.fault.params} for found in bad.found]


def _row(module: RulesModule, found: Found) -> dict[str, Any]:
    said = game_words(module.name, Setup(module.seat_numbers[0], version=module.version), WORDS.language)
    fault = found.fault
    return {
        "line": found.line,
        "place": place_said(fault.place),
        "code": fault.code,
        "what": said.fault(fault),
        "rule": fault.rule,
    }
