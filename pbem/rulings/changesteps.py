"""A change of the state as its moderator comes to it: what can be changed next, and what that comes to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.changes import read_changes, write_change
from engine.contract import Changing, Space
from engine.errors import Illegal
from pbem.errors import RefusedByRules
from pbem.games.position import Position
from pbem.games.rules import setup_of
from pbem.reports.differing import differences
from pbem.reports.game import GameWords, game_words
from pbem.rulings.changing import Tried
from pbem.sheets.choosing import Step, chosen_by, next_step
from pbem.words import Words


@dataclass(frozen=True)
class Comparison:
    """Before and after: the changes as lines, what happens in sentences, what is otherwise, by who sees it.

    Lines of `differs` begin with - for how it was, and + for how it would be.
    """

    lines: Sequence[str]
    told: Sequence[str]
    differs: Sequence[tuple[str, Sequence[str]]]


def compared(tried: Tried, words: Words) -> Comparison:
    """What changes come to, hidden things and all."""
    stands = tried.stands
    rules, state, game = stands.rules, stands.table.state, said(stands, words)
    seats = (None, *range(rules.setup.seats))
    then = {seat: rules.view(state, seat) for seat in seats}
    now = {seat: rules.view(tried.state, seat) for seat in seats}
    told = [sentence for event in tried.events if (sentence := game.event(event.data))]
    return Comparison(_lines(tried), told, differences(game, then, now, words))


def said(stands: Position, words: Words) -> GameWords:
    """The words of a game."""
    return game_words(stands.game.rules, setup_of(stands.game), words.language)


def step(stands: Position, text: str, path: str) -> Step | None:
    """What can be changed behind the changes that stand in lines already; None where `path` leads nowhere.

    Raises Refused `bad_change` and `bad_change_line`.
    """
    rules, after = stands.rules, stands.table.state.copy()
    assert isinstance(rules, Changing)
    try:
        for change in read_changes(stands.rules, after, text.split("\n")) if text.strip() else ():
            rules.change(after, change, [])
        space = rules.changeable(after)
    except Illegal as illegal:
        code = "bad_change_line" if "line" in illegal.params else "bad_change"
        raise RefusedByRules(code, stands.game.rules, setup_of(stands.game), illegal) from illegal
    chosen = chosen_by(space, path)
    return None if chosen is None else next_step(space, chosen, path, _Lines(rules, space))


@dataclass(frozen=True)
class _Lines:
    """Writes changes."""

    rules: Changing
    space: Space
    kind: str = "change"

    def line(self, choice: Any) -> str:
        """The line of a change."""
        return write_change(self.rules, self.space, choice)

    def spot(self, part: str, value: Any) -> str:
        """No picture stands beside changes."""
        return ""


def _lines(tried: Tried) -> list[str]:
    """The changes as they would be written, each as things stand before it."""
    rules, after, lines = tried.stands.rules, tried.stands.table.state.copy(), []
    assert isinstance(rules, Changing)
    for change in tried.changes:
        lines.append(write_change(rules, rules.changeable(after), change))
        rules.change(after, change, [])
    return lines
