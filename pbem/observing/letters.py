"""Letters to observers: what there is to observe and how, the turns as they come to be seen, and that it has ended."""

from dataclasses import dataclass

import msgspec
from sqlmodel import Session, col, select

from pbem import clock
from pbem.accounts import INVITED, INVITED_FOR, new_link
from pbem.context import Service
from pbem.games.notices import compose, composed, guide_url, spoken, thread
from pbem.games.policy import policy_of
from pbem.games.position import Player
from pbem.games.posting import BOARD
from pbem.habits import OBSERVED
from pbem.letters import Envelope, Recipient, finish
from pbem.mail import withdrawing
from pbem.mail.identity import Purpose
from pbem.reports import board
from pbem.reports.data import Report
from pbem.reports.letters import render
from pbem.reports.render import report_params
from pbem.storage.models import Game, Letter, SignInLink

OBSERVING, OBSERVER_INVITED = "observing", "observer-invited"
"""Kinds of letter that are answered with `observe` or `leave`, as what tells of a turn is."""
ASKED, BEGUN, ASKED_BY_HOST = "asked", "begun", "invited"
ANSWERED = frozenset({OBSERVING, OBSERVER_INVITED, OBSERVED})


@dataclass(frozen=True)
class Welcome:
    """Why it is written: they asked for it by mail, have begun, or are invited by a host, by name, for a reason."""

    occasion: str
    key: str
    """What tells it from others to the same person."""
    host: str = ""
    reason: str = ""


class Watch(msgspec.Struct, frozen=True):
    """What stands at the foot of an observer's letter: the page, and how many turns behind it is."""

    url: str
    delay: int


def page_url(service: Service, game: Game) -> str:
    """The page of the game for observers."""
    return f"{service.settings.url}/games/{game.code}/observe"


def welcome_letter(service: Service, game: Game, player: Player, why: Welcome) -> tuple[Letter, SignInLink]:
    """What there is to observe: a reply of `observe` begins it, `leave` ends it; the link is to be stored with it."""
    assert player.account.id is not None
    secret, link = new_link(player.account.id, INVITED, f"/games/{game.code}/observe", INVITED_FOR)
    to = Recipient.of(player.account, player.address)
    params = {
        "title": game.title,
        "rules": spoken(game, to.words).title(),
        "player": player.account.name,
        "occasion": why.occasion,
        "host": why.host,
        "reason": why.reason,
        "delay": policy_of(game).observer_delay,
        "anonymous": game.anonymous,
        "url": f"{service.settings.url}/sign-in/{secret}",
        "guide": guide_url(service),
    }
    kind = OBSERVER_INVITED if why.occasion == ASKED_BY_HOST else OBSERVING
    envelope = Envelope(kind, f"{kind}/{game.code}/{player.account.id}/{why.key}", Purpose.INVITATION, game)
    return finish(service, envelope, to, compose("observing", to.words, params)), link


def ended_letter(service: Service, game: Game, player: Player, reason: str = "") -> Letter:
    """Says that somebody observes the game no longer; `reason` is that of who ruled so."""
    to = Recipient.of(player.account, player.address)
    params = {"title": game.title, "player": player.account.name, "reason": reason}
    key = f"observing-ended/{game.code}/{player.account.id}/{clock.now():%Y%m%d%H%M%S%f}"
    envelope = Envelope("observing-ended", key, Purpose.NOTICE, game)
    return finish(service, envelope, to, compose("observing_ended", to.words, params))


def observed_letter(service: Service, game: Game, to: Recipient, report: Report) -> Letter:
    """A report for an observer."""
    said = spoken(game, to.words)
    public = msgspec.convert(report.public, said.rules.view_type)
    drawing = board.svg(said, public, said.structs(report.moved))
    pictures = {BOARD: board.png(drawing)} if drawing else {}
    params = {
        **report_params(report, to.words, f"cid:{BOARD}" if drawing else ""),
        "guide": "",
        "story": None,
        "watch": Watch(page_url(service, game), policy_of(game).observer_delay),
    }
    made = render(to.words, "report/report.j2", params)
    key = f"{OBSERVED}/{game.code}/{to.account_id}/{report.occasion}/{game.line}/{report.entry}"
    envelope = Envelope(OBSERVED, key, Purpose.INVITATION, game, thread(game, report.turn))
    return finish(service, envelope, to, composed(made, pictures))


def withdraw(session: Session, game_id: int, account_id: int, after: int = -1) -> None:
    """Letters that tell an observer of entries behind that one are not sent, as far as nobody has begun to."""
    mine = col(Letter.game_id) == game_id, col(Letter.account_id) == account_id, col(Letter.kind) == OBSERVED
    told = session.exec(select(Letter.id, Letter.key).where(*mine, col(Letter.sent).is_(None)))
    withdrawing.withdraw(
        session, col(Letter.id).in_([each for each, key in told if int(key.rpartition("/")[2]) > after])
    )
