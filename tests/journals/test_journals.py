"""Games of each version of the rules: they play the same for ever, and one that has begun goes on under its own."""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import tinygame
from tinygame.rules import TinyRules

from engine import registry
from engine.contract import Chance, Event, Setup
from pbem import clock
from pbem.games.rules import bound, module_named
from pbem.records.checking import BadRecord, read_record
from pbem.records.verifying import verify
from pbem.storage.sessions import Database
from tests.journals.playing import GAMES, KEPT
from tests.pbem.playing import Match, begun, service_on
from tests.pbem.records.test_records import over
from tests.pbem.world.writing import stands

RECORDS = sorted(KEPT.glob("*/*/*.jsonl"))
CHANGED = (
    "%(file)s is of version %(version)s of %(rules)s, and the rules play it otherwise now (%(code)s, entry %(entry)s). "
    "Games of that version are being played: let the rules ask `setup.version`, raise the module's version, and add "
    "its games with `python -m tests.journals`. Leave the file as it is."
)


def play_again(path: Path) -> None:
    """Check a record, all of it; fails with what is to be done."""
    rules, version = path.parts[-3:-1]
    try:
        whole = read_record(path.read_bytes())
    except BadRecord as bad:
        said = {"file": path.name, "version": version, "rules": rules, "code": bad.code, "entry": bad.entry}
        pytest.fail(CHANGED % said)
    assert (whole.game.rules, str(whole.game.setup.version)) == (rules, version)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: "/".join(path.parts[-3:]))
def test_a_game_of_each_version_plays_the_same_for_ever(path: Path) -> None:
    """Every draw, choice, state and seal."""
    play_again(path)


@pytest.mark.parametrize("name", GAMES)
def test_games_of_each_version_are_kept(name: str) -> None:
    """Of the present one those of the list: `python -m tests.journals` adds them."""
    versions = range(1, registry.load(name).version + 1)
    kept = {(int(path.parts[-2]), path.stem) for path in RECORDS if path.parts[-3] == name}
    assert {version for version, _ in kept} == set(versions)
    assert {stem for version, stem in kept if version == versions[-1]} >= set(GAMES[name])


class Mended(TinyRules):
    """Rules in which an attack that is not met costs two lives, as from version 2 on."""

    gated = True

    def apply(self, state: Any, answers: Mapping[int, Any], chance: Chance, events: list[Event]) -> None:
        before = list(state.lives)
        super().apply(state, answers, chance, events)
        if self.setup.version < 2 and self.gated:
            return
        for seat, lives in enumerate(before):
            if 0 < state.lives[seat] < lives:
                state.lives[seat] -= 1


class _Version2(tinygame.Module):
    version = 2

    def bind(self, setup: Setup) -> TinyRules:
        return Mended(setup)


Release = Callable[[int], None]


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> Iterator[Release]:
    """From here on the code is that of the release whose tinygame is of this version."""

    def released(version: int) -> None:
        monkeypatch.setattr(tinygame, "MODULE", tinygame.Module() if version == 1 else _Version2())
        _forget()

    yield released
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    """A process is of one release, and keeps what it has bound."""
    module_named.cache_clear()
    bound.cache_clear()


TINY = [path for path in RECORDS if path.parts[-3] == "tinygame"]


def test_a_change_of_the_rules_without_a_version_is_found(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told which game, and that the version is to be asked for."""
    release(2)
    for path in TINY:
        play_again(path)
    monkeypatch.setattr(Mended, "gated", False)
    path = next(path for path in TINY if path.stem == "four-options")
    with pytest.raises(pytest.fail.Exception, match=r"of version 1 of tinygame.*`setup.version`"):
        play_again(path)


def lives(match: Match) -> list[int]:
    """How many lives each seat has."""
    return list(stands(match.service, match.id).table.state.lives)


def hit(match: Match) -> list[int]:
    """How many lives each seat has lost by an attack that is not met, the first of the game."""
    before = lives(match)
    for seat in range(3):
        match.say(seat, "bid 6 or 5 or 4 or 3 or 2 or 1\nattack red with 1 or 2 or 3 or 4 or 5 or 6\ndefend nothing")
        match.say(seat, "bid 6 or 5 or 4 or 3 or 2 or 1\nattack green with 1 or 2 or 3 or 4 or 5 or 6\ndefend nothing")
    match.settle()
    while lives(match) == before:
        match.pass_deadline()
    return sorted(was - now for was, now in zip(before, lives(match), strict=True))


def test_a_game_goes_on_under_the_version_that_it_began_under(database: Database, release: Release) -> None:
    """After an upgrade in the middle of it; one that is made then has the new version, and each replays to its end."""
    service = service_on(database)
    old = begun(service, options={"lives": 3})
    release(2)
    new = begun(service, options={"lives": 3})
    assert [old.game.rules_version, new.game.rules_version] == [1, 2]
    assert hit(old) == [0, 0, 1]
    assert hit(new) == [0, 0, 2]
    for match in (old, new):
        assert over(match).game.status == "over"
        assert verify(service, match.code).problem == ""


def test_a_worker_of_the_release_before_leaves_newer_games_alone(database: Database, release: Release) -> None:
    """While both work on one database: it is neither played nor set aside there, and goes on at the newer ones."""
    release(2)
    match = begun(service_on(database), options={"lives": 3})
    entries = len(match.entries())
    release(1)
    match.pass_deadline()
    assert (len(match.entries()), match.game.aside, match.game.failures) == (entries, False, 0)
    release(2)
    clock.shift(timedelta(minutes=1))
    match.settle()
    assert len(match.entries()) > entries
