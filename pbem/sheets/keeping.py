"""What was received becomes true in one short transaction: submission, sheet, letters, what is taken back."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, case, insert
from sqlmodel import Session, col, select, update

from pbem import clock
from pbem.context import Service, nudge
from pbem.door import ADVANCE, TEND
from pbem.games.absence import come_back, go_away
from pbem.games.due import is_due_with
from pbem.games.inbox import mark_read
from pbem.games.position import seat_row
from pbem.letters import put
from pbem.mail.joining import choose, release_held
from pbem.persontext import one_line
from pbem.sheets.pressing import mutes
from pbem.sheets.received import Post, Received
from pbem.sheets.stored import encode_reading, encode_sheet
from pbem.sheets.takingback import Corrections, go_back
from pbem.sheets.undoing import Undo
from pbem.storage.bulk import made, rows
from pbem.storage.models import Game, Letter, Press, Proposal, Seat, Submission
from pbem.storage.sessions import locked_game
from pbem.storage.types import NOW
from pbem.voting.proposals import VOTES, proposed_by, put_proposal, put_vote, voting

Beside = Callable[[Session, Game], None]
"""What is written in the same transaction, such as a ruling."""
_SUBMITTED = insert(Submission)
_SEAT = (
    update(Seat)
    .where(col(Seat.id) == bindparam("row"))
    .values(
        {name: bindparam(name) for name in ("ready", "passes", "sent", "silent", "sheet", "nonce", "seal", "mutes")}
    )
)
_GAME_READ = (
    update(Game)
    .where(col(Game.id) == bindparam("row"), col(Game.version) == bindparam("read"))
    .values(version=col(Game.version) + 1)
)
"""The row is locked by the same statement that sees whether it is still the one that was read."""
_GAME_CHANGED = _GAME_READ.values(
    next_submission=col(Game.next_submission) + 1,
    settle_until=bindparam("from"),
    tend_at=case((col(Game.held) != "", NOW), else_=col(Game.tend_at)),  # a stop may end by it
)


@dataclass(frozen=True)
class Outgoing:
    """What goes out with it. `corrections` are by seat, for those alone to whom what is taken back was told."""

    letters: list[Letter]
    press: list[Press]
    corrections: Corrections


def keep(
    service: Service,
    post: Post,
    found: Received,
    goes_on: datetime | None,
    outgoing: Outgoing,
    beside: Beside | None,
) -> bool:
    """Write it; False, with nothing written, where the game is not as it was when the post was read."""
    reading = encode_reading(found.reading)
    sheet = encode_sheet(found.folded.after)
    now = clock.now()
    game, seat = found.stands.game, found.stands.seats[post.seat]
    settle_until = goes_on if found.kept else game.settle_until
    with service.writing() as session:
        if not _moved_on(session, found, settle_until, now):
            return False
        mark_read(session, post.inbound_id)
        if beside is not None or (found.kept and _reaches_further(found)):
            game, seat = _reach_further(session, post, found, outgoing, beside)
        session.add_all(outgoing.press)
        put(session, *outgoing.letters)
        if found.kept:
            _absence(session, found, post.seat)
            _habits(session, found, post)
            for number in found.admitted:
                _use_up(session, post.game_id, number, now)
            if game.voting:
                nudge(session, TEND, post.game_id)
            session.flush()  # what follows is not seen by the objects
            connection = session.connection()
            connection.execute(_SUBMITTED, rows(Submission, [_submission(game, seat, post, found, reading, now)]))
            connection.execute(_SEAT, {"row": seat.id, **seat_after(seat, found, sheet)})
        if is_due_with(game, settle_until, now):
            nudge(session, ADVANCE, post.game_id)
    return True


def _moved_on(session: Session, found: Received, settle_until: datetime | None, now: datetime) -> bool:
    """Whether the game was still as it was when the post was read; then its row is locked and changed."""
    game = found.stands.game
    read = {"row": game.id, "read": game.version}
    if found.kept:
        return session.connection().execute(_GAME_CHANGED, {**read, "from": settle_until, "now": now}).rowcount == 1
    return session.connection().execute(_GAME_READ, read).rowcount == 1


def _reaches_further(found: Received) -> bool:
    """Whether it changes more of the game than that its seat sent something."""
    return found.undo is not None or any(
        command.name in VOTES or proposed_by(command) is not None for command in found.followed
    )


def _reach_further(
    session: Session, post: Post, found: Received, outgoing: Outgoing, beside: Beside | None
) -> tuple[Game, Seat]:
    """What it changes of the game; the rows as they are then."""
    game = locked_game(session, post.game_id)
    if found.kept and found.undo is not None:
        _take_back(session, game, found.undo, post, outgoing.corrections, beside)
    elif beside is not None:
        beside(session, game)
    if found.kept:
        _voting(session, game, found, post)
    session.add(game)
    seat = seat_row(session, post.game_id, post.seat)
    assert seat is not None
    return game, seat


def seat_after(seat: Seat, found: Received, sheet: bytes) -> dict[str, Any]:
    """What becomes of the seat's row."""
    sent, silent, passes = seat.sent, seat.silent, seat.passes
    if found.undo is not None:
        sent = found.undo.was_sent
    if found.folded.ready is not None or found.folded.changed:
        passes = found.folded.ready is True and any(asked.required for asked in found.missing)
    if found.folded.orders:
        sent, silent = True, False
    elif found.folded.ready:
        sent = True
    return {
        "ready": found.ready,
        "passes": passes,
        "sent": sent,
        "silent": silent,
        "sheet": sheet,
        "nonce": found.nonce,
        "seal": bytes.fromhex(found.seal),
        "mutes": seat.mutes if found.acts.mutes is None else mutes(found.acts.mutes),
    }


def _submission(game: Game, seat: Seat, post: Post, found: Received, reading: bytes, now: datetime) -> Submission:
    line, stage_key = post.asked or (game.line, game.stage_key)
    return made(
        Submission,
        game_id=post.game_id,
        seat=post.seat,
        number=found.stands.game.next_submission,
        key=post.key,
        line=line,
        stage_key=stage_key,
        received=post.received,
        stored=now,
        source=post.source,
        inbound_id=post.inbound_id,
        text=post.text,
        reading=reading,
        late=found.late,
        acted=bool(found.reading.orders) or found.changes,
        entry=game.next_entry,
        sheet_before=seat.sheet,
        ready_before=seat.ready,
        sent_before=seat.sent,
    )


def _take_back(
    session: Session, game: Game, undo: Undo, post: Post, corrections: Corrections, beside: Beside | None
) -> None:
    """The act is marked, what `use` took up by it is late again, and where play had used it, play goes back.

    A ruling in the same transaction comes behind the note with which the new line begins, but has the number that was
    foreseen for it.
    """
    acts = col(Submission.game_id) == game.id, col(Submission.seat) == post.seat
    session.execute(update(Submission).where(*acts, col(Submission.number) == undo.number).values(undone=clock.now()))
    session.execute(update(Submission).where(*acts, col(Submission.used_late) == undo.stored).values(used_late=None))
    if undo.note is not None:
        go_back(session, game, undo, corrections, game.next_ruling + (beside is not None))
    if beside is not None:
        beside(session, game)
    game.next_ruling += undo.note is not None


def _use_up(session: Session, game_id: int, number: int, now: datetime) -> None:
    row = session.exec(
        select(Submission).where(col(Submission.game_id) == game_id, col(Submission.number) == number)
    ).one()
    row.used_late = now
    session.add(row)


def _habits(session: Session, found: Received, post: Post) -> None:
    """How the player wants letters from now on; and what waits goes now where the mail asks for letters."""
    player = found.stands.players.get(post.seat)
    if player is None or player.account.id is None:
        return
    if found.acts.choices:
        choose(session, player.account.id, found.acts.choices)
    if found.asks_for_letters:
        release_held(session, player.account.id, post.game_id)


def _voting(session: Session, game: Game, found: Received, post: Post) -> None:
    """What was proposed, and how it was voted: as far as it can be followed."""
    for command in found.followed:
        proposed = proposed_by(command)
        if proposed is not None:
            proposal = Proposal(
                game_id=post.game_id,
                kind=proposed.kind,
                seat=post.seat,
                reason=one_line(command.params.get("reason", "")),
                line=game.line,
                stage_number=game.stage_number,
                created=clock.now(),
            )
            put_proposal(session, game, proposed, proposal)
        elif command.name in VOTES:
            open_now = voting(session, game).proposal
            if open_now is not None:
                put_vote(session, game, open_now, post.seat, yes=VOTES[command.name])


def _absence(session: Session, found: Received, seat: int) -> None:
    """The player's absences: a new one takes the place of those that it overlaps; who is back is away no longer."""
    player = found.stands.players.get(seat)
    if player is None or player.account.id is None:
        return
    if found.acts.is_back:
        come_back(session, player.account.id)
    if found.acts.absence is not None:
        go_away(session, player.account.id, found.acts.absence)
