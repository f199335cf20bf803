"""Why an act can't be done: a code of `refusals` with its parameters."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.brass_empire import battle
from engine.brass_empire.choices import (
    ACT,
    ATTACK,
    BUY,
    COMPANIES,
    CONVERT,
    DEMOLISH,
    FROM_RESERVE,
    MINE,
    PIECES,
    PLAY,
    PLAY_ALL,
    REBUILD,
    USE,
)
from engine.brass_empire.state import DOWN, Piece
from engine.brass_empire.tables import BUILDING, ROWS, UNIT

if TYPE_CHECKING:
    from engine.brass_empire.turnspace import TurnSpace

Why = tuple[str, Mapping[str, object]]


def why_not_act(space: "TurnSpace", act: str) -> Why:
    """Why nothing of that kind can be done now."""
    state, company, tables = space.state, space.company, space.tables
    if act in (PLAY, PLAY_ALL, USE, DEMOLISH) and state.acted:
        return "unit_has_acted", {"act": act}
    if act in (PLAY, PLAY_ALL):
        return "hand_empty", {}
    if act == CONVERT:
        if company.platform == DOWN:
            return "platform_down", {}
        return "no_construction", {"needs": tables.convert, "has": state.construction}
    if act == REBUILD:
        if company.platform != DOWN:
            return "platform_stands", {}
        return "no_construction", {"needs": tables.rebuild, "has": state.construction}
    if act in (ATTACK, MINE, ACT):
        return _why_no_unit(space, act)
    return {USE: "nothing_to_use", DEMOLISH: "nothing_to_demolish", BUY: "nothing_to_buy"}[act], {}


def _why_no_unit(space: "TurnSpace", act: str) -> Why:
    if not space.ready():
        return "no_unit_ready", {}
    if act == ATTACK:
        return "no_targets", {}
    if act == MINE:
        return ("no_mining_in_battle" if space.tables.battle else "platform_down"), {}
    return "no_unit_with_action", {}


def why_not_buy(space: "TurnSpace", card: int, source: int) -> Why:
    """Not on offer, or it can't be paid in full (BE-BUY-5)."""
    state, tables = space.state, space.tables
    if not 0 <= card < len(tables.cards) or source not in (*ROWS, FROM_RESERVE):
        return "no_such_card", {}
    if source == FROM_RESERVE:
        if card not in space.company.reserve:
            return "not_in_reserve", {"card": card}
    elif card not in state.rows[source]:
        return "not_on_offer", {"card": card}
    return "cannot_pay", {
        "card": card,
        "labor": tables.labor[card],
        "construction": tables.construction[card],
        "has_labor": state.labor,
        "has_construction": state.construction,
    }


def why_not(space: "TurnSpace", chosen: tuple[Any, ...], value: Any) -> Why:
    """Why `value` can't follow in a choice whose act can be done."""
    act = chosen[0] if chosen else ""
    if act == CONVERT:
        if type(value) is not int or value < 1:
            return "not_a_number", {}
        needs = value * space.tables.convert
        return "no_construction", {"needs": needs, "has": space.state.construction}
    if act == BUY:
        return ("no_teammate", {}) if not space.tables.teams else ("cannot_pay_more", {})
    if act == PLAY and "stop" not in chosen:
        return _why_not_card(space, value)
    if act in (USE, DEMOLISH, ATTACK, MINE, ACT) and len(chosen) == 1:
        return _why_not_piece(space, act, value)
    if act == MINE and "stop" not in chosen:
        return _why_not_piece(space, act, value)
    if act == ATTACK and len(chosen) == 2:
        return _why_not_target(space, value)
    return "wish_unfit", {}


def _why_not_card(space: "TurnSpace", card: Any) -> Why:
    if type(card) is not int or not 0 <= card < len(space.tables.cards):
        return "no_such_card", {}
    return "not_in_hand", {"card": card, "has": space.company.hand.count(card)}


def _why_not_piece(space: "TurnSpace", act: str, id_: Any) -> Why:
    piece = next((piece for piece in space.company.pieces if piece.id == id_), None)
    if piece is None:
        return "no_such_piece", {}
    card, kind = {"card": piece.card}, space.tables.kind[piece.card]
    if piece.down:
        return "under_construction", card
    if act in (USE, DEMOLISH):
        if kind == BUILDING and piece.used and act == USE:
            return "used_already", card
        return ("no_use" if act == USE else "no_demolish"), card
    return _why_not_unit(piece, kind), card


def _why_not_unit(piece: Piece, kind: int) -> str:
    if kind != UNIT:
        return "no_unit"
    if piece.fresh:
        return "unit_fresh"
    return "unit_acted" if piece.used else "no_action"


def _why_not_target(space: "TurnSpace", target: Any) -> Why:
    tables, state = space.tables, space.state
    if type(target) is not int or target < 0:
        return "no_such_target", {}
    if target < PIECES:
        side = target % COMPANIES
        if side not in tables.foes[state.seat]:
            return "no_such_target", {}
        if target >= COMPANIES:
            return "no_company_attack", {}
        if state.companies[side].platform == DOWN:
            return "target_down", {"seat": side}
        return "guarded", {"seat": side, "card": battle.wardens(tables, state, side)[0].card}
    if not battle.is_there(state, target):
        return "no_such_target", {}
    side, place = battle.find(state, target)
    if side not in tables.foes[state.seat]:
        return "no_such_target", {}
    if state.companies[side].pieces[place].down:
        return "target_under_construction", {"seat": side}
    return "guarded", {"seat": side, "card": battle.wardens(tables, state, side)[0].card}
