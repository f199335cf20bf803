"""What goes wrong for an operator, told on standard error. A fault of the program shows itself whole."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from pbem.persontext import escaped


@contextmanager
def told() -> Iterator[None]:
    """Let a command end with a sentence where it can't do what it is asked."""
    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        from pbem.cli.faults import said  # noqa: PLC0415 - it knows all that can go wrong, and so imports much

        text = said(error)
        if text is None:
            raise
        raise click.ClickException(escaped(text)) from error
