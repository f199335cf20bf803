"""Proposals and votes as rows, and what they come to. One proposal is open in a game at a time, to its stage's end."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import bindparam
from sqlmodel import Session, and_, col, or_, select

from engine.orders.shape import Command
from pbem import clock
from pbem.games.policy import PAUSED
from pbem.games.position import holds
from pbem.storage.models import Game, Proposal, Seat, Vote

END, EXTEND, PAUSE, RESUME, REPLACE, COMMAND = "end", "extend", "pause", "resume", "replace", "command"
"""Kinds of proposal; `COMMAND` is a moderator's who plays as well, and can't do it alone."""
UNANIMOUS = frozenset({END})
"""Kinds that need every other player's word; all others need more than half of the players."""
OPEN, CARRYING, CARRIED, FAILED, LAPSED, REFUSED = "", "carrying", "carried", "failed", "lapsed", "refused"
"""What became of a proposal: voted on, being done, done, voted down, not decided by its stage's end, not possible."""
UNDECIDED = (OPEN, CARRYING)
DRAW, CONCEDE, RULED = "draw", "concede", "ruled"
"""How a game ends by agreement, or by a ruling."""
VOTES = {"vote_yes": True, "vote_no": False}

_PROPOSALS = (
    select(Proposal)
    .where(
        col(Proposal.game_id) == bindparam("game"),
        or_(
            col(Proposal.outcome).in_(UNDECIDED),
            and_(col(Proposal.line) == bindparam("line"), col(Proposal.stage_number) == bindparam("stage")),
        ),
    )
    .order_by(col(Proposal.id))
)
"""Those of a stage, and the one that is open."""

Refusal = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Proposed:
    """What somebody proposes: a kind with its parameters."""

    kind: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Voting:
    """How a game's voting stands: what is open, who has voted how, and which seats have proposed in this stage."""

    proposal: Proposal | None = None
    votes: Mapping[int, bool] = field(default_factory=dict)
    proposed: frozenset[int] = frozenset()


def proposed_by(command: Command) -> Proposed | None:
    """What a player's command proposes; None for any other command."""
    made = {
        "propose_draw": Proposed(END, {"how": DRAW}),
        "propose_pause": Proposed(PAUSE),
        "propose_resume": Proposed(RESUME),
    }
    if command.name == "concede":
        return Proposed(END, {"how": CONCEDE, "seat": command.params["seat"]})
    if command.name == "propose_replace":
        return Proposed(REPLACE, {"seat": command.params["seat"]})
    if command.name == "propose_extend":
        return Proposed(EXTEND, {"hours": command.params["hours"]})
    return made.get(command.name)


def voting(session: Session, game: Game) -> Voting:
    """How the voting stands."""
    stage = {"game": game.id, "line": game.line, "stage": game.stage_number}
    found = session.exec(_PROPOSALS, params=stage).all()
    here = [each.seat for each in found if (each.line, each.stage_number) == (game.line, game.stage_number)]
    proposed = frozenset(seat for seat in here if seat is not None)
    proposal = next((each for each in found if each.outcome in UNDECIDED), None)
    if proposal is None:
        return Voting(proposed=proposed)
    rows = session.exec(select(Vote).where(col(Vote.proposal_id) == proposal.id))
    return Voting(proposal, {row.seat: row.yes for row in rows}, proposed)


def voters(proposal: Proposal, seats: Iterable[Seat]) -> frozenset[int]:
    """The seats whose players may vote: all but who proposes, and who is to be replaced."""
    apart = {proposal.seat}
    if proposal.kind == REPLACE:
        apart.add(params_of(proposal)["seat"])
    return frozenset(
        seat.number
        for seat in seats
        if holds(seat) and seat.number not in apart and seat.account_id != proposal.account_id
    )


def outcome(proposal: Proposal, votes: Mapping[int, bool], seats: Sequence[Seat]) -> str:
    """`CARRIED`, `FAILED`, or `OPEN` while the votes that are in decide nothing."""
    asked = voters(proposal, seats)
    yes = sum(votes.get(seat) is True for seat in asked)
    no = sum(votes.get(seat) is False for seat in asked)
    if proposal.kind in UNANIMOUS:
        return FAILED if no else CARRIED if yes == len(asked) else OPEN
    own = proposal.seat is not None  # who plays and proposes is for it
    total = len(asked) + own
    if 2 * (yes + own) > total:
        return CARRIED
    return FAILED if 2 * no >= total else OPEN


def refusal(game: Game, seats: Sequence[Seat], seat: int, proposed: Proposed, stands: Voting) -> Refusal | None:
    """Why a seat can't propose it now, as a code of `templates/game/reasons.j2`; None where it can."""
    if stands.proposal is not None:
        return "vote_open", {}
    if seat in stands.proposed:
        return "proposed_before", {}
    if proposed.kind != END and game.moderator_id is not None:
        return "has_moderator", {}
    about = proposed.params.get("seat")
    if about == seat:
        return "about_yourself", {}
    if proposed.kind == END and not any(holds(each) and each.number != seat for each in seats):
        return "nobody_agrees", {}
    if proposed.kind == REPLACE and not holds(seats[about if about is not None else 0]):
        return "nobody_to_replace", {}
    if proposed.kind == PAUSE and game.held == PAUSED:
        return "stands_still", {}
    if proposed.kind == RESUME and not game.held:
        return "goes_on", {}
    return None


def vote_refusal(seats: Sequence[Seat], seat: int, stands: Voting) -> Refusal | None:
    """Why a seat can't vote now; None where it can."""
    proposal = stands.proposal
    if proposal is None or proposal.outcome != OPEN:
        return "vote_none", {}
    return None if seat in voters(proposal, seats) else ("vote_not_yours", {})


def put_proposal(session: Session, game: Game, proposed: Proposed, proposal: Proposal) -> None:
    """Store a proposal, whose kind, parameters and place are filled in. `game` is locked, and stored by the caller."""
    assert game.id is not None
    proposal.game_id, proposal.kind = game.id, proposed.kind
    proposal.params = msgspec.json.encode(proposed.params).decode()
    proposal.line, proposal.stage_number, proposal.created = game.line, game.stage_number, clock.now()
    session.add(proposal)
    game.voting, game.tend_at = True, clock.now()


def put_vote(session: Session, game: Game, proposal: Proposal, seat: int, *, yes: bool) -> None:
    """Store a vote, in place of an earlier one of the seat."""
    assert proposal.id is not None
    mine = col(Vote.proposal_id) == proposal.id, col(Vote.seat) == seat
    row = session.exec(select(Vote).where(*mine)).one_or_none()
    row = row or Vote(proposal_id=proposal.id, seat=seat, yes=yes, at=clock.now())
    row.yes, row.at = yes, clock.now()
    session.add(row)
    game.tend_at = clock.now()


def params_of(proposal: Proposal) -> dict[str, Any]:
    """A proposal's parameters."""
    found: dict[str, Any] = msgspec.json.decode(proposal.params)
    return found
