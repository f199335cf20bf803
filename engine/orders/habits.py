"""Commands by which a player says how letters come: when they are sent, reminders, quiet hours.

Params: `mail_daily` {"at": minutes after midnight, or -1 where none is named}; `remind` {"hours": 0 for never, to 168};
`quiet` {"begins", "ends": minutes after midnight, the same for none}. Times are those of the player's own zone.
`mail_each`, `mail_asked`, `mail_now`, `calendar_on` and `calendar_off` have none.
"""

import re
from typing import Any

from engine.orders.cursor import Cursor
from engine.orders.language import Language
from engine.orders.tokens import NUMBER

LONGEST_LEAD = 168
"""Hours before a deadline: a week."""
_NOON = 12
_BEHIND_H = re.compile("h([0-9]{2})")
"""A letter and the figures behind it are one token."""


def read_daily(words: Cursor, language: Language) -> dict[str, Any]:
    """`mail daily at 8:00`. Raises Unread."""
    named = _take(words, "at") or _is_number(words)
    return {"at": _time(words) if named else -1}


def read_remind(words: Cursor, language: Language) -> dict[str, Any]:
    """`remind 6h`, `remind me 1 day before the deadline`, `remind off`. Raises Unread."""
    if _take(words, "off"):
        return {"hours": 0}
    start, amount = words.at, words.number()
    hours = amount * (24 if words.word("hours", "days") == "days" else 1)
    if not 1 <= hours <= LONGEST_LEAD:
        words.at = start
        words.fail("out_of_range", ["6"], least=1, most=LONGEST_LEAD)
    _take(words, "before")
    return {"hours": hours}


def read_quiet(words: Cursor, language: Language) -> dict[str, Any]:
    """`quiet 22:00 to 7:00`, `quiet 10pm-7am`, `quiet off`. Raises Unread."""
    if _take(words, "off"):
        return {"begins": 0, "ends": 0}
    words.take("from")
    begins = _time(words)
    if not (words.take("to", "until") or words.take_sign("-", "→")):
        words.fail("time_expected", ["to"])
    start, ends = words.at, _time(words)
    if begins == ends:
        words.at = start
        words.fail("time_expected", ["7"])
    return {"begins": begins, "ends": ends}


def _take(words: Cursor, *ids: str) -> str | None:
    """The one of these that comes next, passed over; None if none does."""
    found = words.lexicon.habits.exact(words.words_ahead())
    if found is None or found.id not in ids:
        return None
    words.at += found.words
    return found.id


def _is_number(words: Cursor) -> bool:
    return words.here is not None and words.here.kind == NUMBER


def _time(words: Cursor) -> int:
    """Minutes after midnight of `8`, `8:00`, `18.30`, `18h`, `18h30`, `10 pm`, `midnight`. Raises Unread."""
    start = words.at
    named = _take(words, "midnight", "noon")
    if named is not None:
        return 0 if named == "midnight" else _NOON * 60
    hour = words.take_number() if _is_number(words) else None
    minute = _minute(words) if hour is not None else 0
    half = _take(words, "am", "pm")
    _take(words, "oclock")
    if half is not None and hour is not None:
        hour = hour % _NOON + (_NOON if half == "pm" else 0) if 1 <= hour <= _NOON else None
    if hour is None or hour > 23 or minute > 59:
        words.at = start
        words.fail("time_expected", ["8"])
    return hour * 60 + minute


def _minute(words: Cursor) -> int:
    """What stands right behind the hour, as in `8:30`, `8.30` and `8h30`; 0 for nothing."""
    here = words.here
    if here is None or here.spaced:
        return 0
    together = _BEHIND_H.fullmatch(here.text)
    if together is not None:
        words.at += 1
        return int(together[1])
    number = words.tokens[words.at + 1] if here.text in (".", ":") and words.at + 1 < words.end else None
    if number is None or number.kind != NUMBER or number.spaced:
        return 0
    words.at += 2
    return number.value
