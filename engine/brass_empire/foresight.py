"""What an act of one's own turn would come to, as far as it can be known before it is done.

It is the rules themselves that play it, on a state imagined from the view, up to where a card that nobody knows is
drawn, a question must be answered, or the turn ends: from there on nothing is told. Places of rows that would be
refilled stay empty. Codes and parameters of the consequences:

    makes      labor, construction          what may be spent on top of what there is
    lays       card                         a building is laid face down
    buys       card, seat, labor, construction     for `seat`; what then is left to spend
    acquires   card, seat                   the same, free
    converts   construction, brass          what the platform makes of it
    rebuilds                                the platform stands again
    mines      card, brass                  what a unit mines
    deals      card, seat, target, damage   what a unit deals to a card of a side; `card` -1 for an effect
    suffers    card, damage                 what a unit suffers for it
    wounds     seat, damage, left           in battle: what a company loses, and has left
    destroys   card, seat                   a card of a side is destroyed
    brings     brass, seat                  brass, in battle health, that comes to a side
    steals     brass, seat                  the same, from a side
    dismisses  cards                        cards leave the game
    discards   seat, count                  another company must discard
    draws                                   cards are drawn, and what follows hangs on them
    draws_more count                        more cards at the end of the turn
    asks       effect                       a question, by the number of its effect, that nothing has answered
    pauses                                  play stops, and the seat is told what it has
    ends       labor, construction          the turn is over; what is lost unspent
    last_round now                          the last brass of the pool; with `now` the game is over
    goes_out   seat                         in battle a company is out
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.brass_empire import defaults, imagine, language
from engine.brass_empire.choices import EFFECT, TURN
from engine.brass_empire.events import (
    Acquired,
    Attacked,
    AttackedCompany,
    Bought,
    BrassTaken,
    Converted,
    Demolished,
    Destroyed,
    Discarded,
    Dismissed,
    Gained,
    Laid,
    Mined,
    MoreAtEnd,
    Played,
    PoolEmpty,
    Rebuilt,
    Stole,
    Struck,
    WentOut,
)
from engine.brass_empire.play import GameOver, Play
from engine.brass_empire.state import Asking, Discarding, Ending, Turn
from engine.brass_empire.steps import ANSWER, RUN
from engine.brass_empire.tables import DECLINED
from engine.brass_empire.view import BrassView, view
from engine.contract import Consequence, Event
from engine.errors import Hold, Illegal

OPEN = frozenset({"draws", "asks"})
"""The last that is told where it can't be known how the turn goes on."""


class _Unknown(Exception):
    """A card is drawn that the seat can't know."""


class _First:
    """Chance that always gives the first outcome: the others' cards, of which nothing is told."""

    def draw(self, stream: str, n: int) -> int:
        return 0


class _UpTo:
    """Chance that ends what is foreseen where the seat itself draws."""

    def __init__(self, own: str) -> None:
        self._own = own

    def draw(self, stream: str, n: int) -> int:
        if stream == self._own:
            raise _Unknown
        return 0


def foresee(rules: Any, before: BrassView, kind: str, intent: Any) -> tuple[list[Consequence], BrassView | None]:
    """The consequences and the view after it: None where it can't be known how the turn goes on, without a step where
    it is over. Raises Illegal."""
    seat = before.me
    top = before.stack[-1] if before.stack else None
    is_now = isinstance(top, Turn if kind == TURN else Asking) and kind in (TURN, EFFECT)
    if seat is None or not is_now or (top.seat if isinstance(top, Asking) else before.seat) != seat:
        raise Illegal("not_foreseen")
    state = imagine.imagine(rules.tables, before, _First())
    try:
        choice = language.fit(rules, state, seat, intent)
    except Hold:
        return [Consequence("pauses")], None
    state.decks = [[], []]
    events: list[Event] = []
    play = Play(rules.tables, state, _UpTo(rules.tables.streams[seat]), events)
    told = list(_played(play, seat, choice))
    goes_on = bool(state.stack) and isinstance(state.stack[-1], Turn)
    if not goes_on and told and told[-1].code in OPEN:
        return told, None
    return told, _after(rules, before, state, goes_on=goes_on)


def _played(play: Play, seat: int, choice: Any) -> Iterator[Consequence]:
    """Plays the act up to where it can't be known how it goes on, and tells what comes of it."""
    state, stops = play.state, []
    try:
        step = state.stack[-1]
        ANSWER[type(step)](play, step, {seat: choice})
        stops = list(_run(play, seat))
    except _Unknown:
        stops = [Consequence("draws")]
        state.stack.clear()
    except GameOver:
        state.stack.clear()
    play.flush()
    yield from _made(play.events)
    before: Any = None
    for event in play.events:
        # That who demolishes a building destroys it is no news.
        if not (isinstance(event.data, Destroyed) and isinstance(before, Demolished)):
            yield from _TELLS.get(type(event.data), _nothing)(event.data, play)
        before = event.data
    yield from stops


def _made(events: Sequence[Event]) -> Iterator[Consequence]:
    """All that the act makes, in one."""
    gains = [event.data for event in events if isinstance(event.data, Played | Gained)]
    labor, construction = sum(gain.labor for gain in gains), sum(gain.construction for gain in gains)
    if labor or construction:
        yield Consequence("makes", {"labor": labor, "construction": construction})


def _run(play: Play, seat: int) -> Iterator[Consequence]:
    """To the seat's next act, or the end of its turn; others answer as the silent do."""
    state = play.state
    while not isinstance(top := state.stack[-1], Turn | Ending):
        if isinstance(top, Asking) and top.seat == seat:
            yield Consequence("asks", {"effect": top.effect})
            effect = play.tables.effects[top.effect]
            if not top.may and effect.do not in DECLINED:
                state.stack.clear()
                return
        if isinstance(top, Asking | Discarding):
            asked = (top.seat,) if isinstance(top, Asking) else top.seats
            answers = {each: defaults.default(play.tables, state, each) for each in asked}
            ANSWER[type(top)](play, top, answers)
        else:
            RUN[type(top)](play, top)
    if isinstance(top, Ending):
        yield Consequence("ends", {"labor": state.labor, "construction": state.construction})


def _nothing(event: Any, play: Play) -> Sequence[Consequence]:
    return ()


def _bought(event: Bought, play: Play) -> Sequence[Consequence]:
    left = {"labor": play.state.labor, "construction": play.state.construction}
    return (Consequence("buys", {"card": event.card, "seat": event.to, **left}),)


def _attacked(event: Attacked, play: Play) -> Sequence[Consequence]:
    dealt = {"card": event.card, "seat": event.victim, "target": event.target, "damage": event.dealt}
    told = [Consequence("deals", dealt)]
    if event.suffered:
        told.append(Consequence("suffers", {"card": event.card, "damage": event.suffered}))
    return told


def _struck(event: Struck, play: Play) -> Sequence[Consequence]:
    dealt = {"card": -1, "seat": event.victim, "target": event.card, "damage": event.damage}
    return (Consequence("deals", dealt),)


_TELLS: dict[type, Callable[[Any, Play], Sequence[Consequence]]] = {
    Laid: lambda event, play: (Consequence("lays", {"card": event.card}),),
    Bought: _bought,
    Acquired: lambda event, play: (Consequence("acquires", {"card": event.card, "seat": event.to}),),
    Converted: lambda event, play: (
        Consequence("converts", {"construction": event.construction, "brass": event.brass}),
    ),
    Rebuilt: lambda event, play: (Consequence("rebuilds"),),
    Mined: lambda event, play: (Consequence("mines", {"card": event.card, "brass": event.brass}),),
    Attacked: _attacked,
    Struck: _struck,
    AttackedCompany: lambda event, play: (
        Consequence("wounds", {"seat": event.victim, "damage": event.dealt, "left": event.left}),
    ),
    Destroyed: lambda event, play: (Consequence("destroys", {"card": event.card, "seat": event.seat}),),
    BrassTaken: lambda event, play: (Consequence("brings", {"brass": event.brass, "seat": event.seat}),),
    Stole: lambda event, play: (Consequence("steals", {"brass": event.brass, "seat": event.victim}),),
    Dismissed: lambda event, play: (Consequence("dismisses", {"cards": list(event.cards)}),),
    Discarded: lambda event, play: (Consequence("discards", {"seat": event.seat, "count": len(event.cards)}),),
    MoreAtEnd: lambda event, play: (Consequence("draws_more", {"count": event.count}),),
    PoolEmpty: lambda event, play: (Consequence("last_round", {"now": event.now}),),
    WentOut: lambda event, play: (Consequence("goes_out", {"seat": event.seat}),),
}


def _after(rules: Any, before: BrassView, state: Any, *, goes_on: bool) -> BrassView:
    """The view after the act; where the turn is over, nothing is asked in it."""
    played = view(rules.tables, state, before.me)
    played.decks = [before.decks[0][:], before.decks[1][:]]
    if not goes_on:
        played.stack = []
    return played
