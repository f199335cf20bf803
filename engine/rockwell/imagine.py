"""A full state that a seat must think possible: only what the others insured is not in its view."""

from engine.contract import Chance
from engine.rockwell.achievements import HOLDINGS
from engine.rockwell.state import KINDS, Account, Company, State
from engine.rockwell.view import Rival, RockwellView


def imagine(view: RockwellView, chance: Chance) -> State:
    """A state with that view. Draws from the stream `imagine`."""
    return State(
        at=view.at[:],
        power=view.power[:],
        die=view.die[:],
        required=view.required[:],
        back=view.back[:],
        mineshaft=view.mineshaft[:],
        companies=[
            view.own.copy() if view.own is not None and seat == view.seat else _company(rival, chance)
            for seat, rival in enumerate(view.companies)
        ],
        management=view.management[:],
        control=view.control[:],
        slots=view.slots[:],
        bribery=view.bribery,
        dice=view.dice,
        cards=view.cards[:],
        deliveries=view.deliveries[:],
        achievements=view.achievements[:],
        traded=view.traded[:],
        left=view.left[:],
        turn=view.turn,
        stack=view.stack[:],
    )


def _company(rival: Rival, chance: Chance) -> Company:
    account = rival.account.copy()
    insured = _insured(account, rival.claimed, chance)
    return Company(
        [seen - gone for seen, gone in zip(account.seen, insured, strict=True)],
        rival.money,
        account,
        sum(insured) - account.spent,
        rival.safety,
        rival.mineshaft,
        rival.mobility,
        rival.cards,
        rival.claimed[:],
        rival.delivered[:],
    )


def _insured(account: Account, claimed: list[int], chance: Chance) -> list[int]:
    """How many cubes of each kind it insured since the game began, within all that everyone knows.

    Every bound asks for more insured cubes or caps a single kind. So a draw that falls short is mended by insuring
    more, of a kind that can still give, until nothing is short: the truth shows that this ends well.
    """
    insured = [
        low + chance.draw("imagine", high - low + 1) for low, high in zip(account.low, account.high, strict=True)
    ]
    for achievement, count, kinds in HOLDINGS:
        if not claimed[achievement]:
            _break(account, insured, count, kinds, chance)
    short = account.spent - sum(insured)
    while short > 0:
        able = [kind for kind in KINDS if insured[kind] < account.high[kind]]
        kind = able[chance.draw("imagine", len(able))]
        more = min(short, account.high[kind] - insured[kind])
        insured[kind] += more
        short -= more
    return insured


def _break(account: Account, insured: list[int], count: int, kinds: tuple[int, ...], chance: Chance) -> None:
    """Insure so much that the company lacks the `count` cubes of a kind that an achievement, not claimed, asks for."""
    seen = account.seen
    if any(seen[kind] - insured[kind] < count for kind in kinds):
        return
    able = [kind for kind in kinds if seen[kind] - count < account.high[kind]]
    kind = able[chance.draw("imagine", len(able))]
    insured[kind] = seen[kind] - count + 1
