"""A company's stock, and with it the account that everyone can keep of it: the two never change apart."""

from collections.abc import Sequence

from engine.rockwell.state import Company


def gain(company: Company, cubes: Sequence[int]) -> None:
    """Cubes come from the supply, in the open."""
    held, seen = company.cubes, company.account.seen
    for kind, count in enumerate(cubes):
        if count:
            held[kind] += count
            seen[kind] += count


def pay(company: Company, cubes: Sequence[int]) -> None:
    """Cubes that the company holds go back to the supply, in the open."""
    for kind, count in enumerate(cubes):
        if count:
            hand_over(company, kind, count)


def hand_over(company: Company, kind: int, count: int) -> None:
    """`pay` for one kind. Whoever hands over so many has not insured them."""
    account = company.account
    company.cubes[kind] -= count
    account.seen[kind] -= count
    account.high[kind] = min(account.high[kind], account.seen[kind])


def at_least(company: Company, kind: int, count: int) -> None:
    """Everyone learns that the company holds at least `count` of a kind."""
    account = company.account
    account.high[kind] = min(account.high[kind], account.seen[kind] - count)


def at_most(company: Company, kind: int, count: int) -> None:
    """Everyone learns that the company holds at most `count` of a kind."""
    account = company.account
    account.low[kind] = max(account.low[kind], account.seen[kind] - count)
