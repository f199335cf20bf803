"""All that never changes in a game: its cards laid out by number, its options, and what follows from the seats."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from engine.brass_empire.cards import CORPORATIONS, Card, Effect, built_in, platform_of, read
from engine.contract import Setup
from engine.errors import BadSetup, UnknownVersion

VERSION = 1
OPTIONS: dict[str, tuple[Any, ...]] = {
    "teams": (False, True),
    "battle": (False, True),
    "first_edition": (False, True),
    "custom_reserve": (False, True),
    "reserve_brass": (10, 8, 9, 11, 12),
    "corporation_cards_in_pools": (False, True),
    "pool": (0, 20, 30, 40, 50, 60, 70, 75, 80, 90, 100, 120, 150),
    "pool_rounds": (150, 40, 60, 80, 100, 200, 300),
    "health_cap": (True, False),
    "battle_rounds": (60, 20, 30, 40, 50, 80, 100),
    "bought_at_end": (False, True),
    "demolish_triggers_destroyed": (True, False),
    "team_hands": (False, True),
    "equal_turns": (False, True),
    "turn_limit": (0, *range(3, 101)),
}
"""Each option's legal values, the default first; what they do stands in brackets in `rules.md`. `pool` 0 is the size
that goes with the number of companies, `turn_limit` 0 none."""

SEATS = range(1, 7)
POOL = {1: 40, 2: 50, 3: 50, 4: 60, 5: 75, 6: 80}
"""Brass in the mining pool by the number of companies (BE-SET-5, BE-SET-15)."""
HEALTH = 20
"""What each company starts with in battle (BE-BAT-1)."""
HAND = 5
ROW = 6
LABOR, DESIGN = ROWS = range(2)
EMPLOYEE, UNIT, BUILDING = range(3)
AT_ONCE = frozenset({"gain_labor", "gain_construction", "gain_brass", "draw", "end_draw"})
"""Primitives that never ask, and after which nothing else happens before the next effect."""
ASKS = frozenset({"dismiss", "damage", "steal_brass", "acquire_free", "choose"})
"""Primitives that ask whose effect they are."""
DECLINED = frozenset({"dismiss", "acquire_free"})
"""Primitives that may always be declined, by choosing nothing (BE-EFF-27)."""
_TYPES = ("employee", "unit", "building")


class Compiled(NamedTuple):
    """An effect with its numbers: `corp` a corporation's, `then` and `options` the numbers of effects. Effects within
    another have its `when`."""

    do: str
    when: str
    n: int
    optional: bool
    target: str
    floor: int
    scope: str
    pool: str
    corp: int
    then: tuple[int, ...]
    options: tuple[tuple[int, ...], ...]


class Tables(msgspec.Struct, frozen=True):
    """A card is its place in the card file; all tuples of the first group are by card.

    `by_trigger` has for each card the numbers of its effects by their moment; `effects` is by such a number. `at_once`:
    what happens when the card is played asks nobody anything. `asks` has the effects that may ask the one who acts, by
    moment, each with whether it only asks if it is to happen. `rank` is
    the order in which cards are played when all are: first those that draw, last those that look at others played.
    `start` is a company's deck, `reserves` by corporation, `pools` the labor and design cards of the box.
    """

    cards: tuple[Card, ...]
    kind: tuple[int, ...]
    corp: tuple[int, ...]
    labor: tuple[int, ...]
    construction: tuple[int, ...]
    brass: tuple[int, ...]
    attack: tuple[int, ...]
    health: tuple[int, ...]
    warden: tuple[bool, ...]
    hand_size: tuple[int, ...]
    by_trigger: tuple[Mapping[str, tuple[int, ...]], ...]
    at_once: tuple[bool, ...]
    asks: tuple[Mapping[str, tuple[tuple[int, bool], ...]], ...]
    rank: tuple[int, ...]
    effects: tuple[Compiled, ...]
    start: tuple[int, ...]
    reserves: tuple[tuple[int, ...], ...]
    pools: tuple[tuple[int, ...], tuple[int, ...]]
    names: tuple[tuple[str, str], ...]
    """Id and name of each card of a table's own card file; none for the cards that come with the game."""
    platform: int
    platform_health: int
    convert: int
    converted: int
    rebuild: int
    seats: int
    sides: int
    """Companies, and the automaton where one plays alone."""
    solo: bool
    size: int
    """Brass in the mining pool at the start."""
    mates: tuple[int, ...]
    """By seat the teammate's, -1 for none."""
    foes: tuple[tuple[int, ...], ...]
    """By side its opponents, clockwise from it."""
    streams: tuple[str, ...]
    """By seat the name of the stream that its deck is drawn from."""
    teams: bool
    battle: bool
    first_edition: bool
    custom_reserve: bool
    reserve_brass: int
    corporation_cards_in_pools: bool
    pool_rounds: int
    health_cap: bool
    battle_rounds: int
    bought_at_end: bool
    demolish_triggers_destroyed: bool
    team_hands: bool
    equal_turns: bool
    turn_limit: int


def tables(setup: Setup) -> Tables:
    """The tables of a setup. Raises BadSetup naming the place, UnknownVersion for rules that this code lacks."""
    if not 1 <= setup.version <= VERSION:
        raise UnknownVersion(str(setup.version))
    seats = setup.seats
    if seats not in SEATS:
        raise BadSetup("seats", "seats", {"given": seats, "least": SEATS[0], "most": SEATS[-1]})
    options = _options(setup.options)
    _check_variants(seats, options)
    size = options.pop("pool") or POOL[seats]
    cards = built_in() if setup.components is None else read(setup.components)
    platform = platform_of(cards)
    effects = _Effects()
    by_trigger = tuple(effects.of(card) for card in cards)
    sides = seats + (seats == 1)
    mates = tuple((seat + seats // 2) % seats if options["teams"] else -1 for seat in range(sides))
    return Tables(
        cards=cards,
        kind=tuple(_TYPES.index(card.type) for card in cards),
        corp=tuple(_corporation(card.corporation) for card in cards),
        labor=tuple(card.cost_labor for card in cards),
        construction=tuple(card.cost_construction for card in cards),
        brass=tuple(card.brass for card in cards),
        attack=tuple(card.attack for card in cards),
        health=tuple(card.health for card in cards),
        warden=tuple(any(effect.do == "warden" for effect in card.effects) for card in cards),
        hand_size=tuple(sum(effect.n for effect in card.effects if effect.do == "hand_size") for card in cards),
        by_trigger=by_trigger,
        at_once=tuple(all(effects.is_at_once(number) for number in moments.get("play", ())) for moments in by_trigger),
        asks=tuple({moment: effects.asking(numbers) for moment, numbers in moments.items()} for moments in by_trigger),
        rank=tuple(_rank(card) for card in cards),
        effects=tuple(effects.compiled),
        start=tuple(
            number
            for number, card in enumerate(cards)
            if card.pool == "starting" and card is not platform
            for _ in range(card.per_player)
        ),
        reserves=tuple(_copies(cards, lambda card, name=name: _in_reserve(card, name)) for name in CORPORATIONS),
        pools=(
            _copies(cards, lambda card: card.pool == "labor"),
            _copies(cards, lambda card: card.pool == "design"),
        ),
        names=() if setup.components is None else tuple((card.id, card.name) for card in cards),
        platform=next(number for number, card in enumerate(cards) if card is platform),
        platform_health=platform.health,
        convert=platform.convert_construction,
        converted=platform.convert_brass,
        rebuild=platform.rebuild_construction,
        seats=seats,
        sides=sides,
        solo=seats == 1,
        size=size,
        mates=mates,
        foes=tuple(
            tuple(foe % sides for foe in range(side + 1, side + sides) if foe % sides != mates[side])
            for side in range(sides)
        ),
        streams=tuple(f"deck/{seat}" for seat in range(seats)),
        **options,
    )


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    chosen = {name: values[0] for name, values in OPTIONS.items()}
    for name, value in given.items():
        if name not in OPTIONS:
            raise BadSetup("unknown_option", f"options.{name}", {"known": tuple(OPTIONS)})
        if not any(type(value) is type(legal) and value == legal for legal in OPTIONS[name]):
            raise BadSetup("option_value", f"options.{name}", {"given": value, "legal": OPTIONS[name]})
        chosen[name] = value
    return chosen


def _check_variants(seats: int, options: Mapping[str, Any]) -> None:
    """Which variant is for how many companies (BE-VAR-8)."""
    if options["teams"] and seats not in (4, 6):
        raise BadSetup("variant_seats", "options.teams", {"given": seats, "allowed": (4, 6)})
    for name in ("battle", "first_edition", "custom_reserve"):
        if options[name] and seats == 1:
            raise BadSetup("variant_seats", f"options.{name}", {"given": seats, "allowed": (2, 3, 4, 5, 6)})


def _copies(cards: tuple[Card, ...], wanted: Any) -> tuple[int, ...]:
    return tuple(number for number, card in enumerate(cards) if wanted(card) for _ in range(card.copies))


def _in_reserve(card: Card, corporation: str) -> bool:
    return card.pool == "reserve" and card.corporation == corporation


def _corporation(name: str) -> int:
    return CORPORATIONS.index(name) if name in CORPORATIONS else -1


def _rank(card: Card) -> int:
    does = {effect.do for effect in card.effects if effect.when == "play"}
    return 0 if "draw" in does else 2 if "if_corp" in does else 1


class _Effects:
    """Numbers all effects of all cards."""

    def __init__(self) -> None:
        self.compiled: list[Compiled] = []

    def of(self, card: Card) -> Mapping[str, tuple[int, ...]]:
        """The numbers of a card's effects by their moment, in the order printed.

        `after` holds those of an attack and of a kill in their common order, `kill` those that need a kill.
        """
        found: dict[str, tuple[int, ...]] = {}
        for effect in card.effects:
            number = self._number(effect, effect.when)
            if effect.when == "static":
                continue
            if effect.when in ("attack", "kill"):
                found["after"] = (*found.get("after", ()), number)
            if effect.when != "attack":
                found[effect.when] = (*found.get(effect.when, ()), number)
        return found

    def is_at_once(self, number: int) -> bool:
        """Whether an effect never asks."""
        effect = self.compiled[number]
        return effect.do in AT_ONCE and not effect.optional

    def asking(self, numbers: tuple[int, ...]) -> tuple[tuple[int, bool], ...]:
        """Those of the effects, and of the effects within them, that may ask, in order."""
        found: list[tuple[int, bool]] = []
        for number in numbers:
            effect = self.compiled[number]
            if effect.optional and effect.do not in DECLINED:
                found.append((number, True))
            if effect.do in ASKS:
                found.append((number, False))
            for inner in (effect.then, *effect.options):
                found += self.asking(inner)
        return tuple(found)

    def _number(self, effect: Effect, when: str) -> int:
        then = tuple(self._number(inner, when) for inner in effect.then)
        options = tuple(tuple(self._number(inner, when) for inner in option) for option in effect.options)
        self.compiled.append(
            Compiled(
                effect.do,
                when,
                effect.n,
                effect.optional,
                effect.target,
                effect.floor,
                effect.scope,
                effect.pool,
                _corporation(effect.corp),
                then,
                options,
            )
        )
        return len(self.compiled) - 1
