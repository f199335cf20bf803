"""Whatever happens at the same time happens one after another: nothing is lost and nothing is done twice."""

from concurrent.futures import ThreadPoolExecutor

from sqlmodel import col, select

from engine.journal import decode
from engine.table import replay
from pbem import clock
from pbem.games.advance import advance
from pbem.games.position import words_of
from pbem.games.rules import rules_of
from pbem.sheets.received import Post
from pbem.sheets.submitting import submit
from pbem.storage.models import Submission
from pbem.storage.sessions import Database
from tests.pbem.games.test_play import BIDS
from tests.pbem.playing import begun, service_on


def test_submissions_and_play_at_the_same_time(database: Database) -> None:
    """Players send while play goes on: each submission is kept once, and the journal replays."""
    match = begun(service_on(database), pace="brisk")
    number = match.id

    def send(seat: int) -> None:
        for turn in range(4):
            post = Post(number, seat, BIDS, "mail", f"together/{seat}/{turn}", clock.now())
            submit(match.service, post)
            submit(match.service, post)
            advance(match.service, number)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(send, range(3)))
    match.settle()
    with match.service.reading() as session:
        kept = session.exec(select(Submission.number).order_by(col(Submission.number))).all()
    assert list(kept) == list(range(1, 13))
    rules = rules_of(match.game)
    entries = [decode(rules, row.entry) for row in match.entries()]
    assert replay(rules, match.game.secret, words_of(match.seats), entries).head == match.game.head
    assert match.game.failures == 0
    assert [len(match.letters(seat, "acknowledgement")) for seat in range(3)] == [4, 4, 4]
    stages = {report.stage_number for report in match.reports(0)}
    assert stages == set(range(1, match.game.stage_number + 1))
