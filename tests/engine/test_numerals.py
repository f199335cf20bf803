"""Numbers out of what people and forms write."""

import pytest

from engine.numerals import whole_number


@pytest.mark.parametrize("text", ["", "²", "1²", "፩", "٣", "①", "𝟛", "-1", "+1", " 1", "1_0", "1.0", "1234567890"])
def test_what_is_not_written_in_plain_digits_is_no_number(text: str) -> None:
    """Nor is one that is longer than anything here needs: Python takes most of these, or fails at them."""
    assert whole_number(text) is None


def test_plain_digits_are_a_number_up_to_the_length_that_is_asked_for() -> None:
    """Zeros before it count as digits."""
    assert [whole_number(text, 3) for text in ("0", "007", "999", "1000")] == [0, 7, 999, None]
