"""Letters about proposals: that one is made, and that it came to nothing."""

from collections.abc import Iterable, Mapping

from pbem.context import Service
from pbem.games.notices import compose, seat_url, spoken, thread
from pbem.games.position import Player
from pbem.letters import Envelope, Recipient, finish
from pbem.mail.identity import Purpose
from pbem.reports.proposed import proposed_told
from pbem.storage.models import Game, Letter
from pbem.voting.proposals import UNANIMOUS, Proposed


def proposal_letters(
    service: Service, game: Game, proposed: Proposed, by: tuple[int | None, str], to: Mapping[int, Player], key: str
) -> list[Letter]:
    """Asks the others for their votes. `by` is the seat that proposes, None for the moderator, and the reason."""
    letters = []
    for recipient in _voters(to.items()):
        said = spoken(game, recipient.words)
        params = {
            "title": game.title,
            "side": said.seat(by[0]) if by[0] is not None else "",
            "what": proposed_told(proposed.kind, proposed.params, said, recipient.words),
            "reason": by[1],
            "unanimous": proposed.kind in UNANIMOUS,
            "deadline": game.deadline,
            "url": seat_url(service, game),
        }
        envelope = Envelope("proposal", f"proposal/{key}/{recipient.seat}", Purpose.ORDERS, game, thread(game))
        letters.append(finish(service, envelope, recipient, compose("proposal", recipient.words, params)))
    return letters


def nothing_letters(
    service: Service, game: Game, proposed: Proposed, number: int | None, to: Iterable[tuple[int, Player]], why: str
) -> list[Letter]:
    """Tells all players that a proposal came to nothing: voted down, not decided in time, or not possible."""
    letters = []
    for recipient in _voters(to):
        what = proposed_told(proposed.kind, proposed.params, spoken(game, recipient.words), recipient.words)
        params = {"title": game.title, "what": what, "why": why}
        key = f"unvoted/{game.code}/{number}/{recipient.seat}"
        envelope = Envelope("unvoted", key, Purpose.NOTICE, game, thread(game))
        letters.append(finish(service, envelope, recipient, compose("unvoted", recipient.words, params)))
    return letters


def _voters(to: Iterable[tuple[int, Player]]) -> list[Recipient]:
    return [Recipient.of(player.account, player.address, seat, player.generation) for seat, player in to]
