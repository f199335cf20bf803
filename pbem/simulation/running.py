"""A plan's games, shared out among processes. The figures are the same whatever their number, but for the times."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from pbem.simulation.plan import Game, Plan, games
from pbem.simulation.playing import Hall
from pbem.simulation.tally import Tally

CHUNK = 10
"""Games that a process plays in one go."""

_halls: list[Hall] = []
"""In a worker process the one hall that it plays in."""


def run(plan: Plan, jobs: int, played: Callable[[int], None]) -> Tally:
    """Play all games in so many processes; `played` is told how many more have been played.

    Raises GameFailed.
    """
    listed = games(plan)
    chunks = [listed[first : first + CHUNK] for first in range(0, len(listed), CHUNK)]
    total = _empty(plan)
    for tally in _tallies(plan, chunks, jobs):
        total.add(tally)
        played(tally.games)
    return total


def _tallies(plan: Plan, chunks: Sequence[Sequence[Game]], jobs: int) -> Iterator[Tally]:
    """In the order of the chunks: sums of shared wins are then the same to the last bit."""
    jobs = min(jobs, len(chunks))
    if jobs == 1:
        hall = Hall(plan)
        yield from (_play(hall, chunk) for chunk in chunks)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_enter, initargs=(plan,)) as pool:
        try:
            yield from pool.map(_play_here, chunks)
        finally:
            pool.shutdown(cancel_futures=True)


def _enter(plan: Plan) -> None:
    _halls[:] = [Hall(plan)]


def _play_here(chunk: Sequence[Game]) -> Tally:
    return _play(_halls[0], chunk)


def _play(hall: Hall, chunk: Sequence[Game]) -> Tally:
    tally = _empty(hall.plan)
    for game in chunk:
        hall.play(game, tally)
    return tally


def _empty(plan: Plan) -> Tally:
    return Tally([0.0] * plan.setup.seats)
