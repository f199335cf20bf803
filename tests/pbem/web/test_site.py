"""The page of the site's moderators: every game that is not over, the most urgent first, and nothing hidden."""

import json
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from click.testing import CliRunner
from sqlmodel import col, update

from pbem import clock
from pbem.accounts import create_account
from pbem.cli import main
from pbem.settings import settings
from pbem.site.overview import URGENCY, overview
from pbem.storage.models import Game, Inbound, Letter, Seat
from pbem.storage.sessions import Database
from pbem.words import Words
from tests.pbem.games.test_play import BIDS
from tests.pbem.playing import Match, begun, created, service_on
from tests.pbem.web.visiting import Visit, app_on

MODERATOR = "site@players.example"
PLAN = {"pace": "brisk", "stage_hours": 24, "policy": {"ask_share": "100", "pause_after": "0"}}


def change(match: Match, model: type[Game] | type[Seat] | type[Letter], *where: object, **values: object) -> None:
    """Put the rows of a game into a state that would take days to come about."""
    of_game = col(model.id) if model is Game else col(model.game_id)  # type: ignore[union-attr]
    with match.service.writing() as session:
        session.execute(update(model).where(of_game == match.id, *where).values(**values))  # type: ignore[arg-type]


def aside(match: Match) -> None:
    """The service gave up on it."""
    change(match, Game, aside=True, problem="failed")


def asked(match: Match) -> None:
    """Too many are silent."""
    change(match, Game, held="asked", held_since=clock.now(), deadline=None)


def overdue(match: Match) -> None:
    """Play has not gone on."""
    change(match, Game, deadline=clock.now() - timedelta(hours=1))


def letters(match: Match) -> None:
    """A report came back."""
    letter = match.letters(0, "report")[-1]
    change(match, Letter, col(Letter.id) == letter.id, fate="bounced", problem="hard 5.1.1 no such user")


def opened(match: Match) -> None:
    """A player is gone."""
    change(match, Seat, col(Seat.number) == 1, resigned=clock.now())


def silent(match: Match) -> None:
    """A player has sent nothing twice."""
    change(match, Seat, col(Seat.number) == 2, missed=2)


def held(match: Match) -> None:
    """A moderator paused it."""
    change(match, Game, held="paused", held_since=clock.now(), deadline=None)


MADE: dict[str, Callable[[Match], None]] = {
    "aside": aside,
    "asked": asked,
    "overdue": overdue,
    "letters": letters,
    "open": opened,
    "silent": silent,
    "held": held,
    "waiting": lambda match: None,
    "settling": lambda match: change(match, Game, waiting=""),
}


def site(database: Database) -> dict[str, Match]:
    """A game in each state, made in another order than that of urgency."""
    service = service_on(database)
    matches = {name: begun(service, title=f"Game {name}", **PLAN) for name in sorted(MADE)}  # type: ignore[arg-type]
    matches["gathering"] = created(service, title="Game gathering")
    for name, make in MADE.items():
        make(matches[name])
    return matches


def test_games_stand_in_the_order_of_urgency_with_links_to_their_desks(database: Database) -> None:
    """Each state of the list; who is waited for since when; what is in trouble; over games are not there."""
    change(begun(service_on(database), title="Game over"), Game, status="over")
    matches = site(database)
    create_account(matches["waiting"].service, MODERATOR, moderator=True)
    visit = Visit(app_on(matches["waiting"].service), matches["waiting"].service, MODERATOR)
    assert 'href="/site"' in visit.get("/")
    shown = visit.get("/site")
    assert re.findall(r"Game (\w+)</a>", shown) == list(URGENCY)
    assert all(f'href="/games/{match.code}/desk"' in shown for match in matches.values())
    for said in ("no orders in 2 stages in a row", "Green: no player", "Red: letters come back", "no such user"):
        assert said in shown
    assert "Red (Ann) is waited for since" in shown
    assert "players.example" not in shown
    visit.get(f"/games/{matches['aside'].code}/desk")


def test_a_seat_is_waited_for_since_it_was_asked(database: Database) -> None:
    """Who has answered is not in the list; a later stage counts from its own opening."""
    match = begun(service_on(database), **PLAN)  # type: ignore[arg-type]
    match.pass_deadline()
    match.say(1, BIDS)
    with match.service.reading() as session:
        (row,) = overview(session, Words.of("en")).games
    assert [each.side for each in row.waited] == ["Red", "Blue"]
    assert [each.since for each in row.waited] == [match.reports(seat)[-1].at for seat in (0, 2)]
    assert row.urgency == "silent"


def test_the_page_is_for_moderators_of_the_site_alone(database: Database) -> None:
    """Neither a player nor who moderates one game finds it."""
    match = begun(service_on(database), moderator="mod@players.example")
    for address in ("ann@players.example", "mod@players.example"):
        visit = Visit(app_on(match.service), match.service, address)
        assert 'href="/site"' not in visit.get("/")
        visit.get("/site", 404)


def test_nothing_hidden_is_on_the_page(database: Database) -> None:
    """What players have sent changes who is waited for, and nothing else."""
    match = begun(service_on(database), **PLAN)  # type: ignore[arg-type]
    create_account(match.service, MODERATOR, moderator=True)
    match.say(1, BIDS + "\nnot ready")
    visit = Visit(app_on(match.service), match.service, MODERATOR)
    assert BIDS not in visit.get("/site")


def test_what_failed_before_the_present_stage_is_overtaken(database: Database) -> None:
    """A letter of a stage that has closed is no trouble of this one."""
    match = begun(service_on(database), **PLAN)  # type: ignore[arg-type]
    letters(match)
    match.pass_deadline()
    with match.service.reading() as session:
        (row,) = overview(session, Words.of("en")).games
    assert row.letters == ()


def test_mails_and_letters_that_belong_to_no_game_are_shown_too(database: Database) -> None:
    """A mail that was set aside, a link to sign in that came back; not what one says."""
    match = begun(service_on(database), **PLAN)  # type: ignore[arg-type]
    create_account(match.service, MODERATOR, moderator=True)
    visit = Visit(app_on(match.service), match.service, MODERATOR)
    mail = Inbound(raw=b"bid 12", digest=b"x", received=clock.now(), next_try=clock.now(), status="aside")
    with match.service.writing() as session:
        session.add(mail)
        session.execute(update(Letter).where(col(Letter.kind) == "signin").values(fate="failed", problem="550 no"))
    shown = visit.get("/site")
    assert "Mails that were set aside" in shown
    assert "(signin)" in shown
    assert "bid 12" not in shown


def test_the_command_line_says_the_same(database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pbem site games`, for people and for programs."""
    site(database)
    monkeypatch.setenv("PBEM_DATABASE_URL", database_url)
    settings.cache_clear()
    monkeypatch.setattr("pbem.keys.load", lambda path: (b"k" * 32,))
    made = CliRunner().invoke(main, ["site", "games", "--json"], prog_name="pbem")
    assert made.exit_code == 0, made.output
    found = json.loads(made.stdout)
    assert [row["urgency"] for row in found["games"]] == list(URGENCY)
    (row,) = [row for row in found["games"] if row["urgency"] == "silent"]
    assert row["troubles"] == [{"side": "Blue", "what": "silent", "missed": 2}]
    plain = CliRunner().invoke(main, ["site", "games"], prog_name="pbem").stdout
    assert "Blue silent 2" in plain
    assert "Red report bounced" in plain


def test_an_anonymous_game_is_one_for_its_moderators_who_play_too(database: Database) -> None:
    """Neither the page of the site, nor the desk, nor an account's page says who plays which side."""
    match = begun(service_on(database), anonymous=True, title="Masks", **PLAN)  # type: ignore[arg-type]
    number = create_account(match.service, "cleo@players.example", moderator=True)
    visit = Visit(app_on(match.service), match.service, "cleo@players.example")
    paths = ["/site", f"/games/{match.code}/desk", *(f"/site/people/{each}" for each in range(1, number))]
    shown = [visit.get(path) for path in paths]
    assert "Masks" in shown[-1]
    assert "Red is waited for" in shown[0]
    for page in shown[:2]:
        assert not [name for name in ("Ann", "Ben") if name in page]
    for page in shown[2:]:
        assert not [side for side in ("Red", "Green") if side in page]
    create_account(match.service, MODERATOR, moderator=True)
    assert "Ann" in Visit(app_on(match.service), match.service, MODERATOR).get(f"/games/{match.code}/desk")
