"""What a drilling act or a step in power would come to if nothing else changed, as far as everyone would see it.

It is the rules themselves that play it, on a state imagined from the view; what chance decides is left out of what is
told. Codes and parameters of the consequences:

    extracts  tile, required, strength      the tile is extracted
    alone     tile                          nobody else has a share in it
    shares    tile, seat                    another company has a share too (the number of seats for the automaton)
    priority  tile, seat, reason            who gets what is left over; `reason` as in `events.Shared`
    chooses   tiles                         both tiles of the crew that straddles can be extracted: it says which first
    lapses    part, reason                  a part of the act would not be done; as in `events.Lapsed`
    costs     fee                           what subcontractors cost
    claims    achievement                   an achievement that does not hang on the cubes drawn
    centre    crew                          the crew reaches the centre
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.contract import Consequence, Event
from engine.errors import Illegal
from engine.rockwell import achievements, danger, defaults, drilling, extraction, imagine, language, phases, workshop
from engine.rockwell.choices import DRILL, WORKSHOP
from engine.rockwell.events import Bribed, CentreReached, Claimed, DieTaken, Extracted, Hired, Lapsed, Shared
from engine.rockwell.play import Play
from engine.rockwell.state import WORKSHOP as WORKSHOP_BOARD
from engine.rockwell.state import Acting, Danger, Drilling, Ripe, State, Workshop
from engine.rockwell.view import RockwellView, view

FORESEEN = frozenset({DRILL, WORKSHOP})
"""The kinds of decision of which consequences can be told."""
_BY_CHANCE = frozenset(achievement for achievement, _, _ in achievements.HOLDINGS)


class _First:
    """Chance that always gives the first outcome: nothing that hangs on it is told."""

    def draw(self, stream: str, n: int) -> int:
        return 0


def foresee(rules: Any, before: RockwellView, kind: str, round_: int, intent: Any) -> tuple[list[Consequence], Any]:
    """The consequences and the view after it. Raises Illegal."""
    seat = before.seat
    if kind not in FORESEEN or seat is None or before.own is None:
        raise Illegal("not_foreseen")
    state = imagine.imagine(before, _First())
    step = _step(rules, state, seat, kind, round_ or _now(before))
    state.stack = [step]
    choice = language.fit(rules, state, seat, intent)
    events: list[Event] = []
    play = Play(rules.tables, state, _First(), events)
    told = list(_played(play, seat, step, choice))
    return told, _after(before, view(state, seat))


def _now(before: RockwellView) -> int:
    return next((step.round for step in before.stack if isinstance(step, Drilling)), 1)


def _step(rules: Any, state: State, seat: int, kind: str, round_: int) -> Drilling | Workshop:
    """The seat's own moment in that phase."""
    if kind == DRILL:
        return Drilling(round_, state.control.index(seat))
    first = WORKSHOP_BOARD * phases.SLOTS
    if seat not in state.slots[first : first + phases.SLOTS]:
        raise Illegal("not_foreseen")
    state.left[seat] = phases.SLOTS
    for index in range(phases.SLOTS):
        if phases.actor(rules.tables, state, WORKSHOP_BOARD, index) == seat:
            return Workshop(index)
    raise Illegal("not_foreseen")


def _played(play: Play, seat: int, step: Drilling | Workshop, choice: Any) -> Iterator[Consequence]:
    """Plays the act to its end, extractions and all, and tells what comes of it."""
    if isinstance(step, Drilling):
        drilling.answer(play, step, {seat: choice})
    else:
        workshop.answer(play, step, {seat: choice})
    while len(play.state.stack) > 1:
        top = play.state.stack[-1]
        if isinstance(top, Ripe):
            yield Consequence("chooses", {"tiles": list(extraction.FirstSpace(play.state, seat).tiles)})
            extraction.answer(play, top, {seat: _default(play, seat)})
        elif isinstance(top, Danger):
            danger.answer(play, top, {asked: _default(play, asked) for asked in top.asked})
        else:
            assert isinstance(top, Acting)
            drilling.proceed(play, top)
    for event in play.events:
        yield from _TELLS.get(type(event.data), _nothing)(event.data, seat)


def _default(play: Play, seat: int) -> Any:
    return defaults.default(play.tables, play.state, seat)


def _nothing(event: Any, seat: int) -> Sequence[Consequence]:
    return ()


def _extracted(event: Extracted, seat: int) -> Sequence[Consequence]:
    return (Consequence("extracts", {"tile": event.tile, "required": event.required, "strength": event.strength}),)


def _shared(event: Shared, seat: int) -> Sequence[Consequence]:
    others = [share.seat for share in event.shares if share.seat != seat]
    told = [Consequence("shares", {"tile": event.tile, "seat": other}) for other in others]
    if not others:
        told.append(Consequence("alone", {"tile": event.tile}))
    priority = {"tile": event.tile, "seat": event.priority, "reason": event.reason}
    return (*told, Consequence("priority", priority))


def _lapsed(event: Lapsed, seat: int) -> Sequence[Consequence]:
    return (Consequence("lapses", {"part": event.part, "reason": event.reason}),)


def _costs(event: Hired | DieTaken | Bribed, seat: int) -> Sequence[Consequence]:
    return (Consequence("costs", {"fee": event.fee}),) if event.fee else ()


def _claimed(event: Claimed, seat: int) -> Sequence[Consequence]:
    if event.seat != seat or event.achievement in _BY_CHANCE:
        return ()
    return (Consequence("claims", {"achievement": event.achievement}),)


def _centre(event: CentreReached, seat: int) -> Sequence[Consequence]:
    return (Consequence("centre", {"crew": event.crew}),)


_TELLS: dict[type, Callable[[Any, int], Sequence[Consequence]]] = {
    Extracted: _extracted,
    Shared: _shared,
    Lapsed: _lapsed,
    Hired: _costs,
    DieTaken: _costs,
    Bribed: _costs,
    Claimed: _claimed,
    CentreReached: _centre,
}


def _after(before: RockwellView, played: RockwellView) -> RockwellView:
    """The view after the act, with the stocks as they were but for the money that it cost: gains hang on chance."""
    assert before.own is not None
    assert played.own is not None
    assert before.seat is not None
    seat, money = before.seat, played.own.money
    for company, known in zip(played.companies, before.companies, strict=True):
        company.account, company.money = known.account.copy(), known.money
        for achievement in _BY_CHANCE:
            company.claimed[achievement] = known.claimed[achievement]
    for achievement in _BY_CHANCE:
        played.achievements[achievement] = before.achievements[achievement]
    played.own = before.own.copy()
    played.own.money = played.companies[seat].money = money
    played.own.cards, played.own.claimed = played.companies[seat].cards, played.companies[seat].claimed[:]
    played.stack, played.left = before.stack[:], before.left[:]
    return played
