"""What must hold after a storm, seen from outside: the town's books, the log of what was killed, and the database."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

from sqlmodel import Session, SQLModel, col, select

from pbem.context import Service
from pbem.habits import HABITS
from pbem.mail.message import read_head
from pbem.mail.outbox import AGAIN, PAUSES
from pbem.records.verifying import verify
from pbem.storage.models import Chore, Game, Inbound, Letter, Report, Seat, StageTime, Submission
from tests.pbem.world.world import Broken

OVER = "urn:pbem:problem:no_orders_now"
"""The one thing that a call may be refused for. No mail is: one that comes too late is read all the same."""
LATE = 2.0
"""Real seconds by which the mail server may see a letter after the one that sent it was killed."""


@dataclass(frozen=True)
class Struck:
    """What befell a program, or a server, in that time of the machine's monotonic clock."""

    what: str
    begun: float
    ended: float


@dataclass
class Findings:
    """What was counted, and what is wrong."""

    counted: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def hold(self, true: bool, otherwise: str) -> None:
        """Keep what is wrong, if it is not true."""
        if not true:
            self.wrong.append(otherwise)


def check(service: Service, town: Path, log: Sequence[Struck]) -> Counter[str]:
    """Raises Broken with everything that is wrong."""
    found = Findings()
    with service.reading() as session:
        games = session.exec(select(Game)).all()
        _mails(session, town, found)
        _calls(session, town, found)
        _letters(service, session, town, log, found)
        for game in games:
            _stages(session, game, found)
        aside = session.exec(select(Chore).where(col(Chore.aside))).all()
    found.hold(not aside, f"tasks were set aside: {[(each.task, each.number) for each in aside]}")
    for game in games:
        _journal(service, game, found)
    if found.wrong:
        raise Broken("\n".join([f"{len(found.wrong)} things are wrong:", *found.wrong[:50]]))
    return found.counted


def book(town: Path, name: str) -> list[dict[str, Any]]:
    """What the town has written down under that name, in order."""
    file = town / name
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def _all(session: Session, model: type[SQLModel], *names: str) -> Iterable[Any]:
    return session.execute(select(*(getattr(model, name) for name in names)))


def _mails(session: Session, town: Path, found: Findings) -> None:
    """Every mail that was taken was read once, however often it came, and counts once."""
    copies: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    for number, raw, status, problem in _all(session, Inbound, "id", "raw", "status", "problem"):
        copies[read_head(raw).message_id].append((number, status, problem))
    submitted = Counter(number for (number,) in _all(session, Submission, "inbound_id"))
    accepted = book(town, "mails")
    for each in accepted:
        came = copies[each["id"]]
        read = [status for _, status, _ in came if status != "duplicate"]
        counts = sum(submitted[number] for number, *_ in came)
        found.hold(read == ["read"], f"mail {each['id']} is {came}")
        found.hold(counts <= 1, f"mail {each['id']} counts {counts} times")
        found.counted["mails that came more than once"] += len(came) > 1
    found.hold(len(accepted) == len({each["id"] for each in accepted}), "a mail was taken twice by the town's books")
    found.counted["mails accepted"] = len(accepted)


def _calls(session: Session, town: Path, found: Findings) -> None:
    """Every call that was answered counts once, however often it was sent."""
    stored = Counter(key.rpartition("/")[2] for (key,) in _all(session, Submission, "key") if key.startswith("api/"))
    calls = book(town, "calls")
    for each in calls:
        mark = blake2b(f"{each['key']}\n{each['text']}".encode(), digest_size=16).hexdigest()
        found.hold(stored[mark] == 1, f"a call that was answered {each['outcome']} counts {stored[mark]} times")
        found.counted["calls that were sent more than once"] += each["tries"] > 1
    found.counted["calls answered"] = len(calls)
    _refusals(session, town, found)


def _refusals(session: Session, town: Path, found: Findings) -> None:
    """Nothing was refused but calls in answer to letters of games that had ended by then, one for each at most."""
    query = select(Letter.message_id, Game.ended).join(Game, col(Game.id) == col(Letter.game_id))
    ended = dict(session.exec(query).all())
    refused = book(town, "refusals")
    for each in refused:
        over = ended.get(each["letter"])
        too_late = OVER in each["said"] and over is not None and over <= datetime.fromisoformat(each["when"])
        found.hold(too_late, f"an answer to letter {each['letter']} was refused: {each['said']}")
    found.hold(len(refused) == len({each["letter"] for each in refused}), "answers to one letter were refused twice")
    found.counted["calls refused, their games over"] = len(refused)


def _letters(service: Service, session: Session, town: Path, log: Sequence[Struck], found: Findings) -> None:
    """Every letter was handed over, and twice only where nobody could know whether it had been."""
    taken: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for each in book(town, "letters"):
        taken[each["id"]].append(each)
    _turned_away(service, session, town, found)
    names = "message_id", "key", "fate", "problem"
    for message_id, key, fate, problem in _all(session, Letter, *names):
        times = taken.pop(message_id, [])
        found.counted[f"letters {fate}"] += 1
        settled = fate in ("sent", "unknown", "failed", "withdrawn") or (fate == "queued" and problem in HABITS)
        found.hold(settled, f"letter {key} is {fate} ({problem})")
        found.hold(bool(times) or fate not in ("sent", "unknown"), f"letter {key} is {fate}, and nobody took it")
        found.hold(
            not times or fate in ("sent", "unknown", "failed"),
            f"letter {key} is {fate}, and was taken {len(times)} times",
        )
        # One that failed and was taken was refused when it was sent again.
        refused = [{"at": inf}] if fate == "failed" and times else []
        found.counted["letters refused when sent again"] += len(refused)
        for first, next_ in pairwise([*times, *refused]):
            found.hold(problem.startswith(AGAIN), f"letter {key} was taken, and sent again, and is not marked so")
            why = _why_again(first, next_, log)
            found.hold(bool(why), f"letter {key} was sent again after {first['at']}, at {next_['at']}")
            found.counted[f"letters taken again: {why}"] += next_ not in refused
        found.counted["letters marked as sent again"] += problem.startswith(AGAIN)
    found.hold(not taken, f"letters were taken that nobody wrote: {list(taken)[:5]}")


def _turned_away(service: Service, session: Session, town: Path, found: Findings) -> None:
    """No letter counts as put off more often than the mail server did so, and none failed that it wanted to have."""
    answers: dict[str, list[str]] = defaultdict(list)
    for each in book(town, "turned away"):
        answers[each["returns_to"]].append(each["answer"])
    names = "message_id", "key", "fate", "problem", "deferred"
    for message_id, key, fate, problem, deferred in _all(session, Letter, *names):
        heard = answers[service.identity.returns_to(message_id)]
        put_off = sum(not answer.startswith("5") for answer in heard)
        found.hold(put_off >= deferred, f"letter {key} counts as put off {deferred} times, and was {put_off} times")
        if fate != "failed":
            continue
        never = any(answer.startswith("5") and problem.endswith(answer) for answer in heard)
        too_often = put_off > deferred == len(PAUSES)
        found.hold(never or too_often, f"letter {key} failed ({problem}), and the mail server said {heard}")
        found.counted["letters refused for good"] += never
        found.counted["letters put off too often"] += not never


def _why_again(first: dict[str, Any], next_: dict[str, Any], log: Sequence[Struck]) -> str:
    if first["answer"] != "250":
        return "the mail server was cut off"
    between = [each for each in log if each.begun <= next_["at"] and each.ended >= first["at"] - LATE]
    if any(each.what == "sender" for each in between):
        return "the sender was killed"
    return ""


def _stages(session: Session, game: Game, found: Findings) -> None:
    """Each stage was closed once, and opened with a report, and a letter of it, for each seat."""
    if not game.stage_number:
        found.counted["games that did not begin"] += 1
        return
    closed = session.exec(select(StageTime.number).where(col(StageTime.game_id) == game.id)).all()
    found.hold(sorted(closed) == [*range(1, game.stage_number)], f"stages {sorted(closed)} of {game.code} were closed")
    found.hold(not game.aside, f"{game.code} was set aside")
    seats = session.exec(select(Seat.number).where(col(Seat.game_id) == game.id)).all()
    reports = session.exec(select(Report).where(col(Report.game_id) == game.id)).all()
    opened = Counter((each.seat, each.stage_number) for each in reports if each.kind in ("stage", "final"))
    wanted = Counter((seat, number) for seat in seats for number in range(1, game.stage_number + 1))
    found.hold(opened == wanted, f"{game.code} has reports {opened - wanted} too many, {wanted - opened} too few")
    written = set(session.exec(select(Letter.key).where(col(Letter.game_id) == game.id)))
    for each in reports:
        key = f"report/{game.code}/{each.line}/{each.entry}/{each.kind}/{each.seat}"
        found.hold(key in written, f"there is no letter {key}")
    found.counted["stages resolved"] += len(closed)
    found.counted[f"games {game.status}"] += 1


def _journal(service: Service, game: Game, found: Findings) -> None:
    if game.stage_number:
        verified = verify(service, game.code)
        found.hold(verified.problem == "", f"journal of {game.code}: {verified.problem} at entry {verified.entry}")
        found.counted["entries replayed"] += verified.entries
