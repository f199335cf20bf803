"""Every letter, in text and HTML, in words of the catalog alone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from jinja2 import UndefinedError
from msgspec import structs

from engine.orders.reader import read
from engine.registry import load
from pbem.games.leading import Side, Stands
from pbem.reports.data import Acknowledgement, ReadLine, Seat, Unanswered, decode_acknowledgement, encode
from pbem.reports.environments import FOLDER
from pbem.reports.letters import letter
from pbem.reports.render import acknowledgement_letter
from pbem.words import PSEUDO, Words
from tests.pbem.reports.plain import bypassing, shown
from tests.pbem.reports.playing import DEADLINE, SETUP, stops

ENGLISH = Words.of("en", "Europe/Paris")
AT = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
URL = "https://x/y"
ORDERS = ("bid 1200 + 1 zinc", "place workshop 1")
STANDS = Stands(
    title="Deep Thought",
    rules="⟦Ř⟧",
    status="playing",
    aside=False,
    turn="2",
    stage="⟦Š⟧",
    deadline=DEADLINE,
    held="",
    sides=(
        Side(0, "⟦Ř⟧", "Mo", "", 2, awaited=True, joined=True),
        Side(1, "⟦Ǧ⟧", "Bram", "steady", 1, awaited=False, joined=True),
        Side(2, "⟦Ƀ⟧", "", "steady", 0, awaited=False, joined=False),
        Side(3, "⟦Ř⟧", "Anouk", "", 0, awaited=False, joined=False),
    ),
)

PARAMS: dict[str, dict[str, Any]] = {
    "invitation": {
        "title": "Deep Thought",
        "rules": "⟦Ř⟧",
        "host": "Mo",
        "player": "Anouk",
        "side": "⟦Ř⟧",
        "others": ["⟦Ǧ⟧"],
        "pace": "strict",
        "played_with": ["⟦Ř⟧"],
        "secret_hash": "5e" * 8,
        "url": URL,
        "guide": URL,
        "answer_by": DEADLINE,
        "note": "Bram",
        "drawn": False,
        "starts_at": None,
        "anonymous": False,
    },
    "proposal": {
        "title": "Deep Thought",
        "side": "⟦Ř⟧",
        "what": "⟦Á⟧",
        "reason": "Bram",
        "unanimous": True,
        "deadline": DEADLINE,
        "url": URL,
    },
    "unvoted": {"title": "Deep Thought", "what": "⟦Á⟧", "why": "failed"},
    "invitation_again": {
        "title": "Deep Thought",
        "rules": "⟦Ř⟧",
        "player": "Anouk",
        "side": "⟦Ř⟧",
        "url": URL,
        "guide": URL,
        "answer_by": DEADLINE,
    },
    "expired": {"title": "Deep Thought", "player": "Bram", "side": "⟦Ř⟧", "own": False},
    "nobody": {"title": "Deep Thought"},
    "ungathered": {"title": "Deep Thought", "days": 30},
    "date": {"title": "Deep Thought", "starts_at": DEADLINE},
    "opening": {
        "title": "Deep Thought",
        "rules": "⟦Ř⟧",
        "host": "Mo",
        "player": "Anouk",
        "free": ["⟦Ř⟧"],
        "sides": ["red"],
        "drawn": False,
        "waiting": 2,
        "has_begun": False,
        "pace": "strict",
        "anonymous": False,
        "starts_at": DEADLINE,
        "played_with": ["⟦Ř⟧"],
        "secret_hash": "5e" * 8,
        "url": URL,
        "guide": URL,
    },
    "waiting": {"title": "Deep Thought", "player": "Anouk", "place": 1, "has_begun": False, "url": URL},
    "left": {"title": "Deep Thought", "player": "Anouk"},
    "observing": {
        "title": "Deep Thought",
        "rules": "⟦Ř⟧",
        "player": "Anouk",
        "occasion": "invited",
        "host": "Mo",
        "reason": "⟦Ŵ⟧",
        "delay": 2,
        "anonymous": True,
        "url": URL,
        "guide": URL,
    },
    "observing_ended": {"title": "Deep Thought", "player": "Anouk", "reason": "⟦Ŵ⟧"},
    "began_without": {"title": "Deep Thought", "player": "Anouk", "takes": True, "waiting": 2, "url": URL},
    "observer_waits": {"title": "Deep Thought", "player": "Anouk"},
    "joined": {
        "title": "Deep Thought",
        "rules": "⟦Ř⟧",
        "player": "Anouk",
        "side": "⟦Ř⟧",
        "missing": 2,
        "url": URL,
        "guide": URL,
        "word": "Mo",
        "drawn": False,
        "starts_at": None,
    },
    "offer": {
        "title": "Deep Thought",
        "rules": "⟦Ř⟧",
        "host": "Mo",
        "reason": "Bram",
        "player": "Anouk",
        "side": "⟦Ř⟧",
        "turn": 2,
        "stage": "⟦Š⟧",
        "pace": "strict",
        "played_with": ["⟦Ř⟧"],
        "position": ["⟦Á⟧"],
        "url": URL,
        "guide": URL,
        "answer_by": DEADLINE,
    },
    "offer_declined": {"title": "Deep Thought", "player": "Bram", "side": "⟦Ř⟧", "lapsed": False},
    "offer_lapsed": {"title": "Deep Thought", "side": "⟦Ř⟧"},
    "replaced": {"title": "Deep Thought", "side": "⟦Ř⟧", "player": "Anouk", "reason": "Bram"},
    "declined": {"title": "Deep Thought", "player": "Bram", "side": "⟦Ř⟧"},
    "reminder": {
        "title": "Deep Thought",
        "side": "⟦Ř⟧",
        "turn": 2,
        "stage": "⟦Š⟧",
        "left": timedelta(hours=6),
        "deadline": DEADLINE,
        "otherwise": ["⟦Á⟧"],
        "url": URL,
    },
    "calendar": {"title": "Deep Thought", "side": "⟦Ř⟧", "deadline": DEADLINE, "gone": False, "url": URL},
    "newtoken": {"title": "Deep Thought", "side": "⟦Ř⟧"},
    "resigned": {"title": "Deep Thought", "side": "⟦Ř⟧", "player": "Bram", "own": False, "nobody": ""},
    "held": {
        "title": "Deep Thought",
        "sender": "mo@x",
        "proven": True,
        "received": AT,
        "lines": ORDERS,
        "withheld": False,
        "url": URL,
    },
    "stranger": {},
    "fault": {"title": "Deep Thought", "reference": "7", "at": AT},
    "looked": {"title": "Deep Thought", "by": "Mo", "reason": "Bram", "at": AT},
    "ruling": {
        "title": "Deep Thought",
        "sentences": ["⟦Á⟧"],
        "deadline": DEADLINE,
        "voted": False,
        "given_up": False,
    },
    "course": {
        "title": "Deep Thought",
        "sentences": ["⟦Á⟧"],
        "nobody": "",
        "mine": False,
        "asks": False,
        "deadline": DEADLINE,
    },
    "absence": {
        "title": "Deep Thought",
        "side": "⟦Ř⟧",
        "begins": AT,
        "ends": DEADLINE,
        "now": AT,
        "deadline": DEADLINE,
    },
    "newaddress": {"player": "Mo", "url": URL},
    "token": {"player": "Mo", "what": "made", "token": "Bram", "scope": "play", "url": URL},
    "leaving": {"player": "Mo", "url": URL, "hours": 24},
    "addresses": {"player": "Mo", "what": "added", "address": "mo@x", "url": URL},
    "postmaster": {"sender": "mo@x", "subject": "Bram", "received": AT, "lines": ("Mo", "Bram"), "number": 7},
    "undelivered": {
        "title": "Deep Thought",
        "side": "⟦Ř⟧",
        "player": "Mo",
        "subject": "Bram",
        "kind": "hard",
        "said": "5.1.1 mo@x",
    },
    "undone": {"title": "Deep Thought", "side": "⟦Ř⟧"},
    "extension": {
        "title": "Deep Thought",
        "side": "⟦Ř⟧",
        "player": "Mo",
        "hours": 24,
        "reason": "Mo",
        "deadline": DEADLINE,
        "grant": "1234",
        "answer": ORDERS,
    },
    "blocked": {"postmaster": "mo@x"},
    "blockedseat": {"title": "Deep Thought", "side": "⟦Ř⟧", "player": "Mo", "blocked": True, "reason": "Bram"},
    "leading": {"title": "Deep Thought", "rules": "⟦Ř⟧", "url": URL},
    "desk": {
        "stands": STANDS,
        "forms": [(list(ORDERS), "⟦Á⟧")],
        "sides": ["⟦Ř⟧"],
        "levels": ["⟦Ǧ⟧"],
        "url": URL,
        "hours": 48,
    },
    "confirmcommand": {
        "stands": STANDS,
        "lines": ORDERS,
        "does": "⟦Á⟧",
        "reveals": True,
        "rules": True,
        "sender": "",
        "url": URL,
        "hours": 48,
    },
    "nocommand": {
        "title": "Deep Thought",
        "reason": "⟦Á⟧",
        "forms": [(list(ORDERS), "⟦Á⟧")],
        "all": True,
        "rules": True,
        "sides": ["⟦Ř⟧"],
        "levels": ["⟦Ǧ⟧"],
        "url": URL,
    },
    "commanded": {
        "title": "Deep Thought",
        "done": "⟦Á⟧",
        "rules": True,
        "deadline": DEADLINE,
        "acknowledgement": None,
        "url": URL,
    },
    "press": {
        "title": "Deep Thought",
        "author": "⟦Ř⟧",
        "readers": ["⟦Ǧ⟧"],
        "text": "Mo\nBram",
        "everyone": False,
        "moderator": True,
        "anonymous": False,
        "answerable": True,
    },
    "message": {"title": "Deep Thought", "side": "⟦Ř⟧", "text": "Mo\nBram", "everyone": False},
    "signin": {"url": URL, "minutes": 20, "player": "Anouk"},
    "confirm": {"title": "Deep Thought", "action": "resign", "what": "", "url": URL, "hours": 48},
    "orders": {
        "title": "Deep Thought",
        "side": "⟦Ř⟧",
        "sheet": ORDERS,
        "late": ORDERS[:1],
        "stage": "⟦Á⟧",
        "deadline": DEADLINE,
        "ready": False,
    },
    "status": {
        "games": [
            {
                "title": "Deep Thought",
                "side": "⟦Ř⟧",
                "stage": "⟦Á⟧",
                "deadline": DEADLINE,
                "ready": True,
                "waiting": ["⟦Ǧ⟧"],
                "over": False,
                "status": "playing",
                "aside": False,
                "installed": True,
            },
        ],
    },
    "history": {"title": "Deep Thought", "chapters": [("⟦Á⟧", ["⟦Ƀ⟧"])]},
    "help": {
        "title": "Deep Thought",
        "rules": "⟦Ř⟧",
        "kind": "bid",
        "side": "red",
        "topic": "",
        "orders": [("⟦Á⟧", list(ORDERS))],
        "later": [],
    },
    "unreadable": {"received": AT, "subject": "Mo", "reason": "⟦Á⟧"},
    "setaside": {"received": AT, "by_mail": False, "operator": True},
    "aside": {"number": 7, "received": AT},
}

PROBLEM = ReadLine(text="bid 12000", code="too_much_money", params={"most": 3000}, token="12000", nearest="bid 3000")
TOLD = Acknowledgement(
    game="rw1",
    title="Deep Thought",
    seat=0,
    seats=tuple(Seat(side) for side in ("red", "green", "purple", "white")),
    rules="rockwell",
    setup=SETUP,
    turn=2,
    stage="auction",
    outcome="kept",
    problems=(PROBLEM,),
    lines=(ReadLine(text="plase workshop 1", order="place workshop 1", doubts=(("plase", "place"),)),),
    commands=("not ready",),
    passed_over=2,
    prose=("Mo", "Bram"),
    added=("place workshop 1",),
    removed=("place control 2",),
    sheet=("place workshop 1",),
    unanswered=(Unanswered(kind="bid"),),
    press=(1, 2),
    deadline=DEADLINE,
    seal="5e" * 8,
)


UNDONE = letter(Words.of(PSEUDO), "undone", title="Deep Thought", side="⟦Ř⟧")
GAME = PARAMS["status"]["games"][0]
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in sorted(PARAMS)),
    ("invitation", {"pace": "brisk", "note": "", "url": "", "answer_by": None}),
    ("offer", {"pace": "brisk", "reason": ""}),
    ("offer_declined", {"lapsed": True}),
    ("replaced", {"reason": ""}),
    ("joined", {"missing": 0, "word": ""}),
    ("joined", {"missing": 1}),
    ("joined", {"drawn": True, "starts_at": DEADLINE}),
    ("invitation", {"drawn": True, "starts_at": DEADLINE, "anonymous": True}),
    ("invitation_again", {"side": ""}),
    ("proposal", {"side": "", "reason": "", "unanimous": False, "deadline": None}),
    ("unvoted", {"why": "lapsed"}),
    ("unvoted", {"why": "refused"}),
    ("expired", {"side": ""}),
    ("expired", {"own": True}),
    ("ungathered", {"days": 1}),
    ("date", {"starts_at": None}),
    ("opening", {"drawn": True, "pace": "brisk", "starts_at": None}),
    ("observing", {"occasion": "begun", "delay": 0, "anonymous": False}),
    ("observing", {"occasion": "asked", "delay": 1}),
    ("observing_ended", {"reason": ""}),
    ("began_without", {"waiting": 1}),
    ("began_without", {"takes": False}),
    ("opening", {"free": [], "sides": [], "waiting": 1}),
    ("opening", {"has_begun": True, "anonymous": True}),
    ("waiting", {"place": 2, "has_begun": True}),
    ("reminder", {"otherwise": []}),
    ("calendar", {"gone": True}),
    ("confirm", {"action": "address", "what": "mo@x", "hours": 1, "url": ""}),
    ("confirm", {"action": "new_token", "title": ""}),
    ("resigned", {"own": True, "nobody": "⟦Á⟧"}),
    ("ruling", {"given_up": True, "deadline": None}),
    ("setaside", {"operator": False}),
    ("resigned", {"player": ""}),
    ("press", {"everyone": True, "answerable": False}),
    ("press", {"author": "", "anonymous": True}),
    ("press", {"author": "", "anonymous": True, "everyone": True}),
    ("press", {"readers": [], "answerable": False}),
    ("press", {"anonymous": True, "answerable": False}),
    ("message", {"everyone": True}),
    ("addresses", {"what": "removed"}),
    ("addresses", {"what": "moved"}),
    ("addresses", {"what": "merged"}),
    ("blockedseat", {"blocked": False}),
    ("postmaster", {"subject": ""}),
    ("undelivered", {"kind": "soft", "said": ""}),
    ("undelivered", {"kind": "waiting"}),
    ("undelivered", {"kind": "bad-address", "said": ""}),
    ("undelivered", {"kind": "complained"}),
    ("course", {"mine": True, "deadline": None}),
    ("course", {"asks": True, "deadline": None}),
    ("absence", {"now": DEADLINE, "deadline": None}),
    ("absence", {"begins": None, "ends": None, "deadline": None}),
    ("absence", {"begins": DEADLINE, "deadline": None}),
    ("extension", {"hours": 1, "reason": "", "deadline": None}),
    ("extension", {"answer": ()}),
    ("desk", {"stands": replace(STANDS, stage="", status="over"), "hours": 1}),
    ("desk", {"stands": replace(STANDS, aside=True)}),
    ("desk", {"stands": replace(STANDS, held="⟦Á⟧")}),
    ("confirmcommand", {"stands": replace(STANDS, aside=True), "sender": "mo@x", "hours": 1}),
    ("confirmcommand", {"stands": replace(STANDS, held="⟦Á⟧"), "reveals": False}),
    ("held", {"proven": False}),
    ("held", {"withheld": True, "lines": []}),
    ("confirmcommand", {"rules": False, "reveals": False}),
    ("nocommand", {"all": False}),
    ("nocommand", {"all": False, "rules": False}),
    ("commanded", {"rules": False, "deadline": None}),
    ("commanded", {"deadline": None, "acknowledgement": UNDONE}),
    ("orders", {"sheet": (), "late": (), "ready": True}),
    ("status", {"games": []}),
    ("status", {"games": [{**GAME, "over": True}, {**GAME, "stage": ""}, {**GAME, "aside": True}]}),
    ("status", {"games": [{**GAME, "status": "moved"}]}),
    ("status", {"games": [{**GAME, "installed": False}]}),
    ("history", {"chapters": []}),
    ("help", {"topic": "bid"}),
    ("unreadable", {"subject": ""}),
    ("signin", {"minutes": 1}),
]
"""Each letter in each of its forms."""


def test_every_letter_is_rendered_here() -> None:
    """No template goes untested; one that is added needs its parameters above."""
    names = {path.stem for path in (FOLDER / "mail").glob("*.j2")}
    assert names == set(PARAMS) | {"acknowledgement"}


@pytest.mark.parametrize(("name", "other"), VARIANTS)
def test_a_letter_is_in_words_of_the_catalog_alone(name: str, other: dict[str, Any]) -> None:
    """In the pseudo-locale neither subject, text nor HTML has a plain word but names, orders and addresses."""
    made = letter(Words.of(PSEUDO, "Europe/Paris"), name, **{**PARAMS[name], **other})
    quoted = QUOTED | {
        "bid ____",
        "pbem mail log --fate aside",
        "leave",
        "observe",
        "join red",
        "vote yes",
        "vote no",
        URL,
        "mo@x",
        "5e" * 8,
        *ORDERS,
    }
    assert made.subject
    for text in (made.subject, made.text, shown(made.html)):
        assert bypassing(text, *quoted) == set()


def test_other_lines_are_said_to_stand_where_there_are_some() -> None:
    """A mail in which nothing could be used is not told of other lines."""
    some = acknowledgement_letter(TOLD, ENGLISH).text
    none = acknowledgement_letter(
        structs.replace(TOLD, outcome="nothing", lines=(), commands=(), press=(), added=(), removed=()), ENGLISH
    ).text
    assert "The other lines stand." in some
    assert "The other lines stand." not in none
    assert "Nothing could be used" in none


QUOTED = {
    "join marmalade",
    "join",
    "decline",
    "use",
    "confirm",
    "observe",
    "status",
    "to writer: …",
    "to all: …",
    "mute anonymous",
    "SEAT",
    "LEVEL",
    "extend 24",
    "force",
    "resume",
    "pause",
    "because",
    "new token",
    "help",
    "help bid",
    "help conditions",
    "if",
    "or",
    "always",
    "never mind",
    "ready",
    "not ready",
    "check",
    "clear",
    "cancel bid",
    "show orders",
    "show report",
    "history 3",
    "to red: …",
    "to ⟦Ř⟧: …",
    "undo",
    "absent 3 dec to 10 dec",
    "back",
    "mail daily at 8:00",
    "mail each step",
    "mail when asked",
    "mail now",
    "remind 6h",
    "quiet 22:00 to 7:00",
    "calendar on",
    "calendar off",
    "extend 24h: reason",
    "resign",
    "pbem mail show 7",
}


@pytest.mark.parametrize(("name", "other"), VARIANTS)
def test_no_line_of_a_letter_is_an_order(name: str, other: dict[str, Any]) -> None:
    """A letter sent back whole, without a word added, orders nothing and asks for nothing."""
    stop = next(iter(stops(1)))
    made = letter(ENGLISH, name, **{**PARAMS[name], **other})
    reading = read(made.text, load("rockwell").language, stop.rules.view(stop.state, 0))
    assert (reading.orders, reading.commands, reading.problems) == ((), (), ())


def test_a_letter_with_a_parameter_missing_is_refused() -> None:
    """A blank where a word should stand never goes out."""
    with pytest.raises(UndefinedError):
        letter(ENGLISH, "joined", title="Deep Thought")


def test_html_can_not_be_smuggled_into_a_letter() -> None:
    """What a person typed is shown, not run."""
    made = letter(ENGLISH, "press", **{**PARAMS["press"], "text": "<script>alert(1)</script>\n<b>"})
    assert "<script>" not in made.html
    assert "&lt;script&gt;" in made.html
    assert "<script>alert(1)</script>" in made.text


def test_the_acknowledgement_tells_what_was_made_of_each_line() -> None:
    """Problems first with the nearest that can be read, doubts, difference, sheet, what is open, deadline."""
    made = acknowledgement_letter(decode_acknowledgement(encode(TOLD)), ENGLISH)
    parts = [
        "Your orders are in, with a problem",
        "# bid 12000",
        'At "12000": You have $3,000, no more.',
        "# bid 3000",
        "The other lines stand.",
        '# "place workshop 1" (read "plase" as "place")',
        "2 lines were no orders",
        "# Bram",
        "# - place control 2",
        "# + place workshop 1",
        "Your sheet as it stands",
        "You bid nothing.",
        "You are not ready yet",
        "Deadline: Thursday 3 December, 18:00 (Europe/Paris)",
    ]
    places = [made.text.index(part) for part in parts]
    assert places == sorted(places)


def test_a_word_that_was_taken_for_another_twice_is_told_once() -> None:
    """With the order that it stands in."""
    line = ReadLine(text="play al then al", order="play all then all", doubts=(("al", "all"), ("al", "all")))
    text = acknowledgement_letter(structs.replace(TOLD, lines=(line,)), ENGLISH).text
    assert text.count('"al" as "all"') == 1


@pytest.mark.parametrize("outcome", ["kept", "checked", "late", "nothing"])
def test_the_acknowledgement_is_in_words_of_the_catalog_alone(outcome: str) -> None:
    """The same in the pseudo-locale, whatever became of the submission."""
    told = decode_acknowledgement(encode(TOLD).replace(b'"outcome":"kept"', b'"outcome":"%s"' % outcome.encode()))
    made = acknowledgement_letter(told, Words.of(PSEUDO, "Europe/Paris"))
    orders = [
        "bid 12000",
        "bid 3000",
        "place workshop 1",
        "place control 2",
        "not ready",
        "plase",
        "place",
        "use",
        "5e" * 8,
    ]
    for text in (made.subject, made.text, shown(made.html)):
        assert bypassing(text, *orders) == set()
    stop = next(iter(stops(1)))
    reading = read(
        acknowledgement_letter(told, ENGLISH).text, load("rockwell").language, stop.rules.view(stop.state, 0)
    )
    assert (reading.orders, reading.commands, reading.problems) == ((), (), ())
