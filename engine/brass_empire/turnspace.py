"""What a company may do in its turn: BE-STA-5, BE-BUY-5, BE-PLT, BE-ACT-1, BE-END-12.

A choice begins with the act. After a card, building or unit that asks something when it is used there may stand wishes:
the number of a question of those that can come up, and the parts of its answer.
"""

from collections.abc import Callable, Mapping
from typing import Any

from engine.brass_empire import battle
from engine.brass_empire.asks import STOP
from engine.brass_empire.choices import (
    ACT,
    ATTACK,
    BUY,
    CONVERT,
    DEMOLISH,
    END,
    MINE,
    PLAY,
    PLAY_ALL,
    REBUILD,
    USE,
    Act,
    Attack,
    Buy,
    Convert,
    Demolish,
    End,
    Mine,
    Play,
    PlayAll,
    Rebuild,
    Use,
)
from engine.brass_empire.state import DOWN, EMPTY, Piece, State
from engine.brass_empire.tables import BUILDING, LABOR, ROWS, UNIT, Tables
from engine.brass_empire.whynot import why_not, why_not_act, why_not_buy
from engine.brass_empire.wishes import Wishes
from engine.contract import Part
from engine.errors import Illegal

_ASKED = {PLAY: "play", USE: "activate", DEMOLISH: "demolish", ATTACK: "after", MINE: "mine", ACT: "action"}
"""By act the moment whose effects may ask."""
_PIECE = {USE: Use, DEMOLISH: Demolish, ACT: Act}
_NAMES: dict[type, str] = {
    End: END,
    PlayAll: PLAY_ALL,
    Play: PLAY,
    Buy: BUY,
    Convert: CONVERT,
    Rebuild: REBUILD,
    Use: USE,
    Demolish: DEMOLISH,
    Attack: ATTACK,
    Mine: MINE,
    Act: ACT,
}


def may_do_more(tables: Tables, state: State) -> bool:
    """Whether the company whose turn it is can do anything but end it: follows from what everyone sees."""
    company = state.companies[state.seat]
    if company.hand and not state.acted:
        return True
    return len(TurnSpace(tables, state).acts()) > 1


class TurnSpace:
    """All acts of the company whose turn it is."""

    __slots__ = ("_acts", "_buys", "_targets", "company", "state", "tables")

    def __init__(self, tables: Tables, state: State) -> None:
        self.tables = tables
        self.state = state
        self.company = state.companies[state.seat]
        self._acts: list[str] | None = None
        self._buys: list[tuple[int, int]] | None = None
        self._targets: list[int] | None = None

    def acts(self) -> list[str]:
        """What may be done at all, ending the turn first."""
        if self._acts is not None:
            return self._acts
        state, company, tables = self.state, self.company, self.tables
        acts = [END]
        if not state.acted and company.hand:
            acts += (PLAY_ALL, PLAY)
        construction = state.construction
        if (state.labor or construction) and self.buys():
            acts.append(BUY)
        if company.platform == DOWN:
            if construction >= tables.rebuild:
                acts.append(REBUILD)
        elif construction >= tables.convert:
            acts.append(CONVERT)
        if company.pieces:
            self._add_acts_of_pieces(acts)
        self._acts = acts
        return acts

    def _add_acts_of_pieces(self, acts: list[str]) -> None:
        if not self.state.acted:
            if self.buildings("activate"):
                acts.append(USE)
            if self.buildings("demolish"):
                acts.append(DEMOLISH)
        ready = self.ready()
        if ready:
            if self.targets():
                acts.append(ATTACK)
            if self.may_mine():
                acts.append(MINE)
            if self.actors(ready):
                acts.append(ACT)

    def buys(self) -> list[tuple[int, int]]:
        """Source and card of each kind of card that can be paid in full."""
        if self._buys is not None:
            return self._buys
        state, tables = self.state, self.tables
        labor, construction = state.labor, state.construction
        costs, more = tables.labor, tables.construction
        found: list[tuple[int, int]] = []
        for source, cards in enumerate((*state.rows, self.company.reserve)):
            for card in cards:
                if card != EMPTY and costs[card] <= labor and more[card] <= construction:
                    bought = (source, card)
                    if bought not in found:
                        found.append(bought)
        self._buys = found
        return found

    def buildings(self, moment: str) -> list[int]:
        """Its face-up buildings with something for that moment; of those to be used the ones that were not."""
        kinds, by_trigger = self.tables.kind, self.tables.by_trigger
        return [
            piece.id
            for piece in self.company.pieces
            if not piece.down
            and kinds[piece.card] == BUILDING
            and moment in by_trigger[piece.card]
            and not (piece.used and moment == "activate")
        ]

    def ready(self) -> list[Piece]:
        """The units that were in play before this turn and have not acted (BE-ACT-1)."""
        kinds = self.tables.kind
        return [
            piece for piece in self.company.pieces if kinds[piece.card] == UNIT and not piece.fresh and not piece.used
        ]

    def actors(self, ready: list[Piece]) -> list[int]:
        """The units among them with an action of their own."""
        return [piece.id for piece in ready if "action" in self.tables.by_trigger[piece.card]]

    def targets(self) -> list[int]:
        """What a unit may attack."""
        if self._targets is None:
            self._targets = battle.attacked(self.tables, self.state, self.state.seat)
        return self._targets

    def may_mine(self) -> bool:
        """Units mine while the platform stands (BE-PLT-8), in the first edition without (BE-VAR-5); in battle never."""
        return not self.tables.battle and (self.company.platform != DOWN or self.tables.first_edition)

    def part(self, chosen: tuple[Any, ...]) -> Part | None:
        """The act, then what it is done with."""
        if not chosen:
            return Part("act", self.acts())
        return _PARTS[chosen[0]](self, chosen)

    def _buy(self, chosen: tuple[Any, ...]) -> Part | None:
        if len(chosen) == 1:
            return Part("card", self.buys())
        if len(chosen) == 2 and self._can_pass_on(chosen[1]):
            return Part("mate", (False, True))
        return None

    def _can_pass_on(self, bought: tuple[int, int]) -> bool:
        """Whether 1 more can be paid for a card of a row to go to the teammate (BE-TEA-3)."""
        source, card = bought
        state, tables = self.state, self.tables
        if not tables.teams or source not in ROWS or tables.mates[state.seat] in state.out:
            return False
        if source == LABOR:
            return state.labor > tables.labor[card]
        return state.construction > tables.construction[card]

    def _convert(self, chosen: tuple[Any, ...]) -> Part | None:
        return Part("times", range(1, self.state.construction // self.tables.convert + 1)) if len(chosen) == 1 else None

    def _play(self, chosen: tuple[Any, ...]) -> Part | None:
        """One card after the other, then wishes where one of them asks something."""
        cards, said = self._several(chosen)
        if said is not None:
            return self._wish(cards, PLAY, said)
        left = self.company.hand[:]
        for card in cards:
            left.remove(card)
        values: list[Any] = list(dict.fromkeys(left))
        return Part("card", [STOP, *values] if cards else values)

    def _several(self, chosen: tuple[Any, ...]) -> tuple[tuple[int, ...], tuple[Any, ...] | None]:
        """The cards or units of a choice that names several, and what is said after them; None while more may come."""
        most = len(self.company.hand) if chosen[0] == PLAY else -1
        last = self.ready()[-1].id if chosen[0] == MINE else -1
        for place, value in enumerate(chosen[1:], 1):
            if value == STOP:
                return chosen[1:place], chosen[place + 1 :]
            if place == most or value == last:
                return chosen[1 : place + 1], chosen[place + 1 :]
        return chosen[1:], None

    def _piece(self, chosen: tuple[Any, ...]) -> Part | None:
        act = chosen[0]
        if len(chosen) == 1:
            if act == ACT:
                return Part("unit", self.actors(self.ready()))
            return Part("piece", self.buildings("activate" if act == USE else "demolish"))
        return self._wish((self._card(chosen[1]),), act, chosen[2:])

    def _attack(self, chosen: tuple[Any, ...]) -> Part | None:
        if len(chosen) == 1:
            return Part("unit", [piece.id for piece in self.ready()])
        if len(chosen) == 2:
            return Part("target", self.targets())
        return self._wish((self._card(chosen[1]),), ATTACK, chosen[3:])

    def _mine(self, chosen: tuple[Any, ...]) -> Part | None:
        """One unit after the other in the order of their ids, then wishes."""
        mined, said = self._several(chosen)
        if said is not None:
            return self._wish(tuple(self._card(unit) for unit in mined), MINE, said)
        units: list[Any] = [piece.id for piece in self.ready() if not mined or piece.id > mined[-1]]
        return Part("unit", [STOP, *units] if mined else units)

    def _card(self, id_: int) -> int:
        return next(piece.card for piece in self.company.pieces if piece.id == id_)

    def _wish(self, cards: tuple[int, ...], act: str, said: tuple[Any, ...]) -> Part | None:
        """The next part of the wishes that may follow an act with these cards."""
        asked = self.asked(act, cards)
        return Wishes(self.tables, self.state, asked, cards if act == PLAY else ()).part(said) if asked else None

    def asked(self, act: str, cards: tuple[int, ...]) -> list[tuple[int, bool]]:
        """The questions that an act with these cards may bring up, each an effect and whether it is only if it is to
        happen."""
        moment = _ASKED[act]
        return [ask for card in cards for ask in self.tables.asks[card].get(moment, ())]

    def build(self, chosen: tuple[Any, ...]) -> Any:
        """The choice."""
        act = chosen[0]
        if act in (PLAY, MINE):
            cards, said = self._several(chosen)
            wishes = self._wishes(act, cards, said) if said else ()
            return Play(cards, wishes) if act == PLAY else Mine(cards, wishes)
        if act == BUY:
            source, card = chosen[1]
            return Buy(card, source, len(chosen) > 2 and chosen[2])
        if act == ATTACK:
            return Attack(chosen[1], chosen[2], self._wishes(act, (chosen[1],), chosen[3:]) if chosen[3:] else ())
        if act in _PIECE:
            return _PIECE[act](chosen[1], self._wishes(act, (chosen[1],), chosen[2:]) if chosen[2:] else ())
        if act == CONVERT:
            return Convert(chosen[1])
        return Rebuild() if act == REBUILD else PlayAll() if act == PLAY_ALL else End()

    def _wishes(self, act: str, of: tuple[int, ...], said: tuple[Any, ...]) -> tuple[Any, ...]:
        return self._wishes_of(act, of).build(said)

    def _wishes_of(self, act: str, of: tuple[int, ...]) -> Wishes:
        cards = of if act == PLAY else tuple(self._card(id_) for id_ in of)
        return Wishes(self.tables, self.state, self.asked(act, cards), cards if act == PLAY else ())

    def split(self, choice: Any) -> tuple[Any, ...]:
        """The parts, in their order."""
        act = _NAMES.get(type(choice))
        if act is None:
            raise Illegal("wrong_kind", given=choice)
        if act == BUY and (choice.source, choice.card) not in self.buys():
            raise Illegal(*why_not_buy(self, choice.card, choice.source), part="card", given=choice.card)
        if act not in self.acts():
            raise Illegal(*why_not_act(self, act), part="act", given=act, nearest=self.acts()[:5])
        if act in (END, PLAY_ALL, REBUILD):
            return (act,)
        if act == CONVERT:
            return (act, choice.times)
        if act == BUY:
            bought = (choice.source, choice.card)
            if self._can_pass_on(bought):
                return (act, bought, choice.mate)
            if choice.mate:
                raise Illegal(*why_not(self, (act, bought), True), part="mate", given=True)
            return (act, bought)
        of = _things(choice)
        parts = (act, *of) if act != ATTACK else (act, choice.unit, choice.target)
        if act not in (PLAY, MINE):
            return (*parts, *self._said(act, of, choice.wishes))
        part = self._legal_part(parts)
        if part is None or part.name == "wish" or STOP not in part.values:
            return (*parts, *self._said(act, of, choice.wishes))
        return (*parts, STOP, *self._said(act, of, choice.wishes))

    def _legal_part(self, parts: tuple[Any, ...]) -> Part | None:
        """What comes after the cards or units named, None where they are not legal."""
        left = self.company.hand[:] if parts[0] == PLAY else [piece.id for piece in self.ready()]
        for place, each in enumerate(parts[1:]):
            if each not in left or (parts[0] == MINE and place and each <= parts[place]):
                return None
            left.remove(each)
        return self.part(parts) if len(parts) > 1 and parts[0] in self.acts() else None

    def _said(self, act: str, of: tuple[int, ...], wishes: tuple[Any, ...]) -> tuple[Any, ...]:
        """The parts of the wishes; as they can't be told where what they are for is not legal, none there."""
        own = self.company.hand if act == PLAY else [piece.id for piece in self.company.pieces]
        if any(each not in own for each in of):
            return ()
        return self._wishes_of(act, of).split(wishes)

    def why_not(self, chosen: tuple[Any, ...], value: Any) -> tuple[str, Mapping[str, object]]:
        """See `whynot`."""
        return why_not(self, chosen, value)


def _things(choice: Any) -> tuple[int, ...]:
    """The cards, units or the one piece that an act is done with."""
    match choice:
        case Play(cards):
            return cards
        case Mine(units):
            return units
        case Attack(unit) | Act(unit):
            return (unit,)
    return (choice.piece,)


_PARTS: dict[str, Callable[[TurnSpace, tuple[Any, ...]], Part | None]] = {
    END: lambda space, chosen: None,
    PLAY_ALL: lambda space, chosen: None,
    REBUILD: lambda space, chosen: None,
    PLAY: TurnSpace._play,
    BUY: TurnSpace._buy,
    CONVERT: TurnSpace._convert,
    USE: TurnSpace._piece,
    DEMOLISH: TurnSpace._piece,
    ACT: TurnSpace._piece,
    ATTACK: TurnSpace._attack,
    MINE: TurnSpace._mine,
}
