"""All words that a person reads: messages, money, dates and deadlines in the recipient's language and time zone.

A `Words` belongs to one recipient and needs no request: workers compose mail with it. The English texts in code and
templates are the keys of the catalogs. A catalog is a `.po` file under `pbem/locale/<language>/LC_MESSAGES/`, read as
it is, so that there is nothing to compile. The language `xx` is a pseudo-locale in which every message is bracketed and
accented: a word that shows up plain in it has bypassed the catalog.
"""

import gettext
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_datetime, format_time, format_timedelta
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

FOLDER = Path(__file__).parent / "locale"
DOMAIN = "pbem"
SOURCE = "en"
"""The language that messages are written in."""
PSEUDO = "xx"


class UnknownLanguage(LookupError):
    """A language that there is no catalog for."""


def languages() -> tuple[str, ...]:
    """The languages that a person may choose."""
    return (SOURCE, *sorted(path.parts[-3] for path in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.po")))


@dataclass(frozen=True)
class Words:
    """One recipient's language and time zone."""

    language: str
    zone: ZoneInfo

    @classmethod
    def of(cls, language: str, zone: str = "UTC") -> "Words":
        """Raises UnknownLanguage, and ZoneInfoNotFoundError for a zone that there is not."""
        translations(language)
        return cls(language, ZoneInfo(zone))

    def gettext(self, message: str) -> str:
        """A whole message in the language."""
        return translations(self.language).gettext(message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        """The form of a whole message for that number."""
        return translations(self.language).ngettext(one, many, n)

    def number(self, n: int) -> str:
        """`1,900`."""
        return _number(self.language, n)

    def money(self, amount: int) -> str:
        """`$1,900`."""
        return self.gettext("$%(amount)s") % {"amount": self.number(amount)}

    def moment(self, at: datetime) -> str:
        """`Thursday 3 December, 18:00 (Europe/Paris)`. `at` is aware, in any zone."""
        return _moment(self, at)

    def day(self, at: datetime) -> str:
        """`Thursday 3 December`."""
        pattern = _("EEEE d MMMM")
        locale = _locale(self.language)
        return self._written(format_datetime(at, self._pattern(pattern), tzinfo=self.zone, locale=locale))

    def clock(self, at: datetime) -> str:
        """`18:00`."""
        return format_time(at, "HH:mm", tzinfo=self.zone, locale=_locale(self.language))

    def span(self, length: timedelta) -> str:
        """`2 days`."""
        return self._written(format_timedelta(length, locale=_locale(self.language)))

    def _pattern(self, pattern: str) -> str:
        return pattern if self.language == PSEUDO else self.gettext(pattern)

    def _written(self, text: str) -> str:
        """What Babel wrote, which in the pseudo-locale counts as translated."""
        return accented(text) if self.language == PSEUDO else text


@lru_cache(maxsize=4096)
def _number(language: str, n: int) -> str:
    return str(format_decimal(n, locale=_locale(language)))


@lru_cache(maxsize=1024)
def _moment(words: Words, at: datetime) -> str:
    pattern = words._pattern(_("EEEE d MMMM, HH:mm"))
    day = format_datetime(at, pattern, tzinfo=words.zone, locale=_locale(words.language))
    return words._written(words.gettext("%(day)s (%(zone)s)") % {"day": day, "zone": words.zone.key})


def _(message: str) -> str:
    """Marks a message for extraction where it can't be translated yet."""
    return message


@lru_cache
def _locale(language: str) -> Locale:
    return Locale.parse(SOURCE if language == PSEUDO else language)


@lru_cache
def translations(language: str) -> gettext.NullTranslations:
    """The catalog of a language. Raises UnknownLanguage."""
    if language == SOURCE:
        return gettext.NullTranslations()
    if language == PSEUDO:
        return _Pseudo()
    path = FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    if language not in languages():
        raise UnknownLanguage(language)
    compiled = io.BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTED = "áƀčďéƒǧȟíǰķľɱñóƥʠřšťúṽŵẋýžÁɃČĎÉƑǦȞÍǰĶĽṀÑÓƤɊŘŠŤÚṼŴẊÝŽ"
_TABLE = str.maketrans(_PLAIN, _ACCENTED)
_KEPT = re.compile(r"%\(\w+\)\w|</?\w[^>]*>|&\w+;|`[^`]*`")


def accented(text: str) -> str:
    """A text with every letter replaced by one that looks like it, but for placeholders, markup and `quoted orders`."""
    kept = _KEPT.findall(text)
    pieces = [piece.translate(_TABLE) for piece in _KEPT.split(text)]
    return "".join(piece + mark for piece, mark in zip(pieces, [*kept, ""], strict=True))


class _Pseudo(gettext.NullTranslations):
    """Every message bracketed, so that joined pieces show, and accented, so that plain words do."""

    def gettext(self, message: str) -> str:
        return f"⟦{accented(message)}⟧" if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def formatted(words: Words, message: str, params: Mapping[str, object]) -> str:
    """A whole message with its parameters set in."""
    return words.gettext(message) % params
