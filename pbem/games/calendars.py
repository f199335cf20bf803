"""Deadlines as calendars have them: a private feed of all that a player has to meet, and invitations for one by one.

An event keeps its UID for as long as its seat has its player: the next deadline moves it, with a higher SEQUENCE.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from hmac import compare_digest

from icalendar import Calendar, Event, vCalAddress, vText
from sqlmodel import Session, col, select

from engine.numerals import whole_number
from pbem import clock
from pbem.context import Service
from pbem.games.names import Names, unknown_told
from pbem.games.notices import seat_url
from pbem.letters import Recipient
from pbem.storage.models import Account, Game, Seat
from pbem.words import Words

LENGTH = timedelta(minutes=30)
"""How long the event is that ends with the deadline: calendars don't show one without a length."""
REFRESHED = timedelta(hours=1)
"""How often a program may look again."""
REQUEST, CANCEL, PUBLISH = "REQUEST", "CANCEL", "PUBLISH"


@dataclass(frozen=True)
class Due:
    """A deadline of a seat's, with the number by which a later version of it is told from an earlier one."""

    game: Game
    seat: Seat
    at: datetime
    sequence: int


def feed_url(service: Service, account: Account) -> str:
    """The private address of an account's feed."""
    assert account.id is not None
    made = _token(service.identity.keys[0], account.id, account.feed)
    return f"{service.settings.url}/calendar/{account.id}-{made}.ics"


def renew_feed(service: Service, account_id: int) -> None:
    """Make the present address void: from now on there is another."""
    with service.writing() as session:
        account = session.get_one(Account, account_id, with_for_update=True)
        account.feed += 1
        session.add(account)


def feed(service: Service, session: Session, token: str) -> bytes | None:
    """The calendar at that address; None where it is none of ours, or void."""
    given, _, mac = token.partition("-")
    number = whole_number(given)
    account = session.get(Account, number) if number is not None else None
    if account is None or account.id is None or account.blocked is not None:
        return None
    right = [_token(key, account.id, account.feed) for key in service.identity.keys]
    if not mac.isascii() or not any(compare_digest(each, mac) for each in right):
        return None
    words = Words.of(account.language, account.zone)
    calendar = _calendar(PUBLISH)
    calendar.add("name", service.settings.sender_name)
    calendar.add("x-wr-calname", service.settings.sender_name)
    calendar.add("refresh-interval", REFRESHED, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for due in _open(session, account.id):
        calendar.add_component(_event(service, due, account.id, words))
    return bytes(calendar.to_ical())


def invitation(service: Service, due: Due, to: Recipient, method: str) -> bytes:
    """An invitation to that deadline for its player, or its end (`CANCEL`)."""
    assert to.account_id is not None
    event = _event(service, due, to.account_id, to.words)
    organizer = vCalAddress(f"mailto:{service.identity.address}")
    organizer.params["CN"] = vText(service.settings.sender_name)
    guest = vCalAddress(f"mailto:{to.address}")
    guest.params["RSVP"] = vText("FALSE")
    event.add("organizer", organizer)
    event.add("attendee", guest)
    event.add("status", "CANCELLED" if method == CANCEL else "CONFIRMED")
    calendar = _calendar(method)
    calendar.add_component(event)
    return bytes(calendar.to_ical())


def _open(session: Session, account_id: int) -> list[Due]:
    """The open deadlines of an account's games, the earliest first."""
    rows = session.exec(
        select(Game, Seat)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .where(
            col(Seat.account_id) == account_id,
            col(Seat.joined).is_not(None),
            col(Seat.resigned).is_(None),
            col(Game.status) == "playing",
            col(Game.aside).is_(False),
        )
        .order_by(col(Game.deadline), col(Game.id), col(Seat.number))
    )
    return [Due(game, seat, game.deadline, game.sequence) for game, seat in rows if game.deadline is not None]


def _calendar(method: str) -> Calendar:
    calendar = Calendar()
    calendar.add("prodid", "-//pbem//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    return calendar


def _event(service: Service, due: Due, account_id: int, words: Words) -> Event:
    game, said = due.game, Names(due.game, words)
    event = Event()
    event.add("uid", f"{game.code}-{due.seat.number}-{account_id}@{service.identity.domain}")
    event.add("sequence", due.sequence)
    event.add("dtstamp", clock.now())
    event.add("dtstart", due.at - LENGTH)
    event.add("dtend", due.at)
    event.add("transp", "TRANSPARENT")
    params = {"title": game.title, "side": said.seat(due.seat)}
    event.add("summary", words.gettext("%(title)s: deadline for %(side)s") % params)
    event.add("url", seat_url(service, game))
    state = words.gettext("You are ready.") if due.seat.ready else words.gettext("You are not ready yet.")
    event.add("description", state if said.installed else f"{state} {unknown_told(words)}")
    return event


def _token(key: bytes, account_id: int, number: int) -> str:
    """32 hexadecimal digits that nobody can make who does not have the key."""
    said = f"{account_id}/{number}".encode()
    return blake2b(said, key=key[:64], digest_size=16, person=b"pbem feed").hexdigest()
