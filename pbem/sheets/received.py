"""What came for a seat, and what it says against the position that it came to."""

from dataclasses import dataclass
from datetime import datetime

from engine.contract import Asked
from engine.orders.shape import Command, Reading
from pbem.games.position import Position
from pbem.sheets.acting import Acts
from pbem.sheets.answers import HELD_BACK
from pbem.sheets.folding import Folded, written
from pbem.sheets.undoing import Undo

CHANGING = frozenset({"ready", "not_ready", "clear", "cancel", "never_mind", "use", "undo"})
"""Commands that change the sheet or what is waited for, where they can be followed."""
ASKING = frozenset({"show", "status", "history", "help", "new_token", "resign"})
"""Commands that are answered by letters of their own."""


@dataclass(frozen=True)
class Post:
    """What came for a seat. `key` is unique for good: the same mail or form twice counts once.

    `source`: mail, page, api, command, moderator, standin. `asked` are line and stage key of the letter that it
    answers; None for what is open now. `received` is when we got it. `generation` is that of the seat as whoever sent
    it has it, None for who does not write as its player.
    """

    game_id: int
    seat: int
    text: str
    source: str
    key: str
    received: datetime
    asked: tuple[int, str] | None = None
    inbound_id: int | None = None
    generation: int | None = None
    message: str = ""
    """The key of the message between players whose letter it answers, empty for none."""


@dataclass(frozen=True)
class Received:
    """A post against the position that it came to."""

    stands: Position
    reading: Reading
    late: bool
    folded: Folded
    missing: tuple[Asked, ...]
    ready: bool
    nonce: bytes
    seal: str
    """The seal of the sheet after it, as it is told, hexadecimal."""
    acts: Acts
    admitted: tuple[int, ...] = ()
    undo: Undo | None = None
    late_by: int | None = None
    """For late ones by how many seconds, by the time of receipt; None where it is not known."""
    taken_back: bool = False
    """Whether it answers a letter of play that was taken back."""
    overtaken: datetime | None = None
    """When something was received that its player sent later and that was taken before it; None where nothing was."""

    @property
    def names(self) -> frozenset[str]:
        """The commands in it that can be followed."""
        commands = enumerate(self.reading.commands)
        return frozenset(command.name for place, command in commands if place not in self.acts.refused)

    @property
    def followed(self) -> list[Command]:
        """The commands that are followed: with `check` nothing that would reach others or change the seat."""
        commands = enumerate(self.reading.commands)
        return [
            command
            for place, command in commands
            if place not in self.acts.refused and not (self.checked and command.name in HELD_BACK)
        ]

    @property
    def asks_for_letters(self) -> bool:
        """Whether it asks for something that may wait among the letters that its player wants to ask for."""
        return bool(self.names & {"show", "status", "history", "mail_now"})

    @property
    def checked(self) -> bool:
        """Whether nothing is to be kept."""
        return "check" in self.names

    @property
    def kept(self) -> bool:
        """Whether there is something to keep."""
        return not self.checked and bool(self.reading.orders or self.names)

    @property
    def changes(self) -> bool:
        """Whether it changed the sheet, or whether the seat is ready; what is taken back is no change of its own."""
        said = bool(self.names & {"ready", "not_ready"}) and not self.late
        return said or (self.folded.changed and self.undo is None)

    @property
    def outcome(self) -> str:
        """The code of what was made of it."""
        if self.checked:
            return "checked"
        if not self.reading.orders and not self.names & CHANGING:
            return "nothing"
        return "late" if self.late else "kept"

    @property
    def heading(self) -> str:
        """The code of what it was that was kept."""
        if self.taken_back:
            return "taken_back"
        if self.overtaken is not None and not self.folded.changed:
            return "overtaken"
        if written(0, self.reading):
            return "orders"
        if self.undo is not None:
            return "undone_entered" if self.undo.entered else "undone"
        if self.admitted:
            return "admitted"
        if self.folded.changed:
            return "changed"
        return "waits" if self.folded.ready is False else "ready" if self.folded.ready else "unchanged"

    @property
    def answered_otherwise(self) -> bool:
        """Whether it only asks for letters, so that an acknowledgement would say nothing."""
        plain = not self.reading.orders and not self.reading.problems and not self.acts.refused
        return plain and bool(self.names) and self.names <= ASKING
