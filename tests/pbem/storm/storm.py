"""The storm itself: at each step random things happen to some games, and then what must hold is looked at."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from random import Random

from sqlmodel import col, select

from engine import registry
from pbem import clock
from pbem.accounts import account_of, create_account
from pbem.commands import COMMANDS, Command
from pbem.errors import Refused
from pbem.games.due import GRACE_SECONDS
from pbem.games.lifecycle import Guest, Plan, create_game, invite, join
from pbem.games.position import Position, game_row, holds, players_of
from pbem.games.verifying import verify
from pbem.refusals import said
from pbem.reports import data
from pbem.reports.data import decode_report
from pbem.rulings.authority import Actor
from pbem.rulings.looking import Shown
from pbem.sheets.submitting import Taken
from pbem.storage.models import Game, Letter, Report
from pbem.words import Words
from tests.pbem.playing import service_on
from tests.pbem.storm import playing, story, values
from tests.pbem.world import postman, writing
from tests.pbem.world.dying import Died, Life, MortalDatabase
from tests.pbem.world.letters import check_post
from tests.pbem.world.world import Broken, World

RULES = ("tinygame", "brass_empire", "tinygame", "rockwell")
WORDS = Words.of("en", "UTC")
BAD_POST = 0.02
"""The part of letters that meet a bad mail server."""
DIES = 0.1
"""The part of steps in which the process dies at one of its next commits."""
SECOND_PRESS = 0.6
"""The part of rulings that are given twice."""
VERIFIED = 50
"""Every so many steps a journal is replayed."""
SITE = "site@leaders.example"
LEADER = "leader@leaders.example"
STRANGER = "stranger@players.example"
PEOPLE = tuple(f"p{number}@players.example" for number in range(9))
NEWCOMERS = tuple(f"n{number}@players.example" for number in range(6))


@dataclass
class Storm:
    """So many games at once in one world; where one ends another begins."""

    world: World
    url: str
    games: int
    random: Random
    counted: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    """How often each command succeeded."""
    codes: list[str] = field(default_factory=list)
    life: Life = field(default_factory=Life)

    def begin(self) -> None:
        """Whoever leads has an account; the first games begin."""
        self.world.postman.mood = self._mood
        self._live()
        create_account(self.world.service, SITE, moderator=True)
        create_account(self.world.service, LEADER)
        for _ in range(self.games):
            self._new_game()

    def step(self) -> None:
        """One ruling, and what else happens meanwhile. Raises Broken."""
        self.counted["steps"] += 1
        if self.random.random() < DIES:
            self.life.left, self.life.after = self.random.randint(1, 8), self.random.random() < 0.5
        try:
            self._happen()
            self.world.settle()
            self.life.left = None
        except Died:
            self.counted["deaths"] += 1
            self._live()
            self.world.settle()
        self._look()

    def end(self) -> None:
        """Good post again, until no letter is on its way; then everything is looked at. Raises Broken."""
        self.world.postman.mood = str
        self.world.pass_time(clock.now() + timedelta(days=3))
        check_post(self.world)
        for code in self.codes:
            self._verify(code)
            story.Story(self.world.service, code).check()

    def digest(self) -> str:
        """What it all came to: equal for equal seeds."""
        with self.world.service.reading() as session:
            heads = session.exec(select(Game.code, Game.head, Game.status).order_by(col(Game.id))).all()
        return sha256(repr(heads).encode()).hexdigest()

    def _live(self) -> None:
        """A process begins: all that it has of the one before is what that had committed."""
        self.life = Life()
        self.world.service.close()
        self.world.service = service_on(MortalDatabase(self.url, self.life), **self.world.settings)

    def _mood(self) -> str:
        return self.random.choice(postman.FAULTS) if self.random.random() < BAD_POST else ""

    def _happen(self) -> None:
        for _ in range(self.random.randrange(4)):
            code = self.random.choice(self._played())
            stands = writing.stands(self.world.service, self._id(code))
            seat = self.random.choice(stands.seats)
            self.counted[f"sent: {playing.act(self.world, stands, seat, self.random)}"] += 1
            if self.random.random() < 0.7:
                self.world.settle()
        if self.random.random() < 0.3:
            playing.confirm(self.world, self.random)
            self.world.settle()
        self._rule(self.random.choice(self._played()))
        if self.random.random() < 0.5:
            self.world.pass_time(clock.now() + timedelta(hours=self.random.choice((0.1, 1, 8, 30))))

    def _played(self) -> list[str]:
        with self.world.service.reading() as session:
            found = list(session.exec(select(Game.code).where(col(Game.status) == "playing").order_by(col(Game.id))))
        while len(found) < self.games:
            found.append(self._new_game())
        return found

    def _id(self, code: str) -> int:
        with self.world.service.reading() as session:
            return game_row(session, code).id or 0

    def _new_game(self) -> str:
        """Of all rules and sizes, at all paces, with all policies, moderated by anybody."""
        random, number = self.random, len(self.codes)
        rules = RULES[number % len(RULES)]
        module = registry.load(rules)
        guests = random.sample(PEOPLE, random.choice([size for size in module.seat_numbers if size < 5]))
        standins = {}
        if len(guests) > 1 and random.random() < 0.2:
            guests.pop()
            standins = {module.seat_names[len(guests)]: random.choice(("random", "steady"))}
        plan = Plan(
            rules,
            [Guest(address, address.partition("@")[0]) for address in guests],
            random.choice(module.paces),
            settle_minutes=random.choice((0, 10)),
            moderator=random.choice(("", LEADER, LEADER, guests[0])),
            absence=random.choice(("wait", "standing", "steady")),
            policy=random.choice(({}, {}, {"nmr": "wait"}, {"nmr": "standin", "level": "random"}, {"extensions": "1"})),
            code=f"storm{number}",
            standins=standins,
        )
        self.codes.append(create_game(self.world.service, plan))
        invite(self.world.service, plan.code)
        for seat in range(len(guests)):
            join(self.world.service, self._id(plan.code), seat, guests[seat])
        self.world.settle()
        return plan.code

    def _rule(self, code: str) -> None:
        """Somebody gives a command, most often one that has seldom succeeded."""
        stands = writing.stands(self.world.service, self._id(code))
        fewest = sorted(COMMANDS, key=lambda each: self.done[each.name])
        command = self.random.choice(fewest[:4] if self.random.random() < 0.5 else fewest)
        given = values.given(command, values.Asked(stands, self.random, NEWCOMERS))
        actor, leads = self._actor(stands)
        self.counted["rulings"] += 1
        try:
            answer = command.act(self.world.service, code, given, actor)
        except Refused as refused:
            said(refused, WORDS)
            self.counted[f"refused: {refused.code}"] += 1
            return
        plays = actor.address in {player.address for player in stands.players.values()}
        shown = isinstance(answer, Shown) or (isinstance(answer, Taken) and answer.acknowledgement is not None)
        if not leads or (plays and shown):
            raise Broken(f"{command.name} on {code} by {actor.address}, who may not")
        self.done[command.name] += 1
        if actor.ruling is not None and self.random.random() < SECOND_PRESS:
            self._press_again(command, code, given, actor)

    def _press_again(self, command: Command, code: str, given: dict[str, object], actor: Actor) -> None:
        before = self._written(code)
        try:
            command.act(self.world.service, code, given, actor)
        except Refused as refused:
            if refused.code != "ruled_meanwhile" or self._written(code) != before:
                raise Broken(f"a second press of {command.name} on {code} did something: {refused.code}") from refused
            self.counted["second presses"] += 1
        else:
            raise Broken(f"a second press of {command.name} on {code} was taken")

    def _written(self, code: str) -> tuple[int, int, int]:
        with self.world.service.reading() as session:
            game = game_row(session, code)
            letters = session.exec(select(Letter.id).where(col(Letter.game_id) == game.id)).all()
            return game.version, game.next_entry, len(letters)

    def _actor(self, stands: Position) -> tuple[Actor, bool]:
        """Who gives a command with what reason on what they saw, and whether such a one ever may."""
        random, game = self.random, stands.game
        with self.world.service.reading() as session:
            seated = {player.address for player in players_of(session, game.id or 0).values()}
        address = random.choice(("", "", LEADER, SITE, sorted(seated)[0] if seated else SITE, STRANGER))
        leads = address in ("", SITE) or self._leads(game, address)
        reason = f"because of {game.code}r{game.next_ruling}n{self.counted['rulings']}"
        drawn = random.random()
        if drawn < 0.05:
            return Actor(" ", address), False
        if drawn < 0.1:
            return Actor(reason, address, game.stage_number + 1, game.next_ruling), False
        if drawn < 0.5:
            return Actor(reason, address), leads
        return Actor(reason, address, game.stage_number, game.next_ruling), leads

    def _leads(self, game: Game, address: str) -> bool:
        with self.world.service.reading() as session:
            account = account_of(session, address)
        return account is not None and account.id == game.moderator_id

    def _look(self) -> None:
        """After each step at every game that is played."""
        for code in self._played():
            stands = writing.stands(self.world.service, self._id(code))
            broken = list(stands.rules.invariants(stands.table.state))
            if broken:
                raise Broken(f"{code} is unsound: {broken}")
            self._is_alive(stands.game)
            story.check_asked(stands, self._newest(stands))
        if self.counted["steps"] % VERIFIED == 0:
            code = self.random.choice(self.codes)
            self._verify(code)
            story.Story(self.world.service, code).check()

    def _newest(self, stands: Position) -> dict[int, tuple[Report, data.Report]]:
        with self.world.service.reading() as session:
            rows = session.exec(
                select(Report)
                .where(col(Report.game_id) == stands.game.id, col(Report.entry) == stands.game.next_entry - 1)
                .order_by(col(Report.id))
            ).all()
        return {row.seat: (row, decode_report(row.data)) for row in rows if holds(stands.seats[row.seat])}

    def _verify(self, code: str) -> None:
        verified = verify(self.world.service, code)
        if verified.problem:
            raise Broken(f"{code} does not replay: {verified.problem} at {verified.entry}")
        self.counted["replays"] += 1

    def _is_alive(self, game: Game) -> None:
        waits = (game.deadline, game.settle_until, game.tend_at)
        if game.held != "paused" and not any(waits):
            raise Broken(f"{game.code} hangs: held {game.held!r}")
        late = clock.now() - clock.span(GRACE_SECONDS) - timedelta(minutes=5)
        if game.deadline is not None and game.deadline < late and not game.aside and not game.review:
            raise Broken(f"{game.code}: nothing came of the deadline {game.deadline}")


def never_done(done: Counter[str]) -> list[str]:
    """The commands that never succeeded."""
    return [command.name for command in COMMANDS if not done[command.name]]
