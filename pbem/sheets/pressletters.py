"""The letters that carry press: to each reader at their own address, with nobody's address in it."""

from collections.abc import Sequence

from sqlmodel import Session

from pbem.context import Service
from pbem.games.notices import compose, overseers, spoken, thread
from pbem.games.position import Position
from pbem.letters import Envelope, Recipient, finish
from pbem.mail.identity import Purpose
from pbem.mail.joining import joins
from pbem.sheets.pressing import Delivery, mailed_to
from pbem.storage.models import Letter

PRESS = "press"
"""The kind of letter that carries a message between players."""


def press_letters(
    service: Service, session: Session, stands: Position, sender: int, press: Sequence[Delivery]
) -> list[Letter]:
    """What messages of a seat send out."""
    letters = []
    for delivery in press:
        to = [_reader(stands, seat) for seat in mailed_to(delivery, stands.seats, sender)]
        to += overseers(service, session, stands.game) if delivery.to_moderator else []
        letters += [_letter(service, stands, sender, delivery, reader) for reader in to]
    return letters


def message_of(letter: Letter) -> str:
    """The key of the message that the letter carries, if it carries that one alone; else empty."""
    if letter.kind != PRESS or joins(letter):
        return ""
    return letter.key.removesuffix(f"/{letter.recipient}")


def _reader(stands: Position, seat: int) -> Recipient:
    player = stands.players[seat]
    return Recipient.of(player.account, player.address, seat, stands.seats[seat].generation)


def _letter(service: Service, stands: Position, sender: int, delivery: Delivery, to: Recipient) -> Letter:
    """The moderator is told who wrote what the players get unsigned."""
    game, said = stands.game, spoken(stands.game, to.words)
    hidden = delivery.anonymous and to.seat is not None
    params = {
        "title": game.title,
        "author": "" if hidden else said.seat(sender),
        "readers": [said.seat(seat) for seat in delivery.seats],
        "text": delivery.text,
        "everyone": delivery.everyone,
        "moderator": delivery.to_moderator,
        "anonymous": delivery.anonymous,
        "answerable": to.seat is not None,
    }
    turn = stands.rules.stage(stands.table.state, game.pace).turn
    envelope = Envelope(PRESS, f"{delivery.key}/{to.address}", Purpose.ORDERS, game, thread(game, turn))
    return finish(service, envelope, to, compose(PRESS, to.words, params))
