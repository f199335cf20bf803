"""What becomes of a proposal: done where it has carried, told where it came to nothing. The sweep comes by for it."""

from collections.abc import Mapping

import structlog
from sqlmodel import Session, col, select

from pbem.accounts import main_address
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.position import holds, players_of, seat_rows
from pbem.games.recording import PLAYERS
from pbem.letters import put
from pbem.persontext import one_line
from pbem.rulings.authority import Actor
from pbem.storage.models import Game, Proposal, Ruling
from pbem.storage.sessions import locked_game
from pbem.voting.kinds import ACTS
from pbem.voting.letters import nothing_letters
from pbem.voting.proposals import CARRIED, CARRYING, FAILED, LAPSED, OPEN, REFUSED, Proposed, outcome, params_of, voting

log = structlog.get_logger()


def decide(service: Service, game_id: int) -> bool:
    """Take the game's proposal a step on, if its time has come; whether it was."""
    with service.reading() as session:
        game = session.get_one(Game, game_id)
        stands = voting(session, game) if game.voting else None
        if stands is None:
            return False
        proposal = stands.proposal
        found = _found(session, game, proposal, stands.votes) if proposal is not None else LAPSED
    if proposal is None or found == CARRIED:
        _close(service, game, proposal, CARRIED)
    elif found in (FAILED, LAPSED):
        _close(service, game, proposal, found)
    elif found == CARRYING:
        _do(service, game, proposal)
    else:
        return False
    return True


def _found(session: Session, game: Game, proposal: Proposal, votes: Mapping[int, bool]) -> str:
    """What is to be done about it: `OPEN` for nothing yet, `CARRYING` for what has carried and is not done."""
    assert game.id is not None
    if proposal.outcome == CARRYING and _is_done(session, game, proposal):
        return CARRIED
    is_past = (proposal.line, proposal.stage_number) != (game.line, game.stage_number)
    if game.status != "playing" or (is_past and proposal.outcome == OPEN):
        return LAPSED
    if proposal.outcome == CARRYING:
        return CARRYING
    said = outcome(proposal, votes, seat_rows(session, game.id))
    return CARRYING if said == CARRIED else said


def _is_done(session: Session, game: Game, proposal: Proposal) -> bool:
    """Whether the ruling that it was bound to is its own."""
    mine = col(Ruling.game_id) == game.id, col(Ruling.number) == proposal.ruling
    ruling = session.exec(select(Ruling).where(*mine)).one_or_none()
    if ruling is None or (ruling.account_id, one_line(ruling.reason)) != (
        proposal.account_id,
        one_line(proposal.reason),
    ):
        return False
    return ruling.account_id is not None or ruling.actor == PLAYERS


def _do(service: Service, game: Game, proposal: Proposal) -> None:
    """Bind it to the game's next ruling, then rule: what was cut off in between is found, and is done once."""
    assert game.id is not None
    with service.writing() as session:
        locked = locked_game(session, game.id)
        row = session.get_one(Proposal, proposal.id)
        row.outcome, row.ruling = CARRYING, locked.next_ruling
        session.add(row)
        address = main_address(session, row.account_id) if row.account_id is not None else ""
    actor = Actor(row.reason, address, ruling=row.ruling, by=PLAYERS, agreed=True)
    try:
        ACTS[row.kind](service, game.code, params_of(row), actor)
    except Refused as refused:
        if refused.code == "ruled_meanwhile":
            return  # another ruling came between: it is bound anew
        log.info("proposal_refused", game=game.id, code=refused.code)
        _close(service, game, row, REFUSED)
    else:
        _close(service, game, row, CARRIED)


def _close(service: Service, game: Game, proposal: Proposal | None, became: str) -> None:
    """It is decided; what came to nothing is told to all players, while there is a game."""
    assert game.id is not None
    letters = []
    if proposal is not None and became != CARRIED and game.status == "playing":
        with service.reading() as session:
            seats, players = seat_rows(session, game.id), players_of(session, game.id)
        to = [(seat.number, players[seat.number]) for seat in seats if holds(seat)]
        proposed = Proposed(proposal.kind, params_of(proposal))
        letters = nothing_letters(service, game, proposed, proposal.id, to, became)
    with service.writing() as session:
        locked = locked_game(session, game.id)
        locked.voting = False
        row = session.get(Proposal, proposal.id) if proposal is not None else None
        if row is not None:
            row.outcome = became
            session.add(row)
        session.add(locked)
        put(session, *letters)
