"""The storm itself: at each step random things happen to some games, and then what must hold is looked at."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from random import Random

from sqlmodel import col, select

from pbem import clock
from pbem.accounts import account_of, create_account, invite_again
from pbem.games.due import GRACE_SECONDS
from pbem.games.gathering import Newcomer, come
from pbem.games.lifecycle import create_game, invite, join
from pbem.games.position import Position, game_row, holds
from pbem.reports import data
from pbem.reports.data import decode_report
from pbem.storage.models import Game, Report
from pbem.sweep import sweep
from tests.pbem.playing import service_on
from tests.pbem.storm import games, imagined, playing, story
from tests.pbem.storm.games import LEADER, NEWCOMERS, PEOPLE, SITE, STRANGER
from tests.pbem.storm.reached import of_steps, reached
from tests.pbem.storm.ruling import ALL, Rulings
from tests.pbem.storm.ways import Ways
from tests.pbem.world import postman, writing
from tests.pbem.world.dying import Died, Life, MortalDatabase
from tests.pbem.world.letters import check_post
from tests.pbem.world.world import Broken, World

BAD_POST = 0.02
"""The part of letters that meet a bad mail server."""
DIES = 0.1
"""The part of steps in which the process dies at one of its next commits."""
OUTAGES, GOES_BACK, LINES_UP, IMAGINES, BROWSES = 0.03, 0.01, 0.15, 0.08, 0.05
"""The parts of steps with an outage, a clock that is put back, who wants a seat, a state imagined, pages read."""
PASSES_HOURS, DOWN_HOURS = (0.1, 1, 4, 12), (0.05, 2, 12, 60)
"""How long a time passes between steps, and how long an outage is: short enough for players to be heard meanwhile."""
VERIFIED = 50
"""Every so many steps a journal is replayed."""


@dataclass
class Storm:
    """So many games at once in one world; where one ends another begins."""

    world: World
    url: str
    games: int
    random: Random
    counted: Counter[str] = field(default_factory=Counter)
    codes: list[str] = field(default_factory=list)
    life: Life = field(default_factory=Life)
    rulings: Rulings = field(init=False)
    missed: list[str] = field(default_factory=list)
    """What it never reached, once it is over."""
    ended: str = ""
    """What it came to: equal for equal seeds."""
    _seen: dict[str, int] = field(default_factory=dict)
    """By game the version that was looked at last."""

    def __post_init__(self) -> None:
        self.ways = Ways(self.world, self.random.choice)
        self.rulings = Rulings(self.world, self.random, self.ways, self.counted)

    def begin(self) -> None:
        """Whoever leads has an account, and who waits for a seat; the first games begin."""
        self.world.postman.mood = self._mood
        self._live()
        create_account(self.world.service, SITE, moderator=True)
        for address in (LEADER, STRANGER, *PEOPLE, *NEWCOMERS):
            create_account(self.world.service, address)
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

    def digest(self) -> str:
        """What it all came to: equal for equal seeds."""
        with self.world.service.reading() as session:
            heads = session.exec(select(Game.code, Game.head, Game.status).order_by(col(Game.id))).all()
        return sha256(repr(heads).encode()).hexdigest()

    def never(self) -> list[str]:
        """The commands in their ways, and the kinds of step, that never succeeded."""
        ways = [f"{name} ({way})" for name, way in ALL if not self.rulings.done[name, way]]
        return [*ways, *sorted(of_steps() - reached(self.world.service, self.counted))]

    def _live(self) -> None:
        """A process begins: all that it has of the one before is what that had committed."""
        self.life = Life()
        self.world.service.close()
        self.world.service = service_on(MortalDatabase(self.url, self.life), **self.world.settings)

    def _mood(self) -> str:
        return self.random.choice(postman.FAULTS) if self.random.random() < BAD_POST else ""

    def _happen(self) -> None:
        for _ in range(self.random.randrange(4)):
            self._play(self.random.choice(self._played()))
        if self.random.random() < 0.3:
            playing.confirm(self.world, self.random)
            self.world.settle()
        if self.random.random() < LINES_UP:
            self._line_up(self.random.choice(self._played()))
        self.rulings.rule(self.random.choice(self._played()))
        if self.random.random() < 0.5:
            self.world.pass_time(clock.now() + timedelta(hours=self.random.choice(PASSES_HOURS)))
        if self.random.random() < OUTAGES:
            self._be_down()
        if self.random.random() < GOES_BACK:
            self.world.clock.put_back(timedelta(hours=self.random.choice((0.1, 2))))
            self.counted["clock put back"] += 1

    def _play(self, code: str) -> None:
        stands = writing.stands(self.world.service, self._id(code))
        seat = self.random.choice(stands.seats)
        self.counted[f"sent: {playing.act(self.world, stands, seat, self.random)}"] += 1
        if self.random.random() < 0.7:
            self.world.settle()

    def _line_up(self, code: str) -> None:
        address = self.random.choice(NEWCOMERS)
        taken = playing.take_offer(self.ways, code, address)
        self.counted[taken] += 1
        if taken != "took":
            self.counted[playing.line_up(self.ways, code, address, self.random)] += 1
        self.world.settle()

    def _be_down(self) -> None:
        """Nothing runs for a while; then a new process does, and no deadline that fell into that has passed.

        Raises Broken.
        """
        self.life.left = None
        self.world.beat()
        down = clock.now()
        self.world.clock.move(down + timedelta(hours=self.random.choice(DOWN_HOURS)))
        self._live()
        caught = self._with_deadlines(down, clock.now())
        sweep(self.world.service)
        long_enough = clock.now() - down > timedelta(hours=1)
        past = self._with_deadlines(down, clock.now()) if long_enough else []
        if past:
            raise Broken(f"a deadline passed while the service was down: {past}")
        self.counted["outages"] += 1
        self.counted["deadlines in an outage"] += len(caught) if long_enough else 0
        self.world.settle()

    def _with_deadlines(self, since: datetime, until: datetime) -> list[str]:
        """The games of which a deadline lies between, that play on at it."""
        playing_on = col(Game.status) == "playing", col(Game.aside).is_(False), col(Game.forced).is_(False)
        with self.world.service.reading() as session:
            query = select(Game.code).where(*playing_on, col(Game.deadline) > since, col(Game.deadline) <= until)
            return list(session.exec(query.order_by(col(Game.id))))

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
        plan, service = games.drawn_plan(len(self.codes), self.random), self.world.service
        self.codes.append(plan.code)
        for guest in plan.guests:
            invite_again(service, guest.address)  # who declined what they were asked unbidden has thought better of it
        create_game(service, plan)
        number = self._id(plan.code)
        invite(service, plan.code)
        for seat, guest in enumerate(plan.guests):
            join(service, number, seat, guest.address)
        for address in self.random.sample(PEOPLE, plan.free):
            with service.reading() as session:
                account = account_of(session, address)
            assert account is not None
            assert account.id is not None
            come(service, number, Newcomer(account.id))
        self.world.settle()
        return plan.code

    def _look(self) -> None:
        """After each step at every game that is played."""
        with self.world.service.reading() as session:
            rows = session.exec(select(Game).where(col(Game.status) == "playing").order_by(col(Game.id))).all()
        for game in rows:
            self._is_alive(game)
            if self._seen.get(game.code) == game.version:
                continue
            self._seen[game.code] = game.version
            stands = writing.stands(self.world.service, game.id or 0)
            broken = list(stands.rules.invariants(stands.table.state))
            if broken:
                raise Broken(f"{game.code} is unsound: {broken}")
            story.check_asked(stands, self._newest(stands))
        if self.random.random() < IMAGINES:
            self._imagine(self.random.choice(self._played()))
        if self.random.random() < BROWSES:
            self._browse(self.random.choice(self._played()))
        if self.counted["steps"] % VERIFIED == 0:
            self._verify(self.random.choice(self.codes))

    def _browse(self, code: str) -> None:
        """Whoever has a seat, and who has not, reads the pages of the game. Raises Broken for what they may not see."""
        stands = writing.stands(self.world.service, self._id(code))
        told = story.Story(self.world.service, code)
        for seat in sorted(stands.held):
            player = stands.players[seat]
            self.counted["pages read"] += 1
            shown = playing.browse(self.ways, code, player.address)
            told.may_read(shown, player.account.id, f"the pages of seat {seat}")
        visit = self.ways.visit(STRANGER)
        if visit is not None and any(visit.get(f"/games/{code}{page}")[1] != 404 for page in playing.PAGES):
            raise Broken(f"pages of {code} are there for a stranger")

    def _imagine(self, code: str) -> None:
        stands = writing.stands(self.world.service, self._id(code))
        if not stands.held:
            return
        seat = self.random.choice(sorted(stands.held))
        self.counted["states imagined"] += 1
        self.counted["other states"] += imagined.compare(stands, seat, self.random)

    def _newest(self, stands: Position) -> dict[int, tuple[Report, data.Report]]:
        with self.world.service.reading() as session:
            rows = session.exec(
                select(Report)
                .where(col(Report.game_id) == stands.game.id, col(Report.entry) == stands.game.next_entry - 1)
                .order_by(col(Report.id))
            ).all()
        return {row.seat: (row, decode_report(row.data)) for row in rows if holds(stands.seats[row.seat])}

    def _verify(self, code: str) -> None:
        """All lines of its journal are replayed, and what was told of it is read."""
        with self.world.service.reading() as session:
            begun = session.exec(select(Game.id).where(col(Game.code) == code, col(Game.next_entry) > 0)).first()
        if begun is None:
            return  # the process died while the game was made
        told = story.Story(self.world.service, code)
        told.check()
        self.counted["replays"] += told.replay()

    def _is_alive(self, game: Game) -> None:
        waits = (game.deadline, game.settle_until, game.tend_at)
        if game.held != "paused" and not any(waits):
            raise Broken(f"{game.code} hangs: held {game.held!r}")
        if game.aside:
            raise Broken(f"{game.code} is set aside: {game.problem}")
        late = clock.now() - clock.span(GRACE_SECONDS) - timedelta(minutes=5, seconds=game.grace_seconds)
        pauses = game.not_before is not None and game.not_before > clock.now()  # who worked on it died a moment ago
        if game.deadline is not None and game.deadline < late and not game.review and not pauses:
            raise Broken(f"{game.code}: nothing came of the deadline {game.deadline}")
