"""What a moderator does about press: rules that a seat's messages go to no player, and writes to the players."""

from hashlib import blake2b
from typing import Any

from sqlmodel import Session, col, select

from pbem import clock
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.notices import compose, readers, spoken, thread
from pbem.games.position import Player, game_row, players_of, seat_rows
from pbem.letters import Envelope, Recipient, finish, put
from pbem.mail.identity import Purpose
from pbem.persontext import in_lines
from pbem.rulings.authority import Actor, leader
from pbem.rulings.record import id_of, rule
from pbem.storage.models import Game, Letter, Press, Seat

LONGEST = 10_000
"""Characters of a moderator's message."""
MUTED, UNMUTED = "press_muted", "press_unmuted"


def mute_press(service: Service, code: str, number: int, actor: Actor) -> None:
    """Let a seat's messages go to no player; it can still write to the moderator.

    Raises Refused `no_seat`, `nothing_changed`, and as `extend_deadline`.
    """
    _rule(service, code, number, actor, muted=True)


def unmute_press(service: Service, code: str, number: int, actor: Actor) -> None:
    """End that. Raises as `mute_press`."""
    _rule(service, code, number, actor, muted=False)


def _rule(service: Service, code: str, number: int, actor: Actor, *, muted: bool) -> None:
    def act(game: Game, seats: list[Seat]) -> dict[str, Any]:
        if not 0 <= number < len(seats):
            raise Refused("no_seat")
        if seats[number].press_muted == muted:
            raise Refused("nothing_changed")
        seats[number].press_muted = muted
        return {"seat": number}

    rule(service, code, actor, MUTED if muted else UNMUTED, act, at_once=True)


def send_message(service: Service, code: str, number: int | None, text: str, actor: Actor) -> int:
    """Write to the player of a seat, or to all players for None; to how many it went.

    The same text to the same in the same stage goes once. It is no ruling, and needs no reason. Raises Refused
    `no_game`, `not_moderator`, `no_seat`, `no_text`, `text_too_long`, `no_readers`.
    """
    text = in_lines(text)
    if not text:
        raise Refused("no_text")
    if len(text) > LONGEST:
        raise Refused("text_too_long", given=len(text), most=LONGEST)
    with service.reading() as session:
        game = game_row(session, code)
        leader(session, game, actor)
        if number is not None and not 0 <= number < len(seat_rows(session, id_of(game))):
            raise Refused("no_seat")
        to = _readers(players_of(session, id_of(game)), number)
    if not to:
        raise Refused("no_readers")
    row = _row(game, number, to, text)
    with service.writing() as session:
        actor.noted(session)
        if not _is_sent(session, row):
            session.add(row)
            put(session, *(_letter(service, game, row, reader) for reader in to))
    return len(to)


def _readers(players: dict[int, Player], number: int | None) -> list[Recipient]:
    return [each for each in readers(players) if number in (None, each.seat)]


def _row(game: Game, number: int | None, to: list[Recipient], text: str) -> Press:
    what = f"{game.line}/{game.stage_number}/{'all' if number is None else number}\n{text}"
    return Press(
        game_id=id_of(game),
        sender=None,
        seats=",".join(str(each.seat) for each in to),
        text=text,
        stage_key=game.stage_key,
        at=clock.now(),
        key=f"press/{game.code}/{blake2b(what.encode(), digest_size=16).hexdigest()}",
        everyone=number is None,
    )


def _is_sent(session: Session, row: Press) -> bool:
    return session.exec(select(Press.id).where(col(Press.key) == row.key)).first() is not None


def _letter(service: Service, game: Game, row: Press, to: Recipient) -> Letter:
    assert to.seat is not None
    params = {
        "title": game.title,
        "side": spoken(game, to.words).seat(to.seat),
        "text": row.text,
        "everyone": row.everyone,
    }
    envelope = Envelope("press", f"{row.key}/{to.address}", Purpose.ORDERS, game, thread(game))
    return finish(service, envelope, to, compose("message", to.words, params))
