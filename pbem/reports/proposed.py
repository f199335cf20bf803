"""Proposals in sentences: for letters and pages."""

from collections.abc import Mapping
from typing import Any

from pbem.commandwords import does
from pbem.reports.game import GameWords
from pbem.words import Words


def proposed_told(kind: str, params: Mapping[str, Any], game: GameWords, words: Words) -> str:
    """What is proposed, as a sentence."""
    side = game.seat(params["seat"]) if params.get("seat") is not None else ""
    if kind == "end" and params["how"] == "concede":
        return words.gettext("The game ends now, and %(side)s has won it.") % {"side": side}
    if kind == "extend":
        hours = params["hours"]
        one = words.ngettext("The deadline is put off by one hour.", "The deadline is put off by %(num)s hours.", hours)
        return one % {"num": hours}
    if kind == "command":
        given = ", ".join(map(str, params["said"]))
        asked = f"{params['name']} ({given})" if given else params["name"]
        return words.gettext("%(command)s: %(does)s") % {
            "command": asked,
            "does": does(params["name"], words),
        }
    sentences = {
        "end": words.gettext("The game ends now, as a draw."),
        "pause": words.gettext("The game stands still until it is taken up again."),
        "resume": words.gettext("The game is taken up again."),
        "replace": words.gettext("%(side)s is taken from its player, and goes to who waits for a seat."),
    }
    return sentences[kind] % {"side": side}
