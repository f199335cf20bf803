"""The steady stand-in: plays all it has, buys what is worth most, mines or fights by what each brings."""

from collections.abc import Callable
from typing import Any

from engine.brass_empire.asks import STOP
from engine.brass_empire.choices import (
    ACT,
    ANY,
    ATTACK,
    BUY,
    COMPANIES,
    CONVERT,
    DEMOLISH,
    DISCARD,
    EFFECT,
    FOUNDING,
    FROM_RESERVE,
    MINE,
    PIECES,
    PLAY_ALL,
    REBUILD,
    RESERVE,
    TURN,
    USE,
    Accept,
    Act,
    Attack,
    Buy,
    Convert,
    Demolish,
    Discard,
    End,
    Mine,
    PlayAll,
    Rebuild,
    Use,
)
from engine.brass_empire.state import Asking, Piece, State
from engine.brass_empire.tables import HEALTH, UNIT, Tables
from engine.brass_empire.taste import STEADY, Taste
from engine.brass_empire.view import BrassView
from engine.brass_empire.worth import Worth
from engine.contract import Bot, Choice, Decision, Pick, Rules, Space
from engine.spaces import complete, sample

SMALL = 9
"""Cards of a company below which none is dismissed."""


def steady(rules: Rules) -> Bot:
    """A stand-in for these rules."""
    tables: Tables = rules.tables  # type: ignore[attr-defined]
    return Steady(tables, STEADY)


class Steady:
    """Chooses at once, by what it likes."""

    def __init__(self, tables: Tables, taste: Taste) -> None:
        self.tables = tables
        self.taste = taste
        self.worth = Worth(tables, taste)
        self.kinds: dict[str, Callable[[BrassView, Any, Pick], Any]] = {
            FOUNDING: self._corporation,
            RESERVE: lambda view, space, pick: sample(space, pick),
            TURN: self._act,
            EFFECT: self._effect,
            DISCARD: self._discard,
        }

    def __call__(self, view: BrassView, decision: Decision, space: Space, pick: Pick) -> Choice:
        return self.kinds[decision.kind](view, space, pick)

    def _corporation(self, view: BrassView, space: Any, pick: Pick) -> Any:
        free = [corp for corp in space.part(()).values if corp != ANY]
        return space.build((free[pick(len(free))],))

    def left(self, view: BrassView | State) -> float:
        """How much of the game is left, from 1 to 0: what is bought now is drawn in some turns only."""
        if self.tables.battle:
            return max(0.3, min(side.brass for side in view.companies if side.brass) / HEALTH)
        return max(0.0, (view.pool / self.tables.size - self.taste.end) / (1.0 - self.taste.end))

    def _act(self, view: BrassView, space: Any, pick: Pick) -> Any:
        """All cards first, then buildings, the platform, purchases, units, conversion, and the end."""
        acts = space.part(()).values
        if PLAY_ALL in acts:
            return PlayAll()
        if USE in acts:
            return Use(space.part((USE,)).values[0])
        if DEMOLISH in acts and (building := self._to_demolish(view, space)) is not None:
            return Demolish(building)
        if REBUILD in acts:
            return Rebuild()
        if BUY in acts and (bought := self._to_buy(view, space)) is not None:
            return bought
        if ATTACK in acts or MINE in acts or ACT in acts:
            return self._with_units(view, space, acts)
        if CONVERT in acts:
            return Convert(space.part((CONVERT,)).values[-1])
        return End()

    def _piece(self, view: BrassView, id_: int) -> Piece:
        return next(piece for side in view.companies for piece in side.pieces if piece.id == id_)

    def _to_demolish(self, view: BrassView, space: Any) -> int | None:
        """A building that is of no other use."""
        for id_ in space.part((DEMOLISH,)).values:
            moments = self.tables.by_trigger[self._piece(view, id_).card]
            if set(moments) <= {"demolish", "built", "destroyed"}:
                return int(id_)
        return None

    def _to_buy(self, view: BrassView, space: Any) -> Buy | None:
        """The card that is worth most, if it beats the brass that its construction would make."""
        tables, left = self.tables, self.left(view)
        best, most = None, self.taste.least
        for source, card in space.part((BUY,)).values:
            worth = self.worth.now(card, left) - self.taste.spent * tables.construction[card]
            # What the others could buy as well is worth a little more than what waits in the reserve.
            worth += 0.1 * (source != FROM_RESERVE)
            if worth > most:
                best, most = Buy(card, source), worth
        return best

    def _with_units(self, view: BrassView, space: Any, acts: Any) -> Any:
        """The best of all attacks and actions, or mining with all the units that are left."""
        mining = MINE in acts
        best: Attack | Act | None = None
        most = 0.0
        ready = space.part((ATTACK,)).values if ATTACK in acts else ()
        for unit in ready:
            own = self._piece(view, unit)
            mined = float(self.tables.attack[own.card] + 2 * ("mine" in self.tables.by_trigger[own.card]))
            for target in space.part((ATTACK, unit)).values:
                worth = self._attack(view, own, target) - (mined if mining else 0.0)
                if worth > most:
                    best, most = Attack(unit, target), worth
        for unit in space.part((ACT,)).values if ACT in acts else ():
            own = self._piece(view, unit)
            effects = self.tables.by_trigger[own.card]["action"]
            worth = sum(self.worth.effect(self.tables.effects[number]) for number in effects)
            worth -= self.tables.attack[own.card] if mining else 0
            if worth > most:
                best, most = Act(unit), worth
        if best is not None:
            return best
        if mining:
            # Mining goes unit by unit, the last named taking no more: all at once are as good.
            return Mine(tuple(unit for unit in space.part((MINE,)).values if unit != STOP))
        return self._rest(space, acts)

    def _rest(self, space: Any, acts: Any) -> Any:
        return Convert(space.part((CONVERT,)).values[-1]) if CONVERT in acts else End()

    def _attack(self, view: BrassView, own: Piece, target: int) -> float:
        """What an attack brings: brass, what the other loses, less what is lost."""
        tables, taste = self.tables, self.taste
        dealt = tables.attack[own.card]
        if COMPANIES <= target < PIECES:
            return self.taste.struck * dealt
        side, card, left = self._seen(view, target)
        mine = view.companies[view.seat]
        killed = dealt >= left
        died = tables.attack[card] >= tables.health[own.card] - own.damage
        share = 1.0 / max(1, len(tables.foes[view.seat]))
        worth = taste.scratch * min(dealt, left) * share
        if killed:
            worth = (tables.brass[card] or 1) * (mine.platform >= 0) * (not tables.battle)
            worth += share * (taste.killed * self.worth.power[card] if target >= PIECES else self._platform(view, side))
        if died:
            worth -= taste.died * self.worth.power[own.card] + tables.brass[own.card] * share
        return float(worth)

    def _platform(self, view: BrassView, side: int) -> float:
        """What it costs a company to be without its platform: a construction, and a turn's mining at worst."""
        units = sum(
            self.tables.attack[piece.card]
            for piece in view.companies[side].pieces
            if not piece.down and self.tables.kind[piece.card] == UNIT
        )
        return self.taste.platform + self.taste.halted * units

    def _seen(self, view: BrassView, target: int) -> tuple[int, int, int]:
        """Side, card and health left of a target in play."""
        tables = self.tables
        if target < COMPANIES:
            return target, tables.platform, tables.platform_health - view.companies[target].platform
        for number, side in enumerate(view.companies):
            for piece in side.pieces:
                if piece.id == target:
                    return number, piece.card, tables.health[piece.card] - piece.damage
        raise LookupError(target)

    def _effect(self, view: BrassView, space: Any, pick: Pick) -> Any:
        step = view.stack[-1]
        assert isinstance(step, Asking)
        effect = self.tables.effects[step.effect]
        if step.may:
            return Accept()
        match effect.do:
            case "dismiss":
                return self._dismiss(view, space, step.seat)
            case "acquire_free":
                return self._acquire(view, space)
            case "damage":
                return space.build((max(space.part(()).values, key=lambda at: self._struck(view, at, effect.n)),))
            case "steal_brass":
                return space.build((max(space.part(()).values, key=lambda seat: view.companies[seat].brass),))
        left = self.left(view)
        options = [sum(self._option(number, left) for number in option) for option in effect.options]
        return space.build((options.index(max(options)),))

    def _option(self, number: int, left: float) -> float:
        """Late in the game only brass counts."""
        effect = self.tables.effects[number]
        worth = self.worth.effect(effect)
        return worth if effect.do in ("gain_brass", "steal_brass") else worth * (0.4 + 0.6 * left)

    def _struck(self, view: BrassView, target: int, damage: int) -> float:
        """What is destroyed by it, else what is most dangerous."""
        _, card, left = self._seen(view, target)
        if target < COMPANIES:
            return 1.5 if damage >= left else 0.1
        power = self.worth.power[card]
        return 1.0 + power if damage >= left else 0.1 * power

    def _dismiss(self, view: BrassView, space: Any, seat: int) -> Any:
        """The cards that cost nothing, while there are enough others."""
        side = view.companies[seat]
        spare = len(side.unseen) + len(side.discard) + len(view.played) - SMALL
        chosen: tuple[Any, ...] = ()
        while (part := space.part(chosen)) is not None:
            useless = [card for card in part.values if card != STOP and not self._cost(card)]
            if not useless or spare <= 0:
                return complete(space, (*chosen, STOP) if STOP in part.values else chosen)
            chosen = (*chosen, useless[0])
            spare -= 1
        return space.build(chosen)

    def _cost(self, card: int) -> int:
        return self.tables.labor[card] + self.tables.construction[card] + self.tables.brass[card]

    def _acquire(self, view: BrassView, space: Any) -> Any:
        left = self.left(view)
        cards = [each for each in space.part(()).values if each != STOP]
        return complete(space, (max(cards, key=lambda each: self.worth.now(each[1], left)),))

    def _discard(self, view: BrassView, space: Any, pick: Pick) -> Discard:
        """What is worth least to play."""
        step = view.stack[-1]
        count = step.counts[step.seats.index(view.me)]  # type: ignore[union-attr]
        cards = sorted(view.hand, key=lambda card: self.worth.power[card])[:count]
        return Discard(tuple(sorted(cards)))
