"""Reports of Brass Empire: words for everything, card texts made of effects, and nothing that a seat does not know."""

import html
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

import msgspec
import pytest

from engine.brass_empire import MODULE
from engine.brass_empire.cards import built_in
from engine.brass_empire.choices import DECISIONS
from engine.brass_empire.events import GameEnded
from engine.brass_empire.refusals import REFUSALS
from engine.chance import RandomChance, pick_from
from engine.contract import Asked, Setup
from engine.orders.reader import read
from engine.spaces import sample
from engine.table import Answered, Table
from pbem.reports.board import png, svg
from pbem.reports.data import Report, Seat, plain, seen
from pbem.reports.environments import TEXT
from pbem.reports.game import game_words
from pbem.reports.render import report_letter
from pbem.sheets.lines import questions
from pbem.words import PSEUDO, Words
from tests.pbem.reports.plain import bypassing, shown
from tests.pbem.reports.test_codes import ENGINE, macros, raised

ENGLISH = Words.of("en")
WORDS = game_words("brass_empire", Setup(4), "en")
VARIANTS = [
    Setup(1),
    Setup(2),
    Setup(4),
    Setup(6),
    Setup(4, {"teams": True, "team_hands": True, "bought_at_end": True}),
    Setup(2, {"battle": True}),
    Setup(3, {"custom_reserve": True}),
]


@dataclass
class Stop:
    """A moment of a random game, and what happened since the last."""

    rules: Any
    state: Any
    events: list[Any]

    def report(self, seat: int | None, state: Any = None) -> Report:
        """The report of a seat, from the real state or another one."""
        rules, state = self.rules, self.state if state is None else state
        view, over = rules.view(state, seat), rules.pending(state) is None
        stage = rules.stage(state, "strict")
        return Report(
            game="b1",
            title="Deep Thought",
            seat=seat,
            seats=tuple(Seat(side) for side in MODULE.seat_names[: rules.setup.seats]),
            rules="brass_empire",
            setup=rules.setup,
            turn=stage.turn,
            stage=stage.name,
            events=seen(self.events, seat),
            orders=(),
            view=plain(view),
            public=plain(rules.view(state, None)),
            standings=tuple(rules.standings(state)) if over else (),
            questions=() if seat is None else questions(MODULE, rules, rules.agenda(view, "strict"), view, "en"),
            over=over,
            occasion="over" if over else "stage",
        )


def _stops(setup: Setup, seed: int, every: int = 25) -> Iterator[Stop]:
    """One in so many moments of a random game, and its end."""
    pick = pick_from(random.Random(seed))
    rules = MODULE.bind(setup)
    table, _, events = Table.begin(rules, seed.to_bytes(32, "big"), ("",) * setup.seats)
    for number in range(600):
        decision = rules.pending(table.state)
        if decision is None or number % every == 0:
            yield Stop(rules, table.state.copy(), events)
            events = []
        if decision is None:
            return
        answers = {seat: Answered(sample(rules.space(table.state, seat), pick), "order") for seat in decision.seats}
        events = events + table.decide(answers)[1]


def _name(setup: Setup) -> str:
    return "-".join([str(setup.seats), *setup.options])


def test_every_code_of_a_refusal_and_of_the_reader_has_a_sentence() -> None:
    """A code without words would set a game aside on the day that it first comes up."""
    known = macros(WORDS, "reasons.j2") | macros(WORDS, "game/reasons.j2")
    own = {code for folder in ("brass_empire", "brass_empire/language") for code in raised(ENGINE / folder)}
    assert sorted((own | set(REFUSALS)) - known) == []


def test_every_fault_of_a_card_file_has_a_sentence() -> None:
    """In the game's own words, or those of all games."""
    known = macros(WORDS, "components.j2") | macros(WORDS, "game/components.j2")
    assert sorted(set(raised(ENGINE / "brass_empire", {"Fault"})) - known) == []


SAMPLES = {
    "act": "play",
    "card": 5,
    "corp": 1,
    "construction": 2,
    "count": 3,
    "has": 1,
    "has_construction": 0,
    "has_labor": 3,
    "labor": 4,
    "least": 2,
    "most": 10,
    "needed": 8,
    "needs": 2,
    "seat": 1,
}


@pytest.mark.parametrize("code", sorted(REFUSALS))
def test_every_refusal_is_a_sentence_with_its_figures(code: str) -> None:
    """The words use the parameters that the refusal declares, and no others."""
    if code == "not_asked":
        return
    said = WORDS.reason(code, {name: SAMPLES[name] for name in REFUSALS[code]})
    assert said.endswith(".")
    assert said[0].isupper()


def test_every_kind_and_stage_has_words() -> None:
    """What is asked, what happens otherwise, and the names of stages, kinds and sides."""
    for kind in DECISIONS:
        assert WORDS.asks(Asked(kind))
        assert WORDS.otherwise(Asked(kind))
        assert WORDS.name("kind", kind)
    for seat in MODULE.seat_names:
        assert WORDS.name("stage", f"turn_{seat}")
        assert WORDS.name("seat", seat)
    assert WORDS.name("stage", "founding")
    assert WORDS.name("stage", "round")
    assert GameEnded in get_args(MODULE.bind(Setup(2)).event_type)


@pytest.mark.parametrize("number", range(len(built_in())), ids=[card.id for card in built_in()])
def test_a_cards_text_is_made_of_its_effects(number: int) -> None:
    """In English it comes to what the card file says beside them."""
    text = WORDS.environments[TEXT].get_template("texts.j2").module
    card = built_in()[number]
    if card.starts_in_play:
        return
    assert " ".join(str(text.text(number)).split()) == card.text  # type: ignore[attr-defined]


@pytest.mark.parametrize("setup", VARIANTS, ids=_name)
def test_a_report_is_in_words_of_the_catalog_alone(setup: Setup) -> None:
    """In the pseudo-locale no report, in text or HTML, has a plain word but orders and names."""
    pseudo = Words.of(PSEUDO, "Europe/Paris")
    for stop in _stops(setup, 3):
        for seat in (None, setup.seats - 1):
            report = stop.report(seat)
            made = report_letter(report, pseudo)
            lines = [line for each in report.questions for line in (*each.form, *each.examples)]
            for text in (made.text, shown(made.html), made.subject):
                assert bypassing(text, *lines) == set()


@pytest.mark.parametrize("setup", VARIANTS, ids=_name)
def test_no_line_of_a_report_is_an_order(setup: Setup) -> None:
    """A report sent back whole orders nothing; its examples, uncommented, are orders."""
    for stop in _stops(setup, 4):
        view = stop.rules.view(stop.state, 0)
        report = stop.report(0)
        reading = read(report_letter(report, ENGLISH).text, MODULE.language, view)
        assert (reading.orders, reading.commands, reading.problems) == ((), (), ())
        examples = [line for question in report.questions for line in question.examples]
        assert len(read("\n".join(examples), MODULE.language, view).orders) == len(examples)


@pytest.mark.parametrize("setup", VARIANTS, ids=_name)
def test_a_report_says_nothing_that_the_seat_does_not_know(setup: Setup) -> None:
    """The leak law, to the letter: from any state that the seat must think possible it reads the same."""
    for number, stop in enumerate(_stops(setup, 5, 40)):
        for seat in range(setup.seats):
            if stop.rules.pending(stop.state) is None:
                continue
            view = stop.rules.view(stop.state, seat)
            imagined = stop.rules.imagine(view, RandomChance(random.Random(number)))
            told = report_letter(stop.report(seat), ENGLISH)
            assert report_letter(stop.report(seat, imagined), ENGLISH) == told


def test_a_report_is_well_under_what_mail_programs_show() -> None:
    """Gmail cuts at about 102 KB; with six companies the HTML stays below half of that."""
    for stop in _stops(Setup(6), 6):
        assert len(report_letter(stop.report(2), ENGLISH).html.encode()) < 51_000


@pytest.mark.usefixtures("large_pictures")
@pytest.mark.parametrize("setup", VARIANTS, ids=_name)
def test_the_picture_shows_the_table_and_nothing_that_the_words_do_not(setup: Setup) -> None:
    """Small enough for a mail, of what everyone knows alone, every number and name of it in the words beside it."""
    words = game_words("brass_empire", setup, "en")
    for stop in _stops(setup, 8, 60):
        public = stop.rules.view(stop.state, None)
        drawing = svg(words, public)
        assert len(png(drawing)) < 150_000
        told = html.unescape(" ".join(words.position(public)))
        for text in re.findall(r"<text[^>]*>(.*?)</text>", drawing, re.DOTALL):
            said = html.unescape(re.sub(r"<[^>]+>", " ", text))
            for word in re.findall(r"[A-Za-z-]{4,}", said):
                assert word.lower() in told.lower(), f"{word} in {said}"


@pytest.mark.parametrize(("options", "card"), [({}, "Gumshoe"), ({"custom_reserve": True}, "Tower Colossus")])
def test_what_a_corporation_offers_is_told_before_it_is_chosen(options: dict[str, Any], card: str) -> None:
    """Each reserve with costs and texts; where reserves are made, all that they can be made of."""
    stop = next(iter(_stops(Setup(2, options), 1)))
    text = report_letter(stop.report(0), ENGLISH).text
    assert "McGlynn Clockwerks" in text
    assert re.search(rf"{card} \(costs .*worth \d", text)
    assert ("Tower Colossus" in text) == ("custom_reserve" in options)


def test_who_loses_to_the_automaton_is_not_told_to_have_won() -> None:
    """Alone a company wins or does not; the letter says which."""
    said = set()
    for seed in range(12):
        (*_, stop) = _stops(Setup(1), seed)
        text = report_letter(stop.report(0), ENGLISH).text
        (standing,) = stop.rules.standings(stop.state)
        assert ("Red has not won" in text) == (standing.place == 2)
        assert ("Red wins" in text) == (standing.place == 1)
        said.add(standing.place)
    assert 2 in said


def test_a_report_survives_being_stored() -> None:
    """What is stored as plain values reads the same."""
    (*_, stop) = _stops(Setup(3), 7)
    report = stop.report(1)
    again = msgspec.json.decode(msgspec.json.encode(report), type=Report)
    assert report_letter(again, ENGLISH) == report_letter(report, ENGLISH)
