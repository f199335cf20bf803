import re
import shlex
from pathlib import Path

import click
import pytest

from engine.contract import Setup
from engine.orders.reader import read
from engine.orders.shape import Reading
from engine.registry import load
from engine.table import Table
from pbem import commands
from pbem.cli import main
from pbem.cli.settings import settings_table
from pbem.mail import commandlines
from pbem.settings import Settings
from pbem.words import Words

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
SETTING = re.compile(r"PBEM_([A-Z_]+)")


def blocks(path: Path, kind: str) -> list[str]:
    """The fenced blocks of a kind on a page."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def lines(path: Path, kind: str) -> list[str]:
    """The lines of a page's blocks of a kind."""
    return [line for block in blocks(path, kind) for line in block.splitlines()]


def _read(line: str, rules_name: str = "rockwell") -> Reading:
    module = load(rules_name)
    rules = module.bind(Setup(4))
    table, _, _ = Table.begin(rules, b"docs", ["", "", "", ""])
    return read(line, module.language, rules.view(table.state, 1))


@pytest.mark.parametrize("line", lines(DOCS / "player.md", "orders"))
def test_orders_in_the_players_guide_are_read(line: str) -> None:
    """Each line that players are shown is an order, without a doubt."""
    reading = _read(line)
    assert [each.problem for each in reading.lines] == [None]
    assert len(reading.orders) == 1


BRASS = DOCS / "brass-empire.md"
TABLE = [
    line
    for row in re.findall(r"^\| (`.*`) \|", BRASS.read_text(encoding="utf-8"), re.MULTILINE)
    for line in re.findall(r"`([^`]+)`", row)
]


@pytest.mark.parametrize("line", [*lines(BRASS, "brass"), *TABLE])
def test_orders_in_the_guide_to_brass_empire_are_read(line: str) -> None:
    """In its fenced blocks and in its table."""
    reading = _read(line, "brass_empire")
    assert [each.problem for each in reading.lines] == [None]
    assert len(reading.orders) == 1


@pytest.mark.parametrize("line", lines(DOCS / "player.md", "commands"))
def test_commands_in_the_players_guide_are_read(line: str) -> None:
    """Each line that players are shown is a command."""
    assert len(_read(line).commands) == 1


@pytest.mark.parametrize("line", lines(DOCS / "player.md", "proposals"))
def test_proposals_in_the_players_guide_are_read(line: str) -> None:
    """Each line that players are shown is a command."""
    assert len(_read(line).commands) == 1


COMMANDS = [line for page in PAGES for line in lines(page, "sh") if line.startswith("pbem")]


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_in_the_guides_can_be_called(line: str) -> None:
    """Each command line is one that the program understands, with all its options."""
    words = shlex.split(line.partition(" > ")[0])[1:]
    command: click.Command = main
    context = click.Context(main)
    while isinstance(command, click.Group):
        if words[0] == "--config":
            words = words[2:]
        found = command.get_command(context, words.pop(0))
        assert found is not None, line
        command = found
    command.make_context("pbem", words)


def test_the_page_of_settings_is_made_from_the_class() -> None:
    """The operator's guide lists what the settings class has: `pbem settings --page`."""
    assert settings_table() in (DOCS / "operator.md").read_text(encoding="utf-8")


def test_the_table_of_a_moderators_commands_is_made_from_their_list() -> None:
    """The moderator's guide lists what the list of commands has: `pbem game commands`."""
    assert commands.table(Words.of("en")) in (DOCS / "moderator.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", blocks(DOCS / "moderator.md", "mail"))
def test_mails_in_the_moderators_guide_are_commands(text: str) -> None:
    """Each with its reason."""
    assert commandlines.read(text, commandlines.Sides({"red": 0}, ("steady",))).reason


@pytest.mark.parametrize("command", commands.COMMANDS, ids=lambda command: command.name)
def test_each_of_a_moderators_commands_is_one_of_the_program(command: commands.Command) -> None:
    """As the table writes it, with what each of its parameters may be."""
    given = {"HOURS": "1", "ORDER": "ready", "SEAT": "red", "LEVEL": "random", "ENTRY": "1", "LINE": "0", "NUMBER": "1"}
    given |= {"OBSERVER": "1"}
    usage = commands.usage(command).translate(str.maketrans("", "", "[]"))  # options that need not be given
    words = [given.get(word, word) for word in usage.split()[1:]]
    test_commands_in_the_guides_can_be_called(" ".join(["pbem", *words, "--reason", "why"]))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_settings_named_in_the_guides_exist(page: Path) -> None:
    """No page names a setting that there is not."""
    named = {name.lower() for name in SETTING.findall(page.read_text(encoding="utf-8"))}
    assert named - {"config"} <= set(Settings.model_fields)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_named_in_the_guides_exist(page: Path) -> None:
    """Links and paths of this project lead somewhere."""
    text = page.read_text(encoding="utf-8")
    links = [page.parent / link for link in re.findall(r"\]\(([\w./-]+)\)", text)]
    paths = [ROOT / path for path in re.findall(r"`((?:deploy|engine|pbem|worker|templates|tests)/[\w/.-]+)`", text)]
    assert [str(path) for path in [*links, *paths] if not path.exists()] == []


def test_settings_in_the_example_file_exist() -> None:
    """The example of a file of settings can be used."""
    names = [line.partition(" ")[0] for line in lines(DOCS / "operator.md", "toml")]
    assert names
    assert set(names) <= set(Settings.model_fields)
