"""`pbem board`: how a game stands, from the command line."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from PIL import Image

from pbem.cli.words import WORDS
from pbem.games.drawing import public_board
from pbem.storage.models import Picture
from pbem.storage.sessions import Database
from tests.pbem.playing import Match, begun, created, service_on

SIDES = ("Green", "Purple", "Red", "White")
PLACES = "place workshop or exchange or control\nplace exchange or control or workshop\n"
DRILLS = "insure nothing\ndrill 1: c1 to A1\ndrill 2: c2 to A3\ndrill 3: c1 stay\ndrill 4: c3 to A5\nready"
Run = Callable[..., Result]


@pytest.fixture
def match(database: Database) -> Match:
    """A game of Rockwell whose market has just opened: crews moved in each drilling round."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk", title="The deep end")
    for orders in ("bid nothing", PLACES + DRILLS):
        for seat in range(4):
            match.say(seat, orders + "\nready")
        match.settle()
    assert match.game.stage_key == "1-market"
    return match


def test_the_board_is_the_picture_that_the_letters_show(run: Run, match: Match, tmp_path: Path) -> None:
    """In the same bytes: SVG on the screen, PNG in a file; the words are those of the report."""
    with match.service.reading() as session:
        picture = session.get(Picture, match.reports(0)[-1].picture)
    assert picture is not None
    assert "moves of the last round" in picture.svg
    assert run("board", match.code, "--svg").stdout == picture.svg + "\n"
    assert run("board", match.code, "--png", str(tmp_path / "board.png")).exit_code == 0
    assert (tmp_path / "board.png").read_bytes() == picture.png
    assert Image.open(io.BytesIO(picture.png)).format == "PNG"
    shown = run("board", match.code, "--text").stdout
    assert run("board", match.code).stdout == shown
    assert shown.startswith("The deep end, turn 1: Market and workshop\n")
    _, heading, moves = shown.partition("Moves of the last round\n")
    assert heading
    assert sorted(moves.splitlines()) == [f"  {side} c3 moves from entrance 3 to A5." for side in SIDES]
    letter = match.letters(2)[-1].text
    for line in shown.splitlines()[2:]:
        assert " ".join(line.split()) in " ".join(letter.split())


def test_the_board_shows_moves_until_the_next_act_of_the_stage(match: Match) -> None:
    """Once the market has begun to act, the picture is of that stage, where nothing has moved."""
    for seat in range(4):
        match.say(seat, "pass market\npass workshop\nbid nothing\nready")
    match.settle()
    assert match.game.stage_key == "2-drilling"
    shown = public_board(match.service, match.code, WORDS)
    assert "Moves of the last round" not in shown.lines
    assert (shown.turn, shown.stage) == (2, "Insurance and drilling")


def test_the_board_knows_nothing_that_is_hidden(run: Run, match: Match) -> None:
    """Neither money nor cubes of anyone, which stand in reports alone."""
    for form in ("--text", "--svg"):
        shown = run("board", match.code, form).stdout
        assert "$" not in shown
        assert "insurance" not in shown.lower()


def test_what_can_not_be_shown_is_said(run: Run, database: Database, match: Match, tmp_path: Path) -> None:
    """An unknown game, one that has not begun, one without a picture, a file that can't be written."""
    assert "no game" in run("board", "nosuch").output.lower()
    service = service_on(database)
    assert run("board", created(service).code).exit_code == 1
    tiny = begun(service).code
    assert run("board", tiny).exit_code == 0
    assert "This game has no picture" in run("board", tiny, "--svg").output
    assert "This game has no picture" in run("board", tiny, "--png", str(tmp_path / "a.png")).output
    assert run("board", match.code, "--png", str(tmp_path / "nowhere" / "a.png")).exit_code == 1
