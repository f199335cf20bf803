"""A stand-in with a little sense."""

from engine.contract import Bot, Choice, Decision, Pick, Rules, Space
from tinygame.state import Attack, Bid, Defend, View


def steady(rules: Rules) -> Bot:
    """Bids in the middle, attacks who has the fewest lives, and meets an attack as cheaply as it can."""
    return _chosen


def _chosen(view: View, decision: Decision, space: Space, pick: Pick) -> Choice:
    if decision.kind == "bid":
        return Bid(view.hand[len(view.hand) // 2])
    if decision.kind == "attack":
        targets = [seat for seat, lives in enumerate(view.lives) if lives and seat != view.seat]
        return Attack(min(targets, key=lambda seat: (view.lives[seat], view.sizes[seat], seat)), view.hand[-1])
    return Defend(next((card for card in view.hand if card >= view.card), 0))
