"""The ways in which a command is given: the command layer, the desk's pages, the command line, the moderator's mail."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import click
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import Session, col, select

from pbem import commands
from pbem.accounts import account_of
from pbem.cli import main
from pbem.cli import opened as opening
from pbem.cli.game import game
from pbem.commands import Command
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.lifecycle import Guest
from pbem.games.position import game_row
from pbem.mail.deskletters import CONFIRM_COMMAND, DESK, DONE, REFUSED
from pbem.refusals import said
from pbem.rulings.authority import Actor
from pbem.rulings.changing import Wanted
from pbem.rulings.looking import Shown
from pbem.sheets.submitting import Taken
from pbem.storage.models import Account, Inbound, Letter
from pbem.voting.asking import ask_players
from pbem.voting.kinds import may_be_asked
from pbem.web import create_app
from pbem.web.pages import EXTENSION, WHO
from pbem.words import Words
from tests.pbem.playing import service_on
from tests.pbem.web.visiting import Form, forms
from tests.pbem.world.dying import MortalDatabase
from tests.pbem.world.world import Broken, World

LAYER, DESKS, LINE, MAIL, VOTE = "layer", "desk", "line", "mail", "vote"
WORDS = Words.of("en", "UTC")
ANSWERABLE = ("leading", DESK, DONE, REFUSED)
"""Letters that a moderator answers with commands."""
ELSEWHERE = "desk@elsewhere.example"
STEPS = 4
"""Presses on the way to a change at the desk."""


def ways_of(command: Command) -> tuple[str, ...]:
    """All in which the command can be given."""
    mail, vote = (MAIL,) if command.mailed else (), (VOTE,) if may_be_asked(command) else ()
    return (LAYER, DESKS, LINE, *mail, *vote)


@dataclass(frozen=True)
class Act:
    """A command with a value for each parameter, the names of its game's sides, and who gives it with what reason."""

    command: Command
    code: str
    given: Mapping[str, Any]
    actor: Actor
    sides: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """What came of it: `refused` is empty where it was done, else a code; `shown` whether it showed hidden things.

    `again` gives it once more, in the same way, on what was seen then; None where that way is bound to nothing.
    """

    refused: str = ""
    shown: bool = False
    again: "Callable[[], Result] | None" = None


@dataclass
class Ways:
    """The ways into the service of a world, whichever process is alive in it. `draw` chooses among some."""

    world: World
    draw: Callable[[list[Any]], Any]
    clients: dict[str, FlaskClient] = field(default_factory=dict)
    app: Flask | None = None

    def give(self, act: Act, way: str) -> Result:
        """Raises Broken where the service fails."""
        return {LAYER: self._layer, DESKS: self._desk, LINE: self._line, MAIL: self._mail, VOTE: self._vote}[way](act)

    def _layer(self, act: Act) -> Result:
        try:
            answer = act.command.act(self.world.service, act.code, act.given, act.actor)
        except Refused as refused:
            said(refused, WORDS)
            return Result(refused.code)
        shown = isinstance(answer, Shown) or (isinstance(answer, Taken) and answer.acknowledgement is not None)
        return Result("", shown, (lambda: self._layer(act)) if act.actor.ruling is not None else None)

    def _vote(self, act: Act) -> Result:
        """Put to the players: from the command layer, the desk or the command line."""
        way = self.draw([LAYER, DESKS, LINE])
        if way == LINE:
            return self._line(act, "--ask")
        if way == DESKS and act.actor.address:
            return self._desk(act, ask="1")
        try:
            ask_players(self.world.service, act.code, act.command, act.given, act.actor)
        except Refused as refused:
            said(refused, WORDS)
            return Result(refused.code)
        return Result()

    def _line(self, act: Act, *more: str) -> Result:
        words = ["game", act.command.name, act.code]
        words += words_of(act)
        words += ["--yes"] if commands.CHANGES in act.given else []
        words += [f"--reason={act.actor.reason}", f"--as={act.actor.address}", *more]
        words += [f"--stage={act.actor.stage}"] if act.actor.stage is not None else []
        return self.line(*words)

    def line(self, *words: str) -> Result:
        """Run `pbem` with these words, in a process of its own but for its life."""
        world = self.world
        assert isinstance(world.service.database, MortalDatabase)
        url, life = world.service.database.url.render_as_string(hide_password=False), world.service.database.life

        def opened(*_: object) -> Any:
            return service_on(MortalDatabase(url, life), **world.settings)

        with (
            patch.object(opening, "read_settings", lambda: world.service.settings),
            patch.object(Service, "opened", opened),
        ):
            result = CliRunner().invoke(main, words, input="", prog_name="pbem")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise Broken(f"pbem {' '.join(words)} failed") from result.exception
        return Result({0: "", 1: "by the command line"}.get(result.exit_code, "usage"))

    def _desk(self, act: Act, **more: str) -> Result:
        visit = self.visit(act.actor.address)
        if visit is None:
            return Result("not_moderator")
        page, status = visit.get(f"/games/{act.code}/desk")
        path = f"/games/{act.code}/desk/{act.command.name}"
        reason = {"reason": act.actor.reason}
        if status != 200:
            mine = visit.form("/account")
            return Result("" if visit.post(path, mine | reason)[1] == 200 else "not found")
        found = [form for form in forms(page) if form.action == path]
        if not found:
            return Result("not on the desk")
        if act.command.compared:
            return self._compared(visit, found[0], act)
        fields = found[0].fields | reason | more
        for kind, value in act.given.items():
            fields[kind] = _guest(value) if kind == commands.PLAYER else str(value)
        if act.command.name in ("roll-back", "return") and not more:  # nothing is compared where players are asked
            page, status = visit.post(path, fields)
            last = next((each for each in forms(page) if each.action == f"{path}/do"), None)
            return Result(_REFUSED[status]) if last is None else self._pressed(visit, last.action, last.fields, act)
        return self._pressed(visit, path, fields, act)

    def _pressed(self, visit: "Visit", path: str, fields: Mapping[str, str], act: Act) -> Result:
        _, status = visit.post(path, fields)
        shown = act.command.reveals and not visit.at.endswith("/desk") and status == 200
        return Result(_REFUSED.get(status, ""), shown, lambda: self._pressed(visit, path, fields, act))

    def _compared(self, visit: "Visit", form: Form, act: Act) -> Result:
        """The look, some steps, before and after, and the change."""
        page, status = visit.post(form.action, form.fields | {"reason": act.actor.reason})
        if status != 200:
            return Result(_REFUSED[status])
        wanted = act.given[commands.CHANGES].text
        for _ in range(self.draw(list(range(STEPS)))):
            form = next(each for each in forms(page) if each.action.endswith("/step"))
            if not form.buttons:
                break
            page, status = visit.post(form.action, form.fields | dict([self.draw(form.buttons)]))
            if status != 200:
                raise Broken(f"a step at the desk of {act.code} led to {status}")
        form = next(each for each in forms(page) if each.action.endswith("/step"))
        text = form.fields.get("text", "").strip() or wanted
        page, status = visit.post(form.action.replace("/step", "/compare"), form.fields | {"text": text})
        last = next((each for each in forms(page) if each.action.endswith("/do")), None)
        if last is None:
            return Result(_REFUSED.get(status, "bad_change"), shown=True)
        do = last
        return self._pressed(visit, do.action, do.fields, act)

    def _mail(self, act: Act) -> Result:
        words = [_text(kind, act) for kind in act.given if kind != commands.LINES]
        lines = [" ".join([act.command.name, *words])]
        lines += [act.given[commands.LINES]] if commands.LINES in act.given else []
        return self.mail(act.code, act.actor.address, "\n".join([*lines, f"because {act.actor.reason}"]))

    def mail(self, code: str, address: str, text: str) -> Result:
        """A moderator's mail and the word that confirms it."""
        letter = self._answerable(code, address)
        if letter is None:
            return Result("no letter")
        sender = self.draw([address] * 9 + [ELSEWHERE])
        asked = self.world.mail(letter, text, sender)
        self.world.settle()
        with self.world.service.reading() as session:
            inbound = session.get_one(Inbound, asked)
            confirm = _letter(session, Letter.key, f"{CONFIRM_COMMAND}/{asked}/")
            confirm = confirm or _letter(session, Letter.key, f"foreign-{CONFIRM_COMMAND}/{asked}/")
        if inbound.status == "read":
            return Result()  # it asked how the game stands
        if confirm is None or confirm.fate not in ("sent", "unknown"):
            return Result(inbound.problem or "no letter")
        return self._confirmed(confirm)

    def _confirmed(self, letter: Letter) -> Result:
        number = self.world.mail(letter, "confirm")
        self.world.settle()
        with self.world.service.reading() as session:
            inbound = session.get_one(Inbound, number)
        return Result("" if inbound.status == "read" else inbound.problem, again=lambda: self._confirmed(letter))

    def _answerable(self, code: str, address: str) -> Letter | None:
        """The newest letter about the game that who leads it may answer; the desk sends one to who has none."""
        with self.world.service.reading() as session:
            account = account_of(session, address) if address else None
            here = col(Letter.game_id) == game_row(session, code).id
            mine = col(Letter.account_id) == (account.id if account is not None else 0)
            sent = col(Letter.fate).in_(("sent", "unknown")), col(Letter.kind).in_(ANSWERABLE)
            query = select(Letter).where(mine, here, *sent).order_by(col(Letter.queued).desc(), col(Letter.id))
            found = session.exec(query.limit(1)).first()
        visit = self.visit(address)
        if found is not None or visit is None or visit.get(f"/games/{code}/desk")[1] != 200:
            return found
        visit.post(f"/games/{code}/desk-letter", visit.form(f"/games/{code}/desk"))
        self.world.settle()
        with self.world.service.reading() as session:
            return session.exec(query.limit(1)).first()

    def visit(self, address: str) -> "Visit | None":
        """Somebody's browser, signed in; None for who has no account."""
        if self.app is None:
            self.app = create_app(self.world.service)
            for limiter in self.app.extensions["limiter"]:
                limiter.enabled = False  # it counts by the real time, in which a storm is one long moment
        self.app.extensions[EXTENSION] = self.world.service
        with self.world.service.reading() as session:
            account: Account | None = account_of(session, address) if address else None
        if account is None:
            return None
        if address not in self.clients:
            self.clients[address] = self.app.test_client()
        with self.clients[address].session_transaction() as cookie:
            cookie[WHO] = [account.id, account.generation]
        return Visit(self.clients[address])


@dataclass
class Visit:
    """A browser; `at` is the path that it came to last."""

    client: FlaskClient
    at: str = ""

    def get(self, path: str) -> tuple[str, int]:
        """A page and its status. Raises Broken for a fault."""
        return self._seen(self.client.get(path, follow_redirects=True))

    def post(self, path: str, fields: Mapping[str, Any]) -> tuple[str, int]:
        """Send a form, and see where it leads."""
        return self._seen(self.client.post(path, data=fields, follow_redirects=True))

    def form(self, path: str) -> dict[str, str]:
        """What any form of that page has, so that it is known to come from there."""
        page, _ = self.get(path)
        return next((form.fields for form in forms(page) if "csrf_token" in form.fields), {})

    def _seen(self, response: Any) -> tuple[str, int]:
        self.at = response.request.path
        if response.status_code >= 500:
            raise Broken(f"{self.at} answered with {response.status_code}")
        return response.text, response.status_code


_REFUSED = {400: "bad form", 404: "not found", 409: "refused on the desk", 413: "too long"}


def _letter(session: Session, column: Any, begins: str) -> Letter | None:
    return session.exec(select(Letter).where(col(column).startswith(begins))).first()


def _side(number: int, act: Act) -> str:
    return act.sides[number].lower() if 0 <= number < len(act.sides) else f"nobody{abs(number)}"


def _text(kind: str, act: Act) -> str:
    """A parameter as it is written."""
    value = act.given[kind]
    if kind == commands.SEAT:
        return _side(value, act)
    if kind == commands.PLAYER:
        return _guest(value)
    return value.text if isinstance(value, Wanted) else str(value)


def words_of(act: Act) -> list[str]:
    """The parameters as words of the command line."""
    known = {each.name: each for each in game.commands[act.command.name].params}
    words = []
    for kind in act.given:
        parameter, text = known[kind], _text(kind, act)
        texts = text.split("\n") if parameter.multiple or parameter.nargs == -1 else [text]
        flag = f"{parameter.opts[0]}=" if isinstance(parameter, click.Option) else ""
        words += [f"{flag}{each}" for each in texts]
    return words


def _guest(guest: Guest) -> str:
    return f"{guest.name}={guest.address}" if guest.name else guest.address
