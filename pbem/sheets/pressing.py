"""Press: whom a message goes to, under whose name, and why it may not go out.

A writer learns nothing by it of who wrote an anonymous message, nor of who has muted them.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import takewhile
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from engine.orders.shape import Command, Line, Reading
from pbem import clock
from pbem.games.policy import ANONYMOUS, SIGNED, policy_of
from pbem.games.position import Position, holds
from pbem.persontext import in_lines
from pbem.storage.models import Press, Seat

MUTING = frozenset({"mute", "unmute"})
UNSIGNED = "anonymous"
"""What stands among those whom a seat has muted for all whom it does not know."""
_NOT_TALK = re.compile(r"[\d@]|://")
"""What an order, an address or a signature may have, and a plain answer does not."""

Refusal = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Delivery:
    """A message that goes out. `seats` have a player; `key` is unique for good.

    `veiled` says that its writer is not to learn whom it goes to.
    """

    key: str
    text: str
    seats: tuple[int, ...]
    everyone: bool = False
    to_moderator: bool = False
    anonymous: bool = False
    answers: str = ""
    veiled: bool = False


@dataclass(frozen=True)
class Desk:
    """What the messages of one post are judged by. `overseen` says whether there is a moderator or an operator."""

    session: Session
    stands: Position
    seat: Seat
    key: str
    overseen: bool
    answered: Press | None


def answered_by(session: Session, game_id: int, seat: int, key: str) -> Press | None:
    """The message with that key, if it went to the seat."""
    found = session.exec(select(Press).where(col(Press.game_id) == game_id, col(Press.key) == key)).one_or_none()
    return found if found is not None and str(seat) in found.seats.split(",") else None


def as_answer(reading: Reading) -> Reading:
    """A plain reply to a message, as a message to its writer; unchanged where any line is more than talk to the reader.

    What has a number or an address in it may be an order gone wrong, or a signature: that is a message only where it
    is said to be one.
    """
    if reading.cut or any(line.order or line.command or line.problem for line in reading.lines):
        return reading
    said = [line.text.strip() for line in takewhile(lambda line: line.text.strip() != "--", reading.lines)]
    text = "\n".join(said).strip()
    if not text:
        return reading
    unclear = bool(_NOT_TALK.search(text)) or any(line.doubts for line in reading.lines)
    command = Command("press", {"to": ["writer"], "text": text, "plain": not unclear})
    return Reading((Line(1, text, command=command),), reading.version)


def deliveries(desk: Desk, reading: Reading) -> dict[int, Delivery | Refusal]:
    """By the place of each message among the commands: how it goes out, or why it does not."""
    found: dict[int, Delivery | Refusal] = {}
    sent = 0
    for place, command in enumerate(reading.commands):
        if command.name == "press":
            found[place] = _judge(desk, command, place, sent)
            sent += isinstance(found[place], Delivery)
    return found


def _judge(desk: Desk, command: Command, place: int, sent: int) -> Delivery | Refusal:
    if not command.params.get("plain", True):
        return "answer_unclear", {}
    if "writer" in command.params["to"] and desk.answered is None:
        return "no_writer", {}
    delivery = _delivery(desk, command, place)
    return _refused(desk, delivery, sent) or delivery


def _delivery(desk: Desk, command: Command, place: int) -> Delivery:
    to, answered, own = command.params["to"], desk.answered, desk.seat.number
    everyone, is_answer = "all" in to, "writer" in to and answered is not None
    named = {seat for seat in (range(len(desk.stands.seats)) if everyone else to) if isinstance(seat, int)}
    veiled = is_answer and answered is not None and answered.anonymous and not everyone
    to_moderator = "moderator" in to
    if is_answer and answered is not None:
        named |= {answered.sender} if answered.sender is not None else set()
        to_moderator = to_moderator or answered.sender is None
    held = desk.stands.held
    # Whether the writer of an anonymous message still plays would tell who it is.
    seats = tuple(sorted(seat for seat in named - {own} if veiled or seat in held))
    return Delivery(
        key=f"press/{desk.key}/{place}",
        text=in_lines(command.params["text"]),
        seats=seats,
        everyone=everyone,
        to_moderator=to_moderator,
        anonymous=bool(seats) and _anonymous(desk, command),
        answers=answered.key or "" if is_answer and answered is not None else "",
        veiled=veiled,
    )


def _anonymous(desk: Desk, command: Command) -> bool:
    """Whether its readers are not told who writes: who was not named in a conversation stays so."""
    wanted: bool = command.params.get("anonymous", False)
    if "writer" in command.params["to"] and desk.answered is not None and desk.answered.answers:
        mine = col(Press.key) == desk.answered.answers, col(Press.sender) == desk.seat.number
        was = desk.session.exec(select(Press.anonymous).where(*mine)).first()
        wanted = wanted or bool(was)
    return wanted or policy_of(desk.stands.game).press == ANONYMOUS


def _refused(desk: Desk, delivery: Delivery, sent: int) -> Refusal | None:
    policy = policy_of(desk.stands.game)
    if desk.seat.press_muted and (delivery.seats or not delivery.to_moderator):
        return "press_muted", {}
    if delivery.anonymous and policy.press == SIGNED:
        return "press_signed", {}
    if not delivery.seats and not delivery.to_moderator:
        return "nobody_reads", {}
    if delivery.to_moderator and not delivery.seats and not desk.overseen:
        return "nobody_to_ask", {}
    if len(delivery.text) > policy.press_length:
        return "press_too_long", {"given": len(delivery.text), "most": policy.press_length}
    if _today(desk) + sent >= policy.press_a_day:
        return "press_too_many", {"most": policy.press_a_day}
    return None


def _today(desk: Desk) -> int:
    """The messages that the seat has sent within a day."""
    mine = col(Press.game_id) == desk.stands.game.id, col(Press.sender) == desk.seat.number
    since = clock.now() - timedelta(days=1)
    return desk.session.exec(select(func.count()).where(*mine, col(Press.at) > since)).one()


def row(delivery: Delivery, stands: Position, sender: int) -> Press:
    """The message for the record and the pages."""
    game = stands.game
    assert game.id is not None
    return Press(
        game_id=game.id,
        sender=sender,
        seats=",".join(map(str, delivery.seats)),
        text=delivery.text,
        stage_key=game.stage_key,
        at=clock.now(),
        key=delivery.key,
        everyone=delivery.everyone,
        to_moderator=delivery.to_moderator,
        anonymous=delivery.anonymous,
        answers=delivery.answers,
        veiled=delivery.veiled,
    )


def mailed_to(delivery: Delivery, seats: Sequence[Seat], sender: int) -> list[int]:
    """The seats that get it by mail: not those that have muted its writer, as far as they know who that is."""
    muted_as = UNSIGNED if delivery.anonymous else str(sender)
    return [seat for seat in delivery.seats if holds(seats[seat]) and muted_as not in muted(seats[seat])]


def muted(seat: Seat) -> frozenset[str]:
    """Whose messages the seat's player does not want by mail, as `Seat.mutes` has them."""
    return frozenset(filter(None, seat.mutes.split(",")))


def muting(stands: Position, seat: int, command: Command, before: frozenset[str]) -> frozenset[str] | Refusal:
    """Whom the seat has muted after the command."""
    whom = command.params["whom"]
    if "moderator" in whom:
        return "moderator_unmutable", {}
    others = {str(each.number) for each in stands.seats if each.number != seat} | {UNSIGNED}
    meant = others if "all" in whom else others & {str(each) for each in whom}
    if not meant:
        return "mutes_itself", {}
    return before | meant if command.name == "mute" else before - meant


def mutes(whom: Collection[str]) -> str:
    """As a seat's row keeps them."""
    return ",".join(sorted(whom))
