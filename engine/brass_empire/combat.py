"""What units do in the action phase: attack, mine, and what is printed on them. BE-ACT."""

from engine.brass_empire import battle, brass
from engine.brass_empire.choices import COMPANIES, PIECES
from engine.brass_empire.events import Attacked, AttackedCompany, BrassTaken, Mined, Used
from engine.brass_empire.play import Play
from engine.brass_empire.state import Piece, Resolving


def spend(play: Play, side: int, id_: int) -> Piece:
    """The piece has acted, or its building's effect was used, this turn."""
    pieces = play.state.companies[side].pieces
    for place, piece in enumerate(pieces):
        if piece.id == id_:
            pieces[place] = Piece(piece.id, piece.card, piece.damage, piece.down, piece.fresh, True)
            return pieces[place]
    raise LookupError(id_)


def attack(play: Play, side: int, unit: int, target: int) -> None:
    """Both deal their attack to each other at the same time (BE-ACT-3); a company does not strike back (BE-BAT-11)."""
    state, tables = play.state, play.tables
    own = spend(play, side, unit)
    dealt = tables.attack[own.card]
    if COMPANIES <= target < PIECES:
        _attack_company(play, side, own, target - COMPANIES, dealt)
        return
    victim, card = battle.card_of(tables, state, target)
    suffered = tables.attack[card]
    # Whether a platform stands is taken from before the battle, for both sides (BE-ACT-21).
    may_take = battle.is_up(tables, state, side), battle.is_up(tables, state, victim)
    play.tell(Attacked(side, own.card, victim, card, dealt, suffered))
    killed = battle.deal(play, target, dealt)
    died = battle.deal(play, unit, suffered)
    if killed:
        battle.destroy(play, target)
    if died:
        battle.destroy(play, unit)
    _after(play, side, own.card, killed, died)
    # First the company whose turn it is, then clockwise (BE-ACT-14): what is put on the stack last happens first.
    if killed:
        battle.happens(play, victim, card, "destroyed")
    if died:
        battle.happens(play, side, own.card, "destroyed")
    before = state.pool
    if killed and may_take[0]:
        _take(play, side, card)
    if died and may_take[1]:
        _take(play, victim, own.card)
    brass.look(play, before)


def _after(play: Play, side: int, card: int, killed: bool, died: bool) -> None:
    """`attack` and `kill` effects, in the order printed, though the unit was destroyed (BE-ACT-20)."""
    moments = play.tables.by_trigger[card]
    if side < play.tables.seats and "after" in moments:
        kills = moments.get("kill", ())
        todo = tuple(number for number in moments["after"] if killed or number not in kills)
        if todo:
            play.state.stack.append(Resolving(side, todo, -1 if died else card))


def _take(play: Play, side: int, card: int) -> None:
    """The brass value of a card that was destroyed in combat, 1 for one without (BE-ACT-7, BE-ACT-15).

    In battle it yields nothing (BE-BAT-4), in the first edition 1 whatever the value (BE-VAR-1).
    """
    tables = play.tables
    if tables.battle:
        return
    worth = 1 if tables.first_edition else tables.brass[card] or 1
    play.tell(BrassTaken(side, brass.pay(play, side, worth), "destroyed", card))


def _attack_company(play: Play, side: int, own: Piece, victim: int, dealt: int) -> None:
    """It loses health equal to the attack (BE-BAT-3)."""
    health = play.state.companies[victim].brass
    lost = min(dealt, health)
    _after(play, side, own.card, False, False)
    play.tell(AttackedCompany(side, own.card, victim, dealt, health - lost))
    brass.lose(play, victim, lost)


def mine(play: Play, side: int, unit: int) -> None:
    """Brass equal to the unit's attack from the pool (BE-ACT-2), then its `mine` effects."""
    own = spend(play, side, unit)
    before = play.state.pool
    taken = brass.pay(play, side, play.tables.attack[own.card])
    battle.happens(play, side, own.card, "mine", own.card)
    play.tell(Mined(side, own.card, taken))
    brass.look(play, before)


def act(play: Play, side: int, unit: int) -> None:
    """The action printed on a unit, in place of attacking or mining (BE-EFF-20)."""
    own = spend(play, side, unit)
    play.tell(Used(side, own.card))
    battle.happens(play, side, own.card, "action", own.card)
