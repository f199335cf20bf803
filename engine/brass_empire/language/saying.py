"""Intents back to words: the head, and a rest that reads to the same intent."""

from collections.abc import Iterable
from typing import Any

from engine.brass_empire.choices import ANY as ANY_CORPORATION
from engine.brass_empire.choices import FROM_RESERVE, Accept, Corporation, Decline, End, Pick, PlayAll, Rebuild, Steal
from engine.brass_empire.language import names
from engine.brass_empire.language.bodies import PICKS
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
from engine.brass_empire.tables import LABOR
from engine.brass_empire.view import BrassView
from engine.orders.lexicon import Lexicon


def say(intent: Any, lexicon: Lexicon, view: BrassView) -> tuple[str, str]:
    """The head and the rest of an intent."""
    word = lexicon.say
    match intent:
        case Corporation(corp):
            return "corporation", word("any" if corp == ANY_CORPORATION else names.CORPORATION_WORDS[corp])
        case ReserveOf(cards):
            return "reserve", _counted(cards, lexicon, view)
        case PlayAll():
            return "play", word("all")
        case PlayBut(cards):
            return "play", f"{word('all')} {word('but')} {_cards(cards, ', ', lexicon, view)}"
        case PlayOf(cards, wishes):
            return "play", ", ".join([_counted(cards, lexicon, view), *_wishes(wishes, lexicon, view)])
        case BuyOf(card, source, mate):
            said = names.say_card(card, lexicon, view) + _source(source, lexicon)
            return "buy", said + (f" {word('for_teammate')}" if mate else "")
        case ConvertOf(construction):
            return "convert", word("all") if construction == ALL else str(construction)
        case Rebuild():
            return "rebuild", ""
        case UseOf(card, wishes) | DemolishOf(card, wishes):
            head = "use" if isinstance(intent, UseOf) else "demolish"
            return head, ", ".join([names.say_card(card, lexicon, view), *_wishes(wishes, lexicon, view)])
        case AttackBy(target, unit, wishes):
            said = f"{names.say_target(target, lexicon, view)} {word('with')} {names.say_card(unit, lexicon, view)}"
            return "attack", ", ".join([said, *_wishes(wishes, lexicon, view)])
        case MineBy(units, wishes):
            what = _counted(units, lexicon, view) if units else word("all")
            return "mine", ", ".join([f"{word('with')} {what}", *_wishes(wishes, lexicon, view)])
        case MineBut(units):
            return "mine", f"{word('with')} {word('all')} {word('but')} {_cards(units, ', ', lexicon, view)}"
        case End():
            return "end", ""
        case Pause():
            return "pause", ""
        case DiscardOf(cards):
            return "discard", _cards(cards, ", ", lexicon, view) if cards else word("cheapest")
    return _answer(intent, lexicon, view)


def _answer(intent: Any, lexicon: Lexicon, view: BrassView) -> tuple[str, str]:
    """What answers a question of an effect."""
    word = lexicon.say
    match intent:
        case DismissOf(cards):
            joint = f" {word('and')} "
            return "dismiss", _cards(cards, joint, lexicon, view) if cards else word("nothing")
        case StrikeAt(target):
            return "strike", names.say_target(target, lexicon, view)
        case TakeOf(card, mate):
            to = f" {word('for_teammate')}" if mate else ""
            return "take", names.say_card(card, lexicon, view) + to
        case PickBy(do):
            return "choose", word(next(name for name, primitive in PICKS.items() if primitive == do))
        case Pick(option):
            return "choose", str(option + 1)
        case Steal(seat):
            return "steal", f"{word('from')} {names.say_side(seat, lexicon, view)}"
        case Accept():
            return "accept", ""
        case Decline():
            return "decline", ""
    raise TypeError(type(intent).__name__)


def _wishes(wishes: Iterable[Any], lexicon: Lexicon, view: BrassView) -> list[str]:
    said = []
    for wish in wishes:
        head, rest = _answer(wish, lexicon, view)
        said.append(f"{lexicon.say(head)} {rest}".strip())
    return said


def _cards(cards: Iterable[int], joint: str, lexicon: Lexicon, view: BrassView) -> str:
    return joint.join(names.say_card(card, lexicon, view) for card in cards)


def _counted(cards: Iterable[tuple[int, int]], lexicon: Lexicon, view: BrassView) -> str:
    return ", ".join(names.say_counted(each, lexicon, view) for each in cards)


def _source(source: int, lexicon: Lexicon) -> str:
    if source == ANY:
        return ""
    what = "reserve" if source == FROM_RESERVE else "labor" if source == LABOR else "design"
    return f" {lexicon.say('from')} {lexicon.say(what)}"
