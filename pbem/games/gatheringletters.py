"""Letters about open seats: what a game has to give, a place in the line for one, and that one has left it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from pbem.accounts import INVITED, INVITED_FOR, new_link
from pbem.context import Service
from pbem.games.notices import compose, guide_url, overseers, readers, spoken, thread
from pbem.games.position import Player
from pbem.games.seating import DRAW
from pbem.letters import Envelope, Recipient, finish
from pbem.mail.identity import Purpose
from pbem.storage.models import Game, Letter, SignInLink

OPENING, WAITING, BEGAN_WITHOUT = "opening", "waiting", "began-without"
"""The kinds of letter that are answered with `join` or `leave`."""


@dataclass(frozen=True)
class Opening:
    """What a game has to give: its free sides by number, how many wait for one, by whom it is led, by name."""

    free: Sequence[int]
    waiting: int
    host: str


def opening_letter(
    service: Service, game: Game, player: Player, opening: Opening, key: str
) -> tuple[Letter, SignInLink]:
    """Answers who asks for a seat: a reply of `join` takes one, and so does the link, which is to be stored with it.

    `key` is the part of the letter's key that tells it from others to the same person.
    """
    assert player.account.id is not None
    secret, link = new_link(player.account.id, INVITED, f"/games/{game.code}/open", INVITED_FOR)
    to = Recipient.of(player.account, player.address)
    said = spoken(game, to.words)
    params = {
        "title": game.title,
        "rules": said.title(),
        "host": opening.host,
        "player": player.account.name,
        "free": [said.seat(number) for number in opening.free],
        "sides": [said.module.seat_names[number] for number in opening.free],
        "drawn": game.seating == DRAW,
        "waiting": opening.waiting,
        "has_begun": game.status != "inviting",
        "pace": game.pace,
        "starts_at": game.starts_at,
        "anonymous": game.anonymous,
        "played_with": said.played_with(to.words),
        "secret_hash": game.secret_hash.hex(),
        "url": f"{service.settings.url}/sign-in/{secret}",
        "guide": guide_url(service),
    }
    envelope = Envelope(OPENING, f"{OPENING}/{game.code}/{player.account.id}/{key}", Purpose.INVITATION, game)
    return finish(service, envelope, to, compose(OPENING, to.words, params)), link


def waiting_letter(service: Service, game: Game, player: Player, place: int) -> Letter:
    """Tells somebody which place they have among those who wait for a seat."""
    to = Recipient.of(player.account, player.address)
    params = {
        "title": game.title,
        "player": player.account.name,
        "place": place,
        "has_begun": game.status != "inviting",
        "url": f"{service.settings.url}/games/{game.code}/open",
    }
    key = f"{WAITING}/{game.code}/{player.account.id}/{game.version}"
    envelope = Envelope(WAITING, key, Purpose.INVITATION, game, thread(game))
    return finish(service, envelope, to, compose(WAITING, to.words, params))


def began_without_letter(service: Service, game: Game, player: Player, waiting: int) -> Letter:
    """Tells a guest that the game has begun without them; where it takes whoever comes, `join` waits for a seat."""
    to = Recipient.of(player.account, player.address)
    params = {
        "title": game.title,
        "player": player.account.name,
        "takes": bool(game.seating),
        "waiting": waiting,
        "url": f"{service.settings.url}/games/{game.code}/open",
    }
    purpose = Purpose.INVITATION if game.seating else Purpose.NOTICE
    key = f"{BEGAN_WITHOUT}/{game.code}/{player.account.id}"
    envelope = Envelope(BEGAN_WITHOUT, key, purpose, game, thread(game))
    return finish(service, envelope, to, compose("began_without", to.words, params))


def observer_waits_letters(service: Service, session: Session, game: Game, player: Player) -> list[Letter]:
    """Tells whoever leads a game that one who observes it waits for a seat of it."""
    letters = []
    for to in overseers(service, session, game):
        params = {"title": game.title, "player": player.account.name}
        key = f"observer-waits/{game.code}/{player.account.id}/{game.version}/{to.address}"
        envelope = Envelope("observer-waits", key, Purpose.NOTICE, game, thread(game))
        letters.append(finish(service, envelope, to, compose("observer_waits", to.words, params)))
    return letters


def left_letter(service: Service, game: Game, player: Player) -> Letter:
    """Confirms that somebody has left a game that has not begun, or the line for a seat."""
    to = Recipient.of(player.account, player.address)
    params = {"title": game.title, "player": player.account.name}
    key = f"left/{game.code}/{player.account.id}/{game.version}"
    envelope = Envelope("left", key, Purpose.NOTICE, game, thread(game))
    return finish(service, envelope, to, compose("left", to.words, params))


def date_letters(
    service: Service, game: Game, players: Mapping[int, Player], starts_at: datetime | None
) -> list[Letter]:
    """Tells all who have a seat, or are invited to one, that the game begins at another time."""
    letters = []
    for to in readers(players):
        params = {"title": game.title, "starts_at": starts_at}
        envelope = Envelope("date", f"date/{game.code}/{game.version}/{to.seat}", Purpose.NOTICE, game, thread(game))
        letters.append(finish(service, envelope, to, compose("date", to.words, params)))
    return letters
