"""What `pbem game new` makes a game from: a template or plain rules, and what was said otherwise."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from pbem.cli.life import moment
from pbem.cli.pairs import pairs
from pbem.cli.words import _
from pbem.components import module_named, read_set
from pbem.context import Service
from pbem.games.lifecycle import Guest, Plan
from pbem.setups import read_options


def planned(service: Service, base: Plan, given: Mapping[str, Any]) -> Plan:
    """The plan with the command's options. Raises Refused and BadSet as what they name does, and BadParameter."""
    module = module_named(base.rules)
    guests = [Guest.written(each, twice=given["twice"]) for each in given["players"]]
    standins = {**base.standins, **_standins(given["standins"])}
    free = given["free"] or max(0, base.free - len(guests) - (len(standins) - len(base.standins)))
    components = read_set(given["components"], base.rules)[1] if given["components"] is not None else base.components
    said = {
        "pace": given["pace"],
        "stage_hours": given["hours"],
        "settle_minutes": given["settle"],
        "absence": given["absence"],
        "seating": given["seating"],
        "title": given["title"] or None,
    }
    return replace(
        base,
        guests=guests,
        standins=standins,
        free=free,
        components=components,
        options={**base.options, **read_options(module, pairs(given["options"], "--option"))},
        policy={**base.policy, **pairs(given["policy"], "--policy")},
        schedule={**base.schedule, **pairs(given["schedule"], "--schedule")},
        moderator=given["moderator"],
        code=given["code"],
        listed=base.listed or given["listed"],
        anonymous=base.anonymous or given["anonymous"],
        starts_at=moment(service, given["starts_at"]),
        **{name: value for name, value in said.items() if value is not None},
    )


def _standins(texts: Sequence[str]) -> dict[str, str]:
    """The levels by side."""
    levels: dict[str, str] = {}
    for text in texts:
        side, mark, level = text.partition("=")
        if not mark or side.lower() in levels:
            raise click.BadParameter(_("A stand-in is written SIDE=LEVEL, one a side."), param_hint="--standin")
        levels[side.lower()] = level.lower()
    return levels
