"""Ways out: an SMTP server over one connection, a local sendmail, or Maildir folders.

Each says exactly how far it came.
"""

import os
import re
import selectors
import smtplib
import ssl
import subprocess
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from pbem import private
from pbem.settings import Settings

SECONDS = 20
"""How long one answer of a server is waited for, but for the last one."""
LAST = 120
"""How long a server that has the data of a letter may take to say what becomes of it: many look through it first."""
GLANCE = 1.0
"""Real seconds, meanwhile, between two calls of what keeps the letter ours."""
BLINK = 0.05
"""Real seconds between two looks at whether a program has ended: a child that it leaves may hold its pipes for long."""
LONGEST_NAME = 255
"""Bytes of a file's name."""
GO_ON = 354
"""A server's answer to DATA."""
_NOT_LET_IN = (smtplib.SMTPException, OSError, UnicodeError)
"""UnicodeError: of a host, a name or a password that the client can't write."""
_LINE_WITH_DOT = re.compile(rb"^\.", re.MULTILINE)


class NotNow(Exception):
    """The letter was surely not taken; later it may be. The text has the server's words."""


class Never(Exception):
    """The letter was refused for good. The text has the server's words."""


class Unknown(Exception):
    """The letter's data went out and no answer came: nobody knows."""


class Unreachable(Exception):
    """There is no connection any more, and the letter at hand was surely not taken."""


class Shut(Unreachable):
    """There is no way out at all: no letter was offered, and it is no letter's fault."""


class Unfinished(Exception):
    """A program that takes letters did not come to an end and was ended: most likely it took none, but it may have."""


Keep = Callable[[], None]
"""Called now and then while it is waited for what becomes of a letter: it keeps the letter ours."""
Begin = Callable[[], Keep | None]
"""Called before the data of a letter goes out; None where it may not."""


class Transport(Protocol):
    """One way out, used for many letters."""

    def deliver(self, sender: str, recipient: str, raw: bytes, begin: Begin) -> str | None:
        """Hand a letter over; the words of whoever took it, None where `begin` says that it may not go out. Both
        addresses are ASCII without blanks.

        Raises NotNow, Never, Unknown, Unreachable, Unfinished.
        """
        ...

    def close(self) -> None:
        """Say good-bye."""
        ...


def place(settings: Settings) -> str:
    """Where letters go out, for logs and for the operator."""
    return str(settings.maildir or settings.sendmail or f"{settings.smtp_host}:{settings.smtp_port}")


def opened(settings: Settings) -> Transport:
    """The way out that the settings name. Raises Shut, also where the server does not let us in."""
    if settings.maildir is not None:
        return Maildir(settings.maildir)
    if settings.sendmail:
        return Sendmail(settings.sendmail)
    return Smtp(settings)


class Smtp:
    """A connection to the mail server. Its certificate is verified."""

    def __init__(self, settings: Settings) -> None:
        try:
            self._smtp = _connected(settings)
        except _NOT_LET_IN as error:
            raise Shut(type(error).__name__) from error
        try:
            self._smtp.ehlo_or_helo_if_needed()
            if settings.smtp_tls == "starttls":
                self._smtp.starttls(context=ssl.create_default_context())
            if settings.smtp_user:
                self._smtp.login(settings.smtp_user, settings.smtp_password)
        except _NOT_LET_IN as error:
            self._smtp.close()
            raise Shut(type(error).__name__) from error

    def deliver(self, sender: str, recipient: str, raw: bytes, begin: Begin) -> str | None:
        """One letter, in a transaction of its own."""
        self._ask(self._smtp.docmd, "MAIL", f"FROM:<{sender}>")
        self._ask(self._smtp.docmd, "RCPT", f"TO:<{recipient}>")
        keep = begin()
        if keep is None:
            self._ask(self._smtp.rset)
            return None
        self._send(raw)
        try:
            self._await(keep)
            code, words = self._smtp.getreply()
        except (smtplib.SMTPException, OSError) as error:
            self._smtp.close()  # a server that is so late would be late with its good-bye too
            raise Unknown(type(error).__name__) from error
        self._judge(code, words)
        return _said(code, words)

    def close(self) -> None:
        """QUIT, to a server that may be gone."""
        try:
            self._smtp.quit()
        except (smtplib.SMTPException, OSError):
            self._smtp.close()

    def _send(self, raw: bytes) -> None:
        """The data, to its end: a server that is gone before it has that has not taken the letter."""
        try:
            code, words = self._smtp.docmd("DATA")
            if code == GO_ON:
                self._smtp.send(_LINE_WITH_DOT.sub(b"..", raw) + (b".\r\n" if raw.endswith(b"\r\n") else b"\r\n.\r\n"))
        except (smtplib.SMTPException, OSError) as error:
            raise Unreachable(type(error).__name__) from error
        if code != GO_ON:
            self._judge(code, words)
            raise NotNow(_said(code, words))  # whatever it means by that

    def _await(self, keep: Keep) -> None:
        """Until the server answers. Raises TimeoutError."""
        end = time.monotonic() + LAST
        while not self._has_spoken():
            if time.monotonic() > end:
                raise TimeoutError
            keep()

    def _has_spoken(self) -> bool:
        """Whether it has within the time of a glance."""
        wire = self._smtp.sock
        assert wire is not None
        if isinstance(wire, ssl.SSLSocket) and wire.pending():
            return True
        with selectors.DefaultSelector() as selector:
            selector.register(wire, selectors.EVENT_READ)
            return bool(selector.select(GLANCE))

    def _ask(self, command: Callable[..., tuple[int, bytes]], *args: str) -> None:
        try:
            code, words = command(*args)
        except (smtplib.SMTPException, OSError) as error:
            raise Unreachable(type(error).__name__) from error
        self._judge(code, words)

    def _judge(self, code: int, words: bytes | str) -> None:
        if 200 <= code < 300:
            return
        problem = _said(code, words)
        if code == 421:
            self._smtp.close()
            raise Unreachable(problem)
        try:
            self._smtp.rset()
        except (smtplib.SMTPException, OSError):
            self._smtp.close()  # the next letter will find out
        raise (Never if code >= 500 else NotNow)(problem)


def _said(code: int, words: bytes | str) -> str:
    """A server's answer on one line."""
    said = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return f"{code} {' '.join(said.split())}"[:200].replace("\0", "")


def _connected(settings: Settings) -> smtplib.SMTP:
    here, host, port = settings.domain, settings.smtp_host, settings.smtp_port
    if settings.smtp_tls == "tls":
        return smtplib.SMTP_SSL(host, port, here, timeout=SECONDS, context=ssl.create_default_context())
    return smtplib.SMTP(host, port, here, timeout=SECONDS)


class Sendmail:
    """A program that puts letters into the queue of this machine's own mail server."""

    def __init__(self, program: str) -> None:
        if not os.access(program, os.X_OK):
            raise Shut("NoSuchProgram")
        self._program = program

    def deliver(self, sender: str, recipient: str, raw: bytes, begin: Begin) -> str | None:
        """One run of the program for each letter. Its exit codes are those of sysexits.h."""
        keep = begin()
        if keep is None:
            return None
        command = [self._program, "-i", "-f", sender or "<>", "--", recipient]
        text = raw.replace(b"\r\n", b"\n")  # it wants the line ends of this machine
        status, said = _run(command, text, keep)
        if status == 0:
            return "sendmail"
        problem = f"sendmail {status} {' '.join(said.decode('utf-8', 'replace').split())}"[:200]
        raise (Never if status in _REFUSED else NotNow)(problem)

    def close(self) -> None:
        """Nothing is open."""


def _run(command: list[str], text: bytes, keep: Keep) -> tuple[int, bytes]:
    """A program's exit status, and what it said. Raises Unfinished, and Shut where it can't be started."""
    end = time.monotonic() + LAST
    pipe = subprocess.PIPE
    try:
        started = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
    except OSError as error:
        raise Shut(type(error).__name__) from error
    with started as program:
        try:
            said = _told(program, text)
            while said is None and (time.monotonic() < end or program.poll() is not None):
                keep()
                said = _told(program, None)
        finally:  # also at the end of our own time
            program.kill()
    if said is None:
        raise Unfinished(f"sendmail ended after {LAST} seconds")
    return program.returncode, said


def _told(program: "subprocess.Popen[bytes]", text: bytes | None) -> bytes | None:
    """What it said, if it has ended. The text is given to it once."""
    has_ended = program.poll() is not None  # then all that it said itself is in the pipes
    try:
        out, err = program.communicate(text, BLINK)
    except subprocess.TimeoutExpired as held:
        if not has_ended:
            return None
        out, err = held.output or b"", held.stderr or b""
    return err or out


_REFUSED = (os.EX_DATAERR, os.EX_NOUSER, os.EX_NOHOST)


class Maildir:
    """A folder for each address; a letter that is delivered twice is one file."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def deliver(self, sender: str, recipient: str, raw: bytes, begin: Begin) -> str | None:
        """Written, synced, and only then moved to where it is seen."""
        folder = self._root / _folder(recipient)
        try:
            for each in (self._root, folder, *(folder / name for name in ("tmp", "new", "cur"))):
                private.folder(each)
            if begin() is None:
                return None
            self._write(folder, raw)
        except OSError as error:  # a disk that is full, say
            raise Shut(type(error).__name__) from error
        return "maildir"

    def close(self) -> None:
        """Nothing is open."""

    def _write(self, folder: Path, raw: bytes) -> None:
        # All but the first line, the date of sending, is the same whenever the letter is sent.
        name = sha256(raw.partition(b"\n")[2]).hexdigest()[:32] + ".pbem"
        with open(folder / "tmp" / name, "wb", opener=private.opener) as file:
            file.write(raw.replace(b"\r\n", b"\n"))
            file.flush()
            os.fsync(file.fileno())
        (folder / "tmp" / name).rename(folder / "new" / name)


def _folder(recipient: str) -> str:
    """The name of an address's folder."""
    return recipient.replace("/", "_").lstrip(".")[:LONGEST_NAME]
