"""The figures of mail: hostile bodies, storing what comes, reading it, and handing letters over."""

import asyncio
import multiprocessing
import os
import resource
import smtplib
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlmodel import col, select

from pbem import clock
from pbem.context import Service
from pbem.games.notices import looked_letters
from pbem.games.position import players_of
from pbem.letters import put
from pbem.mail.identity import Mark, Purpose
from pbem.mail.ingest import read as ingest
from pbem.mail.intake import Arrived, store
from pbem.mail.message import Limits, read
from pbem.mail.newtext import TooLong
from pbem.mail.replies import own_texts
from pbem.mail.sender import send
from pbem.reports.data import Told
from pbem.settings import Settings
from pbem.storage.migrate import migrate
from pbem.storage.models import Inbound, Letter
from pbem.storage.sessions import Database
from tests.bench.figure import Figure, figure, seconds
from tests.pbem.mail.corpus import numbered, original_of
from tests.pbem.mail.corpus.hostile import hostile
from tests.pbem.mail.corpus.mime import Original
from tests.pbem.mail.corpus.programs import gmail
from tests.pbem.mail.corpus.tongues import EN
from tests.pbem.mail.listening import listening
from tests.pbem.playing import Match, begun, service_on

MOST_SECONDS, MOST_MEGABYTES, MOST_MILLISECONDS = 0.5, 200, 15
CONNECTIONS = 8
MAILS = 400
LETTERS = 200
READ = 100


def figures() -> list[Figure]:
    """All of them."""
    with tempfile.TemporaryDirectory() as folder:
        service = _service(Path(folder))
        match = begun(service, "rockwell", 4, pace="brisk", stage_hours=1000)
        report = match.letters(0, "report")[0]
        original = original_of(report, service.identity.reply_address(Mark(report.id, Purpose.ORDERS, 0)))
        found = [
            *_hostile_figures(report, original),
            _reading_figure(match, original),
            _storing_figure(service, original, Path(folder)),
            _taking_in_figure(match, original),
            _sending_figure(match),
        ]
        service.close()
        return found


def _service(folder: Path) -> Service:
    database = Database(f"sqlite:///{folder / 'mail.sqlite3'}")
    migrate(database)
    return service_on(database, mail_port=0)


def _hostile_figures(report: Letter, original: Original) -> list[Figure]:
    """The worst of each, every mail in a process of its own."""
    took: dict[str, float] = {}
    grew: dict[str, float] = {}
    context = multiprocessing.get_context("fork")
    for name, raw in hostile(original).items():
        here, there = context.Pipe()
        process = context.Process(target=_measure, args=(there, raw, report))
        process.start()
        took[name], grew[name] = here.recv()
        process.join()
    slow, large = max(took, key=lambda name: took[name]), max(grew, key=lambda name: grew[name])
    return [
        figure(f"worst hostile mail: {slow}", took[slow], "s", MOST_SECONDS, "the limit"),
        figure(f"worst hostile mail: {large}", grew[large], "MB", MOST_MEGABYTES, "the limit"),
    ]


def _measure(there: Connection, raw: bytes, report: Letter) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def work() -> None:
        mail = read(raw, limits=Limits(10_000_000, 100, 20))
        if not mail.problem:
            try:
                own_texts(mail, report)
            except TooLong:
                return

    took = seconds(work)
    there.send((took, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024))


def _reading_figure(match: Match, original: Original) -> Figure:
    """One ordinary mail, from stored to sheet and acknowledgement."""
    raws = numbered(gmail(original, EN, f"bid {100 * number}\nready") for number in range(1, 21))
    took = []
    for raw in raws:
        [number] = store(match.service, [Arrived(raw, clock.now(), "<ann@players.example>", (original.address,))])
        took.append(seconds(lambda number=number: ingest(match.service, number)))  # type: ignore[misc]
    return figure("reading a mail", sorted(took)[len(took) // 2] * 1000, "ms", MOST_MILLISECONDS, "the limit")


def _storing_figure(service: Service, original: Original, folder: Path) -> Figure:
    """Mails a second that are answered with 250, against a listener that only appends and syncs."""
    raws = numbered(gmail(original, EN, "bid 100\nready") for _ in range(MAILS))
    ours, bare = 0.0, 0.0
    for number in range(3):
        with listening(service) as port:
            ours = max(ours, MAILS / _posting(port, original.address, raws))
        with taking(folder / f"bare{number}") as port:
            bare = max(bare, MAILS / _posting(port, original.address, raws))
    return figure("mails stored, eight connections", ours, "mails/s", bare, "a listener that appends and syncs")


def _taking_in_figure(match: Match, original: Original) -> Figure:
    """Mails a second that are taken and then read, all by one process, against an aiosmtpd that only takes them."""
    raws = numbered(gmail(original, EN, f"bid {100 * number}\nready") for number in range(1, READ + 1))
    with listening(match.service) as port:
        took = _posting(port, original.address, raws)
    with match.service.reading() as session:
        last = session.exec(select(Inbound.id).order_by(col(Inbound.id).desc()).limit(READ)).all()
    start = time.perf_counter()
    for number in reversed(last):
        ingest(match.service, number or 0)
    took += time.perf_counter() - start
    with taking() as port:
        bare = READ / _posting(port, original.address, raws)
    return figure("mails taken in and read, one process", READ / took, "mails/s", bare, "a bare aiosmtpd")


def _posting(port: int, address: str, raws: Sequence[bytes]) -> float:
    """Seconds of the clock on the wall until all are taken."""
    with multiprocessing.get_context("fork").Pool(CONNECTIONS, _connect, (port, address)) as pool:
        pool.map(_nothing, range(CONNECTIONS))
        start = time.perf_counter()
        assert sum(pool.map(_post, raws, chunksize=1)) == len(raws)
        return time.perf_counter() - start


_open: list[tuple[smtplib.SMTP, str]] = []


def _connect(port: int, address: str) -> None:
    _open[:] = [(smtplib.SMTP("127.0.0.1", port, "players.example"), address)]


def _nothing(_: int) -> None:
    time.sleep(0.05)


def _post(raw: bytes) -> int:
    client, address = _open[0]
    client.sendmail("ann@players.example", [address], raw)
    return 1


class _Taker:
    """Takes mails; with a file it appends each and syncs before it says 250."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY) if path is not None else -1

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        if self._file >= 0:
            await asyncio.to_thread(self._append, envelope.original_content or b"")
        return "250 ok"

    def _append(self, raw: bytes) -> None:
        os.write(self._file, raw)
        os.fsync(self._file)


def _take(there: Connection, path: Path | None) -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: SMTP(_Taker(path), loop=loop), "127.0.0.1", 0)
        there.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


@contextmanager
def taking(path: Path | None = None) -> Iterator[int]:
    """The port of such a listener, in a process of its own."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=_take, args=(there, path), daemon=True)
    process.start()
    try:
        yield here.recv()
    finally:
        process.terminate()
        process.join()


def _sending_figure(match: Match) -> Figure:
    """Letters a second, composed and handed over, against ready-made mails of that size."""
    ours, theirs = 0.0, 0.0
    with taking() as port:
        service = Service(match.service.database, _with_port(match.service.settings, port), match.service.identity)
        send(service)
        for number in range(3):
            start = time.perf_counter()
            written = _written(service, match, number)
            while send(service):
                pass
            ours = max(ours, len(written) / (time.perf_counter() - start))
            with smtplib.SMTP("127.0.0.1", port, "play.example") as client:
                start = time.perf_counter()
                for letter in written:
                    client.sendmail("bounce@play.example", [letter.recipient], letter.content)
                theirs = max(theirs, len(written) / (time.perf_counter() - start))
    return figure("letters composed and handed over", ours, "letters/s", theirs, "smtplib with ready-made mails")


def _with_port(settings: Settings, port: int) -> Settings:
    return settings.model_copy(update={"smtp_port": port, "smtp_host": "127.0.0.1"})


def _written(service: Service, match: Match, number: int) -> list[Letter]:
    """A notice to each of many seats, in the outbox."""
    with service.reading() as session:
        game, players = match.game, players_of(session, match.id)
    ruling = Told(code="looked", by="Ann", reason="So that nobody need hurry.", at=clock.now())
    letters = []
    for version in range(LETTERS // len(players)):
        game.next_ruling = 1000 * number + version
        letters += looked_letters(service, game, ruling, players)
    with service.writing() as session:
        put(session, *letters)
    return letters
