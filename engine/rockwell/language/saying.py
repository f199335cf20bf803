"""Intents back to words: the head, and a rest that reads to the same intent."""

from typing import Any

from engine.orders.lexicon import Lexicon
from engine.rockwell.choices import (
    LEFT,
    NOT_SAID,
    AutomatonMove,
    AutomatonRaise,
    Deliver,
    First,
    Mineshaft,
    Mobility,
    MoveMineshaft,
    Pass,
    Raise,
    Safety,
)
from engine.rockwell.geometry import CENTRE, TILE_NAMES
from engine.rockwell.language.drills import say_move
from engine.rockwell.language.intents import ALL, ANY, SAME, STAY, BidOf, Buy, CoverBy, DrillBy, InsureOf, PlaceOn, Sell
from engine.rockwell.language.places import SEATS, say_crew
from engine.rockwell.state import BOARD_NAMES, KIND_NAMES


def say(intent: Any, words: Lexicon, companies: int) -> tuple[str, str]:
    """The head and the rest of an intent, in a game of so many companies."""
    match intent:
        case BidOf(money, cubes):
            return "bid", _amounts(money, cubes, words, " + ")
        case InsureOf(cubes):
            return "insure", _amounts(0, cubes, words, ", ")
        case PlaceOn(board, slot):
            number = "" if slot == ANY else f" {slot + 1}"
            return "place", words.say(BOARD_NAMES[board]) + number
        case DrillBy():
            return "drill", _drill(intent, words, companies)
        case CoverBy(insurance, keep):
            return "danger", _cover(insurance, keep, words)
        case Sell(kind, amount) | Buy(kind, amount):
            head = "sell" if isinstance(intent, Sell) else "buy"
            return head, f"{_number(amount, words)} {words.say(KIND_NAMES[kind])}"
    return _say_short(intent, words)


def _say_short(intent: Any, words: Lexicon) -> tuple[str, str]:
    match intent:
        case First(tile):
            return "first", TILE_NAMES[tile]
        case Pass():
            return "pass", ""
        case Raise(crew):
            return "power", say_crew(crew)
        case Safety():
            return "safety", ""
        case Mobility():
            return "mobility", ""
        case Mineshaft(tile):
            return "mineshaft", TILE_NAMES[tile]
        case MoveMineshaft(origin, to):
            start = "" if origin == ANY else f"{TILE_NAMES[origin]} "
            return "move_mineshaft", f"{start}{words.say('to')} {TILE_NAMES[to]}"
        case Deliver(pile):
            return "deliver", words.say(KIND_NAMES[pile])
        case AutomatonMove(crew, to):
            return "automaton_move", f"{say_crew(crew)} {words.say('to')} {TILE_NAMES[to]}"
        case AutomatonRaise(crew):
            return "automaton_step", say_crew(crew)
    raise TypeError(type(intent).__name__)


def _number(amount: int, words: Lexicon) -> str:
    return words.say("all") if amount == ALL else str(amount)


def _amounts(money: int, cubes: tuple[int, ...], words: Lexicon, joint: str) -> str:
    said = [f"{_number(money, words)} {words.say('money')}" if money == ALL else str(money)] if money else []
    said += [f"{_number(amount, words)} {words.say(KIND_NAMES[kind])}" for kind, amount in enumerate(cubes) if amount]
    return joint.join(said) or words.say("nothing")


def _cover(insurance: int, keep: int, words: Lexicon) -> str:
    if keep != ANY:
        return f"{words.say('keep')} {words.say(KIND_NAMES[keep])}"
    if insurance in (ALL, 0):
        return words.say("all" if insurance == ALL else "nothing")
    return f"{words.say('insurance')} {insurance}"


def _drill(intent: DrillBy, words: Lexicon, companies: int) -> str:
    said = f"{words.say('any_crew') if intent.crew == ANY else say_crew(intent.crew)} "
    said += words.say("stay") if intent.to == STAY else _move(intent.to, words)
    if intent.second != NOT_SAID:
        said += f" {words.say('then')} {_move(intent.second, words)}"
    return ", ".join([said, *_extras(intent, words, companies)])


def _move(spot: int, words: Lexicon) -> str:
    tiles = say_move(spot)
    if tiles:
        return " ".join((words.say("straddle"), *(TILE_NAMES[tile] for tile in tiles)))
    return f"{words.say('to')} {words.say('core') if spot == CENTRE else TILE_NAMES[spot]}"


def _extras(intent: DrillBy, words: Lexicon, companies: int) -> list[str]:
    said = []
    if intent.die == LEFT:
        said.append(f"{words.say('leave')} {words.say('die')}")
    elif intent.die != NOT_SAID:
        power = "" if intent.die == SAME else f" {intent.die}"
        said.append(f"{words.say('bring')} {words.say('die')}{power}")
    if intent.hire:
        anyway = f" {words.say('anyway')}" if intent.anyway else ""
        said.append(f"{words.say('hire')} {intent.hire}{anyway}")
    if intent.bribe != NOT_SAID:
        seat, crew = divmod(intent.bribe, 4)
        onto = f" {words.say('to')} {TILE_NAMES[intent.onto]}" if intent.onto != NOT_SAID else ""
        owner = words.say(SEATS[seat] if seat < companies else "automaton_move")
        said.append(f"{words.say('bribe')} {owner} {say_crew(crew)}{onto}")
    return said
