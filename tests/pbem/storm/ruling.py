"""Who rules in a storm, what, and in which way: most often what has seldom succeeded, or what fits the position."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

import msgspec
from sqlmodel import col, select

from pbem import clock
from pbem.accounts import account_of, main_address
from pbem.commands import BY_NAME, COMMANDS
from pbem.games.due import due_but_for_review
from pbem.games.policy import PAUSED
from pbem.games.position import Position, game_row, players_of
from pbem.rulings.authority import Actor
from pbem.rulings.goingback import ASKED, REDRAW, ROLLED_BACK
from pbem.rulings.previewing import PREVIEWED
from pbem.rulings.returning import lines_left
from pbem.storage.models import Game, Letter, Observer, Ruling, Submission
from tests.pbem.storm import values
from tests.pbem.storm.games import LEADER, NEWCOMERS, SITE, STRANGER
from tests.pbem.storm.ways import DESKS, LAYER, LINE, MAIL, Act, Result, Ways, ways_of
from tests.pbem.world import writing
from tests.pbem.world.world import Broken, World

ENDS = 0.2
"""The part of rulings by which a game would end that are given: else none would grow old."""
OUTSIDERS = 0.12
"""The part of rulings by who may not lead the game."""
SECOND_PRESS = 0.6
"""The part of rulings that are given twice."""
FITTING, SELDOM = 0.35, 0.4
"""The parts of rulings that are chosen because they fit, and because they seldom succeeded."""
FEWEST = 6
EXTRA: Mapping[str, tuple[str, ...]] = {
    "message": (DESKS, LINE, MAIL),
    "status": (DESKS, LINE, MAIL),
}
"""What a moderator can do beside the commands, with the ways in which."""
WAYS = tuple((each.name, way) for each in COMMANDS for way in ways_of(each))
ALL = (*WAYS, *((name, way) for name, some in EXTRA.items() for way in some))
"""Each command, in each of its ways."""


@dataclass(frozen=True)
class Written:
    """What of a game a second press may not change."""

    version: int
    entry: int
    letters: int


@dataclass
class Rulings:
    """Rulings on the games of a world."""

    world: World
    random: Random
    ways: Ways
    counted: Counter[str]
    done: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each command succeeded, by the way in which it was given."""

    def rule(self, code: str) -> None:
        """Somebody gives a command. Raises Broken where it does what it may not."""
        self.counted["rulings"] += 1
        stands = writing.stands(self.world.service, self._id(code))
        name, way = self._chosen(stands)
        while name in ("end", "end-moved") and self.random.random() > ENDS:
            name, way = self._chosen(stands)
        result = self._extra(stands, name, way) if name in EXTRA else self._given(stands, name, way)
        if result.refused:
            self.counted[f"refused: {result.refused}"] += 1
        else:
            self.done[name, way] += 1

    def _given(self, stands: Position, name: str, way: str) -> Result:
        code, command = stands.game.code, BY_NAME[name]
        given = values.given(command, self._asked(stands))
        actor, leads = self._actor(stands, way)
        act = Act(command, code, given, actor, tuple(seat.name for seat in stands.seats))
        result = self.ways.give(act, way)
        plays = actor.address in {player.address for player in stands.players.values()}
        if not result.refused and (not leads or (plays and result.shown)):
            raise Broken(f"{name} on {code} by {actor.address} ({way}), who may not")
        if not result.refused and result.again is not None and self.random.random() < SECOND_PRESS:
            self._press_again(code, name, result.again, letters=way != MAIL)
        return result

    def _asked(self, stands: Position) -> values.Asked:
        with self.world.service.reading() as session:
            game = col(Ruling.game_id) == stands.game.id
            here = col(Ruling.line) == stands.game.line, col(Ruling.act).in_((ASKED, ROLLED_BACK))
            asked = session.exec(select(Ruling).where(game, *here).order_by(col(Ruling.number).desc())).all()
            last = next(filter(_anew, asked), None)
            left = [each.line for each in lines_left(session, stands.game)]
            observers = session.exec(select(Observer.id).where(col(Observer.game_id) == stands.game.id)).all()
        redraw = msgspec.json.decode(last.params)["entry"] if last is not None else None
        return values.Asked(stands, self.random, NEWCOMERS, redraw, tuple(left), tuple(filter(None, observers)))

    def _chosen(self, stands: Position) -> tuple[str, str]:
        drawn, random = self.random.random(), self.random
        fits = self._fitting(stands) if drawn < FITTING else ()

        def seldom(each: tuple[str, str]) -> tuple[int, float]:
            return self.done[each], random.random()

        if fits:
            name = random.choice(fits)
            return min(((name, way) for way in ways_of(BY_NAME[name])), key=seldom)
        if drawn < FITTING + SELDOM:
            return random.choice(sorted(ALL, key=seldom)[:FEWEST])
        return random.choice(ALL)

    def _fitting(self, stands: Position) -> list[str]:
        """Commands that may well do something now."""
        game, seats = stands.game, stands.seats
        with self.world.service.reading() as session:
            mine = col(Submission.game_id) == game.id, col(Submission.late).is_(True)
            late = session.exec(
                select(Submission.id).where(*mine, col(Submission.used_late).is_(None)).limit(1)
            ).first()
            last = select(Ruling).where(col(Ruling.game_id) == game.id).order_by(col(Ruling.number).desc()).limit(4)
            newer = session.exec(last).all()
            newest = newer[0] if newer else None
            left = lines_left(session, game)
        is_due = game.review and due_but_for_review(game, game.settle_until, clock.now())
        fits = {
            "preview": is_due,
            "send": is_due and any(ruling.act == PREVIEWED for ruling in newer),
            "resume": game.held == PAUSED or game.review,
            "give-back": any(seat.standin for seat in seats),
            "unmute": any(seat.press_muted for seat in seats),
            "admit": late is not None,
            "return": bool(left),
            "roll-back": newest is not None and _anew(newest),
        }
        return [name for name, fit in fits.items() if fit and name in BY_NAME]

    def _press_again(self, code: str, name: str, again: Callable[[], Result], *, letters: bool) -> None:
        before = self._written(code, letters=letters)
        result = again()
        if not result.refused:
            raise Broken(f"a second press of {name} on {code} was taken")
        if self._written(code, letters=letters) != before:
            raise Broken(f"a second press of {name} on {code} did something: {result.refused}")
        self.counted["second presses"] += 1

    def _written(self, code: str, *, letters: bool) -> Written:
        with self.world.service.reading() as session:
            game = game_row(session, code)
            mine = select(Letter.id).where(col(Letter.game_id) == game.id)
            return Written(game.version, game.next_entry, len(session.exec(mine).all()) if letters else 0)

    def _actor(self, stands: Position, way: str) -> tuple[Actor, bool]:
        """Who gives a command with what reason on what they saw, and whether such a one ever may."""
        random, game = self.random, stands.game
        with self.world.service.reading() as session:
            seated = sorted(player.address for player in players_of(session, game.id or 0).values())
            leader = main_address(session, game.moderator_id) if game.moderator_id is not None else SITE
        people = [leader, leader, leader, SITE, SITE, SITE]
        if random.random() < OUTSIDERS:
            people = [LEADER, seated[0] if seated else SITE, STRANGER]
        address = random.choice(people if way in (DESKS, MAIL) else [*people, ""])
        leads = address in ("", SITE) or self._leads(game, address)
        reason = f"because of {game.code}r{game.next_ruling}n{self.counted['rulings']}"
        drawn = random.random()
        if drawn < 0.03:
            return Actor(" ", address), False
        if drawn < 0.06 and way == LAYER:
            return Actor(reason, address, game.stage_number + 1, game.next_ruling), False
        if drawn < 0.5:
            return Actor(reason, address), leads
        return Actor(reason, address, game.stage_number, game.next_ruling), leads

    def _leads(self, game: Game, address: str) -> bool:
        with self.world.service.reading() as session:
            account = account_of(session, address)
        return account is not None and account.id == game.moderator_id

    def _id(self, code: str) -> int:
        with self.world.service.reading() as session:
            return game_row(session, code).id or 0

    def _extra(self, stands: Position, name: str, way: str) -> Result:
        actor, leads = self._actor(stands, way)
        result = {"message": self._message, "status": self._status}[name](stands, way, actor)
        if not result.refused and not leads and name != "status" and actor.reason.strip():
            raise Broken(f"{name} on {stands.game.code} by {actor.address} ({way}), who may not")
        return result

    def _message(self, stands: Position, way: str, actor: Actor) -> Result:
        code, text = stands.game.code, f"hear me {self.counted['rulings']}"
        to = self.random.choice([seat.name.lower() for seat in stands.seats] + ["all", "nobody"])
        if way == LINE:
            return self.ways.line("game", "message", code, to, f"--text={text}", f"--as={actor.address}")
        if way == MAIL:
            return self.ways.mail(code, actor.address, f"message {to}\n{text}")
        visit = self.ways.visit(actor.address)
        if visit is None:
            return Result("not_moderator")
        numbers = {seat.name.lower(): str(seat.number) for seat in stands.seats} | {"all": "all"}
        fields = visit.form(f"/games/{code}/desk") | {"to": numbers.get(to, "77"), "text": text}
        return Result({200: ""}.get(visit.post(f"/games/{code}/desk-message", fields)[1], "refused on the desk"))

    def _status(self, stands: Position, way: str, actor: Actor) -> Result:
        code = stands.game.code
        if way == LINE:
            return self.ways.line("game", "show", code)
        if way == MAIL:
            return self.ways.mail(code, actor.address, "status")
        visit = self.ways.visit(actor.address)
        return Result("not_moderator" if visit is None or visit.get(f"/games/{code}/desk")[1] != 200 else "")


def _anew(ruling: Ruling) -> bool:
    """Whether a stage is drawn anew by it, or by one more moderator who wants it too."""
    params = msgspec.json.decode(ruling.params)
    return ruling.act == ASKED or (ruling.act == ROLLED_BACK and params["chance"] == REDRAW)
