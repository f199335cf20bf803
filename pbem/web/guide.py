"""The player's guide as a page, for everybody: letters link to it."""

from functools import cache
from pathlib import Path

from flask import Blueprint
from flask.typing import ResponseReturnValue
from markdown_it import MarkdownIt
from markupsafe import Markup

from pbem.reports.environments import FOLDER
from pbem.web.pages import page

routes = Blueprint("guide", __name__)

PATH = "/guide"
PLACES = (FOLDER.parent / "docs" / "player.md", FOLDER / "player.md")
"""Where the guide is in a checkout, and where the wheel puts it."""


@routes.get(PATH)
def show() -> ResponseReturnValue:
    """The guide."""
    return page("guide", guide=rendered())


@cache
def rendered() -> Markup:
    """The guide as HTML; it is written in English."""
    text = source().read_text(encoding="utf-8")
    return Markup(MarkdownIt("commonmark", {"html": False}).render(text))  # our own text, and no HTML passes from it


def source() -> Path:
    """The guide's file."""
    return next(path for path in PLACES if path.is_file())
