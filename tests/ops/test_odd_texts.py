"""Whatever a player or a moderator types, and by whichever way: the record of an honest game is sound."""

import json
import unicodedata
from collections.abc import Sequence
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path

import pytest
from sqlmodel import select

from pbem import accounts
from pbem.accounts import change_account, create_account
from pbem.games import gathering, lifecycle, titles
from pbem.games.gathering import Newcomer, come
from pbem.games.lifecycle import Guest, Plan, create_game, invite
from pbem.rulings import authority, messages
from pbem.rulings import record as rulings_record
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import extend_deadline
from pbem.sheets import pressing
from pbem.storage.models import Account, Game, Press, Ruling
from pbem.storage.sessions import Database
from tests.ops.test_cli import Run
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import AT_ANY_HOUR, Match, service_on
from tests.pbem.records.test_records import over
from tests.pbem.web.api.calling import program
from tests.pbem.web.visiting import Visit, app_on

C0 = "".join(chr(code) for code in range(1, 32))
C1 = "".join(chr(code) for code in range(127, 160))
TYPED = (
    "x\x07y",
    "\x1b[1F\x1b[2KSound: every draw follows from the secret",
    "\x9b2K\x9b1F",
    f"a{C0}b",
    f"a{C1}b",
    "\x07",
    "one\r\ntwo\rthree\x0bfour\x85five\u2028six",
    "\u202eright to left\u202c \u200b e\u0301 \U0001f600",
    "%(word)s {{ word }} {% raw %} <b>&amp;</b> \\u0000 \\x1b",
    "\u2067turned\u2066 \u202dround",
    "\u05d0\u05d1\u200f and \u0627\u0644",
    "\U0001f469\u200d\U0001f680" * 40,
)
"""What a form, a mail, a program can send."""
TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""What turns the rest of a line round: names and reasons stand in lines with the words of others."""
BY_COMMAND = "\udcff\udc1b"
"""Bytes of a command line that are no UTF-8, as Python reads them."""
TAKEN_IN = (
    (titles, "one_line"),
    (lifecycle, "one_line"),
    (lifecycle, "word_kept"),
    (gathering, "word_kept"),
    (accounts, "one_line"),
    (authority, "one_line"),
    (rulings_record, "one_line"),
    (messages, "in_lines"),
    (pressing, "in_lines"),
)
"""Where the service takes a text in."""
ADDRESSES = [f"{name}@players.example" for name in ("ann", "ben", "cleo")]
MODERATOR = "mod@players.example"


def gathered(database: Database, title: str) -> Match:
    """A game of three, one of whose seats is open, with a moderator of an odd name."""
    service = service_on(database)
    guests = [Guest(address, TYPED[0]) for address in ADDRESSES[:2]]
    plan = Plan("tinygame", guests, free=1, title=title, moderator=MODERATOR, settle_minutes=0, schedule=AT_ANY_HOUR)
    match = Match(service, create_game(service, plan))
    change_account(service, account_number(match, MODERATOR), name=TYPED[1], language="en", zone="UTC")
    invite(service, match.code)
    return match


def account_number(match: Match, address: str) -> int:
    """Of its account, made where there is none."""
    return create_account(match.service, address, TYPED[0])


def joined(match: Match, words: Sequence[str]) -> None:
    """By mail, by the page, and by whoever comes."""
    post(match.service, reply(match.letters(0, "invitation")[-1], f"join {words[0]}"))
    visit = Visit(app_on(match.service), match.service, ADDRESSES[1])
    visit.get(f"/games/{match.code}")
    visit.send(f"/games/{match.code}/join", word=words[1])
    come(match.service, match.id, Newcomer(account_number(match, ADDRESSES[2]), None, words[2]))
    match.settle()
    assert match.game.status == "playing"


def said(match: Match, run: Run, text: str) -> None:
    """A message by mail, page, program, desk and command line; a ruling by desk and command line."""
    code, service = match.code, match.service
    post(service, reply(match.letters(0, "report")[-1], f"to green: mailed {text}"))
    app = app_on(service)
    visit = Visit(app, service, ADDRESSES[0])
    visit.get(f"/games/{code}/messages")
    visit.send(f"/games/{code}/messages", to="1", text=f"from the page {text}")
    program(match, 0, app=app).post(f"/games/{code}/messages", to=["all"], text=f"from a program {text}", key="k")
    desk = Visit(app, service, MODERATOR)
    desk.get(f"/games/{code}/desk")
    desk.send(f"/games/{code}/desk-message", to="all", text=f"from the desk {text}")
    desk.send(f"/games/{code}/desk/extend", hours="2", reason=f"by the desk {text}")
    assert run("game", "message", code, "all", "--text", f"by command {text}").exit_code == 0
    given = run("game", "extend", code, "--hours", "2", "--reason", f"by command {text}")
    assert given.exit_code == 0, given.output
    extend_deadline(service, code, 2, Actor(f"by its moderator {text}", MODERATOR))
    match.settle()


def is_plain(text: str) -> bool:
    """Whether nothing in it moves a terminal, and all of it can be written."""
    return not any(unicodedata.category(each) in ("Cc", "Cs") for each in text.replace("\n", "").replace("\t", ""))


def sound(match: Match, run: Run, folder: Path) -> None:
    """The record is, going on and at its end, for `pbem verify`, and for another house; what is printed is plain."""
    for name, whole in (("whole", ("--whole", "--reason", "we move")), ("ended", ())):
        file, code = folder / f"{name}.jsonl", match.code
        if name == "ended":
            over(match)
        assert run("game", "export", code, str(file), *whole).exit_code == 0
        head = match.game.head.hex()
        there = run("game", "import", str(file), "--json")
        assert there.exit_code == 0, there.output
        for command in (
            ("verify", str(file), "--head", head),
            ("verify", str(file), "--head", head, "--json"),
            ("game", "verify", code, "--head", head),
            *(("game", "show", each) for each in (code, json.loads(there.stdout)["code"])),
            ("game", "show", code, "--json"),
        ):
            shown = run(*command)
            assert shown.exit_code == 0, (command, shown.output)
            assert is_plain(shown.output), command
        assert "Sound" in run("verify", str(file), "--head", head).stdout
    for letter in match.letters():
        sent = message_from_bytes(letter.content, policy=SMTP)
        body = sent.get_body(("plain",))
        assert body is not None
        assert is_plain(f"{sent['Subject']}{body.get_content()}".replace("\r\n", "\n")), letter.kind


@pytest.mark.parametrize("first", range(0, len(TYPED), 3))
def test_record_of_a_game_of_odd_texts_is_sound(run: Run, database: Database, tmp_path: Path, first: int) -> None:
    """Title, words, names, messages and reasons stand in it without what moves a terminal."""
    mine = [TYPED[(first + place) % len(TYPED)] for place in range(3)]
    match = gathered(database, f"A game {mine[0]}{BY_COMMAND}")
    joined(match, mine)
    for text in mine:
        said(match, run, text)
    sound(match, run, tmp_path)
    with match.service.reading() as session:
        messages = [each.text for each in session.exec(select(Press).where(Press.game_id == match.id))]
        kept = [each.name for each in session.exec(select(Account))]
        kept += [each.reason for each in session.exec(select(Ruling))]
        kept += [each.title for each in session.exec(select(Game))]
    kept += [seat.public_word for seat in match.seats]
    assert all(map(is_plain, messages + kept))
    assert not any(set(each) & TURNING for each in kept)
    assert sum("mailed" in each for each in messages) == len(mine)


def test_record_of_a_game_of_an_earlier_release_is_sound(
    run: Run, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took such texts in as they were: draws follow from the words, so they stay, and are written out."""
    with monkeypatch.context() as earlier:
        for place, name in TAKEN_IN:
            earlier.setattr(place, name, lambda text: " ".join(text.split())[:40])
        match = gathered(database, f"A game {TYPED[1]}")
        joined(match, (TYPED[1], TYPED[0], TYPED[2]))
        for text in TYPED[:3]:
            said(match, run, text)
    assert [seat.public_word for seat in match.seats][1:] == [TYPED[0], TYPED[2]]
    sound(match, run, tmp_path)
    shown = run("verify", str(tmp_path / "ended.jsonl")).stdout
    assert "A game \\x1b[1F\\x1b[2KSound" in shown
    assert "x\\x07y" in shown
    assert "\\x9b2K\\x9b1F" in shown
