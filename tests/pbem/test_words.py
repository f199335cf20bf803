from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem import words as module
from pbem.words import PSEUDO, UnknownLanguage, Words, accented, languages

MOMENT = datetime(2026, 12, 3, 17, 0, tzinfo=UTC)


def test_a_deadline_is_told_in_the_recipients_zone() -> None:
    """The same moment reads as the clock on the wall of each player does, and names the zone."""
    assert Words.of("en", "Europe/Paris").moment(MOMENT) == "Thursday 3 December, 18:00 (Europe/Paris)"
    assert Words.of("en", "America/New_York").moment(MOMENT) == "Thursday 3 December, 12:00 (America/New_York)"
    assert Words.of("en", "Pacific/Auckland").moment(MOMENT) == "Friday 4 December, 06:00 (Pacific/Auckland)"


def test_money_numbers_and_spans_read_as_the_language_writes_them() -> None:
    """Thousands are grouped and spans have their units."""
    english = Words.of("en")
    assert (english.money(12500), english.number(1900), english.span(timedelta(days=2))) == (
        "$12,500",
        "1,900",
        "2 days",
    )


def test_a_catalog_is_read_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `.po` file dropped into the folder is a language: messages, plurals and dates."""
    folder = tmp_path / "nl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "pbem.po").write_text(
        'msgid ""\nmsgstr "Language: nl\\nContent-Type: text/plain; charset=utf-8\\n'
        'Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
        'msgid "EEEE d MMMM, HH:mm"\nmsgstr "EEEE d MMMM \'om\' HH:mm"\n\n'
        'msgid "one"\nmsgid_plural "many"\nmsgstr[0] "een"\nmsgstr[1] "veel"\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    module.translations.cache_clear()
    dutch = Words.of("nl", "Europe/Amsterdam")
    assert languages() == ("en", "nl")
    assert dutch.moment(MOMENT) == "donderdag 3 december om 18:00 (Europe/Amsterdam)"
    assert (dutch.ngettext("one", "many", 1), dutch.ngettext("one", "many", 2)) == ("een", "veel")
    module.translations.cache_clear()


def test_a_language_without_a_catalog_is_refused() -> None:
    """Nobody gets another language in silence."""
    with pytest.raises(UnknownLanguage):
        Words.of("tlh")


def test_the_pseudo_locale_leaves_no_letter_plain_and_no_placeholder_changed() -> None:
    """So whatever shows up plain has bypassed the catalog."""
    pseudo = Words.of(PSEUDO, "Europe/Paris")
    assert not any(letter.isascii() and letter.isalpha() for letter in pseudo.moment(MOMENT))
    assert accented("Write `bid 3` to %(who)s") == "Ŵříťé `bid 3` ťó %(who)s"
