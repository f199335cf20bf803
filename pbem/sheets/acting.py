"""What the commands of a post come to beside its seat's sheet: done, or refused with the reason. Nothing is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from engine.orders.shape import Command, Reading
from pbem.games.away import Away, NoAbsence, absence_from
from pbem.games.position import Position
from pbem.habits import ASKED, DAILY, EACH, Choice
from pbem.reports.data import Done
from pbem.sheets.pressing import MUTING, Delivery, Refusal, muted, muting
from pbem.sheets.undoing import CannotUndo, Undo
from pbem.voting.proposals import VOTES, Voting, proposed_by, refusal, vote_refusal


@dataclass(frozen=True)
class Acts:
    """By the place of a command among those of its reading: what was done by it, or why it can't be followed."""

    done: Mapping[int, Done]
    refused: Mapping[int, Refusal]
    absence: Away | None = None
    is_back: bool = False
    choices: tuple[Choice, ...] = ()
    """How its player wants letters to come from now on."""
    press: tuple[Delivery, ...] = ()
    """Its messages, as far as they go out."""
    mutes: frozenset[str] | None = None
    """Whom its seat has muted from now on; None where that does not change."""


@dataclass(frozen=True)
class Circumstances:
    """What commands are judged by, beside the position. `late_orders` are those that `use` takes up, None where it
    comes too late itself; `overseen` says whether there is a moderator or an operator to ask."""

    late_orders: int | None
    overseen: bool
    undo: Undo | CannotUndo | None = None
    voting: Voting = field(default_factory=Voting)
    press: Mapping[int, Delivery | Refusal] = field(default_factory=dict)
    """What becomes of each message, by its place among the commands."""
    said_since: frozenset[str] = frozenset()
    """The commands in what the player sent later and was taken before."""


def acts_of(stands: Position, seat: int, reading: Reading, around: Circumstances) -> Acts:
    """What becomes of each command that asks for more than the sheet gives."""
    done: dict[int, Done] = {}
    refused: dict[int, Refusal] = {}
    now_muted = was_muted = muted(stands.seats[seat])
    for place, command in enumerate(reading.commands):
        found: Done | Delivery | frozenset[str] | Refusal | None
        found = around.press.get(place) or _judge(stands, seat, command, around)
        if command.name in MUTING:
            found = muting(stands, seat, command, now_muted)
        if _is_overtaken(command, around.said_since):
            found = "overtaken", {}
        if isinstance(found, Done) and found.code == "proposed" and found in done.values():
            found = "vote_open", {}
        if isinstance(found, frozenset):
            now_muted = found
            done[place] = Done(code=command.name, params={"whom": sorted(found)})
        elif isinstance(found, Delivery):
            continue
        elif isinstance(found, Done):
            done[place] = found
        elif found is not None:
            refused[place] = found
    gone = [each.params for each in done.values() if each.code == "away"]
    absence = Away(*(datetime.fromisoformat(gone[-1][name]) for name in ("begins", "ends"))) if gone else None
    is_back = any(each.code == "back" for each in done.values())
    followed = [command for place, command in enumerate(reading.commands) if place not in refused]
    chosen = tuple(choice_of(command) for command in followed if command.name in HABITS)
    press = tuple(each for each in around.press.values() if isinstance(each, Delivery))
    return Acts(done, refused, absence, is_back, chosen, press, now_muted if now_muted != was_muted else None)


def _judge(stands: Position, seat: int, command: Command, around: Circumstances) -> Done | Refusal | None:
    if command.name == "use":
        return _use(around.late_orders)
    if command.name == "extend":
        return _extend(stands, command) if around.overseen else ("nobody_to_ask", {})
    if command.name == "absent":
        return _absent(stands, seat, command)
    if command.name == "back":
        return Done(code="back") if stands.away.get(seat) else ("not_away", {})
    if command.name == "undo":
        return _undo(around.undo)
    if command.name == "confirm":
        return "confirms_nothing", {}  # the answer to a letter that asks for this word is read elsewhere
    if command.name in VOTES:
        return vote_refusal(stands.seats, seat, around.voting) or Done(code="voted")
    proposed = proposed_by(command)
    if proposed is not None:
        return refusal(stands.game, stands.seats, seat, proposed, around.voting) or Done(code="proposed")
    if command.name in HABITS:
        return Done(code=command.name, params={**command.params, "zone": zone_of(stands, seat).key})
    return None


CHOICES = {
    "mail_each": Choice(mails=EACH),
    "mail_daily": Choice(mails=DAILY),
    "mail_asked": Choice(mails=ASKED),
    "calendar_on": Choice(calendar=True),
    "calendar_off": Choice(calendar=False),
}
HABITS = frozenset({*CHOICES, "mail_now", "remind", "quiet"})
"""Commands about how letters come."""
OF_ONE_THING = (
    frozenset(VOTES),
    frozenset(MUTING),
    frozenset({"absent", "back"}),
    frozenset({"mail_each", "mail_daily", "mail_asked"}),
    frozenset({"calendar_on", "calendar_off"}),
    frozenset({"remind"}),
    frozenset({"quiet"}),
)
"""Commands of which the last word counts, beside those about the sheet."""


def _is_overtaken(command: Command, said_since: frozenset[str]) -> bool:
    """Whether the player has said since how that is to be."""
    return any(command.name in names and names & said_since for names in OF_ONE_THING)


def choice_of(command: Command) -> Choice:
    """What a command of those chooses; nothing for `mail now`."""
    given = command.params
    if command.name == "mail_daily" and given["at"] >= 0:
        return Choice(mails=DAILY, mails_at=given["at"])
    if command.name == "remind":
        return Choice(remind=given["hours"])
    if command.name == "quiet":
        return Choice(quiet=(given["begins"], given["ends"]))
    return CHOICES.get(command.name, Choice())


def _undo(found: Undo | CannotUndo | None) -> Done | Refusal | None:
    if isinstance(found, Undo):
        return Done(code="undone", params={"played": found.first > 0, "entered": found.entered})
    return (str(found), {}) if found is not None else None


def _use(late_orders: int | None) -> Done | Refusal:
    if late_orders is None:
        return "used_too_late", {}
    return Done(code="admitted", params={"orders": late_orders}) if late_orders else ("no_late_orders", {})


def _extend(stands: Position, command: Command) -> Done:
    """Only a moderator's ruling moves the deadline: this asks for one."""
    hours, deadline = command.params["hours"], stands.game.deadline
    until = (deadline + timedelta(hours=hours)).isoformat() if deadline is not None else ""
    return Done(code="time_asked_for", params={"hours": hours, "until": until})


def _absent(stands: Position, seat: int, command: Command) -> Done | Refusal:
    """The days are those of the player's own zone."""
    try:
        away = absence_from(command.params["from"], command.params["to"], zone_of(stands, seat))
    except NoAbsence as problem:
        return problem.code, problem.params
    params = {"begins": away.begins.isoformat(), "ends": away.ends.isoformat(), "policy": stands.game.absence}
    return Done(code="away", params=params)


def zone_of(stands: Position, seat: int) -> ZoneInfo:
    """The time zone of a seat's player."""
    player = stands.players.get(seat)
    return ZoneInfo(player.account.zone if player else "UTC")
