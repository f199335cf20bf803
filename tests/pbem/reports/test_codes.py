"""Every code that the engine can bring forth has words, in every game's templates."""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import get_args

import pytest

import engine
from engine.contract import Asked, Setup
from engine.registry import bind, load
from engine.rockwell.choices import DECISIONS
from engine.rockwell.refusals import REFUSALS
from pbem.reports.environments import TEXT
from pbem.reports.game import GameWords, MissingWords, game_words

ENGINE = Path(engine.__file__).parent
ROCKWELL = game_words("rockwell", Setup(seats=4), "en")
RAISERS = {"Illegal", "Unread", "Problem", "Obstacle", "unread", "fail"}


def raised(folder: Path, raisers: Collection[str] = RAISERS) -> Iterator[str]:
    """The codes that stand as literals where something is refused or can't be read."""
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in raisers:
                    yield str(node.args[0].value)


def macros(words: GameWords, template: str) -> set[str]:
    """The names of a template's macros."""
    return set(dir(words.environments[TEXT].get_template(template).module))


def test_every_code_of_engine_and_reader_has_a_sentence() -> None:
    """A code without words would set a game aside on the day that it first comes up."""
    known = macros(ROCKWELL, "game/reasons.j2")
    shared = {code for folder in ("", "orders") for code in raised(ENGINE / folder)} - {""}
    assert sorted(shared - known) == []
    own = {code for folder in ("rockwell", "rockwell/language") for code in raised(ENGINE / folder)} | set(REFUSALS)
    assert sorted(own - known - macros(ROCKWELL, "reasons.j2")) == []


def test_every_fault_of_a_component_set_has_a_sentence() -> None:
    """Those of the form for all games, the others for their own."""
    shared, own = macros(ROCKWELL, "game/components.j2"), macros(ROCKWELL, "components.j2")
    assert set(raised(ENGINE, {"Fault"})) <= shared
    assert set(raised(ENGINE / "rockwell", {"Fault"})) <= shared | own


@pytest.mark.parametrize("rules", ["rockwell", "brass_empire"])
def test_every_consequence_has_words(rules: str) -> None:
    """What an order would bring about is told: each code of foresight has its macro."""
    codes = set(raised(ENGINE / rules, {"Consequence"}))
    assert codes
    assert sorted(codes - macros(game_words(rules, Setup(seats=4), "en"), "foreseen.j2")) == []


@pytest.mark.parametrize("rules", ["rockwell", "brass_empire", "tinygame"])
def test_every_option_has_a_sentence(rules: str) -> None:
    """For each of its values but the default."""
    words = game_words(rules, Setup(seats=4), "en")
    for name, (_, *values) in load(rules).options().items():
        assert [words.option(name, value) for value in values if not words.option(name, value).endswith(".")] == []


@pytest.mark.parametrize("rules", ["rockwell", "brass_empire", "tinygame"])
def test_every_event_has_words(rules: str) -> None:
    """What happens is told: each event's struct has its macro."""
    words = game_words(rules, Setup(seats=4), "en")
    tags = {event.__struct_config__.tag for event in get_args(bind(rules, Setup(seats=4)).event_type)}
    assert sorted(tags - macros(words, "events.j2")) == []


def test_every_kind_stage_and_seat_has_words() -> None:
    """What is asked, what happens otherwise, and the names of stages, kinds and sides."""
    for kind in DECISIONS:
        for times in (1, 2):
            asked = Asked(kind, 2, times)
            assert ROCKWELL.asks(asked)
            assert ROCKWELL.otherwise(asked)
        assert ROCKWELL.name("kind", kind)
    assert [ROCKWELL.name("stage", stage) for stage in ("auction", "placing", "drilling", "market")]
    assert [ROCKWELL.seat(seat) for seat in range(4)] == ["Red", "Green", "Purple", "White"]
    assert len(load("rockwell").seat_names) == 4


def test_a_missing_word_is_an_error_and_never_an_empty_line() -> None:
    """Nothing is told by a code."""
    with pytest.raises(MissingWords, match="no_such_code"):
        ROCKWELL.reason("no_such_code", {})


SAMPLES = {
    "kind": 1,
    "most": 3,
    "board": 1,
    "slot": 2,
    "seat": 1,
    "slots": 4,
    "origin": 3,
    "round": 2,
    "level": 1,
    "has": 2,
    "price": 1500,
    "right": "bribery",
    "tile": 5,
    "tiles": (1, 2),
    "crews": (0, 2),
    "what": "safety",
    "pile": 1,
    "cost": (5, 0, 0, 0),
}


@pytest.mark.parametrize("code", sorted(REFUSALS))
def test_every_refusal_is_a_sentence_with_its_figures(code: str) -> None:
    """The words use the parameters that the refusal declares, and no others."""
    params = {name: SAMPLES[name] for name in REFUSALS[code]}
    if code == "cannot_deliver":
        params["has"] = (3, 0, 1, 0)
    said = ROCKWELL.reason(code, params)
    assert said.endswith(".")
    assert said[0].isupper()
