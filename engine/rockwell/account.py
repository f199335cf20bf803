"""Insurance, and what everyone can tell of a stock that has some: the only secret that there is.

Everything but insuring is public. So the account needs no more than the cubes `seen` and, by kind, bounds on how many
were insured: at most what was `seen` at every moment since the last insurance step (`high`), at least what its spent
insurance, and the achievements that it did not claim, prove (`low`).
"""

from collections.abc import Sequence

from engine.rockwell.state import KINDS, Account, Company


def insure(company: Company, cubes: Sequence[int]) -> None:
    """Cubes become insurance, unseen. Called for every company at the step, with nothing for those that don't."""
    _prove(company.account)
    company.account.high[:] = company.account.seen
    for kind in KINDS:
        company.cubes[kind] -= cubes[kind]
        company.insurance += cubes[kind]


def discard(company: Company, insurance: int) -> None:
    """Insurance is spent, for all to see."""
    company.insurance -= insurance
    company.account.spent += insurance
    _prove(company.account)


def may_have(account: Account, kind: int) -> int:
    """The most cubes of a kind that the company can have, for all that everyone knows."""
    return account.seen[kind] - account.low[kind]


def may_have_any(account: Account) -> bool:
    """Whether the company can have a cube at all, for all that everyone knows."""
    return account.seen != account.low


def may_be_insured(account: Account) -> bool:
    """Whether the company can hold insurance, for all that everyone knows."""
    return sum(account.high) > account.spent


def _prove(account: Account) -> None:
    """Insurance spent that can't all have come from the other kinds came from this one."""
    if account.spent:
        spare = sum(account.high) - account.spent
        for kind in KINDS:
            account.low[kind] = max(account.low[kind], account.high[kind] - spare)
