from dataclasses import replace

import click

from pbem.cli.opened import opened
from pbem.cli.processes import logging_as_set, told_to_stop
from pbem.cli.words import _
from pbem.supervisor.ready import say_ready
from pbem.sweep import settle


@click.command("sweep", help=_("Do what is owed, in this process; --keep-on is what `pbem up` does without a broker."))
@click.option("--keep-on", is_flag=True, help=_("Go on until told to stop."))
def sweep(keep_on: bool) -> None:
    """Do what is owed."""
    settings = logging_as_set()
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
