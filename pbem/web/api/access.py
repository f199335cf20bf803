"""Who calls, and what they may: by the token in the header alone, never by a session."""

from dataclasses import dataclass
from hashlib import blake2b

from flask import g, request
from flask_limiter.util import get_remote_address

from pbem import tokens
from pbem.tokens import PLAY, bearer
from pbem.web.api.problems import Refusal
from pbem.web.pages import service
from pbem.words import Words, languages

MAX_TOKEN = 200
"""Characters of a header that are looked at."""


@dataclass(frozen=True)
class Caller:
    """Whose token it is."""

    id: int
    words: Words


def caller(scope: str) -> Caller:
    """Who calls. Raises Refusal where there is no good token, or one that is not good for as much as `scope`."""
    found = bearer(service(), _secret())
    if found is None or found.account.id is None:
        raise Refusal(401, "no_token")
    g.api_words = Words.of(found.account.language, found.account.zone)
    if scope == PLAY and found.scope != PLAY:
        raise Refusal(403, "read_only")
    return Caller(found.account.id, g.api_words)


def words() -> Words:
    """The caller's words; those of a stranger by what they prefer."""
    if "api_words" in g:
        known: Words = g.api_words
        return known
    ours = service().settings
    return Words.of(request.accept_languages.best_match(languages()) or ours.language, ours.time_zone)


def counted_as() -> str:
    """For whom a call is counted: the token, which is not looked up for that, or the address of who has none."""
    secret = _secret()
    if not secret.startswith(tokens.SIGN):
        return get_remote_address()
    return f"token {blake2b(secret.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"


def _secret() -> str:
    kind, _, secret = request.headers.get("Authorization", "")[:MAX_TOKEN].partition(" ")
    return secret.strip() if kind.lower() == "bearer" else ""
