"""The command line's words: in the language that PBEM_LANGUAGE names, in UTC."""

import os

from pbem.settings import PREFIX
from pbem.words import SOURCE, UnknownLanguage, Words


def _words() -> Words:
    try:
        return Words.of(os.environ.get(PREFIX + "LANGUAGE") or SOURCE)
    except UnknownLanguage:
        return Words.of(SOURCE)  # the settings refuse it, in these words


WORDS = _words()
_ = WORDS.gettext
