"""What an operator gets wrong is answered in a sentence: what, where, what would be right; no traceback, no secret."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.settings import settings

Run = Callable[..., Result]
SECRET = "sesame"
AWAY = f"postgresql://ann:{SECRET}@127.0.0.1:1/games"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """`pbem` on a data folder of its own, with more settings by name."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path / "data"))

    def ran(*words: str, given: bytes = b"", **environment: str) -> Result:
        settings.cache_clear()
        return CliRunner().invoke(main, words, input=given, env=environment)

    yield ran
    settings.cache_clear()


def said(result: Result) -> str:
    """What it says on standard error, where that is a sentence or two, and nothing else came of it."""
    assert result.exit_code == 1, result.exception
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.stderr.startswith("Error: ")
    assert result.stdout == ""
    assert SECRET not in result.stderr
    assert len(result.stderr.splitlines()) <= 2
    return result.stderr


def test_names_in_the_environment_that_are_no_settings_are_refused(run: Run) -> None:
    """With the name that may be meant, as in a file; what processes tell each other there is none of them."""
    refused = said(run("settings", PBEM_DOMIAN="games.example"))
    assert "PBEM_DOMIAN" in refused
    assert "PBEM_DOMAIN may be meant" in refused
    assert "settings --page" in said(run("status", pbem_xyzzy="1"))
    assert run("settings", "--page", PBEM_DOMIAN="x").exit_code == 0
    assert run("settings", PBEM_READY_FILE="x", PBEM_CRASHES="", pbem_domain="games.example").exit_code == 0


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.toml", b'domain = "x"\nsmtp_password = "sesame\n', ["a.toml", "line 2", "TOML"]),
        ("a.toml", b'domain = "x"\n# \xff\xfe\n', ["a.toml, line 2", "UTF-8"]),
        ("a.env", b"PBEM_DOMAIN=x\n# \xff\xfe\n", ["a.env, line 2", "UTF-8"]),
        ("a.toml", b'domain = "x"\n\nweb_port = "sesame"\n', ["a.toml, line 3, web_port", "integer"]),
        ("a.toml", b'# a word\ndomian = "sesame"\n', ["a.toml, line 2, domian", "domain may be meant"]),
        ("a.env", b"# a word\nPBEM_DOMIAN=sesame\n", ["a.env, line 2", "domain may be meant"]),
        ("a.env", b"\nexport PBEM_WEB_PORT=sesame\n", ["a.env, line 2, web_port", "integer"]),
    ],
)
def test_what_is_wrong_in_the_file_of_settings_is_told_with_its_line(
    run: Run, tmp_path: Path, name: str, content: bytes, words: list[str]
) -> None:
    """Broken TOML, text that is not UTF-8, values and names."""
    (tmp_path / name).write_bytes(content)
    refused = said(run("--config", str(tmp_path / name), "settings", PBEM_CONFIG=""))
    assert all(word in refused for word in words), refused


def test_a_value_in_the_environment_is_told_by_the_name_it_has_there(run: Run, tmp_path: Path) -> None:
    """The file, which is right, is not blamed."""
    (tmp_path / "a.toml").write_text("web_port = 80\n")
    refused = said(run("settings", PBEM_WEB_PORT=SECRET, PBEM_CONFIG=str(tmp_path / "a.toml")))
    assert "PBEM_WEB_PORT: " in refused
    assert "a.toml" not in refused


@pytest.mark.parametrize(
    "url",
    [
        "not a url",
        f"mysql://ann:{SECRET}@h/d",
        f"postgresql://ann:{SECRET}@h:{SECRET}/d",
        f"postgresql://ann:x@{SECRET}@h/d",
    ],
)
def test_what_is_no_address_of_a_database_is_refused(run: Run, url: str) -> None:
    """Garbage, another sort, a port that is none, a password that has to be written otherwise: with how to write it."""
    for command in ("migrate", "status"):
        refused = said(run(command, PBEM_DATABASE_URL=url))
        assert "PBEM_DATABASE_URL" in refused
        assert "postgresql://name:password@host/database" in refused


def test_a_database_that_is_away_is_told_by_its_place(run: Run) -> None:
    """Without name and password."""
    assert run("migrate").exit_code == 0
    for command in (["migrate"], ["status"], ["game", "list"]):
        refused = said(run(*command, PBEM_DATABASE_URL=AWAY))
        assert "127.0.0.1:1/games" in refused
        assert "Connection refused" in refused
        assert "PBEM_DATABASE_URL" in refused


def test_a_damaged_database_is_told_by_its_place(run: Run, tmp_path: Path) -> None:
    """And that a backup brings it back."""
    assert run("migrate").exit_code == 0
    for each in (tmp_path / "data").glob("pbem.sqlite3*"):
        each.write_bytes(b"garbage" * 1000)
    for command in (["migrate"], ["status"], ["backup", str(tmp_path / "kept")]):
        refused = said(run(*command))
        assert str(tmp_path / "data" / "pbem.sqlite3") in refused
        assert "pbem restore" in refused
    assert not (tmp_path / "kept").exists()


def test_keys_that_cannot_be_used_are_told_with_their_line(run: Run, tmp_path: Path) -> None:
    """One that is none, one that is too short, none at all, a file that others may read."""
    assert run("migrate").exit_code == 0
    file = tmp_path / "data" / "keys"
    good = file.read_text()
    for content, words in (
        (f"{good}\n{SECRET}\n", "line 3"),
        (f"{good}\xe9\n", "line 2"),
        ("abcdef\n", "line 1"),
        ("# none\n", "no key"),
    ):
        file.write_text(content, encoding="utf-8")
        refused = said(run("status"))
        assert str(file) in refused
        assert words in refused
    file.write_text(good)
    file.chmod(0o644)
    refused = said(run("status"))
    assert str(file) in refused
    assert "chmod 600" in refused


def test_places_that_cannot_be_made_are_told(run: Run, tmp_path: Path) -> None:
    """The file of keys, the data folder, the folder of a backup: each by the name that was given."""
    (tmp_path / "file").write_text("")
    beneath = str(tmp_path / "file" / "beneath")
    assert beneath in said(run("migrate", PBEM_DATA_DIR=beneath))
    assert run("migrate").exit_code == 0
    assert "file" in said(run("migrate", PBEM_KEYS_FILE=beneath))
    assert "/proc/nokeys" in said(run("migrate", PBEM_KEYS_FILE="/proc/nokeys"))
    refused = said(run("backup", "/proc/nowhere/b"))
    assert "/proc/nowhere" in refused
    assert "set up" not in refused


def test_a_damaged_backup_is_told_and_left_alone(run: Run, tmp_path: Path) -> None:
    """Whether it is no database, one with a hole in it, or empty; and a good one can be taken after it."""
    assert run("migrate").exit_code == 0
    assert run("backup", str(tmp_path / "kept")).exit_code == 0
    file = tmp_path / "kept" / "pbem.sqlite3"
    good = file.read_bytes()
    for content in (b"garbage", good[: len(good) // 2], good[:8192] + bytes(8192) + good[16384:], b""):
        file.write_bytes(content)
        assert f"{file} is damaged" in said(run("restore", str(tmp_path / "kept"), PBEM_DATA_DIR=str(tmp_path / "new")))
        assert [each.name for each in (tmp_path / "new").iterdir()] == ["lock"]
    file.write_bytes(good)
    assert run("restore", str(tmp_path / "kept"), PBEM_DATA_DIR=str(tmp_path / "new")).exit_code == 0


LATIN = "x3\udce9@players.example"
"""A word with a byte that is no UTF-8, as Python reads it."""


@pytest.mark.parametrize(
    "words",
    [
        ("game", "new", "tinygame", "--player", LATIN),
        ("game", "new", "tinygame", "--title", LATIN),
        ("game", "orders", "x", "red", "--line", f"bid 3 # {LATIN}", "--reason", "x"),
        ("game", "extend", "x", "--hours", "3", "--reason", LATIN),
        ("game", "message", "x", "all", "--text", LATIN),
        ("game", "show", LATIN),
        ("account", "show", LATIN),
        ("login-link", LATIN),
        ("verify", LATIN),
        ("components", "check", LATIN),
        ("backup", LATIN),
    ],
)
def test_a_word_that_is_no_utf8_is_told(run: Run, words: tuple[str, ...]) -> None:
    """Whichever command it is given to: nothing could be kept or shown as it was meant."""
    assert run("migrate").exit_code == 0
    refused = said(run(*words))
    assert "UTF-8" in refused
    assert "x3\\udce9@players.example" in refused


@pytest.mark.parametrize("words", [("orders", "x", "red", "--reason", "x"), ("message", "x", "all")])
def test_standard_input_that_is_no_utf8_is_told_with_its_line(run: Run, words: tuple[str, ...]) -> None:
    """Or that is too long to be what was meant."""
    assert run("migrate").exit_code == 0
    assert run("game", "new", "tinygame", *(f"--player={each}@players.example" for each in "abc"), "--code=x")
    for given, told in (
        (b"bid 1\nbid 3 # caf\xe9\n", ["standard input, line 2", "UTF-8"]),
        (b"x" * 300_000, ["200000"]),
    ):
        refused = said(run("game", *words, given=given))
        assert all(each in refused for each in told), refused


@pytest.mark.parametrize("content", [b"caf\xe9\n", b'{"title":"\xe9"}\n', b'{"title":"\\ud800"}\n', b"\xff\xfe\x00"])
def test_a_file_that_is_no_utf8_is_told(run: Run, tmp_path: Path, content: bytes) -> None:
    """A record, a component set: by its name."""
    assert run("migrate").exit_code == 0
    file = tmp_path / "given.toml"
    file.write_bytes(content)
    for words in (["verify"], ["game", "import"], ["components", "check"]):
        assert "given.toml" in said(run(*words, str(file)))
