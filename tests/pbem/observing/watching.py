"""A game that is observed, for tests."""

from uuid import uuid4

from pbem.accounts import create_account
from pbem.context import Service
from pbem.games.gathering import Newcomer, come
from pbem.games.lifecycle import Plan, create_game
from pbem.storage.models import Letter
from tests.pbem.games.test_gathering import request
from tests.pbem.mail.mailing import HOME, post, reply
from tests.pbem.playing import AT_ANY_HOUR, NAMES, Match
from tests.pbem.web.visiting import letters_to

EVE, MODERATOR = "eve@players.example", "mod@players.example"
TURN = "bid 1 or 2 or 3 or 4 or 5 or 6\nalways defend nothing"


def open_game(service: Service, rules: str = "tinygame", **plan: object) -> Match:
    """A listed game of three that has begun, at its brisk pace, a stage a turn in the tiny game."""
    policy = {"ask_share": "100", "pause_after": "0", "open_after": "0", **plan.pop("policy", {})}  # type: ignore[dict-item]
    given: dict[str, object] = {"settle_minutes": 0, "stage_hours": 24, "schedule": AT_ANY_HOUR, "pace": "brisk"}
    given |= {"options": {"lives": 3, "turns": 20}, **plan}
    given = {
        "title": "Deep Shaft",
        "moderator": MODERATOR,
        "listed": True,
        "seating": "choice",
        "policy": policy,
        **given,
    }
    code = create_game(service, Plan(rules, [], free=3, **given))  # type: ignore[arg-type]
    match = Match(service, code)
    for name in NAMES[:3]:
        come(service, match.id, Newcomer(create_account(service, f"{name.lower()}@players.example", name)))
    match.settle()
    return match


def turns(match: Match, count: int) -> None:
    """So many turns, each by its deadline."""
    for _ in range(count):
        match.pass_deadline()


def send(match: Match, letter: Letter, text: str, sender: str = "") -> None:
    """Answer a letter."""
    post(match.service, reply(letter, text, sender, Message_ID=f"<{uuid4().hex}@{HOME}>"))


def observing(match: Match, address: str = EVE, name: str = "Eve") -> None:
    """Somebody begins to observe by mail: asks, and answers the letter that comes."""
    post(match.service, request(f"observe {match.code}", f"{name} <{address}>"))
    send(match, letters_to(match.service, address, "observing")[-1], "observe")
    match.settle()


def observed(match: Match, address: str = EVE) -> list[Letter]:
    """The letters of turns that an observer got."""
    return letters_to(match.service, address, "observed")
