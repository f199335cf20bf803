"""All that a seat can see, by name, so that two worlds can be compared."""

from random import Random
from typing import Any

from engine.chance import pick_from
from engine.contract import Rules
from engine.errors import Illegal
from engine.spaces import check, every, sample
from pbem.context import Service
from pbem.games import status, writing
from pbem.games.leading import awaited
from pbem.games.position import Position
from pbem.games.posting import post
from pbem.games.resolve import Outcome
from pbem.games.telling import Telling, asks_of, sides
from pbem.letters import Recipient
from pbem.observing.horizon import Moment
from pbem.observing.letters import observed_letter
from pbem.observing.reports import Happened, Stretch, observed
from pbem.reports.data import encode, plain
from pbem.reports.render import acknowledgement_letter, report_letter
from pbem.sheets.answers import Answers
from pbem.storage.models import Letter, Report
from pbem.web import home, standing
from pbem.web.api.games import row_told
from pbem.web.api.orders import read_told
from pbem.web.api.reports import report_told
from pbem.web.reports import shown
from pbem.words import Words
from tests.pbem.games import inmemory

Sights = dict[str, Any]

WORDS = Words.of("en", "UTC")
LISTED = 30


def of_position(service: Service, position: Position, seat: int, texts: dict[str, str]) -> Sights:
    """What it sees while it waits: view, legal choices, who is waited for, pages, the answer to whatever it sends."""
    rules, state, game, row = position.rules, position.table.state, position.game, position.seats[seat]
    view = rules.view(state, seat)
    sights: Sights = {
        "view": plain(view),
        "public view": plain(rules.view(state, None)),
        "stage": rules.stage(state, game.pace),
        "agenda": rules.agenda(view, game.pace),
        "decision": rules.pending(state),
        "asked": asks_of(position),
        "legal choices": legal(rules, state, seat),
        "page of the seat": standing._asked(position, row, WORDS),
        "waited for": awaited(game, position.seats),
        "list of games": home._row(game, row, position.seats, WORDS),
        "list of games of the API": row_told(home._row(game, row, position.seats, WORDS), []),
        "mailed list of games": status._row(game, row, position.seats, WORDS),
    }
    if game.status != "playing":
        return sights
    for name, text in texts.items():
        mail = inmemory.post_of(position, seat, text)
        found = inmemory.read(position, mail)
        told = inmemory.acknowledged(position, mail, found)
        answers = Answers(service, inmemory.NOTHING, position, seat, mail.key, found.followed)
        sights[f"acknowledgement of {name}"] = encode(told)
        sights[f"letter that acknowledges {name}"] = acknowledgement_letter(told, WORDS)
        sights[f"answer of the API to {name}"] = read_told(told, WORDS)
        sights[f"check of {name}"] = encode(inmemory.acknowledged(position, mail, found, "checked"))
        sights[f"letters that answer {name}"] = [envelope(letter, own=True) for letter in answers.letters()]
    return sights


def legal(rules: Rules, state: Any, seat: int) -> object:
    """The seat's legal choices, its default, and what it is told of choices that are not legal."""
    decision = rules.pending(state)
    if decision is None or seat not in decision.seats:
        return None
    space = rules.space(state, seat)
    pick = pick_from(Random(7))
    choices = [sample(space, pick) for _ in range(LISTED)]
    return rules.default(state, seat), every(space, LISTED), choices, [_refusal(space, each) for each in _bad(choices)]


def _bad(choices: list[Any]) -> list[Any]:
    """Choices with one number far too large."""
    made = []
    for choice in choices[:5]:
        fields = [name for name in choice.__struct_fields__ if type(getattr(choice, name)) is int]
        made += [type(choice)(**{**_fields(choice), name: getattr(choice, name) + 100_000}) for name in fields]
    return made


def _fields(choice: Any) -> dict[str, Any]:
    return {name: getattr(choice, name) for name in choice.__struct_fields__}


def _refusal(space: Any, choice: Any) -> object:
    try:
        check(space, choice)
    except Illegal as illegal:
        return illegal.code, dict(illegal.params), illegal.part, illegal.nearest
    return None


def of_outcome(service: Service, outcome: Outcome, seat: int) -> Sights:
    """What it is told when play has gone on, and when others are told; `outcome` has a neutral head."""
    telling = Telling(outcome.position, outcome.records, outcome.outlook, [])
    report = telling.report(seat)
    posted = post(service, telling, outcome.asked)
    row = Report(
        game_id=1, line=0, seat=seat, kind="", entry=0, stage_key="", stage_number=0, at=inmemory.NOON, data=b""
    )
    row.data = encode(report)
    return {
        "report": encode(report),
        "letter of the report": report_letter(report, WORDS),
        "page of the report": shown(row, WORDS),
        "report of the API": report_told(row, 1, WORDS),
        "public report": encode(telling.report(None)),
        "letter to an observer": watched(service, outcome),
        "stop": (outcome.outlook.stage, outcome.outlook.waiting, outcome.outlook.closed, outcome.outlook.over),
        "times": (outcome.outlook.deadline, outcome.settle_until),
        "told": outcome.asked,
        "letters": [envelope(letter, own=letter.seat == seat) for letter in posted.letters],
        "reports": [(each.seat, each.kind, each.entry, each.stage_key, each.picture) for each in posted.reports],
        "row of the game": writing._game(outcome),
        "row of the seat": {**writing._seat(outcome, outcome.position.seats[seat])},
        "who is ready": [writing._seat(outcome, each)["ready"] for each in outcome.position.seats],
    }


def watched(service: Service, outcome: Outcome) -> Letter:
    """What an observer is told of it."""
    position = outcome.position
    events = Happened([(record.entry.number, list(record.events)) for record in outcome.records], [])
    part = Stretch(0, 0, Moment(position.table.number, position.game.stage_key, inmemory.NOON))
    report = observed(position, position.table, part, events, sides(position, is_over=False))
    return observed_letter(service, position.game, Recipient(99, "Eve", "eve@players.example", WORDS), report)


def envelope(letter: Letter, *, own: bool) -> dict[str, Any]:
    """A letter; of another's that it was sent, when, and as what."""
    inside = {"subject", "content", "text"}
    return {name: value for name, value in letter.model_dump().items() if own or name not in inside}


def differences(real: Sights, other: Sights) -> list[str]:
    """The names of all that is not the same."""
    return [name for name in real if real[name] != other[name]]
