"""The part of an order after its first word, read to an intent."""

from collections.abc import Callable
from typing import Any

from engine.brass_empire.cards import CORPORATIONS
from engine.brass_empire.choices import ANY as ANY_CORPORATION
from engine.brass_empire.choices import FROM_RESERVE, Accept, Corporation, Decline, End, Pick, PlayAll, Rebuild, Steal
from engine.brass_empire.language import names
from engine.brass_empire.language.intents import (
    ALL,
    ANY,
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
    UseOf,
)
from engine.brass_empire.tables import DESIGN, LABOR
from engine.brass_empire.view import BrassView
from engine.orders.cursor import Cursor, Unread
from engine.orders.tokens import SIGN

PICKS = {
    "labor": "gain_labor",
    "construction": "gain_construction",
    "brass": "gain_brass",
    "draw": "draw",
    "dismiss": "dismiss",
}
"""The words for an option by what it does first."""
WISHES = ("dismiss", "strike", "on", "choose", "steal", "take", "accept", "decline")
"""Words that begin an answer to a question that the act before them brings up."""
MOST_WISHES = 8


def body(head: str, words: Cursor, view: BrassView, before: Any) -> Any:
    """What stands after a head. Raises Unread."""
    return _BODIES[head](words, view)


def _joined(words: Cursor) -> bool:
    joined = words.take_sign(",", "+", "&") or words.take("and") is not None
    return words.take("then") is not None or joined


def _corporation(words: Cursor, view: BrassView) -> Corporation:
    if words.take("any"):
        return Corporation(ANY_CORPORATION)
    found = words.word(*names.CORPORATION_WORDS)
    return Corporation(CORPORATIONS.index(found.removeprefix("corp_")))


def _reserve(words: Cursor, view: BrassView) -> ReserveOf:
    return ReserveOf(_counted(words, view)[0])


def _counted(words: Cursor, view: BrassView) -> tuple[tuple[tuple[int, int], ...], tuple[Any, ...]]:
    """Cards with how many, and the wishes among them: `inventor dismiss clerk, 2 clerks`."""
    cards: list[tuple[int, int]] = []
    wishes: list[Any] = []
    while True:
        if not _take_wish(words, view, wishes):
            cards.append(names.counted(words, view))
        while _take_wish(words, view, wishes):
            pass
        if words.done or not _joined(words):
            return tuple(cards), tuple(wishes)


def _wishes(words: Cursor, view: BrassView) -> tuple[Any, ...]:
    """The wishes that may follow an act."""
    wishes: list[Any] = []
    while not words.done:
        start = words.at
        _joined(words)
        if not _take_wish(words, view, wishes):
            words.at = start
            break
    return tuple(wishes)


def _take_wish(words: Cursor, view: BrassView, wishes: list[Any]) -> bool:
    start = words.at
    found = words.take(*WISHES)
    if found is None:
        return False
    if len(wishes) == MOST_WISHES:
        raise Unread("too_many_wishes", start, most=MOST_WISHES)
    wishes.append(_WISHES[found](words, view))
    return True


def _dismiss_one(words: Cursor, view: BrassView) -> DismissOf:
    """Within a line a comma begins the next thing: only `and` joins the cards."""
    return _dismissed(words, view, lambda: words.take("and") is not None)


def _dismiss(words: Cursor, view: BrassView) -> DismissOf:
    return _dismissed(words, view, lambda: _joined(words))


def _dismissed(words: Cursor, view: BrassView, joined: Callable[[], bool]) -> DismissOf:
    if words.take("nothing"):
        return DismissOf(())
    cards: list[int] = []
    while True:
        number, count = names.counted(words, view)
        cards += [number] * max(1, min(count, 9))
        start = words.at
        if not joined():
            return DismissOf(tuple(cards))
        if names.take_card(words, view) is None and (words.here is None or not words.here.value):
            words.at = start
            return DismissOf(tuple(cards))
        words.at = start
        joined()


def _strike(words: Cursor, view: BrassView) -> StrikeAt:
    return StrikeAt(names.target(words, view))


def _choose(words: Cursor, view: BrassView) -> Any:
    found = _pick(words)
    if found is not None:
        return PickBy(PICKS[found])
    at = words.at
    number = words.number()
    if not 1 <= number <= 9:
        raise Unread("out_of_range", at, ["1"], least=1, most=9)
    return Pick(number - 1)


def _pick(words: Cursor) -> str | None:
    """An option by what it does, with how much: `labor`, `2 labor`, `draw 1 card`, `gain 2 construction`."""
    start = words.at
    words.take("gain")
    words.take_number()
    found = words.take(*PICKS)
    if found is None:
        words.at = start
        return None
    if words.take_number() is not None or found in ("draw", "dismiss"):
        words.take("card_word")
    return found


def _steal(words: Cursor, view: BrassView) -> Steal:
    words.take_number()
    words.take("brass")
    words.take("from")
    return Steal(names.side(words, view))


def _take(words: Cursor, view: BrassView) -> TakeOf | Steal:
    start = words.at
    words.take_number()
    if words.take("brass", "from"):
        words.at = start
        return _steal(words, view)
    words.at = start
    number = names.card(words, view)
    return TakeOf(number, _for_mate(words))


def _for_mate(words: Cursor) -> bool:
    if words.take("for_teammate"):
        return True
    start = words.at
    words.take("to")
    if words.take("teammate"):
        return True
    words.at = start
    return False


def _play(words: Cursor, view: BrassView) -> Any:
    start = words.at
    if words.take("whole_hand", "hand", "rest") or (words.take("all") and words.take("whole_hand", "hand")):
        return PlayAll()
    words.at = start
    if words.take("all"):
        if words.take("but"):
            return PlayBut(_but(words, view))
        if words.done or _is_sign(words):
            return PlayAll()
        words.at = start
    cards_said, wishes = _counted(words, view)
    if not cards_said:
        raise words.unread("card_expected")
    return PlayOf(cards_said, wishes)


def _but(words: Cursor, view: BrassView) -> tuple[int, ...]:
    """The cards that are left out."""
    cards = [names.card(words, view)]
    while _joined(words):
        cards.append(names.card(words, view))
    return tuple(cards)


def _buy(words: Cursor, view: BrassView) -> BuyOf:
    start = words.at
    if words.take_number() not in (None, 1):
        raise Unread("one_a_line", start, [""])
    number = names.card(words, view)
    source = ANY
    if words.take("from"):
        found = words.word("reserve", "labor", "design")
        source = {"reserve": FROM_RESERVE, "labor": LABOR, "design": DESIGN}[found]
        words.take("row")
    return BuyOf(number, source, _for_mate(words))


def _convert(words: Cursor, view: BrassView) -> ConvertOf:
    if words.done or words.take("all"):
        words.take("construction")
        return ConvertOf(ALL)
    amount = words.number()
    words.take("construction")
    if words.take("to", "into"):
        words.take_number()
        words.word("brass")
    return ConvertOf(amount)


def _rebuild(words: Cursor, view: BrassView) -> Rebuild:
    words.take("card_mining_platform")
    return Rebuild()


def _use(words: Cursor, view: BrassView) -> UseOf:
    return UseOf(names.card(words, view), _wishes(words, view))


def _demolish(words: Cursor, view: BrassView) -> DemolishOf:
    return DemolishOf(names.card(words, view), _wishes(words, view))


def _attack(words: Cursor, view: BrassView) -> AttackBy:
    target = names.target(words, view)
    units = names.own_units(view)
    if not words.take("with"):
        by = [f"{words.lexicon.say('with')} {names.say_card(unit, words.lexicon, view)}" for unit in units]
        raise words.unread("unknown_word", by or [words.lexicon.say("with")], expected=[words.lexicon.say("with")])
    return AttackBy(target, names.card(words, view, units), _wishes(words, view))


def _mine(words: Cursor, view: BrassView) -> MineBy | MineBut:
    words.take("with")
    if words.done or words.take("all", "rest"):
        words.take("unit_word")
        if words.take("but"):
            return MineBut(_but(words, view))
        if words.done or _is_wish(words):
            return MineBy((), _wishes(words, view))
        return MineBy(((names.card(words, view), ALL),), _wishes(words, view))
    units, wishes = _counted(words, view)
    if not units:
        raise words.unread("card_expected")
    return MineBy(units, wishes)


def _is_sign(words: Cursor) -> bool:
    """Whether a sign comes next: what follows it is something else."""
    return words.here is not None and words.here.kind == SIGN


def _is_wish(words: Cursor) -> bool:
    start = words.at
    _joined(words)
    found = words.take(*WISHES)
    words.at = start
    return found is not None


def _accept(words: Cursor, view: BrassView) -> Accept:
    words.take("all")
    return Accept()


def _decline(words: Cursor, view: BrassView) -> Decline:
    words.take("all")
    return Decline()


def _discard(words: Cursor, view: BrassView) -> DiscardOf:
    if words.take("cheapest"):
        return DiscardOf()
    cards: list[int] = []
    while True:
        number, count = names.counted(words, view)
        cards += [number] * (9 if count == ALL else min(count, 9))
        if not _joined(words):
            return DiscardOf(tuple(cards[:18]))


_WISHES: dict[str, Callable[[Cursor, BrassView], Any]] = {
    "dismiss": _dismiss_one,
    "strike": _strike,
    "on": _strike,
    "choose": _choose,
    "steal": _steal,
    "take": _take,
    "accept": lambda words, view: Accept(),
    "decline": lambda words, view: Decline(),
}
_BODIES: dict[str, Callable[[Cursor, BrassView], Any]] = {
    "corporation": _corporation,
    "reserve": _reserve,
    "play": _play,
    "buy": _buy,
    "convert": _convert,
    "rebuild": _rebuild,
    "use": _use,
    "demolish": _demolish,
    "attack": _attack,
    "mine": _mine,
    "end": lambda words, view: End(),
    "pause": lambda words, view: Pause(),
    "dismiss": _dismiss,
    "strike": _strike,
    "choose": _choose,
    "steal": _steal,
    "take": _take,
    "accept": _accept,
    "decline": _decline,
    "discard": _discard,
}
