"""What a text says, apart from how it is written: to tell whether two texts say the same."""

from engine.orders.reader import read
from pbem.context import Service
from pbem.games.position import position
from pbem.sheets.lines import tongue_of
from pbem.storage.models import Game


def meaning(service: Service, game_id: int, number: int, text: str) -> list[object] | None:
    """Its orders and commands, in their order; None for a game that is not being played."""
    with service.reading() as session:
        game = session.get(Game, game_id)
        if game is None or game.status != "playing":
            return None
        stands = position(session, game_id)
        player = stands.players.get(number)
    view = stands.rules.view(stands.table.state, number)
    tongue = tongue_of(stands.module, player.account.language if player else "en")
    found: list[object] = []
    for line in read(text, stands.module.language, view, tongue).lines:
        if line.order is not None:
            found.append(line.order)
        elif line.command is not None:
            said = {name: _words(value) for name, value in line.command.params.items()}
            found.append((line.command.name, said))
    return found


def _words(value: object) -> object:
    return value.split() if isinstance(value, str) else value
