"""The command line's words: in the language that PBEM_LANGUAGE names, in UTC."""

import os

from pbem.settings import PREFIX
from pbem.words import SOURCE, Words

WORDS = Words.of(os.environ.get(PREFIX + "LANGUAGE") or SOURCE)
_ = WORDS.gettext
