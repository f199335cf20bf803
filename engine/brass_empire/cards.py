"""The cards of a game: read from a card file, which is checked whole before any game is made from it."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from engine.brass_empire.cardform import Card, CardFile, Effect
from engine.components import Place, form_faults, place_said, sound
from engine.contract import Fault, SetName
from engine.errors import BadSetup

__all__ = ["BUILT_IN", "CORPORATIONS", "SETS", "Card", "Effect", "built_in", "platform_of", "read"]

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
RATES = ("convert_construction", "convert_brass", "rebuild_construction")
"""What a platform says beside."""


class CardSets:
    """See `engine.contract.ComponentSets`."""

    built_in = BUILT_IN

    def check(self, components: Mapping[str, Any]) -> Sequence[Fault]:
        """All that is wrong with a set; one that differs from the built-in set needs a name of its own."""
        faults = form_faults(CardFile, components)
        faults += _misfits(components, faults)
        name = sound(components, faults, "set", "name")
        if name == _file().set.name and components != _parsed():
            faults.append(Fault("name_taken", ("set", "name"), {"given": name}))
        return faults

    def name(self, components: Mapping[str, Any] | None) -> SetName:
        """What a sound set is called."""
        given = _file() if components is None else CardFile.model_validate(components)
        return SetName(given.set.name, given.set.edition, components is None or components == _parsed())


SETS = CardSets()


@cache
def built_in() -> tuple[Card, ...]:
    """The cards that come with the game."""
    return tuple(_file().card)


@cache
def _file() -> CardFile:
    return CardFile.model_validate(_parsed())


def _parsed() -> dict[str, Any]:
    return tomllib.loads(BUILT_IN.read_text(encoding="utf-8"))


def read(components: Mapping[str, Any]) -> tuple[Card, ...]:
    """The cards of a parsed card file. Raises BadSetup for the first thing that is wrong."""
    for fault in SETS.check(components):
        raise BadSetup(fault.code, place_said(fault.place), fault.params)
    return tuple(CardFile.model_validate(components).card)


def platform_of(cards: tuple[Card, ...]) -> Card:
    """The card that starts in play."""
    return next(card for card in cards if card.starts_in_play)


def _misfits(components: Mapping[str, Any], form: Sequence[Fault]) -> list[Fault]:
    """What does not go together, as far as the form lets it be looked at."""
    if any(fault.place[:1] == ("card",) for fault in form):
        return []
    cards = [Card.model_validate(card) for card in components["card"]]
    found: list[Fault] = []
    for number, card in enumerate(cards):
        found += _of_card(card, ("card", number))
    found += _ids(cards)
    found += _numbers(cards)
    found += _start(cards)
    found += _reserves(cards)
    return found


def _of_card(card: Card, place: Place) -> Iterator[Fault]:
    if card.type == "employee" and (card.attack or card.health):
        yield Fault("employee_fights", place, {"card": card.name})
    if card.type != "employee" and not card.health:
        yield Fault("no_health", (*place, "health"), {"card": card.name})
    if (card.pool == "labor" and card.type != "employee") or (card.pool == "design" and card.type == "employee"):
        yield Fault("wrong_pool", (*place, "pool"), {"card": card.name}, "BE-SET-4")
    if card.pool == "reserve" and card.corporation == NEUTRAL:
        yield Fault("neutral_reserve", (*place, "corporation"), {"card": card.name}, "BE-SET-3")
    for number, effect in enumerate(card.effects):
        where = (*place, "effects", number)
        if not effect.when:
            yield Fault("missing", (*where, "when"))
        elif effect.when not in TRIGGERS[card.type]:
            given = {"given": effect.when, "legal": sorted(TRIGGERS[card.type])}
            yield Fault("wrong_trigger", (*where, "when"), given)
        yield from _of_effect(effect, where, 1)


def _of_effect(effect: Effect, where: Place, depth: int) -> Iterator[Fault]:
    given = effect.model_fields_set - {"do", "when", "optional"}
    needed = FIELDS[effect.do]
    for name in sorted(needed - given):
        yield Fault("missing", (*where, name))
    for name in sorted(given - needed):
        yield Fault("unknown_key", (*where, name), {"known": ["do", "when", *sorted(needed)], "close": []})
    if (effect.do in STATIC) != (effect.when == "static") and (effect.when or effect.do in STATIC):
        yield Fault("static", (*where, "when"), {"do": effect.do})
    if effect.optional and effect.when == "static":
        yield Fault("unknown_key", (*where, "optional"), {"known": ["do", "when", *sorted(needed)], "close": []})
    if "options" in needed & given and len(effect.options) < 2:
        yield Fault("size", (*where, "options"), {"given": len(effect.options), "least": 2}, "BE-EFF-10")
    for inner, at in _inner(effect, where):
        if depth == DEPTH:
            yield Fault("too_deep", at, {"most": DEPTH})
            return
        if inner.when:
            yield Fault("unknown_key", (*at, "when"), {"known": ["do", *sorted(FIELDS[inner.do])], "close": []})
        yield from _of_effect(inner, at, depth + 1)


def _inner(effect: Effect, where: Place) -> Iterator[tuple[Effect, Place]]:
    for number, inner in enumerate(effect.then):
        yield inner, (*where, "then", number)
    for option, inners in enumerate(effect.options):
        for number, inner in enumerate(inners):
            yield inner, (*where, "options", option, number)


def _ids(cards: Sequence[Card]) -> Iterator[Fault]:
    for field in ("id", "name"):
        seen: set[str] = set()
        for number, card in enumerate(cards):
            value = getattr(card, field).casefold()
            if value in seen:
                yield Fault("twice", ("card", number, field), {"given": getattr(card, field)})
            seen.add(value)


def _numbers(cards: Sequence[Card]) -> Iterator[Fault]:
    """The box holds 55 starting, 30 reserve, 100 labor and 90 design cards."""
    for pool, needed in POOLS.items():
        given = sum(card.copies for card in cards if card.pool == pool)
        if given != needed:
            yield Fault("card_count", ("card",), {"pool": pool, "given": given, "needed": needed})


def _start(cards: Sequence[Card]) -> Iterator[Fault]:
    """One card starts in play, a building with its rates; the others are dealt out as often to each company."""
    platforms = [number for number, card in enumerate(cards) if card.starts_in_play]
    if len(platforms) != 1:
        yield Fault("platforms", ("card",), {"given": len(platforms)}, "BE-SET-12")
    for number in platforms:
        platform = cards[number]
        if platform.type != "building" or platform.pool != "starting" or platform.effects:
            yield Fault("platform", ("card", number), {"card": platform.name}, "BE-PLT-12")
        for field in RATES:
            if field not in platform.model_fields_set:
                yield Fault("missing", ("card", number, field), {}, "BE-PLT-1")
    for number, card in enumerate(cards):
        counted = "per_player" in card.model_fields_set
        if (card.pool == "starting") != counted or (counted and card.per_player * len(CORPORATIONS) != card.copies):
            needed = card.copies // len(CORPORATIONS)
            yield Fault("per_player", ("card", number, "per_player"), {"pool": card.pool, "needed": needed}, "BE-SET-2")


def _reserves(cards: Sequence[Card]) -> Iterator[Fault]:
    """Six cards each, of the same brass in all, so that no corporation starts ahead."""
    count: Counter[str] = Counter()
    brass: Counter[str] = Counter()
    for card in cards:
        if card.pool == "reserve":
            count[card.corporation] += card.copies
            brass[card.corporation] += card.copies * card.brass
    # Those are wrong that differ from most others.
    ((usual, _),) = Counter(brass[name] for name in CORPORATIONS).most_common(1)
    for name in CORPORATIONS:
        if count[name] != RESERVE:
            yield Fault("reserve_count", ("card",), {"corporation": name, "given": count[name], "needed": RESERVE})
        elif brass[name] != usual:
            yield Fault("reserve_value", ("card",), {"corporation": name, "given": brass[name], "needed": usual})
