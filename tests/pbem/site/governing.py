"""A moderator of the site at the page of one account."""

from sqlmodel import select

from pbem.accounts import account_of, create_account
from pbem.context import Service
from pbem.storage.models import SiteRecord
from pbem.storage.sessions import Database
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.web.visiting import Visit, app_on

SITE = "site@players.example"
ANN, BEN, MO = "ann@players.example", "ben@players.example", "mo@players.example"


def playing(database: Database, **plan: object) -> Match:
    """A brisk game that Mo leads, on a service that takes mail."""
    given = {"pace": "brisk", "moderator": MO, "policy": {"ask_share": "100", "pause_after": "0"}, **plan}
    return begun(service_on(database, mail_port=0), **given)  # type: ignore[arg-type]


def number(service: Service, address: str) -> int:
    """The number of the account with the address."""
    with service.reading() as session:
        account = account_of(session, address)
    assert account is not None
    assert account.id is not None
    return account.id


def at_page(service: Service, address: str) -> Visit:
    """The site's moderator, who looks at the account of an address."""
    create_account(service, SITE, moderator=True)
    visit = Visit(app_on(service), service, SITE)
    visit.get(f"/site/people/{number(service, address)}")
    return visit


def settle(service: Service, whose: str, act: str, status: int = 200, **given: str) -> str:
    """What the page says after one of its forms was sent."""
    of = number(service, whose)
    visit = at_page(service, whose)
    return visit.send(f"/site/people/{of}/{act}", status, **{"reason": "asked for", **given})


def acts(service: Service) -> list[tuple[str, int, str]]:
    """The site's record: what, to which account, why."""
    with service.reading() as session:
        return [(row.act, row.subject_id, row.reason) for row in session.exec(select(SiteRecord))]
