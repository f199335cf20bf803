"""The settings, and the page about them."""

import click
from pydantic_core import PydanticUndefined

from pbem.cli.opened import read_settings
from pbem.cli.shown import as_json, show
from pbem.cli.words import _
from pbem.settings import PREFIX, Settings


@click.command(
    "settings", help=_("All settings, with what they are now; `--page` prints the page of the operator's guide.")
)
@click.option("--page", is_flag=True, help=_("Print names, defaults and meanings as Markdown."))
@as_json
def settings(page: bool, as_json: bool) -> None:
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
