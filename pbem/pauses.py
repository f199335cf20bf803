"""How long work rests that was left alone: nothing is wrong with it, but it is not this code's to do."""

from datetime import datetime

from pbem import clock

FIRST, LONGEST = 20.0, 300.0
"""Real seconds: another process may know better at once, an operator mends it in days."""
SHARE = 10


def left_alone(owed: datetime) -> float:
    """Real seconds until it is tried again: a tenth of the time for which it has been owed, within bounds.

    So much that can't be done costs little after a while, and what just came is tried soon.
    """
    waited = (clock.now() - owed) / clock.span(1)
    return min(max(FIRST, waited / SHARE), LONGEST)
