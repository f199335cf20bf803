"""The short letters of a game's life, each composed in its recipient's language and zone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from pbem import clock
from pbem.accounts import INVITED, INVITED_FOR, main_address, new_link
from pbem.context import Service
from pbem.games.away import Away
from pbem.games.names import Names
from pbem.games.position import Player, holds, name_shown
from pbem.games.recording import PLAYERS
from pbem.games.rules import setup_of
from pbem.games.seating import DRAW
from pbem.letters import Composed, Envelope, Recipient, finish
from pbem.mail.identity import Purpose
from pbem.reports.data import Told
from pbem.reports.game import GameWords, game_words
from pbem.reports.letters import Letter as Written
from pbem.reports.letters import letter
from pbem.reports.ruled import rulings_told
from pbem.storage.models import Account, Game, Letter, Seat, SignInLink
from pbem.words import Words


def compose(template: str, words: Words, params: Mapping[str, Any]) -> Composed:
    """A letter from its template in `templates/mail`."""
    return composed(letter(words, template, **params))


def composed(made: Written, pictures: Mapping[str, bytes] | None = None) -> Composed:
    """What was written, with its pictures."""
    return Composed(made.subject, made.text, made.html, pictures or {})


def spoken(game: Game, words: Words) -> GameWords:
    """The game's own words in the recipient's language."""
    return game_words(game.rules, setup_of(game), words.language)


def seat_url(service: Service, game: Game) -> str:
    """The page of one's seat."""
    return f"{service.settings.url}/games/{game.code}"


def guide_url(service: Service) -> str:
    """The page of the player's guide."""
    return f"{service.settings.url}/guide"


def thread(game: Game, turn: int | str = "") -> str:
    """What holds the letters of one turn together."""
    return f"{game.code}/{game.line}/{turn}" if turn != "" else game.code


@dataclass(frozen=True)
class Host:
    """Who invites, by name, and what they add in their own words."""

    name: str
    note: str = ""


def invitation(
    service: Service, game: Game, seats: Sequence[Seat], seat: Seat, player: Player, host: Host
) -> tuple[Letter, SignInLink]:
    """Asks a guest to join; a plain reply of `join` does, and so does the link, which is to be stored with it."""
    assert player.account.id is not None
    secret, link = new_link(player.account.id, INVITED, f"/games/{game.code}", INVITED_FOR)
    to = Recipient.of(player.account, player.address, seat.number, seat.generation)
    said = spoken(game, to.words)
    params = {
        "title": game.title,
        "rules": said.title(),
        "host": host.name,
        "player": player.account.name,
        "side": said.seat(seat.number),
        "others": [_side(said, other, to.words) for other in seats if other.number != seat.number],
        "pace": game.pace,
        "secret_hash": game.secret_hash.hex(),
        "url": f"{service.settings.url}/sign-in/{secret}",
        "guide": guide_url(service),
        "answer_by": clock.now() + timedelta(hours=service.settings.invitation_hours),
        "note": host.note,
        "anonymous": game.anonymous,
        "drawn": game.seating == DRAW,
        "starts_at": game.starts_at,
        "played_with": said.played_with(to.words),
    }
    key = f"invitation/{game.code}/{seat.number}/{seat.generation}"
    envelope = Envelope("invitation", key, Purpose.INVITATION, game, thread(game))
    return finish(service, envelope, to, compose("invitation", to.words, params)), link


def _side(said: GameWords, seat: Seat, words: Words) -> str:
    side = said.seat(seat.number)
    return words.gettext("%(side)s (a stand-in)") % {"side": side} if seat.standin else side


def joined_letter(service: Service, game: Game, seat: Seat, player: Player, word: str, missing: int) -> Letter:
    """Confirms a seat taken."""
    to = Recipient.of(player.account, player.address, seat.number, seat.generation)
    said = spoken(game, to.words)
    params = {
        "title": game.title,
        "rules": said.title(),
        "player": player.account.name,
        "side": said.seat(seat.number),
        "missing": missing,
        "url": seat_url(service, game),
        "guide": guide_url(service),
        "word": word,
        "drawn": game.seating == DRAW,
        "starts_at": game.starts_at,
    }
    envelope = Envelope(
        "joined", f"joined/{game.code}/{seat.number}/{seat.generation}", Purpose.NOTICE, game, thread(game)
    )
    return finish(service, envelope, to, compose("joined", to.words, params))


def leading_letter(service: Service, session: Session, game: Game, account: Account, key: str = "") -> Letter:
    """Tells who moderates a game how: its reply address is the one for commands. `key` tells one letter from others."""
    assert account.id is not None
    to = Recipient.of(account, main_address(session, account.id))
    params = {
        "title": game.title,
        "rules": spoken(game, to.words).title(),
        "url": f"{service.settings.url}/games/{game.code}/desk",
    }
    envelope = Envelope("leading", f"leading/{game.code}/{account.id}/{key}", Purpose.RULING, game, thread(game))
    return finish(service, envelope, to, compose("leading", to.words, params))


def declined_letters(
    service: Service, session: Session, game: Game, seat: Seat, players: Mapping[int, Player]
) -> list[Letter]:
    """Tells whoever leads the game that an invitation was turned down."""
    letters = []
    for to in overseers(service, session, game):
        params = {
            "title": game.title,
            "player": players[seat.number].account.name,
            "side": Names(game, to.words).seat(seat),
        }
        key = f"declined/{game.code}/{seat.number}/{game.version}/{to.address}"
        envelope = Envelope("declined", key, Purpose.NOTICE, game, thread(game))
        letters.append(finish(service, envelope, to, compose("declined", to.words, params)))
    return letters


def fault_letters(service: Service, session: Session, game: Game, players: Mapping[int, Player]) -> list[Letter]:
    """Tells players, moderator and operator that the game is set aside and that the service is at fault."""
    now = clock.now()
    reference = f"{game.code}-{game.line}-{game.next_entry - 1}"
    to = readers(players) + overseers(service, session, game)
    letters = []
    for recipient in to:
        params = {"title": game.title, "reference": reference, "at": now}
        key = f"fault/{game.code}/{game.version}/{recipient.address}"
        envelope = Envelope("fault", key, Purpose.NOTICE, game, thread(game))
        letters.append(finish(service, envelope, recipient, compose("fault", recipient.words, params)))
    return letters


def overseers(service: Service, session: Session, game: Game) -> list[Recipient]:
    """The game's moderator and the operator, as far as there are any."""
    settings = service.settings
    found = []
    if game.moderator_id is not None:
        account = session.get(Account, game.moderator_id)
        assert account is not None
        found.append(Recipient.of(account, main_address(session, game.moderator_id)))
    if settings.operator and settings.operator not in {recipient.address for recipient in found}:
        words = Words.of(settings.language, settings.time_zone)
        found.append(Recipient(None, settings.operator, settings.operator, words))
    return found


def readers(players: Mapping[int, Player]) -> list[Recipient]:
    """The players of the game's seats: who has left is told nothing more."""
    return [
        Recipient.of(player.account, player.address, seat, player.generation)
        for seat, player in players.items()
        if not player.left
    ]


def ruling_letters(service: Service, game: Game, ruling: Told, players: Mapping[int, Player]) -> list[Letter]:
    """Tells all players of a ruling that can't wait for the next report. `game` is as the ruling leaves it."""
    letters = []
    for to in readers(players):
        sentences = rulings_told([ruling], spoken(game, to.words), to.words)
        deadline = game.deadline if not game.agreed else None  # a game that was ended has none any more
        params = {"title": game.title, "sentences": sentences, "deadline": deadline, "voted": ruling.by == PLAYERS}
        params["given_up"] = game.status == "cancelled"
        key = f"ruling/{game.code}/{game.next_ruling}/{to.seat}"
        envelope = Envelope("ruling", key, Purpose.NOTICE, game, thread(game))
        letters.append(finish(service, envelope, to, compose("ruling", to.words, params)))
    return letters


def looked_letters(service: Service, game: Game, ruling: Told, players: Mapping[int, Player]) -> list[Letter]:
    """Tells all players at once that the moderator looked at hidden things."""
    letters = []
    for to in readers(players):
        params = {"title": game.title, "by": ruling.by, "reason": ruling.reason, "at": ruling.at}
        key = f"looked/{game.code}/{game.next_ruling}/{to.seat}"
        envelope = Envelope("looked", key, Purpose.NOTICE, game, thread(game))
        letters.append(finish(service, envelope, to, compose("looked", to.words, params)))
    return letters


@dataclass(frozen=True)
class Gone:
    """A seat whose player is away, or back (`away` None); `deadline` where it is another one now because of that."""

    seat: Seat
    away: Away | None
    deadline: datetime | None


def absence_letters(
    service: Service, session: Session, game: Game, gone: Gone, players: Mapping[int, Player], key: str
) -> list[Letter]:
    """Tells the others, and whoever leads the game, that a seat's player is away until when, and no more."""
    others = [each for each in readers(players) if each.seat != gone.seat.number]
    letters = []
    for recipient in [*others, *overseers(service, session, game)]:
        params = {
            "title": game.title,
            "side": Names(game, recipient.words).seat(gone.seat),
            "begins": gone.away.begins if gone.away is not None else None,
            "ends": gone.away.ends if gone.away is not None else None,
            "now": clock.now(),
            "deadline": gone.deadline,
        }
        mark = f"absence/{game.code}/{gone.seat.number}/{key}/{recipient.address}"
        envelope = Envelope("absence", mark, Purpose.NOTICE, game, thread(game))
        letters.append(finish(service, envelope, recipient, compose("absence", recipient.words, params)))
    return letters


def undone_letter(service: Service, game: Game, seat: int, other: int, player: Player, number: int) -> Letter:
    """Tells a seat that another has taken back what it was told of. `number` is that of the submission."""
    to = Recipient.of(player.account, player.address, other, player.generation)
    params = {"title": game.title, "side": spoken(game, to.words).seat(seat)}
    envelope = Envelope("undone", f"undone/{game.code}/{number}/{other}", Purpose.ORDERS, game, thread(game))
    return finish(service, envelope, to, compose("undone", to.words, params))


def nobody_left(game: Game, seats: Iterable[Seat], words: Words) -> str:
    """What has become of a game that nobody has a seat of any more; empty where somebody has, or that is over."""
    if any(map(holds, seats)):
        return ""
    if game.status == "cancelled":
        return words.gettext("Nobody has a seat in it any more: the game has ended.")
    if game.status == "playing":
        return words.gettext(
            "Nobody has a seat in it any more: the game stands still until somebody takes one and sends orders."
        )
    return ""


def resigned_letters(
    service: Service, session: Session, game: Game, seats: Sequence[Seat], number: int, players: Mapping[int, Player]
) -> list[Letter]:
    """Tells everybody that the player of a seat has left. `game` and `seats` are as that leaves them."""
    letters, mine, seat = [], players[number], seats[number]
    for to in [*readers(players), *overseers(service, session, game)]:
        params = {
            "title": game.title,
            "side": Names(game, to.words).seat(seat),
            "player": name_shown(game, mine) if to.seat is not None else mine.account.name,
            "own": to.seat == seat.number,
            "nobody": nobody_left(game, seats, to.words),
        }
        key = f"resigned/{game.code}/{seat.number}/{seat.generation}/{to.address}"
        envelope = Envelope("resigned", key, Purpose.NOTICE, game, thread(game))
        letters.append(finish(service, envelope, to, compose("resigned", to.words, params)))
    return letters


def newtoken_letter(service: Service, game: Game, seat: Seat, player: Player) -> Letter:
    """The first letter with the seat's new reply address."""
    to = Recipient.of(player.account, player.address, seat.number, seat.generation + 1)
    params = {"title": game.title, "side": spoken(game, to.words).seat(seat.number)}
    key = f"newtoken/{game.code}/{seat.number}/{seat.generation + 1}"
    envelope = Envelope("newtoken", key, Purpose.ORDERS, game, thread(game))
    return finish(service, envelope, to, compose("newtoken", to.words, params))
