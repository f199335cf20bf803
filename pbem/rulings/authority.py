"""Who may rule: a moderator with a reason, who knows how the game stands; one who plays in it sees nothing hidden."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import account_of
from pbem.errors import Refused
from pbem.games.due import past_deadline
from pbem.persontext import one_line
from pbem.storage.models import Account, Game, Seat, Tenure

MAX_REASON = 500
"""Characters."""
CHANGED = "state_changed"
EXTENDED = "deadline_extended"
FORCED = "stage_forced"
ADMITTED = "orders_admitted"
OFFERED = "seat_offered"
OBSERVER_INVITED, OBSERVER_REMOVED = "observer_invited", "observer_removed"
MOVED_ON, MOVED_BACK = "moved", "moved_back"
OPEN = frozenset({EXTENDED, "resumed", "paused", "unpaused", "held_for_review", "released", ADMITTED, OFFERED}) | {
    OBSERVER_INVITED,
    OBSERVER_REMOVED,
}
"""Acts that show and change nothing hidden: who moderates and plays as well may do them alone."""


def _nothing(_: Session) -> None:
    """Most acts need no more than their record."""


@dataclass(frozen=True)
class Actor:
    """Who rules, and why. `address` is an account's, empty for the operator at the command line.

    `stage` and `ruling` are the numbers of the stage and of the next ruling that they know of: where the game has
    others meanwhile nothing is done, so that a second press of one button does nothing. None: whatever it has.
    """

    reason: str
    address: str = ""
    stage: int | None = None
    ruling: int | None = None
    entry: int | None = None
    """The journal's last entry that they know of, in the same way."""
    by: str = ""
    """Who rules where no account does, as the players see it; empty for the operator."""
    agreed: bool = False
    """Whether the players have voted for it: then it needs neither a reason nor somebody who does not play."""
    noted: Callable[[Session], None] = _nothing
    """Writes what is to be true with an act that can be given by mail. Where it raises Refused, the act is undone."""

    def __post_init__(self) -> None:
        """The reason stands in letters, reports and the game's record."""
        object.__setattr__(self, "reason", one_line(self.reason))


def check_seen(game: Game, actor: Actor) -> None:
    """Raises Refused `ruled_meanwhile` where the game has gone on, or had a ruling, since the actor saw it."""
    now = (game.stage_number, game.next_ruling, game.next_entry - 1)
    seen = (actor.stage, actor.ruling, actor.entry)
    if any(each not in (None, number) for each, number in zip(seen, now, strict=True)):
        raise Refused("ruled_meanwhile")


def plays(session: Session, game: Game, account: Account | None) -> bool:
    """Whether who rules plays in the game too, or did."""
    if account is None:
        return False
    holders = (
        select(each.id).where(col(each.game_id) == game.id, col(each.account_id) == account.id).limit(1)
        for each in (Seat, Tenure)
    )
    return any(session.exec(query).first() is not None for query in holders)


def check_apart(session: Session, game: Game, account: Account | None, name: str, actor: Actor) -> None:
    """Raises Refused `plays_too` where it would show a player something hidden, or change it to the player's liking."""
    is_open = actor.agreed or name in OPEN or (name == FORCED and past_deadline(game, clock.now()))
    if not is_open and plays(session, game, account):
        raise Refused("plays_too")


def ruler(session: Session, game: Game, actor: Actor) -> Account | None:
    """The moderator's account, None for the operator. Raises Refused `no_reason`, `long_reason`, `not_moderator`."""
    if not (actor.agreed or actor.reason.strip()):
        raise Refused("no_reason")
    check_length(actor.reason)
    return leader(session, game, actor)


def check_length(reason: str) -> None:
    """Raises Refused `long_reason`."""
    if len(reason) > MAX_REASON:
        raise Refused("long_reason", most=MAX_REASON)


def leader(session: Session, game: Game, actor: Actor) -> Account | None:
    """The same for what needs no reason, such as inviting. Raises Refused `not_moderator`."""
    if not actor.address:
        return None
    account = account_of(session, actor.address)
    leads = account is not None and (account.moderator or account.id == game.moderator_id)
    if account is None or not leads or account.blocked is not None:
        raise Refused("not_moderator")
    return account
