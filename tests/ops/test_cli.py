import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text
from sqlmodel import col, select, update

from pbem import clock, refusals
from pbem.cli import main
from pbem.context import Service
from pbem.settings import Settings, settings
from pbem.storage.models import Game, Letter
from pbem.storage.sessions import Database
from tests.servers import free_port

ROOT = Path(__file__).parents[2]
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line on a fresh service."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PBEM_DATABASE_URL", database_url)
    settings.cache_clear()
    runner = CliRunner()

    def command(*words: str, given: str = "") -> Result:
        return runner.invoke(main, words, input=given, prog_name="pbem")

    assert command("migrate").exit_code == 0
    return command


def _json(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def code(run: Run) -> str:
    """A game among three whose players have joined, as a moderator sets it up."""
    players = [f"--player={name}={name}@players.example" for name in ("Ann", "Ben", "Cleo")]
    code = str(_json(run("game", "new", "tinygame", *players, "--settle=0", "--json"))["code"])
    assert "3" in run("game", "invite", code).stdout
    _join_all(code)
    assert run("sweep").exit_code == 0
    return code


def _join_all(code: str) -> None:
    from pbem.cli.opened import opened  # noqa: PLC0415
    from pbem.games.lifecycle import join  # noqa: PLC0415

    with opened() as service:
        with service.reading() as session:
            from pbem.games.position import game_row  # noqa: PLC0415

            number = game_row(session, code).id
        assert number is not None
        for seat in range(3):
            join(service, number, seat)


def commands(group: click.Group, *before: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with the words that call it."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, *before, name)
        yield (*before, name), command


def test_the_state_is_changed_after_before_and_after_were_shown(run: Run, code: str) -> None:
    """All are told of a look, but of none for a slip; without a word nothing is done, with `--yes` nothing is asked."""
    words = ("game", "change", code, "--change=lives red 7", "--change=lives ben 1", "--reason=a slip")
    assert "Line 2: “ben 1” can't stand there; this can: red, green, blue." in run(*words).output
    words = ("game", "change", code, "--change=lives red 7", "--change=lives green 1", "--reason=a slip")
    shown = run(*words, given="n\n")
    assert shown.exit_code == 1
    for line in ("Red is given 7 lives by the moderator.", "For all to see:", "  - Red: lives 2", "  + Red: lives 7"):
        assert line in shown.output
    assert [each["act"] for each in _json(run("game", "rulings", code, "--json"))] == ["looked"]
    done = run(*words, given="y\n")
    assert f"{code}: The state is changed." in done.output
    again = _json(run("game", "change", code, "--change=lives red 2", "--reason=back", "--yes", "--json"))
    assert again["lines"] == ["lives red 2"]
    assert again["told"] == ["Red is given 2 lives by the moderator."]
    assert "Red: lives 7" in again["differs"][0][1][0]
    acts = [each["act"] for each in _json(run("game", "rulings", code, "--json"))]
    assert acts == ["looked"] * 2 + ["state_changed", "looked", "state_changed"]
    assert "sound" in run("game", "verify", code).output


def test_every_command_explains_itself(run: Run) -> None:
    """Each has a help text, and so has each of its options."""
    for words, command in commands(main):
        assert command.help, words
        assert all(option.help for option in command.params if isinstance(option, click.Option)), words
        assert run(*words, "--help").exit_code == 0


def test_a_command_imports_only_what_it_needs() -> None:
    """Each is found by its name alone; who hands over a mail does not wait for calendars, migrations or DNS."""
    assert [name for name, command in main.commands.items() if command.name != name] == []
    code = "import sys, pbem.cli.ingesting, pbem.cli.listening; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "pbem.mail.intake" in loaded
    rarely = {"alembic", "dns", "icalendar", "imap_tools", "PIL", "pbem.cli.game", "pbem.games.advance", "psycopg"}
    assert rarely.isdisjoint(loaded)
    code = "import sys, pbem.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"sqlalchemy", "redis", "kombu"}.isdisjoint(loaded)


@pytest.mark.parametrize("words", [(), ("game",), ("account",), ("components",)])
def test_lists_of_commands_cut_nothing(run: Run, words: tuple[str, ...]) -> None:
    """Every command's whole help text stands in its group's list."""
    group: click.Command = main
    for word in words:
        assert isinstance(group, click.Group)
        group = group.commands[word]
    assert isinstance(group, click.Group)
    shown = " ".join(run(*words, "--help").output.split())
    assert [name for name, command in group.commands.items() if " ".join(str(command.help).split()) not in shown] == []


def test_a_game_is_listed_as_a_table_and_as_json(run: Run, code: str) -> None:
    """What a table shows is in the JSON too."""
    (row,) = _json(run("game", "list", "--json"))
    assert (row["code"], row["rules"], row["status"]) == (code, "tinygame", "playing")
    assert code in run("game", "list").stdout
    shown = _json(run("game", "show", code, "--json"))
    assert [seat["address"] for seat in shown["seats"]] == [
        f"{name}@players.example" for name in ("ann", "ben", "cleo")
    ]
    assert "hidden" not in shown
    assert "ben@players.example" in run("game", "show", code).stdout


def test_a_seat_that_is_ready_is_not_named_as_waited_for(run: Run) -> None:
    """At the brisk pace all are asked at once: those are waited for that have not answered."""
    players = [f"--player={name}={name}@players.example" for name in ("Ann", "Ben", "Cleo")]
    code = _json(run("game", "new", "tinygame", *players, "--pace=brisk", "--json"))["code"]
    run("game", "invite", code)
    _join_all(code)
    run("sweep")
    assert run("game", "orders", code, "green", "--line=ready", "--reason=by phone").exit_code == 0
    (row,) = _json(run("game", "list", "--json"))
    shown = _json(run("game", "show", code, "--json"))
    assert row["waiting"] == shown["waiting"] == ["red", "blue"]
    for seat in ("red", "blue"):
        run("game", "orders", code, seat, "--line=ready", "--reason=by phone")
    assert _json(run("game", "show", code, "--json"))["waiting"] == []


@pytest.mark.parametrize(
    "act",
    [
        "end-deadline",
        "force",
        "extend --hours=3",
        "orders red --line=ready",
        "withdraw red",
        "show --secrets",
        "standin red random",
        "pause",
        "policy nmr=wait",
    ],
)
def test_a_ruling_asks_for_its_reason(run: Run, code: str, act: str) -> None:
    """Without a reason nothing is done; with one it is on record, with its reason."""
    name, *rest = act.split()
    seat = _json(run("game", "show", code, "--json"))["seats"][0]["seat"]
    words = [seat if word == "red" else word for word in rest]
    refused = run("game", name, code, *words)
    assert isinstance(refused.exception, SystemExit), refused.exception
    assert refused.exit_code != 0
    assert "reason" in refused.output
    assert _json(run("game", "rulings", code, "--json")) == []
    assert run("game", name, code, *words, "--reason", "the mail was down").exit_code == 0
    (ruling,) = _json(run("game", "rulings", code, "--json"))
    assert (ruling["by"], ruling["reason"]) == ("operator", "the mail was down")
    assert "the mail was down" in run("game", "rulings", code).stdout


@pytest.mark.parametrize("act", ["end-deadline", "force", "pause"])
def test_an_act_says_that_it_was_done(run: Run, code: str, act: str) -> None:
    """Silence could mean anything."""
    assert code in run("game", act, code, "--reason=play").stdout


def test_a_stage_that_has_closed_is_not_forced_again(run: Run, code: str) -> None:
    """The command was meant for another stage: nothing is done, and it says so."""
    refused = run("game", "force", code, "--stage=7", "--reason=too slow")
    assert refused.exit_code == 1
    assert "Nothing was done" in refused.stderr
    assert run("game", "force", code, "--stage=1", "--reason=too slow").exit_code == 0


def letters_of(service: Service, kind: str) -> list[Letter]:
    """The letters of a kind."""
    with service.reading() as session:
        return list(session.exec(select(Letter).where(col(Letter.kind) == kind)))


def test_a_player_of_a_running_game_is_replaced_with_a_reason(run: Run, code: str) -> None:
    """The newcomer is asked by mail, and it is on record; without a reason nothing is done."""
    refused = run("game", "replace", code, "red", "Eve=eve@players.example")
    assert refused.exit_code == 1
    assert "A ruling needs a reason" in refused.output
    assert run("game", "replace", code, "red", "Eve=eve@players.example", "--reason=at sea").exit_code == 0
    assert [row["act"] for row in _json(run("game", "rulings", code, "--json"))] == ["seat_offered"]
    assert run("game", "open", code, "red", "--reason=at sea").exit_code == 0


def test_players_are_asked_by_a_command(run: Run, code: str) -> None:
    """Nothing is ruled until they have voted; commands that show secrets have no such option."""
    assert "The players are asked." in run("game", "end-deadline", code, "--ask", "--reason=slow").stdout
    assert _json(run("game", "rulings", code, "--json")) == []
    assert "A proposal is open already" in run("game", "force", code, "--ask", "--reason=slow").output
    assert run("game", "orders", code, "red", "--line=ready", "--ask", "--reason=slow").exit_code == 2
    assert run("game", "end", code, "--reason=enough").exit_code == 0
    assert [row["act"] for row in _json(run("game", "rulings", code, "--json"))] == ["ended"]


def test_a_game_is_made_from_a_template(run: Run) -> None:
    """What the command says goes before it; a bad template is told by `templates`, which then fails."""
    assert {row["name"] for row in _json(run("game", "templates", "--json"))} == {
        "open-rockwell",
        "masked-brass-empire",
    }
    made = run(
        "game", "new", "--template=open-rockwell", "--player=ann@players.example", "--code=winter", "--pace=strict"
    )
    assert made.exit_code == 0, made.output
    row = _json(run("game", "show", "winter", "--json"))
    assert (row["title"], row["pace"], len(row["seats"])) == ("Rockwell for all", "strict", 4)
    assert [seat["address"] for seat in row["seats"]] == ["ann@players.example", "", "", ""]
    assert "there are:" in run("game", "new", "--template=nothing").output
    assert "either the rules or a template" in run("game", "new").output
    folder = settings().templates
    folder.mkdir(parents=True)
    (folder / "bad.toml").write_text("seats = 3\n", encoding="utf-8")
    shown = run("game", "templates")
    assert shown.exit_code == 1
    assert "rules is missing" in shown.output
    assert "rules is missing" in run("game", "new", "--template=bad").output


def test_seats_are_opened_and_the_way_they_are_given_is_changed(run: Run) -> None:
    """Made without players; shown and changed by `gather`; a date that can't be read or has passed is refused."""
    made = run("game", "new", "tinygame", "--open=3", "--seating=draw", "--listed", "--code=free")
    assert made.exit_code == 0, made.output
    assert _json(run("game", "gather", "free", "--json")) == {"seating": "draw", "listed": True, "start_at": None}
    begins = f"{clock.now() + timedelta(days=200):%Y-%m-%dT18:00}"
    changed = _json(run("game", "gather", "free", "--seating=choice", f"--start-at={begins}", "--json"))
    assert changed["seating"] == "choice"
    assert changed["start_at"].startswith(begins)
    assert _json(run("game", "gather", "free", "--unlisted", "--start-at=full", "--json"))["start_at"] is None
    assert "2026-12-03T18:00" in run("game", "gather", "free", "--start-at=soon").output
    assert "lies in the past" in run("game", "gather", "free", "--start-at=2020-01-08T18:00").output
    assert run("game", "gather", "free", "--seating=none", "--listed").exit_code == 1


def test_beginning_replacing_and_resuming_say_so(run: Run, database_url: str) -> None:
    """With the game, and what comes next."""
    from pbem.cli.opened import opened  # noqa: PLC0415
    from pbem.games.lifecycle import join  # noqa: PLC0415

    players = [f"--player={name}@players.example" for name in ("ann", "ben", "cleo")]
    assert run("game", "new", "tinygame", *players, "--code=slow").exit_code == 0
    assert "a letter is on its way" in run("game", "replace", "slow", "blue", "eve@players.example").stdout
    with opened() as service:
        assert [each.recipient for each in letters_of(service, "invitation")] == ["eve@players.example"]
        join(service, 1, 0)
    assert "slow begins." in run("game", "start", "slow", "--reason=no answer").stdout
    run("sweep")
    database = Database(database_url)
    with database.writing() as session:
        session.execute(text("UPDATE game SET aside = true"))
    database.close()
    assert "slow: The game is taken up again." in run("game", "resume", "slow", "--reason=mended").stdout


def test_what_happens_without_orders_is_shown_and_set_when_a_game_is_made(run: Run) -> None:
    """As sentences, and as the settings that can be changed; what makes no sense is refused, with what would."""
    players = [f"--player={name}@players.example" for name in ("ann", "ben", "cleo")]
    assert run("game", "new", "tinygame", *players, "--code=quiet", "--policy=nmr=wait").exit_code == 0
    shown = run("game", "policy", "quiet").stdout
    assert "The game waits for missing orders, and reminds who has not sent any." in shown
    assert "nmr=wait" in shown
    assert _json(run("game", "policy", "quiet", "--json"))["open_after"] == 3
    refused = run("game", "new", "tinygame", *players, "--policy=nmr=never")
    assert refused.exit_code == 1
    assert "defaults, wait, standin" in refused.output
    assert "NAME=VALUE" in run("game", "policy", "quiet", "nmr", "--reason=so").output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("orders", "--line=blah"), "This holds no order and changes nothing: `blah`. An order is `bid"),
        (("orders", "--line=bid a lot"), "`bid a lot`"),
        (("orders", "--line= "), "This holds no order"),
        (("orders", "--line=use"), "There are no late orders"),
        (("admit",), "There are no late orders"),
    ],
)
def test_what_changes_nothing_is_no_ruling(run: Run, code: str, words: tuple[str, ...], said: str) -> None:
    """It is refused before it is recorded, and nobody is told of it."""
    seat = _json(run("game", "show", code, "--json"))["seats"][1]["seat"]
    letters = _json(run("status", "--json"))
    refused = run("game", words[0], code, seat, *words[1:], "--reason=by phone")
    assert refused.exit_code == 1
    assert said in refused.output
    assert _json(run("game", "rulings", code, "--json")) == []
    assert [row for row in _json(run("status", "--json")) if row["what"] == "letter"] == [
        row for row in letters if row["what"] == "letter"
    ]


def test_an_address_takes_two_seats_only_knowingly(run: Run) -> None:
    """It is refused, also for a seat given later, unless it is said to be meant; the invitation warns."""
    twice = ("--player=ann@players.example", "--player=Ann@Players.example")
    refused = run("game", "new", "tinygame", *twice)
    assert refused.exit_code == 1
    assert "--twice" in refused.output
    assert _json(run("game", "list", "--json")) == []
    assert run("game", "new", "tinygame", *twice[:1], "--player=ben@players.example", "--code=one").exit_code == 0
    assert "--twice" in run("game", "replace", "one", "green", "ann@players.example").output
    assert run("game", "replace", "one", "green", "ben@players.example").exit_code == 0
    assert "Mind" not in run("game", "invite", "one").stderr
    assert run("game", "new", "tinygame", *twice, "--twice", "--code=two").exit_code == 0
    assert "ann@players.example is invited to several seats: red, green" in run("game", "invite", "two").stderr


def test_name_that_an_account_does_not_take_is_said(run: Run) -> None:
    """Somebody known by the address keeps the name that the account has."""
    players = ("--player=Ann=ann@players.example", "--player=ben@players.example")
    assert "Mind" not in run("game", "new", "tinygame", *players).stderr
    again = run("game", "new", "tinygame", "--player=Anna=ann@players.example", *players[1:])
    assert again.exit_code == 0
    assert "ann@players.example has an account already, as Ann and not as Anna" in again.stderr


def test_stand_ins_are_named_when_a_game_is_made_and_by_rulings(run: Run, code: str) -> None:
    """`game rules` lists the sides and levels; what is mistyped is told with what there is."""
    rules = {row["rules"]: row for row in _json(run("game", "rules", "--json"))}
    assert rules["tinygame"]["standins"] == ["random", "steady"]
    assert rules["tinygame"]["sides"][1] == "green"
    player = "--player=Ann=ann@players.example"
    made = _json(run("game", "new", "tinygame", player, "--standin=Green=random", "--json"))["code"]
    seats = _json(run("game", "show", made, "--json"))["seats"]
    assert [(seat["seat"], seat["standin"]) for seat in seats] == [("red", ""), ("green", "random")]
    assert "random" in run("game", "new", "tinygame", player, "--standin=green=clever").output
    assert "SIDE=LEVEL" in run("game", "new", "tinygame", player, "--standin=green").output
    assert run("game", "standin", code, "green", "random", "--reason=at sea").exit_code == 0
    assert _json(run("game", "show", code, "--json"))["seats"][1]["standin"] == "random"
    assert run("game", "give-back", code, "green", "--reason=ashore").exit_code == 0
    assert [ruling["act"] for ruling in _json(run("game", "rulings", code, "--json"))] == [
        "standin_set",
        "standin_ended",
    ]
    assert "No stand-in plays" in run("game", "give-back", code, "green", "--reason=again").output


def test_game_is_set_back_and_returns_by_command(run: Run, code: str) -> None:
    """`points` and `lines` list where it can go; what is not there is told with what is."""
    assert run("game", "force", code, "--reason=all agreed").exit_code == 0
    assert run("sweep").exit_code == 0
    points = _json(run("game", "points", code, "--json"))
    assert points[0]["entry"] == 1
    assert "to any from 1 to" in run("game", "roll-back", code, "999", "--reason=a slip").output
    back = run("game", "roll-back", code, "1", "--chance=redraw", "--sheets=clear", "--reason=a slip")
    assert back.exit_code == 0, back.output
    assert "is drawn anew" in back.stdout
    assert [row["line"] for row in _json(run("game", "lines", code, "--json"))] == [0]
    again = _json(run("game", "return", code, "0", "--reason=it was none", "--json"))
    assert again["done"] == "returned"
    assert "no line 7" in run("game", "return", code, "7", "--reason=why").output


def test_orders_that_can_not_be_done_say_whose_they_are_and_what_becomes_of_them(run: Run, code: str) -> None:
    """The moderator reads that they stand on that side's sheet, and are passed over unless they can be done."""
    hidden = _json(run("game", "show", code, "--secrets", "--reason=a look", "--json"))["hidden"]
    missing = next(card for card in range(1, 7) if card not in hidden["state"]["hands"][1])
    said = run("game", "orders", code, "green", f"--line=bid {missing}", "--reason=a slip").output
    assert "The orders of Green are in, with a problem" in said
    assert "is passed over unless it can be done when it comes up" in " ".join(said.split())


def test_orders_come_from_standard_input_and_are_acknowledged(run: Run, code: str) -> None:
    """A moderator's orders are read as a player's are, and answered with what was read."""
    seat = _json(run("game", "show", code, "--json"))["seats"][1]["seat"]
    said = run("game", "orders", code, seat, "--reason=by phone", given="bid 1\nbid nonsense\n")
    assert said.exit_code == 0, said.output
    assert "nonsense" in said.stdout


def test_hidden_things_are_shown_to_who_says_why(run: Run, code: str) -> None:
    """With --secrets the whole state and every sheet are there."""
    hidden = _json(run("game", "show", code, "--secrets", "--reason=a dispute", "--json"))["hidden"]
    assert set(hidden) == {"state", "sheets"}


def test_a_journal_is_verified_from_its_secret(run: Run, code: str, database_url: str) -> None:
    """A sound journal agrees with the head in the reports; one that was altered is named with its first bad entry."""
    assert run("game", "force", code, "--reason=play").exit_code == 0
    run("sweep")
    head = _json(run("game", "show", code, "--json"))["head"]
    sound = _json(run("game", "verify", code, "--head", head[:16], "--json"))
    assert sound["problem"] == ""
    assert sound["entries"] > 1
    plain = run("game", "verify", code).stdout
    assert "The journal is sound" in plain
    assert "problem" not in plain
    assert run("game", "verify", code, "--head", "00ff00ff").exit_code == 1
    for none in ("", "00ff", "xyz"):
        assert run("game", "verify", code, "--head", none).exit_code == 2
    database = Database(database_url)
    with database.writing() as session:
        session.execute(text("UPDATE game SET secret = :secret"), {"secret": bytes(32)})
    database.close()
    said = run("game", "verify", code, "--json")
    assert said.exit_code == 1
    assert json.loads(said.stdout)["entry"] == 1


def test_an_entry_that_can_not_be_read_is_reported(run: Run, code: str, database_url: str) -> None:
    """By its number, as any other that does not fit."""
    database = Database(database_url)
    with database.writing() as session:
        session.execute(text("UPDATE journalentry SET entry = :bytes WHERE number = 1"), {"bytes": b"\xc1nonsense"})
    database.close()
    said = run("game", "verify", code)
    assert isinstance(said.exception, SystemExit), said.exception
    assert said.exit_code == 1
    assert "The entry 1 can't be read" in said.stdout
    found = json.loads(run("game", "verify", code, "--json").stdout)
    assert (found["problem"], found["entry"]) == ("unreadable", 1)


def test_a_refusal_is_a_sentence(run: Run) -> None:
    """What can't be done is told in words, with an exit status for scripts."""
    said = run("game", "show", "nosuch")
    assert said.exit_code == 1
    assert "There is no game nosuch." in said.output


ODD = [
    ("--hours=nan", "A stage needs some time"),
    ("--hours=1e9", "A stage needs some time"),
    ("--settle=-1", "A stage needs some time"),
    ("--code=../x y", "A code is made of"),
    ("--code=taken", "There is a game taken already."),
    (f"--components={__file__}", "take no component set"),
    ("--option=nothing", "NAME=VALUE"),
    ("--option=lifes=3", "There is no option lifes; there are: lives, turns."),
    ("--option=lives=9", "The option lives can't be 9; it can be: 2, 1, 3."),
    ("--option=lives=true", "The option lives can't be true; it can be: 2, 1, 3."),
    ("--pace=slow", "their paces are: strict, brisk"),
]


@pytest.mark.parametrize(("word", "said"), ODD)
def test_what_can_not_be_used_is_told_in_a_sentence(run: Run, word: str, said: str) -> None:
    """Not with a traceback; and no game is made."""
    players = [f"--player={name}@players.example" for name in ("ann", "ben", "cleo")]
    assert run("game", "new", "tinygame", *players, "--code=Taken").exit_code == 0
    refused = run("game", "new", "tinygame", *players, word)
    assert isinstance(refused.exception, SystemExit), refused.exception
    assert said in refused.output
    assert len(_json(run("game", "list", "--json"))) == 1


def test_an_option_is_given_once(run: Run) -> None:
    """Of two values none is taken."""
    words = ("game", "new", "tinygame", "--player=a@a.example", "--player=b@b.example")
    assert "given twice" in run(*words, "--option=lives=1", "--option=lives=3").output
    assert _json(run("game", "list", "--json")) == []


def test_options_that_are_not_the_usual_ones_are_shown_with_the_game(run: Run) -> None:
    """As they are given; those at their defaults are not."""
    words = ("game", "new", "rockwell", *(f"--player={name}@players.example" for name in ("ann", "ben")), "--code=odd")
    options = ("--option=phase_order=management", "--option=award_for_none=true", "--option=passing_triggers=true")
    assert run(*words, *options).exit_code == 0
    shown = _json(run("game", "show", "odd", "--json"))
    assert shown["options"] == ["phase_order=management", "award_for_none=true"]
    assert (shown["components"], shown["edition"]) == ("reconstructed", 1)
    assert "phase_order=management, award_for_none=true" in run("game", "show", "odd").stdout


def test_a_game_whose_rules_are_gone_is_listed_and_says_so(run: Run, code: str, database_url: str) -> None:
    """To people beside its rules and its stage, to programs as a field; the lists show every other game."""
    known = ("game", "new", "tinygame", "--player=a@a.example", "--player=b@b.example", "--code=known")
    assert run(*known).exit_code == 0
    database = Database(database_url)
    with database.writing() as session:
        session.execute(update(Game).where(col(Game.code) == code).values(rules="gone"))
    database.close()
    assert {row["code"]: row["installed"] for row in _json(run("game", "list", "--json"))} == {
        code: False,
        "known": True,
    }
    assert "gone (not installed)" in run("game", "list").stdout
    assert not _json(run("game", "show", code, "--json"))["installed"]
    listed = _json(run("site", "games", "--json"))["games"]
    assert {row["code"]: row["installed"] for row in listed} == {code: False, "known": True}
    assert run("site", "games").stdout.count("(rules not installed)") == 1


@pytest.mark.parametrize("hours", ["1e9", "-1e9", "nan", "inf"])
def test_a_deadline_is_moved_by_what_a_calendar_holds(run: Run, code: str, hours: str) -> None:
    """Anything else is told, and the deadline stays."""
    refused = run("game", "extend", code, f"--hours={hours}", "--reason=a slip")
    assert isinstance(refused.exception, SystemExit), refused.exception
    assert "by a year at most" in refused.output
    assert _json(run("game", "rulings", code, "--json")) == []


@pytest.mark.parametrize(
    "words",
    ["orders mauve --line=ready", "withdraw mauve", "standin mauve steady", "see mauve", "mute mauve", "open ''"],
)
def test_a_side_that_the_game_has_not_is_answered_with_those_that_it_has(run: Run, code: str, words: str) -> None:
    """Whichever command it is: nothing is done."""
    name, *rest = words.split()
    refused = run("game", name, code, *(word.strip("'") for word in rest), "--reason=a slip")
    assert isinstance(refused.exception, SystemExit), refused.exception
    assert "among these: red, green, blue" in refused.output
    assert _json(run("game", "rulings", code, "--json")) == []


def test_every_refusal_has_words() -> None:
    """Each code that the service raises can be said."""
    raised: set[str] = set()
    for path in (ROOT / "pbem").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refused":
                raised |= {str(each.value) for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)}
    raised = {code for code in raised if "_" in code}
    assert raised <= refusals.codes()


def test_a_login_link_is_for_those_with_an_account(run: Run) -> None:
    """The link is printed for an address that has an account, and for no other."""
    assert run("login-link", "ann@players.example").exit_code == 1
    assert run("account", "create", "ann@players.example", "--name=Ann").exit_code == 0
    assert _json(run("login-link", "ann@players.example", "--json"))["link"].startswith("http://127.0.0.1:8000/")
    assert [row["name"] for row in _json(run("account", "list", "--json"))] == ["Ann"]


def test_an_account_that_is_there_is_not_said_to_be_made(run: Run) -> None:
    """Its name stays, and that is said; it may become a moderator's."""
    assert run("account", "create", "ann@players.example", "--name=Ann").output == "Account 1.\n"
    again = run("account", "create", "Ann@players.example", "--name=Anna")
    assert again.output == "Account 1, which was there already and is as it was.\n"
    may = run("account", "create", "ann@players.example", "--moderator")
    assert may.output == "Account 1, which was there already and may moderate now.\n"
    (row,) = _json(run("account", "list", "--json"))
    assert (row["name"], row["moderator"]) == ("Ann", True)


def test_status_counts_what_there_is(run: Run, code: str) -> None:
    """Games and letters are counted by state, and what is set aside is told even when it is nothing."""
    rows = {(row["what"], row["state"]): row["number"] for row in _json(run("status", "--json"))}
    assert rows["game", "playing"] == 1
    assert rows["game", "aside"] == 0
    assert rows["letter", "queued"] > 0


def test_commands_before_the_set_up_say_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without keys and database a command says how to get them."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path / "none"))
    said = CliRunner().invoke(main, ["status"])
    assert said.exit_code == 1
    assert "pbem up" in said.output


def test_a_newer_database_is_told_clearly(run: Run, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database from a newer release is left alone and the operator told what to do."""
    for port in ("PBEM_MAIL_PORT", "PBEM_WEB_PORT"):  # another service of this machine may have the usual ones
        monkeypatch.setenv(port, str(free_port()))
    settings.cache_clear()
    database = Database(database_url)
    with database.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = 'from-the-future'"))
        session.execute(text("UPDATE setting SET value = 'from-the-future' WHERE name = 'works_from'"))
    database.close()
    for command in ("status", "migrate", "up"):
        said = run(command)
        assert said.exit_code == 1
        assert "from-the-future" in said.output
        assert "newer release" in said.output


@pytest.mark.parametrize("name", ["web_port", "language", "time_zone", "smtp_tls"])
def test_bad_settings_are_named_and_not_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that can't be used is told by its name; its value, which may be a secret, is not."""
    monkeypatch.setenv(f"PBEM_{name.upper()}", "hush")
    said = CliRunner().invoke(main, ["status"])
    assert said.exit_code == 1
    assert f"PBEM_{name.upper()}: " in said.output
    assert "hush" not in said.output


def test_settings_are_listed_without_secrets(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every setting is listed with its value and meaning, those that hold secrets without their value."""
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", "hush")
    settings.cache_clear()
    rows = _json(run("settings", "--json"))
    assert len(rows) == len(Settings.model_fields)
    assert all(row["means"] for row in rows)
    assert "hush" not in str(rows)


def test_addresses_of_an_account_are_listed_added_and_taken_off(run: Run) -> None:
    """One that is added counts once its link is used; the one that letters go to stays."""
    from pbem.addressbook import confirm  # noqa: PLC0415
    from pbem.cli.opened import opened  # noqa: PLC0415

    run("account", "create", "ann@players.example", "--name=Ann")
    run("account", "create", "ben@players.example", "--name=Ben")
    assert run("account", "add-address", "ann@players.example", "ben@players.example").exit_code == 1
    assert run("account", "add-address", "eve@players.example", "x@players.example").exit_code == 1
    assert run("account", "add-address", "ann@players.example", "ann@work.example").exit_code == 0
    listed = ("account", "addresses", "ann@players.example", "--json")
    assert [row["address"] for row in _json(run(*listed))] == ["ann@players.example"]
    with opened() as service:
        with service.reading() as session:
            said = session.connection().execute(text("SELECT text FROM letter WHERE kind = 'newaddress'")).scalar_one()
        confirm(service, re.findall(r"/address/([\w-]+)", said)[0])
    assert [(row["address"], row["main"]) for row in _json(run(*listed))] == [
        ("ann@players.example", True),
        ("ann@work.example", False),
    ]
    assert run("account", "remove-address", "ann@players.example", "ann@players.example").exit_code == 1
    assert run("account", "remove-address", "ann@players.example", "ann@work.example").exit_code == 0
    assert len(_json(run(*listed))) == 1


def test_how_letters_come_is_shown_and_changed(run: Run) -> None:
    """What is not named stays as it is; what can't be is told and changes nothing."""
    run("account", "create", "ann@players.example", "--name=Ann")
    ann = ("account", "letters", "ann@players.example")
    before = _json(run(*ann, "--json"))
    assert (before["mails"], before["at"], before["quiet"], before["remind"]) == ("each", "08:00", "", 0)
    chosen = ("--mails=daily", "--at=7:30", "--remind=6", "--quiet=22:00-7:00", "--calendar")
    after = _json(run(*ann, *chosen, "--json"))
    assert (after["mails"], after["at"], after["quiet"], after["remind"]) == ("daily", "07:30", "22:00-07:00", 6)
    assert after["calendar"] is True
    assert after["feed"] == before["feed"]
    for wrong in ("--at=25:00", "--quiet=22:00", "--remind=999", "--mails=hourly"):
        assert run(*ann, wrong).exit_code != 0
    last = _json(run(*ann, "--quiet=none", "--renew-feed", "--json"))
    assert (last["quiet"], last["mails"]) == ("", "daily")
    assert last["feed"] != before["feed"]
