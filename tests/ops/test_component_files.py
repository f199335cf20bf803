"""Component sets that a moderator types: checked, shown, played with."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tomlkit
from click.testing import CliRunner, Result

from engine.rockwell.components import BUILT_IN
from pbem.cli import main
from pbem.settings import settings
from pbem.tomlfiles import MAX_BYTES, MAX_DEPTH, lines_of

Run = Callable[..., Result]
TEXT = BUILT_IN.read_text(encoding="utf-8").replace('name = "reconstructed"', 'name = "my box"')


def pbem(*words: str | Path) -> Result:
    """One command, without a service."""
    return CliRunner().invoke(main, [str(word) for word in words], prog_name="pbem")


def edited(folder: Path, *changes: tuple[str, str]) -> Path:
    """The built-in set under another name with some words replaced, as a file."""
    text = TEXT
    for before, after in changes:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    file = folder / "mine.toml"
    file.write_text(text, encoding="utf-8")
    return file


TILE = "  { power = 4, pile = 2, yields = [1, 1, 0, 0] }, { power = 4, pile = 3, yields = [0, 0, 1, 0] },"
WRONG = [
    (TILE, TILE[:49], "tiles.A", "RW-SET-2", "A = [", "It holds 7; it must hold at least 8."),
    (", [8, 3, 0, 0, true]]", "]", "extraction", "RW-SET-9", "pile_1", "There are 47 extraction cards in all piles"),
    ("power = [1500, 2500", "power = [1500, 0", "prices.power[1]", "RW-WRK-2", "power =", "It must be at least 1."),
    (
        "{ cost = [0, 6, 0, 0], prestige = 3 }, { cost = [0, 6, 0, 0], prestige = 3 }, ",
        "{ cost = [0, 4, 0, 0], prestige = 3 }, { cost = [0, 6, 0, 0], prestige = 3 }, ",
        "deliveries.copper[2].cost",
        "RW-SET-10",
        "copper =",
        "It costs 4, less than the one before it: it must cost at least 5.",
    ),
    ("money = 3000", "money = 3000\nmony = 3000", "start.mony", "RW-SET-12", "mony", "Is money meant?"),
    ("bribery_tiles = 3", 'bribery_tiles = "3"', "start.bribery_tiles", "RW-SET-7", "bribery", "a whole number."),
]


@pytest.mark.parametrize(("before", "after", "place", "rule", "line", "what"), WRONG, ids=[each[2] for each in WRONG])
def test_a_fault_names_file_line_place_and_rule(
    before: str, after: str, place: str, rule: str, line: str, what: str, tmp_path: Path
) -> None:
    """And what would be right; the exit status is for scripts."""
    file = edited(tmp_path, (before, after))
    said = pbem("components", "check", file)
    assert said.exit_code == 1
    found = re.fullmatch(
        rf"Error: {re.escape(f'{file}, line ')}(\d+), {re.escape(place)}: (.*) \((.*)\)\n", said.output
    )
    assert found is not None, said.output
    assert what.lower() in found[2].lower()
    assert found[3] == rule
    assert file.read_text(encoding="utf-8").splitlines()[int(found[1]) - 1].startswith(line)


@pytest.mark.parametrize(
    ("before", "after", "place", "what"),
    [
        (TILE, TILE + TILE[:50], "tiles.A", "It holds 9; it must hold at most 8."),
        ("power = [1500, 2500", "power = [1500, 1500, 2500", "prices.power", "it must hold at most 3."),
        ('control_center = ["bribery', 'control_center = ["magic', "control_center[0]", "It must be"),
    ],
)
def test_what_is_too_long_or_no_word_of_ours_is_told(
    before: str, after: str, place: str, what: str, tmp_path: Path
) -> None:
    """As what is too short is, in a sentence and in JSON."""
    file = edited(tmp_path, (before, after)) if TEXT.count(before) == 1 else _first(tmp_path, before, after)
    said = pbem("components", "check", file)
    assert said.exit_code == 1
    assert place in said.output
    assert what in said.output
    rows = json.loads(pbem("components", "check", file, "--json").stdout)["faults"]
    assert [row for row in rows if what in row["what"]]


def _first(folder: Path, before: str, after: str) -> Path:
    file = folder / "mine.toml"
    file.write_text(TEXT.replace(before, after, 1), encoding="utf-8")
    return file


OF_ANOTHER_KIND: list[Any] = [1.5, float("inf"), -1, 0, 10**15, "", "magic", "all", True, [], {}, [1], {"a": 1}]
OF_ANOTHER_KIND += [date(2026, 1, 1), "a\u0000b"]


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a parsed file."""
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, child in inner:
        yield (*path, step)
        yield from places(child, (*path, step))


def spoiled(components: Any, random: Random) -> Any:
    """The set with something left out, doubled, called something else, or of another kind."""
    made = json.loads(json.dumps(components))
    for _ in range(random.choice((1, 1, 1, 3))):
        *above, last = random.choice(list(places(made)))
        node: Any = made
        for step in above:
            node = node[step]
        match random.randrange(4):
            case 0:
                del node[last]
            case 1 if isinstance(node, list):
                node.extend([node[last]] * random.choice((1, 1, 40)))
            case 2 if isinstance(node, dict):
                node[random.choice((f"{last}s", "magic"))] = node.pop(last)
            case _:
                node[last] = random.choice(OF_ANOTHER_KIND)
    return made


@pytest.mark.parametrize(("rules", "times"), [("rockwell", 60), ("brass_empire", 25)])
def test_whatever_is_wrong_is_told_in_sentences(rules: str, times: int, tmp_path: Path) -> None:
    """Sets spoiled at random: each is played with, or every fault is told with its file, place and rule."""
    random = Random(20261128)
    components: Any = tomllib.loads(pbem("components", "show", "--rules", rules).stdout)
    components["set"]["name"] = "my box"
    refused = 0
    for _ in range(times):
        file = tmp_path / "spoiled.toml"
        file.write_text(tomlkit.dumps(spoiled(components, random)), encoding="utf-8")
        said = pbem("components", "check", "--rules", rules, file)
        assert said.exception is None or isinstance(said.exception, SystemExit), (said.exception, file.read_text())
        refused += said.exit_code
        if said.exit_code:
            for line in said.output.removeprefix("Error: ").splitlines():
                assert line.startswith(f"{file}"), line
                assert line.endswith((")", ".")), line
    assert times // 2 < refused < times


def test_a_pile_that_runs_out_and_tiles_that_can_not_be_laid_are_refused(tmp_path: Path) -> None:
    """Both are told at once, with the figures."""
    ring = re.search(r"^D = \[.*?^\]", TEXT, re.MULTILINE | re.DOTALL)
    assert ring is not None
    alike = re.sub(r"power = \d+, pile = \d", "power = 9, pile = 1", ring[0])
    said = pbem("components", "check", edited(tmp_path, (ring[0], alike)))
    assert "tiles: These tiles can't be laid so that no two neighbours require the same power" in said.output
    assert "(RW-SET-3)" in said.output
    assert "extraction.pile_1: It has 6 cards, but 12 tiles draw from it" in said.output
    assert "(RW-EXT-3)" in said.output


def test_all_faults_are_told_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    """As lines and as JSON."""
    file = edited(tmp_path, *((before, after) for before, after, *_ in WRONG))
    said = json.loads(pbem("components", "check", file, "--json").stdout)
    assert sorted(fault["place"] for fault in said["faults"]) == sorted(each[2] for each in WRONG)
    assert [fault["line"] for fault in said["faults"]] == sorted(fault["line"] for fault in said["faults"])
    assert len(pbem("components", "check", file).output.splitlines()) == len(WRONG)


ODD: list[tuple[str, bytes, str]] = [
    ("long", b"#" * (MAX_BYTES + 1), f"at most {MAX_BYTES} bytes"),
    ("binary", b'a = 1\nb = "\xff"\n', "line 2: this is not UTF-8"),
    ("no TOML", b"a = 1\nb = = 2\n", "this is no TOML: Invalid value (at line 2"),
    ("many digits", b"a = " + b"9" * 5000, "this is no TOML"),
    ("brackets", b"a = 1\nb = " + b"[" * 50_000, "line 2: brackets or keys go too deep"),
    ("tables", b"a = " + b"{a=" * 20_000, "line 1: brackets or keys go too deep"),
    ("dots", b".".join([b"a"] * 50_000) + b" = 1", "line 1: brackets or keys go too deep"),
    ("headers", b"[" + b".".join([b'"a"'] * 20_000) + b"]", "line 1: brackets or keys go too deep"),
    ("unknown", b"[cards]\n", "--rules"),
]


@pytest.mark.parametrize(("content", "said"), [each[1:] for each in ODD], ids=[each[0] for each in ODD])
def test_what_is_no_component_file_is_told(content: bytes, said: str, tmp_path: Path) -> None:
    """With the file and, where it has one, the line; limits stand before anything is parsed."""
    file = tmp_path / "odd.toml"
    file.write_bytes(content)
    told = pbem("components", "check", file)
    assert told.exit_code == 1
    assert isinstance(told.exception, SystemExit), told.exception
    assert str(file) in told.output or "--rules" in said
    assert said in told.output


def test_a_folder_and_a_missing_file_are_told(tmp_path: Path) -> None:
    """In a sentence each."""
    assert "no file but a folder" in pbem("components", "check", tmp_path).output
    assert "there is no such file" in pbem("components", "check", tmp_path / "none").output


def test_brackets_in_texts_and_comments_are_not_counted(tmp_path: Path) -> None:
    """Only what nests is deep."""
    file = edited(tmp_path, ("[safety]", "# " + "[" * 99 + "\n[safety]"), ('"my box"', '"my (box)"'))
    assert pbem("components", "check", file).exit_code == 0
    file.write_text("a = " + "[" * MAX_DEPTH + "]" * MAX_DEPTH, encoding="utf-8")
    assert "too deep" not in pbem("components", "check", file, "--rules=rockwell").output


def test_the_built_in_set_is_shown_as_a_file_to_start_from(tmp_path: Path) -> None:
    """What is printed can be saved, and is sound; with a value changed it asks for a name of its own."""
    shown = pbem("components", "show", "--rules=rockwell").stdout
    file = tmp_path / "own.toml"
    file.write_text(shown, encoding="utf-8")
    assert "can be played with (rockwell)" in pbem("components", "check", file).output
    assert (
        json.loads(pbem("components", "show", "--rules=rockwell", "--json").stdout)["components"]["set"]["edition"] == 1
    )
    file.write_text(shown.replace("money = 3000", "money = 4000"), encoding="utf-8")
    assert "give it a name of its own" in pbem("components", "check", file).output


def test_rules_without_component_sets_say_so(tmp_path: Path) -> None:
    """So do rules that are not installed, with those that are."""
    for command in (("check", edited(tmp_path)), ("show",)):
        assert "take no component set" in pbem("components", *command, "--rules=tinygame").output
        assert "there are: " in pbem("components", *command, "--rules=nosuch").output


def test_every_place_of_a_file_has_its_own_line() -> None:
    """Found together they are found as when each is looked for alone, also in lists of several lines."""
    places = [("tiles", "A", 0), ("tiles", "A", 7, "power"), ("tiles", "B"), ("achievements", "centre_reached", 3)]
    together = lines_of(TEXT, places)
    assert together == {place: lines_of(TEXT, [place])[place] for place in places}
    lines = TEXT.splitlines()
    assert lines[together["tiles", "B"] - 1] == "B = ["
    assert lines[together["tiles", "A", 7, "power"] - 1] == TILE
    assert lines_of(TEXT, [("tiles", "A", 9), ("nosuch",)]) == {
        ("tiles", "A", 9): lines.index("A = [") + 1,
        ("nosuch",): lines.index('name = "my box"') + 1,
    }


@pytest.fixture
def service(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line on a fresh service that puts letters into folders."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PBEM_DATABASE_URL", database_url)
    settings.cache_clear()
    assert pbem("migrate").exit_code == 0
    return pbem


PLAYERS = [f"--player={name}@players.example" for name in ("ann", "ben")]


def test_no_game_is_made_with_a_set_that_is_wrong(service: Run, tmp_path: Path) -> None:
    """All that is wrong is told as `components check` tells it."""
    file = edited(tmp_path, *((before, after) for before, after, *_ in WRONG))
    refused = service("game", "new", "rockwell", *PLAYERS, f"--components={file}")
    assert refused.exit_code == 1
    assert refused.output == service("components", "check", file).output
    for odd in (tmp_path, tmp_path / "none"):
        assert service("game", "new", "rockwell", *PLAYERS, f"--components={odd}").exit_code == 1
    assert json.loads(service("game", "list", "--json").stdout) == []
