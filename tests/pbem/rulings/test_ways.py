"""Each command of a moderator through each of its ways: desk, command line, mail. One act, one record, one news."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.commands import BY_NAME, COMMANDS, mail_form, usage
from pbem.games.lifecycle import Guest
from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import pause
from pbem.rulings.goingback import Back, roll_back
from pbem.rulings.messages import mute_press
from pbem.rulings.observers import invite_observer
from pbem.rulings.previewing import hold_for_review
from pbem.rulings.record import rulings_of
from pbem.rulings.seats import stand_in
from pbem.settings import settings
from pbem.storage.models import Letter
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import HOME, post, reply
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.web.visiting import Visit, app_on, forms

MODERATOR, REASON = "mod@players.example", "all agreed"
OPERATOR = Actor("before")


@dataclass(frozen=True)
class Case:
    """A command where it can be given. `prepare` brings the game there; `params` are those that are put on record."""

    act: str
    params: dict[str, Any] = field(default_factory=dict)
    prepare: Callable[[Match], object] = lambda match: None


def held(match: Match) -> None:
    """Held, with its deadline passed."""
    hold_for_review(match.service, match.code, OPERATOR)
    match.pass_deadline()


def late(match: Match) -> None:
    """Green's orders came after the deadline."""
    first = (match.game.line, match.game.stage_key)
    match.pass_deadline()
    match.say(1, BIDS, asked=first)


def back(match: Match) -> None:
    """Rolled back from the second stage."""
    match.pass_deadline()
    roll_back(match.service, match.code, Back(1), OPERATOR)


def observer(match: Match) -> None:
    """Somebody is invited to observe."""
    invite_observer(match.service, match.code, Guest("dora@players.example", "Dora"), OPERATOR)


CASES: dict[str, Case] = {
    "extend": Case("deadline_extended"),
    "end-deadline": Case("deadline_ended"),
    "force": Case("stage_forced"),
    "pause": Case("paused"),
    "resume": Case("unpaused", prepare=lambda match: pause(match.service, match.code, OPERATOR)),
    "orders": Case("orders_entered", {"seat": 1}),
    "withdraw": Case("orders_withdrawn", {"seat": 1}, lambda match: match.say(1, BIDS)),
    "admit": Case("orders_admitted", {"seat": 1}, late),
    "standin": Case("standin_set", {"seat": 1, "level": "random"}),
    "give-back": Case(
        "standin_ended", {"seat": 1}, lambda match: stand_in(match.service, match.code, 1, "random", OPERATOR)
    ),
    "replace": Case("seat_offered", {"seat": 1}),
    "open": Case("seat_taken_away", {"seat": 1}),
    "invite-observer": Case("observer_invited"),
    "remove-observer": Case("observer_removed", prepare=observer),
    "schedule": Case("schedule_changed", {"schedule": "days=mon,tue,wed,thu,fri"}),
    "policy": Case("policy_changed", {"policy": "nmr=wait"}),
    "end": Case("ended", {"how": "ruled"}),
    "end-moved": Case("moved"),
    "mute": Case("press_muted", {"seat": 1}),
    "unmute": Case("press_unmuted", {"seat": 1}, lambda match: mute_press(match.service, match.code, 1, OPERATOR)),
    "roll-back": Case("rolled_back", {"entry": 1}, lambda match: match.pass_deadline()),
    "return": Case("returned", {}, back),
    "hold": Case("held_for_review"),
    "preview": Case("previewed", prepare=held),
    "send": Case("sent", prepare=held),
    "change": Case("state_changed"),
    "look": Case("looked"),
    "see": Case("seen_as", {"seat": 1}),
}
WRITTEN = {"SEAT": "green", "LEVEL": "random", "HOURS": "12", "ORDER": BIDS, "ENTRY": "1", "LINE": "0"}
WRITTEN |= {
    "[NAME=]ADDRESS": "zoe@players.example",
    "CHANGE": "lives red 7",
    "OBSERVER": "1",
    "NAME=VALUE": "days=mon-fri",
}
TYPED = {"seat": "1", "level": "random", "hours": "12", "lines": BIDS, "entry": "1", "line": "0"}
TYPED |= {"player": "zoe@players.example", "chance": "keep", "sheets": "keep"}
TYPED |= {"observer": "1", "schedule": "days=mon-fri", "policy": "nmr=wait", "deadline": "keep"}


def at_the_desk(match: Match, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its form."""
    visit = Visit(app_on(match.service), match.service, MODERATOR)
    visit.get(f"/games/{match.code}/desk")
    values = {kind: TYPED[kind] for kind in BY_NAME[name].parameters if kind in TYPED}
    if "version" in BY_NAME[name].parameters:
        values["version"] = str(match.game.version)
    visit.send(f"/games/{match.code}/desk/{name}", **{"reason": REASON, **values})  # type: ignore[arg-type]
    if name in ("roll-back", "return"):
        visit.send(f"/games/{match.code}/desk/{name}/do")
    if BY_NAME[name].compared:
        token, pages = forms(visit.page)[0].fields["csrf_token"], f"/games/{match.code}/desk/{name}"
        visit.post(f"{pages}/compare", csrf_token=token, reason=REASON, text=WRITTEN["CHANGE"])
        visit.send(f"{pages}/do")


def on_the_command_line(match: Match, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the guide's table writes it, in the moderator's name."""
    monkeypatch.setenv("PBEM_DATABASE_URL", match.service.database.url.render_as_string(hide_password=False))
    monkeypatch.setattr("pbem.keys.load", lambda path: (b"k" * 32,))
    settings.cache_clear()
    known = {**WRITTEN, "CODE": match.code, "NUMBER": str(match.game.version)}
    if name == "policy":
        known["NAME=VALUE"] = TYPED["policy"]
    words = [known.get(word, word) for word in usage(BY_NAME[name]).split()[1:] if word[0] != "[" or word in known]
    words = [word for word in words if word not in ("redraw]", "clear]", "anew]")]
    made = CliRunner().invoke(main, [*words, "--reason", REASON, "--as", MODERATOR], "y\n", prog_name="pbem")
    assert made.exit_code == 0, made.output


def by_mail(match: Match, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the letter of forms writes it, and by the word that confirms it."""
    form = mail_form(BY_NAME[name])
    for word, value in WRITTEN.items():
        form = form.replace(word, value)
    leading = match.letters(kind="leading")[-1]
    send(match, leading, f"{form}\nbecause {REASON}")
    send(match, match.letters(kind="confirm-command")[-1], "confirm")


def send(match: Match, letter: Letter, text: str) -> None:
    """Answer a letter."""
    post(match.service, reply(letter, text, Message_ID=f"<{uuid4().hex}@{HOME}>"))


WAYS = (at_the_desk, on_the_command_line, by_mail)
GIVEN = [(each.name, way) for each in COMMANDS for way in WAYS if way is not by_mail or each.mailed]


@pytest.mark.parametrize(("name", "way"), GIVEN, ids=lambda value: getattr(value, "__name__", value))
def test_each_command_is_one_act_whichever_way_it_is_given(
    database: Database, monkeypatch: pytest.MonkeyPatch, name: str, way: Callable[..., None]
) -> None:
    """On record under the moderator's name with the reason and the same parameters."""
    service = service_on(database, mail_port=0)
    match = begun(service, pace="brisk", moderator=MODERATOR, policy={"ask_share": "100", "pause_after": "0"})
    case = CASES[name]
    case.prepare(match)
    before = len(rulings_of(service, match.code))
    way(match, name, monkeypatch)
    *looks, ruling = rulings_of(service, match.code)[before:]
    assert [each.act for each in looks] == ["looked"] * BY_NAME[name].compared
    assert (ruling.act, ruling.actor, ruling.reason) == (case.act, "mod", REASON)
    params = msgspec.json.decode(ruling.params)
    assert {key: params[key] for key in case.params} == case.params


def test_every_command_is_tried_here() -> None:
    """One that is added needs its case above."""
    assert set(CASES) == set(BY_NAME)
