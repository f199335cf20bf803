"""The commands of the service that any game takes, read after their first word.

Params of a Command by name: `cancel` and `never_mind` {"kind", "round"} (kind empty for all standing orders, round -1
for any); `show` {"what": "orders" | "report"}; `history` {"turns"}; `absent` {"from", "to"} as YYYY-MM-DD, as MM-DD
where no year is given, as `today`, `tomorrow` or a day of the week (`mon`), or empty; `extend` and `propose_extend`
{"hours", "reason"}; `concede` and `propose_replace` {"seat"}; `help` {"topic"}, a kind of decision or the name of a
command, empty for all; `press` {"to": seats, "all" for their place, "moderator", "writer" for whose message is
answered, "text", "anonymous" where its writer asks for it}; `mute` and `unmute` {"whom": seats, "all", "anonymous",
"moderator"}. Those of `mail_daily`, `remind` and `quiet` are told in `habits`. The others have none.
"""

from dataclasses import dataclass
from typing import Any

from engine.contract import View
from engine.numerals import DIGITS
from engine.orders.cursor import Cursor, Unread
from engine.orders.habits import read_daily, read_quiet, read_remind
from engine.orders.language import Language
from engine.orders.shape import Command
from engine.orders.tokens import NUMBER, SIGN, WORD

TOPICS = ("conditions", "alternatives", "standing", "commands")
"""Topics of help that are no kind of decision."""
_LEADS = {"if": "conditions", "always": "standing", "please": "commands"}
MAX_TURNS = 99
TO_SEAT = ("concede", "propose_replace")
"""Commands that name one seat."""


def read_command(name: str, words: Cursor, language: Language, view: View) -> Command:
    """The command with its parameters. Raises Unread."""
    if name in TO_SEAT:
        seats = language.seats(view)
        params = {"seat": seats.index(words.word(*seats))}
        words.finish()
        return Command(name, params)
    readers = {
        "cancel": _cancel,
        "never_mind": _never_mind,
        "show": _show,
        "history": _history,
        "absent": _absent,
        "extend": _extend,
        "propose_extend": _extend,
        "help": _help,
        "mail_daily": read_daily,
        "remind": read_remind,
        "quiet": read_quiet,
    }
    if name in ("mute", "unmute"):
        return Command(name, {"whom": _whom(words, language, view)})
    reader = readers.get(name)
    params = reader(words, language) if reader is not None else {}
    words.finish()
    return Command(name, params)


@dataclass(frozen=True)
class Recipients:
    """Whom press is for: seats or `all`, others; and whether its writer is not to be named."""

    to: list[int | str]
    anonymous: bool


def recipients(words: Cursor, language: Language, view: View) -> Recipients:
    """Whom press is for, up to the colon or the end of the line. Raises Unread."""
    to: list[int | str] = []
    while True:
        _add(to, words, language, view, "all", "moderator", "writer")
        anonymous = _is_anonymous(words)
        if words.take_sign(":") or words.at >= words.end:
            seats_too = "all" not in to
            return Recipients([each for each in to if seats_too or isinstance(each, str)], anonymous)
        if anonymous or not (words.take("and") or words.take_sign(",", "&", "+")):
            raise words.unread("colon_expected", [":"])


def _is_anonymous(words: Cursor) -> bool:
    """Whether it says so here, perhaps behind a comma; that is passed over."""
    start = words.at
    words.take_sign(",", "-")
    if words.take("anonymous"):
        return True
    words.at = start
    return False


def _whom(words: Cursor, language: Language, view: View) -> list[int | str]:
    """Whose messages are meant, to the end of the line."""
    whom: list[int | str] = []
    words.take_sign(":")
    while True:
        _add(whom, words, language, view, "all", "anonymous", "moderator")
        if words.done:
            return whom
        if not (words.take("and") or words.take_sign(",", "&", "+")):
            raise words.unread("too_much", [])


def _add(found: list[int | str], words: Cursor, language: Language, view: View, *others: str) -> None:
    """The seat that is named next, or one of the other words, once."""
    seats = list(language.seats(view))
    name = words.word(*seats, *others)
    named: int | str = name if name in others else seats.index(name)
    if named not in found:
        found.append(named)


def _kind(words: Cursor, language: Language) -> str:
    kinds = words.lexicon.kinds
    found = words.word(*kinds, *(head for head in language.heads if head not in kinds))
    return found if found in kinds else language.heads[found][0]


def _cancel(words: Cursor, language: Language) -> dict[str, Any]:
    if words.take("all"):
        # That is another command.
        raise Unread("unknown_word", words.at - 2, [words.lexicon.say("clear")], over=2)
    kind, round_ = _kind(words, language), -1
    if kind in language.rounds and not words.done:
        words.take("round")
        round_ = 0 if words.take("any") else words.number()
    return {"kind": kind, "round": round_}


def _never_mind(words: Cursor, language: Language) -> dict[str, Any]:
    words.take("all")
    kind = "" if words.done else _standing(words, language)
    # `never mind danger: all`: which of them does not matter.
    if kind and words.take_sign(":"):
        _rest(words)
    return {"kind": kind, "round": -1}


def _standing(words: Cursor, language: Language) -> str:
    """The kind of a standing order. Which of them are on the sheet is not known here: none is put forward."""
    try:
        return _kind(words, language)
    except Unread as unread:
        raise Unread(unread.code, unread.at, expected=unread.params.get("expected", ())) from None


def _show(words: Cursor, language: Language) -> dict[str, Any]:
    return {"what": words.word("orders", "report")}


def _history(words: Cursor, language: Language) -> dict[str, Any]:
    turns = words.take_number()
    words.take("turns")
    return {"turns": min(MAX_TURNS, max(1, turns if turns is not None else 1))}


def _help(words: Cursor, language: Language) -> dict[str, Any]:
    if words.done:
        return {"topic": ""}
    start = words.at
    topic = words.take(*TOPICS)
    if topic is not None:
        return {"topic": topic}
    try:
        return {"topic": _kind(words, language)}
    except Unread as unread:
        words.at = start
        found = words.lexicon.heads.exact(words.words_ahead())
        place, _, name = found.id.partition(":") if found is not None else ("", "", "")
        within = words.lexicon.kind_of_part(words.words_ahead())
        if within:
            words.at += 1
            return {"topic": language.heads[within][0]}
        if found is None or place == "order":
            raise unread from None
        words.at += found.words
        return {"topic": _LEADS.get(name, name)}


def _extend(words: Cursor, language: Language) -> dict[str, Any]:
    words.take("by")
    amount = words.number()
    hours = amount * (24 if words.word("hours", "days") == "days" else 1)
    if not 1 <= hours <= 24 * 60:
        raise Unread("out_of_range", words.at - 1, ["24"], least=1, most=24 * 60)
    reason = ""
    if words.take_sign(":", ",", "-") or words.take("because"):
        reason = _rest(words)
    return {"hours": hours, "reason": reason}


def _rest(words: Cursor) -> str:
    said = "".join((" " if token.spaced else "") + token.text for token in words.tokens[words.at : words.end])
    words.at = words.end
    return said.strip()


def _absent(words: Cursor, language: Language) -> dict[str, Any]:
    words.take("from")
    start = "" if words.take("to", "until") else (_day_alone(words) or _date(words))
    if start and not (words.take("to", "until") or words.take_sign("-", "→")):
        raise words.unread("date_expected", ["to"])
    here = words.here
    if start and here is not None and here.kind == NUMBER and words.at + 1 == words.end and here.value < 32:
        # `dec 3-10`: the month stands once.
        words.at += 1
        return {"from": start, "to": f"{start.rpartition('-')[0]}-{here.value:02}"}
    return {"from": start, "to": _date(words)}


def _day_alone(words: Cursor) -> str:
    """The first day of `3 to 10 dec`, where the month stands once, at the end; passed over. Empty for anything else."""
    start, day = words.at, words.take_number()
    _skip_ordinal(words)
    between = words.at
    if day is not None and 1 <= day <= 31 and (words.take("to", "until") or words.take_sign("-", "→")):
        try:
            last = _date(words)
        except Unread:
            last = ""
        if last[-1:] in DIGITS:
            words.at = between
            return f"{last[:-2]}{day:02}"
    words.at = start
    return ""


def _skip_ordinal(words: Cursor) -> None:
    """The ending of `3rd`."""
    here = words.here
    if here is not None and here.kind == WORD:
        found = words.lexicon.days.exact([here.text])
        words.at += found is not None and found.id == "ordinal"


def _ends_date(words: Cursor, numbers: list[int], month: int) -> bool:
    """Whether a sign stands after a date and not within it: the dash of `dec 3-10` and of `3.12.-10.12.`."""
    before = words.tokens[words.at - 1] if words.at else None
    return words.tokens[words.at].text == "-" and (
        bool(month and numbers) or (before is not None and before.text == ".")
    )


def _date(words: Cursor) -> str:
    """`3 dec`, `dec 3rd`, `3 dec 2027`, `3.12.`, `2027-12-03`, `friday`, `tomorrow`."""
    here = words.here
    named = words.lexicon.days.exact([here.text]) if here is not None and here.kind == WORD else None
    if named is None or named.id == "ordinal":
        return _date_in_figures(words)
    words.at += 1
    return named.id


def _date_in_figures(words: Cursor) -> str:
    numbers: list[int] = []
    month = 0
    start = words.at
    while words.at < words.end and len(numbers) + (month > 0) < 3:
        token = words.tokens[words.at]
        if token.kind == NUMBER:
            numbers.append(token.value)
            words.at += 1
            _skip_ordinal(words)
            continue
        if token.kind == WORD and not month and (found := words.lexicon.months.exact([token.text])):
            month = int(found.id)
        elif not (token.kind == SIGN and token.text in ".-/," and not token.spaced) or _ends_date(
            words, numbers, month
        ):
            break
        words.at += 1
    if words.at < words.end and words.here is not None and words.here.text == ".":
        words.at += 1
    year = next((number for number in numbers if number > 999), 0)
    year_first = bool(year) and numbers[0] == year
    rest = [number for number in numbers if number != year]
    if not month and len(rest) == 2:
        rest, month = ([rest[1]], rest[0]) if year_first else ([rest[0]], rest[1])
    if len(rest) != 1 or not 1 <= month <= 12 or not 1 <= rest[0] <= 31:
        raise Unread("date_expected", start, ["3 dec"])
    day = f"{month:02}-{rest[0]:02}"
    return f"{year:04}-{day}" if year else day
