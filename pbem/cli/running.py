"""Commands that run the service and look after it."""

import signal
import threading
from dataclasses import replace

import click
from pydantic_core import PydanticUndefined

from pbem import keys, logs
from pbem.cli.opened import opened, published, read_settings
from pbem.cli.shown import as_json, show
from pbem.cli.words import _
from pbem.mail.listener import listen as take_mail
from pbem.measures import measures
from pbem.settings import PREFIX, Settings
from pbem.storage import migrate as migrations
from pbem.supervisor.ports import taken
from pbem.supervisor.ready import say_ready
from pbem.supervisor.up import up as run_service
from pbem.supervisor.upgrade import upgrade, upgrade_beside_others
from pbem.sweep import settle


@click.command("up", help=_("Run the service: mail, web, workers, and a broker of its own where none is configured."))
def up() -> None:
    """Run the service."""
    run_service(_logging())


@click.command(
    "migrate",
    help=_(
        "Make the keys and bring the database up to date, after a copy of it. Processes of the release before may go "
        "on working; where they can't, nothing is done without --stopped."
    ),
)
@click.option("--stopped", is_flag=True, help=_("Nothing else works with the database now."))
def migrate(stopped: bool) -> None:
    """Bring the database up to date."""
    settings = _logging()
    keys.ensure(settings.keys)
    copy = upgrade(settings) if stopped else upgrade_beside_others(settings)
    if copy is not None:
        click.echo(_("The database as it was is kept in %(file)s.") % {"file": copy})
    click.echo(_("The database is of version %(version)s.") % {"version": migrations.newest()})


@click.command("status", help=_("What the service has to do, what is stuck, and which processes live."))
@as_json
def status(as_json: bool) -> None:
    """What the service has to do."""
    with opened() as service, service.reading() as session:
        found = measures(session)
    counts = {"game": found.games, "inbound": found.mails, "letter": found.letters}
    rows = [
        {"what": what, "state": state, "number": number}
        for what, by_state in counts.items()
        for state, number in by_state.items()
    ]
    rows.append({"what": "game", "state": "aside", "number": found.aside})
    rows.append({"what": "task", "state": "aside", "number": found.tasks_aside})
    rows.append({"what": "game", "state": "waiting for players", "number": found.awaiting_players})
    for task, owed in found.owed.items():
        rows.append({"what": "owed", "state": task, "number": owed.number})
        rows.append({"what": "oldest", "state": task, "number": int(owed.oldest)})
    rows += [{"what": "process", "state": name, "number": int(age)} for name, age in sorted(found.beats.items())]
    number = _("how many (processes, oldest: seconds since)")
    show(rows, {"what": _("what"), "state": _("state"), "number": number}, as_json)


@click.command(
    "settings", help=_("All settings, with what they are now; `--page` prints the page of the operator's guide.")
)
@click.option("--page", is_flag=True, help=_("Print names, defaults and meanings as Markdown."))
@as_json
def settings_page(page: bool, as_json: bool) -> None:
    """All settings."""
    if page:
        click.echo(settings_table(), nl=False)
        return
    now = read_settings()
    rows = [
        {
            "name": PREFIX + name.upper(),
            "value": _shown(now, name),
            "means": field.description,
        }
        for name, field in Settings.model_fields.items()
    ]
    show(rows, {"name": _("name"), "value": _("value"), "means": _("meaning")}, as_json)


def _shown(now: Settings, name: str) -> str:
    """A setting's value; of a secret only whether there is one."""
    value = str(getattr(now, name))
    return value if Settings.model_fields[name].repr else "…" * bool(value)


def settings_table() -> str:
    """The table of settings for the operator's guide."""
    lines = ["| setting | default | meaning |", "| --- | --- | --- |"]
    for name, field in Settings.model_fields.items():
        assert field.default is not PydanticUndefined
        default = "" if field.default in ("", None) else f"`{field.default}`"
        lines.append(f"| `{PREFIX}{name.upper()}` | {default} | {field.description} |")
    return "\n".join(lines) + "\n"


@click.command("sweep", help=_("Do what is owed, in this process; --keep-on is what `pbem up` does without a broker."))
@click.option("--keep-on", is_flag=True, help=_("Go on until told to stop."))
def sweep(keep_on: bool) -> None:
    """Do what is owed."""
    settings = _logging()
    with opened() as service:
        if not keep_on:
            settle(service)
            return
        told = told_to_stop()
        keeping_on = replace(service, stopping=told.is_set)
        settle(keeping_on)
        say_ready()
        while not told.wait(settings.sweep_seconds):
            settle(keeping_on)


@click.command("listen", help=_("Take mail in by SMTP or LMTP: one of the processes of `pbem up`."))
def listen() -> None:
    """Take mail in."""
    settings = _logging()
    with opened() as service:
        try:
            take_mail(published(service), told_to_stop(), lambda _port: say_ready())
        except OSError as error:
            raise taken(settings.mail_host, settings.mail_port, "MAIL_PORT", error) from error


def told_to_stop() -> threading.Event:
    """Set once the process is asked to end."""
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())
    return told


def _logging() -> Settings:
    settings = read_settings()
    logs.configure(settings.log_level, as_json=settings.log_json)
    return settings
