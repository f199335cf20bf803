"""The game's part of the order language: `bid 3`, `attack red with 4`, `defend 5 or nothing`, `if attacked by red`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.contract import Condition, Fact, Rules
from engine.orders.cursor import Cursor
from engine.orders.language import Language
from engine.orders.lexicon import Lexicon
from engine.orders.shape import Alternative, Order
from tinygame.state import SEATS, Attack, Bid, Defend, View


class TinyLanguage(Language):
    """An intent is the choice itself."""

    version = 1
    words = Path(__file__).parent / "words"
    heads: Mapping[str, tuple[str, ...]] = {"bid": ("bid",), "attack": ("attack",), "defend": ("defend",)}
    rounds: Mapping[str, int] = {}

    def seats(self, view: View) -> Sequence[str]:
        return SEATS[: len(view.lives)]

    def asked(self, view: View) -> str:
        return view.step

    def body(self, head: str, words: Cursor, view: View, before: Any) -> Any:
        if head == "bid":
            return Bid(words.number())
        if head == "defend":
            return Defend(0 if words.take("nothing") else words.number())
        target = _seat(words, view)
        words.take("with")
        return Attack(target, words.number())

    def fact(self, words: Cursor, view: View) -> Condition:
        words.word("attacked_by")
        return Condition("attacked_by", {"seat": _seat(words, view)})

    def say(self, intent: Any, lexicon: Lexicon, view: View) -> tuple[str, str]:
        if isinstance(intent, Attack):
            return "attack", f"{lexicon.say(SEATS[intent.target])} {lexicon.say('with')} {intent.card}"
        head = "bid" if isinstance(intent, Bid) else "defend"
        return head, str(intent.card or lexicon.say("nothing"))

    def say_fact(self, condition: Fact, lexicon: Lexicon, view: View) -> str:
        said = f"{lexicon.say('attacked_by')} {lexicon.say(SEATS[condition.params['seat']])}"
        return said if condition.expected else f"{lexicon.say('not')} {said}"

    def ideas(self, rules: Rules, view: View, kind: str, round_: int) -> Sequence[Order]:
        targets = [seat for seat, lives in enumerate(view.lives) if lives and seat != view.seat]
        made: dict[str, list[Any]] = {
            "bid": [Bid(card) for card in sorted(set(view.hand), reverse=True)],
            "attack": [Attack(target, card) for target in targets for card in view.hand[-1:]],
            "defend": [Defend(card) for card in (*sorted(set(view.hand)), 0)],
        }
        return [Order(kind, tuple(Alternative(intent) for intent in made[kind]))] if made[kind] else []


def _seat(words: Cursor, view: View) -> int:
    return SEATS.index(words.word(*SEATS[: len(view.lives)]))
