"""Whole numbers in plain digits: to Python `²` and `፩` are digits as well, and no numbers."""

DIGITS = frozenset("0123456789")


def whole_number(text: str, most: int = 9) -> int | None:
    """The number that is written in plain digits alone, at most so many; else None."""
    return int(text) if 0 < len(text) <= most and DIGITS.issuperset(text) else None
