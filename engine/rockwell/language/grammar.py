"""Rockwell's part of the order language, put together."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.contract import Fact, Test
from engine.orders.cursor import Cursor
from engine.orders.language import Language
from engine.orders.lexicon import Lexicon
from engine.orders.shape import Order
from engine.rockwell import choices
from engine.rockwell.language import bodies, factwords, places, saying
from engine.rockwell.language.exact import exactly
from engine.rockwell.language.facts import read_fact
from engine.rockwell.language.ideas import ideas
from engine.rockwell.language.intents import ALL, BidOf
from engine.rockwell.language.nearby import nearby
from engine.rockwell.state import (
    Auction,
    AutomatonMoving,
    AutomatonRaising,
    Danger,
    Drilling,
    Insuring,
    Market,
    Placing,
    Ripe,
    Workshop,
)
from engine.rockwell.view import RockwellView

ASKS: dict[type, str] = {
    Auction: choices.BID,
    Placing: choices.PLACE,
    Insuring: choices.INSURE,
    Drilling: choices.DRILL,
    Ripe: choices.FIRST,
    Danger: choices.DANGER,
    Market: choices.MARKET,
    Workshop: choices.WORKSHOP,
    AutomatonMoving: choices.AUTOMATON_MOVE,
    AutomatonRaising: choices.AUTOMATON_STEP,
}


class RockwellLanguage(Language):
    """See `engine.orders.language.Language`."""

    version = 2
    words = Path(__file__).parent / "words"
    heads: Mapping[str, tuple[str, ...]] = {
        "bid": (choices.BID,),
        "place": (choices.PLACE,),
        "insure": (choices.INSURE,),
        "drill": (choices.DRILL,),
        "first": (choices.FIRST,),
        "danger": (choices.DANGER,),
        "sell": (choices.MARKET,),
        "buy": (choices.MARKET,),
        "power": (choices.WORKSHOP,),
        "safety": (choices.WORKSHOP,),
        "mobility": (choices.WORKSHOP,),
        "mineshaft": (choices.WORKSHOP,),
        "move_mineshaft": (choices.WORKSHOP,),
        "deliver": (choices.WORKSHOP,),
        "pass": (choices.MARKET, choices.WORKSHOP),
        "automaton_move": (choices.AUTOMATON_MOVE,),
        "automaton_step": (choices.AUTOMATON_STEP,),
    }
    rounds: Mapping[str, int] = {choices.DRILL: 4}
    foreseen = frozenset({choices.DRILL, choices.WORKSHOP})

    def seats(self, view: RockwellView) -> Sequence[str]:
        """The companies that play."""
        return places.SEATS[: len(view.companies)]

    def asked(self, view: RockwellView) -> str:
        """The kind of the decision that is open."""
        return ASKS.get(type(view.stack[-1]), "") if view.stack else ""

    def body(self, head: str, words: Cursor, view: RockwellView, before: Any) -> Any:
        """An intent."""
        return bodies.body(head, words, view, before)

    def fact(self, words: Cursor, view: RockwellView) -> Test:
        """A fact; the codes stand in `facts`."""
        return read_fact(words, view)

    def plausible(self, order: Order, view: RockwellView) -> bool:
        """Not a bid that is none of whole hundreds."""
        intents = [each.intent for each in order.alternatives]
        return not any(isinstance(intent, BidOf) and intent.money % 100 and intent.money != ALL for intent in intents)

    def nearby(self, rules: Any, state: Any, seat: int, intent: Any) -> Any:
        """A legal intent near one that was refused."""
        return nearby(rules, state, seat, intent)

    def say(self, intent: Any, lexicon: Lexicon, view: RockwellView) -> tuple[str, str]:
        """An intent in words."""
        return saying.say(intent, lexicon, len(view.companies))

    def intent(self, rules: Any, view: RockwellView, choice: Any) -> Any:
        """What says all of a choice."""
        return exactly(choice)

    def say_fact(self, condition: Fact, lexicon: Lexicon, view: RockwellView) -> str:
        """A fact in words."""
        return factwords.say_fact(condition, lexicon, view)

    def ideas(self, rules: Any, view: RockwellView, kind: str, round_: int) -> Sequence[Order]:
        """Examples."""
        return ideas(rules.tables, view, kind, round_)


LANGUAGE = RockwellLanguage()
