"""A moderator's commands: one list, of which the command line, the desk, mail and the guide's table are made.

Each has the same name, parameters, checks and record whichever way it is given.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.commandwords import does, done
from pbem.context import Service
from pbem.rulings import (
    changing,
    deadlines,
    ending,
    goingback,
    life,
    looking,
    messages,
    observers,
    previewing,
    returning,
    seats,
    sheets,
)
from pbem.rulings.authority import Actor
from pbem.rulings.goingback import Back
from pbem.rulings.looking import Shown
from pbem.sheets.submitting import Taken
from pbem.storage.models import Ruling
from pbem.voting.proposals import RULED
from pbem.words import Words

SEAT = "seat"
"""The number of a seat, written as the name of its side."""
HOURS = "hours"
LEVEL = "level"
"""A level of the rules module's stand-ins."""
PLAYER = "player"
"""A `Guest`, written as an address, or as NAME=ADDRESS where the address may have no account yet."""
LINES = "lines"
"""Orders as a player writes them, one a line."""
ENTRY = "entry"
"""The number of a journal entry."""
LINE = "line"
"""The number of a line of the journal that was left."""
CHANCE = "chance"
"""One of `goingback.CHANCES`, the first unless another is given."""
VERSION = "version"
"""The version of a game that a preview showed."""
SHEETS = "sheets"
"""One of `goingback.SHEETS`, the first unless another is given."""
CHANGES = "changes"
"""Changes of the state, one a line (`pbem.rulings.changing.Wanted`)."""
OBSERVER = "observer"
"""The number of an observer, as they are listed."""
SCHEDULE = "schedule"
"""Settings of when stages end, NAME=VALUE each in a line."""
POLICY = "policy"
"""Settings of what happens when no orders come, of press and of observers, NAME=VALUE each in a line."""
DEADLINE = "deadline"
"""One of `life.DEADLINES`, the first unless another is given."""
CHOICES: Mapping[str, Sequence[str]] = {
    CHANCE: goingback.CHANCES,
    SHEETS: goingback.SHEETS,
    DEADLINE: life.DEADLINES,
}

Given = Mapping[str, Any]
Answer = datetime | Taken | Ruling | Shown | None
"""A new deadline, an acknowledgement, what is on record, hidden things, or nothing but that it is done."""


@dataclass(frozen=True)
class Command:
    """One command. `parameters` are what it asks for beside the game and the reason, as kinds such as `SEAT`.

    `reveals` says that it shows its giver something hidden: all players are told of that at once. `mailed` says that
    it can be given by mail too (`pbem.mail.commandlines` reads its parameters).
    """

    name: str
    parameters: tuple[str, ...]
    act: Callable[[Service, str, Given, Actor], Answer]
    reveals: bool = False
    mailed: bool = False
    early: bool = False
    """Whether it can be given before the game begins as well: it is no ruling then, and needs no reason."""
    compared: bool = False
    """Whether its giver sees first what it would come to: on the desk it has pages of its own."""
    takes_back: bool = False
    """Whether it is for a game that was ended as one that has moved as well."""
    shows: bool = False
    """Whether it shows what it would change, where the command line gives it nothing to change."""

    def help(self, words: Words) -> str:
        """What it does, in a sentence."""
        return does(self.name, words)

    def done(self, words: Words) -> str:
        """That it was done, in a sentence."""
        return done(self.name, words)


COMMANDS: Sequence[Command] = (
    Command(
        "extend",
        (HOURS,),
        lambda service, code, given, by: deadlines.extend_deadline(service, code, given[HOURS], by),
        mailed=True,
    ),
    Command(
        "end-deadline", (), lambda service, code, given, by: deadlines.end_deadline(service, code, by), mailed=True
    ),
    Command("force", (), lambda service, code, given, by: deadlines.force_stage(service, code, by), mailed=True),
    Command("pause", (), lambda service, code, given, by: deadlines.pause(service, code, by), mailed=True),
    Command(
        "resume",
        (),
        lambda service, code, given, by: deadlines.resume(service, code, by),
        mailed=True,
        takes_back=True,
    ),
    Command(
        "orders",
        (SEAT, LINES),
        lambda service, code, given, by: sheets.enter_orders(service, code, given[SEAT], given[LINES], by),
        reveals=True,
        mailed=True,
    ),
    Command(
        "withdraw",
        (SEAT,),
        lambda service, code, given, by: sheets.withdraw_orders(service, code, given[SEAT], by),
        reveals=True,
        mailed=True,
    ),
    Command(
        "admit",
        (SEAT,),
        lambda service, code, given, by: sheets.admit_late(service, code, given[SEAT], by),
        reveals=True,
        mailed=True,
    ),
    Command(
        "standin",
        (SEAT, LEVEL),
        lambda service, code, given, by: seats.stand_in(service, code, given[SEAT], given[LEVEL], by),
        mailed=True,
    ),
    Command(
        "give-back",
        (SEAT,),
        lambda service, code, given, by: seats.give_back(service, code, given[SEAT], by),
        mailed=True,
    ),
    Command(
        "replace",
        (SEAT, PLAYER),
        lambda service, code, given, by: seats.replace_player(service, code, given[SEAT], given[PLAYER], by),
        early=True,
    ),
    Command(
        "open",
        (SEAT,),
        lambda service, code, given, by: seats.open_seat(service, code, given[SEAT], by),
        mailed=True,
    ),
    Command(
        "invite-observer",
        (PLAYER,),
        lambda service, code, given, by: observers.invite_observer(service, code, given[PLAYER], by),
        early=True,
    ),
    Command(
        "remove-observer",
        (OBSERVER,),
        lambda service, code, given, by: observers.remove_observer(service, code, given[OBSERVER], by),
        early=True,
    ),
    Command(
        "schedule",
        (SCHEDULE, DEADLINE),
        lambda service, code, given, by: life.change_schedule(
            service, code, life.settings_written(given[SCHEDULE]), by, given[DEADLINE]
        ),
        shows=True,
    ),
    Command(
        "policy",
        (POLICY,),
        lambda service, code, given, by: life.change_policy(service, code, life.settings_written(given[POLICY]), by),
        shows=True,
    ),
    Command(
        "end",
        (),
        lambda service, code, given, by: ending.end_game(service, code, RULED, None, by),
        mailed=True,
    ),
    Command("end-moved", (), lambda service, code, given, by: ending.move_game(service, code, by), mailed=True),
    Command(
        "mute",
        (SEAT,),
        lambda service, code, given, by: messages.mute_press(service, code, given[SEAT], by),
        mailed=True,
    ),
    Command(
        "unmute",
        (SEAT,),
        lambda service, code, given, by: messages.unmute_press(service, code, given[SEAT], by),
        mailed=True,
    ),
    Command(
        "roll-back",
        (ENTRY, CHANCE, SHEETS),
        lambda service, code, given, by: goingback.roll_back(
            service, code, Back(given[ENTRY], given[CHANCE], given[SHEETS]), by
        ),
    ),
    Command("hold", (), lambda service, code, given, by: previewing.hold_for_review(service, code, by), mailed=True),
    Command("preview", (), lambda service, code, given, by: previewing.preview(service, code, by), reveals=True),
    Command("send", (VERSION,), lambda service, code, given, by: previewing.send(service, code, given[VERSION], by)),
    Command("look", (), lambda service, code, given, by: looking.see_all(service, code, by), reveals=True),
    Command(
        "see", (SEAT,), lambda service, code, given, by: looking.see_as(service, code, given[SEAT], by), reveals=True
    ),
    Command(
        "change",
        (CHANGES,),
        lambda service, code, given, by: changing.change_state(service, code, given[CHANGES], by),
        reveals=True,
        compared=True,
    ),
    Command("return", (LINE,), lambda service, code, given, by: returning.return_to(service, code, given[LINE], by)),
)
BY_NAME: Mapping[str, Command] = {command.name: command for command in COMMANDS}
_USAGE = {
    SEAT: "SEAT",
    LEVEL: "LEVEL",
    PLAYER: "[NAME=]ADDRESS",
    HOURS: "--hours HOURS",
    LINES: "--line ORDER",
    ENTRY: "ENTRY",
    LINE: "LINE",
    VERSION: "--version NUMBER",
    CHANCE: "[--chance redraw]",
    SHEETS: "[--sheets clear]",
    CHANGES: "--change CHANGE",
    OBSERVER: "OBSERVER",
    SCHEDULE: "NAME=VALUE",
    POLICY: "NAME=VALUE",
    DEADLINE: "[--deadline anew]",
}
_MAILED = {SEAT: "SEAT", LEVEL: "LEVEL", HOURS: "HOURS", LINES: "\nORDER"}
STATUS = "status"
"""What asks by mail how the game stands: it rules nothing, so the desk shows it and `pbem game show` prints it."""
MESSAGE = "message"
"""What writes to the players: no ruling, so it has no reason; desk and command line have it by itself."""
ALL = "all"
"""In place of a seat: all players."""
MESSAGE_FORM = "message SEAT|all\nTEXT"
"""How it is written in a mail."""
BECAUSE = "because"
"""What the line of a mail begins with that has the reason."""


def table(words: Words) -> str:
    """The guide's table: each command as it is given on the desk, on the command line and by mail."""
    stands = words.gettext("Show how the game stands: what all may know.")
    writes = message_help(words)
    rows = [
        _row(words.gettext("(at its top)"), "pbem game show CODE", STATUS, stands),
        _row(MESSAGE, "pbem game message CODE SEAT --text TEXT", "message SEAT / TEXT", writes),
    ]
    rows += [
        _row("start", "pbem game start CODE", "", words.gettext("Begin with those who have joined.")),
        _row("invite", "pbem game invite CODE", "", words.gettext("Invite all who were not yet written to, by mail.")),
        _row("gather", "pbem game gather CODE", "", gather_help(words)),
    ]
    rows += [_row(each.name, usage(each), _in_one(mail_form(each)), _shown(each, words)) for each in COMMANDS]
    head = "| on the desk | on the command line | by mail | does |"
    return "\n".join([head, "| --- | --- | --- | --- |", *rows])


def gather_help(words: Words) -> str:
    """What is changed of how a game takes players, in a sentence; it is no ruling."""
    return words.gettext("Change how a game takes players: open seats, listed or not, and when it begins.")


def message_help(words: Words) -> str:
    """What a message does, in a sentence."""
    return words.gettext("Write to the player of a seat, or to all (`all` in place of the seat); it is no ruling.")


def _row(desk: str, line: str, mail: str, does: str) -> str:
    return f"| {desk} | `{line}` | {f'`{mail}`' if mail else '–'} | {does} |"


def _in_one(form: str) -> str:
    return form.replace("\n", " / ")


def usage(command: Command) -> str:
    """How it is written on the command line."""
    return " ".join(["pbem game", command.name, "CODE", *(_USAGE[kind] for kind in command.parameters)])


def mail_form(command: Command) -> str:
    """How it is written in a mail, in lines; empty where it can't be given by mail. The reason's line is to follow."""
    if not command.mailed:
        return ""
    return " ".join([command.name, *(_MAILED[kind] for kind in command.parameters)]).replace(" \n", "\n")


def _shown(command: Command, words: Words) -> str:
    looked = words.gettext("All players are told at once that the moderator looked.")
    return f"{command.help(words)} {looked}" if command.reveals else command.help(words)
