"""People as players: prompt, late, forgetful, away, gone for good. All rates are stated here, and nowhere else.

A rate is the part of letters that ask a player for something.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from pbem import clock

HOURS_TO_ANSWER = 14.0
"""How long a player takes for such a letter, in the mean; exponentially distributed."""
FORGETS = 0.04
"""Is never answered, by players who go on playing."""
OVERSLEEPS = 0.04
"""Is answered after the deadline, however long that is, up to so many hours."""
LATE_HOURS = 12.0
VANISHES = 0.002
"""After it the player never writes again, in any game."""
RESIGNS = 0.002
"""Is answered by `resign`."""
HALF = 0.15
"""Is answered in part only, and without `ready`."""
UNDOES = 0.03
"""The answer is taken back, and sent again."""
CHATS = 0.05
"""There is a message to all in the answer."""
TRAVELS_DAYS = 75.0
"""The mean time between two journeys; of one the length is uniform."""
JOURNEY_DAYS = (3, 14)
TELLS = 0.7
"""The part of journeys of which the service is told."""
DAILY = 0.15
"""The part of people who want one letter a day."""
REMINDED = 0.2
"""The part of people who want to be reminded a day ahead."""
LISTED = 0.5
"""The part of games whose open seats are shown to everybody: people can wait for a seat of one."""
LINES_UP_DAYS = 12.0
"""The mean time between two people who come to wait for a seat of such a game, if they are not in it."""
TURNS_DOWN = 0.2
"""The part of offers of a seat that are declined; others are answered as letters are, or forgotten."""
ZONES = ("Europe/Paris", "Europe/London", "America/New_York", "America/Los_Angeles", "Australia/Sydney", "Asia/Tokyo")


@dataclass
class Person:
    """One person, in several games. `back` is when a journey ends, `gone` is for good."""

    address: str
    name: str
    random: Random
    gone: bool = False
    back: datetime | None = None

    def travels_at(self) -> datetime:
        """When the next journey begins."""
        start = max(clock.now(), self.back or clock.now())
        return start + timedelta(days=self.random.expovariate(1 / TRAVELS_DAYS))

    def travel(self) -> int | None:
        """Go on a journey; of how many days the service is told, None where it is not."""
        days = self.random.randint(*JOURNEY_DAYS)
        self.back = clock.now() + timedelta(days=days)
        return days if self.random.random() < TELLS else None

    def answers_at(self, deadline: datetime | None) -> datetime | None:
        """When a letter that came just now and asks something is answered; None for never."""
        drawn = self.random.random()
        if drawn < VANISHES:
            self.gone = True
        if self.gone or drawn < VANISHES + FORGETS:
            return None
        now = clock.now()
        if drawn < VANISHES + FORGETS + OVERSLEEPS and deadline is not None:
            late = deadline + timedelta(hours=self.random.random() * LATE_HOURS)
            return max(late, self.back or now)
        return self.joins_at()

    def answers_offer_at(self) -> datetime | None:
        """When an offer that came just now is answered; None for never."""
        forgets = self.gone or self.random.random() < FORGETS
        return None if forgets else self.joins_at()

    def joins_at(self) -> datetime:
        """When an invitation that came just now is answered."""
        now = clock.now()
        return max(now, self.back or now) + timedelta(hours=self.random.expovariate(1 / HOURS_TO_ANSWER))
