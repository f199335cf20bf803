"""Whether each line of a journal begins as one may: by an act that is on record, or as a copy of one that was left."""

from hashlib import blake2b

import msgspec

from engine.journal import Entry, canonical
from pbem.records.sealing import decides
from pbem.rulings.goingback import KEEP, REDRAW, ROLLED_BACK
from pbem.rulings.returning import RETURNED
from pbem.sheets.undoing import UNDONE


class BadLine(Exception):
    """A code and the entry that it is about."""

    def __init__(self, code: str, entry: Entry) -> None:
        super().__init__(code, entry.line, entry.number)
        self.code = code
        self.entry = entry


class Lines:
    """The entries of all lines in the order in which they were written.

    A line begins with a player's undoing or with a roll-back, which alone may have all later draws be others: by the
    one epoch that nobody has seen yet. Any other beginning has to be the copy of a line that was left, entry for entry
    up to the `returned` that says so; until then decisions without seals may stand behind some with them too.
    """

    def __init__(self) -> None:
        self._line = -1
        self._epochs = [0]
        """Of the entries so far on the present line, by number; of the start before the first."""
        self._contents = [b""]
        """Of the same entries what they and those before them say, whatever line they are on."""
        self._latest = 0
        self._left: set[bytes] = set()
        """What the lines said that were left."""
        self._ended: list[bytes] = []
        """Those of them that have ended since a copy began: it can't be one of these."""
        self._copy: Entry | None = None
        """The entry with which a copy began that has not ended."""
        self._bound = False
        self._loose: Entry | None = None
        """The first decision without seals behind one with them, which only a copy may have."""

    def follow(self, entry: Entry) -> None:
        """Look at the next entry; its number is at most one more than the last. Raises BadLine `line`, `unbound`."""
        before = entry.number - 1
        if entry.line != self._line:
            self._begin(entry)
        elif entry.epoch != self._epochs[before]:
            raise BadLine("line", entry)
        if entry.note is not None and entry.note.act == RETURNED:
            self._return(entry)
        if decides(entry):
            self._look_at_seals(entry)
        del self._epochs[entry.number :], self._contents[entry.number :]
        self._epochs.append(entry.epoch)
        self._contents.append(_content(self._contents[before], entry))
        self._latest = max(self._latest, entry.epoch)

    def finish(self) -> None:
        """Raises BadLine where the last copy has not ended."""
        if self._copy is not None:
            raise BadLine("line", self._copy)
        if self._loose is not None:
            raise BadLine("unbound", self._loose)

    def _begin(self, entry: Entry) -> None:
        if entry.line != self._line + 1:
            raise BadLine("line", entry)
        if entry.line:
            self._ended.append(self._contents[-1])
        fits = self._fits(entry)
        if fits or entry.number < len(self._epochs):
            self.finish()  # a copy goes on with the next entry, on another line in another epoch
        if self._copy is None:
            # What a copy has begun may have begun as if it were no copy; then nothing is asked of it.
            self._left.update(self._ended)
            self._ended.clear()
            self._copy = None if fits else entry
        self._line = entry.line

    def _fits(self, entry: Entry) -> bool:
        """Whether the line may begin so and be none that was there before."""
        before, note = entry.number - 1, entry.note
        if entry.line == 0:
            return (entry.number, entry.epoch) == (1, 0)
        if note is None or before < 1:
            return False
        is_same = entry.epoch == self._epochs[before]
        if note.act != ROLLED_BACK:
            return note.act == UNDONE and is_same
        chance = note.params.get("chance")
        goes_on = is_same if chance == KEEP else chance == REDRAW and entry.epoch == self._latest + 1
        return note.params.get("entry") == before and goes_on

    def _return(self, entry: Entry) -> None:
        before = entry.number - 1
        if self._contents[before] not in self._left or entry.epoch != self._epochs[before]:
            raise BadLine("line", entry)
        self._left.update(self._ended)
        self._ended.clear()
        self._copy = self._loose = None

    def _look_at_seals(self, entry: Entry) -> None:
        if entry.seals is not None:
            self._bound = True
        elif self._bound and self._loose is None:
            self._loose = entry


def _content(before: bytes, entry: Entry) -> bytes:
    said = canonical(msgspec.structs.replace(entry, line=0, before=b""))
    return blake2b(before + said, digest_size=32, person=b"pbem line").digest()
