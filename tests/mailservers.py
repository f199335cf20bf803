"""Real mail servers on loopback ports: Postfix to hand mail over, Dovecot to keep it, each in a folder of its own."""

import getpass
import imaplib
import os
import shutil
import smtplib
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.servers import FINDERS, as_root, free_port, wait_until

PASSWORD = "dovecot-secret"
MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""
DOVECOT_23 = """\
protocols = imap lmtp
base_dir = {run}
log_path = {home}/log
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain
first_valid_uid = 1
mail_location = maildir:~/Maildir
recipient_delimiter = +
lmtp_save_to_detail_mailbox = no
{users}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={home}/%n allow_all_users=yes
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""
DOVECOT_24 = """\
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
protocols = imap lmtp
base_dir = {run}
log_path = {home}/log
ssl = no
auth_allow_cleartext = yes
auth_mechanisms = plain
first_valid_uid = 1
mail_driver = maildir
mail_home = {home}/%{{user|username}}
mail_path = ~/Maildir
mail_uid = {uid}
mail_gid = {gid}
recipient_delimiter = +
lmtp_save_to_detail_mailbox = no
{users}
passdb static {{
  password = {password}
}}
userdb static {{
  allow_all_users = yes
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    listen = 127.0.0.1
    port = {imap}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    listen = 127.0.0.1
    port = {lmtp}
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


class Dovecot(NamedTuple):
    """Where it is spoken to. Every user is there, with the same password."""

    imap: int
    lmtp: int
    home: Path


class Postfix(NamedTuple):
    """Where it takes mail, and what it has logged."""

    port: int
    log: Path


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder with a short path that other users may look into: the servers change to users of their own."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_dovecot() -> Iterator[Dovecot]:
    """A server with empty mailboxes. Raises Missing."""
    program = FINDERS["dovecot"]()
    root = os.geteuid() == 0
    me = getpass.getuser()
    version = subprocess.check_output([program, "--version"], text=True)
    with _folder() as folder:
        home = folder / "home"
        home.mkdir()
        if root:
            os.chown(home, 65534, 65534)  # Dovecot keeps no mail as root
        imap, lmtp = free_port(), free_port()
        config = (DOVECOT_23 if version.startswith("2.3") else DOVECOT_24).format(
            run=folder / "run",
            home=home,
            password=PASSWORD,
            uid=65534 if root else os.getuid(),
            gid=65534 if root else os.getgid(),
            imap=imap,
            lmtp=lmtp,
            users="" if root else f"default_internal_user = {me}\ndefault_login_user = {me}",
        )
        (folder / "dovecot.conf").write_text(config)
        with subprocess.Popen([program, "-F", "-c", str(folder / "dovecot.conf")]) as process:
            try:
                wait_until(lambda: _answers(imap) and _answers(lmtp))
                yield Dovecot(imap, lmtp, home)
            finally:
                process.terminate()


@contextmanager
def running_postfix(domains: Mapping[str, int], host: str = "mx.play.example") -> Iterator[Postfix]:
    """A server that hands mail for each domain over by LMTP to a port. Raises Missing."""
    program = FINDERS["postfix"]()
    with _folder() as folder:
        port = free_port()
        (folder / "etc").mkdir()
        (folder / "queue").mkdir()
        (folder / "data").mkdir()
        sudo = as_root()
        subprocess.run([*sudo, "chown", "postfix", str(folder / "data")], check=True)
        routes = ", ".join(f"{{ {domain} = lmtp:inet:127.0.0.1:{to} }}" for domain, to in domains.items())
        settings = {
            "compatibility_level": "3.6",
            "queue_directory": folder / "queue",
            "data_directory": folder / "data",
            "myhostname": host,
            "mydestination": "",
            "inet_interfaces": "127.0.0.1",
            "inet_protocols": "ipv4",
            "mynetworks": "127.0.0.0/8",
            "relay_domains": " ".join(domains),
            "transport_maps": f"inline:{{ {routes} }}",
            "smtpd_recipient_restrictions": "permit_mynetworks, reject",
            "smtp_dns_support_level": "disabled",
            "default_transport": "error:there is nothing beyond this machine",
            "recipient_delimiter": "+",
            "local_recipient_maps": "",
            "alias_maps": "",
            "alias_database": "",
            "biff": "no",
            "maillog_file": folder / "log",
            "maillog_file_prefixes": folder,
            "max_idle": "5s",
        }
        lines = "".join(f"{name} = {value}\n" for name, value in settings.items())
        (folder / "etc" / "main.cf").write_text(lines)
        (folder / "etc" / "master.cf").write_text(MASTER.format(port=port))
        command = [*sudo, program, "-c", str(folder / "etc")]
        subprocess.run([*command, "start"], check=True, capture_output=True)
        try:
            wait_until(lambda: _answers(port))
            yield Postfix(port, folder / "log")
        finally:
            subprocess.run([*command, "stop"], check=False, capture_output=True)
            subprocess.run([*sudo, "rm", "-rf", str(folder / "queue"), str(folder / "data")], check=False)


def mails_of(dovecot: Dovecot, user: str) -> list[bytes]:
    """All that lies in a mailbox, oldest first, as its user's program gets it."""
    with imaplib.IMAP4("127.0.0.1", dovecot.imap) as client:
        client.login(user, PASSWORD)
        client.select()
        _, found = client.search(None, "ALL")
        numbers = found[0].split()
        fetched = [client.fetch(number.decode(), "(BODY.PEEK[])")[1][0] for number in numbers]
    return [each[1] for each in fetched if isinstance(each, tuple)]


def deliver(dovecot: Dovecot, user: str, *mails: bytes) -> None:
    """Put mails into a mailbox, as a server before it does."""
    with smtplib.LMTP("127.0.0.1", dovecot.lmtp) as client:
        for raw in mails:
            client.sendmail("someone@elsewhere.example", [f"{user}@mail.example"], raw)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
