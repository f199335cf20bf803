"""Where the demo's players get their mail: an SMTP server that puts each letter into its reader's mailbox folder."""

import mailbox
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

DOMAIN = "players.demo"


class PostOffice:
    """Takes mail for any name at the players' domain, on that port of the loopback, until it is closed."""

    def __init__(self, folder: Path, port: int) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self.port = port
        self._controller = Controller(self, hostname="127.0.0.1", port=port)
        self._controller.start()

    def close(self) -> None:
        """Take no more mail."""
        self._controller.stop()

    async def handle_RCPT(  # noqa: N802 - the library's own name for it
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Nobody but the players lives here."""
        name, _, domain = address.lower().rpartition("@")
        if domain != DOMAIN or not name.isalnum():
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Put the letter into each mailbox."""
        assert isinstance(envelope.content, bytes)
        for address in envelope.rcpt_tos:
            box = mailbox.Maildir(folder(self._folder, address.lower().partition("@")[0]))
            box.add(envelope.content)
        return "250 OK"


def folder(mail: Path, name: str) -> Path:
    """The mailbox folder (a Maildir) of that name."""
    return mail / name


def address(name: str) -> str:
    """The mail address of a player."""
    return f"{name}@{DOMAIN}"
