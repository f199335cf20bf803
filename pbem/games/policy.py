"""What a game does when no orders come, and what press and observers it allows: settings with defaults."""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from engine.numerals import whole_number
from pbem.errors import Refused
from pbem.storage.models import Game

DEFAULTS, WAIT, STANDIN = "defaults", "wait", "standin"
SILENT = (DEFAULTS, WAIT, STANDIN)
"""What becomes of a stage over which a deadline passes without orders of a seat: see `Policy.nmr`."""
ASKED, QUIET, PAUSED = "asked", "quiet", "paused"
HELD = (ASKED, QUIET, PAUSED)
REVIEW = "review"
"""Why a game stands still: too many were silent and its moderator is asked; nobody sent anything for several stages; it
was paused."""
SIGNED, CHOOSE, ANONYMOUS = "signed", "choose", "anonymous"
PRESS = (SIGNED, CHOOSE, ANONYMOUS)
"""Whether messages between players say who wrote them: always, as their writer chooses, or never."""
OPEN, ANYBODY, INVITED, NOBODY = "open", "anybody", "invited", "nobody"
OBSERVERS = (OPEN, ANYBODY, INVITED, NOBODY)
"""Who may observe it: everybody where seats are open to whoever comes, else who is invited; everybody; who is invited;
nobody."""
_CHOICES = {"nmr": SILENT, "press": PRESS, "observers": OBSERVERS}
_LEAST = {"press_length": 100}
_MOST = {
    "press_a_day": 1000,
    "press_length": 20_000,
    "extensions": 20,
    "extension_hours": 744,
    "open_after": 100,
    "ask_share": 100,
    "ask_hours": 8784,
    "pause_after": 100,
    "abandon_days": 366,
    "gather_days": 366,
    "observer_delay": 99,
}


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is done for a seat without orders at the deadline (NMR). An empty sheet that was confirmed is not one.

    First the seat's budget of `extensions` is used up, each of `extension_hours`. Then it goes by `nmr`: `defaults`
    plays the seat by them, `standin` lets a stand-in of `level` play it for this stage, `wait` reminds the player and
    waits for another stage's time. After `open_after` such stages in a row the seat is opened (0: never). Where more
    than `ask_share` per cent of the seats are silent, the game stops and asks its moderator, if it has one; it goes on
    by itself after `ask_hours` (0: never). Where nobody sent anything for `pause_after` stages (0: never) it pauses,
    and `abandon_days` later it ends as abandoned (0: never). One that has not begun is called off when for
    `gather_days` nobody was invited and nobody came (0: never).

    `press` is one of `PRESS`. A seat may send `press_a_day` messages within 24 hours, each of up to `press_length`
    characters. `observers` is one of `OBSERVERS`: they see what happened once `observer_delay` more turns are played.
    """

    nmr: str = DEFAULTS
    level: str = "steady"
    extensions: int = 0
    extension_hours: int = 24
    open_after: int = 3
    ask_share: int = 50
    ask_hours: int = 72
    pause_after: int = 3
    abandon_days: int = 14
    gather_days: int = 30
    press: str = SIGNED
    press_a_day: int = 50
    press_length: int = 5000
    observers: str = OPEN
    observer_delay: int = 2


NAMES = Policy.__struct_fields__


def policy_of(game: Game) -> Policy:
    """What the game goes by."""
    return _read(game.policy)


def changed(policy: Policy, given: Mapping[str, str], levels: Mapping[str, object]) -> Policy:
    """The policy with other values, from their written form; `levels` are those of the rules' stand-ins.

    Raises Refused `unknown_policy`, `policy_value`, `unknown_level`.
    """
    values: dict[str, str | int] = {name: getattr(policy, name) for name in NAMES}
    for name, text in given.items():
        values[name] = _value(name, text.strip().lower())
    made = msgspec.convert(values, Policy)
    if made.nmr == STANDIN and made.level not in levels:
        raise Refused("unknown_level", given=made.level, levels=", ".join(levels))
    return made


def encode(policy: Policy) -> str:
    """As the game's row keeps it: what is at its default is left out."""
    return msgspec.json.encode(policy).decode()


def _value(name: str, text: str) -> str | int:
    if name not in NAMES:
        raise Refused("unknown_policy", given=name, known=", ".join(NAMES))
    if name == "level":
        return text
    if name in _CHOICES:
        if text not in _CHOICES[name]:
            raise Refused("policy_value", name=name, given=text, legal=", ".join(_CHOICES[name]))
        return text
    least, most = _LEAST.get(name, 0), _MOST[name]
    number = whole_number(text, 5)
    if number is None or not least <= number <= most:
        raise Refused("policy_value", name=name, given=text, legal=f"{least}–{most}")
    return number


@lru_cache(maxsize=256)
def _read(stored: str) -> Policy:
    return msgspec.json.decode(stored or "{}", type=Policy)
