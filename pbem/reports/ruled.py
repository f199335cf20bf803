"""Rulings, and what a game's own policy did, in sentences: for letters, reports and pages."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pbem.reports.data import Told
from pbem.reports.game import GameWords
from pbem.words import Words

PLAYERS = "players"
"""Who rules by a vote."""
OPERATOR = "operator"
"""Who rules where no account does."""
UNRULED = frozenset(
    {
        "undone",
        "nmr_extended",
        "nmr_waited",
        "nmr_asked",
        "outage",
        "asked_in_vain",
        "quiet_paused",
        "taken_up",
        "abandoned",
    }
    | {"seat_opened", "seat_replaced", "seats_drawn"}
)
"""What nobody ruled: told without a name and a reason."""


def rulings_told(rulings: Sequence[Told], game: GameWords, words: Words) -> list[str]:
    """Rulings as sentences, each with its reason."""
    return [_ruling(ruling, game, words) for ruling in rulings]


def _ruling(ruling: Told, game: GameWords, words: Words) -> str:
    what = _what(ruling, game, words)
    if ruling.by == PLAYERS and ruling.reason:
        said = words.gettext("%(moment)s, by a vote of the players: %(what)s The reason: %(reason)s")
        return said % {"moment": words.moment(ruling.at), "what": what, "reason": ruling.reason}
    if ruling.by == PLAYERS:
        said = words.gettext("%(moment)s, by a vote of the players: %(what)s")
        return said % {"moment": words.moment(ruling.at), "what": what}
    if ruling.code in UNRULED:
        return words.gettext("%(moment)s: %(what)s") % {"moment": words.moment(ruling.at), "what": what}
    return words.gettext("%(moment)s, %(by)s: %(what)s The reason: %(reason)s") % {
        "moment": words.moment(ruling.at),
        "by": words.gettext("the operator") if ruling.by == OPERATOR else ruling.by,
        "what": what,
        "reason": ruling.reason,
    }


def _what(ruling: Told, game: GameWords, words: Words) -> str:
    params: Mapping[str, Any] = ruling.params
    side = game.seat(params["seat"]) if "seat" in params else ""
    sentences = {
        "orders_entered": words.gettext("Orders were entered for %(side)s."),
        "orders_withdrawn": words.gettext("The orders of %(side)s were withdrawn."),
        "deadline_extended": words.gettext("The deadline was moved to %(until)s."),
        "deadline_ended": words.gettext("The deadline was ended early."),
        "stage_forced": words.gettext("The stage was played to its end without waiting."),
        "rolled_back": _rolled_back(params, words),
        "redraw_asked": words.gettext(
            "It is proposed to set the game back to journal entry %(entry)s (%(stage)s), and to draw once more what was"
            " drawn anew before: that needs a second moderator, and nothing is done until then."
        ),
        "returned": words.gettext(
            "The game stands again as it did when it was set back before: %(stage)s, after journal entry %(entry)s."
        ),
        "orders_admitted": words.gettext("Late orders of %(side)s were admitted."),
        "seats_drawn": words.gettext("Who plays which side was drawn."),
        "observer_invited": words.gettext("Somebody was invited to observe the game."),
        "observer_removed": words.gettext("Somebody who observed the game may not any more."),
        "seat_offered": words.gettext("Another player was asked to take over %(side)s."),
        "seat_taken_away": words.gettext("%(side)s was taken from its player: the seat is open to another."),
        "seat_replaced": words.gettext("%(side)s has another player from now on."),
        "state_changed": words.gettext("The state of the game was changed by hand."),
        "press_muted": words.gettext("Messages of %(side)s go to no other player."),
        "press_unmuted": words.gettext("Messages of %(side)s go to other players again."),
        "copied": words.gettext(
            "The game, as it stood after journal entry %(entry)s, was copied as a what-if, hidden things too."
        ),
        "exported": words.gettext(
            "The whole game was written to a file, hidden things too, so that it can go on elsewhere."
        ),
        "looked": words.gettext("Hidden information was looked at."),
        "rules_moved": words.gettext("The game was moved to a newer version of the rules."),
        "ended_agreed": words.gettext("The game was ended, as all have agreed: %(how)s."),
        "ended": words.gettext("The game was ended."),
        "moved": words.gettext(
            "The game has moved: it goes on at another house, and is not played here any more. What it hides is not"
            " told here; at its end it is told there."
        ),
        "moved_back": words.gettext("The game is played here again. The deadline is %(until)s."),
        "resumed": words.gettext("The game goes on after a pause that was the service's fault."),
        "undone": words.gettext("%(side)s took its last act back, and the game went on from there anew."),
        "started": words.gettext("The game was started."),
        "standin_set": words.gettext("A stand-in (level %(level)s) plays %(side)s from now on."),
        "nmr_extended": words.gettext(
            "The orders of %(sides)s are missing. The deadline was put off to %(until)s, at the cost of the time that "
            "a silent side has in store."
        ),
        "nmr_waited": words.gettext("The orders of %(sides)s are missing. The game waits: until %(until)s."),
        "nmr_asked": words.gettext(
            "The orders of %(sides)s are missing: too many to play on. The game stands still, and its moderator is "
            "asked. Orders that come in take it up again."
        ),
        "asked_in_vain": words.gettext("The moderator has not answered: the game goes on without the missing orders."),
        "quiet_paused": _quiet(params, words),
        "taken_up": words.gettext("Orders have come in: the game goes on. The deadline is %(until)s."),
        "abandoned": words.gettext("No orders have come for a long time: the game has ended as abandoned."),
        "seat_opened": words.ngettext(
            "%(side)s has sent no orders in one stage: the seat is open to another player.",
            "%(side)s has sent no orders in %(stages)s stages in a row: the seat is open to another player.",
            params.get("stages", 1),
        ),
        "held_for_review": words.gettext("What comes of this stage is looked over before it is sent."),
        "sent": words.gettext("What had been looked over was played and sent (%(stage)s)."),
        "released": words.gettext("The game goes on without being looked over."),
        "previewed": words.gettext("What comes of the stage was looked over before it was sent, hidden things too."),
        "seen_as": words.gettext("What %(side)s sees and has ordered was looked at."),
        "paused": words.gettext("The game was paused. Orders are kept, and no deadline runs."),
        "unpaused": words.gettext("The game was taken up again. The deadline is %(until)s."),
        "policy_changed": words.gettext("What the game does by itself, or allows, was changed: %(policy)s."),
        "schedule_changed": words.gettext("From now on stages end otherwise: %(schedule)s. The deadline is %(until)s.")
        if "until" in params
        else words.gettext("From the next deadline on, stages end otherwise: %(schedule)s."),
        "outage": words.gettext("The service was down from %(from)s to %(to)s: the deadline was put off to %(until)s."),
        "standin_ended": words.gettext("No stand-in plays %(side)s any more."),
    }
    until = words.moment(datetime.fromisoformat(params["until"])) if "until" in params else ""
    given = {
        "side": side,
        "sides": ", ".join(game.seat(seat) for seat in params.get("seats", ())),
        "entry": params.get("entry", ""),
        "stage": _stage(params, game, words),
        "until": until,
        "level": params.get("level", ""),
    }
    given |= {name: _moment(params, name, words) for name in ("from", "to")}
    given |= {name: params.get(name, "") for name in ("stages", "policy", "schedule")}
    won = words.gettext("%(side)s has won") % {"side": side}
    given["how"] = won if params.get("how") == "concede" else words.gettext("a draw")
    return sentences[ruling.code] % given


def _moment(params: Mapping[str, Any], name: str, words: Words) -> str:
    return words.moment(datetime.fromisoformat(params[name])) if name in params else ""


def _stage(params: Mapping[str, Any], game: GameWords, words: Words) -> str:
    """A stage by its key, as reports call it."""
    turn, _, name = str(params.get("stage", "")).partition("-")
    given = {"turn": turn, "stage": game.name("stage", name) if name else ""}
    return words.gettext("turn %(turn)s: %(stage)s") % given if name else ""


def _rolled_back(params: Mapping[str, Any], words: Words) -> str:
    """What happened to play, to what chance had given, and to the orders."""
    sentences = {
        ("keep", "keep"): words.gettext(
            "The game was set back to %(stage)s, after journal entry %(entry)s. What was drawn since comes again as it"
            " was; the orders of that stage stand again and can be changed."
        ),
        ("keep", "clear"): words.gettext(
            "The game was set back to %(stage)s, after journal entry %(entry)s. What was drawn since comes again as it"
            " was; of the orders only the standing ones are left."
        ),
        ("redraw", "keep"): words.gettext(
            "The game was set back to %(stage)s, after journal entry %(entry)s. What was drawn since is drawn anew;"
            " the orders of that stage stand again and can be changed."
        ),
        ("redraw", "clear"): words.gettext(
            "The game was set back to %(stage)s, after journal entry %(entry)s. What was drawn since is drawn anew;"
            " of the orders only the standing ones are left."
        ),
    }
    return sentences[params.get("chance", "keep"), params.get("sheets", "keep")]


def _quiet(params: Mapping[str, Any], words: Words) -> str:
    """The pause of a game from which nothing is heard, and what ends it."""
    if "until" in params:
        return words.gettext(
            "Nobody has sent orders for %(stages)s stages: the game is paused. Orders, or `ready`, take it up again; "
            "without any it ends as abandoned at %(until)s."
        )
    return words.gettext(
        "Nobody has sent orders for %(stages)s stages: the game is paused. Orders, or `ready`, take it up again."
    )
