"""`pbem account …` and `pbem login-link`."""

import click
from sqlmodel import Session, col, select

from pbem import accounts, addressbook
from pbem.cli import people
from pbem.cli.groups import Group
from pbem.cli.opened import opened
from pbem.cli.shown import as_json, show, show_one
from pbem.cli.tokens import token
from pbem.cli.words import _
from pbem.errors import Refused
from pbem.games import calendars
from pbem.habits import LONGEST_LEAD, WHEN, Choice, time_of, written
from pbem.mail.joining import choose
from pbem.storage.models import Account, Address


@click.group(cls=Group, help=_("People: players and moderators."))
def account() -> None:
    """People: players and moderators."""


for each in (*people.COMMANDS, token):
    account.add_command(each)


@account.command("create", help=_("Make an account for ADDRESS."))
@click.argument("address")
@click.option("--name", default="", help=_("The name that others see; else what stands before the @."))
@click.option("--moderator", is_flag=True, help=_("May moderate every game of the site."))
def create(address: str, name: str, moderator: bool) -> None:
    """Make an account."""
    with opened() as service:
        with service.reading() as session:
            known = accounts.account_of(session, address)
        number = accounts.create_account(service, address, name, moderator=moderator)
    if known is None:
        click.echo(_("Account %(number)s.") % {"number": number})
    elif moderator and not known.moderator:
        click.echo(_("Account %(number)s, which was there already and may moderate now.") % {"number": number})
    else:
        click.echo(_("Account %(number)s, which was there already and is as it was.") % {"number": number})


@account.command("list", help=_("All accounts."))
@as_json
def listed(as_json: bool) -> None:
    """All accounts."""
    with opened() as service, service.reading() as session:
        found = session.exec(select(Account, Address).join(Address).order_by(col(Account.id), col(Address.id))).all()
    rows = [
        {
            "id": who.id,
            "name": who.name,
            "address": address.address,
            "language": who.language,
            "zone": who.zone,
            "moderator": who.moderator,
            "blocked": who.blocked is not None,
        }
        for who, address in found
    ]
    headings = {"id": "#", "name": _("name"), "address": _("address"), "language": _("language")}
    show(rows, headings | {"zone": _("time zone"), "moderator": _("moderator"), "blocked": _("blocked")}, as_json)


@account.command("addresses", help=_("The addresses of the account of ADDRESS; letters go to the main one."))
@click.argument("address")
@as_json
def addresses(address: str, as_json: bool) -> None:
    """The addresses of an account."""
    with opened() as service, service.reading() as session:
        mine = col(Address.account_id) == _account(session, address)
        order = col(Address.main).desc(), col(Address.id)
        rows = [
            {"address": each.address, "main": each.main, "since": each.created}
            for each in session.exec(select(Address).where(mine).order_by(*order))
        ]
    show(rows, {"address": _("address"), "main": _("main"), "since": _("since")}, as_json)


@account.command("add-address", help=_("Send a link to NEW: once it is used, mail from there counts as ADDRESS's too."))
@click.argument("address")
@click.argument("new")
def add_address(address: str, new: str) -> None:
    """Ask whoever reads an address whether it is the player's."""
    with opened() as service:
        with service.reading() as session:
            number, taken = _account(session, address), accounts.account_of(session, new)
        if taken is not None:
            raise Refused("address_taken")
        addressbook.ask_to_add(service, number, new)
    click.echo(_("A link is on its way to %(address)s; it counts once the link is used.") % {"address": new})


@account.command("remove-address", help=_("Take OLD off the account of ADDRESS; the one that letters go to stays."))
@click.argument("address")
@click.argument("old")
def remove_address(address: str, old: str) -> None:
    """Take an address off an account."""
    with opened() as service:
        with service.reading() as session:
            number = _account(session, address)
        addressbook.remove(service, number, old)
    click.echo(_("Mail from %(address)s does not count as theirs any more.") % {"address": old})


@account.command("letters", help=_("How letters come to the account of ADDRESS: shown, and changed by options."))
@click.argument("address")
@click.option("--mails", type=click.Choice(WHEN), help=_("Each at once, one a day in each game, or when asked."))
@click.option("--at", metavar="8:00", help=_("When the daily one comes, in the account's time zone."))
@click.option("--remind", type=click.IntRange(0, LONGEST_LEAD), help=_("Hours before a deadline; 0 for never."))
@click.option("--quiet", metavar="22:00-7:00", help=_("Quiet hours; `none` for none."))
@click.option("--calendar/--no-calendar", default=None, help=_("Deadlines as invitations."))
@click.option("--renew-feed", is_flag=True, help=_("Make the address of the calendar void, and a new one."))
@as_json
def letters(
    address: str,
    mails: str | None,
    at: str | None,
    remind: int | None,
    quiet: str | None,
    calendar: bool | None,
    renew_feed: bool,
    as_json: bool,
) -> None:
    """How letters come to an account."""
    with opened() as service:
        choice = Choice(mails, time_of(at) if at is not None else None, _quiet(quiet), remind, calendar)
        with service.writing() as session:
            number = _account(session, address)
            choose(session, number, [choice])
        if renew_feed:
            calendars.renew_feed(service, number)
        with service.reading() as session:
            who = session.get_one(Account, number)
        quiet_now = (written(who.quiet_from), written(who.quiet_to)) if who.quiet_from != who.quiet_to else ()
        row = {
            "mails": who.mails,
            "at": written(who.mails_at),
            "zone": who.zone,
            "remind": who.remind_hours,
            "quiet": "-".join(quiet_now),
            "calendar": who.calendar,
            "feed": calendars.feed_url(service, who),
        }
    headings = {"mails": _("letters come"), "at": _("the daily one at"), "zone": _("time zone")}
    headings |= {"remind": _("reminder, hours before"), "quiet": _("quiet hours"), "calendar": _("invitations")}
    show_one(row, headings | {"feed": _("calendar")}, as_json)


def _quiet(given: str | None) -> tuple[int, int] | None:
    if given is None:
        return None
    if given == "none":
        return 0, 0
    begins, _sign, ends = given.partition("-")
    return time_of(begins), time_of(ends)


def _account(session: Session, address: str) -> int:
    """The number of the account that has the address. Raises Refused `no_account`."""
    who = accounts.account_of(session, address)
    if who is None or who.id is None:
        raise Refused("no_account")
    return who.id


@click.command("login-link", help=_("A link by which the account of ADDRESS signs in, for when mail is down."))
@click.argument("address")
@as_json
def login_link(address: str, as_json: bool) -> None:
    """A link to sign in with."""
    with opened() as service:
        with service.writing() as session:
            secret = accounts.make_link(service, session, _account(session, address))
        link = f"{service.settings.url}/sign-in/{secret}"
        minutes = service.settings.link_minutes
    show_one(
        {"link": link, "minutes": minutes}, {"link": _("link"), "minutes": _("minutes that it can be used")}, as_json
    )
