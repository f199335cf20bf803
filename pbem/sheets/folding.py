"""What a submission does to a sheet: pure, so that acknowledgement, check and storing can't differ."""

import secrets
from collections.abc import Sequence
from hashlib import blake2b

import msgspec

from engine.journal import canonical
from engine.orders.shape import Command, Line, Reading
from engine.orders.sheet import Kept, Sheet


class Folded(msgspec.Struct, frozen=True):
    """A sheet before and after, and what a player said beside the orders."""

    before: Sheet
    after: Sheet
    orders: bool
    """Whether orders for what is open now were in it, other than standing ones."""
    ready: bool | None
    """What was said of readiness; None where nothing was."""

    @property
    def added(self) -> tuple[Kept, ...]:
        """What stands on the sheet now and did not, or not in these words."""
        known = [kept.order for kept in self.before.orders]
        return tuple(kept for kept in self.after.orders if kept.order not in known)

    @property
    def removed(self) -> tuple[Kept, ...]:
        """What stood on the sheet and does no longer."""
        known = [kept.order for kept in self.after.orders]
        return tuple(kept for kept in self.before.orders if kept.order not in known)

    @property
    def changed(self) -> bool:
        """Whether the sheet is another now."""
        return self.before != self.after


class Sent(msgspec.Struct, frozen=True):
    """A submission that was folded already. `late` is also one for a stage that has closed since; `admitted` is what
    `use` in it took up."""

    number: int
    reading: Reading
    late: bool
    admitted: tuple[tuple[Kept, ...], ...] = ()


def takes_back(line: Line) -> bool:
    """Whether the line is a command by which orders leave the sheet."""
    return line.command is not None and line.command.name in ("clear", "cancel", "never_mind")


def written(number: int, reading: Reading) -> tuple[Kept, ...]:
    """The orders of submission `number` that no line below them takes back."""
    sheet, at = Sheet(), 0
    for line in reading.lines:
        if line.command is not None:
            sheet = _taken_back(sheet, line.command, late=False)
        if line.order is not None:
            sheet, at = Sheet((*sheet.orders, Kept((number, at), line.order))), at + 1
    return sheet.orders


def fold(
    before: Sheet,
    number: int,
    reading: Reading,
    *,
    late: bool,
    admitted: Sequence[tuple[Kept, ...]] = (),
    back_to: Sheet | None = None,
) -> Folded:
    """The sheet after submission `number`. Of a late one only standing orders and their end count.

    `admitted` are orders that `use` takes up, before the submission's own: of each late submission, oldest first.
    `back_to` is the sheet that `undo` goes back to, before all of that.
    """
    after = before if back_to is None else back_to
    for command in reading.commands:
        after = _taken_back(after, command, late=late)
    for orders in admitted:
        after = after.with_kept(orders)
    new = tuple(kept for kept in written(number, reading) if kept.order.always or not late)
    after = after.with_kept(new)
    said = [command.name for command in reading.commands if command.name in ("ready", "not_ready")]
    ready = said[-1] == "ready" if said and not late else None
    return Folded(before, after, any(not kept.order.always for kept in new) or any(admitted), ready)


def fold_in(
    before: Sheet,
    number: int,
    reading: Reading,
    newer: Sequence[Sent],
    *,
    late: bool,
    admitted: Sequence[tuple[Kept, ...]] = (),
) -> Folded:
    """The same for a submission that was received before those, oldest first: what they say stands."""
    folded = fold(_without(before, newer), number, reading, late=late, admitted=admitted)
    said, after = folded, folded.after
    for each in newer:
        again = fold(after, each.number, each.reading, late=each.late, admitted=each.admitted)
        said, after = again if again.orders or again.ready is not None else said, again.after
    # What newer ones said and is no longer on the sheet, since its stage closed or it was taken back, stays away.
    known = {kept.ref for kept in (*before.orders, *folded.after.orders)}
    return Folded(before, Sheet(tuple(kept for kept in after.orders if kept.ref in known)), said.orders, said.ready)


def _without(sheet: Sheet, sent: Sequence[Sent]) -> Sheet:
    """A sheet without what these submissions put on it."""
    numbers = {each.number for each in sent}
    admitted = {kept.ref for each in sent for orders in each.admitted for kept in orders}
    return Sheet(tuple(kept for kept in sheet.orders if kept.ref[0] not in numbers and kept.ref not in admitted))


def _taken_back(sheet: Sheet, command: Command, *, late: bool) -> Sheet:
    kind, round_ = command.params.get("kind", ""), command.params.get("round", -1)
    if command.name == "never_mind":
        return sheet.without_standing(kind)
    if late:
        return sheet
    if command.name == "clear":
        return Sheet()
    if command.name == "cancel":
        return sheet.without(kind, round_)
    return sheet


def new_salt() -> bytes:
    """The salt of a seal: without it nobody can try which sheet makes the seal."""
    return secrets.token_bytes(16)


def seal(sheet: Sheet, nonce: bytes) -> str:
    """What commits to a sheet without showing it, in hexadecimal."""
    return blake2b(canonical(sheet), key=nonce, digest_size=16, person=b"pbem seal").hexdigest()
