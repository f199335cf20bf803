"""Before the first turn: corporations, reserves, decks, rows and hands. BE-SET, BE-VAR-2, BE-VAR-3, BE-VAR-7."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from engine.brass_empire import turn
from engine.brass_empire.asks import STOP
from engine.brass_empire.cards import CORPORATIONS
from engine.brass_empire.choices import ANY, FOUNDING, RESERVE, Corporation, Reserve
from engine.brass_empire.drawing import deal, next_card
from engine.brass_empire.events import CorporationTaken, Opened, ReserveMade, Started
from engine.brass_empire.play import Play
from engine.brass_empire.state import DOWN, EMPTY, Company, Founding, Opening, Reserving, State
from engine.brass_empire.tables import EMPLOYEE, HAND, HEALTH, ROW, ROWS, Tables
from engine.contract import Chance, Decision, Event, Part
from engine.errors import Illegal

MOST_RESERVE = 10
"""Cards of a reserve of one's own making (BE-VAR-2)."""


def begin(tables: Tables, chance: Chance, events: list[Event]) -> Play:
    """The companies at the table, before any has a corporation."""
    seats = tables.seats
    companies = [
        Company(brass=HEALTH if tables.battle else 0, deck=list(tables.start) if seat < seats else [])
        for seat in range(tables.sides)
    ]
    for automaton in companies[seats:]:
        automaton.platform = DOWN
    state = State(
        companies,
        [[EMPTY] * ROW for _ in ROWS],
        [list(pool) for pool in tables.pools],
        pool=0 if tables.battle else tables.size,
        first=chance.draw("first", seats) if seats > 1 else 0,
        stack=[Founding(0)],
    )
    state.seat = state.first
    play = Play(tables, state, chance, events)
    play.tell(Started(state.first, state.pool))
    return play


def seat_at(tables: Tables, state: State, index: int) -> int:
    """The seat `index` places clockwise from the first."""
    return (state.first + index) % tables.seats


def pending_founding(tables: Tables, state: State, step: Founding) -> Decision:
    """One company after the other, clockwise from the first."""
    return Decision(FOUNDING, (seat_at(tables, state, step.index),))


def pending_reserve(tables: Tables, state: State, step: Reserving) -> Decision:
    """As for corporations."""
    return Decision(RESERVE, (seat_at(tables, state, step.index),))


def free(tables: Tables, state: State) -> list[int]:
    """The corporations that may be named: different ones, but that a sixth company shares one (BE-SET-16)."""
    taken = Counter(company.corp for company in state.companies if company.corp >= 0)
    shared = tables.seats > len(CORPORATIONS) and all(count == 1 for count in taken.values())
    return [corp for corp in range(len(CORPORATIONS)) if not taken[corp] or shared]


class CorporationSpace:
    """A corporation, or any."""

    __slots__ = ("_free",)

    def __init__(self, tables: Tables, state: State) -> None:
        self._free = free(tables, state)

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """The corporation."""
        return None if chosen else Part("corporation", [ANY, *self._free])

    def build(self, chosen: tuple[Any, ...]) -> Corporation:
        """The choice."""
        return Corporation(chosen[0])

    def split(self, choice: Any) -> tuple[Any, ...]:
        """The corporation."""
        if type(choice) is not Corporation:
            raise Illegal("wrong_kind", given=choice)
        return (choice.corp,)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """Another company has it, or there is none such."""
        if value in range(len(CORPORATIONS)):
            return "corporation_taken", {"corp": value}
        return "no_such_corporation", {}


def run_founding(play: Play, step: Founding) -> bool:
    """Wait for the company, unless all that could be named is one corporation; then deal out those not named."""
    tables, state = play.tables, play.state
    if step.index == tables.seats:
        _draw_corporations(play)
        state.stack[-1] = Reserving(0) if tables.custom_reserve else Opening()
        return False
    if len(free(tables, state)) > 1:
        return True
    state.stack[-1] = Founding(step.index + 1)
    return False


def answer_founding(play: Play, step: Founding, answers: Mapping[int, Corporation]) -> None:
    """A company has named its corporation, or lets one be drawn when all have been asked."""
    for seat, choice in answers.items():
        play.state.companies[seat].corp = choice.corp
        if choice.corp != ANY:
            play.tell(CorporationTaken(seat, choice.corp, False))
    play.state.stack[-1] = Founding(step.index + 1)


def _draw_corporations(play: Play) -> None:
    """Who named none gets one that nobody has, while there is one (BE-SET-11)."""
    tables, state = play.tables, play.state
    for index in range(tables.seats):
        seat = seat_at(tables, state, index)
        company = state.companies[seat]
        if company.corp != ANY:
            continue
        taken = {other.corp for other in state.companies}
        left = [corp for corp in range(len(CORPORATIONS)) if corp not in taken] or free(tables, state)
        company.corp = left[play.chance.draw("corporations", len(left))] if len(left) > 1 else left[0]
        play.tell(CorporationTaken(seat, company.corp, True))


def run_reserving(play: Play, step: Reserving) -> bool:
    """Wait for the company to make its reserve; the rest follows when all have."""
    if step.index < play.tables.seats:
        return True
    play.state.stack[-1] = Opening()
    return False


def answer_reserve(play: Play, step: Reserving, answers: Mapping[int, Reserve]) -> None:
    """Cards chosen from the pools are taken out of them (BE-VAR-7)."""
    for seat, choice in answers.items():
        play.state.companies[seat].reserve = list(choice.cards)
        for card in choice.cards:
            for deck, pool in zip(play.state.decks, play.tables.pools, strict=True):
                if card in pool:
                    deck.remove(card)
        play.tell(ReserveMade(seat, choice.cards))
    play.state.stack[-1] = Reserving(step.index + 1)


def offered(tables: Tables, state: State, seat: int) -> list[int]:
    """The cards that a company may make its reserve of: all of its corporation that are left in the box."""
    corp = state.companies[seat].corp
    alike = [company for company in state.companies if company.corp == corp]
    own = Counter(tables.reserves[corp] * len(alike))
    for company in alike:
        own.subtract(card for card in company.reserve if card in tables.reserves[corp])
    cards = list(own.elements())
    cards += [card for deck in state.decks for card in deck if tables.corp[card] == corp]
    return sorted(cards)


def reserve_worth(tables: Tables, cards: Sequence[int]) -> dict[str, int] | None:
    """What is wrong with the number or the worth of a reserve's cards, as figures; None where both are right."""
    has = sum(tables.brass[card] for card in cards)
    if len(cards) <= MOST_RESERVE and has == tables.reserve_brass:
        return None
    return {"needed": tables.reserve_brass, "most": MOST_RESERVE, "has": has, "count": len(cards)}


class ReserveSpace:
    """Ten cards at most, in the order of their numbers, of the brass that is the same for all (BE-VAR-2)."""

    __slots__ = ("_brass", "_cards", "_needed", "_reach", "_tables")

    def __init__(self, tables: Tables, state: State, seat: int) -> None:
        self._tables = tables
        self._cards = offered(tables, state, seat)
        self._brass = tables.brass
        self._needed = tables.reserve_brass
        self._reach = cache(self._can_reach)

    def _can_reach(self, start: int, needed: int, slots: int) -> bool:
        """Whether cards from `start` on, so many at most, come to that brass."""
        if needed == 0:
            return True
        if needed < 0 or slots == 0 or start >= len(self._cards):
            return False
        taken = self._reach(start + 1, needed - self._brass[self._cards[start]], slots - 1)
        return taken or self._reach(start + 1, needed, slots)

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """Another card, or no more once the brass is right."""
        if chosen and chosen[-1] == STOP:
            return None
        slots = MOST_RESERVE - len(chosen)
        needed = self._needed - sum(self._brass[card] for card in chosen)
        start = self._after(chosen)
        values: list[Any] = [STOP] if needed == 0 else []
        for place in range(start, len(self._cards) if slots else start):
            card = self._cards[place]
            if card not in values and self._reach(place + 1, needed - self._brass[card], slots - 1):
                values.append(card)
        return Part("card", values) if values and values != [STOP] else None

    def _after(self, chosen: tuple[Any, ...]) -> int:
        """The first place after the last card chosen, each copy of it counted."""
        if not chosen:
            return 0
        last = chosen[-1]
        first = self._cards.index(last) if last in self._cards else len(self._cards)
        return first + chosen.count(last)

    def build(self, chosen: tuple[Any, ...]) -> Reserve:
        """The choice."""
        return Reserve(tuple(card for card in chosen if card != STOP))

    def split(self, choice: Any) -> tuple[Any, ...]:
        """The cards, and that there are no more where more could be."""
        if type(choice) is not Reserve:
            raise Illegal("wrong_kind", given=choice)
        if all(card in self._cards for card in choice.cards):
            worth = reserve_worth(self._tables, choice.cards)
            if worth is not None:
                raise Illegal("reserve_worth", worth, part="card", given=choice)
        part = self._next(choice.cards)
        return (*choice.cards, STOP) if part is not None else choice.cards

    def _next(self, cards: tuple[Any, ...]) -> Part | None:
        """What is asked after cards that are legal; nothing after others, for the first that is not is told."""
        for place, card in enumerate(cards):
            part = self.part(cards[:place])
            if part is None or card not in part.values:
                return None
        return self.part(cards)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """Not of the corporation or not there any more, or the brass would not be right."""
        if value != STOP and value not in self._cards:
            return "not_for_reserve", {}
        return "reserve_brass", {"needed": self._needed, "most": MOST_RESERVE}


def run_opening(play: Play, step: Opening) -> bool:
    """Reserves on offer, six cards in each row, five in each hand; the first turn begins."""
    tables, state = play.tables, play.state
    if not tables.custom_reserve:
        for company in state.companies[: tables.seats]:
            company.reserve = list(tables.reserves[company.corp])
    elif tables.corporation_cards_in_pools:
        _into_pools(tables, state)
    for row in ROWS:
        state.rows[row] = [next_card(play, row) for _ in range(ROW)]
    play.tell(Opened(tuple(state.rows[0]), tuple(state.rows[1])))
    for index in range(tables.seats):
        deal(play, seat_at(tables, state, index), HAND)
    state.stack.clear()
    turn.begin_round(play)
    return False


def _into_pools(tables: Tables, state: State) -> None:
    """The corporations' own cards that no reserve has go into the pools (`corporation_cards_in_pools`)."""
    for corp, reserve in enumerate(tables.reserves):
        alike = [company for company in state.companies if company.corp == corp]
        left = Counter(reserve * max(1, len(alike)))
        for company in alike:
            left.subtract(card for card in company.reserve if card in reserve)
        for card in left.elements():
            state.decks[0 if tables.kind[card] == EMPLOYEE else 1].append(card)
    for deck in state.decks:
        deck.sort()
