"""A card file as it is written: its form, and what must hold in it before any game is made from it."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from engine.errors import BadSetup

BUILT_IN = Path(__file__).parent / "components" / "reconstructed.toml"
CORPORATIONS = ("mcglynn", "frontier", "omni_edo", "harlem", "windcraft")
"""The corporations that a company may have; elsewhere one is its place in this list."""
NEUTRAL = "neutral"
POOLS = {"starting": 55, "reserve": 30, "labor": 100, "design": 90}
"""How many cards of each pool the box holds."""
RESERVE = 6
"""Cards of a corporation's own reserve."""
DEPTH = 3
"""Effects within effects."""

Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=99)]
Trigger = Literal[
    "play", "built", "turn", "activate", "demolish", "destroyed", "attack", "kill", "mine", "action", "static"
]
Primitive = Literal[
    "gain_labor",
    "gain_construction",
    "gain_brass",
    "draw",
    "end_draw",
    "dismiss",
    "opp_discard",
    "damage",
    "steal_brass",
    "acquire_free",
    "choose",
    "if_corp",
    "warden",
    "hand_size",
]
Corporation = Literal["mcglynn", "frontier", "omni_edo", "harlem", "windcraft", "neutral"]

TRIGGERS: Mapping[str, frozenset[str]] = {
    "employee": frozenset({"play"}),
    "unit": frozenset({"play", "destroyed", "attack", "kill", "mine", "action", "static"}),
    "building": frozenset({"built", "turn", "activate", "demolish", "destroyed", "static"}),
}
"""By type of card, the moments at which its effects can happen."""
STATIC = frozenset({"warden", "hand_size"})
"""Primitives that hold while the card is face up; they happen at no moment."""
FIELDS: Mapping[str, frozenset[str]] = {
    "gain_labor": frozenset({"n"}),
    "gain_construction": frozenset({"n"}),
    "gain_brass": frozenset({"n"}),
    "draw": frozenset({"n"}),
    "end_draw": frozenset({"n"}),
    "hand_size": frozenset({"n"}),
    "dismiss": frozenset({"n"}),
    "opp_discard": frozenset({"n", "floor"}),
    "damage": frozenset({"n", "target"}),
    "steal_brass": frozenset({"n"}),
    "acquire_free": frozenset({"n", "pool"}),
    "choose": frozenset({"options"}),
    "if_corp": frozenset({"corp", "scope", "then"}),
    "warden": frozenset(),
}
"""What each primitive needs beside its name; `optional` may stand with any that happens at a moment."""


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One effect. `when` stands on the outermost alone; what each primitive does stands in `primitives`."""

    do: Primitive
    when: Trigger | None = None
    n: Positive | None = None
    optional: bool | None = None
    target: Literal["unit", "building", "any"] | None = None
    floor: Count | None = None
    scope: Literal["played", "in_play"] | None = None
    pool: Literal["labor", "design", "any"] | None = None
    corp: Corporation | None = None
    then: tuple["Effect", ...] | None = None
    options: tuple[tuple["Effect", ...], ...] | None = None


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of card, with as many copies as the box holds.

    `known` names the fields that the rulebook fixes; `text` says in words what `effects` say, for who reads the file.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    type: Literal["employee", "unit", "building"]
    corporation: Corporation
    pool: Literal["starting", "reserve", "labor", "design"]
    copies: Positive
    cost_labor: Count
    cost_construction: Count
    brass: Count
    attack: Count
    health: Count
    effects: tuple[Effect, ...]
    provenance: Literal["rulebook", "reconstructed", "printed"]
    known: tuple[str, ...] = ()
    text: str = ""
    per_player: Positive | None = None
    starts_in_play: bool = False
    convert_construction: Positive | None = None
    convert_brass: Positive | None = None
    rebuild_construction: Positive | None = None


class _Vocabulary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fields: tuple[str, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    primitives: tuple[Primitive, ...] = ()
    corporations: tuple[Corporation, ...] = ()


class _File(msgspec.Struct, forbid_unknown_fields=True):
    card: Annotated[tuple[Card, ...], msgspec.Meta(min_length=1, max_length=400)]
    vocabulary: _Vocabulary = _Vocabulary()
    corporation_names: dict[Corporation, str] = {}


@cache
def built_in() -> tuple[Card, ...]:
    """The cards that come with the game."""
    return read(tomllib.loads(BUILT_IN.read_text(encoding="utf-8")))


def read(components: Mapping[str, Any]) -> tuple[Card, ...]:
    """The cards of a parsed card file, checked whole. Raises BadSetup, naming the place."""
    try:
        cards = msgspec.convert(components, _File).card
    except msgspec.ValidationError as error:
        raise _bad_form(error) from error
    for place, card in enumerate(cards):
        _check_card(card, f"card.{place}")
    _check_ids(cards)
    _check_numbers(cards)
    _check_start(cards)
    _check_reserves(cards)
    return cards


def platform_of(cards: tuple[Card, ...]) -> Card:
    """The card that starts in play."""
    return next(card for card in cards if card.starts_in_play)


def _bad_form(error: msgspec.ValidationError) -> BadSetup:
    """What msgspec found, with its place as a dotted path."""
    why, _, path = str(error).partition(" - at `$")
    place = re.sub(r"\[(\d+)\]", r".\1", path.rstrip("`")).lstrip(".")
    field = re.fullmatch(r"Object (missing required|contains unknown) field `(.*)`", why)
    if field is None:
        return BadSetup("form", place, {"why": why})
    code = "missing" if field[1] == "missing required" else "unknown"
    return BadSetup(code, f"{place}.{field[2]}".lstrip("."))


def _check_card(card: Card, place: str) -> None:
    if card.type == "employee" and (card.attack or card.health):
        raise BadSetup("employee_fights", place, {"card": card.id})
    if card.type != "employee" and not card.health:
        raise BadSetup("no_health", f"{place}.health", {"card": card.id})
    if (card.pool == "labor" and card.type != "employee") or (card.pool == "design" and card.type == "employee"):
        raise BadSetup("wrong_pool", f"{place}.pool", {"card": card.id, "type": card.type})
    if card.pool == "reserve" and card.corporation == NEUTRAL:
        raise BadSetup("neutral_reserve", f"{place}.corporation", {"card": card.id})
    for number, effect in enumerate(card.effects):
        where = f"{place}.effects.{number}"
        if effect.when is None:
            raise BadSetup("missing", f"{where}.when")
        if effect.when not in TRIGGERS[card.type]:
            raise BadSetup("wrong_trigger", f"{where}.when", {"card": card.id, "type": card.type, "given": effect.when})
        _check_effect(effect, where, 1)


def _check_effect(effect: Effect, where: str, depth: int) -> None:
    given = {
        name
        for name in ("n", "target", "floor", "scope", "pool", "corp", "then", "options")
        if getattr(effect, name) is not None
    }
    needed = FIELDS[effect.do]
    for name in sorted(needed - given):
        raise BadSetup("missing", f"{where}.{name}")
    for name in sorted(given - needed):
        raise BadSetup("unknown", f"{where}.{name}")
    if (effect.do in STATIC) != (effect.when == "static"):
        raise BadSetup("static", f"{where}.when", {"do": effect.do})
    if effect.optional and effect.when == "static":
        raise BadSetup("unknown", f"{where}.optional")
    if effect.options is not None and len(effect.options) < 2:
        raise BadSetup("too_few_options", f"{where}.options")
    for inner, at in _inner(effect, where):
        if depth == DEPTH:
            raise BadSetup("too_deep", at, {"most": DEPTH})
        if inner.when is not None:
            raise BadSetup("unknown", f"{at}.when")
        _check_effect(inner, at, depth + 1)


def _inner(effect: Effect, where: str) -> Iterator[tuple[Effect, str]]:
    for number, inner in enumerate(effect.then or ()):
        yield inner, f"{where}.then.{number}"
    for option, inners in enumerate(effect.options or ()):
        for number, inner in enumerate(inners):
            yield inner, f"{where}.options.{option}.{number}"


def _check_ids(cards: tuple[Card, ...]) -> None:
    for field in ("id", "name"):
        seen: set[str] = set()
        for place, card in enumerate(cards):
            value = getattr(card, field).casefold()
            if value in seen:
                raise BadSetup("twice", f"card.{place}.{field}", {"given": getattr(card, field)})
            seen.add(value)


def _check_numbers(cards: tuple[Card, ...]) -> None:
    """The box holds 55 starting, 30 reserve, 100 labor and 90 design cards."""
    for pool, needed in POOLS.items():
        given = sum(card.copies for card in cards if card.pool == pool)
        if given != needed:
            raise BadSetup("card_count", "card", {"pool": pool, "given": given, "needed": needed})


def _check_start(cards: tuple[Card, ...]) -> None:
    """One card starts in play, a building with its rates; the rest of a starting deck is ten cards (BE-SET-2)."""
    platforms = [place for place, card in enumerate(cards) if card.starts_in_play]
    if len(platforms) != 1:
        raise BadSetup("platforms", "card", {"given": len(platforms), "needed": 1})
    (place,) = platforms
    platform = cards[place]
    if platform.type != "building" or platform.pool != "starting" or platform.per_player != 1 or platform.effects:
        raise BadSetup("platform", f"card.{place}", {"card": platform.id})
    for field in ("convert_construction", "convert_brass", "rebuild_construction"):
        if getattr(platform, field) is None:
            raise BadSetup("missing", f"card.{place}.{field}")
    for at, card in enumerate(cards):
        if (card.pool == "starting") != (card.per_player is not None):
            raise BadSetup("per_player", f"card.{at}.per_player", {"card": card.id})
        if card.per_player is not None and card.per_player * len(CORPORATIONS) != card.copies:
            raise BadSetup("per_player", f"card.{at}.per_player", {"card": card.id})


def _check_reserves(cards: tuple[Card, ...]) -> None:
    """Six cards each, of the same brass in all, so that no corporation starts ahead."""
    count: Counter[str] = Counter()
    brass: Counter[str] = Counter()
    for card in cards:
        if card.pool == "reserve":
            count[card.corporation] += card.copies
            brass[card.corporation] += card.copies * card.brass
    for name in CORPORATIONS:
        if count[name] != RESERVE:
            raise BadSetup("reserve_count", "card", {"corporation": name, "given": count[name], "needed": RESERVE})
        if brass[name] != brass[CORPORATIONS[0]]:
            first = brass[CORPORATIONS[0]]
            raise BadSetup("reserve_brass", "card", {"corporation": name, "given": brass[name], "needed": first})
