"""What a player who means to play well writes: a planner's sheet, else ideas of the game's language."""

from random import Random

from engine.chance import pick_from
from engine.contract import Planning
from engine.orders.writer import write
from pbem.context import Service
from pbem.games.position import Position, position

LEVEL = "steady"
READY = "ready"


def stands(service: Service, game_id: int) -> Position:
    """The game as it stands."""
    with service.reading() as session:
        return position(session, game_id)


def sheet(stands: Position, seat: int, random: Random) -> list[str]:
    """Lines that answer what may be asked of the seat in the rest of the stage, from what it may see."""
    module, rules, pace = stands.module, stands.rules, stands.game.pace
    view = rules.view(stands.table.state, seat)
    if isinstance(module, Planning):
        return list(module.planners[LEVEL](rules)(view, pace, pick_from(random)))
    lines = []
    for asked in rules.agenda(view, pace):
        ideas = module.language.ideas(rules, view, asked.kind, asked.round)
        if ideas:
            lines.append(write(random.choice(ideas), module.language, view))
    return lines
