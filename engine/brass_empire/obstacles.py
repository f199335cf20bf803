"""What stands against an order that is sent ahead: for good in this stage, or as things are now.

A card that is nowhere to be had, a piece that is not there or has acted, a target that can't be one. What the acts
before it may change (what can be paid, who guards whom) is left to the moment at which it comes up.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.brass_empire.choices import (
    DEMOLISH,
    FROM_RESERVE,
    PLAY,
    USE,
    Corporation,
    PlayAll,
    Rebuild,
    Steal,
)
from engine.brass_empire.founding import MOST_RESERVE, free, reserve_worth
from engine.brass_empire.imagine import imagine
from engine.brass_empire.language.facts import ANYONE
from engine.brass_empire.language.fit import named
from engine.brass_empire.language.intents import (
    ALL,
    ANY,
    COMPANY,
    WEAKEST,
    AttackBy,
    BuyOf,
    DemolishOf,
    MineBut,
    MineBy,
    PlayOf,
    ReserveOf,
    StrikeAt,
    TakeOf,
    Target,
    UseOf,
)
from engine.brass_empire.state import DOWN, Founding, Piece
from engine.brass_empire.tables import ROWS, UNIT, Tables
from engine.brass_empire.view import BrassView
from engine.contract import Condition, Obstacle


class _First:
    """Chance that always gives the first outcome: only what is public is looked at."""

    def draw(self, stream: str, n: int) -> int:
        return 0


def obstacle(tables: Tables, view: BrassView, intent: Any) -> Obstacle | None:
    """The first thing that stands against an intent, what is for good before what may change; None if nothing does."""
    if view.me is None or not view.stack:
        return None
    look = _LOOK.get(type(intent))
    if look is None or any(card not in range(len(tables.cards)) for card in named(intent)):
        return None
    return min(look(tables, view, view.me, intent), key=lambda each: not each.for_good, default=None)


def _is_own_turn(view: BrassView, seat: int) -> bool:
    return view.seat == seat and not isinstance(view.stack[0], Founding)


def _corporation(tables: Tables, view: BrassView, seat: int, intent: Corporation) -> Iterator[Obstacle]:
    if intent.corp >= 0 and intent.corp not in free(tables, imagine(tables, view, _First())):
        yield Obstacle("corporation_taken", {"corp": intent.corp})


def _reserve(tables: Tables, view: BrassView, seat: int, intent: ReserveOf) -> Iterator[Obstacle]:
    """Too many cards, not worth what all reserves are, or of another corporation (BE-VAR-2).

    The corporation may be drawn only later; what several corporations have can't be one's own in any case.
    """
    cards = [card for card, count in intent.cards for _ in range(max(0, min(count, MOST_RESERVE + 1)))]
    corps = {tables.corp[card] for card in cards}
    own = view.companies[seat].corp
    if len(corps) > 1 or -1 in corps or (own >= 0 and corps - {own}):
        yield Obstacle("not_for_reserve")
    worth = reserve_worth(tables, cards)
    if worth is not None:
        yield Obstacle("reserve_worth", worth)


def _acted(view: BrassView, seat: int, act: str) -> Iterator[Obstacle]:
    """Once a unit has acted the play phase is over (BE-STA-5)."""
    if _is_own_turn(view, seat) and view.acted:
        yield Obstacle("unit_has_acted", {"act": act})


def _play_all(tables: Tables, view: BrassView, seat: int, intent: PlayAll) -> Iterator[Obstacle]:
    yield from _acted(view, seat, PLAY)


def _play(tables: Tables, view: BrassView, seat: int, intent: PlayOf) -> Iterator[Obstacle]:
    """A card that is not in the hand can still be drawn if it is the company's or can become so."""
    yield from _acted(view, seat, PLAY)
    own = view.companies[seat]
    said: dict[int, int] = {}
    for card, count in intent.cards:
        said[card] = said.get(card, 0) + (1 if count == ALL else count)
    for card, count in said.items():
        has = view.hand.count(card)
        if count > has:
            could = [*own.unseen, *own.discard, *own.coming, *(piece.card for piece in own.pieces if not piece.down)]
            may_come = count <= could.count(card) or card in _on_offer(view) or card in own.reserve or tables.teams
            yield Obstacle("not_in_hand", {"card": card, "has": has}, for_good=not may_come)


def _on_offer(view: BrassView) -> Iterable[int]:
    """What is in the rows or may still come into them: what is left of their decks is known."""
    return [card for pile in (*view.rows, *view.decks) for card in pile]


def _buy(tables: Tables, view: BrassView, seat: int, intent: BuyOf) -> Iterator[Obstacle]:
    if intent.mate and not tables.teams:
        yield Obstacle("no_teammate")
    rows = ROWS if intent.source == ANY else (intent.source,) if intent.source in ROWS else ()
    from_reserve = intent.source in (ANY, FROM_RESERVE) and intent.card in view.companies[seat].reserve
    if from_reserve or any(intent.card in view.rows[row] for row in rows):
        return
    if intent.source == FROM_RESERVE:
        yield Obstacle("not_in_reserve", {"card": intent.card})
        return
    may_come = any(intent.card in view.decks[row] for row in rows)
    yield Obstacle("not_on_offer", {"card": intent.card}, for_good=not may_come)


def _take(tables: Tables, view: BrassView, seat: int, intent: TakeOf) -> Iterator[Obstacle]:
    if intent.mate and not tables.teams:
        yield Obstacle("no_teammate")
    if intent.card not in _on_offer(view):
        yield Obstacle("not_on_offer", {"card": intent.card})


def _rebuild(tables: Tables, view: BrassView, seat: int, intent: Rebuild) -> Iterator[Obstacle]:
    if view.companies[seat].platform != DOWN:
        yield Obstacle("platform_stands", for_good=False)


def _piece(view: BrassView, seat: int, card: int, refuse: Callable[[Piece], str]) -> Iterator[Obstacle]:
    """Whether one of the pieces of that card can do it at all; none that is played in this turn can."""
    own = [piece for piece in view.companies[seat].pieces if piece.card == card]
    if not own:
        yield Obstacle("not_in_play", {"card": card})
        return
    codes = [refuse(piece) for piece in own]
    if all(codes):
        yield Obstacle(codes[0], {"card": card})


def _use(tables: Tables, view: BrassView, seat: int, intent: UseOf) -> Iterator[Obstacle]:
    triggers, is_unit = tables.by_trigger[intent.card], tables.kind[intent.card] == UNIT
    if ("action" if is_unit else "activate") not in triggers:
        yield Obstacle("no_action" if is_unit else "no_use", {"card": intent.card})
        return
    if is_unit:
        yield from _unit(tables, view, seat, intent.card)
        return
    yield from _acted(view, seat, USE)
    now = _is_own_turn(view, seat)
    yield from _piece(view, seat, intent.card, lambda piece: _why_not_used(piece) if now else "")


def _why_not_used(piece: Piece) -> str:
    if piece.down:
        return "under_construction"
    return "used_already" if piece.used else ""


def _demolish(tables: Tables, view: BrassView, seat: int, intent: DemolishOf) -> Iterator[Obstacle]:
    if "demolish" not in tables.by_trigger[intent.card]:
        yield Obstacle("no_demolish", {"card": intent.card})
        return
    yield from _acted(view, seat, DEMOLISH)
    now = _is_own_turn(view, seat)
    yield from _piece(view, seat, intent.card, lambda piece: "under_construction" if now and piece.down else "")


def _unit(tables: Tables, view: BrassView, seat: int, card: int) -> Iterator[Obstacle]:
    if tables.kind[card] != UNIT:
        yield Obstacle("no_unit", {"card": card})
        return
    now = _is_own_turn(view, seat)
    yield from _piece(view, seat, card, lambda piece: _why_not_acting(piece) if now else "")


def _why_not_acting(piece: Piece) -> str:
    if piece.fresh:
        return "unit_fresh"
    return "unit_acted" if piece.used else ""


def _attack(tables: Tables, view: BrassView, seat: int, intent: AttackBy) -> Iterator[Obstacle]:
    yield from _unit(tables, view, seat, intent.unit)
    yield from _target(tables, view, seat, intent.target)


def _strike(tables: Tables, view: BrassView, seat: int, intent: StrikeAt) -> Iterator[Obstacle]:
    yield from _target(tables, view, seat, intent.target)


def _target(tables: Tables, view: BrassView, seat: int, target: Target) -> Iterator[Obstacle]:
    """In one's own turn nothing comes into play with the others, and no platform of theirs is rebuilt."""
    foes = tables.foes[seat]
    if target.seat != ANY and target.seat not in foes:
        yield Obstacle("no_such_target")
        return
    if target.card == COMPANY:
        if not tables.battle or target.seat in view.out:
            yield Obstacle("no_company_attack")
        return
    if target.card == WEAKEST:
        return
    sides = foes if target.seat == ANY else (target.seat,)
    if target.card == tables.platform:
        if target.seat != ANY and view.companies[target.seat].platform == DOWN:
            yield Obstacle("target_down", {"seat": target.seat}, for_good=_is_own_turn(view, seat))
        return
    if not any(piece.card == target.card and not piece.down for side in sides for piece in view.companies[side].pieces):
        params = {"card": target.card, "seat": target.seat}
        yield Obstacle("target_not_there", params, for_good=_is_own_turn(view, seat))


def _mine_but(tables: Tables, view: BrassView, seat: int, intent: MineBut) -> Iterator[Obstacle]:
    if tables.battle:
        yield Obstacle("no_mining_in_battle")


def _mine(tables: Tables, view: BrassView, seat: int, intent: MineBy) -> Iterator[Obstacle]:
    if tables.battle:
        yield Obstacle("no_mining_in_battle")
    for card, _ in intent.units:
        yield from _unit(tables, view, seat, card)


def _steal(tables: Tables, view: BrassView, seat: int, intent: Steal) -> Iterator[Obstacle]:
    if intent.seat not in tables.foes[seat]:
        yield Obstacle("no_such_seat")


_LOOK: dict[type, Callable[[Tables, BrassView, int, Any], Iterator[Obstacle]]] = {
    Corporation: _corporation,
    ReserveOf: _reserve,
    PlayAll: _play_all,
    PlayOf: _play,
    BuyOf: _buy,
    TakeOf: _take,
    Rebuild: _rebuild,
    UseOf: _use,
    DemolishOf: _demolish,
    AttackBy: _attack,
    StrikeAt: _strike,
    MineBut: _mine_but,
    MineBy: _mine,
    Steal: _steal,
}


def lasting(tables: Tables, view: BrassView, condition: Condition) -> bool:
    """A round is a stage at most, the pool only shrinks, and what is neither in a row nor to come stays away."""
    params = condition.params
    if condition.code == "where":
        return bool(params["place"] == "row" and params["card"] not in _on_offer(view))
    if condition.code != "number":
        return False
    if params["what"] == "round":
        return bool(view.stack) and not isinstance(view.stack[0], Founding)
    return params["what"] == "pool" and params["seat"] == ANYONE and _stays(view.pool, params["op"], params["n"])


def _stays(value: int, op: str, n: int) -> bool:
    """Whether a comparison of something that can only become less stays as it is, down to nothing."""
    if op in (">=", "<"):
        return value < n or n <= 0
    if op in (">", "<="):
        return value <= n or n < 0
    return value < n or not value
