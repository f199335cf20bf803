"""Brass Empire's part of the order language, put together."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.brass_empire import choices
from engine.brass_empire.language import bodies, facts, names, saying
from engine.brass_empire.language.exact import exactly
from engine.brass_empire.language.ideas import ideas
from engine.brass_empire.state import Asking, Discarding, Founding, Reserving, Turn
from engine.brass_empire.view import BrassView
from engine.contract import Condition, Fact
from engine.orders.cursor import Cursor
from engine.orders.language import Language
from engine.orders.lexicon import Lexicon
from engine.orders.shape import Order

ASKS: dict[type, str] = {
    Founding: choices.FOUNDING,
    Reserving: choices.RESERVE,
    Turn: choices.TURN,
    Asking: choices.EFFECT,
    Discarding: choices.DISCARD,
}
_TURN = (choices.TURN,)
_EFFECT = (choices.EFFECT,)


class BrassEmpireLanguage(Language):
    """See `engine.orders.language.Language`."""

    version = 3
    words = Path(__file__).parent / "words"
    heads: Mapping[str, tuple[str, ...]] = {
        "corporation": (choices.FOUNDING,),
        "reserve": (choices.RESERVE,),
        "play": _TURN,
        "buy": _TURN,
        "convert": _TURN,
        "rebuild": _TURN,
        "use": _TURN,
        "demolish": _TURN,
        "attack": _TURN,
        "mine": _TURN,
        "end": _TURN,
        "pause": _TURN,
        "dismiss": _EFFECT,
        "strike": _EFFECT,
        "choose": _EFFECT,
        "steal": _EFFECT,
        "take": _EFFECT,
        "accept": _EFFECT,
        "decline": _EFFECT,
        "discard": (choices.DISCARD,),
    }
    rounds: Mapping[str, int] = {}
    successive = frozenset(_TURN)

    def seats(self, view: BrassView) -> Sequence[str]:
        """The companies that play."""
        return names.seats(view)

    def asked(self, view: BrassView) -> str:
        """The kind of the decision that is open."""
        return ASKS.get(type(view.stack[-1]), "") if view.stack else ""

    def body(self, head: str, words: Cursor, view: BrassView, before: Any) -> Any:
        """An intent."""
        return bodies.body(head, words, view, before)

    def fact(self, words: Cursor, view: BrassView) -> Condition:
        """A fact; the codes stand in `facts`."""
        return facts.read_fact(words, view)

    def say(self, intent: Any, lexicon: Lexicon, view: BrassView) -> tuple[str, str]:
        """An intent in words."""
        return saying.say(intent, lexicon, view)

    def intent(self, rules: Any, view: BrassView, choice: Any) -> Any:
        """What says all of a choice but which of several cards alike."""
        return exactly(rules.tables, view, choice)

    def say_fact(self, condition: Fact, lexicon: Lexicon, view: BrassView) -> str:
        """A fact in words."""
        return facts.say_fact(condition, lexicon, view)

    def ideas(self, rules: Any, view: BrassView, kind: str, round_: int) -> Sequence[Order]:
        """Examples."""
        return ideas(rules.tables, view, kind)


LANGUAGE = BrassEmpireLanguage()
