"""Name, language and time zone, how letters come, and the end of one's sessions."""

from zoneinfo import available_timezones

from babel import Locale, UnknownLocaleError
from flask import Blueprint, Response, request, session
from flask.typing import ResponseReturnValue
from sqlmodel import col, select

from engine.numerals import whole_number
from pbem import clock
from pbem import tokens as tokens_kept
from pbem.accounts import MAX_NAME, change_account, end_sessions
from pbem.errors import Refused
from pbem.games.calendars import feed_url, renew_feed
from pbem.habits import LONGEST_LEAD, Choice, time_of, written
from pbem.mail.joining import choose
from pbem.site.exporting import own_data
from pbem.storage.models import Absence, Account, Address
from pbem.web.pages import back_to, me, page, service, signed_in
from pbem.words import languages

routes = Blueprint("account", __name__)

OLD_NAMES = ("posix/", "right/", "Etc/", "SystemV/", "US/")


@routes.get("/account")
@signed_in
def show() -> ResponseReturnValue:
    """What others see of me, and how I am written to."""
    with service().reading() as reading:
        mine = select(Address.address).where(col(Address.account_id) == me().id)
        addresses = list(reading.exec(mine.order_by(col(Address.main).desc(), col(Address.id))))
        account = reading.get_one(Account, me().id)
        tokens = tokens_kept.tokens_of(reading, me().id)
        to_come = col(Absence.account_id) == me().id, col(Absence.ends) > clock.now()
        absences = reading.exec(select(Absence).where(*to_come).order_by(col(Absence.begins))).all()
    return page(
        "account",
        addresses=addresses,
        language=me().words.language,
        languages=languages(),
        language_names={code: _named(code) for code in {*languages(), me().words.language}},
        zone=me().words.zone.key,
        zones=_zones(me().words.zone.key),
        max_name=MAX_NAME,
        habits=account,
        mails_at=written(account.mails_at),
        quiet=(written(account.quiet_from), written(account.quiet_to))
        if account.quiet_from != account.quiet_to
        else ("", ""),
        longest_lead=LONGEST_LEAD,
        feed=feed_url(service(), account),
        tokens=tokens,
        absences=absences,
        max_token=tokens_kept.MAX_NAME,
    )


@routes.get("/account/data")
@signed_in
def data() -> ResponseReturnValue:
    """Everything that is kept of me, as a file."""
    found = own_data(service(), me().id)
    headers = {"Content-Disposition": 'attachment; filename="my-data.json"', "Cache-Control": "no-store"}
    return Response(found, content_type="application/json", headers=headers)


@routes.post("/account")
@signed_in
def change() -> ResponseReturnValue:
    """Name, language and time zone."""
    name = "".join(each if each.isprintable() else " " for each in request.form.get("name", ""))
    name = " ".join(name.split())
    if not 1 <= len(name) <= MAX_NAME:
        raise Refused("bad_name", most=MAX_NAME)
    language = request.form.get("language", me().words.language)
    if language != me().words.language and language not in languages():
        raise Refused("bad_language")
    change_account(service(), me().id, name=name, language=language, zone=request.form.get("zone", ""))
    return back_to("/account", "account_changed")


@routes.post("/account/letters")
@signed_in
def change_letters() -> ResponseReturnValue:
    """When letters come, quiet hours, reminders, invitations."""
    form = request.form
    begins, ends = form.get("quiet_from", ""), form.get("quiet_to", "")
    hours = whole_number(form.get("remind", "0") or "0", 4)
    if hours is None:
        raise Refused("bad_lead", most=LONGEST_LEAD)
    choice = Choice(
        mails=form.get("mails", ""),
        mails_at=time_of(form.get("mails_at", "")),
        quiet=(time_of(begins), time_of(ends)) if begins or ends else (0, 0),
        remind=hours,
        calendar="calendar" in form,
    )
    with service().writing() as writing:
        choose(writing, me().id, [choice])
    return back_to("/account", "account_changed")


@routes.post("/account/feed")
@signed_in
def change_feed() -> ResponseReturnValue:
    """Makes the address of the calendar void, and another one."""
    renew_feed(service(), me().id)
    return back_to("/account", "feed_renewed")


@routes.post("/account/sign-out-everywhere")
@signed_in
def leave_everywhere() -> ResponseReturnValue:
    """Ends all sessions of the account."""
    end_sessions(service(), me().id)
    session.clear()
    return back_to("/sign-in", "signed_out_everywhere")


def _named(code: str) -> str:
    """A language in its own words; the code of one that nobody speaks."""
    try:
        return Locale.parse(code).get_display_name() or code
    except UnknownLocaleError:
        return code


def _zones(own: str) -> list[tuple[str, list[str]]]:
    """The zones that a person may live in, by continent."""
    names = {name for name in available_timezones() if "/" in name and not name.startswith(OLD_NAMES)}
    groups: dict[str, list[str]] = {"UTC": ["UTC"]}
    for name in sorted(names | {own}):
        group = name.partition("/")[0]
        if name not in groups.setdefault(group, []):
            groups[group].append(name)
    return list(groups.items())
