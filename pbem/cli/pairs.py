"""NAME=VALUE on the command line."""

from collections.abc import Sequence

import click

from pbem.cli.words import _


def pairs(given: Sequence[str], hint: str) -> dict[str, str]:
    """What was written, by name. Raises BadParameter for one that is not NAME=VALUE, or given twice."""
    found: dict[str, str] = {}
    for text in given:
        name, mark, value = text.partition("=")
        if not mark:
            raise click.BadParameter(_("An option is written NAME=VALUE."), param_hint=hint)
        if name in found:
            raise click.BadParameter(_("The option %(option)s is given twice.") % {"option": name}, param_hint=hint)
        found[name] = value
    return found
