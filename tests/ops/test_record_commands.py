"""A game's record through the command line and the page: written, checked, refused in words."""

import json
import re
from io import BytesIO
from pathlib import Path

import pytest
from tinygame.changing import Lives

from pbem.accounts import create_account
from pbem.records.checking import check_record
from pbem.records.shape import Sealed
from pbem.records.writing import record
from pbem.rulings.authority import CHANGED
from pbem.storage.sessions import Database
from tests.journals.playing import KEPT
from tests.ops.test_cli import Run
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.records.forging import SEALS, Playing, game_of, lines_of
from tests.pbem.records.test_records import over
from tests.pbem.records.test_seals import exchange
from tests.pbem.web.visiting import Visit, app_on, forms


def test_record_is_written_and_checked_without_the_service(run: Run, database: Database, tmp_path: Path) -> None:
    """Sound with a head, sound in itself without one, and not with another's head; a changed line is named."""
    match = over(begun(service_on(database), "tinygame", 2))
    file = tmp_path / "game.jsonl"
    said = run("game", "export", match.code, str(file))
    assert said.exit_code == 0, said.output
    head = match.game.head.hex()
    checked = json.loads(run("verify", str(file), "--head", head[:16], "--json").stdout)
    assert (checked["head"], checked["head_checked"]) == (head, True)
    assert "Sound" in run("verify", str(file), "--head", head).stdout
    alone = run("verify", str(file))
    assert alone.exit_code == 0
    assert "is shown by --head alone" in alone.stdout
    other = run("verify", str(file), "--head", "00ff00ff")
    assert other.exit_code == 1
    assert "no report with the head" in other.output
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:2], lines[2].replace(b'"number":2', b'"number":3'), *lines[3:]]))
    damaged = run("verify", str(file))
    assert damaged.exit_code == 1
    assert f"{file}:3:" in damaged.output
    assert json.loads(run("verify", str(file), "--json").stdout)["line"] == 3


def test_record_of_a_running_game_is_refused(run: Run, database: Database, tmp_path: Path) -> None:
    """With the reason, and no file is begun."""
    match = begun(service_on(database), "tinygame", 2)
    said = run("game", "export", match.code, str(tmp_path / "game.jsonl"))
    assert said.exit_code == 1
    assert "when the game is over" in said.output
    assert not (tmp_path / "game.jsonl").exists()
    missing = run("verify", str(tmp_path / "game.jsonl"))
    assert missing.exit_code == 1
    assert "No such file" in missing.output


@pytest.mark.parametrize("option", ["--head", "--seal", "--secret-seal"])
@pytest.mark.parametrize("none", ["ab", ""])
def test_what_is_no_head_and_no_seal_is_refused(run: Run, tmp_path: Path, option: str, none: str) -> None:
    """Before the file is looked at: two letters fit many heads, and a variable that was never set fits all."""
    (tmp_path / "game.jsonl").write_bytes(b"x")
    said = run("verify", str(tmp_path / "game.jsonl"), option, none)
    assert said.exit_code == 2
    assert "at least eight" in said.output


def test_player_sees_what_became_of_a_seal(run: Run, database: Database, tmp_path: Path) -> None:
    """Its orders and where they were used; one that the record does not open is missed, and what is none refused."""
    match = begun(service_on(database), "tinygame", 2, pace="brisk")
    acknowledgement = match.say(0, "bid 6 or 5 or 4 or 3 or 2 or 1").acknowledgement
    assert acknowledgement is not None
    match.pass_deadline()
    file = tmp_path / "game.jsonl"
    file.write_bytes(record(over(match).service, match.code))
    known = "--seal", acknowledgement.seal
    shown = run("verify", str(file), *known, "--head", match.game.head.hex())
    assert shown.exit_code == 0, shown.output
    assert "bid 6 or 5 or 4 or 3 or 2 or 1" in shown.output
    (sheet,) = json.loads(run("verify", str(file), *known, "--json").stdout)["sheets"]
    assert (sheet["side"], sheet["orders"], sheet["used"]) == ("red", ["bid 6 or 5 or 4 or 3 or 2 or 1"], [2])
    assert sheet["played"] == [[2, "bid 6 or 5 or 4 or 3 or 2 or 1"]]
    assert "2: bid 6 or 5 or 4 or 3 or 2 or 1" in shown.output
    missed = run("verify", str(file), *known, "--seal", "00ff00ff")
    assert missed.exit_code == 1
    assert "opens no sheet with the seal" in missed.output
    refused = run("verify", str(file), "--seal", "ab")
    assert refused.exit_code == 2
    assert "at least eight" in refused.output


def test_changes_by_hand_are_counted_and_named(run: Run, tmp_path: Path) -> None:
    """By their entries, for each player to compare with the reports; one that is called another act is refused."""
    file = tmp_path / "game.jsonl"
    game = Playing(lines_of(SEALS))
    file.write_bytes(game.record())
    assert re.search(r"^changed by hand +0$", run("verify", str(file)).stdout, re.MULTILINE)
    for act in (CHANGED, "deadline_extended"):
        game = Playing(lines_of(SEALS))
        game.play(3)
        for lives in (8, 9):
            game.change(act, Lives(game.table.state.living()[0], lives))
        file.write_bytes(game.record())
        said = run("verify", str(file))
        if act == CHANGED:
            assert re.search(r"^changed by hand +2$", said.stdout, re.MULTILINE)
            assert "changed by hand at the entries 5, 6:" in said.stdout
            assert json.loads(run("verify", str(file), "--json").stdout)["changed"] == [5, 6]
        else:
            assert said.exit_code == 1
            assert "entry 5 changed the position by hand, and says that it did something else" in said.output


def test_secret_is_compared_with_that_of_the_invitation(run: Run, tmp_path: Path) -> None:
    """It is shown with the players' words, compared where it is given, and told from a head."""
    file = str(SEALS)
    secret_seal = game_of(lines_of(SEALS)).secret_hash
    alone = run("verify", file).stdout
    assert secret_seal in alone
    assert re.search(r"^red +ann +10 +2 +0$", alone, re.MULTILINE)
    assert "is shown by --secret-seal alone" in alone
    compared = run("verify", file, "--secret-seal", secret_seal)
    assert compared.exit_code == 0
    assert "Its secret is the one of that seal" in compared.stdout
    assert json.loads(run("verify", file, "--secret-seal", secret_seal, "--json").stdout)["secret_hash_checked"]
    other = run("verify", file, "--secret-seal", "00ff00ff")
    assert other.exit_code == 1
    assert "is not the one that was given" in other.output
    for option in ("--head", "--seal"):
        mistaken = run("verify", file, option, secret_seal)
        assert mistaken.exit_code == 1
        assert "give it with --secret-seal" in mistaken.output
    assert run("verify", file, "--secret-seal", "ab").exit_code == 2


def test_service_finds_a_sheet_that_was_exchanged(run: Run, database: Database) -> None:
    """`pbem game verify` looks at the sheets that were sealed as well, and says so in words."""
    match = begun(service_on(database), "tinygame", 2, pace="brisk")
    match.say(0, "bid 6 or 5")
    match.say(1, "bid 1 or 2")
    exchange(match, lambda mine, other: setattr(mine, "sheet", other.sheet))
    match.pass_deadline()
    said = run("game", "verify", match.code)
    assert said.exit_code == 1
    assert "not the one that is kept" in said.output


def test_what_a_record_of_an_earlier_release_does_not_show_is_said(run: Run) -> None:
    """Its journal has no seals in it: nobody is accused of it."""
    said = run("verify", str(KEPT / "tinygame" / "1" / "two.jsonl"))
    assert said.exit_code == 0
    assert "decisions have no seals in the journal" in said.output
    sealed = next(line for line in lines_of(KEPT / "tinygame" / "1" / "two.jsonl") if isinstance(line, Sealed))
    shown = run("verify", str(KEPT / "tinygame" / "1" / "two.jsonl"), "--seal", sealed.seal)
    assert shown.exit_code == 0
    assert "no sign that it was exchanged" in shown.output
    missed = run("verify", str(KEPT / "tinygame" / "1" / "two.jsonl"), "--seal", "00ff00ff")
    assert missed.exit_code == 1
    assert "this shows nothing" in missed.output


def test_player_gets_the_record_from_the_page(database: Database, tmp_path: Path, run: Run) -> None:
    """Once the game is over; before, the page says when there will be one."""
    match = begun(service_on(database), "tinygame", 2)
    visit = Visit(app_on(match.service), match.service, "ann@players.example")
    assert "it is here when the game is over" in visit.get(f"/games/{match.code}/record")
    over(match)
    assert f"/games/{match.code}/record" in visit.get(f"/games/{match.code}/table")
    file = tmp_path / "mine.jsonl"
    file.write_text(visit.get(f"/games/{match.code}/record"), encoding="utf-8")
    assert run("verify", str(file), "--head", match.game.head.hex()).exit_code == 0


def test_game_goes_to_another_house(run: Run, database: Database, tmp_path: Path) -> None:
    """Written whole with a reason, imported with a guest who is asked, named by line where the file is damaged."""
    match = begun(service_on(database), "tinygame", 2)
    file = tmp_path / "game.jsonl"
    assert "A ruling needs a reason" in run("game", "export", match.code, str(file), "--whole").output
    assert not file.exists()
    assert run("game", "export", match.code, str(file), "--whole", "--reason", "we move").exit_code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    told = len(match.letters())
    assert "already" in run("game", "export", match.code, str(file), "--whole", "--reason", "again").stderr
    assert len(match.letters()) == told
    assert "keep it from its players" in run("verify", str(file)).output
    said = run("game", "import", str(file), "--seat", "red=Eve=eve@players.example", "--reason", "we move", "--json")
    assert said.exit_code == 0, said.output
    code = json.loads(said.stdout)["code"]
    assert code != match.code
    assert json.loads(run("game", "show", code, "--json").stdout)["held"] == "paused"
    there = Match(match.service, code)
    assert [letter.recipient for letter in there.letters(kind="offer")] == ["eve@players.example"]
    assert run("game", "verify", code).exit_code == 0
    file.write_bytes(file.read_bytes().replace(b'"waiting":[', b'"waiting":[9,', 1))
    damaged = run("game", "import", str(file))
    assert damaged.exit_code == 1
    assert "does not fit the journal" in damaged.output
    assert "unreadable" not in run("game", "import", str(file), "--seat", "red").output


def test_moderator_of_the_site_imports_by_page(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file goes up whole, however long a form may be; who does not moderate the site finds no such page."""
    service = service_on(database)
    match = over(begun(service, "tinygame", 2))
    content = record(service, match.code)
    create_account(service, "site@players.example", "Sia", moderator=True)
    app = app_on(service)
    visit = Visit(app, service, "site@players.example")
    assert "/import" in visit.get("/")
    visit.get("/import")
    page = visit.send("/import", file=(BytesIO(content), "game.jsonl"), players="red=Ann=ann@players.example")
    assert "made from its record" in page
    mine = Visit(app, service, "ann@players.example")
    code = next(each for each in re.findall(r"/games/([a-z]+)", mine.get("/")) if each != match.code)
    for path in ("", "/table", "/reports", "/messages"):
        mine.get(f"/games/{code}{path}")
    assert mine.get(f"/games/{code}/record").replace(code, match.code, 1)[:20] == content.decode()[:20]
    visit.get("/import")
    assert "Line 1 of the file" in visit.send("/import", 409, file=(BytesIO(b"x\n"), "x"))
    visit.get("/import")
    assert "does not say who" in visit.send("/import", 409, file=(BytesIO(content), "x"), players="red")
    for field, text in (("players", f"red=ann@players.example{' ' * 5000}"), ("reason", "x" * 501)):
        visit.get("/import")
        assert "it has at most 500" in visit.send("/import", 409, file=(BytesIO(content), "x"), **{field: text}) or (
            "it may have 5000 there" in visit.page
        )
    visit.get("/import")
    assert "Line 1 of the file" in visit.send("/import", 409, file=(BytesIO(b"x" * 200_000), "x"))
    visit.get("/import")
    monkeypatch.setattr("pbem.web.importing.MOST_BYTES", 150_000)
    visit.send("/import", 413, file=(BytesIO(b"x" * 200_000), "x"))
    mine.get("/import", 404)
    mine.get("/")
    mine.post("/import", 413, file=(BytesIO(b"x" * 200_000), "x"))


def test_game_that_is_over_is_put_away_and_kept(run: Run, database: Database, tmp_path: Path) -> None:
    """It leaves the lists of command line and page, stands in the archive, can be exported, and comes back."""
    match = begun(service_on(database), "tinygame", 2, moderator="mo@players.example", title="The long winter")
    app = app_on(match.service)
    refused = run("game", "archive", match.code)
    assert refused.exit_code == 1
    assert "playing" in refused.output
    over(match)
    ann, mo = (Visit(app, match.service, f"{name}@players.example") for name in ("ann", "mo"))
    assert "The long winter" in ann.get("/")
    assert "/archive" not in ann.page
    ann.post(f"/games/{match.code}/archive", 400)
    mo.get(f"/games/{match.code}/desk")
    assert "It is kept" in mo.send(f"/games/{match.code}/archive", act="archive")
    assert json.loads(run("game", "list", "--json").stdout) == []
    assert json.loads(run("game", "list", "--archived", "--json").stdout)[0]["code"] == match.code
    for visit in (ann, mo):
        assert "The long winter" not in visit.get("/")
        assert "The long winter" in visit.get("/archive")
    ann.get(f"/games/{match.code}")
    assert mo.get(f"/games/{match.code}/desk-record").encode() == record(match.service, match.code)
    assert run("game", "export", match.code, str(tmp_path / "kept.jsonl")).exit_code == 0
    assert "not_moderator" not in run("game", "archive", match.code, "--as", "ann@players.example").output
    assert run("game", "archive", match.code, "--as", "ann@players.example", "--restore").exit_code == 1
    assert run("game", "archive", match.code, "--restore").exit_code == 0
    assert "The long winter" in ann.get("/")


def test_moderator_takes_the_whole_game_from_the_desk(database: Database) -> None:
    """With a reason that all are told; a player who is no moderator finds nothing there."""
    match = begun(service_on(database), "tinygame", 2, moderator="mo@players.example")
    app = app_on(match.service)
    mo = Visit(app, match.service, "mo@players.example")
    mo.get(f"/games/{match.code}/desk")
    content = mo.send(f"/games/{match.code}/desk-export", reason="we move").encode()
    assert check_record(content, match.game.head.hex()).goes_on
    assert len(match.letters(kind="looked")) == 2
    ann = Visit(app, match.service, "ann@players.example")
    ann.get(f"/games/{match.code}/desk-record", 404)
    ann.get("/account")
    form = next(form for form in forms(ann.page) if "csrf_token" in form.fields)
    ann.post(f"/games/{match.code}/desk-export", 404, csrf_token=form.fields["csrf_token"], reason="x", seen="1/1")
    ann.post(f"/games/{match.code}/archive", 404, csrf_token=form.fields["csrf_token"])
