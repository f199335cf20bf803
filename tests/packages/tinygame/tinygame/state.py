"""What a game of tinygame consists of: plain data."""

import msgspec

SEATS = ("red", "green", "blue", "white")
VALUES = range(1, 7)
COPIES = 4
HAND = 3


class Bid(msgspec.Struct, frozen=True, tag="bid"):
    """A card played face down; the highest attacks."""

    card: int


class Attack(msgspec.Struct, frozen=True, tag="attack"):
    """Whom to attack, and with what card."""

    target: int
    card: int


class Defend(msgspec.Struct, frozen=True, tag="defend"):
    """A card at least as high as the attack's, or 0 to take the blow."""

    card: int


class Bids(msgspec.Struct, frozen=True, tag="bids"):
    """All bids shown together, each a seat and its card, and who attacks."""

    cards: tuple[tuple[int, int], ...]
    attacker: int


class Drew(msgspec.Struct, frozen=True, tag="drew"):
    """A card drawn; 0 for those who don't see which."""

    seat: int
    card: int = 0


class Attacked(msgspec.Struct, frozen=True, tag="attacked"):
    """An attack announced."""

    attacker: int
    target: int
    card: int


class Defended(msgspec.Struct, frozen=True, tag="defended"):
    """How it was met: 0 for a blow taken."""

    target: int
    card: int


class Out(msgspec.Struct, frozen=True, tag="out"):
    """A seat that lost its last life."""

    seat: int


class State(msgspec.Struct, omit_defaults=True):
    """The whole position. `left` and `discard` count the cards of each value; `steps` has the next one last."""

    lives: list[int]
    hands: list[list[int]]
    left: list[int]
    discard: list[int] = msgspec.field(default_factory=lambda: [0] * len(VALUES))
    steps: list[str] = []
    turn: int = 0
    attacker: int = 0
    target: int = 0
    card: int = 0

    def copy(self) -> "State":
        """A state that shares nothing with this one."""
        return State(
            self.lives.copy(),
            [hand.copy() for hand in self.hands],
            self.left.copy(),
            self.discard.copy(),
            self.steps.copy(),
            self.turn,
            self.attacker,
            self.target,
            self.card,
        )

    def living(self) -> list[int]:
        """The seats still in play."""
        return [seat for seat, lives in enumerate(self.lives) if lives]


class View(msgspec.Struct):
    """What a seat knows; with `seat` None and no hand what everyone does. `step` is what is asked now."""

    seat: int | None
    turn: int
    step: str
    lives: list[int]
    hand: list[int]
    sizes: list[int]
    discard: list[int]
    attacker: int
    target: int
    card: int
