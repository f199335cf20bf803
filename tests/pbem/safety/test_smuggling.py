"""A mail within a mail: ends of data that some servers take for one, and others don't."""

import socket

import pytest
from sqlmodel import select

from pbem.context import Service
from pbem.mail.identity import Identity, Mark, Purpose
from pbem.mail.letters import Outgoing, compose
from pbem.storage.models import Inbound
from pbem.storage.sessions import Database
from tests.pbem.mail.listening import listening
from tests.pbem.playing import service_on

TO = b"play@play.example"
FALSE_ENDS = [
    *(b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r.\r\n", b"\r\n.\r", b"\r.\n", b"\n.\r", b"\n\n.\r\n"),
    *(
        b"\r\n\x00.\r\n",
        b"\r\n.\x00\r\n",
        b"\r\r\n.\r\r\n",
        b"\r\n.\r\r\n",
        b"\r\n..\r\n",
        b"\r\n .\r\n",
        b"\r\n.\x85\r\n",
    ),
]
SECOND = (
    b"MAIL FROM:<boss@victim.example>\r\nRCPT TO:<" + TO + b">\r\nDATA\r\n"
    b"From: boss@victim.example\r\nSubject: smuggled\r\n\r\nplay on\r\n"
)


class Talk:
    """A client that says what it likes."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), 20)
        self._file = self._socket.makefile("rb")
        self.heard()

    def say(self, line: bytes) -> int:
        """One command; the code of its answer."""
        self._socket.sendall(line)
        return self.heard()

    def heard(self) -> int:
        """The code of the next answer."""
        while (line := self._file.readline())[3:4] == b"-":
            pass
        return int(line[:3])

    def close(self) -> None:
        """Hang up."""
        self._file.close()
        self._socket.close()


@pytest.mark.parametrize("end", FALSE_ENDS, ids=repr)
def test_no_mail_hides_in_another(database: Database, end: bytes) -> None:
    """What is no end of data by the standard is none: at most one mail is stored, of the sender who came."""
    service = service_on(database, mail_port=0)
    with listening(service) as port:
        talk = Talk(port)
        talk.say(b"EHLO client.example\r\n")
        talk.say(b"MAIL FROM:<ann@example.org>\r\n")
        talk.say(b"RCPT TO:<" + TO + b">\r\n")
        assert talk.say(b"DATA\r\n") == 354
        head = b"From: ann@example.org\r\nTo: " + TO + b"\r\nSubject: first\r\n\r\nhello"
        first = talk.say(head + end + SECOND + b".\r\n")
        assert talk.say(b"NOOP\r\n") == 250  # and not the answer to a command that stood in the mail
        talk.close()
    assert [mail.mail_from for mail in _stored(service)] == (["ann@example.org"] if first == 250 else [])


def _stored(service: Service) -> list[Inbound]:
    with service.reading() as session:
        return list(session.exec(select(Inbound)))


@pytest.mark.parametrize("end", FALSE_ENDS, ids=repr)
def test_no_letter_of_ours_carries_another(end: bytes) -> None:
    """Whatever a player writes, a letter has proper line ends alone: a dot on a line is doubled on its way."""
    text = "hello" + (end + SECOND + end).decode("latin-1")
    letter = Outgoing(Mark(1, Purpose.ORDERS, 1), "Game", "ann@example.org", "Game", name="Ann")
    raw = compose(Identity("games.example", (b"k" * 32,)), letter, text, f"<p>{text}</p>")
    bare = raw.replace(b"\r\n", b"")
    assert b"\r" not in bare
    assert b"\n" not in bare
    assert b"\0" not in raw
