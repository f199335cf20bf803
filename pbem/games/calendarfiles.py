"""Calendars as files. What writes them takes long to import, and few processes need it: those import this late."""

from collections.abc import Sequence
from datetime import timedelta

from icalendar import Calendar, Event, vCalAddress, vText

from pbem import clock
from pbem.context import Service
from pbem.games.calendars import CANCEL, Due
from pbem.games.names import Names, unknown_told
from pbem.games.notices import seat_url
from pbem.letters import Recipient
from pbem.storage.models import Account
from pbem.words import Words

LENGTH = timedelta(minutes=30)
"""How long the event is that ends with the deadline: calendars don't show one without a length."""
REFRESHED = timedelta(hours=1)
"""How often a program may look again."""
PUBLISH = "PUBLISH"


def published(service: Service, account: Account, open_: Sequence[Due]) -> bytes:
    """The calendar of what an account has to meet."""
    assert account.id is not None
    words = Words.of(account.language, account.zone)
    calendar = _calendar(PUBLISH)
    calendar.add("name", service.settings.sender_name)
    calendar.add("x-wr-calname", service.settings.sender_name)
    calendar.add("refresh-interval", REFRESHED, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for due in open_:
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
