"""What is a person's goes from the database, byte by byte; what the games need stays, and everything still checks."""

from sqlalchemy import inspect, text
from sqlmodel import col, select

from pbem import clock
from pbem.accounts import account_of, create_account, never_again
from pbem.context import Service
from pbem.mail.posted import stand_in_line
from pbem.records.checking import check_record
from pbem.records.verifying import verify
from pbem.records.writing import record
from pbem.reports.data import decode_report
from pbem.sheets.received import Post
from pbem.site.holdings import HOLDINGS, columns
from pbem.storage.models import Address, Inbound, Press, Proposal, Seat, Tenure
from pbem.storage.sessions import Database
from pbem.voting.proposals import FAILED
from tests.pbem.games.test_play import BIDS
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import Match, created
from tests.pbem.site.governing import ANN, MO, SITE, acts, at_page, number, playing, settle
from tests.pbem.web.visiting import Visit, app_on, letters_to

WORK, ZOE = "annika@work.example", "zoe@players.example"


def forget(service: Service, address: str = ANN) -> None:
    """Delete the account of an address by the page."""
    settle(service, address, "delete", address=address)


def everything(service: Service) -> str:
    """All that the database holds, as one text."""
    found = []
    with service.reading() as session:
        for table in inspect(session.connection()).get_table_names():
            for row in session.execute(text(f"SELECT * FROM {table}")):
                found += [
                    bytes(each).decode("latin-1") if isinstance(each, (bytes, memoryview)) else str(each)
                    for each in row
                ]
    return "\n".join(found)


def _shown(value: object) -> str:
    return bytes(value).decode("latin-1") if isinstance(value, (bytes, memoryview)) else str(value)


def over(match: Match) -> None:
    """Play the game to its end."""
    while match.game.status == "playing":
        match.pass_deadline()


def test_no_byte_of_name_and_addresses_is_left(database: Database) -> None:
    """Neither in rows, nor in mails that came, nor in letters to the person, nor in what others were told by report."""
    match = playing(database, options={"turns": 3})
    service = match.service
    with service.writing() as session:
        ann = account_of(session, ANN)
        assert ann is not None
        ann.name = "Annaliese"
        never_again(session, WORK, "complained")
        session.add(ann)
        session.add(Address(account_id=ann.id or 0, address=WORK, main=False, created=clock.now()))
    match.pass_deadline()
    post(service, reply(match.letters(0, "report")[-1], f"{BIDS}\n\nYours, Annaliese", WORK))
    over(match)
    before = everything(service).lower()
    assert all(word in before for word in ("annaliese", ANN, WORK))
    forget(service)
    # The letters of others may name whom they were about; the reports are what pages are made of.
    with service.writing() as session:
        session.execute(text("UPDATE letter SET text = '', content = :no WHERE account_id IS NOT NULL"), {"no": b""})
    after = everything(service).lower()
    assert [word for word in ("annaliese", ANN, WORK, "annika") if word in after] == []


def test_nothing_is_left_of_what_a_page_sent_and_could_not_be_taken(database: Database) -> None:
    """Nor of what stands in line still, which is not taken any more; what others sent stays."""
    match = playing(database, options={"turns": 3})
    service = match.service
    for seat, secret in ((0, "bid 6 # the heron"), (1, "bid 5 # the bittern")):
        sent = Post(match.id, seat, secret, "page", f"page/{seat}", clock.now())
        set_aside = stand_in_line(service, sent)
        stand_in_line(service, sent)
        with service.writing() as session:
            session.get_one(Inbound, set_aside).status = "aside"
    forget(service)
    assert "heron" not in everything(service)
    assert everything(service).count("bittern") == 2
    with service.reading() as session:
        left = session.exec(select(Inbound.status).order_by(col(Inbound.id))).all()
    assert left == ["refused", "refused", "aside", "stored"]


def test_games_stay_whole(database: Database) -> None:
    """One that is over verifies with the same head; its record is the same bytes, and is found right."""
    match = playing(database, options={"turns": 3})
    match.say(0, BIDS)
    match.say(0, "to all: farewell")
    over(match)
    before, head = record(match.service, match.code), match.game.head
    forget(match.service)
    assert verify(match.service, match.code).problem == ""
    assert match.game.head == head
    assert record(match.service, match.code) == before
    assert check_record(before, head.hex()).head == head.hex()
    other = Visit(app_on(match.service), match.service, "ben@players.example")
    assert "farewell" in other.get(f"/games/{match.code}/messages")
    other.get(f"/games/{match.code}/table")
    for place, _ in enumerate(match.reports(1), 1):
        other.get(f"/games/{match.code}/reports/{place}")


def test_a_game_that_goes_on_goes_on_without_the_player(database: Database) -> None:
    """The seat is left as its player could leave it: all are told, the game waits for nobody there, and verifies."""
    match = playing(database)
    match.say(0, BIDS)
    forget(match.service)
    assert match.seats[0].account_id is None
    assert len(match.letters(1, "resigned")) == 1
    match.say(1, BIDS)
    match.say(2, BIDS)
    match.settle()
    assert match.game.stage_key == "2-turn"
    match.pass_deadline()
    assert match.letters(0, "report")[-1].recipient == ""
    assert verify(match.service, match.code).problem == ""
    assert "nobody" in Visit(app_on(match.service), match.service, MO).get(f"/games/{match.code}/desk")


def test_old_letters_and_links_lead_nowhere(database: Database) -> None:
    """Mail to an old reply address is a stranger's, open pages close, and the address can begin anew."""
    match = playing(database)
    report = match.letters(0, "report")[-1]
    visit = Visit(app_on(match.service), match.service, ANN)
    forget(match.service)
    assert "/sign-in" in visit.get(f"/games/{match.code}")
    post(match.service, reply(report, BIDS))
    (letter,) = letters_to(match.service, ANN, "stranger")
    assert letter.account_id is None
    assert match.seats[0].sheet == b""
    visit.get("/sign-in")
    visit.send("/sign-in", address=ANN)
    assert letters_to(match.service, ANN) == []


def test_games_of_a_deleted_moderator_are_the_operators(database: Database) -> None:
    """What they ruled stays on record as the players were told it, or the chain would break."""
    match = playing(database)
    visit = Visit(app_on(match.service), match.service, MO)
    visit.get(f"/games/{match.code}/desk")
    visit.send(f"/games/{match.code}/desk/extend", hours="1", reason="a holiday")
    forget(match.service, MO)
    assert match.game.moderator_id is None
    assert verify(match.service, match.code).problem == ""
    match.pass_deadline()
    assert match.game.stage_key == "2-turn"


def test_an_invitation_that_was_not_answered_is_declined(database: Database) -> None:
    """The moderator is told and can invite somebody else, or the same address again."""
    match = playing(database)
    waiting = created(match.service, title="Waiting", moderator=MO)
    forget(match.service)
    assert waiting.seats[0].account_id is None
    assert len(letters_to(match.service, MO, "declined")) == 1


def test_it_is_done_only_where_the_main_address_was_typed(database: Database) -> None:
    """A slip deletes nobody, and nobody deletes themselves."""
    match = playing(database)
    assert "not the main address" in settle(match.service, ANN, "delete", 409, address=MO)
    assert "A ruling needs a reason" in settle(match.service, ANN, "delete", 409, address=ANN, reason=" ")
    visit = at_page(match.service, ANN)
    own = f"/site/people/{number(match.service, SITE)}/delete"
    visit.page = visit.page.replace(f"/site/people/{number(match.service, ANN)}/delete", own)
    assert "your own account" in visit.send(own, 409, address=SITE, reason="so")
    assert acts(match.service) == []
    with match.service.reading() as session:
        assert all(seat.account_id for seat in session.exec(select(Seat).where(col(Seat.game_id) == match.id)))


def test_deleting_goes_on_record_and_its_page_is_gone(database: Database) -> None:
    """The record names nobody."""
    match = playing(database)
    of = number(match.service, ANN)
    visit = at_page(match.service, ANN)
    assert "is deleted" in visit.send(f"/site/people/{of}/delete", address=ANN, reason="asked by letter")
    assert ANN not in visit.page
    visit.get(f"/site/people/{of}", 404)
    assert acts(match.service) == [("deleted", of, "asked by letter")]


def test_messages_stay_in_the_games_record(database: Database) -> None:
    """From a side without a player."""
    match = playing(database)
    match.say(0, "to green: hello")
    forget(match.service)
    with match.service.reading() as session:
        assert [row.text for row in session.exec(select(Press))] == ["hello"]


def test_every_column_that_names_an_account_has_its_fate() -> None:
    """A new table with people in it has to say what becomes of them."""
    assert set(columns()) == set(HOLDINGS)


def test_a_former_holder_is_forgotten_and_the_present_one_is_not(database: Database) -> None:
    """Of a seat that has passed on, each report loses the name of who held it then, and no other."""
    match = playing(database)
    match.pass_deadline()
    then = clock.now()
    zoe = create_account(match.service, ZOE, "Zoe")
    with match.service.writing() as session:
        seat = match.seats[0]
        ann, seat.account_id, seat.joined = seat.account_id, zoe, then
        session.add(Tenure(game_id=match.id, account_id=ann or 0, seat=0, joined=match.game.created, left=then))
        session.merge(seat)
    match.pass_deadline()
    forget(match.service)
    names = [decode_report(report.data).seats[0].player for report in match.reports(1)]
    assert set(names[:2]) == {""}
    assert names[-1] == "Zoe"


def test_what_a_deleted_moderator_has_proposed_is_not_done(database: Database) -> None:
    """Whatever the players vote then."""
    match = playing(database)
    row = Proposal(game_id=match.id, kind="pause", line=0, stage_number=1, created=clock.now())
    row.account_id = number(match.service, MO)
    with match.service.writing() as session:
        session.add(row)
    forget(match.service, MO)
    with match.service.reading() as session:
        (left,) = session.exec(select(Proposal))
        assert left.outcome == FAILED
