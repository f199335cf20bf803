"""What stand-ins that look ahead share: luck that is the same for all, and who is dropped."""

from engine.lookahead import Fate, most_promising


def test_fate_is_the_same_for_the_same_question_and_even() -> None:
    """A stream's outcomes don't depend on what was drawn from others, and each comes up about as often."""
    first, second = Fate(7), Fate(7)
    second.draw("backs", 8)
    drawn = [first.draw("cards", 6) for _ in range(6000)]
    assert drawn == [second.draw("cards", 6) for _ in range(6000)]
    assert drawn[:50] != [Fate(8).draw("cards", 6) for _ in range(50)]
    assert all(900 < drawn.count(value) < 1100 for value in range(6))


def test_the_candidate_that_does_best_over_all_worlds_is_taken_and_each_is_tried_in_the_same_ones() -> None:
    """The worst are dropped after each world, and no world is begun once the steps are made."""
    asked: list[tuple[int, str, int]] = []

    def tried(start: int, choice: str, number: int) -> tuple[int, float]:
        asked.append((start, choice, number))
        # "odd" shines in the first world only.
        return 10, {"bad": 0.0, "odd": 1.0 if number == 5 else 0.2, "good": 0.7, "fair": 0.5}[choice]

    assert most_promising(("bad", "odd", "fair", "good"), 5, 95, lambda number: -number, tried) == "good"
    assert [choice for _, choice, number in asked if number == 5] == ["bad", "odd", "fair", "good"]
    assert all(start == -number for start, _, number in asked)
    assert "bad" not in {choice for _, choice, number in asked if number == 6}
    assert 95 <= 10 * len(asked) < 95 + 40
    asked.clear()
    assert most_promising(("bad", "good"), 5, 1, lambda number: 0, tried) == "good"
    assert len(asked) == 2
