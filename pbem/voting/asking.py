"""A moderator puts one of the commands to the players: what needs somebody who does not play, or a second moderator."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import Session

from pbem import clock
from pbem.commands import LEVEL, SEAT, Command
from pbem.context import Service, nudge
from pbem.door import TEND
from pbem.errors import Busy, Refused
from pbem.games.lifecycle import check_level
from pbem.games.position import game_row, holds, players_of, seat_rows
from pbem.games.rules import module_of
from pbem.letters import put
from pbem.rulings.authority import Actor, check_seen, ruler
from pbem.storage.models import Game, Proposal, Seat
from pbem.storage.sessions import locked_game
from pbem.voting.kinds import may_be_asked
from pbem.voting.letters import proposal_letters
from pbem.voting.proposals import COMMAND, Proposed, put_proposal, voters, voting

TRIES = 20


def ask_players(service: Service, code: str, command: Command, given: Mapping[str, Any], actor: Actor) -> None:
    """Let the other players vote, to the stage's end, on whether the moderator does that; more than half decide.

    Raises Refused `not_asked` for a command that would show hidden things, `vote_open`, `nobody_votes`, `no_seat`,
    `unknown_level`, `wrong_status`, `no_reason`, `not_moderator`, `ruled_meanwhile`, and Busy.
    """
    if not may_be_asked(command):
        raise Refused("not_asked")
    for _ in range(TRIES):
        with service.reading() as session:
            game = game_row(session, code)
            account = ruler(session, game, actor)
            check_seen(game, actor)
            assert game.id is not None
            seats, players = seat_rows(session, game.id), players_of(session, game.id)
            proposal = Proposal(
                game_id=game.id,
                kind=COMMAND,
                account_id=account.id if account is not None else None,
                reason=actor.reason,
                line=game.line,
                stage_number=game.stage_number,
                created=clock.now(),
            )
            _check(session, game, seats, given)
            asked = voters(proposal, seats)
        if not asked:
            raise Refused("nobody_votes")
        proposed = Proposed(COMMAND, {"name": command.name, "given": dict(given), "said": _said(seats, given)})
        to = {seat: players[seat] for seat in sorted(asked)}
        key = f"{game.code}/asked/{game.version}"
        letters = proposal_letters(service, game, proposed, (None, proposal.reason), to, key)
        with service.writing() as session:
            locked = locked_game(session, proposal.game_id)
            if locked.version != game.version:
                continue
            put_proposal(session, locked, proposed, proposal)
            locked.version += 1
            session.add(locked)
            put(session, *letters)
            nudge(session, TEND, proposal.game_id)
        return
    raise Busy


def _check(session: Session, game: Game, seats: list[Seat], given: Mapping[str, Any]) -> None:
    if game.status != "playing":
        raise Refused("wrong_status", status=game.status)
    if voting(session, game).proposal is not None:
        raise Refused("vote_open")
    if SEAT in given and not 0 <= given[SEAT] < len(seats):
        raise Refused("no_seat")
    if LEVEL in given:
        check_level(module_of(game), given[LEVEL])
    if not any(map(holds, seats)):
        raise Refused("nobody_votes")


def _said(seats: list[Seat], given: Mapping[str, Any]) -> list[str]:
    """The parameters as they are written."""
    return [seats[value].name if kind == SEAT else str(value) for kind, value in given.items()]
