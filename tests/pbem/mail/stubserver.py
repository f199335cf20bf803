"""An SMTP server for tests that takes letters and fails where it is told to."""

import socket
import socketserver
import ssl
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

CUT = "cut"
"""Instead of an answer: the connection is dropped."""


class Taken(NamedTuple):
    """A letter that was answered with 250, or whose content came in before a cut: `answer` says which."""

    mail_from: str
    recipients: list[str]
    content: bytes
    answer: str


class StubServer(socketserver.ThreadingTCPServer):
    """Listens on a port of the loopback, a free one by default. `mails` are the letters whose content came in whole."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, certificate: Path | None = None, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Session)
        self._tls: ssl.SSLContext | None = None
        if certificate is not None:
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._tls.load_cert_chain(certificate)
        self.mails: list[Taken] = []
        self.connections = 0
        self._plan: list[tuple[str, str, str]] = []
        self._lock = threading.Lock()

    def get_request(self) -> tuple[Any, Any]:
        """A connection, secured where there is a certificate; the handshake is made by who reads first."""
        wire, address = super().get_request()
        if self._tls is not None:
            wire = self._tls.wrap_socket(wire, server_side=True, do_handshake_on_connect=False)
        return wire, address

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def fail(self, point: str, answer: str, *, times: int = 1, to: str = "") -> None:
        """At `point` (connect, ehlo, mail, rcpt, data, content) answer this, or CUT, so often; `to` for one recipient.

        `data` is before the content is sent, `content` after it has come in and before its 250.
        """
        with self._lock:
            self._plan += [(point, answer, to)] * times

    def answer(self, point: str, recipient: str, usual: str) -> str:
        """What is planned for the point, each plan once, else the usual answer."""
        with self._lock:
            for plan in self._plan:
                if plan[0] == point and plan[2] in ("", recipient):
                    self._plan.remove(plan)
                    return plan[1]
        return usual

    def take(self, mail: Taken) -> None:
        """Keep a letter."""
        with self._lock:
            self.mails.append(mail)

    def turned_away(self, mail_from: str, answer: str) -> None:
        """A letter from there is surely not taken, with that answer; called before it is said."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away in the middle is what some tests are about; anything else is a fault of ours."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


@contextmanager
def running(certificate: Path | None = None) -> Iterator[StubServer]:
    """A server for the time of a block; with a certificate (key and chain) it speaks TLS from the first byte."""
    with StubServer(certificate) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


class _Session(socketserver.StreamRequestHandler):
    """One connection."""

    server: StubServer

    def handle(self) -> None:
        """Answer line by line."""
        self.server.connections += 1
        self._from, self._to = "", list[str]()
        if not self._say("connect", "220 stub"):
            return
        while line := self.rfile.readline():
            words = line.decode("ascii", "replace").strip()
            if not self._answer(words):
                return

    def _answer(self, words: str) -> bool:
        verb = words[:4].upper()
        if verb == "EHLO":
            return self._say("ehlo", "250 stub")
        if verb == "MAIL":
            self._from, self._to = _address(words), []
            return self._say("mail", "250 ok")
        if verb == "RCPT":
            self._to.append(_address(words))
            return self._say("rcpt", "250 ok")
        if verb == "DATA":
            return self._data()
        if verb == "QUIT":
            return self._write("221 bye") and False
        return self._write("250 stub")

    def _data(self) -> bool:
        answer = self._chosen("data", self._to[0], "354 go on")
        if not answer.startswith("354"):
            return answer != CUT and self._write(answer)
        self._write(answer)
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                return False  # the other side is gone in the middle of it: nothing was taken
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        answer = self._chosen("content", self._to[0], "250 taken")
        if answer == CUT or answer.startswith("250"):
            self.server.take(Taken(self._from, self._to, b"".join(lines), answer))
        return answer != CUT and self._write(answer)

    def _say(self, point: str, usual: str) -> bool:
        answer = self._chosen(point, self._to[-1] if self._to else "", usual)
        return answer != CUT and self._write(answer) and not answer.startswith("421")

    def _chosen(self, point: str, recipient: str, usual: str) -> str:
        answer = self.server.answer(point, recipient, usual)
        if self._from and answer != usual and (point, answer) != ("content", CUT):
            self.server.turned_away(self._from, answer)
        return answer

    def _write(self, answer: str) -> bool:
        self.wfile.write(answer.encode("ascii") + b"\r\n")
        return True

    def finish(self) -> None:
        """Let go, whatever the other side did."""
        try:
            super().finish()
            self.request.shutdown(socket.SHUT_RDWR)
        except OSError:
            return


def _address(words: str) -> str:
    return words.partition("<")[2].partition(">")[0]
