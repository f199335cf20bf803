"""The laws that any rules module keeps, checked on random games.

A package that offers a game runs them in its own tests: `conform(MODULE, setup, seeds)`, or one test a law:

    @pytest.mark.parametrize(("law", "seed"), cases(seeds=range(3)))
    def test_it_conforms(law, seed):
        LAWS[law](MODULE, MODULE.bind(SETUP), seed)
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from engine.conformance import ahead, changing, choices, course, orders, structure, views
from engine.conformance.walk import Broken
from engine.contract import Rules, RulesModule, Setup

__all__ = ["LAWS", "Broken", "Law", "cases", "conform"]

Law: TypeAlias = Callable[[RulesModule, Rules, int], None]
"""Plays a random game of that seed and raises Broken where the rules break the law."""

LAWS: Mapping[str, Law] = MappingProxyType(
    {
        "plain_state": structure.plain_state,
        "copies": structure.copies,
        "encoding": structure.encoding,
        "asked": choices.asked,
        "offered": choices.offered,
        "stand_ins": choices.stand_ins,
        "altered": choices.altered,
        "singles": choices.singles,
        "imagined": views.imagined,
        "known": views.known,
        "blind": views.blind,
        "told": views.told,
        "playable": views.playable,
        "written": orders.written,
        "exact": orders.exact,
        "sheets": orders.sheets,
        "apart": ahead.apart,
        "foreseen": ahead.foreseen,
        "changed": changing.altered_by_hand,
        "sound": course.sound,
        "ends": course.ends,
        "stages": course.stages,
        "repeatable": course.repeatable,
        "anywhere": course.anywhere,
    }
)


def conform(module: RulesModule, setup: Setup, seeds: Iterable[int]) -> None:
    """Check all laws on a random game for each seed. Raises Broken at the first that is not kept."""
    rules = module.bind(setup)
    for seed in seeds:
        for law in LAWS.values():
            law(module, rules, seed)


def cases(seeds: Iterable[int]) -> list[tuple[str, int]]:
    """Every law with every seed, for tests that are run one by one."""
    return [(law, seed) for seed in seeds for law in LAWS]
