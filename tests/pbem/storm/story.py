"""What each player was told, read from the first letter to the last: it must be one story, and nobody else's.

A story is consistent where each report stands on the journal (its head is that of the line and entry that it names),
reports follow one another without a gap or an overlap (what one tells happened is what the seat saw between the one
before and it), each ruling is told once and to everybody, what a report says of who is waited for and what is asked is
what the position says, and no letter has what only another seat may know.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from email.parser import BytesParser
from email.policy import compat32
from functools import cached_property
from typing import Any

import msgspec
from sqlmodel import col, select

from engine.errors import BadJournal
from engine.journal import Entry, decode, link
from engine.table import replay
from pbem.context import Service
from pbem.games.position import Position, game_row, numbers, stored_events, words_of
from pbem.games.rules import rules_of
from pbem.mail.answers import ANSWERS
from pbem.records.verifying import verify
from pbem.reports import data
from pbem.reports.data import decode_report
from pbem.storage.models import Address, Game, JournalEntry, Letter, Report, Ruling, Seat, Tenure
from tests.pbem.storm.playing import MARK
from tests.pbem.world.world import Broken

OWN = "moderator"
TOGETHER = timedelta(seconds=1)
"""Reports of one step of play are written within it."""


@dataclass
class Story:
    """One game, with all that was told of it."""

    service: Service
    code: str

    @cached_property
    def game(self) -> Game:
        """Its row."""
        with self.service.reading() as session:
            return game_row(session, self.code)

    @cached_property
    def seats(self) -> list[Seat]:
        """Its seats."""
        found: list[Seat] = self._rows(Seat, col(Seat.number))
        return found

    @cached_property
    def journal(self) -> list[JournalEntry]:
        """All entries of all lines."""
        found: list[JournalEntry] = self._rows(JournalEntry, col(JournalEntry.line), col(JournalEntry.number))
        return found

    @cached_property
    def letters(self) -> list[Letter]:
        """All letters."""
        found: list[Letter] = self._rows(Letter, col(Letter.queued), col(Letter.key))
        return found

    @cached_property
    def reports(self) -> dict[int, list[tuple[Report, data.Report]]]:
        """By seat those that hold, in order."""
        found = defaultdict(list)
        for row in self._rows(Report, col(Report.entry), col(Report.id)):
            found[row.seat].append((row, decode_report(row.data)))
        return found

    @cached_property
    def holders(self) -> dict[int, set[int]]:
        """By seat all accounts that have ever held it."""
        found = {seat.number: {seat.account_id} - {None} for seat in self.seats}
        for tenure in self._rows(Tenure, col(Tenure.id)):
            found[tenure.seat].add(tenure.account_id)
        return {seat: {each for each in some if each is not None} for seat, some in found.items()}

    @cached_property
    def heads(self) -> dict[tuple[int, int], bytes]:
        """The chain's head after each entry of each line."""
        return {
            (row.line, row.number): link(msgspec.msgpack.decode(row.entry, type=Entry).before, row.public_hash)
            for row in self.journal
        }

    def line(self, last: int) -> dict[int, JournalEntry]:
        """By number the entries of that line of the journal."""
        return {row.number: row for row in self.journal if row.line <= last}

    def replay(self) -> int:
        """Play each line of the journal again, present and left; how many there are. Raises Broken."""
        verified = verify(self.service, self.code)
        if verified.problem:
            raise Broken(f"{self.code} does not replay: {verified.problem} at {verified.entry}")
        rules, words = rules_of(self.game), words_of(self.seats)
        left = sorted({row.line for row in self.journal if row.line < self.game.line})
        for line in left:
            rows = self.line(line)
            last = max(row.number for row in self.journal if row.line == line)
            entries = [decode(rules, rows[number].entry) for number in range(1, last + 1)]
            try:
                table = replay(rules, self.game.secret, words, entries)
            except BadJournal as bad:
                raise Broken(f"{self.code}: line {line} does not replay: {bad.code} at {bad.number}") from bad
            if table.head != self.heads[rows[last].line, last]:
                raise Broken(f"{self.code}: line {line} does not end in its head")
        return 1 + len(left)

    def check(self) -> None:
        """Raises Broken."""
        self._stands_on_the_journal()
        for seat in self.seats:
            if self.holders[seat.number] == {seat.account_id} and seat.resigned is None:
                self._follows(seat.number)
                self._rulings_are_told(seat.number)
        self._is_nobody_elses()
        self._is_told_nothing_after()

    def _rows(self, table: Any, *order: Any) -> Any:
        with self.service.reading() as session:
            return list(session.exec(select(table).where(table.game_id == self.game.id).order_by(*order)))

    def _stands_on_the_journal(self) -> None:
        chain = self.line(self.game.line)
        before = self.game.secret_hash
        for number in range(1, self.game.next_entry):
            row = chain[number]
            entry = msgspec.msgpack.decode(row.entry, type=Entry)
            if entry.before != before:
                raise Broken(f"{self.code}: the chain breaks before entry {number}")
            before = link(before, row.public_hash)
        if before != self.game.head:
            raise Broken(f"{self.code}: the chain does not end in the head")
        for stored, report in (each for some in self.reports.values() for each in some):
            at = self.line(stored.line).get(stored.entry)
            if at is None or self.heads[at.line, at.number].hex() != report.head:
                raise Broken(f"{self.code}: the head of report {stored.id} is not that of its line and entry")
        heads = {head.hex() for head in self.heads.values()}
        for letter in self.letters:
            told = letter.text.partition("head of the chain ")[2][:64].split(".")[0]
            if letter.kind == "report" and told and not any(head.startswith(told) for head in heads):
                raise Broken(f"{self.code}: {letter.key} tells a head that no line ever had")

    def _follows(self, seat: int) -> None:
        """What happened is told once, in order, and nothing is left out."""
        chain, told = self.line(self.game.line), 0
        for row, report in self.reports[seat]:
            if row.kind == "taken":
                told = row.entry
                continue
            between = [chain[number] for number in range(told + 1, row.entry + 1)]
            happened = [event for entry in between for event in stored_events(entry.events)]
            if data.seen(happened, seat) != report.events and row.kind != "corrected":
                raise Broken(
                    f"{self.code}: report {row.id} ({row.kind}) of seat {seat} tells {len(report.events)} events of "
                    f"entries {told + 1} to {row.entry}, where it saw {len(data.seen(happened, seat))}"
                )
            told = row.entry

    def _rulings_are_told(self, seat: int) -> None:
        """Each that has a reason, once in the reports that hold, and at least once in a letter that went out."""
        counted = Counter((ruling.code, ruling.reason) for _, report in self.reports[seat] for ruling in report.rulings)
        sent = "\n".join(
            " ".join(letter.text.split())
            for letter in self.letters
            if letter.seat == seat and letter.fate not in ("withdrawn", "failed")
        )
        for ruling in self._rows(Ruling, col(Ruling.number)):
            if not ruling.reason or not ruling.told or not self._was_there(seat, ruling):
                continue
            if counted[ruling.act, ruling.reason] > 1:
                where = [row.id for row, report in self.reports[seat] if ruling.reason in map(_reason, report.rulings)]
                raise Broken(f"{self.code}: ruling {ruling.number} ({ruling.act}) is told to {seat} in reports {where}")
            if ruling.reason not in sent:
                raise Broken(f"{self.code}: ruling {ruling.number} ({ruling.act}) was never told to seat {seat}")

    def _was_there(self, seat: int, ruling: Ruling) -> bool:
        """Whether the seat had its player already: one that a stand-in had may have got one later."""
        joined = self.seats[seat].joined
        return joined is not None and joined <= ruling.at

    def _is_nobody_elses(self) -> None:
        """No letter has another seat's words, somebody else's address, or the secret of a game that is played."""
        with self.service.reading() as session:
            addresses = dict(iter(session.exec(select(Address.address, Address.account_id))))
        for letter in self.letters:
            said = _all_of(letter)
            self.may_read(said, letter.account_id, letter.key)
            if letter.seat is None:
                continue
            strange = [each for each, account in addresses.items() if each in said and account != letter.account_id]
            if strange and letter.account_id != self.game.moderator_id:
                raise Broken(f"{letter.key} has an address of somebody else: {strange}")

    def may_read(self, said: str, account_id: int | None, where: str) -> None:
        """Raises Broken where the account may not read that: others' words, or the secret of a game that is played."""
        for code, number, meant_for in MARK.findall(said):
            if code != self.code or account_id not in self._may_see(int(number), meant_for):
                raise Broken(f"{where} shows account {account_id} the words of {code} seat {number}")
        if self.game.secret.hex() in said and self.game.status != "over":
            raise Broken(f"{where} has the secret")

    def _is_told_nothing_after(self) -> None:
        """Whoever had a seat gets no letter of it that was written later, but what answers their own mails.

        The deadline that stands in their calendar is taken out of it.
        """
        for tenure in self._rows(Tenure, col(Tenure.id)):
            if self.seats[tenure.seat].account_id == tenure.account_id:
                continue
            later = [
                letter.key
                for letter in self.letters
                if (letter.seat, letter.account_id) == (tenure.seat, tenure.account_id)
                and letter.queued > tenure.left
                and letter.kind not in ANSWERS
                and not _cancels(letter)
            ]
            if later:
                raise Broken(f"who had seat {tenure.seat} of {self.code} got {later} after they left")

    def _may_see(self, seat: int, meant_for: str) -> set[int | None]:
        readers: set[int | None] = {*self.holders[seat]}
        if meant_for == OWN:
            readers |= {None, self.game.moderator_id}
        for other in self.seats:
            if other.name.lower() == meant_for:
                readers |= self.holders[other.number]
        return readers


def _cancels(letter: Letter) -> bool:
    """Whether it takes a deadline out of a calendar."""
    parts = BytesParser(policy=compat32).parsebytes(letter.content).walk()
    return any(part.get_content_type() == "text/calendar" and part.get_param("method") == "CANCEL" for part in parts)


def check_asked(stands: Position, newest: Mapping[int, tuple[Report, data.Report]]) -> None:
    """What the newest report of each seat says of now is what the position says. Raises Broken."""
    game = stands.game
    latest = max((row for row, _ in newest.values()), key=lambda row: row.id or 0, default=None)
    for seat, (row, report) in newest.items():
        if (row.line, row.entry) != (game.line, game.next_entry - 1) or report.over:
            continue
        view = stands.rules.view(stands.table.state, seat)
        is_newest = latest is not None and abs(row.at - latest.at) < TOGETHER
        asked = {(each.kind, each.round) for each in stands.rules.agenda(view, game.pace)}
        told = {(each.kind, each.round) for each in report.questions}
        wrong = {
            # Another may be asked later within an entry: who was told before is not told again.
            "who is waited for": is_newest and not {*numbers(game.waiting)} <= {*report.waiting},
            "the position": _plain(report.view) != _plain(view),
            "what is asked": not told <= asked,
        }
        if any(wrong.values()):
            said = ", ".join(name for name, is_wrong in wrong.items() if is_wrong)
            about = f"{game.code}: report {row.id} ({row.kind}) of seat {seat} at entry {row.entry}"
            raise Broken(f"{about} is wrong about {said}; it says {report.waiting}, the game {game.waiting!r}")


def _reason(ruling: data.Told) -> str:
    return ruling.reason


def _plain(view: Any) -> Any:
    """As it is once stored: keys are texts, tuples lists."""
    return msgspec.json.decode(msgspec.json.encode(view))


def _all_of(letter: Letter) -> str:
    """Its subject and both its forms, but for the addresses in its head."""
    words, _, _pictures = letter.content.partition(b"\nContent-Type: image/")
    parts = [letter.subject, letter.text]
    for part in BytesParser(policy=compat32).parsebytes(words).walk():
        if part.get_content_type() == "text/html":
            body = part.get_payload(decode=True)
            assert isinstance(body, bytes)
            parts.append(body.decode())
    return "\n".join(parts)
