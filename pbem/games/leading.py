"""What whoever leads a game is shown of it: what all may know, and no more."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from pbem import clock
from pbem.games.away import absences, away_now
from pbem.games.position import FINISHED, MOVED, expected, numbers, players_of, seat_rows
from pbem.games.rules import setup_of
from pbem.reports.game import GameWords, game_words
from pbem.reports.render import away
from pbem.reports.silence import held_told
from pbem.rulings.authority import plays
from pbem.storage.models import Account, Game, Seat
from pbem.words import Words


@dataclass(frozen=True)
class Side:
    """One side. `player` is a name, empty where nobody holds it; `missed` counts stages in a row."""

    number: int
    name: str
    player: str
    standin: str
    missed: int
    awaited: bool
    joined: bool


@dataclass(frozen=True)
class Stands:
    """How a game stands. `turn` and `stage` are empty before it begins; `held` says why it does not go on by itself."""

    title: str
    rules: str
    status: str
    aside: bool
    turn: str
    stage: str
    deadline: datetime | None
    held: str
    sides: tuple[Side, ...]
    away: tuple[str, ...] = ()
    """Which sides' players are away or will be, from when to when, in sentences: as the other players are told."""

    @property
    def awaited(self) -> list[str]:
        """The sides whose orders the game waits for."""
        return [side.name for side in self.sides if side.awaited]


def awaited(game: Game, seats: list[Seat]) -> list[int]:
    """The seats whose orders the game waits for."""
    if game.status == MOVED:
        return []
    return [number for number in numbers(game.waiting) if expected(seats[number]) and not seats[number].ready]


def is_masked(game: Game) -> bool:
    """Whether its players may not know yet who plays which side."""
    return game.anonymous and game.status not in FINISHED


def stands_now(session: Session, game: Game, words: Words, reader: Account | None) -> Stands:
    """How a game stands, in the words of its reader; None is the operator.

    Who plays in an anonymous game as well is told no names before its end.
    """
    assert game.id is not None
    said = game_words(game.rules, setup_of(game), words.language)
    seats, players = seat_rows(session, game.id), players_of(session, game.id)
    waited_for = awaited(game, seats) if game.status == "playing" else []
    turn, _, stage = game.stage_key.partition("-")
    names = {number: player.account.name for number, player in players.items()}
    if is_masked(game) and plays(session, game, reader):
        names = dict.fromkeys(names, words.gettext("a player"))
    return Stands(
        title=game.title,
        rules=said.title(),
        status=game.status,
        aside=game.aside,
        turn=said.turn(turn, words) if turn else "",
        stage=said.name("stage", stage) if stage else "",
        deadline=game.deadline,
        held=held_told(game.stopped, words),
        sides=tuple(
            Side(
                number=seat.number,
                name=said.seat(seat.number),
                player=names.get(seat.number, ""),
                standin=seat.standin,
                missed=seat.missed,
                awaited=seat.number in waited_for,
                joined=seat.joined is not None,
            )
            for seat in seats
        ),
        away=_away(session, game, said, words) if game.status == "playing" else (),
    )


def _away(session: Session, game: Game, said: GameWords, words: Words) -> tuple[str, ...]:
    assert game.id is not None
    gone = absences(session, game.id)
    later = words.gettext("%(side)s will be away from %(begins)s to %(ends)s.")
    to_come = [
        later % {"side": said.seat(seat), "begins": words.moment(each.begins), "ends": words.moment(each.ends)}
        for seat in sorted(gone)
        for each in gone[seat]
        if each.begins > clock.now()
    ]
    return (*away(sorted(away_now(gone).items()), said, words), *to_come)
