"""Whether the addresses that are to be listened at are free: told before anything is started."""

import socket

from pbem.errors import Refused
from pbem.settings import PREFIX, Settings


def claimable(settings: Settings) -> None:
    """Raises Refused `port_taken` for the first port, the listener's or that of the pages, that can't be had."""
    if settings.mail_socket is None:
        probe(settings.mail_host, settings.mail_port, "MAIL_PORT")
    probe(settings.web_host, settings.web_port, "WEB_PORT")


def probe(host: str, port: int, setting: str) -> None:
    """Listen there for a moment. Raises Refused `port_taken`."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except OSError as error:
        raise taken(host, port, setting, error) from error


def taken(host: str, port: int, setting: str, error: OSError) -> Refused:
    """The refusal for an address that can't be listened at."""
    return Refused("port_taken", host=host, port=port, problem=error.strerror or error, setting=PREFIX + setting)
