"""Templates of games: shipped ones are sound, wrong ones are told fault by fault, and games are made from them."""

from pathlib import Path

import pytest
from sqlmodel import select

from pbem.accounts import create_account
from pbem.errors import Refused
from pbem.games.lifecycle import create_game
from pbem.games.policy import policy_of
from pbem.gametemplates import KINDS, SHIPPED, BadTemplate, names, read_template, said
from pbem.storage.models import Game
from pbem.storage.sessions import Database
from pbem.words import Words
from tests.pbem.playing import Match, service_on
from tests.pbem.web.visiting import Visit, app_on, letters_to

MODERATOR = "mod@players.example"


def own(folder: Path, text: str, name: str = "mine") -> None:
    """A template of the service's own."""
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("file", sorted(SHIPPED.glob("*.toml")), ids=lambda file: file.stem)
def test_a_shipped_template_makes_a_game(database: Database, file: Path) -> None:
    """As it stands, with all seats open."""
    service = service_on(database)
    match = Match(service, create_game(service, read_template(service.settings, file.stem).plan))
    assert all(seat.account_id is None for seat in match.seats)
    assert match.game.seating


def test_there_are_two_shipped_templates_and_own_ones_go_before(database: Database, tmp_path: Path) -> None:
    """A file of the same name in the service's folder is the one that counts."""
    settings = service_on(database, game_templates=tmp_path).settings
    assert list(names(settings)) == ["masked-brass-empire", "open-rockwell"]
    own(tmp_path, 'rules = "tinygame"\nseats = 3', "open-rockwell")
    assert read_template(settings, "open-rockwell").plan.rules == "tinygame"
    with pytest.raises(Refused, match="no_template"):
        read_template(settings, "nothing")


WRONG = """\
rules = "rockwell"
seats = 3
pace = "hasty"
hours = 0
listed = true
colour = "red"
title = 7

[standins]
white = "steady"
green = "clever"

[options]
turns = 9

[policy]
nmr = "wait"
extensions = 99
"""


def test_all_that_is_wrong_is_told_with_its_line(database: Database, tmp_path: Path) -> None:
    """One sentence each, and every setting that is right is passed over."""
    settings = service_on(database, game_templates=tmp_path).settings
    own(tmp_path, WRONG)
    with pytest.raises(BadTemplate) as bad:
        read_template(settings, "mine")
    told = [(each.line, each.place, each.why.code) for each in bad.value.wrong]
    assert told == [
        (3, "pace", "bad_pace"),
        (4, "hours", "bad_time"),
        (5, "listed", "not_open"),
        (6, "colour", "template_key"),
        (7, "title", "template_text"),
        (10, "standins.white", "bad_side"),
        (11, "standins.green", "unknown_level"),
        (14, "options.turns", "unknown_option"),
        (18, "policy.extensions", "policy_value"),
    ]
    sentences = said(bad.value, Words.of("en"))
    assert sentences[3].startswith(f"{tmp_path}/mine.toml, line 6, colour: A template has no such setting")
    assert all(name in sentences[3] for name in KINDS)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ["template_needs", "template_needs"]),
        ('rules = "chess"\nseats = 3', ["unknown_rules"]),
        ('rules = "tinygame"\nseats = 3.0', ["template_whole"]),
        ('rules = "tinygame"\nseats = 99', ["bad_seats"]),
        ('rules = "tinygame"\nseats = 3\nlisted = "yes"\npolicy = 3', ["template_switch", "template_table"]),
        ('rules = "tinygame"\nseats = 3\nhours = "many"', ["template_number"]),
        (f'rules = "tinygame"\nseats = 3\ntitle = "{"a" * 101}"', ["long_title"]),
        ('rules = "rockwell"\nseats = 3\ncomponents = "nobox.toml"', ["file_unread"]),
        ('rules = "tinygame"\nseats = 3\nseating = "lottery"\nabsence = "never"', ["bad_seating", "bad_absence"]),
    ],
)
def test_what_is_not_as_it_should_be_is_named(database: Database, tmp_path: Path, text: str, codes: list[str]) -> None:
    """Whatever it is: a file never makes half a game."""
    settings = service_on(database, game_templates=tmp_path).settings
    own(tmp_path, text)
    with pytest.raises(BadTemplate) as bad:
        read_template(settings, "mine")
    assert sorted(each.why.code for each in bad.value.wrong) == sorted(codes)
    assert all(said(bad.value, Words.of("en")))


def test_what_is_no_toml_is_refused(database: Database, tmp_path: Path) -> None:
    """With the file's name."""
    settings = service_on(database, game_templates=tmp_path).settings
    own(tmp_path, "rules = ")
    with pytest.raises(Refused, match="file_form"):
        read_template(settings, "mine")


def test_a_game_is_made_from_a_template_on_the_page(database: Database, tmp_path: Path) -> None:
    """By a moderator of the site: guests are invited, the other seats are open, and it is theirs to lead."""
    service = service_on(database, game_templates=tmp_path)
    own(tmp_path, 'rules = "tinygame"\nseats = 3\nseating = "choice"\nlisted = true\n[policy]\nextensions = 2')
    own(tmp_path, "seats = 3", "bad")
    create_account(service, MODERATOR, "Mo", moderator=True)
    visit = Visit(app_on(service), service, MODERATOR)
    assert "/new" in visit.get("/")
    visit.get("/new")
    form = visit.page
    assert "rules is missing" in visit.send("/new", 409, template="bad")
    visit.page = form
    visit.send("/new", 409, template="mine", players="a@players.example\nb@x.example\nc@x.example\nd@x.example")
    for wrong, said_why in (
        ({"title": "x" * 101}, "it may have 100 there"),
        ({"players": "a@players.example\n" * 300}, "it may have 5000 there"),
        ({"players": "a@players.example\na@players.example"}, "each address has one"),
    ):
        visit.page = form
        assert said_why in visit.send(
            "/new", 409, template="mine", **{"title": "My long title", "players": "", **wrong}
        )
        assert "My long title" in visit.page or "x" * 101 in visit.page
    with service.reading() as session:
        assert session.exec(select(Game)).all() == []
    visit.page = form
    players = "Ann=ann@players.example\n\nben@players.example\n"
    shown = visit.send("/new", template="mine", title="The long winter", players=players)
    assert "The long winter" in shown
    assert "You lead it" in shown
    assert len(letters_to(service, "ann@players.example", "invitation")) == 1
    match = Match(service, next(iter(letters_to(service, MODERATOR, "leading"))).key.split("/")[1])
    assert [seat.account_id is None for seat in match.seats] == [False, False, True]
    assert policy_of(match.game).extensions == 2
    player = Visit(app_on(service), service, "ann@players.example")
    player.get("/new", 404)
    assert "/new" not in player.get("/")
