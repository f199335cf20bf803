"""Orders to die at the points of `pbem.crashing`: each program once at each place that it passes."""

from pathlib import Path

from tests.pbem.crashes.house import House
from tests.pbem.crashes.places import names_of, places

Place = tuple[str, str]
"""A program, and a point in it, with the function at work there."""


class Orders:
    """What was ordered of a house. `hit` are the places where a program died, `wanted` those where one still has to."""

    def __init__(self, house: House) -> None:
        self.hit: list[Place] = []
        self.wanted = places()
        self._house = house
        self._files: dict[Place, Path] = {}

    def look(self) -> list[str]:
        """Order death at every place that was passed meanwhile, and at those that have to be hit; who died since."""
        named = {(program, place) for program, place in self.wanted if "@" in place}
        passed = {(program, place) for program in self._house.names for place in self._house.passed(program)}
        for program, place in sorted((named | passed) - self._files.keys()):
            self._files[program, place] = self._house.order(program, place)
        died = [key for key in self.open if not self._files[key].exists()]
        self.hit += died
        for key in died:
            self.wanted -= names_of(*key)
        return [program for program, _ in died]

    @property
    def open(self) -> list[Place]:
        """Places at which nobody has died yet, though it was ordered."""
        return sorted(self._files.keys() - set(self.hit))

    def withdraw(self) -> None:
        """Let everybody live from now on."""
        for key in self.open:
            self._files[key].unlink(missing_ok=True)
