"""Reply mails of our own making, in the true shapes of mail programs, each with the exact lines expected."""

import email
from collections.abc import Iterable
from email.message import EmailMessage
from email.policy import default
from itertools import count

import msgspec

from pbem.mail.message import read
from pbem.storage.models import Letter
from tests.pbem.mail.corpus import odd, others, programs, shapes
from tests.pbem.mail.corpus.mime import MESSAGE_ID, Original
from tests.pbem.mail.corpus.tongues import DE, EN, FR, TONGUES

SAID = "bid 1200\nalways danger: all\nplace workshop 1 or workshop 2\nready"
"""What all of them say, three orders and a command, but those that say it in characters of their own."""


class Reply(msgspec.Struct, frozen=True):
    """One mail. `lines` are those that the player wrote, without blank ones."""

    name: str
    raw: bytes
    lines: tuple[str, ...]


def original_of(letter: Letter, reply_address: str) -> Original:
    """A letter of ours as its reader's program has it."""
    message = email.message_from_bytes(letter.content, policy=default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("html",))
    assert body is not None
    html = str(body.get_content())
    inside = html[html.index("<body") : html.index("</body>")].partition(">")[2]
    name = read(letter.content).sender_name
    return Original(name, reply_address, letter.message_id, letter.subject, letter.recipient, letter.text, inside)


def replies(original: Original) -> list[Reply]:
    """All of them."""
    made: dict[str, tuple[bytes, str]] = {}
    for group, tongues in ((programs.MANY, TONGUES), (programs.SOME, (EN, FR, DE)), (programs.ONCE, (EN,))):
        for program in group:
            for tongue in tongues:
                made[f"{program.__name__} {tongue.code}"] = program(original, tongue, SAID), SAID
    made |= {name: (raw, SAID) for name, raw in shapes.of_one_shape(original, SAID).items()}
    made |= shapes.of_their_own(original, SAID)
    for name, each in (others.others(original, SAID) | odd.odd(original, SAID)).items():
        made[name] = each if isinstance(each, tuple) else (each, SAID)
    raws = numbered([raw for raw, _ in made.values()])
    return [
        Reply(name, raw, tuple(said.split("\n"))) for raw, (name, (_, said)) in zip(raws, made.items(), strict=True)
    ]


def numbered(raws: Iterable[bytes]) -> list[bytes]:
    """The mails with a Message-ID of its own in each that has an ordinary one."""
    made = (f"<reply{number}@players.example>".encode() for number in count())
    return [raw.replace(MESSAGE_ID.encode(), name, 1) for raw, name in zip(raws, made, strict=False)]
