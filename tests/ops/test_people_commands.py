"""Accounts settled from the command line: the same acts as on the page of the site's moderators, with reasons."""

import json
from pathlib import Path

import pytest

from tests.ops.test_cli import Run, code, run

__all__ = ["code", "run"]
ANN = "Ann@players.example"
WHY = ("--reason", "asked by letter")


def record(run: Run) -> list[tuple[str, str, str]]:
    """What was done, the oldest first: act, by whom, why."""
    rows = json.loads(run("account", "record", "--json").stdout)
    return [(row["act"], row["by"], row["reason"]) for row in reversed(rows)]


def test_an_account_is_blocked_and_let_in_again(run: Run, code: str) -> None:
    """Both once, each on record; who acts as a moderator of the site is named."""
    assert "blocked" in run("account", "block", ANN, *WHY).stdout
    (row,) = [row for row in json.loads(run("account", "list", "--json").stdout) if row["name"] == "Ann"]
    assert row["blocked"]
    assert "blocked already" in run("account", "block", ANN, *WHY).stderr
    assert "moderators of the site alone" in run("account", "unblock", ANN, *WHY, "--as", ANN).stderr
    assert run("account", "create", "mo@site.example", "--name", "Mo", "--moderator").exit_code == 0
    assert run("account", "unblock", ANN, *WHY, "--as", "mo@site.example").exit_code == 0
    assert "is not blocked" in run("account", "unblock", ANN, *WHY).stderr
    assert record(run) == [("blocked", "operator", "asked by letter"), ("unblocked", "Mo", "asked by letter")]


def test_two_accounts_are_made_one(run: Run, code: str) -> None:
    """Unless both sit in one game."""
    assert code in run("account", "merge", ANN, "Ben@players.example", *WHY).stderr
    run("account", "create", "anna@work.example")
    assert run("account", "merge", ANN, "anna@work.example", *WHY).exit_code == 0
    assert "anna@work.example" in run("account", "addresses", ANN).stdout
    assert record(run) == [("merged", "operator", "asked by letter")]


def test_a_persons_data_is_written_to_a_file_of_ones_own(run: Run, code: str, tmp_path: Path) -> None:
    """JSON that only its owner can read; a file that is there is left alone."""
    file = tmp_path / "ann.json"
    assert run("account", "export", ANN, str(file), *WHY).exit_code == 0
    assert file.stat().st_mode & 0o077 == 0
    assert json.loads(file.read_text(encoding="utf-8"))["account"]["name"] == "Ann"
    assert "already" in run("account", "export", ANN, str(file), *WHY).stderr
    assert record(run) == [("exported", "operator", "asked by letter")]


def test_a_persons_data_is_deleted_and_the_game_verifies(run: Run, code: str) -> None:
    """After a word, or with --yes; then there is no such account."""
    assert run("account", "delete", ANN, *WHY, given="n\n").exit_code != 0
    assert "Ann" in run("account", "list").stdout
    assert run("account", "delete", ANN, "--yes", *WHY).exit_code == 0
    assert "ann@" not in run("account", "list").stdout.lower()
    assert run("game", "verify", code).exit_code == 0
    assert "no account" in run("account", "export", ANN, "x.json", *WHY).stderr
    assert record(run) == [("deleted", "operator", "asked by letter")]


@pytest.mark.parametrize("act", [["block"], ["unblock"], ["merge"], ["export"], ["delete", "--yes"]])
def test_nothing_is_done_without_a_reason(run: Run, code: str, act: list[str]) -> None:
    """Neither without the option nor with spaces in it."""
    more = {"merge": ["Ben@players.example"], "export": ["x.json"]}.get(act[0], [])
    assert run("account", act[0], ANN, *more, *act[1:]).exit_code == 2
    assert "needs a reason" in run("account", act[0], ANN, *more, *act[1:], "--reason", " ").stderr
    assert record(run) == []
