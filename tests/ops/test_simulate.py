"""`pbem simulate`: whole games among stand-ins, through the command."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main


def simulate(*arguments: str) -> Result:
    """The command, run in this process."""
    return CliRunner().invoke(main, ["simulate", *arguments])


def figures(*arguments: str) -> dict[str, Any]:
    """What it prints as JSON."""
    result = simulate(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def timeless(found: dict[str, Any]) -> dict[str, Any]:
    """The figures but for the times."""
    for level in found["levels"].values():
        level.pop("milliseconds")
    return found


TINY = ("--rules", "tinygame", "--players", "random")


def test_the_figures_follow_from_the_seed_whatever_the_number_of_processes() -> None:
    """Two processes find what one finds; another seed finds something else."""
    alone = timeless(figures(*TINY, "--games", "24", "--seats", "3", "--jobs", "1", "--seed", "7"))
    assert timeless(figures(*TINY, "--games", "24", "--seats", "3", "--jobs", "2", "--seed", "7")) == alone
    other = timeless(figures(*TINY, "--games", "24", "--seats", "3", "--jobs", "1", "--seed", "8"))
    assert other["seat_wins"] != alone["seat_wins"]


def test_every_game_is_counted_once_and_wins_add_up() -> None:
    """By turns, by decisions, by seat and by level; a use is never taken more often than it was on offer."""
    found = figures(*TINY, "--games", "30", "--seats", "2", "--jobs", "1")
    assert found["games"] == 30
    for spread in (found["turns"], found["decisions"]):
        assert sum(spread["counts"].values()) == 30
        assert spread["least"] <= spread["median"] <= spread["most"]
    assert sum(row["wins"] for row in found["seat_wins"]) == pytest.approx(30, abs=0.1)
    assert found["levels"]["random"]["wins"] == pytest.approx(30, abs=0.1)
    assert found["levels"]["random"]["seats"] == 60
    for row in found["seat_wins"]:
        assert row["low"] <= row["share"] <= row["high"]
    for part in found["uses"]:
        for use in part.get("values", ()):
            assert use["taken"] <= use["offered"]


def test_levels_share_the_seats_and_go_round_them_all() -> None:
    """Over six games two levels sit in all six ways; the better wins more, and its seats score more."""
    found = figures("--seats", "4", "--players", "random,steady", "--games", "6", "--jobs", "1")
    levels = found["levels"]
    assert {name: level["seats"] for name, level in levels.items()} == {"random": 12, "steady": 12}
    assert levels["steady"]["share"] == 1
    assert levels["steady"]["against_even"] == 2
    assert levels["steady"]["score"] > 2 * levels["random"]["score"]
    # Seats rotate: were steady on the same two seats each time, two of four would win nothing.
    assert sum(row["wins"] > 0 for row in found["seat_wins"]) > 2
    assert levels["steady"]["milliseconds"]["median"] > 0


def test_the_use_of_every_slot_is_shown() -> None:
    """For Rockwell: twelve slots of three boards, each offered, and all that the workshop does."""
    found = figures("--seats", "4", "--games", "10", "--jobs", "1")
    parts = {(part["kind"], part["part"]): part for part in found["uses"]}
    slots = parts["place", "board slot"]["values"]
    assert [use["value"] for use in slots] == [
        f"{board} {slot}" for board in ("control", "exchange", "workshop") for slot in range(1, 5)
    ]
    assert all(use["offered"] for use in slots)
    assert {use["value"] for use in parts["workshop", "action"]["values"]} >= {"pass", "power_1", "move_mineshaft"}
    assert parts["bid", "money"]["amount"]["asked"] > 0
    untaken = {
        (part["kind"], part["part"], use["value"])
        for part in found["uses"]
        for use in part.get("values", ())
        if not use["taken"]
    }
    listed = [(part["kind"], part["part"], value) for part in found["untaken"] for value in part["values"]]
    assert set(listed) == untaken
    assert len(listed) == len(untaken)
    assert found["factions"] == []


def test_what_seats_play_and_what_each_act_is_done_with_are_shown(tmp_path: Path) -> None:
    """For Brass Empire: corporations with their wins, and cards that were bought told apart from cards played."""
    file = tmp_path / "games.html"
    arguments = ("--rules", "brass_empire", "--seats", "3", "--games", "12", "--jobs", "2")
    found = figures(*arguments, "--players", "random", "--page", str(file))
    assert found["faction"] == "corporation"
    assert sum(row["seats"] for row in found["factions"]) == 3 * 12
    assert sum(row["wins"] for row in found["factions"]) == pytest.approx(12, abs=0.1)
    assert {row["faction"] for row in found["factions"]} == {"mcglynn", "frontier", "omni_edo", "harlem", "windcraft"}
    parts = {(part["kind"], part["part"]): part for part in found["uses"]}
    bought = {use["value"] for use in parts["turns", "buy card"]["values"]}
    assert "gumshoe from reserve" in bought
    assert "clerk" not in bought
    assert "clerk" in {use["value"] for use in parts["turns", "play card"]["values"]}
    assert not {("turns", "card"), ("turns", "act card")} & parts.keys()
    page = file.read_text(encoding="utf-8")
    assert "Wins by corporation" in page
    assert "omni_edo" in page
    table = " ".join(simulate(*arguments).stdout.split())
    assert "Wins by corporation" in table
    assert "turns, buy card: " in table


def test_the_page_holds_all_plots_and_loads_nothing(tmp_path: Path) -> None:
    """One file, with the figures that the command prints."""
    file = tmp_path / "games.html"
    found = figures(*TINY, "--games", "5", "--seats", "2", "--jobs", "1", "--page", str(file))
    page = file.read_text(encoding="utf-8")
    assert page.count("<svg") >= 5
    assert "http" not in page
    assert "<script" not in page
    assert "<link" not in page
    assert f"5 games of {found['rules']} for 2" in page
    for row in found["seat_wins"]:
        assert f"{100 * row['share']:.1f} %" in page


def test_by_default_tables_are_printed() -> None:
    """With headings in words."""
    result = simulate(*TINY, "--games", "5", "--seats", "2", "--jobs", "1")
    assert result.exit_code == 0
    for heading in ("Lengths", "Wins by seat", "Wins by level", "Mean score of a seat by source", "Use of actions"):
        assert heading in result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--rules", "chess"), "no rules called chess"),
        (("--players", "clever"), "no stand-in of level clever; there are: "),
        (("--seats", "3", "--players", "random,steady"), "3 seats can't be shared evenly among the 2 players"),
        (("--seats", "7"), "and not 7"),
        (("--option", "luck=true"), "luck"),
        (("--option", "luck"), "NAME=VALUE"),
        (("--games", "0"), "0 is not in the range"),
        (("--page", "nowhere/page.html", *TINY, "--seats", "2", "--games", "1", "--jobs", "1"), "can't be written"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(arguments: tuple[str, ...], words: str) -> None:
    """With what was wrong, and no traceback."""
    result = simulate(*arguments)
    assert result.exit_code != 0
    assert words in " ".join(result.output.replace("│", " ").split())
    assert "Traceback" not in result.output


def test_sheets_ask_a_seat_less_than_a_table_does_and_lose_little() -> None:
    """A few games by sheets, at each pace: as often asked as a turn has stages, all answered by orders."""
    found = figures("--seats", "4", "--games", "2", "--jobs", "1", "--sheets")
    asked = found["asked_per_seat_turn"]
    assert set(asked) == {"table", "strict", "brisk"}
    assert 8 <= asked["table"] <= 20
    assert 3 <= asked["strict"] <= 4
    assert asked["brisk"] == 2
    # The first auction is a stage of its own.
    assert found["asked_spread"]["brisk"]["most"] == 3
    assert found["answered_by_order"]["strict"] >= 0.9
    assert found["answered_by_order"]["brisk"] >= 0.8
    for pace in ("strict", "brisk"):
        assert 0 <= found["one_by_sheets"][pace]["share"] <= 1


def test_sheets_are_asked_of_stand_ins_that_write_them_alone() -> None:
    """A level without a planner is refused before a game is played."""
    result = simulate(*TINY, "--seats", "2", "--sheets")
    assert result.exit_code != 0
    assert "write no sheets" in result.output
