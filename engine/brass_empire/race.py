"""The race for brass, as anyone can reckon it: all that a company ever got was seen, and so what it is worth."""

from typing import NamedTuple

from engine.brass_empire.tables import EMPLOYEE, Tables
from engine.brass_empire.view import BrassView


class Runner(NamedTuple):
    """A side with its tokens, and the brass value of its cards as it would score now (BE-WIN-3)."""

    side: int
    tokens: int
    cards: int


def race(tables: Tables, view: BrassView) -> list[Runner]:
    """All sides in order, out of what everyone knows."""
    return [Runner(side, company.brass, _worth(tables, view, side)) for side, company in enumerate(view.companies)]


def _worth(tables: Tables, view: BrassView, side: int) -> int:
    """A building that lies face down is among the `unseen`."""
    company = view.companies[side]
    held = [*company.unseen, *company.discard, *company.coming]
    held += [piece.card for piece in company.pieces if not piece.down]
    if side < tables.seats:
        held.append(tables.platform)
        if side == view.seat:
            held += [card for card in view.played if card >= 0 and tables.kind[card] == EMPLOYEE]
    return sum(tables.brass[card] for card in held)
