"""The town around the service, a process of its own: a mail server that fails at random, and the players behind it.

`python -m tests.pbem.crashes.town FOLDER SMTP LISTENER WEB SEED`, the numbers being ports. It writes down in its folder
which letters it took (`letters`), which it did not take (`turned away`, by their return addresses), which mails the
listener took (`mails`), and which calls the web did (`calls`) or refused (`refusals`), as JSON lines. While a file
`calm` is there the server fails no more; while `quiet` is there the players answer no more, and `still` says that all
they had begun to answer is delivered.
"""

import json
import smtplib
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from queue import Empty, Queue
from random import Random
from urllib.error import HTTPError

from pbem import clock
from pbem.demo.answering import orders
from pbem.demo.replying import parsed, plain, reply
from pbem.mail.message import read_head
from tests.pbem.mail.stubserver import CUT, StubServer, Taken

PLAYERS = 6
"""How many of them write at the same time."""
AGAIN = 0.3
"""Real seconds before a player tries to send the same once more."""
MOODS: Mapping[str, Sequence[tuple[float, str]]] = {
    "connect": ((0.004, "421 4.3.2 closing"), (0.004, CUT)),
    "ehlo": ((0.002, "421 4.3.2 closing"), (0.002, CUT)),
    "mail": ((0.004, "451 4.3.0 not now"), (0.002, CUT)),
    "rcpt": ((0.004, "450 4.2.0 greylisted"), (0.001, "550 5.1.1 nobody of that name")),
    "data": ((0.004, "451 4.3.0 not now"), (0.002, CUT)),
    "content": ((0.01, CUT), (0.004, "452 4.3.1 full"), (0.001, "554 5.7.1 not wanted")),
}
"""By point of the conversation: how likely is what, instead of the usual answer."""
SLOW, SLOWEST = 0.01, 1.0
"""How likely an answer is slow, and by how many real seconds at most."""


class Books:
    """What is written down, each thing on a line of its own that is whole."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    def note(self, book: str, **facts: object) -> None:
        """Write down that it happened now."""
        line = json.dumps({"at": time.monotonic(), **facts}) + "\n"
        with self._lock, (self._folder / book).open("a") as file:
            file.write(line)

    def says(self, name: str) -> bool:
        """Whether that was said to the town."""
        return (self._folder / name).exists()

    def token(self, address: str) -> list[str]:
        """The token and the game of a player who plays by the API; empty for one who writes mails."""
        file = self._folder / "tokens" / address
        return file.read_text().split() if file.exists() else []


class Moody(StubServer):
    """A server that fails now and then, wherever it can, and hands what it took to the players."""

    def __init__(self, port: int, books: Books, seed: str) -> None:
        super().__init__(port=port)
        self.arrived: Queue[tuple[str, bytes]] = Queue()
        self._books = books
        self._random = Random(f"moods/{seed}")

    def answer(self, point: str, recipient: str, usual: str) -> str:
        """What is planned, or what it feels like."""
        planned = super().answer(point, recipient, usual)
        if planned != usual or self._books.says("calm"):
            return planned
        with self._lock:
            mood, slow = self._random.random(), self._random.random()
        if slow < SLOW:
            time.sleep(slow / SLOW * SLOWEST)
        for likely, answer in MOODS[point]:
            if mood < likely:
                return answer
            mood -= likely
        return usual

    def turned_away(self, mail_from: str, answer: str) -> None:
        """Written down before it is said."""
        self._books.note("turned away", returns_to=mail_from, answer=answer)

    def take(self, mail: Taken) -> None:
        """Written down before it is answered."""
        self._books.note("letters", id=read_head(mail.content).message_id, answer=mail.answer[:3])
        self.arrived.put((mail.recipients[0], mail.content))


class Players:
    """They answer each letter that asks for something, once, and send what they wrote until it is taken."""

    def __init__(self, server: Moody, books: Books, listener: int, web: int, seed: str) -> None:
        self._server, self._books = server, books
        self._listener, self._web = listener, f"http://127.0.0.1:{web}/api/v1"
        self._random = Random(f"players/{seed}")
        self._seen: set[bytes] = set()
        self._lock = threading.Lock()

    def play(self) -> None:
        """Answer until the town is to be quiet."""
        while not self._books.says("quiet"):
            try:
                address, content = self._server.arrived.get(timeout=0.2)
            except Empty:
                continue
            try:
                self._answer(address, content)
            except HTTPError as error:  # such as for a game that has ended meanwhile
                letter, when = read_head(content).message_id, clock.now().isoformat()
                self._books.note("refusals", letter=letter, when=when, said=error.read().decode())
            except smtplib.SMTPException as error:
                self._books.note("refusals", letter="", when="", said=repr(error))

    def _answer(self, address: str, content: bytes) -> None:
        letter = parsed(content)
        number = str(letter["Message-ID"])
        with self._lock:
            if number.encode() in self._seen:
                return
            self._seen.add(number.encode())
            lines = orders(plain(letter), self._random.randrange)
        token = self._books.token(address)
        if lines and token and lines != ["join"]:
            self._call(token, number, "\n".join(lines))
        elif lines:
            self._post(reply(letter, address, "\n".join(lines)))

    def _post(self, mail: EmailMessage) -> None:
        """The same bytes each time, as a mail server's queue sends them."""
        raw, sender, to = mail.as_bytes(), str(mail["From"]), str(mail["To"])

        def send() -> str:
            with smtplib.SMTP("127.0.0.1", self._listener, timeout=10) as client:
                client.sendmail(sender, [to], raw)
            return ""

        tries = _persist(send, (smtplib.SMTPException, OSError))
        self._books.note("mails", id=str(mail["Message-ID"]), tries=tries)

    def _call(self, token: list[str], number: str, text: str) -> None:
        """Send orders by the API, with a key so that they count once however often they are sent."""
        key = sha256(number.encode()).hexdigest()[:24]
        secret, code = token

        def send() -> str:
            stage = self._ask(secret, f"/games/{code}/seat", None)["stage"] if not given else given[0]
            given[:] = [stage]
            return str(
                self._ask(secret, f"/games/{code}/orders", {"text": text, "stage": stage, "key": key})["outcome"]
            )

        given: list[str] = []
        outcomes: list[str] = []
        tries = _persist(lambda: outcomes.append(send()), (HTTPException, OSError))
        self._books.note("calls", key=key, text=text, code=code, tries=tries, outcome=outcomes[-1])

    def _ask(self, secret: str, path: str, body: object) -> dict[str, str]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        request = urllib.request.Request(self._web + path, data, headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            found: dict[str, str] = json.load(answer)
        return found


def _persist(send: Callable[[], object], failures: tuple[type[Exception], ...]) -> int:
    """Try until it is done; how many tries it took. Raises HTTPError and SMTPException for what is refused for good."""
    tries = 1
    while True:
        try:
            send()
        except failures as error:
            if _is_final(error):
                raise
            tries += 1
            time.sleep(AGAIN)
        else:
            return tries


def _is_final(error: Exception) -> bool:
    if isinstance(error, HTTPError):
        return 400 <= error.code < 500 and error.code != 429
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return any(code >= 500 for code, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= 500


def main(folder: Path, smtp: int, listener: int, web: int, seed: str) -> None:
    """Live on until quiet, and then go on taking letters until ended."""
    books = Books(folder)
    with Moody(smtp, books, seed) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        players = Players(server, books, listener, web, seed)
        working = [threading.Thread(target=players.play, daemon=True) for _ in range(PLAYERS)]
        for each in working:
            each.start()
        for each in working:
            each.join()
        (folder / "still").touch()
        threading.Event().wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
