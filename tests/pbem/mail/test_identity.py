"""Tokens: what they prove, and what they refuse."""

import random

from pbem.mail.identity import Identity, Mark, Purpose

OLD, NEW = b"o" * 32, b"n" * 32
IDENTITY = Identity("games.example", (NEW, OLD))
MARK = Mark(2**63 - 5, Purpose.ORDERS, 7)


def test_token_says_what_it_was_made_from() -> None:
    """Letter, purpose and generation come back from the address and from the Message-ID."""
    for mark in (MARK, Mark(0, Purpose.NOTICE, 0), Mark(1, Purpose.INVITATION, 65_535)):
        assert IDENTITY.find([IDENTITY.reply_address(mark)], []).mark == mark
        assert IDENTITY.find([IDENTITY.bounce_address(mark)], []).mark == mark
        assert IDENTITY.find(["someone@else.example"], [IDENTITY.message_id(mark)]).mark == mark


def test_local_part_is_short_and_survives_upper_case() -> None:
    """At most 64 characters before the @, and a server that upper-cases it does no harm."""
    address = IDENTITY.reply_address(MARK)
    assert len(address.partition("@")[0]) <= 64
    assert address == address.lower()
    assert IDENTITY.find([address.upper()], []).mark == MARK


def test_old_keys_verify_while_listed() -> None:
    """A letter from before a change of keys can still be answered, until its key is taken off the list."""
    token = Identity("games.example", (OLD,)).token(MARK)
    assert IDENTITY.read(token) == MARK
    assert Identity("games.example", (NEW,)).read(token) is None


def test_no_changed_token_is_believed() -> None:
    """Whatever character of a token is changed, it is refused, and said to be forged."""
    stream = random.Random(5)
    token = IDENTITY.token(MARK)
    for place in range(len(token)):
        other = stream.choice([letter for letter in "abcdefghijklmnopqrstuvwxyz234567" if letter != token[place]])
        forged = token[:place] + other + token[place + 1 :]
        found = IDENTITY.find([f"play+{forged}@games.example"], [])
        assert found.mark is None
        assert found.forged


def test_rubbish_is_no_token() -> None:
    """Addresses of any shape are read without an error and prove nothing."""
    for text in ("", "@", "play+@x", "play+äöü@x", "\x00" * 50, "play+" + "a" * 40 + "@x", "b" * 70_000):
        assert IDENTITY.find([text], [text]).mark is None


def test_a_good_message_id_makes_up_for_a_bad_address() -> None:
    """In-Reply-To is as good as the token."""
    found = IDENTITY.find(["play+" + "a" * 40 + "@games.example"], [IDENTITY.message_id(MARK)])
    assert found.mark == MARK


def test_only_known_local_parts_of_our_domain_are_ours() -> None:
    """Recipients are ours by domain and local part, with or without a token."""
    assert IDENTITY.is_ours("Play@Games.Example")
    assert IDENTITY.is_ours(IDENTITY.bounce_address(MARK))
    assert not IDENTITY.is_ours("root@games.example")
    assert not IDENTITY.is_ours("play@other.example")
    assert not IDENTITY.is_ours("play")
