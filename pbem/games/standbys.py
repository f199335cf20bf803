"""Who waits for a seat of a running game, and the offer of one: a letter that is answered like an invitation.

The seat stays whose it is until the offer is accepted (`pbem.games.succession`).
"""

from dataclasses import dataclass
from datetime import timedelta

from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import INVITED, INVITED_FOR, main_address, new_link
from pbem.context import Service
from pbem.errors import Refused
from pbem.games.notices import compose, guide_url, overseers, spoken, thread
from pbem.games.position import Player, Position, holds
from pbem.letters import Envelope, Recipient, finish, numbers_of, put
from pbem.mail.identity import Purpose
from pbem.observing.observers import forget as forget_observer
from pbem.storage.models import Account, Game, Letter, Ruling, Seat, SignInLink, Standby, Tenure

OFFER = "offer"
"""The kind of letter that offers a seat."""


@dataclass(frozen=True)
class Offer:
    """One seat for one person. `host` is who asks, by name, with a `reason` where there is one."""

    seat: int
    player: Player
    host: str
    reason: str = ""


def offered_to(session: Session, game_id: int, account_id: int) -> Standby:
    """What the account is offered in the game. Raises Refused `offer_gone`."""
    mine = col(Standby.game_id) == game_id, col(Standby.account_id) == account_id
    found = session.exec(select(Standby).where(*mine, col(Standby.seat).is_not(None))).one_or_none()
    if found is None:
        raise Refused("offer_gone")
    return found


def check_newcomer(session: Session, game: Game, number: int, account: Account) -> None:
    """Whether the account may take the seat.

    Raises Refused `blocked`, `holds_it`, `plays_another`, `knows_another`, and `knows_hidden` for who has looked at it.
    """
    if account.blocked is not None:
        raise Refused("blocked", name=account.name)
    seats = session.exec(select(Seat).where(col(Seat.game_id) == game.id, col(Seat.account_id) == account.id)).all()
    if any(seat.number == number and holds(seat) for seat in seats):
        raise Refused("holds_it")
    if any(seat.number != number and seat.joined is not None for seat in seats):
        raise Refused("plays_another")
    before = select(Tenure.id).where(
        col(Tenure.game_id) == game.id, col(Tenure.account_id) == account.id, col(Tenure.seat) != number
    )
    if session.exec(before.limit(1)).first() is not None:
        raise Refused("knows_another")
    looks = select(Ruling.id).where(
        col(Ruling.game_id) == game.id, col(Ruling.account_id) == account.id, col(Ruling.secret)
    )
    if session.exec(looks.limit(1)).first() is not None:
        raise Refused("knows_hidden")


def withdraw_offers(session: Session, game: Game, number: int) -> None:
    """Whoever the seat is offered to is offered it no longer; who waits goes on waiting."""
    rows = select(Standby).where(col(Standby.game_id) == game.id, col(Standby.seat) == number)
    for row in session.exec(rows).all():
        take_back(session, row)


def take_back(session: Session, row: Standby) -> None:
    """End one offer."""
    if row.waits:
        row.seat, row.asked, row.letter_id = None, None, None
        session.add(row)
    else:
        session.delete(row)


def put_offer(session: Session, game: Game, offer: Offer, written: tuple[Letter, SignInLink]) -> None:
    """Store an offer with its letter. `game` is locked; it is looked after again when the offer lapses."""
    letter, link = written
    withdraw_offers(session, game, offer.seat)
    session.flush()
    mine = col(Standby.game_id) == game.id, col(Standby.account_id) == offer.player.account.id
    assert game.id is not None
    assert offer.player.account.id is not None
    row = session.exec(select(Standby).where(*mine)).one_or_none() or Standby(
        game_id=game.id, account_id=offer.player.account.id, created=clock.now()
    )
    session.add(link)
    put(session, letter)
    forget_observer(session, game, offer.player.account.id)  # the offer shows the position as it is now
    row.letter_id = numbers_of(session, [letter.key])[letter.key]
    row.seat, row.asked, row.reason = offer.seat, clock.now(), offer.reason
    session.add(row)
    game.tend_at = clock.now()


def offer_letter(service: Service, stands: Position, offer: Offer) -> tuple[Letter, SignInLink]:
    """Offers a seat: a plain reply of `join` takes it, and so does the link, which is to be stored with the letter.

    It shows what everyone can see, and nothing of what the seat knows.
    """
    game, account = stands.game, offer.player.account
    assert account.id is not None
    secret, link = new_link(account.id, INVITED, f"/games/{game.code}/offer", INVITED_FOR)
    to = Recipient.of(account, offer.player.address)
    said = spoken(game, to.words)
    stage = stands.rules.stage(stands.table.state, game.pace)
    params = {
        "title": game.title,
        "rules": said.title(),
        "played_with": said.played_with(to.words),
        "host": offer.host,
        "reason": offer.reason,
        "player": account.name,
        "side": said.seat(offer.seat),
        "turn": stage.turn,
        "stage": said.name("stage", stage.name),
        "pace": game.pace,
        "position": said.position(stands.rules.view(stands.table.state, None), ()),
        "url": f"{service.settings.url}/sign-in/{secret}",
        "guide": guide_url(service),
        "answer_by": clock.now() + timedelta(hours=service.settings.offer_hours),
    }
    key = f"{OFFER}/{game.code}/{offer.seat}/{account.id}/{game.version}"
    envelope = Envelope(OFFER, key, Purpose.INVITATION, game, thread(game))
    return finish(service, envelope, to, compose(OFFER, to.words, params)), link


def turned_down_letters(service: Service, session: Session, game: Game, row: Standby, *, lapsed: bool) -> list[Letter]:
    """Tells whoever leads the game that an offer was declined, or that it lapsed unanswered."""
    assert row.seat is not None
    account = session.get_one(Account, row.account_id)
    letters = []
    for to in overseers(service, session, game):
        params = {
            "title": game.title,
            "player": account.name,
            "side": spoken(game, to.words).seat(row.seat),
            "lapsed": lapsed,
        }
        key = f"offer-declined/{row.letter_id}/{to.address}"
        envelope = Envelope("offer-declined", key, Purpose.NOTICE, game, thread(game))
        letters.append(finish(service, envelope, to, compose("offer_declined", to.words, params)))
    return letters


def lapsed_letters(service: Service, session: Session, game: Game, row: Standby) -> list[Letter]:
    """Tells who was asked, and whoever leads the game, that the offer has lapsed."""
    assert row.seat is not None
    letters = turned_down_letters(service, session, game, row, lapsed=True)
    account = session.get_one(Account, row.account_id)
    to = Recipient.of(account, main_address(session, row.account_id))
    params = {"title": game.title, "side": spoken(game, to.words).seat(row.seat)}
    envelope = Envelope("offer-lapsed", f"offer-lapsed/{row.letter_id}", Purpose.NOTICE, game, thread(game))
    letters.append(finish(service, envelope, to, compose("offer_lapsed", to.words, params)))
    return letters
