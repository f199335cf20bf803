"""What a game adds to the order language. Everything that no game needs for itself is in the reader and the writer."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from engine.contract import Choice, Fact, Intent, Rules, Test, View
from engine.orders.cursor import Cursor
from engine.orders.lexicon import Lexicon
from engine.orders.shape import Order


class Language(Protocol):
    """A game's part of the order language.

    `words` is a folder with a catalog a tongue (`en.toml`) of these tables, each a list of spellings by id, the one
    that is written first: `orders` (the words that begin an order), `words`, `plain` (words within an order that prose
    is made of too), `seats`, `kinds` (the kinds of decision, for `cancel bid` and `help bid`); and `templates`, a model
    line for each word of `orders`, and for those words that stand within an order only.
    """

    version: int
    """Raised whenever a line would be read to another order than before."""
    words: Path
    heads: Mapping[str, tuple[str, ...]]
    """For each word of `orders` the kinds of decision that it may be for. With more than one (`pass`), the line may
    name the kind; else it is that of the last order before it, else what the view says is asked."""
    rounds: Mapping[str, int]
    """The kinds that come up in rounds, `drill 2: …`, and the last round of each."""

    # What a game need not have; one that inherits from this class gets these.

    foreseen: frozenset[str] = frozenset()
    """The kinds of decision of which its rules foresee consequences: only their orders may have a test of what they
    would bring about."""
    successive: frozenset[str] = frozenset()
    """The kinds of which an act may change what the next one finds: those behind the first are not judged ahead."""

    def intent(self, rules: Rules, view: View, choice: Choice) -> Intent:
        """The intent that asks for this legal choice, or for one that no line can tell from it."""
        return choice

    def plausible(self, order: Order, view: View) -> bool:
        """Whether an order is worth suggesting to who wrote something else."""
        return True

    def nearby(self, rules: Rules, state: Any, seat: int, intent: Intent) -> Intent | None:
        """The intent that could be carried out nearest to one that can't; None where nothing is near."""
        return None

    def seats(self, view: View) -> Sequence[str]:
        """The ids of the seats that play, in seat order, as in the catalog's table `seats`."""
        ...

    def asked(self, view: View) -> str:
        """The kind of decision that is open for the seat whose view this is; empty if none is."""
        ...

    def body(self, head: str, words: Cursor, view: View, before: Intent | None) -> Intent:
        """What stands after the head, one alternative of it. Raises Unread.

        `before` is the intent of the alternative before it in the same line: `c2 to B3 or B4`.
        """
        ...

    def fact(self, words: Cursor, view: View) -> Test:
        """One fact of a condition, or what a few of them come to.

        Raises Unread, with code `hidden` for a fact that the seat can't see.
        """
        ...

    def say(self, intent: Intent, lexicon: Lexicon, view: View) -> tuple[str, str]:
        """The head and the rest, such that `body` reads the same intent again."""
        ...

    def say_fact(self, condition: Fact, lexicon: Lexicon, view: View) -> str:
        """The words of a fact, or of its opposite, such that `fact` reads the same again."""
        ...

    def ideas(self, rules: Rules, view: View, kind: str, round_: int) -> Sequence[Order]:
        """A few sound orders for that kind and round, such as this seat might give now: examples, never advice.

        `rules` are the game's own, for what its component set and options say.
        """
        ...
