"""Templates of games: TOML files that say all that is fixed before anybody sits down, checked whole, fault by fault.

Shipped ones stand in `templates/games`; one of the same name in the service's own folder goes before.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from engine.components import Place, place_said
from engine.contract import RulesModule
from pbem.components import BadSet, module_named, read_set
from pbem.errors import Refused
from pbem.games import policy, schedule
from pbem.games.away import POLICIES, WAIT
from pbem.games.lifecycle import MOST_HOURS, Plan, check_level
from pbem.games.seating import SEATINGS
from pbem.games.titles import titled
from pbem.refusals import said as refused
from pbem.settings import Settings
from pbem.setups import read_options, written
from pbem.tomlfiles import lines_of, read_toml
from pbem.words import Words

SHIPPED = Path(__file__).parents[1] / "templates" / "games"
TEXT, NUMBER, SWITCH, TABLE = "template_text", "template_number", "template_switch", "template_table"
WHOLE = "template_whole"
KINDS: Mapping[str, str] = {
    "title": TEXT,
    "rules": TEXT,
    "seats": WHOLE,
    "standins": TABLE,
    "options": TABLE,
    "components": TEXT,
    "pace": TEXT,
    "hours": NUMBER,
    "settle_minutes": NUMBER,
    "absence": TEXT,
    "policy": TABLE,
    "schedule": TABLE,
    "seating": TEXT,
    "listed": SWITCH,
    "anonymous": SWITCH,
}
"""What a template can say, and how."""
NEEDED = ("rules", "seats")


@dataclass(frozen=True)
class Wrong:
    """One thing that is wrong: on which line (0 where that can't be told), in what, and why."""

    line: int
    place: str
    why: Refused


class BadTemplate(Exception):
    """A template that no game can be made from: all that is wrong, at least one."""

    def __init__(self, file: Path, wrong: Sequence[Wrong]) -> None:
        super().__init__(len(wrong))
        self.file = file
        self.wrong = tuple(wrong)


@dataclass(frozen=True)
class Template:
    """A sound template: `plan` is the game without people; `free` of it counts all seats that no stand-in plays."""

    name: str
    plan: Plan


def names(settings: Settings) -> dict[str, Path]:
    """The files of all templates, by name."""
    found: dict[str, Path] = {}
    for folder in (SHIPPED, settings.templates):
        if folder.is_dir():
            found |= {file.stem: file for file in sorted(folder.glob("*.toml"))}
    return dict(sorted(found.items()))


def read_template(settings: Settings, name: str) -> Template:
    """The template of that name.

    Raises Refused `no_template` and what `read_toml` raises, and BadTemplate with all that is wrong with it.
    """
    files = names(settings)
    if name not in files:
        raise Refused("no_template", given=name, known=", ".join(files))
    text, given = read_toml(files[name])
    faults = list(_faults(given, files[name].parent))
    if faults:
        lines = lines_of(text, [place for place, _ in faults])
        wrong = [Wrong(lines[place], ".".join(map(str, place)), why) for place, why in faults]
        raise BadTemplate(files[name], sorted(wrong, key=lambda each: each.line))
    return Template(name, _plan(given, files[name].parent))


def said(bad: BadTemplate, words: Words) -> list[str]:
    """What is wrong with a template, a sentence each, with file, line and place."""
    sentences = []
    for each in bad.wrong:
        params = {"file": bad.file, "line": each.line, "place": each.place, "why": refused(each.why, words)}
        if each.place:
            sentences.append(words.gettext("%(file)s, line %(line)s, %(place)s: %(why)s") % params)
        else:
            sentences.append(words.gettext("%(file)s: %(why)s") % params)
    return sentences


def _plan(given: Mapping[str, Any], folder: Path) -> Plan:
    module = module_named(given["rules"])
    standins = _texts(given.get("standins", {}))
    free = given["seats"] - len(standins)
    return Plan(
        rules=given["rules"],
        guests=(),
        pace=given.get("pace", module.paces[0]),
        stage_hours=given.get("hours"),
        settle_minutes=given.get("settle_minutes"),
        options=read_options(module, _texts(given.get("options", {}))),
        components=read_set(folder / given["components"], given["rules"])[1] if "components" in given else None,
        absence=given.get("absence", WAIT),
        policy=_texts(given.get("policy", {})),
        schedule=_texts(given.get("schedule", {})),
        title=given.get("title", ""),
        standins=standins,
        free=free,
        seating=given.get("seating", ""),
        listed=given.get("listed", False),
        anonymous=given.get("anonymous", False),
    )


def _faults(given: Mapping[str, Any], folder: Path) -> Iterator[tuple[Place, Refused]]:
    """All that is wrong, each with its place."""
    sound = dict(given)
    for key, value in given.items():
        if key not in KINDS:
            yield (key,), Refused("template_key", known=", ".join(KINDS))
        elif not _is(KINDS[key], value):
            yield (key,), Refused(KINDS[key])
            sound.pop(key)
    for key in NEEDED:
        if key not in given:
            yield (), Refused("template_needs", missing=key)
    try:
        module = module_named(sound["rules"]) if "rules" in sound else None
    except Refused as why:
        yield ("rules",), why
        return
    if module is not None:
        yield from _faults_of(module, sound, folder)


def _faults_of(module: RulesModule, given: Mapping[str, Any], folder: Path) -> Iterator[tuple[Place, Refused]]:
    """What is wrong by the rules that it is for."""
    seats = given.get("seats", module.seat_numbers[0])
    if seats not in module.seat_numbers:
        yield ("seats",), Refused("bad_seats", seats=seats, known=", ".join(map(str, module.seat_numbers)))
        return
    sides = module.seat_names[:seats]
    for side, level in given.get("standins", {}).items():
        if side not in sides:
            yield ("standins", side), Refused("bad_side", given=side, known=", ".join(sides))
        else:
            yield from _tried(("standins", side), partial(check_level, module, str(level)))
    for name, value in given.get("options", {}).items():
        yield from _tried(("options", name), partial(read_options, module, {name: written(value)}))
    silence = _texts(given.get("policy", {}))
    for name, text in silence.items():
        yield from _tried(("policy", name), partial(policy.changed, policy.Policy(), {name: text}, module.bots))
    for name, text in _texts(given.get("schedule", {})).items():
        yield from _tried(("schedule", name), partial(schedule.changed, schedule.Schedule(), {name: text}))
    if "components" in given:
        yield from _tried(("components",), partial(_check_set, folder / given["components"], module.name))
    yield from _choices_of(module, given)


def _choices_of(module: RulesModule, given: Mapping[str, Any]) -> Iterator[tuple[Place, Refused]]:
    """What is wrong with settings of one value."""
    absences = (*POLICIES, *module.bots)
    for key, code, known in (
        ("pace", "bad_pace", module.paces),
        ("absence", "bad_absence", absences),
        ("seating", "bad_seating", SEATINGS),
    ):
        if key in given and given[key] not in known:
            what = {"pace": given[key]} if key == "pace" else {"given": given[key]}
            yield (key,), Refused(code, **what, known=", ".join(known))
    for key, most, is_least_allowed in (("hours", MOST_HOURS, False), ("settle_minutes", MOST_HOURS * 60, True)):
        if key in given and not (0 <= given[key] <= most and (given[key] or is_least_allowed)):
            yield (key,), Refused("bad_time")
    if "title" in given:
        yield from _tried(("title",), partial(titled, given["title"]))
    if given.get("listed") and not given.get("seating"):
        yield ("listed",), Refused("not_open")


def _check_set(file: Path, rules: str) -> None:
    try:
        read_set(file, rules)
    except BadSet as bad:
        raise Refused("bad_components", place=place_said(bad.found[0].fault.place)) from bad


def _tried(place: Place, act: Callable[[], object]) -> Iterator[tuple[Place, Refused]]:
    try:
        act()
    except Refused as why:
        yield place, why


def _is(kind: str, value: object) -> bool:
    if kind == SWITCH:
        return isinstance(value, bool)
    if kind == WHOLE:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == NUMBER:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, str if kind == TEXT else dict)


def _texts(table: Mapping[str, Any]) -> dict[str, str]:
    """Values as they are written on the command line."""
    return {name: written(value) for name, value in table.items()}
