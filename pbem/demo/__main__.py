"""`./run demo`: a four-company game of Rockwell, played by mail from its first bid to its end."""

import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import click

from pbem import accounts, keys
from pbem.cli.words import _
from pbem.context import Service
from pbem.demo.house import DidNotStart, House, configure, free_port
from pbem.demo.postoffice import PostOffice, address, folder
from pbem.demo.watching import final, progress, standing
from pbem.games.lifecycle import Guest, Plan, create_game, invite
from pbem.settings import Settings
from pbem.supervisor.upgrade import upgrade

RULES = "rockwell"
SIDES = ("red", "green", "purple", "white")
CODE = "demo"
LOOK = 0.2
"""Seconds between two looks at the game."""

ENDS = (signal.SIGINT, signal.SIGTERM)
"""Signals that end the game in peace."""


@click.command(help=_("Play a game of Rockwell by mail among four stand-ins, or against three."))
@click.option("--seat", type=click.Choice(SIDES), help=_("The company that you play yourself."))
@click.option("--pace", type=click.Choice(("brisk", "strict")), default="brisk", show_default=True)
@click.option("--seed", type=int, default=0, help=_("Makes the stand-ins choose otherwise."))
@click.option("--stay", is_flag=True, help=_("Keep the service running after the game, to look around."))
def main(seat: str | None, pace: str, seed: int, stay: bool) -> None:
    """Set the house up, watch the game, and leave everything behind as it was."""
    for each in ENDS:
        signal.signal(each, _end)
    home = Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    post_office = PostOffice(home / "mail", free_port())
    try:
        settings = configure(home, post_office)
        house = House(home, settings)
        try:
            _play(house, settings, home, seat, Plan(RULES, _guests(), pace, 24, 0, code=CODE, title="Demo"), seed)
            if stay:
                _say(_("The service goes on until you press Ctrl-C."))
                while not house.ended():
                    time.sleep(LOOK)
        except DidNotStart as error:
            raise click.ClickException(
                _("The service did not start; see %(log)s.") % {"log": home / "service.log"}
            ) from error
        finally:
            house.close()
    except KeyboardInterrupt:
        _say(_("Stopped."))
    finally:
        post_office.close()
    _say(_("The mailboxes and logs of this game are kept in %(folder)s.") % {"folder": home})


def _play(house: House, settings: Settings, home: Path, seat: str | None, plan: Plan, seed: int) -> None:
    keys.ensure(settings.keys)
    upgrade(settings)
    service = Service.opened(settings)
    try:
        create_game(service, plan)
        _say(_("The service is starting; the game is %(code)s.") % {"code": CODE})
        house.start_service()
        invite(service, CODE)
        _where_to_look(service, home, seat)
        for number, name in enumerate(SIDES):
            if name != seat:
                house.start_standin(name, seed * len(SIDES) + number)
        _watch(service, house, home)
    finally:
        service.close()


def _end(_number: int, _frame: FrameType | None) -> None:
    """Ends the game; a second signal comes while that is done already, and is nothing more."""
    for each in ENDS:
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


def _guests() -> Sequence[Guest]:
    return [Guest(address(name), name.title()) for name in SIDES]


def _where_to_look(service: Service, home: Path, seat: str | None) -> None:
    settings = service.settings
    _say(_("Web pages: %(url)s") % {"url": settings.url})
    _say(_("Mailbox folders: %(folder)s") % {"folder": home / "mail"})
    if seat is None:
        return
    _say(_("You are %(side)s. Sign in: %(link)s") % {"side": seat.title(), "link": _link(service, seat)})
    _say(_("Your letters are in %(folder)s.") % {"folder": folder(home / "mail", seat)})
    _say(
        _("Answer by mail through SMTP on 127.0.0.1, port %(port)s, from %(address)s, or write orders to a file and:")
        % {"port": settings.mail_port, "address": address(seat)}
    )
    words = [sys.executable, "-m", "pbem.demo.reply", str(folder(home / "mail", seat)), address(seat)]
    _say("  " + " ".join([*words, str(settings.mail_port), "< orders.txt"]))
    _say(_("Your first letter is the invitation: answer it with `join`, by mail or on the page."))


def _link(service: Service, name: str) -> str:
    with service.writing() as session:
        account = accounts.account_of(session, address(name))
        assert account is not None
        assert account.id is not None
        secret = accounts.make_link(service, session, account.id)
    return f"{service.settings.url}/sign-in/{secret}"


def _watch(service: Service, house: House, home: Path) -> None:
    """Print each stage as it opens, and the end."""
    seen = 0
    began = time.monotonic()
    while True:
        now = standing(service, CODE)
        if now.aside:
            raise click.ClickException(_("The service gave the game up; see %(folder)s.") % {"folder": home})
        if now.status == "over":
            break
        if house.ended():
            raise click.ClickException(_("A process ended too early; see %(folder)s.") % {"folder": home})
        if now.stage_number != seen:
            seen = now.stage_number
            _say(progress(service, CODE, now))
        time.sleep(LOOK)
    _say(_("The game is over after %(seconds)s seconds.") % {"seconds": round(time.monotonic() - began)})
    for line in final(service, CODE):
        _say(line)


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
