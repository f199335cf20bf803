"""Whether a game's record is what it says it is: every draw, choice, digest, hash, link and seal is worked out anew.

It needs the file and the rules that are installed, and neither database nor service.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby
from unicodedata import category

import msgspec

from engine import registry
from engine.contract import Event, Rules
from engine.errors import BadJournal, EngineError
from engine.journal import Entry, Note, canonical, commitment, decode, link, public_hash
from engine.orders.sheet import Sheet
from engine.table import Table, steps
from pbem.games.seating import DRAWN, draw_fits
from pbem.records.bounds import Unfit
from pbem.records.goingon import is_moment, misfit
from pbem.records.lines import BadLine, Lines
from pbem.records.sealing import DEFAULT, ORDER, STANDIN, Holder, Opened, Sealing, Use, decides, unbound
from pbem.records.shape import (
    FORMATS,
    MOST_BYTES,
    MOST_LINES,
    MOST_STEPS,
    End,
    Line,
    Played,
    Recorded,
    Rest,
    Said,
    Sealed,
    Stood,
    decoded,
)
from pbem.records.writing import content_hash
from pbem.rulings.authority import CHANGED
from pbem.rulings.ending import AGREED, ENDED
from pbem.sheets.folding import seal
from pbem.sheets.stored import decode_sheet

LEAST_SALT = 16


@dataclass(frozen=True)
class Counted:
    """A side, its player's public word, and how often on the present line an order, a default, a stand-in answered."""

    side: str
    word: str
    orders: int
    defaults: int
    standins: int


@dataclass(frozen=True)
class Checked:
    """What a record came to: entries of all lines of the journal, seals, the present line's head (hexadecimal), and
    messages. Nothing but the file itself vouches for those."""

    title: str
    rules: str
    entries: int
    seals: int
    head: str
    messages: int
    goes_on: bool
    """Whether it is the record of a game that goes on, and tells what is hidden yet."""
    unbound: int
    """Decisions without the seals of their sheets: nothing shows by which orders they were made."""
    secret_hash: str
    sides: Sequence[Counted]
    left: int
    """Lines of the journal that play has left."""
    doubtful: Sequence[int]
    """Entries of the present line at which an order was used though its conditions, as they are read now, did not hold,
    or an alternative before the one that was used came first."""
    redrawn: int
    """How often what had been drawn was drawn anew, on any line."""
    changed: Sequence[int]
    """Entries of the present line by which the position was changed by hand."""


@dataclass(frozen=True)
class Whole:
    """A record that is sound, as read. `table` stands after the last entry; `events` are by line and number."""

    game: Played
    rules: Rules
    secret: bytes
    entries: Sequence[Recorded]
    typed: Sequence[Entry]
    """The same entries with the rules module's own choices and changes."""
    events: Mapping[tuple[int, int], Sequence[Event]]
    table: Table
    heads: Set[str]
    seals: Sequence[Sealed]
    messages: Sequence[Said]
    rest: Sequence[Rest]
    uses: Sequence[Use]
    """Which order of which sheet was used, on all lines."""

    @property
    def present(self) -> dict[int, Entry]:
        """The entries of the present line, by number, in order."""
        newest = {entry.number: entry for entry in self.typed}  # of a number on two lines the later line's
        return {number: newest[number] for number in range(1, self.table.number + 1)}


class BadRecord(Exception):
    """What is wrong with a record: a code, the line of the file (from 1), and the journal's entry where it is one's."""

    def __init__(self, code: str, line: int, entry: int = 0) -> None:
        super().__init__(code, line, entry)
        self.code = code
        self.line = line
        self.entry = entry


def check_record(content: bytes, head: str = "", secret_hash: str = "") -> Checked:
    """Look all of it over. `head` is one that stands in a report of the game, `secret_hash` the seal of its secret as
    the invitation has it, or how they begin; empty for none.

    Raises BadRecord as `read_record` and `checked`.
    """
    return checked(read_record(content), head, secret_hash)


def checked(whole: Whole, head: str = "", secret_hash: str = "") -> Checked:
    """What a record that is sound came to.

    Raises BadRecord `other_head` where no report with that head was made from it, `hash_as_head` where what was given
    is no head but the seal of the secret, `other_secret_hash` where the secret was sealed otherwise.
    """
    game = whole.game
    if secret_hash and not game.secret_hash.startswith(secret_hash.lower()):
        raise BadRecord("other_secret_hash", 1)
    if head and not any(each.startswith(head.lower()) for each in whole.heads):
        raise BadRecord("hash_as_head" if game.secret_hash.startswith(head.lower()) else "other_head", 1)
    return Checked(
        title=" ".join(game.title.split()),
        rules=game.rules,
        entries=game.entries,
        seals=game.seals,
        head=game.head,
        messages=game.messages,
        goes_on=bool(whole.rest),
        unbound=_unbound(whole),
        secret_hash=game.secret_hash,
        sides=_counted(whole),
        left=game.line,
        doubtful=sorted(_doubtful(whole)),
        redrawn=max(entry.epoch for entry in whole.typed),  # one more by each roll-back that draws anew
        changed=[number for number, entry in whole.present.items() if entry.change],
    )


def _doubtful(whole: Whole) -> set[int]:
    present = whole.present
    return {use.entry.number for use in whole.uses if not use.came_up and present.get(use.entry.number) is use.entry}


def _unbound(whole: Whole) -> int:
    """The decisions without seals, and those by standing orders of then that no seal followed."""
    bound = {each for entry in whole.typed for each in entry.seals or ()}
    loose = {(use.entry.line, use.entry.number) for use in whole.uses if (use.seat, use.seal) not in bound}
    return unbound(whole.typed) + len(loose)


def _counted(whole: Whole) -> list[Counted]:
    given = Counter((each.seat, each.source) for entry in whole.present.values() for each in entry.answers)
    return [
        Counted(side.name, " ".join(side.word.split()), *(given[seat, source] for source in (ORDER, DEFAULT, STANDIN)))
        for seat, side in enumerate(whole.game.sides)
    ]


def read_record(content: bytes) -> Whole:
    """A record, with everything in it found sound.

    Raises BadRecord for the first thing that does not fit: `too_long`, `unreadable`, what `pbem.records.bounds` has,
    `unfinished`, `no_game`, `out_of_place`, `format`, `rules`, `secret`,
    `text` for a stage that would move a terminal, `changed` for a ruling that changes the position and says that it
    does something else, `hash`, `chain`, `count`, `seal`, `message`, `altered`, `line` as `pbem.records.lines`, and as
    `pbem.records.sealing.Sealing.follow`,
    `over` where the journal says otherwise, `running` for what a game that goes on can't have,
    `head` for one of the file that is not its journal's, or the code of what a replay found.
    """
    lines = _lines(content)
    game, entries, seals, messages, rest = _parts(lines)
    journal, heads = _played(game, entries, seals)
    rules, secret = journal.rules, journal.secret
    for place, message in enumerate(messages, 2 + len(entries) + len(seals)):
        sides = {*range(len(game.sides))}
        if not message.to or not {*message.to, message.by or 0} <= sides or not is_moment(message.at):
            raise BadRecord("message", place)
    whole = Whole(
        game=game,
        rules=rules,
        secret=secret,
        entries=entries,
        typed=journal.typed,
        events=journal.events,
        table=journal.table,
        heads=heads,
        seals=seals,
        messages=messages,
        rest=rest,
        uses=journal.uses,
    )
    _check_draw(whole)
    _goes_on(whole, 2 + len(entries) + len(seals) + len(messages))
    last = lines[-1]
    assert isinstance(last, End)
    body = content.rstrip(b"\n")
    if content_hash(content[: body.rfind(b"\n") + 1]) != last.hash:
        raise BadRecord("altered", len(lines))
    return whole


def check_play(game: Played, entries: Sequence[Recorded], seals: Sequence[Sealed]) -> None:
    """Play all lines again, by the sheets that are opened. Raises BadRecord as `read_record` does for a journal."""
    _played(game, entries, seals)


def _played(game: Played, entries: Sequence[Recorded], seals: Sequence[Sealed]) -> "tuple[_Journal, Set[str]]":
    """The journal played again, and the chain's heads."""
    rules = _rules(game)
    journal = _Journal(rules, _secret(game), game, entries)
    heads = journal.linked()
    journal.play_again(_opened(journal, seals))
    return journal, heads


def _check_draw(whole: Whole) -> None:
    """Raises BadRecord where sides were drawn otherwise than the secret and the players' words say."""
    words = [side.word for side in whole.game.sides]
    for place, entry in enumerate(whole.typed, 2):
        note = entry.note
        if note is not None and note.act == DRAWN and not draw_fits(whole.secret, words, note.params):
            raise BadRecord("draw", place, entry.number)


def _goes_on(whole: Whole, first: int) -> None:
    """Raises BadRecord unless the game is over as the record says, or has what it needs to go on."""
    game, rules, rest = whole.game, whole.rules, whole.rest
    pending = rules.pending(whole.table.state)
    if game.over == bool(rest) or (game.over and pending is not None and not ended_by(whole.present.values())):
        raise BadRecord("over", 1)
    if game.over:
        return
    if pending is None:
        raise BadRecord("over", 1)
    stage = rules.stage(whole.table.state, game.pace).key
    wrong = misfit(rules, list(whole.present.values()), rest, stage)
    if wrong is not None:
        raise BadRecord("running", first + wrong)


def ended_by(entries: Iterable[Entry]) -> Note | None:
    """The ruling or vote that ended a game before its rules did."""
    notes = (entry.note for entry in entries if entry.note is not None)
    return next((note for note in notes if note.act in (ENDED, AGREED)), None)


def has_control(text: str) -> bool:
    """Whether it has a character that is none of a text, such as those that move a terminal."""
    return any(category(each) == "Cc" and not each.isspace() for each in text)


def _lines(content: bytes) -> list[Line]:
    if len(content) > MOST_BYTES or content.count(b"\n") > MOST_LINES:
        raise BadRecord("too_long", 1)
    found: list[Line] = []
    for number, raw in enumerate(content.split(b"\n")[:-1], 1):
        try:
            found.append(decoded(raw))
        except Unfit as beyond:
            raise BadRecord(beyond.code, number) from beyond
        except (ValueError, RecursionError) as error:
            raise BadRecord("unreadable", number) from error
    if not content.endswith(b"\n") or not found or not isinstance(found[-1], End):
        raise BadRecord("unfinished", len(found) + 1)
    return found


def _parts(lines: Sequence[Line]) -> tuple[Played, list[Recorded], list[Sealed], list[Said], list[Rest]]:
    """The game, its entries, its seals, its messages, what it goes on with, each in its place."""
    game, last = lines[0], len(lines)
    if not isinstance(game, Played):
        raise BadRecord("no_game", 1)
    if game.format not in FORMATS:
        raise BadRecord("format", 1)
    entries = [line for line in lines if isinstance(line, Recorded)]
    seals = [line for line in lines if isinstance(line, Sealed)]
    messages = [line for line in lines if isinstance(line, Said)]
    rest = [line for line in lines if isinstance(line, Rest)]
    for number, (line, meant) in enumerate(zip(lines[1:], [*entries, *seals, *messages, *rest], strict=False), 2):
        if line is not meant:
            raise BadRecord("out_of_place", number)
    counts = len(entries), len(seals), len(messages), len(rest)
    if (game.entries, game.seals, game.messages, game.rest) != counts or last != 2 + sum(counts):
        raise BadRecord("count", 1)
    return game, entries, seals, messages, rest


def _rules(game: Played) -> Rules:
    try:
        rules = registry.bind(game.rules, game.setup)
    except EngineError as error:
        raise BadRecord("rules", 1) from error
    if len(game.sides) != game.setup.seats:
        raise BadRecord("count", 1)
    module = registry.load(game.rules)
    if game.pace not in module.paces or [side.name for side in game.sides] != [*module.seat_names[: len(game.sides)]]:
        raise BadRecord("rules", 1)
    return rules


def _secret(game: Played) -> bytes:
    try:
        secret = bytes.fromhex(game.secret)
        sound = secret.hex() == game.secret and 0 < len(secret) <= 64 and commitment(secret).hex() == game.secret_hash
    except ValueError:
        sound = False
    if not sound:
        raise BadRecord("secret", 1)
    return secret


class _Journal:
    """The entries of all lines; line 0 of the journal begins at the file's second line."""

    def __init__(self, rules: Rules, secret: bytes, game: Played, entries: Sequence[Recorded]) -> None:
        self.rules = rules
        self.secret = secret
        self.game = game
        self.entries = entries
        self.typed: list[Entry] = []
        self.events: dict[tuple[int, int], list[Event]] = {}
        self.uses: list[Use] = []
        self.table: Table

    def linked(self) -> Set[str]:
        """The chain's heads after all entries, each entry's hash and link to the one before it looked at."""
        lasts = {recorded.entry.line: recorded.entry.number for recorded in self.entries}
        if sum(lasts.values()) > MOST_STEPS:
            raise BadRecord("too_long", 1)
        found = self._heads()
        if found[-1] != self.game.head or self.typed[-1].line != self.game.line:
            raise BadRecord("head", 1)
        self._check_lines()
        return {*found}

    def play_again(self, opened: Opened) -> None:
        """Carry out all lines once more, by the sheets that the record opens."""
        present: list[Entry] = []
        for _, own in groupby(self.typed, key=lambda entry: entry.line):
            entries = [*own]
            del present[entries[0].number - 1 :]
            present += entries
            self._line_again(present, Sealing(self.rules, self.game.pace, opened))

    def _heads(self) -> list[str]:
        """The heads in the order of the file."""
        if not self.entries:
            raise BadRecord("empty", 2)
        after = [commitment(self.secret)]  # by number
        heads: list[str] = []
        place = (0, 0)
        for number, recorded in enumerate(self.entries, 2):
            entry = self._read(recorded, number)
            hashed = public_hash(self.secret, entry)
            if hashed.hex() != recorded.hash:
                raise BadRecord("hash", number, entry.number)
            # A line leaves those before it at an entry that they have; in the file it stands behind them.
            is_next = (entry.line, entry.number) > place and 0 < entry.number <= len(after)
            if not is_next or after[entry.number - 1] != entry.before:
                raise BadRecord("chain", number, entry.number)
            place = entry.line, entry.number
            del after[entry.number :]
            after.append(link(entry.before, hashed))
            heads.append(after[-1].hex())
        return heads

    def _read(self, recorded: Recorded, number: int) -> Entry:
        try:
            entry = decode(self.rules, canonical(recorded.entry))
        except (msgspec.DecodeError, ValueError, BadJournal) as error:
            raise BadRecord("unreadable", number, recorded.entry.number) from error
        if not is_moment(recorded.at):
            raise BadRecord("unreadable", number, entry.number)
        if has_control(entry.stage):
            raise BadRecord("text", number, entry.number)
        if entry.change and entry.note is not None and entry.note.act != CHANGED:
            raise BadRecord("changed", number, entry.number)
        self.typed.append(entry)
        return entry

    def _check_lines(self) -> None:
        lines = Lines()
        try:
            for entry in self.typed:
                lines.follow(entry)
            lines.finish()
        except BadLine as bad:
            raise BadRecord(bad.code, self._at(bad.entry), bad.entry.number) from bad

    def _line_again(self, present: Sequence[Entry], sealing: Sealing) -> None:
        """Play a line from the beginning of the game."""
        words = [side.word for side in self.game.sides]
        try:
            for step in steps(self.rules, self.secret, words, self._looked_at(present, sealing)):
                self.events[step.entry.line, step.entry.number] = step.events
                self.table = step.table
        except BadJournal as bad:
            named = present[bad.number - 1] if 0 < bad.number <= len(present) else None
            raise BadRecord(bad.code, self._at(named), bad.number) from bad
        self.uses += sealing.uses

    def _looked_at(self, present: Sequence[Entry], sealing: Sealing) -> Iterator[Entry]:
        """The entries one by one: what each answers is looked at while the table stands before it."""
        line = present[-1].line
        for entry in present:
            own = entry.line == line and entry.number > 1
            sealing.follow(entry, self.table.state if own else None)
            yield entry

    def _at(self, entry: Entry | None) -> int:
        return 2 + next((place for place, each in enumerate(self.typed) if each is entry), -1)


def _opened(journal: _Journal, seals: Sequence[Sealed]) -> Opened:
    """All sheets that the record opens. Raises BadRecord where sheet and salt don't make the seal."""
    rules, entries = journal.rules, journal.entries
    found: dict[Holder, Sheet] = {}
    for place, recorded in enumerate(entries, 2):
        for each in recorded.sheets:
            sheet = _opens(rules, each, place, recorded.entry.number)
            found[each.seat, bytes.fromhex(each.seal)] = sheet
    for place, sealed in enumerate(seals, 2 + len(entries)):
        sheet = _opens(rules, sealed, place, sealed.entry)
        found[sealed.seat, bytes.fromhex(sealed.seal)] = sheet
    bound = (entry for entry in journal.typed if decides(entry) and entry.seals is not None)
    first = next(((entry.line, entry.number) for entry in bound), (0, 0))
    earlier = [(each.seat, bytes.fromhex(each.seal)) for each in seals if (each.line, each.entry) < first]
    return Opened(found, earlier)


def _opens(rules: Rules, sealed: Sealed | Stood, place: int, entry: int) -> Sheet:
    """The sheet. Raises BadRecord unless it is that of a seat and makes the seal with the salt."""
    if sealed.seat not in range(rules.setup.seats):
        raise BadRecord("seal", place, entry)
    try:
        sheet = decode_sheet(rules, canonical(sealed.sheet))
        salt = bytes.fromhex(sealed.salt)
        made = seal(sheet, salt)
    except ValueError as error:
        raise BadRecord("seal", place, entry) from error
    if made != sealed.seal or len(salt) < LEAST_SALT:
        raise BadRecord("seal", place, entry)
    return sheet
