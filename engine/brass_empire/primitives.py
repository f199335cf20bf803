"""What each primitive does: BE-EFF. The interpreter of effects, and what becomes of the answers that they ask for.

A primitive is a function of the play, the side whose effect it is, the effect, its number and its source: the card
that it stands on if that is face up in play, else -1. One that asks does so by `asks.put`.
"""

from collections.abc import Callable
from typing import Any

from engine.brass_empire import asks, battle, brass
from engine.brass_empire.choices import Accept, Acquire, Decline, Dismiss, Pick, Steal, Strike
from engine.brass_empire.drawing import draw, take
from engine.brass_empire.events import Acquired, BrassTaken, Discarded, Dismissed, MoreAtEnd, Stole, Struck
from engine.brass_empire.play import Play
from engine.brass_empire.state import Asking, Discarding, Resolving
from engine.brass_empire.tables import AT_ONCE, DECLINED, ROWS, Compiled


def resolve(play: Play, side: int, todo: tuple[int, ...], source: int) -> None:
    """Effects happen in their order, each whole before the next (BE-PLY-10)."""
    effects = play.tables.effects
    for place, number in enumerate(todo):
        effect = effects[number]
        if effect.do in AT_ONCE and not effect.optional:
            HAPPENS[effect.do](play, side, effect)
            continue
        rest = todo[place + 1 :]
        if rest:
            play.state.stack.append(Resolving(side, rest, source))
        _happen(play, side, number, source)
        return


def run_resolving(play: Play, step: Resolving) -> bool:
    """The effects of a step that is on top of the stack."""
    play.state.stack.pop()
    if not brass.is_out(play.state, step.seat):
        resolve(play, step.seat, step.todo, step.source)
    return False


def _happen(play: Play, side: int, number: int, source: int) -> None:
    """An effect that may ask: first whether it is to happen, where it may be declined (BE-EFF-27)."""
    effect = play.tables.effects[number]
    if effect.optional and effect.do not in DECLINED:
        company = play.state.companies[side]
        if effect.do == "draw" and not company.deck and not company.discard:
            return
        asks.put(play, Asking(side, number, source, True), answer)
        return
    _do(play, side, number, source)


def _do(play: Play, side: int, number: int, source: int) -> None:
    effect = play.tables.effects[number]
    if effect.do in AT_ONCE:
        HAPPENS[effect.do](play, side, effect)
    else:
        WITH_MORE[effect.do](play, Asking(side, number, source), effect)


def gain_labor(play: Play, side: int, effect: Compiled) -> None:
    """For this turn only (BE-EFF-2); in another's turn it is nothing (BE-EFF-22)."""
    if side == play.state.seat:
        play.gain(effect.n, 0)


def gain_construction(play: Play, side: int, effect: Compiled) -> None:
    """As gain_labor."""
    if side == play.state.seat:
        play.gain(0, effect.n)


def gain_brass(play: Play, side: int, effect: Compiled) -> None:
    """From the pool, never capped by it (BE-EFF-3); the platform does not matter (BE-PLT-11)."""
    before = play.state.pool
    play.tell(BrassTaken(side, brass.pay(play, side, effect.n), "effect"))
    brass.look(play, before)


def draw_cards(play: Play, side: int, effect: Compiled) -> None:
    """At once (BE-EFF-4)."""
    draw(play, side, effect.n)


def end_draw(play: Play, side: int, effect: Compiled) -> None:
    """More cards at the end of one's own turn; several add up (BE-EFF-23)."""
    if side == play.state.seat:
        play.state.end_draw += effect.n
        play.tell(MoreAtEnd(side, effect.n))


def dismiss(play: Play, asked: Asking, effect: Compiled) -> None:
    """Up to n cards from hand and discard pile leave the game (BE-EFF-5)."""
    company = play.state.companies[asked.seat]
    if company.hand or company.discard:
        asks.put(play, asked, answer)


def opp_discard(play: Play, asked: Asking, effect: Compiled) -> None:
    """Each opponent with more than `floor` cards discards n of its choice, never below it (BE-EFF-6, BE-EFF-25).

    The automaton has no hand (BE-SOL-14).
    """
    companies = play.state.companies
    seats: list[int] = []
    counts: list[int] = []
    for foe in sorted(play.tables.foes[asked.seat]):
        hand = companies[foe].hand
        count = min(effect.n, len(hand) - effect.floor)
        if count <= 0:
            continue
        if count == len(hand):
            discard(play, foe, tuple(hand))
        else:
            seats.append(foe)
            counts.append(count)
    if seats:
        play.state.stack.append(Discarding(tuple(seats), tuple(counts)))


def damage(play: Play, asked: Asking, effect: Compiled) -> None:
    """To one face-up card of an opponent; it must be dealt if there is a target (BE-EFF-7)."""
    targets = battle.struck_by_effect(play.tables, play.state, asked.seat, effect.target)
    if len(targets) == 1:
        _strike(play, asked, effect, targets[0])
    elif targets:
        asks.put(play, asked, answer)


def steal_brass(play: Play, asked: Asking, effect: Compiled) -> None:
    """Tokens of one opponent, or all if it has fewer (BE-EFF-8)."""
    victims = asks.victims(play.tables, play.state, asked.seat)
    if len(victims) == 1:
        _steal(play, asked, effect, victims[0])
    elif victims:
        asks.put(play, asked, answer)


def acquire_free(play: Play, asked: Asking, effect: Compiled) -> None:
    """A row card whose costs add up to n at most (BE-EFF-9)."""
    if asks.acquirable(play.tables, play.state, effect):
        asks.put(play, asked, answer)


def choose(play: Play, asked: Asking, effect: Compiled) -> None:
    """One of the options (BE-EFF-10)."""
    asks.put(play, asked, answer)


def if_corp(play: Play, asked: Asking, effect: Compiled) -> None:
    """Only with another card of that corporation, played earlier this turn or face up in play (BE-EFF-26)."""
    if _other(play, asked.seat, effect, asked.source):
        play.state.stack.append(Resolving(asked.seat, effect.then, asked.source))


def _other(play: Play, side: int, effect: Compiled, source: int) -> bool:
    """Whether there is another card of the corporation; the card itself never counts (BE-EFF-28).

    A card that is being played is the last of those played. The platform is of no corporation.
    """
    state, corp = play.state, play.tables.corp
    if effect.scope == "played":
        if side != state.seat:
            return False
        played = state.played[:-1] if effect.when == "play" else state.played
        return any(corp[card] == effect.corp for card in played)
    there = sum(1 for piece in state.companies[side].pieces if not piece.down and corp[piece.card] == effect.corp)
    return there > (source >= 0 and corp[source] == effect.corp)


HAPPENS: dict[str, Callable[[Play, int, Compiled], None]] = {
    "gain_labor": gain_labor,
    "gain_construction": gain_construction,
    "gain_brass": gain_brass,
    "draw": draw_cards,
    "end_draw": end_draw,
}
"""The primitives that are done at once. `warden` and `hand_size` happen at no moment: see `battle` and `turn`."""
WITH_MORE: dict[str, Callable[[Play, Asking, Compiled], None]] = {
    "dismiss": dismiss,
    "opp_discard": opp_discard,
    "damage": damage,
    "steal_brass": steal_brass,
    "acquire_free": acquire_free,
    "choose": choose,
    "if_corp": if_corp,
}
"""The primitives that may ask, or after which something else happens first."""


def answer(play: Play, asked: Asking, choice: Any) -> None:
    """Carry out what an effect's question was answered."""
    effect = play.tables.effects[asked.effect]
    match choice:
        case Accept():
            _do(play, asked.seat, asked.effect, asked.source)
        case Decline():
            pass
        case Pick(option):
            play.state.stack.append(Resolving(asked.seat, effect.options[option], asked.source))
        case Dismiss(cards):
            _dismiss(play, asked.seat, cards)
        case Strike(target):
            _strike(play, asked, effect, target)
        case Steal(victim):
            _steal(play, asked, effect, victim)
        case Acquire():
            _acquire(play, asked.seat, choice)


def discard(play: Play, seat: int, cards: tuple[int, ...]) -> None:
    """Cards of a hand go to the discard pile because another company's card says so."""
    company = play.state.companies[seat]
    for card in cards:
        company.hand.remove(card)
        company.discard.append(card)
    play.tell(Discarded(seat, cards))


def _dismiss(play: Play, seat: int, cards: tuple[int, ...]) -> None:
    """From the discard pile first: what is in the hand can still be played."""
    company = play.state.companies[seat]
    for card in cards:
        (company.discard if card in company.discard else company.hand).remove(card)
        play.state.gone.append(card)
    if cards:
        play.tell(Dismissed(seat, cards))


def _strike(play: Play, asked: Asking, effect: Compiled, target: int) -> None:
    """No damage comes back, and what is destroyed so yields no brass (BE-ACT-8); `destroyed` happens (BE-ACT-23)."""
    victim, card = battle.card_of(play.tables, play.state, target)
    play.tell(Struck(asked.seat, victim, card, effect.n))
    if battle.deal(play, target, effect.n):
        battle.destroy(play, target)
        battle.happens(play, victim, card, "destroyed")


def _steal(play: Play, asked: Asking, effect: Compiled, victim: int) -> None:
    """Stolen tokens don't pass through the pool (BE-WIN-6); in battle it is health (BE-BAT-8)."""
    companies = play.state.companies
    stolen = min(effect.n, companies[victim].brass)
    play.tell(Stole(asked.seat, victim, stolen))
    if play.tables.battle:
        brass.pay(play, asked.seat, stolen)
    else:
        companies[asked.seat].brass += stolen
    brass.lose(play, victim, stolen)


def _acquire(play: Play, seat: int, choice: Acquire) -> None:
    """The place is refilled first (BE-BUY-3). For the same extra 1 as a purchase it may go to the teammate."""
    state, tables = play.state, play.tables
    to = tables.mates[seat] if choice.mate else seat
    if choice.mate:
        if choice.row == ROWS[0]:
            state.labor -= 1
        else:
            state.construction -= 1
    play.tell(Acquired(seat, choice.card, choice.row, to))
    take(play, choice.row, choice.card)
    gets(play, to, choice.card)


def gets(play: Play, seat: int, card: int) -> None:
    """A card bought or had free goes to a discard pile at once, or at the end of the turn (BE-BUY-2)."""
    company = play.state.companies[seat]
    (company.coming if play.tables.bought_at_end else company.discard).append(card)
