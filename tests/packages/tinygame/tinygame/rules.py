"""The rules: bid for the attack, draw, attack, be met. The last one living wins, or who has most lives in the end."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from engine.contract import Asked, Chance, Choice, Condition, Decision, Event, Part, Setup, Stage, Standing
from engine.errors import Illegal
from engine.spaces import check
from tinygame.changing import ChangeEvent, Changes
from tinygame.state import COPIES, HAND, VALUES, Attack, Attacked, Bid, Bids, Defend, Defended, Drew, Out, State, View


class Choose(msgspec.Struct, frozen=True):
    """A space whose parts don't depend on one another."""

    make: Any
    parts: tuple[Part, ...]

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        return self.parts[len(chosen)] if len(chosen) < len(self.parts) else None

    def build(self, chosen: tuple[Any, ...]) -> Choice:
        return self.make(*chosen)

    def split(self, choice: Choice) -> tuple[Any, ...]:
        if type(choice) is not self.make:
            raise Illegal("wrong_kind")
        return msgspec.structs.astuple(choice)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        return ("no_such_" + self.parts[len(chosen)].name, {"given": value})


class TinyRules(Changes):
    """The rules bound to a setup; `lives` and `turns` are options."""

    state_type = State
    choice_type = Bid | Attack | Defend
    intent_type = Bid | Attack | Defend
    event_type = Bids | Drew | Attacked | Defended | Out | ChangeEvent
    view_type = View

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._lives: int = setup.options.get("lives", 2)
        self._turns: int = setup.options.get("turns", 8)

    def start(self, chance: Chance, events: list[Event]) -> State:
        seats = self.setup.seats
        state = State([self._lives] * seats, [[] for _ in range(seats)], [COPIES] * len(VALUES), steps=["refill"])
        self._play_on(state, chance, events)
        return state

    def pending(self, state: State) -> Decision | None:
        if not state.steps:
            return None
        step = state.steps[-1]
        if step == "bid":
            return Decision("bid", tuple(state.living()), sealed=True)
        return Decision(step, (state.attacker if step == "attack" else state.target,))

    def space(self, state: State, seat: int) -> Choose:
        decision = self.pending(state)
        if decision is None or seat not in decision.seats:
            raise Illegal("not_asked")
        return _space(self.view(state, seat))

    def apply(self, state: State, answers: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:
        step = state.steps.pop()
        for seat, choice in answers.items():
            if choice.card:
                state.hands[seat].remove(choice.card)
                state.discard[choice.card - 1] += 1
        if step == "bid":
            cards = {seat: choice.card for seat, choice in answers.items()}
            state.attacker = max(cards, key=lambda seat: (cards[seat], -seat))
            events.append(Event(Bids(tuple(cards.items()), state.attacker)))
            state.steps += ["refill", "defend", "attack"]
            _draw(state, state.attacker, chance, events)
        elif step == "attack":
            choice = answers[state.attacker]
            state.target, state.card = choice.target, choice.card
            events.append(Event(Attacked(state.attacker, choice.target, choice.card)))
        else:
            events.append(Event(Defended(state.target, answers[state.target].card)))
            if not answers[state.target].card:
                _hit(state, events)
        self._play_on(state, chance, events)

    def default(self, state: State, seat: int) -> Choice:
        view = self.view(state, seat)
        if view.step == "bid":
            return Bid(view.hand[0])
        if view.step == "attack":
            return Attack(_targets(view)[0], view.hand[-1])
        return Defend(0)

    def fit(self, state: State, seat: int, intent: Any) -> Choice:
        check(self.space(state, seat), intent)
        return intent

    def holds(self, view: View, condition: Condition) -> bool:
        if condition.code != "attacked_by":
            raise Illegal("unknown_fact", {"code": condition.code})
        return view.step == "defend" and view.attacker == condition.params["seat"]

    def stage(self, state: State, pace: str) -> Stage:
        step = state.steps[-1] if state.steps else "defend"
        if pace == "brisk":
            return Stage(state.turn, "turn")
        return Stage(state.turn, "bid" if step == "bid" else "fight")

    def agenda(self, view: View, pace: str) -> Sequence[Asked]:
        if view.seat is None or not view.step or not view.lives[view.seat]:
            return ()
        if view.step == "bid":
            ahead = () if pace == "strict" else (Asked("attack", required=False), Asked("defend", required=False))
            return (Asked("bid"), *ahead)
        if view.step == "attack":
            attacks = view.seat == view.attacker
            return (Asked("attack"),) if attacks else (Asked("defend", required=False),)
        return (Asked("defend"),) if view.seat == view.target else ()

    def view(self, state: State, seat: int | None) -> View:
        hand = [] if seat is None else state.hands[seat].copy()
        step = state.steps[-1] if state.steps else ""
        sizes = [len(each) for each in state.hands]
        lives, discard = state.lives.copy(), state.discard.copy()
        return View(seat, state.turn, step, lives, hand, sizes, discard, state.attacker, state.target, state.card)

    def imagine(self, view: View, chance: Chance) -> State:
        left = [COPIES - gone - view.hand.count(value) for value, gone in zip(VALUES, view.discard, strict=True)]
        state = State(view.lives.copy(), [[] for _ in view.sizes], left, view.discard.copy())
        for seat, size in enumerate(view.sizes):
            hand = view.hand if seat == view.seat else [_take(state, chance) for _ in range(size)]
            state.hands[seat] = sorted(hand)
        state.turn, state.attacker, state.target, state.card = view.turn, view.attacker, view.target, view.card
        state.steps = {"attack": ["refill", "defend", "attack"], "defend": ["refill", "defend"]}.get(
            view.step, [view.step] if view.step else []
        )
        return state

    def standings(self, state: State) -> Sequence[Standing]:
        ranked = sorted(range(len(state.lives)), key=lambda seat: (-state.lives[seat], seat))
        return [
            Standing(
                seat,
                1 + sum(lives > state.lives[seat] for lives in state.lives),
                state.lives[seat],
                {"lives": state.lives[seat]},
            )
            for seat in ranked
        ]

    def invariants(self, state: State) -> Iterable[str]:
        for value in VALUES:
            held = sum(hand.count(value) for hand in state.hands)
            if held + state.left[value - 1] + state.discard[value - 1] != COPIES:
                yield "cards"

    def _play_on(self, state: State, chance: Chance, events: list[Event]) -> None:
        if state.steps[-1] != "refill":
            return
        state.steps.pop()
        living = state.living()
        if len(living) == 1 or state.turn == self._turns:
            return
        for seat in living:
            while len(state.hands[seat]) < HAND:
                _draw(state, seat, chance, events)
        state.turn += 1
        state.target = state.card = 0
        state.steps.append("bid")


def _space(view: View) -> Choose:
    cards = sorted(set(view.hand))
    if view.step == "bid":
        return Choose(Bid, (Part("card", cards),))
    if view.step == "attack":
        return Choose(Attack, (Part("target", _targets(view)), Part("card", cards)))
    return Choose(Defend, (Part("card", [0, *(card for card in cards if card >= view.card)]),))


def _targets(view: View) -> list[int]:
    return [seat for seat, lives in enumerate(view.lives) if lives and seat != view.seat]


def _take(state: State, chance: Chance) -> int:
    """A card off the pile, each of those left as likely as the next."""
    place = chance.draw("cards", sum(state.left))
    for value in VALUES:
        place -= state.left[value - 1]
        if place < 0:
            state.left[value - 1] -= 1
            return value
    raise AssertionError("the pile has as many cards as were counted")


def _draw(state: State, seat: int, chance: Chance, events: list[Event]) -> None:
    if not any(state.left):
        state.left, state.discard = state.discard, [0] * len(VALUES)
    card = _take(state, chance)
    state.hands[seat] = sorted([*state.hands[seat], card])
    events.append(Event(Drew(seat, card), (seat,), Drew(seat)))


def _hit(state: State, events: list[Event]) -> None:
    state.lives[state.target] -= 1
    if not state.lives[state.target]:
        for card in state.hands[state.target]:
            state.discard[card - 1] += 1
        state.hands[state.target] = []
        events.append(Event(Out(state.target)))
