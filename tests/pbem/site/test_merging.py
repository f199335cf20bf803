"""Two accounts of one person become one, with everything that both had."""

from sqlmodel import select

from pbem import clock
from pbem.accounts import addresses
from pbem.games.lifecycle import Guest, Plan, create_game, invite, join
from pbem.records.verifying import verify
from pbem.storage.models import Account, Standby, Submission, Tenure
from pbem.storage.sessions import Database
from tests.pbem.mail.mailing import post, reply
from tests.pbem.playing import Match
from tests.pbem.site.governing import ANN, BEN, MO, SITE, acts, number, playing, settle
from tests.pbem.web.visiting import Visit, app_on, letters_to

WORK, ZOE = "anna@work.example", "zoe@players.example"


def second(match: Match) -> Match:
    """Another game on the same service, in which the same person plays from work."""
    guests = [Guest(WORK, "Anna"), Guest(ZOE, "Zoe")]
    plan = Plan("tinygame", guests, pace="brisk", title="Second", moderator=WORK, policy={"ask_share": "100"})
    other = Match(match.service, create_game(match.service, plan))
    invite(match.service, other.code)
    for seat in range(2):
        join(match.service, other.id, seat)
    other.settle()
    return other


def test_games_and_addresses_of_both_are_one_accounts(database: Database) -> None:
    """One page has all games, old letters can be answered from either address, and both addresses are told."""
    match = playing(database)
    other = second(match)
    service, old = match.service, other.letters(0, "report")[-1]
    gone = number(service, WORK)
    assert "are one" in settle(service, ANN, "merge", address=f" {WORK.upper()} ")
    ann = number(service, ANN)
    assert number(service, WORK) == ann
    with service.reading() as session:
        assert addresses(session, ann) == {ANN, WORK}
        left = session.get_one(Account, gone)
        assert (left.name, left.deleted is not None) == ("", True)
    post(service, reply(old, "bid 1"), reply(match.letters(0, "report")[-1], "bid 2", WORK))
    with service.reading() as session:
        assert sorted(row.text for row in session.exec(select(Submission))) == ["bid 1", "bid 2"]
    assert other.game.moderator_id == ann
    shown = Visit(app_on(service), service, ANN).get("/")
    assert "Second" in shown
    assert f"/games/{match.code}" in shown
    assert all("one now" in letters_to(service, each, "addresses")[-1].text for each in (ANN, WORK))
    assert acts(service) == [("merged", ann, "asked for")]
    assert verify(service, other.code).problem == ""


def test_letters_go_to_the_kept_accounts_main_address(database: Database) -> None:
    """Of both games."""
    match = playing(database)
    other = second(match)
    settle(match.service, ANN, "merge", address=WORK)
    other.pass_deadline()
    assert other.letters(0, "report")[-1].recipient == ANN


def test_who_had_signed_in_as_the_other_is_signed_in_no_more(database: Database) -> None:
    """And signs in to the kept one."""
    match = playing(database)
    second(match)
    visit = Visit(app_on(match.service), match.service, WORK)
    settle(match.service, ANN, "merge", address=WORK)
    assert "/sign-in" in visit.get("/")
    assert 'value="Ann"' in Visit(app_on(match.service), match.service, ANN).get("/account")


def test_two_players_of_one_game_stay_two(database: Database) -> None:
    """They would see each other's secrets: nothing is changed, and the page says in which game."""
    match = playing(database)
    said = settle(match.service, ANN, "merge", 409, address=BEN)
    assert match.code in said
    assert number(match.service, BEN) != number(match.service, ANN)
    assert acts(match.service) == []


def test_what_can_not_be_merged_is_refused(database: Database) -> None:
    """An address of nobody's, one of the same account, a blocked account."""
    match = playing(database)
    second(match)
    said = settle(match.service, ANN, "merge", 409, address="nobody@players.example")
    assert "no account with the address that was typed" in said
    assert "one account already" in settle(match.service, ANN, "merge", 409, address=ANN)
    settle(match.service, WORK, "block")
    assert "is blocked" in settle(match.service, ANN, "merge", 409, address=WORK)
    assert [act for act, _, _ in acts(match.service)] == ["blocked"]


def test_a_player_and_a_moderator_of_one_game_may_be_one(database: Database) -> None:
    """From then on they have only what a moderator who plays has."""
    match = playing(database)
    settle(match.service, ANN, "merge", address=MO)
    visit = Visit(app_on(match.service), match.service, ANN)
    visit.get(f"/games/{match.code}/desk")
    said = visit.send(f"/games/{match.code}/desk/orders", 409, seat="1", lines="bid 1", reason="so")
    assert "You play in this game" in said
    assert SITE not in said


def test_a_place_in_the_line_of_ones_own_game_goes(database: Database) -> None:
    """Nobody waits for a seat of a game that they play, nor stands in one line twice; other places are kept."""
    match = playing(database)
    second(match)
    third = Match(match.service, create_game(match.service, Plan("tinygame", [Guest(BEN), Guest(ZOE)])))
    ann, anna = number(match.service, ANN), number(match.service, WORK)
    with match.service.writing() as session:
        for game in (match.id, third.id):
            session.add(Standby(game_id=game, account_id=anna, waits=True, created=clock.now()))
    settle(match.service, ANN, "merge", address=WORK)
    with match.service.reading() as session:
        assert [(row.game_id, row.account_id) for row in session.exec(select(Standby))] == [(third.id, ann)]


def test_who_had_a_seat_of_the_others_game_stays_apart(database: Database) -> None:
    """They know two sides of one game, though one of them plays no more."""
    match = playing(database)
    second(match)
    of, now = number(match.service, WORK), clock.now()
    with match.service.writing() as session:
        session.add(Tenure(game_id=match.id, account_id=of, seat=1, joined=now, left=now))
    assert match.code in settle(match.service, ANN, "merge", 409, address=WORK)
