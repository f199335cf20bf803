"""The command line's words: in the language that PBEM_LANGUAGE names, in UTC."""

import os

from pbem.settings import PREFIX
from pbem.words import SOURCE, Words, languages


def _words() -> Words:
    given = os.environ.get(PREFIX + "LANGUAGE")
    return Words.of(given if given in languages() else SOURCE)  # the settings refuse all others, in these words


WORDS = _words()
_ = WORDS.gettext
