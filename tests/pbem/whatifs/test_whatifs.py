"""What-ifs: who may see all of a game plays a copy of it alone, and the game and everybody else know nothing of it."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlmodel import col, func, select

from engine.journal import decode
from engine.table import Answered
from pbem import clock
from pbem.accounts import account_of, create_account
from pbem.cli import main
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.lifecycle import Guest
from pbem.games.rules import rules_of
from pbem.rulings.authority import Actor
from pbem.rulings.record import rulings_of
from pbem.rulings.seats import open_seat, replace_player
from pbem.settings import settings
from pbem.site.deleting import delete_account
from pbem.site.exporting import own_data
from pbem.storage.models import Game, Letter, Report, Submission, WhatIf, WhatIfMoment
from pbem.storage.sessions import Database
from pbem.whatifs.acting import let_play, opened, send_orders, step_back, take_default
from pbem.whatifs.copying import AGAIN, FRESH, copy_game
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.records.test_records import among_standins, over
from tests.pbem.web.visiting import Visit, app_on

ANN, MO = "ann@players.example", "mo@players.example"
WHY = Actor("a dispute", MO)


def number_of(service: Service, address: str) -> int:
    """The account of an address."""
    with service.reading() as session:
        account = account_of(session, address)
    assert account is not None
    assert account.id is not None
    return account.id


def rows_in(service: Service) -> list[int]:
    """How many rows there are of what a game of its own would have."""
    with service.reading() as session:
        return [
            session.exec(select(func.count()).select_from(table)).one() for table in (Game, Letter, Report, Submission)
        ]


def copied(match: Match, address: str = ANN, entry: int | None = None, chance: str = FRESH) -> str:
    """A what-if of a game that is over."""
    return copy_game(match.service, match.code, entry, chance, number_of(match.service, address), Actor("", address))


@pytest.fixture(params=["tinygame", "rockwell", "brass_empire"])
def ended(request: pytest.FixtureRequest, database: Database) -> Match:
    """A game of each kind that is over."""
    service = service_on(database)
    if request.param == "tinygame":
        return over(begun(service, "tinygame", 2))
    sides = {"rockwell": ("green", "purple"), "brass_empire": ("blue",)}
    return among_standins(service, request.param, sides[request.param])


def test_one_person_plays_all_sides_on_pages(ended: Match) -> None:
    """Copied from the game's page, played by stand-ins, defaults and orders; marked everywhere, told to nobody."""
    visit = Visit(app_on(ended.service), ended.service, ANN)
    before = rows_in(ended.service)
    visit.get(f"/games/{ended.code}/table")
    page = visit.send(f"/games/{ended.code}/what-if", entry="2")
    assert "Here is your what-if" in page
    code = re.search(r"/what-ifs/(\w+)/", page)
    assert code is not None
    root = f"/what-ifs/{code[1]}"
    for turn in range(12):
        page = visit.get(root)
        assert "Nothing here happens in the game" in page
        if "One side" in page or "(asked)" not in page:
            break
        asked = re.search(rf'action="({root}/\d+)" class="orders"', page)
        assert asked is not None
        for seat in range(len(ended.seats)):
            assert "This is a what-if" in visit.get(f"{root}/{seat}")
        visit.get(asked[1])
        example = re.search(r'class="line">([^<]+)</', visit.page)
        act = ("standin", "default", "send")[turn % 3]
        text = example[1] if example else "ready"
        visit.send(asked[1], act=act, level="random", text=text)
    visit.get(root)
    visit.send(f"{root}/back")
    assert "What if: " in visit.get("/what-ifs")
    assert rows_in(ended.service) == before
    assert ended.code in visit.get("/")
    assert code[1] not in visit.get("/")


def test_copy_of_an_ended_game_draws_what_it_would_have(ended: Match) -> None:
    """With `again` the choices of the game have the outcomes of the game; with a chance of its own they have others."""
    bound = rules_of(ended.game)
    entries = [decode(bound, row.entry) for row in ended.entries()]
    account = number_of(ended.service, ANN)
    start = next(each.number for each in entries if each.number > 1 and each.outcomes) - 1
    outcomes = {}
    for chance in (AGAIN, FRESH):
        code = copied(ended, entry=start, chance=chance)
        with ended.service.reading() as session:
            table = opened(session, code, account).stands.table
        made = []
        for entry in [each for each in entries if each.number > start and each.note is None][:12]:
            answers = {each.seat: Answered(each.choice, each.source) for each in entry.answers}
            try:
                made.append(table.decide(answers, entry.stage)[0])
            except Exception:
                assert chance == FRESH
                break
        outcomes[chance] = [(each.outcomes, each.digest) for each in made]
    real = [(each.outcomes, each.digest) for each in entries if each.number > start and each.note is None][:12]
    assert outcomes[AGAIN] == real
    assert outcomes[FRESH] != real


def test_a_game_that_goes_on_is_copied_by_its_moderator_alone(database: Database) -> None:
    """All players are told at once; who plays, and who is nobody there, gets nothing, whichever way they ask."""
    match = begun(service_on(database), moderator=MO, pace="brisk")
    service = match.service
    create_account(service, "eve@players.example", "Eve")
    create_account(service, "site@players.example", "Sia", moderator=True)
    for address, code in ((ANN, "plays_too"), ("eve@players.example", "not_for_you")):
        with pytest.raises(Refused) as refused:
            copy_game(service, match.code, 1, FRESH, number_of(service, address), Actor("curious", address))
        assert refused.value.code == code
    with pytest.raises(Refused) as refused:
        copy_game(service, match.code, 1, AGAIN, number_of(service, MO), WHY)
    assert refused.value.code == "not_over"
    with pytest.raises(Refused) as refused:
        copy_game(service, match.code, 1, FRESH, number_of(service, MO), Actor("", MO))
    assert refused.value.code == "no_reason"
    assert not match.letters(kind="looked")
    app = app_on(service)
    mo, ann = Visit(app, service, MO), Visit(app, service, ANN)
    mo.get(f"/games/{match.code}/desk")
    page = mo.send(f"/games/{match.code}/what-if", entry="1", reason="a dispute")
    assert len(match.letters(kind="looked")) == 3
    assert rulings_of(service, match.code)[-1].act == "copied"
    code = re.findall(r"/what-ifs/([a-z]{12})", page)[0]
    for path in ("", "/0", "/board.svg"):
        ann.get(f"/what-ifs/{code}{path}", 404)
    assert code not in ann.get("/what-ifs")
    assert '/what-if"' not in ann.get(f"/games/{match.code}/table")
    secret = match.game.secret
    with service.reading() as session:
        row = session.exec(select(WhatIf)).one()
        moments = session.exec(select(WhatIfMoment.moment)).all()
    assert row.secret != secret
    assert not any(secret in moment for moment in moments)
    open_seat(service, match.code, 2, Actor("gone"))
    with pytest.raises(Refused) as refused:
        replace_player(service, match.code, 2, Guest(MO), Actor("takes over"))
    assert refused.value.code == "knows_hidden"
    with service.writing() as session:  # as it was possible before: then the copy is gone
        seat = match.seats[2]
        seat.account_id, seat.joined, seat.resigned = number_of(service, MO), clock.now(), None
        session.merge(seat)
    mo.get(f"/what-ifs/{code}", 404)
    assert code not in mo.get("/what-ifs")


def test_each_act_can_be_taken_back_and_counts_once(database: Database) -> None:
    """What was written for how it stood before does nothing; before the first act there is nothing to take back."""
    match = over(begun(service_on(database), "tinygame", 2))
    service, account = match.service, number_of(match.service, ANN)
    code = copied(match, entry=1)

    def now() -> tuple[int, bytes]:
        with service.reading() as session:
            at = opened(session, code, account)
        return at.number, at.stands.table.snapshot()

    start = now()
    seat = 0
    with service.reading() as session:
        seat = opened(session, code, account).stands.awaited[0]
    take_default(service, code, account, seat, 0)
    after = now()
    assert after[0] == 1
    for act in (
        lambda: take_default(service, code, account, seat, 0),
        lambda: let_play(service, code, account, seat, "random", 0),
        lambda: send_orders(service, code, account, seat, "bid 1", "en", 0),
        lambda: step_back(service, code, account, 0),
    ):
        with pytest.raises(Refused, match="what_if_moved"):
            act()
    step_back(service, code, account, 1)
    assert now() == start
    with pytest.raises(Refused, match="what_if_begins"):
        step_back(service, code, account, 0)
    take_default(service, code, account, seat, 0)
    assert now() == after
    for wrong, problem in (("no_seat", 9), ("unknown_level", seat)):
        with pytest.raises(Refused, match=wrong):
            let_play(service, code, account, problem, "genius", 1)


def test_lines_that_can_not_be_used_are_answered_on_the_page(database: Database) -> None:
    """What is wrong, and what would be right; commands that reach others reach nobody."""
    match = over(begun(service_on(database), "tinygame", 2))
    visit = Visit(app_on(match.service), match.service, ANN)
    root = f"/what-ifs/{copied(match, entry=1)}"
    visit.get(root)
    before = rows_in(match.service)
    path = next(path for path in re.findall(rf"{root}/\d", visit.page))
    visit.get(path)
    page = visit.send(path, text="bid 9999\nbidd\nto all: hello\nresign\nabsent 3 Dec to 10 Dec", act="send")
    assert "nobody to tell that to" in page
    assert "resign" in page
    assert rows_in(match.service) == before


def test_what_ifs_are_limited_expire_and_go(database: Database) -> None:
    """At most as many as the settings say; gone after their time, when deleted, and with their account."""
    match = over(begun(service_on(database, what_ifs_each=2, what_if_days=3), "tinygame", 2))
    service = match.service

    def kept() -> list[int]:
        with service.reading() as session:
            return [session.exec(select(func.count()).select_from(each)).one() for each in (WhatIf, WhatIfMoment)]

    codes = [copied(match, entry=entry) for entry in (1, None)]
    with pytest.raises(Refused, match="too_many_what_ifs"):
        copied(match)
    for entry in (0, match.game.next_entry):
        with pytest.raises(Refused, match="no_such_entry"):
            copied(match, "ben@players.example", entry)
    visit = Visit(app_on(service), service, ANN)
    kept_of_ann = json.loads(own_data(service, number_of(service, ANN)))["what_ifs"]
    assert [(each["game"], each["entry"]) for each in kept_of_ann] == [
        (match.code, 1),
        (match.code, match.game.next_entry - 1),
    ]
    visit.get("/what-ifs")
    assert "is deleted" in visit.send(f"/what-ifs/{codes[0]}/delete")
    assert kept() == [1, 1]
    copied(match, "ben@players.example")
    clock.shift(timedelta(days=3, seconds=1))
    visit.get(f"/what-ifs/{codes[1]}", 404)
    copied(match)
    from pbem.sweep import sweep  # noqa: PLC0415

    sweep(service)
    assert kept() == [1, 1]
    create_account(service, "site@players.example", "Sia", moderator=True)
    delete_account(service, number_of(service, ANN), Actor("asked by letter", "site@players.example"))
    assert kept() == [0, 0]


def test_what_if_from_the_command_line(
    database: Database, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For an account, which finds it on its pages; who may not see the game is refused in words."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PBEM_DATABASE_URL", database_url)
    settings.cache_clear()
    runner = CliRunner()
    runner.invoke(main, ["migrate"])
    run: Callable[..., object] = lambda *words: runner.invoke(main, ["game", "copy", *words])  # noqa: E731
    match = begun(service_on(database), "tinygame", 2)
    refused = run(match.code, "--for", ANN, "--reason", "curious")
    assert "needs a moderator who does not" in refused.output  # type: ignore[attr-defined]
    over(match)
    said = run(match.code, "--entry", "2", "--for", ANN, "--chance", "again", "--json")
    made = json.loads(said.stdout)  # type: ignore[attr-defined]
    visit = Visit(app_on(match.service), match.service, ANN)
    assert "after entry 2" in visit.get(f"/what-ifs/{made['code']}")
    assert made["page"].endswith(f"/what-ifs/{made['code']}")
    assert "no entry 999" in run(match.code, "--entry", "999", "--for", ANN).output  # type: ignore[attr-defined]
    with database.reading() as session:
        assert session.exec(select(WhatIf).where(col(WhatIf.entry) == 2)).one().code == made["code"]
