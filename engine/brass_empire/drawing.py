"""Drawing cards, and the rows: BE-END-2, BE-BUY-3."""

from bisect import insort

from engine.brass_empire.events import Drew, Refilled
from engine.brass_empire.play import Play
from engine.brass_empire.state import EMPTY
from engine.brass_empire.tables import ROW

DECKS = ("labor", "design")
"""By row the stream that its deck is drawn from."""


def draw(play: Play, seat: int, count: int) -> None:
    """Draw so many cards, as an effect says."""
    drawn, shuffled = _drawn(play, seat, count)
    if drawn:
        play.tell_own(seat, Drew(seat, len(drawn), shuffled, drawn), Drew(seat, len(drawn), shuffled))


def deal(play: Play, seat: int, count: int) -> None:
    """Draw a new hand."""
    drawn, shuffled = _drawn(play, seat, count)
    if drawn:
        seen = Drew(seat, len(drawn), shuffled, drawn, dealt=True)
        play.tell_own(seat, seen, Drew(seat, len(drawn), shuffled, dealt=True))


def _drawn(play: Play, seat: int, count: int) -> tuple[tuple[int, ...], bool]:
    """Cards off the deck into the hand; when it has run out the discard pile is shuffled to be the deck."""
    company = play.state.companies[seat]
    deck, hand = company.deck, company.hand
    stream, chance = play.tables.streams[seat], play.chance
    drawn: list[int] = []
    shuffled = False
    for _ in range(count):
        if not deck:
            if not company.discard:
                break
            deck = company.deck = sorted(company.discard)
            company.discard = []
            shuffled = True
        left = len(deck)
        card = deck.pop(chance.draw(stream, left) if left > 1 else 0)
        insort(hand, card)
        drawn.append(card)
    return tuple(drawn), shuffled


def next_card(play: Play, row: int) -> int:
    """The top card of a row's deck, EMPTY where that has run out (BE-BUY-6)."""
    deck = play.state.decks[row]
    left = len(deck)
    if not left:
        return EMPTY
    return deck.pop(play.chance.draw(DECKS[row], left) if left > 1 else 0)


def take(play: Play, row: int, card: int) -> None:
    """Take a card off a row; its place is filled before anything else.

    Alone against the automaton the cards to its left shift right, and the new one enters leftmost (BE-SOL-8).
    """
    cards = play.state.rows[row]
    place = ROW - 1 - cards[::-1].index(card)
    new = next_card(play, row)
    if play.tables.solo:
        del cards[place]
        cards.insert(0, new)
    else:
        cards[place] = new
    play.tell(Refilled(row, new))
