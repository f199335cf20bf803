"""What a company does in its turn: play, buy, convert, use, demolish, attack and so on. BE-PLY, BE-BUY, BE-PLT.

Each act is carried out here; which are legal is in `turnspace`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from engine.brass_empire import brass, combat
from engine.brass_empire.battle import destroy, find, happens
from engine.brass_empire.choices import (
    FROM_RESERVE,
    Act,
    Attack,
    Buy,
    Convert,
    Demolish,
    End,
    Mine,
    PlayAll,
    Rebuild,
    Use,
)
from engine.brass_empire.choices import (
    Play as PlayCards,
)
from engine.brass_empire.drawing import take
from engine.brass_empire.events import Bought, Converted, Demolished, Laid, Lapsed, Rebuilt, Used
from engine.brass_empire.play import Play
from engine.brass_empire.primitives import gets, resolve
from engine.brass_empire.state import Ending, Mining, Piece, Playing, Turn
from engine.brass_empire.tables import BUILDING, LABOR, UNIT
from engine.brass_empire.turnspace import may_do_more


def run(play: Play, step: Turn) -> bool:
    """Wait while there is anything to do but to end the turn, as everyone can see."""
    state = play.state
    state.wishes = ()
    if not brass.is_out(state, state.seat) and may_do_more(play.tables, state):
        return True
    state.stack[-1] = Ending()
    return False


def answer(play: Play, step: Turn, answers: Mapping[int, Any]) -> None:
    """Carry out an act."""
    for choice in answers.values():
        _ACTS[type(choice)](play, choice)


def _play_all(play: Play, choice: PlayAll) -> None:
    _go_on(play, Playing(all=True))


def _play(play: Play, choice: PlayCards) -> None:
    play.state.wishes = choice.wishes
    _go_on(play, Playing(choice.cards))


def run_playing(play: Play, step: Playing) -> bool:
    """The rest of what is being played, once what the card before it asked is answered."""
    play.state.stack.pop()
    if not brass.is_out(play.state, play.state.seat):
        _go_on(play, step)
    return False


def _go_on(play: Play, step: Playing) -> None:
    """Play one card after the other, each with all its effects before the next."""
    state, tables = play.state, play.tables
    hand = state.companies[state.seat].hand
    todo = step.cards
    place = 0
    while True:
        if step.all:
            if not hand:
                return
            # The hand may grow as it is played.
            card = min(hand, key=tables.rank.__getitem__)
        else:
            if place == len(todo):
                return
            card = todo[place]
            place += 1
            if card not in hand:
                play.tell_beside(state.seat, Lapsed(state.seat, card))
                continue
        if tables.at_once[card]:
            play_card(play, card)
            continue
        rest = step if step.all else Playing(todo[place:])
        if step.all or place < len(todo):
            state.stack.append(rest)
        play_card(play, card)
        return


def play_card(play: Play, card: int) -> None:
    """Out of the hand, free of cost: an employee for the turn, a unit face up, a building face down (BE-PLY)."""
    state, tables = play.state, play.tables
    seat = state.seat
    company = state.companies[seat]
    company.hand.remove(card)
    state.played.append(card)
    kind = tables.kind[card]
    if kind == BUILDING:
        company.pieces.append(Piece(state.next_id, card, down=True))
        state.next_id += 1
        play.tell_beside(seat, Laid(seat, card), Laid(seat))
        return
    if kind == UNIT:
        company.pieces.append(Piece(state.next_id, card, fresh=True))
        state.next_id += 1
    play.played(card)
    effects = tables.by_trigger[card].get("play")
    if effects:
        resolve(play, seat, effects, card if kind == UNIT else -1)


def _buy(play: Play, choice: Buy) -> None:
    """For its labor and construction; 1 more, for the teammate (BE-TEA-3). A place in a row is refilled at once."""
    state, tables = play.state, play.tables
    seat, card, source = state.seat, choice.card, choice.source
    labor = tables.labor[card] + (choice.mate and source == LABOR)
    construction = tables.construction[card] + (choice.mate and source != LABOR)
    state.labor -= labor
    state.construction -= construction
    to = tables.mates[seat] if choice.mate else seat
    play.tell(Bought(seat, card, source, labor, construction, to))
    if source == FROM_RESERVE:
        state.companies[seat].reserve.remove(card)
    else:
        take(play, source, card)
    gets(play, to, card)


def _convert(play: Play, choice: Convert) -> None:
    """Two construction make one brass, any number of times (BE-PLT-1, BE-PLT-4)."""
    state, tables = play.state, play.tables
    spent = choice.times * tables.convert
    state.construction -= spent
    before = state.pool
    play.tell(Converted(state.seat, spent, brass.pay(play, state.seat, choice.times * tables.converted)))
    brass.look(play, before)


def _rebuild(play: Play, choice: Rebuild) -> None:
    """Undamaged, and of use at once (BE-PLT-6, BE-PLT-7)."""
    state = play.state
    state.construction -= play.tables.rebuild
    state.companies[state.seat].platform = 0
    play.tell(Rebuilt(state.seat))


def _use(play: Play, choice: Use) -> None:
    """What a building may do once a turn (BE-EFF-14)."""
    state = play.state
    state.wishes = choice.wishes
    piece = combat.spend(play, state.seat, choice.piece)
    play.tell(Used(state.seat, piece.card))
    happens(play, state.seat, piece.card, "activate", piece.card)


def _demolish(play: Play, choice: Demolish) -> None:
    """It lies in the discard pile before its effect happens (BE-END-11), and yields no brass (BE-END-14).

    Demolishing destroys it, so its `destroyed` effects happen too, after that (BE-END-6).
    """
    state = play.state
    state.wishes = choice.wishes
    seat, place = find(state, choice.piece)
    card = state.companies[seat].pieces[place].card
    play.tell(Demolished(seat, card))
    destroy(play, choice.piece)
    if play.tables.demolish_triggers_destroyed:
        happens(play, seat, card, "destroyed")
    happens(play, seat, card, "demolish")


def _attack(play: Play, choice: Attack) -> None:
    play.state.wishes = choice.wishes
    play.state.acted = True
    combat.attack(play, play.state.seat, choice.unit, choice.target)


def _mine(play: Play, choice: Mine) -> None:
    play.state.wishes = choice.wishes
    play.state.acted = True
    _mine_on(play, choice.units)


def run_mining(play: Play, step: Mining) -> bool:
    """The units that are still to mine, once what the one before them asked is answered."""
    play.state.stack.pop()
    _mine_on(play, step.units)
    return False


def _mine_on(play: Play, ordered: tuple[int, ...]) -> None:
    """One unit after the other, each with its effects before the next."""
    state = play.state
    own = {piece.id for piece in state.companies[state.seat].pieces}
    units = tuple(unit for unit in ordered if unit in own)
    if not units:
        return
    if units[1:]:
        state.stack.append(Mining(units[1:]))
    combat.mine(play, state.seat, units[0])


def _act(play: Play, choice: Act) -> None:
    play.state.wishes = choice.wishes
    play.state.acted = True
    combat.act(play, play.state.seat, choice.unit)


def _end(play: Play, choice: End) -> None:
    play.state.stack[-1] = Ending()


_ACTS: dict[type, Callable[[Play, Any], None]] = {
    PlayAll: _play_all,
    PlayCards: _play,
    Buy: _buy,
    Convert: _convert,
    Rebuild: _rebuild,
    Use: _use,
    Demolish: _demolish,
    Attack: _attack,
    Mine: _mine,
    Act: _act,
    End: _end,
}
