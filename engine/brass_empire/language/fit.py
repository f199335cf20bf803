"""From what an order says to the choice that it makes of the pending decision."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from engine.brass_empire import asks, battle
from engine.brass_empire.choices import (
    ACT,
    ATTACK,
    COMPANIES,
    DEMOLISH,
    FROM_RESERVE,
    MINE,
    PIECES,
    PLAY,
    USE,
    Acquire,
    Act,
    Attack,
    Buy,
    Convert,
    Decline,
    Demolish,
    Discard,
    Dismiss,
    Mine,
    Pick,
    Play,
    Reserve,
    Strike,
    Use,
)
from engine.brass_empire.defaults import cheapest
from engine.brass_empire.language.intents import (
    ALL,
    ANY,
    COMPANY,
    WEAKEST,
    AttackBy,
    BuyOf,
    ConvertOf,
    DemolishOf,
    DiscardOf,
    DismissOf,
    MineBut,
    MineBy,
    Pause,
    PickBy,
    PlayBut,
    PlayOf,
    ReserveOf,
    StrikeAt,
    TakeOf,
    Target,
    UseOf,
)
from engine.brass_empire.state import Asking, Discarding, Piece, State, Turn
from engine.brass_empire.tables import DESIGN, LABOR, ROWS, UNIT, Tables
from engine.brass_empire.turnspace import TurnSpace
from engine.errors import Hold, Illegal
from engine.spaces import check


def fit(rules: Any, state: State, seat: int, intent: Any) -> Any:
    """The legal choice that an intent makes of the pending decision. Raises Illegal, and Hold for a pause."""
    tables: Tables = rules.tables
    space = rules.space(state, seat)
    step = state.stack[-1]
    if isinstance(intent, Pause):
        raise Hold
    if any(card not in range(len(tables.cards)) for card in named(intent)):
        raise Illegal("no_such_card", part="card", given=intent)
    if isinstance(step, Turn):
        choice = _Acts(tables, state, space).choice(intent)
    elif isinstance(step, Discarding):
        choice = _discard(tables, state, seat, step, intent)
    elif isinstance(step, Asking):
        choice = wish(tables, state, seat, intent, step.effect)
    elif isinstance(intent, ReserveOf):
        choice = Reserve(tuple(sorted(_expand(intent.cards))))
    else:
        choice = intent
    check(space, choice)
    return choice


def named(intent: Any) -> Iterator[int]:
    """The cards that an intent names."""
    match intent:
        case PlayOf(cards) | ReserveOf(cards) | MineBy(cards):
            yield from (card for card, _ in cards)
        case PlayBut(cards) | MineBut(cards) | DismissOf(cards) | DiscardOf(cards):
            yield from cards
        case BuyOf(card) | UseOf(card) | DemolishOf(card) | TakeOf(card):
            yield card
        case AttackBy(target, unit):
            yield unit
            yield max(0, target.card)
        case StrikeAt(target):
            yield max(0, target.card)
    for wish in getattr(intent, "wishes", ()):
        yield from named(wish)


def _expand(cards: tuple[tuple[int, int], ...]) -> list[int]:
    return [card for card, count in cards for _ in range(max(0, min(count, 99)))]


def _discard(tables: Tables, state: State, seat: int, step: Discarding, intent: Any) -> Any:
    """The cards named, as far as they are held and needed, then the cheapest."""
    if not isinstance(intent, DiscardOf):
        raise Illegal("wrong_kind", given=intent)
    count = step.counts[step.seats.index(seat)]
    left = state.companies[seat].hand[:]
    cards: list[int] = []
    for card in intent.cards:
        if card in left and len(cards) < count:
            left.remove(card)
            cards.append(card)
    if intent.cards and not cards:
        raise Illegal("not_in_hand", {"card": intent.cards[0], "has": 0}, part="card")
    return Discard(tuple(sorted([*cards, *cheapest(tables, left, count - len(cards))])))


def wish(tables: Tables, state: State, seat: int, intent: Any, effect: int) -> Any:
    """The answer, legal or not, that an intent makes of a question. Raises Illegal where it makes none."""
    match intent:
        case DismissOf(cards):
            return Dismiss(tuple(sorted(cards)))
        case StrikeAt(target):
            kind = tables.effects[effect].target if target.card == WEAKEST else ""
            legal = battle.struck_by_effect(tables, state, seat, kind or "any")
            return Strike(find_target(tables, state, target, legal))
        case TakeOf(card, mate):
            row = next((row for row in ROWS if card in state.rows[row] and card >= 0), LABOR)
            return Acquire(card, row, mate)
        case PickBy(do):
            return Pick(_option(tables, effect, do))
        case Decline() if tables.effects[effect].do == "dismiss":
            return Dismiss(())
    return intent


def _option(tables: Tables, effect: int, do: str) -> int:
    """The first option that begins with that primitive."""
    for option, numbers in enumerate(tables.effects[effect].options):
        if numbers and tables.effects[numbers[0]].do == do:
            return option
    raise Illegal("no_such_option")


def find_target(tables: Tables, state: State, said: Target, legal: list[int]) -> int:
    """Of the cards of that kind in play the legal one with the least health left, else any, so that it is told why."""
    sides = range(tables.sides) if said.seat == ANY else (said.seat,)
    if said.card == COMPANY:
        return COMPANIES + said.seat
    if said.card == WEAKEST:
        return _weakest(tables, state, sides, legal)
    found: list[int] = []
    for side in sides:
        if side not in range(tables.sides):
            break
        if said.card == tables.platform:
            found.append(side)
        found += [piece.id for piece in state.companies[side].pieces if piece.card == said.card and not piece.down]
    able = [target for target in found if target in legal]
    if not able:
        others = [target for target in found if said.seat != ANY or target in range(PIECES)]
        if said.seat == ANY or not others:
            raise Illegal("target_not_there", {"card": said.card, "seat": said.seat}, part="target", nearest=legal[:5])
        return others[0]
    return min(able, key=lambda target: battle.left(tables, state, target))


def _weakest(tables: Tables, state: State, sides: Iterable[int], legal: list[int]) -> int:
    """Never a company itself: that is no card."""
    able = [target for target in legal if target not in range(COMPANIES, PIECES)]
    able = [target for target in able if battle.card_of(tables, state, target)[0] in sides]
    if not able:
        raise Illegal("no_such_target", part="target", nearest=legal[:5])
    return min(able, key=lambda target: battle.left(tables, state, target))


class _Acts:
    """What an order of a turn comes to."""

    def __init__(self, tables: Tables, state: State, space: TurnSpace) -> None:
        self.tables = tables
        self.state = state
        self.space = space
        self.pieces = space.company.pieces

    def choice(self, intent: Any) -> Any:
        """The choice, legal or not. Raises Illegal where the intent makes none."""
        match intent:
            case PlayOf(cards, wishes):
                played = self._cards(cards)
                return Play(played, self._wishes(PLAY, played, wishes))
            case PlayBut(cards):
                rank = self.tables.rank
                return Play(tuple(sorted((c for c in self.space.company.hand if c not in cards), key=rank.__getitem__)))
            case BuyOf():
                return self._buy(intent)
            case ConvertOf(construction):
                return Convert(self._times(construction))
            case UseOf(card, wishes):
                return self._use(card, wishes)
            case DemolishOf(card, wishes):
                piece = self._piece(card, self.space.buildings("demolish"))
                return Demolish(piece.id, self._wishes(DEMOLISH, (piece.card,), wishes))
            case AttackBy(target, unit, wishes):
                piece = self._piece(unit, [ready.id for ready in self.space.ready()])
                at = find_target(self.tables, self.state, target, self.space.targets())
                return Attack(piece.id, at, self._wishes(ATTACK, (piece.card,), wishes))
            case MineBut(units):
                rest = [piece.id for piece in self._units(()) if piece.card not in units]
                if not rest:
                    raise Illegal("no_unit_ready", part="unit")
                return Mine(tuple(sorted(rest)))
            case MineBy(units, wishes):
                mining = self._units(units)
                return Mine(
                    tuple(sorted(piece.id for piece in mining)),
                    self._wishes(MINE, tuple(piece.card for piece in sorted(mining, key=lambda each: each.id)), wishes),
                )
        return intent

    def _cards(self, cards: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
        hand = Counter(self.space.company.hand)
        played: list[int] = []
        for card, count in cards:
            number = hand[card] - played.count(card) if count == ALL else count
            if number < 1 or played.count(card) + number > hand[card]:
                raise Illegal("not_in_hand", {"card": card, "has": hand[card]}, part="card", given=card)
            played += [card] * number
        return tuple(played)

    def _buy(self, intent: BuyOf) -> Buy:
        """Where it can be paid; else where it is on offer, so that it is told what it costs."""
        card, source = intent.card, intent.source
        if source == ANY:
            offers = [*self.state.rows, self.space.company.reserve]
            places = [place for place in (LABOR, DESIGN, FROM_RESERVE) if card in offers[place]]
            if not places:
                raise Illegal("not_on_offer", {"card": card}, part="card", given=card)
            able = [place for place in places if (place, card) in self.space.buys()]
            source = (able or places)[0]
        return Buy(card, source, intent.mate)

    def _times(self, construction: int) -> int:
        """Whole conversions alone: an odd rest stays."""
        needs = self.tables.convert
        if construction == ALL:
            return max(1, self.state.construction // needs)
        if construction < needs or construction % needs:
            raise Illegal("not_whole", {"needs": needs}, part="times", given=construction)
        return construction // needs

    def _piece(self, card: int, able: list[int]) -> Piece:
        """The most damaged of those that may, else any of that name, so that it is told why not."""
        own = [piece for piece in self.pieces if piece.card == card]
        if not own:
            raise Illegal("not_in_play", {"card": card}, part="piece", given=card)
        may = [piece for piece in own if piece.id in able]
        if self.tables.kind[card] == UNIT:
            return min(may or own, key=lambda piece: piece.damage)
        return max(may or own, key=lambda piece: piece.damage)

    def _use(self, card: int, wishes: tuple[Any, ...]) -> Any:
        if self.tables.kind[card] == UNIT:
            piece = self._piece(card, self.space.actors(self.space.ready()))
            return Act(piece.id, self._wishes(ACT, (card,), wishes))
        piece = self._piece(card, self.space.buildings("activate"))
        return Use(piece.id, self._wishes(USE, (card,), wishes))

    def _units(self, units: tuple[tuple[int, int], ...]) -> list[Piece]:
        ready = self.space.ready()
        if not units:
            if not ready:
                raise Illegal("no_unit_ready", part="unit")
            return ready
        found: list[Piece] = []
        for card, count in units:
            able = [piece for piece in ready if piece.card == card and piece not in found]
            number = len(able) if count == ALL else count
            if number < 1 or number > len(able):
                found.append(self._piece(card, [piece.id for piece in able]))
                if number > len(able) and able:
                    raise Illegal("so_many_units", {"card": card, "has": len(able)}, part="unit", given=card)
            else:
                found += able[:number]
        return found

    def _wishes(self, act: str, cards: tuple[int, ...], said: tuple[Any, ...]) -> tuple[Any, ...]:
        """The answers in the order in which the questions come up. Raises Illegal for one that nothing asks."""
        if not said:
            return ()
        asked = self.space.asked(act, cards)
        placed: dict[int, Any] = {}
        for intent in said:
            for place, (effect, may) in enumerate(asked):
                if place in placed:
                    continue
                try:
                    answer = wish(self.tables, self.state, self.state.seat, intent, effect)
                except Illegal as illegal:
                    if illegal.code == "no_such_option":
                        continue
                    raise
                if type(answer) in asks.kind(self.tables, effect, may):
                    placed[place] = answer
                    break
            else:
                raise Illegal("wish_unasked", part="wish", given=intent)
        return tuple(placed[place] for place in sorted(placed))
