"""The style sheet, the scripts and the icon: served by us, kept by the browser until they change."""

import hashlib

from flask import Blueprint, Response, abort

from pbem.reports.environments import FOLDER

routes = Blueprint("files", __name__)

_STYLE = (FOLDER / "web" / "page.css").read_bytes()
_SCRIPTS = {path.stem: path.read_bytes() for path in sorted((FOLDER / "web" / "scripts").glob("*.js"))}
_ICON = (FOLDER / "web" / "icon.svg").read_bytes()
STYLE_PATH = f"/style-{hashlib.sha256(_STYLE).hexdigest()[:12]}.css"
SCRIPTS = f"/scripts-{hashlib.sha256(b''.join(_SCRIPTS.values())).hexdigest()[:12]}"
"""The folder of this version's scripts: modules name each other from it."""
_KEEP = "public, max-age=31536000, immutable"


@routes.get("/style-<digest>.css")
def style(digest: str) -> Response:
    """The style sheet of this version."""
    if f"/style-{digest}.css" != STYLE_PATH:
        abort(404)
    return Response(_STYLE, content_type="text/css; charset=utf-8", headers={"Cache-Control": _KEEP})


@routes.get("/scripts-<digest>/<name>.js")
def script(digest: str, name: str) -> Response:
    """A module of this version."""
    if f"/scripts-{digest}" != SCRIPTS or name not in _SCRIPTS:
        abort(404)
    return Response(_SCRIPTS[name], content_type="text/javascript; charset=utf-8", headers={"Cache-Control": _KEEP})


@routes.get("/icon.svg")
def icon() -> Response:
    """The sign beside the page's title."""
    return Response(_ICON, content_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})
