"""Chance can be recomputed by anyone who has the secret, and no draw can be steered."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import KeyedChance, RandomChance, RecordedChance, pick_from
from engine.errors import BadJournal

SECRET = b"secret"


def keyed(words: tuple[str, ...] = ("a", "b"), epoch: int = 0, secret: bytes = SECRET) -> KeyedChance:
    """A fresh chance with nothing drawn."""
    return KeyedChance(secret, words, epoch, {})


def outcomes(chance: KeyedChance, stream: str = "cards", n: int = 1000) -> list[int]:
    """Twenty draws."""
    return [chance.draw(stream, n) for _ in range(20)]


@given(st.integers())
def test_one_stream_never_shifts_another(seed: int) -> None:
    """However draws of several streams are mixed, each stream gives what it gives alone."""
    random = Random(seed)
    mixed = keyed()
    drawn: dict[str, list[int]] = {"cards": [], "tiles": [], "": []}
    for _ in range(30):
        stream = random.choice(list(drawn))
        drawn[stream].append(mixed.draw(stream, 6))
    for stream, values in drawn.items():
        alone = keyed()
        assert [alone.draw(stream, 6) for _ in values] == values


def test_secret_words_and_epoch_each_change_the_outcomes() -> None:
    """None of what an outcome is made of can be left out; nor can words run into one another."""
    given = [
        keyed(),
        keyed(secret=b"another"),
        keyed(epoch=1),
        keyed(("a", "c")),
        keyed(("ab", "")),
        keyed(("", "ab")),
        keyed(("b", "a")),
    ]
    assert len({tuple(outcomes(chance)) for chance in given}) == len(given)
    assert outcomes(keyed()) == outcomes(keyed())


def test_a_counter_kept_goes_on_where_the_stream_stood() -> None:
    """A chance with another's counters continues it."""
    first = keyed()
    whole = outcomes(first) + outcomes(first)
    begun = keyed()
    head = outcomes(begun)
    assert head + outcomes(KeyedChance(SECRET, ("a", "b"), 0, dict(begun.counters))) == whole


@pytest.mark.parametrize("n", [1, 2, 3, 7, 48, 1000])
def test_outcomes_lie_in_their_range_and_all_come(n: int) -> None:
    """Each of n outcomes comes about as often as the others."""
    chance = keyed()
    counts = [0] * n
    for _ in range(200 * n if n < 100 else 20_000):
        counts[chance.draw("many", n)] += 1
    mean = sum(counts) / n
    assert min(counts) > 0
    assert sum((count - mean) ** 2 / mean for count in counts) < n + 6 * (2 * n) ** 0.5 + 10


def test_numbers_past_the_last_whole_multiple_are_drawn_again() -> None:
    """With an n just over half the span about every second number is refused; reduced modulo n, the low outcomes
    would come twice as often."""
    n = (1 << 63) + 1
    chance = keyed()
    values = [chance.draw("wide", n) for _ in range(2000)]
    assert all(0 <= value < n for value in values)
    low = sum(value < n // 2 for value in values)
    assert 900 < low < 1100


def test_draws_are_recorded_and_can_be_given_again() -> None:
    """What was taken replays to the same outcomes and leaves nothing over."""
    chance = keyed()
    drawn = [chance.draw("cards", 6), chance.draw("tiles", 8)]
    taken = chance.take()
    assert taken == (("cards", 6, drawn[0]), ("tiles", 8, drawn[1]))
    assert chance.take() == ()
    recorded = RecordedChance(taken, 3)
    assert [recorded.draw("cards", 6), recorded.draw("tiles", 8)] == drawn
    recorded.finish()


@pytest.mark.parametrize(("stream", "n"), [("tiles", 6), ("cards", 7)])
def test_a_record_answers_no_other_draw(stream: str, n: int) -> None:
    """Another stream or number of outcomes than recorded names the entry that does not fit."""
    with pytest.raises(BadJournal) as raised:
        RecordedChance((("cards", 6, 1),), 3).draw(stream, n)
    assert raised.value.number == 3


def test_a_record_too_short_or_too_long_does_not_fit() -> None:
    """Missing and left over outcomes both raise."""
    with pytest.raises(BadJournal, match="missing"):
        RecordedChance((), 3).draw("cards", 6)
    with pytest.raises(BadJournal, match="unused"):
        RecordedChance((("cards", 6, 1),), 3).finish()


def test_simulated_chance_reaches_all_outcomes() -> None:
    """Random chance and the pick made of a random stay in range and reach its ends."""
    chance = RandomChance(Random(1))
    pick = pick_from(Random(1))
    assert {chance.draw("any", 6) for _ in range(200)} == set(range(6)) == {pick(6) for _ in range(200)}


def test_a_secret_is_needed() -> None:
    """An empty secret would make every game the same."""
    with pytest.raises(ValueError, match="secret"):
        KeyedChance(b"", (), 0, {})
