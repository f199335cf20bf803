"""Mutated mails, through the whole inbound path: nothing raises, everything is dealt with, no forgery is believed."""

from collections import Counter
from collections.abc import Iterable
from random import Random

from sqlmodel import col, select

from pbem import clock
from pbem.mail.identity import Identity, Mark, Purpose
from pbem.mail.ingest import read as ingest
from pbem.mail.intake import Arrived, store
from pbem.mail.message import read
from pbem.mail.newtext import TooLong
from pbem.mail.replies import own_texts
from pbem.storage.models import Inbound, Letter, Submission
from tests.pbem.mail.corpus import numbered, original_of, replies
from tests.pbem.mail.corpus.mime import Original
from tests.pbem.mail.corpus.turned_away import passed_over, refused
from tests.pbem.playing import Match

PIECES = (
    b"\r", b"\n", b"\r\n", b"\r\n\r\n", b"\0", b"\xff", b"\xed\xa0\x80", b"=?utf-8?b?", b"=?utf-7?q?", b"?=", b"<",
    b">", b"(", b")", b'"', b"\\", b"--=_alt", b"--", b"Content-Type: multipart/mixed; boundary=x\r\n",
    b"; charset=hex",
    b"Content-Type: message/rfc822\r\n\r\n", b"\xe2\x80\xa8", b"\xc2\x85", b"<blockquote>", b"</div>", b"<style>",
    b"<!--", b"> ", b"-- \n", b"On ", b"@", b",", b";", b":", b"#", b"____", b"&#0;", b"&#xd800;", b"&",
    b"Auto-Submitted: no\r\n",
)  # fmt: skip
"""What is put in: what parsers stumble over."""
LONGEST = 200_000
THROUGH = 20
"""One in so many goes all the way through the database; the reading of all others is what could break."""


class Fuzzer:
    """Mutates the corpus of mails to one seat of a game, the same way for the same seed."""

    def __init__(self, match: Match, seed: int) -> None:
        self._match = match
        self._random = Random(seed)
        report = match.letters(0, "report")[0]
        identity = match.service.identity
        self._letter: Letter = report
        self._token = identity.token(Mark(report.id, Purpose.ORDERS, 0))
        self._original: Original = original_of(report, identity.reply_address(Mark(report.id, Purpose.ORDERS, 0)))
        odd = [raw for raw, _ in (refused(self._original) | passed_over(self._original)).values()]
        corpus = [reply.raw for reply in replies(self._original)]
        self._mails = [raw for raw in corpus + numbered(odd) if len(raw) < LONGEST]
        self.counted: Counter[str] = Counter()

    def run(self, rounds: Iterable[int]) -> Counter[str]:
        """A mutated mail a round. Raises whatever the service raises, and AssertionError for what it believes."""
        for number in rounds:
            raw = self._mutated(self._random.choice(self._mails))
            self._read(raw)
            if number % THROUGH == 0:
                self._go_through(raw)
                self._forge()
        return self.counted

    def _read(self, raw: bytes) -> None:
        mail = read(raw)
        self.counted[mail.problem or "text"] += 1
        if not mail.problem:
            try:
                own_texts(mail, self._letter)
            except TooLong:
                self.counted["too-long"] += 1

    def _go_through(self, raw: bytes) -> None:
        number = self._take(raw)
        with self._match.service.reading() as session:
            status = session.get_one(Inbound, number).status
        assert status in {"read", "held", "refused", "duplicate"}, status
        self.counted[status] += 1

    def _forge(self) -> None:
        """Another's token, and another sender under any disguise: neither gives a submission."""
        raw = self._random.choice(self._mails)
        forged = self._with_another_token(raw) if self._random.random() < 0.5 else self._from_another(raw)
        number = self._take(forged)
        with self._match.service.reading() as session:
            believed = session.exec(select(Submission.id).where(col(Submission.inbound_id) == number)).first()
            marked = session.get_one(Inbound, number).status
        assert believed is None, forged
        assert marked != "read", forged
        self.counted["forged"] += 1

    def _take(self, raw: bytes) -> int:
        service = self._match.service
        [number] = store(service, [Arrived(raw, clock.now(), "", (self._original.address.partition("+")[0],))])
        ingest(service, number)
        return number

    def _with_another_token(self, raw: bytes) -> bytes:
        """One character changed, or made with another key, or for another letter."""
        random = self._random
        at = random.randrange(len(self._token))
        other = random.choice([char for char in "abcdefghijklmnopqrstuvwxyz234567" if char != self._token[at]])
        changed = self._token[:at] + other + self._token[at + 1 :]
        forger = Identity("play.example", (random.randbytes(32),))
        made = forger.token(Mark(self._letter.id, random.choice(list(Purpose)), random.randrange(3)))
        token = random.choice([changed, made, self._token[:-1], self._token + "a"])
        raw = raw.replace(self._token.upper().encode(), token.upper().encode())
        return raw.replace(self._token.encode(), token.encode())

    def _from_another(self, raw: bytes) -> bytes:
        ours = self._original.recipient.encode()
        disguise = self._random.choice((
            b"Eve <eve@evil.example>\r\nReply-To: " + ours,
            b"Eve <eve@evil.example>\r\nSender: " + ours,
            b"Eve <eve@evil.example>\r\nReturn-Path: <" + ours + b">\r\nX-Sender: " + ours,
            b'"' + ours + b'" <eve@evil.example>',
            b"(" + ours + b") eve@evil.example",
            b"eve@evil.example (" + ours + b")",
            b"=?utf-8?q?" + ours + b"?= <eve@evil.example>",
            b"<" + ours + b"@evil.example>",
            b'"x\\" <' + ours + b'>" <eve@evil.example>',
            b"=?utf-8?q?" + ours.replace(b"@", b"=40") + b"?=@evil.example",
            b"<@evil.example:" + ours + b">",
            ours + b".evil.example",
            b"eve@evil.example\r\nFrom: " + ours,
            b"eve@evil.example, " + ours,
        ))  # fmt: skip
        head, _, rest = raw.partition(b"From: ")
        return head + b"From: " + disguise + b"\r\n" + rest.partition(b"\r\n")[2]

    def _mutated(self, raw: bytes) -> bytes:
        random = self._random
        made = bytearray(raw)
        for _ in range(random.randint(1, 12)):
            at = random.randrange(len(made) + 1)
            match random.randrange(6):
                case 0:
                    made[at : at + random.randrange(8)] = b""
                case 1:
                    made[at:at] = random.choice(PIECES) * random.choice((1, 1, 1, 50))
                case 2:
                    made[at : at + 1] = random.randbytes(random.randrange(1, 4))
                case 3:
                    other = random.choice(self._mails)
                    start = random.randrange(len(other))
                    made[at : at + random.randrange(200)] = other[start : start + random.randrange(400)]
                case 4:
                    made[at:at] = made[at : at + random.randrange(300)]
                case _:
                    start = random.randrange(len(made) + 1)
                    made[at:at], made[start : start + 40] = made[start : start + 40], b""
        return bytes(made[:LONGEST])
