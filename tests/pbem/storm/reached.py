"""What a storm has to reach, and what it has reached as the database has it: each kind of step."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from sqlmodel import Session, SQLModel, col, select

from pbem.context import Service
from pbem.rulings.goingback import CHANCES, REDRAW, SHEETS
from pbem.storage.models import (
    Absence,
    Account,
    Game,
    Observer,
    Press,
    Proposal,
    Ruling,
    Seat,
    Standby,
    Submission,
    Tenure,
)
from pbem.voting.proposals import CARRIED, COMMAND, EXTEND, FAILED, LAPSED, PAUSE, REPLACE, RESUME

ACTS = (
    *("orders_entered", "orders_withdrawn", "orders_admitted", "deadline_extended", "deadline_ended", "stage_forced"),
    *("rolled_back", "redraw_asked", "returned", "state_changed", "looked", "seen_as", "previewed", "sent", "released"),
    *("held_for_review", "paused", "unpaused", "standin_set", "standin_ended", "seat_offered", "seat_taken_away"),
    *("seat_replaced", "seat_opened", "seats_drawn", "press_muted", "press_unmuted", "ended", "ended_agreed", "undone"),
    "moved",
    *("nmr_extended", "nmr_waited", "nmr_asked", "asked_in_vain", "quiet_paused", "taken_up", "abandoned", "outage"),
    *("policy_changed", "schedule_changed", "observer_invited"),
)
"""Codes of what is on record: all but what needs a fault of the rules (`resumed`), or newer ones (`rules_moved`)."""
REDRAWN_TWICE = "a stage drawn anew twice"
BY_VOTE = "vote: a moderator's command carried"


def of_steps() -> set[str]:
    """The kinds of step by name, but for commands and ways."""
    back = {f"roll-back: {chance}, {sheets}" for chance in CHANCES for sheets in SHEETS}
    votes = {f"vote: {kind} carried" for kind in ("draw", "concede", EXTEND, PAUSE, RESUME, REPLACE)}
    return {*(f"act: {act}" for act in ACTS), *back, *votes, BY_VOTE, REDRAWN_TWICE, *_FOUND}


def reached(service: Service, counted: Mapping[str, int]) -> set[str]:
    """Those of them that have happened; `counted` is what the storm itself did."""
    with service.reading() as session:
        rulings = _all(session, Ruling)
        proposals = _all(session, Proposal)
        found = {name for name, is_there in _FOUND.items() if is_there(session, counted)}
    found |= {f"act: {each.act}" for each in rulings}
    found |= _back(rulings, proposals)
    for each in proposals:
        if each.outcome == CARRIED:
            params = msgspec.json.decode(each.params)
            found.add(BY_VOTE if each.kind == COMMAND else f"vote: {params.get('how', each.kind)} carried")
    return found


def _all(session: Session, table: type[Any]) -> list[Any]:
    return list(session.exec(select(table).order_by(col(table.id))))


def _back(rulings: Iterable[Ruling], proposals: Iterable[Proposal]) -> set[str]:
    """How games went back."""
    found, anew = set(), Counter[tuple[int, str]]()
    for each in rulings:
        if each.act != "rolled_back":
            continue
        params = msgspec.json.decode(each.params)
        found.add(f"roll-back: {params['chance']}, {params['sheets']}")
        if params["chance"] == REDRAW:
            anew[each.game_id, params["stage"]] += 1
    return found | ({REDRAWN_TWICE} if max(anew.values(), default=0) > 1 else set())


def _row(table: type[SQLModel], *where: Any) -> Callable[[Session, Mapping[str, int]], bool]:
    return lambda session, _: session.exec(select(table).where(*where).limit(1)).first() is not None


def _did(name: str) -> Callable[[Session, Mapping[str, int]], bool]:
    return lambda _, counted: counted[name] > 0


_FOUND: Mapping[str, Callable[[Session, Mapping[str, int]], bool]] = {
    "late orders used": _row(Submission, col(Submission.used_late).is_not(None)),
    "late orders left alone": _row(Submission, col(Submission.late).is_(True), col(Submission.used_late).is_(None)),
    "something taken back": _row(Submission, col(Submission.undone).is_not(None)),
    "orders by the page": _row(Submission, col(Submission.source) == "page"),
    "orders that stand": _row(Submission, col(Submission.text).contains("always "), col(Submission.acted).is_(True)),
    "an absence": _row(Absence),
    "a daily mail": _row(Account, col(Account.mails) == "daily"),
    "quiet hours": _row(Account, col(Account.quiet_from) != col(Account.quiet_to)),
    "press to all": _row(Press, col(Press.everyone).is_(True), col(Press.sender).is_not(None)),
    "press to who leads": _row(Press, col(Press.to_moderator).is_(True)),
    "unsigned press": _row(Press, col(Press.anonymous).is_(True)),
    "an answer to press": _row(Press, col(Press.answers) != ""),
    "press of who leads": _row(Press, col(Press.sender).is_(None)),
    "a player who mutes": _row(Seat, col(Seat.mutes) != ""),
    "a resignation": _row(Seat, col(Seat.resigned).is_not(None)),
    "somebody who waits": _row(Standby, col(Standby.waits).is_(True)),
    "a seat that passed on": _row(Tenure),
    "a game over": _row(Game, col(Game.status) == "over"),
    "a game given up": _row(Game, col(Game.status) == "cancelled"),
    "a proposal voted down": _row(Proposal, col(Proposal.outcome) == FAILED),
    "a proposal lapsed": _row(Proposal, col(Proposal.outcome) == LAPSED),
    "a preview sent too late": _did("refused: changed_since"),
    "a seat taken by the page": _did("took"),
    "a second press": _did("second presses"),
    "pages read": _did("pages read"),
    "somebody who observes": _row(Observer, col(Observer.since).is_not(None)),
    "a death": _did("deaths"),
    "a clock put back": _did("clock put back"),
    "an outage over a deadline": _did("deadlines in an outage"),
    "another state that a seat must think possible": _did("other states"),
}
