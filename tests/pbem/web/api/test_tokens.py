"""Tokens are as good as a key: made and shown once, kept as a hash, void at once when they are to be."""

import json
import re
from datetime import timedelta

import pytest
from sqlmodel import SQLModel, select

from pbem import clock
from pbem.errors import Refused
from pbem.rulings.authority import Actor
from pbem.site.blocking import block, unblock
from pbem.site.deleting import delete_account
from pbem.site.exporting import own_data
from pbem.site.merging import merge
from pbem.storage.models import ApiToken
from pbem.storage.sessions import Database
from pbem.tokens import MOST, READ, make_token, revoke_for
from pbem.web import create_app
from tests.ops.test_cli import Run, code, run
from tests.pbem.mail.test_real_letters import html_of
from tests.pbem.playing import begun, service_on
from tests.pbem.site.governing import number
from tests.pbem.web.api.calling import Program
from tests.pbem.web.visiting import Visit, app_on, letters_to

__all__ = ["code", "run"]
ANN, BEN = "ann@players.example", "ben@players.example"


def visited(database: Database) -> Visit:
    """Ann at the page of her account."""
    match = begun(service_on(database), pace="brisk")
    visit = Visit(app_on(match.service), match.service, ANN)
    visit.get("/account")
    return visit


def made(visit: Visit, name: str, scope: str = READ) -> str:
    """A token made on the page."""
    visit.get("/account")
    page = visit.send("/account/tokens", name=name, scope=scope)
    found = re.findall(r"<code>(pbem_[\w-]+)</code>", page)
    assert len(found) == 1
    return str(found[0])


def test_a_token_is_made_shown_once_listed_and_revoked_on_the_page(database: Database) -> None:
    """It has its last use beside it, and is void from the moment that it is revoked."""
    visit = visited(database)
    secret = made(visit, "my board <b>", "play")
    page = visit.get("/account")
    assert secret not in page
    assert "my board &lt;b&gt;" in page
    assert "not used yet" in page
    api = Program(create_app(visit.service), secret)
    assert len(api.get("/games")["games"]) == 1
    assert "used last" in visit.get("/account")
    visit.send("/account/tokens/revoke")
    assert "The token is void." in visit.page
    api.get("/games", 401)


def test_only_a_hash_of_a_token_is_kept(database: Database) -> None:
    """Whoever reads the database or a person's data can't call with what stands there; it has 256 bits."""
    visit = visited(database)
    secret = made(visit, "one")
    assert len(secret) >= len("pbem_") + 43
    with visit.service.reading() as session:
        row = session.exec(select(ApiToken)).one()
    assert secret.encode() not in row.digest
    own = json.loads(own_data(visit.service, number(visit.service, ANN)))
    assert [(each["name"], each["scope"]) for each in own["tokens"]] == [("one", "read")]
    assert "digest" not in own["tokens"][0]
    with database.reading() as session:
        stored = {table.name: session.execute(table.select()).all() for table in SQLModel.metadata.sorted_tables}
    assert secret not in repr(stored)
    assert ANN in repr(stored)


def test_a_letter_tells_what_a_token_may_do_and_has_no_token(database: Database) -> None:
    """It goes where letters go, whoever made the token; what its owner revokes there is no news to them."""
    visit = visited(database)
    secrets = [made(visit, "my <b>board</b>", "play"), made(visit, "reader")]
    play, read = letters_to(visit.service, ANN, "token")
    assert "“my <b>board</b>”" in play.text
    assert "send orders" in play.text
    assert "send nothing" in read.text
    for letter in (play, read):
        assert "/account#tokens" in letter.text
        assert "until you revoke it" in letter.text
        assert not any(secret in letter.text + html_of(letter) + letter.subject for secret in secrets)
        assert "<b>board" not in html_of(letter)
    visit.get("/account")
    visit.send("/account/tokens/revoke", name="reader")
    assert len(letters_to(visit.service, ANN, "token")) == 2


def test_a_letter_tells_of_a_token_that_another_revoked(database: Database) -> None:
    """So whose program stops knows why."""
    visit = visited(database)
    api = Program(create_app(visit.service), made(visit, "board"))
    revoke_for(visit.service, number(visit.service, ANN), "board")
    api.get("/games", 401)
    letter = letters_to(visit.service, ANN, "token")[-1]
    assert "revoked your token “board”" in letter.text


def test_what_is_no_token_is_none(database: Database) -> None:
    """Nothing, another's sort, one cut short, one of another way."""
    visit = visited(database)
    secret = made(visit, "one")
    app = create_app(visit.service)
    for given in ("", "x", secret[:-1], secret + "x", "pbem_", secret.removeprefix("pbem_"), "pbem_é"):
        Program(app, given).get("/games", 401)
    client = app.test_client()
    for header in (secret, f"Basic {secret}", f"Bearer {secret} x"):
        assert client.get("/api/v1/games", headers={"Authorization": header}).status_code == 401
    assert client.get("/api/v1/games", headers={"Authorization": f"bearer {secret}"}).status_code == 200
    assert client.get(f"/api/v1/games?token={secret}").status_code == 401


def test_a_name_is_one_tokens_and_there_are_not_too_many(database: Database) -> None:
    """What is wrong is told, and nothing made."""
    visit = visited(database)
    made(visit, "one")
    visit.get("/account")
    assert "choose another name" in visit.send("/account/tokens", 409, name="one", scope="read")
    of = number(visit.service, ANN)
    for given in (" \u200b", "x" * 61):
        with pytest.raises(Refused, match="token_name"):
            make_token(visit.service, of, given, READ)
    with pytest.raises(Refused, match="bad_scope"):
        make_token(visit.service, of, "two", "all")
    for count in range(MOST - 1):
        make_token(visit.service, of, f"more {count}", READ)
    with pytest.raises(Refused, match="too_many_tokens"):
        make_token(visit.service, of, "last", READ)
    make_token(visit.service, number(visit.service, BEN), "one", READ)


def test_nobody_revokes_anothers_token(database: Database) -> None:
    """A name is looked for among one's own."""
    visit = visited(database)
    secret = made(visit, "mine")
    other = Visit(visit.client.application, visit.service, BEN)
    other.get("/account")
    csrf = re.findall(r'name="csrf_token" value="([^"]+)"', other.page)[0]
    other.post("/account/tokens/revoke", 409, csrf_token=csrf, name="mine")
    Program(create_app(visit.service), secret).get("/games")


def test_a_token_of_who_is_blocked_gone_or_merged_is_void(database: Database) -> None:
    """A blocked one's is good again when they are let in; the others' are gone."""
    visit = visited(database)
    service, app = visit.service, create_app(visit.service)
    ann, ben = number(service, ANN), number(service, BEN)
    one, other = (Program(app, make_token(service, of, "one", READ)) for of in (ann, ben))
    block(service, ann, Actor("rude"))
    one.get("/games", 401)
    unblock(service, ann, Actor("sorry"))
    one.get("/games")
    delete_account(service, ann, Actor("asked for"))
    one.get("/games", 401)
    with service.writing() as session:
        session.connection().exec_driver_sql("UPDATE seat SET account_id = NULL")
    third = make_token(service, number(service, "cleo@players.example"), "one", READ)
    merge(service, number(service, "cleo@players.example"), ben, Actor("one person"))
    other.get("/games", 401)
    Program(app, third).get("/games")


def test_the_last_use_is_kept_to_the_minute(database: Database) -> None:
    """Not each call is a write."""
    visit = visited(database)
    api = Program(create_app(visit.service), made(visit, "one"))

    def used() -> object:
        with visit.service.reading() as session:
            return session.exec(select(ApiToken)).one().used

    api.get("/games")
    first = used()
    api.get("/games")
    assert used() == first
    clock.shift(timedelta(minutes=2))
    api.get("/games")
    assert used() != first


def test_tokens_are_made_listed_and_revoked_on_the_command_line(run: Run, code: str) -> None:
    """By name, as on the page."""
    told = json.loads(run("account", "token", "make", ANN, "board", "--scope", "play", "--json").stdout)
    assert (told["token"][:5], told["scope"]) == ("pbem_", "play")
    assert "already" in run("account", "token", "make", ANN, "board").stderr
    rows = json.loads(run("account", "token", "list", ANN, "--json").stdout)
    assert [(row["name"], row["scope"], row["used"]) for row in rows] == [("board", "play", None)]
    assert run("account", "token", "revoke", ANN, "board").exit_code == 0
    assert "no token called" in run("account", "token", "revoke", ANN, "board").stderr
