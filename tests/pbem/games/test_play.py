"""Games are played by what comes in, by deadlines, and by nothing else."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from engine.journal import decode
from engine.table import replay
from pbem import clock
from pbem.errors import Refused
from pbem.games.lifecycle import Guest, Plan, create_game, decline, invite, join
from pbem.games.position import words_of
from pbem.games.rules import rules_of
from pbem.reports.data import decode_report
from pbem.rulings.authority import Actor
from pbem.rulings.life import start_game
from pbem.storage.models import Inbound, Letter, Snapshot
from pbem.storage.sessions import Database
from tests.pbem.playing import Match, begun, created, service_on

BIDS = "bid 6 or 5 or 4 or 3 or 2 or 1"


def attack(match: Match, *targets: str) -> str:
    """An order that attacks one of them with any card."""
    return "attack " + " or ".join(f"{target} with {card}" for target in targets for card in range(6, 0, -1))


def others(match: Match, seat: int) -> list[str]:
    """The names of the other sides."""
    return [each.name for each in match.seats if each.number != seat]


def test_game_starts_when_the_last_has_joined(database: Database) -> None:
    """Invitations carry the secret's hash; the first stage opens with a report to everybody."""
    match = created(service_on(database))
    invitations = match.letters(kind="invitation")
    assert len(invitations) == 3
    assert all(match.game.secret_hash.hex() in letter.text for letter in invitations)
    match = begun(service_on(database), pace="brisk")
    assert match.game.status == "playing"
    assert match.game.stage_key == "1-turn"
    assert [len(match.letters(seat, "report")) for seat in range(3)] == [1, 1, 1]
    assert match.game.secret.hex() not in "".join(letter.text for letter in match.letters())


def test_joining_and_inviting_twice_change_nothing(database: Database) -> None:
    """A link followed twice, or a reply sent twice, takes one seat once."""
    match = created(service_on(database))
    invite(match.service, match.code)
    assert len(match.letters(kind="invitation")) == 3
    join(match.service, match.id, 0, "first word")
    join(match.service, match.id, 0, "second word")
    assert match.seats[0].public_word == "first word"
    assert len(match.letters(0, "joined")) == 1


def test_declined_seat_is_open_and_its_moderator_told(database: Database) -> None:
    """After a refusal the game can begin without: what the open seat is asked takes the default."""
    match = created(service_on(database), moderator="mod@players.example", pace="brisk")
    join(match.service, match.id, 0)
    join(match.service, match.id, 1)
    decline(match.service, match.id, 2)
    assert [letter.recipient for letter in match.letters(kind="declined")] == ["mod@players.example"]
    start_game(match.service, match.code, Actor("Cleo can't play"))
    match.settle()
    assert [ruling.code for ruling in decode_report(match.reports(0)[-1].data).rulings] == ["started"]
    match.say(0, BIDS)
    match.say(1, BIDS)
    match.settle()
    assert match.game.stage_key == "2-turn"
    assert not match.letters(2, "report")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rules": "nothing"}, "unknown_rules"),
        ({"pace": "headlong"}, "bad_pace"),
        ({"options": {"lives": 99}}, "option_value"),
        ({"options": {"lifes": 2}}, "unknown_option"),
        ({"rules": "brass_empire", "options": {"teams": True}}, "option_seats"),
        ({"rules": "brass_empire", "options": {"battle": True}, "guests": [Guest("a@b.example")]}, "option_seats"),
        ({"guests": [Guest("a@b.example")]}, "bad_seats"),
        ({"guests": [Guest("a@b.example"), Guest("nonsense")]}, "bad_address"),
        ({"guests": [Guest("a@b.example"), Guest("c@d.example", "c" * 61)]}, "long_name"),
        ({"title": "a" * 101}, "long_title"),
    ],
)
def test_game_that_can_not_be_is_refused(database: Database, change: dict[str, object], code: str) -> None:
    """What no game can be made from is told by a code, and nothing is stored."""
    service = service_on(database)
    given: dict[str, object] = {"rules": "tinygame", "guests": [Guest("a@b.example"), Guest("c@d.example")], **change}
    with pytest.raises(Refused) as refused:
        create_game(service, Plan(**given))  # type: ignore[arg-type]
    assert refused.value.code == code


def test_brisk_stage_closes_when_all_are_ready(database: Database) -> None:
    """The last submission that answers all closes the stage, and everyone gets a report."""
    match = begun(service_on(database), pace="brisk")
    for seat in range(3):
        assert match.game.stage_key == "1-turn"
        taken = match.say(seat, BIDS)
        assert taken.acknowledgement is not None
        assert taken.acknowledgement.ready
        match.settle()
    assert match.game.stage_key == "2-turn"
    assert [len(match.letters(seat, "report")) for seat in range(3)] == [2, 2, 2]
    assert [len(match.letters(seat, "acknowledgement")) for seat in range(3)] == [1, 1, 1]


def test_settling_time_lets_a_slip_be_mended(database: Database) -> None:
    """After the last seat became ready the game waits; `not ready` in that time stops it."""
    match = begun(service_on(database), pace="brisk", settle_minutes=10)
    for seat in range(3):
        match.say(seat, BIDS)
    match.settle()
    assert match.game.stage_key == "1-turn"
    match.say(1, "not ready")
    clock.shift(timedelta(minutes=11))
    match.settle()
    assert match.game.stage_key == "1-turn"
    match.say(1, "ready")
    clock.shift(timedelta(minutes=11))
    match.settle()
    assert match.game.stage_key == "2-turn"


def test_brisk_deadline_plays_the_stage_with_defaults(database: Database) -> None:
    """Orders count though nobody was ready; who sent none takes the default and has missed a stage."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, BIDS + "\nnot ready")
    match.pass_deadline()
    rules = rules_of(match.game)
    bids = decode(rules, match.entries()[1].entry)
    assert [given.source for given in bids.answers] == ["order", "default", "default"]
    assert match.game.stage_key == "2-turn"
    assert [seat.missed for seat in match.seats] == [0, 1, 1]


def test_strict_play_asks_the_seat_whose_decision_is_pending(database: Database) -> None:
    """After the bids the attacker is asked, then the target; orders sent ahead are used without asking."""
    match = begun(service_on(database), pace="strict")
    assert match.game.stage_key == "1-bid"
    for seat in range(3):
        match.say(seat, BIDS)
    match.settle()
    assert match.game.stage_key == "1-fight"
    attacker = int(match.game.waiting)
    victim = (attacker + 1) % 3
    match.say(victim, "defend nothing")
    match.settle()
    assert match.game.waiting == str(attacker)
    match.say(attacker, attack(match, match.seats[victim].name))
    match.settle()
    assert match.game.stage_key == "2-bid"
    assert [report.kind for report in match.reports(victim)] == ["stage", "stage", "stage"]


def test_strict_question_is_asked_once_and_by_letter(database: Database) -> None:
    """A target without orders is asked by a report of its own, with what happened up to there."""
    match = begun(service_on(database), pace="strict")
    for seat in range(3):
        match.say(seat, BIDS)
    match.settle()
    attacker = int(match.game.waiting)
    victim = (attacker + 1) % 3
    match.say(attacker, attack(match, match.seats[victim].name))
    match.settle()
    assert match.game.stage_key == "1-fight"
    assert match.game.waiting == str(victim)
    kinds = [report.kind for report in match.reports(victim)]
    assert kinds == ["stage", "stage", "asked"]
    assert [event["type"] for event in decode_report(match.reports(victim)[-1].data).events] == ["attacked"]
    match.say(victim, "defend nothing")
    match.settle()
    assert match.game.stage_key == "2-bid"
    events = decode_report(match.reports(victim)[-1].data).events
    assert "attacked" not in [event["type"] for event in events]


def test_strict_deadline_passes_over_those_alone_who_were_asked(database: Database) -> None:
    """Who is asked only now has a deadline of their own, whether or not they have sent anything in the stage."""
    match = begun(service_on(database), pace="strict")
    for seat in range(3):
        match.say(seat, BIDS)
    match.settle()
    attacker = int(match.game.waiting)
    default_target = 0 if attacker else 1
    old = match.game.deadline
    match.pass_deadline()
    assert match.game.waiting == str(default_target)
    assert old is not None
    assert match.game.deadline is not None
    assert match.game.deadline > old + timedelta(hours=23)
    match.pass_deadline()
    assert match.game.stage_key == "2-bid"


def test_mail_accepted_before_the_deadline_counts(database: Database) -> None:
    """A stage does not close while a mail in time is unread; one that was set aside does not hold it."""
    match = begun(service_on(database), pace="brisk")
    deadline = match.game.deadline
    assert deadline is not None
    with match.service.writing() as session:
        inbound = Inbound(
            raw=b"", digest=b"1", received=deadline - timedelta(seconds=1), game_id=match.id, seat=0, next_try=deadline
        )
        inbound.next_try = deadline + timedelta(days=9)
        session.add(inbound)
    match.pass_deadline()
    assert match.game.stage_key == "1-turn"
    with match.service.writing() as session:
        held = session.exec(select(Inbound).where(col(Inbound.game_id) == match.id)).one()
        held.status = "aside"
        session.add(held)
    match.settle()
    assert match.game.stage_key == "2-turn"


def test_journal_of_a_whole_game_replays(database: Database) -> None:
    """Played to its end by deadlines alone: the secret and the journal give the same head; final reports tell both."""
    match = begun(service_on(database), pace="brisk", options={"turns": 3})
    while match.game.status == "playing":
        match.say(0, BIDS)
        match.pass_deadline()
    game = match.game
    rules = rules_of(game)
    entries = [decode(rules, row.entry) for row in match.entries()]
    table = replay(rules, game.secret, words_of(match.seats), entries)
    assert table.head == game.head
    final = decode_report(match.reports(1)[-1].data)
    assert final.over
    assert final.secret == game.secret.hex()
    assert final.head == game.head.hex()
    assert game.deadline is None
    with match.service.reading() as session:
        kept = session.exec(select(Snapshot).where(col(Snapshot.game_id) == game.id)).all()
        assert len(kept) == len({(row.line, row.number) for row in kept}) == game.stage_number
        assert not session.exec(select(Letter).where(col(Letter.content) == b"")).all()


def test_report_says_what_became_of_every_order(database: Database) -> None:
    """Used, used by an alternative, passed over with the reason, left over, and waiting where it stands."""
    match = begun(service_on(database), pace="brisk")
    match.say(0, f"if attacked by green, bid 1\n{BIDS}\nalways defend nothing\nattack red with 1\nnot ready")
    match.pass_deadline()
    fates = {fate.order: fate for fate in decode_report(match.reports(0)[-1].data).orders}
    assert fates["if attacked by green, bid 1"].code == "condition"
    assert fates[BIDS].code in ("used", "alternative")
    assert fates[BIDS].result
    assert fates["always defend nothing"].code in ("standing", "waiting")
    assert fates["attack red with 1"].code not in ("used", "waiting")
    match.pass_deadline()
    assert [fate.order for fate in decode_report(match.reports(0)[-1].data).orders] == ["always defend nothing"]
