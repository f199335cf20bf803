"""How hard it is to guess what is secret: bits that are random, or that a key has made."""

import base64
import math
from datetime import timedelta
from pathlib import Path

import pytest

from pbem import keys
from pbem.accounts import new_link
from pbem.mail.identity import Identity, Mark, Purpose
from pbem.storage.sessions import Database
from pbem.tokens import SIGN, make_token
from tests.pbem.playing import begun, service_on

MANY = 20
LEAST = 128


def _bits(secret: str) -> int:
    """The bits of a secret in base64."""
    return 8 * len(base64.urlsafe_b64decode(secret + "=" * (-len(secret) % 4)))


def _looks_random(made: list[bytes]) -> bool:
    """Whether about half of all bits are set, each in some of them and not in others, and no two are the same."""
    together = [int.from_bytes(each, "big") for each in made]
    size = 8 * len(made[0])
    always = [bit for bit in range(size) if len({number >> bit & 1 for number in together}) == 1]
    share = sum(number.bit_count() for number in together) / (size * len(made))
    return len(set(made)) == len(made) and len(always) < size / 8 and math.isclose(share, 0.5, abs_tol=0.05)


def test_tokens_of_programs_links_and_keys_can_not_be_guessed(database: Database, tmp_path: Path) -> None:
    """Each has 128 random bits at least, other ones every time."""
    service = service_on(database)
    begun(service)
    tokens = []
    for number in range(MANY):
        tokens.append(make_token(service, 1 + number % 3, f"program {number}", "read").removeprefix(SIGN))
    links = [new_link(1, "signin", "", timedelta(minutes=1))[0] for _ in range(MANY)]
    for number in range(MANY):
        keys.ensure(tmp_path / str(number))
    signing = [keys.load(tmp_path / str(number))[0] for number in range(MANY)]
    for secrets in (tokens, links):
        assert min(map(_bits, secrets)) >= LEAST
        assert _looks_random([base64.urlsafe_b64decode(each + "=" * (-len(each) % 4)) for each in secrets])
    assert min(8 * len(key) for key in signing) >= LEAST
    assert _looks_random(signing)


def test_secrets_and_salts_of_games_can_not_be_guessed(database: Database) -> None:
    """A game's chance hangs on 256 bits of its own, a sheet's seal on 128."""
    service = service_on(database)
    games = [begun(service) for _ in range(6)]
    for match in games:
        match.say(0, "bid 1 or 2 or 3")
    assert _looks_random([match.game.secret for match in games])
    assert min(len(match.game.secret) for match in games) * 8 >= 2 * LEAST
    salts = [match.seats[0].nonce for match in games]
    assert min(map(len, salts)) * 8 >= LEAST
    assert _looks_random(salts)


@pytest.mark.parametrize("purpose", list(Purpose))
def test_a_reply_address_can_not_be_made_up(purpose: Purpose) -> None:
    """Its code has 112 bits, and follows from the key: another letter, purpose, generation or key has another one."""
    identity, other = (Identity("play.example", (key * 32,)) for key in (b"k", b"l"))
    marks = [Mark(letter, purpose, generation) for letter in (1, 2, 3) for generation in (0, 1)]
    codes = [base64.b32decode(each.token(mark).upper())[11:] for mark in marks for each in (identity, other)]
    assert {len(code) * 8 for code in codes} == {112}
    assert _looks_random(codes)


def test_the_secret_of_a_game_is_in_none_of_its_letters(database: Database) -> None:
    """While it goes on: neither in the text nor in the bytes."""
    service = service_on(database)
    match = begun(service)
    match.say(0, "bid 1 or 2 or 3")
    match.settle()
    secret = match.game.secret
    assert match.letters()
    for letter in match.letters():
        for form in (secret, secret.hex().encode(), base64.b64encode(secret)):
            assert form not in letter.content
            assert form not in letter.text.encode()
