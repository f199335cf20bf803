"""The year goes by: games are created, people answer their letters or do not, and nobody moderates."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from random import Random

from sqlalchemy import update
from sqlmodel import col, select

from pbem import clock
from pbem.accounts import account_of
from pbem.games.due import GRACE_SECONDS
from pbem.games.lifecycle import Guest, Plan, create_game, invite
from pbem.games.position import expected, numbers, seat_rows
from pbem.games.seating import CHOICE
from pbem.storage.models import Account, Address, Game, Letter, Seat
from tests.pbem.world import writing
from tests.pbem.world.world import Broken, World
from tests.pbem.year import people
from tests.pbem.year.people import Person
from tests.pbem.year.standbys import line_up, offers

BEGINS_WITHIN = timedelta(days=180)
LONGEST = timedelta(days=700)
"""A game that is not over so long after the last has begun hangs."""
UNMET = timedelta(minutes=1)
"""A deadline that passed so long ago, and nothing came of it, is forgotten."""
LAST_POST = timedelta(days=2)
"""Until then the last letters have gone to those who want one a day."""
ASKING = ("report", "course", "reminder", "invitation", "story")
"""Letters that a player answers with orders."""
ENDED = ("over", "cancelled")
OF_PLAYER = ("answer", "confirm")
"""What whoever holds a seat has planned."""


@dataclass(frozen=True)
class Planned:
    """A game to come, for so many seats."""

    code: str
    rules: str
    pace: str
    seats: int
    listed: bool = False
    """Whether people can wait for a seat of it."""


@dataclass
class Year:
    """What is to come, in order, and what was counted."""

    world: World
    games: Sequence[Planned]
    people: Sequence[Person]
    random: Random
    counted: Counter[str] = field(default_factory=Counter)
    ids: dict[int, int] = field(default_factory=dict)
    """By place in `games` the number of the game's row, once it is created."""
    sitting: dict[int, list[int]] = field(default_factory=dict)
    """By place in `games` the places of the people who sit in it, by seat."""
    _to_come: list[tuple[datetime, int, str, int, int]] = field(default_factory=list)
    """Moment, order of entry, what, the place of a game or person, the seat."""
    _entered: "count[int]" = field(default_factory=count)
    _thought: dict[tuple[int, int], int] = field(default_factory=dict)
    """By game and seat the letter that its player thought about last."""
    _versions: dict[int, int] = field(default_factory=dict)
    _passed: dict[tuple[int, int], int] = field(default_factory=dict)
    """By game and seat the order of entry from which on its present player plans: a seat may pass on."""
    _offered: set[int] = field(default_factory=set)
    """The letters with offers that somebody has thought about."""

    def play(self) -> None:
        """Until the last game has ended. Raises Broken where one hangs."""
        begin = clock.now()
        for place in range(len(self.games)):
            self._plan(begin + BEGINS_WITHIN * self.random.random(), "create", place)
        for place, person in enumerate(self.people):
            self._plan(person.travels_at(), "journey", place)
        while open_ := self._open() or len(self.ids) < len(self.games):
            if clock.now() > begin + BEGINS_WITHIN + LONGEST:
                raise Broken(f"not over: {open_}")
            self.world.go_on(self._to_come[0][0])
            self._look()
            while self._to_come[0][0] <= clock.now():
                _, entered, what, place, seat = heappop(self._to_come)
                if what in OF_PLAYER and entered < self._passed.get((place, seat), 0):
                    continue
                _ACTS[what](self, place, seat)
                self.world.settle()
                self._look()
        self.world.pass_time(clock.now() + LAST_POST)

    def _plan(self, moment: datetime, what: str, place: int, seat: int = 0) -> None:
        heappush(self._to_come, (moment, next(self._entered), what, place, seat))

    def _open(self) -> list[str]:
        with self.world.service.reading() as session:
            return list(session.exec(select(Game.code).where(col(Game.status).not_in(ENDED))))

    def _look(self) -> None:
        """Whoever is asked and got a letter that was not thought about yet thinks about it. Raises Broken."""
        with self.world.service.reading() as session:
            alive = dict(iter(session.exec(select(Game.id, Game.version).where(col(Game.status).not_in(ENDED)))))
        places = {row: place for place, row in self.ids.items()}
        for row, version in alive.items():
            if row is not None and row in places and self._versions.get(row) != version:
                self._versions[row] = version
                self._think(places[row])

    def _think(self, place: int) -> None:
        with self.world.service.reading() as session:
            game = session.get_one(Game, self.ids[place])
            seats = seat_rows(session, self.ids[place])
        _is_alive(game)
        self._see_who_sits(place, seats)
        self._think_about_offers(place)
        asked = [seat for seat in seats if game.status == "inviting" and seat.joined is None]
        asked += [seats[number] for number in numbers(game.waiting) if game.status == "playing"]
        for seat in asked:
            letter = self._last_letter(place, seat.number)
            if letter is None or seat.ready or (game.status == "playing" and not expected(seat)):
                continue
            if self._thought.get((place, seat.number)) == letter.id:
                continue
            self._thought[place, seat.number] = letter.id
            person = self.people[self.sitting[place][seat.number]]
            joins = game.status == "inviting"
            moment = person.joins_at() if joins else person.answers_at(game.deadline)
            self.counted["invitations" if joins else "letters that ask"] += 1
            if moment is not None:
                self._plan(moment, "answer", place, seat.number)

    def _see_who_sits(self, place: int, seats: Sequence[Seat]) -> None:
        """Whoever took a seat over plans anew."""
        people = self._people()
        for seat in seats:
            person = people.get(seat.account_id) if seat.account_id is not None else None
            if person is not None and person != self.sitting[place][seat.number]:
                self.sitting[place][seat.number] = person
                self._passed[place, seat.number] = next(self._entered)
                self.counted["seats taken over"] += 1

    def _people(self) -> dict[int, int]:
        """By account the place of a person."""
        places = {person.address: place for place, person in enumerate(self.people)}
        with self.world.service.reading() as session:
            rows = session.exec(select(Address.account_id, Address.address))
            return {account: places[address] for account, address in rows if address in places}

    def _think_about_offers(self, place: int) -> None:
        for offered in offers(self.world.service, self.ids[place]):
            if offered.letter.id not in self._offered:
                self._offered.add(offered.letter.id)
                self.counted["seats offered"] += 1
                moment = self.people[self._people()[offered.account_id]].answers_offer_at()
                if moment is not None:
                    self._plan(moment, "offer", place, offered.seat)

    def _offer(self, place: int, number: int) -> None:
        """Who is offered the seat takes it, or declines."""
        for offered in offers(self.world.service, self.ids[place]):
            if offered.seat == number:
                takes = self.random.random() >= people.TURNS_DOWN
                self.counted["offers accepted" if takes else "offers declined"] += 1
                self.world.mail(offered.letter, "join" if takes else "decline")

    def _line_up(self, place: int, _: int) -> None:
        """Somebody who still plays comes to wait for a seat; some time later the next one does."""
        person = self.random.choice([each for each in self.people if not each.gone])
        with self.world.service.reading() as session:
            is_over = session.get_one(Game, self.ids[place]).status in ENDED
        if is_over:
            return
        self.counted["come to wait for a seat"] += line_up(self.world.service, self.ids[place], person)
        self._await_comer(place)

    def _await_comer(self, place: int) -> None:
        """Plan the next one who comes to wait for a seat."""
        days = self.random.expovariate(1 / people.LINES_UP_DAYS)
        self._plan(clock.now() + timedelta(days=days), "line up", place)

    def _last_letter(self, place: int, seat: int, *kinds: str) -> Letter | None:
        """The last letter that asked the seat for something and was sent."""
        mine = col(Letter.game_id) == self.ids[place], col(Letter.seat) == seat
        sent = col(Letter.kind).in_(kinds or ASKING), col(Letter.fate) == "sent"
        with self.world.service.reading() as session:
            return session.exec(
                select(Letter).where(*mine, *sent).order_by(col(Letter.queued).desc(), col(Letter.id)).limit(1)
            ).first()

    def _create(self, place: int, _: int) -> None:
        """With the defaults in everything but rules and pace, for people who still play."""
        planned, service = self.games[place], self.world.service
        sitting = self.random.sample(
            [number for number, person in enumerate(self.people) if not person.gone], planned.seats
        )
        self.sitting[place] = sitting
        guests = [Guest(self.people[number].address, self.people[number].name) for number in sitting]
        seating = CHOICE if planned.listed else ""
        plan = Plan(planned.rules, guests, planned.pace, code=planned.code, seating=seating, listed=planned.listed)
        create_game(service, plan)
        invite(service, planned.code)
        with service.writing() as session:
            self.ids[place] = session.exec(select(Game.id).where(col(Game.code) == planned.code)).one() or 0
            for number in sitting:
                account = account_of(session, self.people[number].address)
                assert account is not None
                session.execute(update(Account).where(col(Account.id) == account.id).values(_habits(number)))
        self.counted["games"] += 1
        if planned.listed:
            self._plan(
                clock.now() + timedelta(days=self.random.expovariate(1 / people.LINES_UP_DAYS)), "line up", place
            )

    def _journey(self, place: int, _: int) -> None:
        person = self.people[place]
        days = person.travel()
        self._plan(person.travels_at(), "journey", place)
        self.counted["journeys"] += 1
        if days is None or person.gone:
            return
        letter = self._letter_of(place)
        if letter is not None:
            self.counted["journeys told"] += 1
            first, last = clock.now().date(), clock.now().date() + timedelta(days=days)
            self.world.mail(letter, f"absent {first} to {last}")

    def _letter_of(self, person: int) -> Letter | None:
        """A letter of some game that the person plays in."""
        mine = [(place, seats.index(person)) for place, seats in self.sitting.items() if person in seats]
        with self.world.service.reading() as session:
            playing = [each for each in mine if session.get_one(Game, self.ids[each[0]]).status == "playing"]
        return next((letter for each in playing if (letter := self._last_letter(*each)) is not None), None)

    def _answer(self, place: int, number: int) -> None:
        """What the player writes now: to join, to leave, orders in whole or in part, sometimes sent again."""
        letter = self._last_letter(place, number)
        person = self.people[self.sitting[place][number]]
        if letter is None:
            return
        if letter.kind == "invitation":
            self.world.mail(letter, "join")
            return
        with self.world.service.reading() as session:
            if session.get_one(Game, self.ids[place]).status != "playing":
                return
        self.counted["answers"] += 1
        if person.random.random() < people.RESIGNS:
            self.counted["resignations"] += 1
            self.world.mail(letter, "resign")
            self._plan(clock.now() + timedelta(minutes=5), "confirm", place, number)
            return
        text = self._text(place, number, person.random)
        self.world.mail(letter, text)
        if person.random.random() < people.UNDOES:
            self.world.settle()
            self.world.mail(letter, "undo")
            self.world.settle()
            self.world.mail(letter, text)

    def _text(self, place: int, number: int, random: Random) -> str:
        lines = writing.sheet(writing.stands(self.world.service, self.ids[place]), number, random)
        if random.random() < people.CHATS:
            lines.append(f"to all: greetings from {number}")
        if random.random() < people.HALF:
            return "\n".join(lines[: max(1, len(lines) // 2)])
        return "\n".join([*lines, writing.READY])

    def _confirm(self, place: int, number: int) -> None:
        letter = self._last_letter(place, number, "confirm-resign")
        if letter is not None:
            self.world.mail(letter, "confirm")


def _habits(number: int) -> dict[str, object]:
    """How a person wants letters, by the person's number."""
    random = Random(number)
    return {
        "zone": random.choice(people.ZONES),
        "mails": "daily" if random.random() < people.DAILY else "each",
        "remind_hours": 24 if random.random() < people.REMINDED else 0,
    }


def _is_alive(game: Game) -> None:
    """Raises Broken for a game that nothing will ever happen to, or whose deadline passed and nothing came of it."""
    now = clock.now()
    if game.aside:
        raise Broken(f"{game.code} was set aside: {game.problem}")
    if game.status != "playing":
        return
    if game.deadline is None and game.settle_until is None and game.tend_at is None:
        raise Broken(f"{game.code} hangs: held {game.held!r}")
    if game.deadline is not None and now > game.deadline + clock.span(GRACE_SECONDS) + UNMET:
        raise Broken(f"{game.code}: nothing came of the deadline {game.deadline}")


_ACTS: Mapping[str, Callable[[Year, int, int], None]] = {
    "create": Year._create,
    "journey": Year._journey,
    "answer": Year._answer,
    "confirm": Year._confirm,
    "offer": Year._offer,
    "line up": Year._line_up,
}
