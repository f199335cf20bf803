"""Whole games of Rockwell are played as they were: the same choices, draws, digests, and reports."""

from collections import Counter
from pathlib import Path

import pytest

from engine.contract import Rules
from engine.journal import Entry
from engine.registry import bind, load
from engine.rockwell.events import Extracted
from engine.rockwell.rules import RockwellRules
from engine.table import replay, retrace
from tests.golden import __main__ as command
from tests.golden.coverage import features, wanted
from tests.golden.games import GAMES
from tests.golden.pages import page
from tests.golden.playing import Differs, Played, by_stored, play
from tests.golden.rules import by_rule
from tests.golden.stored import FOLDER, Kept, names, read_game, read_page, read_reports
from tests.golden.telling import differences, encoded
from tests.rule_ids import ROOT, statements

AGAIN = "if that is meant: `python -m tests.golden`, and read the diff"


@pytest.fixture(scope="module")
def again() -> dict[str, tuple[Kept, Played]]:
    """Games that were played again, each once."""
    return {}


def _played(name: str, again: dict[str, tuple[Kept, Played]]) -> tuple[Kept, Played]:
    if name not in again:
        game = read_game(name, bind, FOLDER)
        again[name] = game, play(by_stored(game))
    return again[name]


@pytest.mark.parametrize("name", names(FOLDER))
def test_a_golden_game_is_played_to_the_same_states_and_reports(
    name: str, again: dict[str, tuple[Kept, Played]]
) -> None:
    """Every entry to the byte, what orders come to, and the data of every report."""
    game, played = _played(name, again)
    assert played.entries == game.entries, f"{name} is played otherwise; {AGAIN} (with --anew)"
    changed = Counter(differences(read_reports(name, FOLDER), encoded(played)))
    assert not changed, f"the reports of {name} tell otherwise at {dict(changed.most_common(8))}; {AGAIN}"


@pytest.mark.parametrize("name", names(FOLDER))
def test_two_turns_of_a_golden_game_are_told_in_the_same_words(
    name: str, again: dict[str, tuple[Kept, Played]]
) -> None:
    """A change of wording shows as a diff of the page."""
    game, played = _played(name, again)
    now, before = page(game, played).splitlines(), read_page(name, FOLDER).splitlines()
    changed = [(old, new) for old, new in zip(before, now, strict=False) if old != new][:5]
    assert now == before, f"{name}: {changed}; {AGAIN}"


@pytest.mark.parametrize("name", names(FOLDER))
def test_a_golden_journal_replays_with_and_without_its_secret(name: str) -> None:
    """Every draw, digest and link of its chain; and by its recorded draws alone."""
    game = read_game(name, bind, FOLDER)
    rules = bind(game.rules, game.setup)
    table = replay(rules, game.secret, game.words, game.entries)
    assert rules.pending(table.state) is None
    assert retrace(rules, game.entries) == table.state


def test_there_are_golden_games_of_every_size() -> None:
    """At least a dozen; all those of the list and no others."""
    assert names(FOLDER) == sorted(GAMES)
    assert len(GAMES) >= 12
    assert {game.setup.seats for game in GAMES.values()} == set(load("rockwell").seat_numbers)


def test_golden_games_show_every_rule(again: dict[str, tuple[Kept, Played]]) -> None:
    """Each event, each value of an option, and for each statement of the rules what stands in `rules.py` as a case.

    Examples of the rulebook are no rules of their own: tests of the rules prove them.
    """
    shown = set().union(*(features(*_played(name, again)) for name in names(FOLDER)))
    assert sorted(wanted() - shown) == []
    text = (ROOT / "engine/rockwell/rules.md").read_text(encoding="utf-8")
    examples = {line.split()[1] for line in text.splitlines() if line.startswith("- RW-") and " Example" in line}
    assert sorted(set(statements(text)) - examples - set(by_rule())) == []
    assert sorted(set(by_rule()) - set(statements(text))) == []


def _copy(name: str, folder: Path) -> None:
    for suffix in ("journal", "reports", "txt"):
        (folder / f"{name}.{suffix}").write_bytes((FOLDER / f"{name}.{suffix}").read_bytes())


def test_a_rule_that_changes_is_told_with_the_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A golden game does not go on past what is no longer asked, or comes to another state."""
    name = names(FOLDER)[0]
    game = read_game(name, bind, FOLDER)
    apply = RockwellRules.apply

    def richer(self: RockwellRules, state, answers, chance, events) -> None:  # type: ignore[no-untyped-def]
        apply(self, state, answers, chance, events)
        state.companies[0].money += sum(isinstance(event.data, Extracted) for event in events)

    monkeypatch.setattr(RockwellRules, "apply", richer)
    played = play(by_stored(game))
    assert played.entries != game.entries
    first = next(entry for entry, old in zip(played.entries, game.entries, strict=True) if entry != old)
    assert any(isinstance(event, Extracted) for event in played.events)
    assert first.number > 1


def test_a_journal_with_another_choice_is_no_longer_played() -> None:
    """What the sheets say and what was journalled are held against each other."""
    name = next(
        name for name in names(FOLDER) if any(_by_order(entry) for entry in read_game(name, bind, FOLDER).entries)
    )
    game = read_game(name, bind, FOLDER)
    place = next(number for number, entry in enumerate(game.entries) if _by_order(entry))
    game.entries[place : place + 1] = []
    with pytest.raises(Differs):
        play(by_stored(game))


def _by_order(entry: Entry) -> bool:
    return any(given.source == "order" for given in entry.answers)


def test_the_command_writes_reports_anew_and_says_what_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the kinds of places that differ; where nothing has changed nothing is written otherwise."""
    name = names(FOLDER)[0]
    _copy(name, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert command.main(["--folder", str(tmp_path)]) == 0
    assert "0 differences" in capsys.readouterr().out
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    view = RockwellRules.view

    def poorer(self: Rules, state, seat):  # type: ignore[no-untyped-def]
        seen = view(self, state, seat)  # type: ignore[arg-type]
        seen.turn += 1
        return seen

    monkeypatch.setattr(RockwellRules, "view", poorer)
    assert command.main(["--folder", str(tmp_path)]) == 0
    assert ".public.turn" in capsys.readouterr().out
