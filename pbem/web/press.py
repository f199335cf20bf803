"""Messages between players: written as the order language has them, kept with the game."""

import secrets
from collections.abc import Sequence
from hashlib import blake2b

from flask import Blueprint, abort, flash, request
from flask.typing import ResponseReturnValue

from engine.orders.lexicon import Lexicon, lexicon
from pbem import clock
from pbem.games.policy import policy_of
from pbem.games.position import holds, seat_rows
from pbem.games.rules import module_of, setup_of
from pbem.mail.catchingup import submit_in_turn
from pbem.reports.game import game_words
from pbem.reports.render import acknowledgement_params
from pbem.sheets.lines import tongue_of
from pbem.sheets.messages import TooManyLines, message_order, messages_of, recipients
from pbem.sheets.pressing import MUTING, UNSIGNED, muted
from pbem.sheets.received import Post
from pbem.storage.models import Game, Seat
from pbem.web.pages import back_to, me, my_seat, not_taken, page, service, signed_in

routes = Blueprint("press", __name__)

MAX_TEXT = 20_000
"""Characters of the form; how long a message may be is the game's choice."""


@routes.get("/games/<code>/messages")
@signed_in
def listed(code: str) -> ResponseReturnValue:
    """What was written to this seat and by it, the newest first."""
    game, seat = my_seat(code)
    return _page(game, seat)


def _page(game: Game, seat: Seat, text: str = "", problems: Sequence[str] = ()) -> ResponseReturnValue:
    """With a text that was not sent, to whom it was to go, and why it did not."""
    said = game_words(game.rules, setup_of(game), me().words.language)
    policy = policy_of(game)
    assert game.id is not None
    with service().reading() as reading:
        messages = messages_of(reading, game, seat, said)
        seats = seat_rows(reading, game.id)
    not_mailed = muted(seat)
    sides = [(str(each.number), said.seat(each.number)) for each in seats if each.number != seat.number]
    return page(
        "messages",
        game=game,
        messages=messages,
        others=[side for side in sides if holds(seats[int(side[0])])],
        mutable=[(number, side, number in not_mailed) for number, side in sides],
        unsigned_muted=UNSIGNED in not_mailed,
        press=policy.press,
        may_write=not seat.press_muted,
        most=policy.press_length,
        a_day=policy.press_a_day,
        key=secrets.token_urlsafe(12),
        text=text,
        chosen=request.form.getlist("to"),
        unsigned=bool(request.form.get("anonymous")),
        problems=problems,
    )


@routes.post("/games/<code>/messages")
@signed_in
def send(code: str) -> ResponseReturnValue:
    """Writes to the chosen sides; what can't be sent is shown again with the reason."""
    game, seat = my_seat(code)
    if game.status != "playing" or game.aside:
        return not_taken(f"/games/{code}/messages", "no_messages_now")
    text = request.form.get("text", "").replace("\r\n", "\n")
    if len(text) > MAX_TEXT:
        abort(413)
    words, sides = _language(game)
    to = recipients(words, sides, seat.number, request.form.getlist("to"))
    if not to or not text.strip():
        flash("nothing_written")
        return _page(game, seat, text)
    try:
        order = message_order(words, to, text, unsigned=bool(request.form.get("anonymous")))
    except TooManyLines:
        abort(413)
    problems = _submitted(game, seat, order)
    return _page(game, seat, text, problems) if problems else back_to(f"/games/{code}/messages", "written")


@routes.post("/games/<code>/mutes")
@signed_in
def mute(code: str) -> ResponseReturnValue:
    """Messages of a side, or anonymous ones, are mailed no longer, or again; they stand on the page all the same."""
    game, seat = my_seat(code)
    if game.status != "playing" or game.aside:
        return back_to(f"/games/{code}/messages", "no_messages_now")
    words, sides = _language(game)
    whom, act = request.form.get("whom", ""), request.form.get("act", "")
    names = {str(number): words.say(name) for number, name in enumerate(sides)} | {UNSIGNED: words.say(UNSIGNED)}
    if act not in MUTING or whom not in names:
        abort(400)
    problems = _submitted(game, seat, f"{words.say(act)} {names[whom]}")
    return _page(game, seat, "", problems) if problems else back_to(f"/games/{code}/messages", "muting_changed")


def _language(game: Game) -> tuple[Lexicon, Sequence[str]]:
    """The order language in the player's words, and the ids of the sides in it."""
    module = module_of(game)
    words = lexicon(module.language.words, tongue_of(module, me().words.language))
    return words, module.seat_names[: setup_of(game).seats]


def _submitted(game: Game, seat: Seat, order: str) -> list[str]:
    """Sends it, once for each form; why it was not taken, in sentences."""
    key = blake2b(f"{request.form.get('key', '')[:120]}\n{order}".encode(), digest_size=16).hexdigest()
    assert game.id is not None
    key = f"press/{game.code}/{seat.number}/{key}"
    post = Post(game.id, seat.number, order, "page", key, clock.now(), generation=seat.generation)
    taken = submit_in_turn(service(), post)
    if taken.acknowledgement is None:
        return []
    return [reason for _, reason, _ in acknowledgement_params(taken.acknowledgement, me().words)["problems"]]
