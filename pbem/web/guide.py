"""The player's guide and that to the API as pages, for everybody: letters link to the first."""

from functools import cache
from pathlib import Path

from flask import Blueprint
from flask.typing import ResponseReturnValue
from markdown_it import MarkdownIt
from markupsafe import Markup

from pbem.reports.environments import FOLDER
from pbem.web.pages import page

routes = Blueprint("guide", __name__)

PATH, PROGRAMS_PATH = "/guide", "/guide/api"
PLAYERS, PROGRAMS = "player.md", "api.md"
PLACES = (FOLDER.parent / "docs", FOLDER)
"""Where the guides are in a checkout, and where the wheel puts them."""


@routes.get(PATH)
def show() -> ResponseReturnValue:
    """The player's guide."""
    return page("guide", guide=rendered(PLAYERS), for_programs=False)


@routes.get(PROGRAMS_PATH)
def show_for_programs() -> ResponseReturnValue:
    """The guide to the API."""
    return page("guide", guide=rendered(PROGRAMS), for_programs=True)


@cache
def rendered(name: str) -> Markup:
    """A guide as HTML; it is written in English."""
    text = source(name).read_text(encoding="utf-8").replace(f"]({PROGRAMS})", f"]({PROGRAMS_PATH})")
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return Markup(parser.render(text))  # our own text, and no HTML passes from it


def source(name: str) -> Path:
    """A guide's file."""
    return next(folder / name for folder in PLACES if (folder / name).is_file())
