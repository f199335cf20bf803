"""Messages of my seat."""

from datetime import datetime

from pydantic import Field

from engine.orders.lexicon import lexicon
from pbem.games.policy import policy_of
from pbem.games.rules import module_of, setup_of
from pbem.reports.game import game_words
from pbem.reports.render import acknowledgement_params
from pbem.sheets.lines import tongue_of
from pbem.sheets.messages import (
    EVERYONE,
    MODERATOR,
    Message,
    TooManyLines,
    message_order,
    messages_of,
    recipients,
)
from pbem.storage.models import Game, Seat
from pbem.web.api import orders, problems
from pbem.web.api.access import Caller
from pbem.web.api.calls import Answer, Body, Calls
from pbem.web.api.problems import Refusal
from pbem.web.pages import seat_of, service
from pbem.web.press import MAX_TEXT
from pbem.words import Words

calls = Calls()

MOST_READERS = 20


class Written(Answer):
    """A message that was written to my seat, or by it."""

    author: str = Field(description="Empty where it is not told, and for the moderator.")
    readers: list[str]
    everyone: bool
    to_moderator: bool
    from_moderator: bool
    mine: bool
    at: datetime
    text: str


class Messages(Answer):
    """What was written to my seat and by it, the newest first; the newest 200."""

    messages: list[Written]
    may_write: bool
    most_characters: int
    most_a_day: int


class NewMessage(Body):
    """A message to send."""

    to: list[str] = Field(
        min_length=1,
        max_length=MOST_READERS,
        description="The ids of sides as `show_game` has them, `all`, or `moderator`.",
    )
    text: str = Field(min_length=1, max_length=MAX_TEXT, pattern=orders.NO_NUL)
    anonymous: bool = False
    key: str = orders.Key


class Sent(Answer):
    """A message that is on its way."""

    duplicate: bool = Field(description="Whether the same was sent before with that key: it has counted once.")


@calls.get("/games/<code>/messages")
def list_messages(who: Caller, code: str) -> Messages:
    """The messages of my seat."""
    game, seat = seat_of(code, who.id)
    said = game_words(game.rules, setup_of(game), who.words.language)
    policy = policy_of(game)
    with service().reading() as reading:
        found = messages_of(reading, game, seat, said)
    return Messages(
        messages=[_told(each) for each in found],
        may_write=not seat.press_muted,
        most_characters=policy.press_length,
        most_a_day=policy.press_a_day,
    )


@calls.post("/games/<code>/messages")
def send_message(who: Caller, code: str, given: NewMessage) -> Sent:
    """Write to other sides, to all of them, or to the moderator."""
    game, seat = orders.playing(code, who)
    module = module_of(game)
    sides = module.seat_names[: setup_of(game).seats]
    chosen = _chosen(given, sides, seat, who.words)
    words = lexicon(module.language.words, tongue_of(module, who.words.language))
    try:
        text = message_order(words, recipients(words, sides, seat.number, chosen), given.text, unsigned=given.anonymous)
    except TooManyLines:
        raise Refusal(413, "too_long") from None
    return _sent(game, seat, given, text, who)


def _sent(game: Game, seat: Seat, given: NewMessage, text: str, who: Caller) -> Sent:
    taken = orders.kept(game, seat, text, given.key)
    told = taken.acknowledgement
    if told is not None:
        problems_told = [reason for _, reason, _ in acknowledgement_params(told, who.words)["problems"]]
        if problems_told:
            raise Refusal(409, "not_sent", {"reason": " ".join(problems_told)})
    return Sent(duplicate=taken.duplicate)


def _chosen(given: NewMessage, sides: tuple[str, ...], seat: Seat, words: Words) -> list[str]:
    """Whom it is for, as numbers of seats, `all` and `moderator`. Raises Refusal for one that there is not."""
    known = {name: str(number) for number, name in enumerate(sides) if number != seat.number}
    known |= {EVERYONE: EVERYONE, MODERATOR: MODERATOR}
    wrong = [
        problems.unknown_reader(place, ", ".join(known), words)
        for place, name in enumerate(given.to)
        if name not in known
    ]
    if wrong:
        raise Refusal(422, "bad_body", errors=wrong)
    return [known[name] for name in given.to]


def _told(message: Message) -> Written:
    return Written(
        author=message.author,
        readers=message.readers,
        everyone=message.everyone,
        to_moderator=message.moderator,
        from_moderator=message.from_moderator,
        mine=message.mine,
        at=message.at,
        text=message.text,
    )
