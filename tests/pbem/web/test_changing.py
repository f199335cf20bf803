"""The state is changed at the desk: a look, step by step, before and after, and only then the act."""

from pbem.rulings.authority import Actor
from pbem.rulings.deadlines import extend_deadline
from pbem.rulings.record import rulings_of
from pbem.storage.sessions import Database
from tests.pbem.playing import Match
from tests.pbem.sheets.test_undo import stands
from tests.pbem.web.test_desk import desk, plays_in
from tests.pbem.web.visiting import Visit, forms

REASON = "a token was lost"


def begun(match: Match, visit: Visit) -> str:
    """The first step, after the look."""
    return visit.send(f"/games/{match.code}/desk/change", reason=REASON)


def path_to(page: str, line: str) -> str:
    """The value of the option with a line."""
    before = page[: page.index(f'<code class="order">{line}')]
    return before.rpartition('value="')[2].partition('"')[0]


def sent(match: Match, visit: Visit, step: str, status: int = 200, **fields: str) -> str:
    """One of the forms that follow the first, as a page of it has it that may lie open for long."""
    visit.get(f"/games/{match.code}/desk")
    token = forms(visit.page)[0].fields["csrf_token"]
    return visit.post(f"/games/{match.code}/desk/change/{step}", status, csrf_token=token, reason=REASON, **fields)


def acts(match: Match) -> list[str]:
    """What was ruled."""
    return [each.act for each in rulings_of(match.service, match.code)]


def test_the_state_is_changed_step_by_step(database: Database) -> None:
    """All are told of the look before anything is shown; the change is made after before and after were."""
    match, visit = desk(database)
    page = begun(match, visit)
    assert acts(match) == ["looked"]
    assert len(match.letters(kind="looked")) == 3
    steps = f"/games/{match.code}/desk/change/step"
    page = visit.send(steps, path=path_to(page, "lives"))
    page = visit.send(steps, path=path_to(page, "lives green"))
    assert "A number from 1 to 9" in page
    page = visit.send(steps, number="7")
    assert "lives green 7</textarea>" in page
    page = sent(match, visit, "compare", text="lives green 7\r\nlives red 1")
    assert "Green is given 7 lives by the moderator." in page
    assert "- Green: lives 2, cards in hand 3" in page
    assert "+ Green: lives 7, cards in hand 3" in page
    assert acts(match) == ["looked"]
    version = page.partition('name="version" value="')[2].partition('"')[0]
    page = visit.send(f"/games/{match.code}/desk/change/do")
    assert "The state of the game was changed by hand." in page
    assert stands(match).table.state.lives == [1, 7, 2]
    assert acts(match) == ["looked", "state_changed"]
    assert "changed by hand" in visit.get(f"/games/{match.code}/desk")
    sent(match, visit, "do", 409, text="lives green 8", version=version)
    assert stands(match).table.state.lives == [1, 7, 2]


def test_a_hidden_change_is_shown_as_what_the_seat_alone_sees(database: Database) -> None:
    """The moderator, who has looked, sees the hand before and after."""
    match, visit = desk(database)
    state = stands(match).table.state
    old = state.hands[0][0]
    new = next(value for value in range(1, 7) if value not in state.hands[0] and state.left[value - 1])
    begun(match, visit)
    page = sent(match, visit, "compare", text=f"card red {old} {new}")
    assert "For Red alone" in page
    assert f"- Your hand: {', '.join(map(str, state.hands[0]))}" in page


def test_changes_that_can_not_be_made_are_shown_again_with_what_is_wrong(database: Database) -> None:
    """Nothing that was typed is lost."""
    match, visit = desk(database)
    begun(match, visit)
    page = sent(match, visit, "compare", text="lives green 7\nlives pink 1")
    assert "Line 2: “pink 1” can&#39;t stand there; this can: red, green, blue." in page
    assert "lives green 7\nlives pink 1</textarea>" in page
    page = sent(match, visit, "compare", text="discarded 3 1")
    assert "The game could not stand so" in page
    page = sent(match, visit, "step", text="lives pink 1", path="")
    assert "lives pink 1</textarea>" in page
    sent(match, visit, "step", 400, path="99")
    assert acts(match) == ["looked"]


def test_a_page_from_before_something_happened_does_nothing(database: Database) -> None:
    """An order or a ruling since then: the moderator begins anew."""
    match, visit = desk(database)
    begun(match, visit)
    page = sent(match, visit, "compare", text="lives green 7")
    version = page.partition('name="version" value="')[2].partition('"')[0]
    match.say(0, "bid 1 or 2 or 3 or 4 or 5 or 6")
    assert "Nothing was done" in sent(match, visit, "do", 409, text="lives green 7", version=version)
    extend_deadline(match.service, match.code, 1, Actor("late"))
    for step in ("step", "compare", "do"):
        assert "begin anew" in sent(match, visit, step, 409, text="lives green 7", version=version, path="")
    assert stands(match).table.state.lives == [2, 2, 2]


def test_steps_are_shown_to_nobody_who_has_not_looked_or_plays(database: Database) -> None:
    """Without the look nothing is shown; who plays too is not given one."""
    match, visit = desk(database)
    assert "begin anew" in sent(match, visit, "step", 409, path="")
    plays_in(match, 1)
    visit.get(f"/games/{match.code}/desk")
    assert "You play in this game" in visit.send(f"/games/{match.code}/desk/change", 409, reason=REASON)
    assert "You play in this game" in sent(match, visit, "compare", 409, text="lives green 7")
    assert acts(match) == []


def test_a_look_needs_a_reason_and_the_game_as_it_was_seen(database: Database) -> None:
    """A form that is sent twice looks once."""
    match, visit = desk(database)
    page = visit.page
    visit.send(f"/games/{match.code}/desk/change", 409, reason=" ")
    visit.page = page
    begun(match, visit)
    visit.page = page
    assert "Nothing was done" in visit.send(f"/games/{match.code}/desk/change", 409, reason=REASON)
    assert acts(match) == ["looked"]
