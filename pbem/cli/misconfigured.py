"""What is wrong with the settings, by name and place, never by value."""

import os
import re
from difflib import get_close_matches
from pathlib import Path

from pydantic import ValidationError

from pbem.cli.words import _
from pbem.settings import CONFIG, PREFIX, Settings, UnknownSettings
from pbem.tomlfiles import lines_of, read_text

_UNKNOWN = "extra_forbidden"


def unknown_said(error: UnknownSettings) -> str:
    """Of names in the environment."""
    wrong = [f"{name}: {_no_setting(name.upper().removeprefix(PREFIX), PREFIX)}" for name in error.names]
    return "\n".join([_("These settings can't be used:"), *wrong])


def invalid_said(error: ValidationError) -> str:
    """Of values, wherever they were given, and of names in the file."""
    wrong = [
        f"{_place(str(each['loc'][0]))}: {_problem(str(each['loc'][0]), each['type'], each['msg'])}"
        for each in error.errors(include_input=False)
    ]
    return "\n".join([_("These settings can't be used:"), *wrong])


def _problem(name: str, kind: str, message: str) -> str:
    return _no_setting(name, "") if kind == _UNKNOWN else message.removeprefix("Value error, ")


def _no_setting(name: str, prefix: str) -> str:
    bare = name.lower().removeprefix(PREFIX.lower())
    near = get_close_matches(bare, Settings.model_fields, 1)
    if not near:
        return _("there is no such setting; `pbem settings --page` lists all")
    meant = prefix + near[0].upper() if prefix else near[0]
    return _("there is no such setting; %(meant)s may be meant") % {"meant": meant}


def _place(name: str) -> str:
    """The name as it was given, and the line of the file where it stands in one."""
    variable, config = PREFIX + name.upper(), os.environ.get(CONFIG, "")
    if not config or variable in map(str.upper, os.environ):
        return variable
    return _("%(file)s, line %(line)s, %(name)s") % {"file": config, "line": _line(Path(config), name), "name": name}


def _line(file: Path, name: str) -> int:
    text = read_text(file)
    if file.suffix == ".toml":
        return lines_of(text, [(name,)])[name,]
    bare = name.removeprefix(PREFIX.lower())
    found = re.search(rf"^\s*(export\s+)?(?:{PREFIX})?{re.escape(bare)}\s*=", text, re.MULTILINE | re.IGNORECASE)
    return text.count("\n", 0, found.start(1) if found and found[1] else found.end()) + 1 if found else 1
