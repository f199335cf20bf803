"""Which tests prove which statement of the rules: `python -m tests.rule_ids`.

Statements stand in each game's `rules.md`; a test names those that it proves with `@pytest.mark.rule("RW-AUC-3")`.
The tests are read, not imported: a mark counts where it decorates a test, a class of tests, a case, or a module.
"""

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
STATEMENTS = (ROOT / "engine/rockwell/rules.md", ROOT / "engine/brass_empire/rules.md")
OWED: tuple[str, ...] = ()
"""Prefixes of statements that later work proves; the table shows them, and they don't fail the check."""


class Mark(NamedTuple):
    """One mark: the id that it names, and the test, as pytest would call it."""

    rule: str
    test: str


class Proof(NamedTuple):
    """What stands for each statement, and what is wrong with the marks."""

    tests: Mapping[str, Sequence[str]]
    missing: Sequence[str]
    owed: Sequence[str]
    unknown: Sequence[Mark]


def statements(text: str) -> list[str]:
    """The ids of a rules file, in its order."""
    return re.findall(r"^- ([A-Z]{2}-[A-Z]{2,4}-\d+) ", text, flags=re.MULTILINE)


def marks(path: Path, name: str) -> Iterator[Mark]:
    """All marks of one file of tests; `name` is what the file is called in what is printed."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from _marks_below(tree, name, ())


def _marks_below(node: ast.AST, name: str, inside: tuple[str, ...]) -> Iterator[Mark]:
    for child in ast.iter_child_nodes(node):
        within = inside
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            within = (*inside, child.name)
        if isinstance(child, ast.Call) and _is_rule_mark(child.func):
            for argument in child.args:
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise SystemExit(f"{name}:{child.lineno}: a rule's id must be written out")
                yield Mark(argument.value, "::".join((name, *within)))
        yield from _marks_below(child, name, within)


def _is_rule_mark(func: ast.expr) -> bool:
    return (
        isinstance(func, ast.Attribute)
        and func.attr == "rule"
        and isinstance(func.value, ast.Attribute)
        and func.value.attr == "mark"
    )


def all_marks(folder: Path) -> list[Mark]:
    """The marks of every file of tests below a folder."""
    found: list[Mark] = []
    for path in sorted(folder.rglob("test_*.py")):
        found += marks(path, path.relative_to(folder.parent).as_posix())
    return found


def prove(ids: Iterable[str], found: Iterable[Mark], owed: tuple[str, ...] = OWED) -> Proof:
    """Hold the marks against the statements."""
    tests: dict[str, list[str]] = {rule: [] for rule in ids}
    unknown = []
    for mark in found:
        if mark.rule not in tests:
            unknown.append(mark)
        elif mark.test not in tests[mark.rule]:
            tests[mark.rule].append(mark.test)
    bare = [rule for rule, by in tests.items() if not by]
    return Proof(
        tests, [rule for rule in bare if not rule.startswith(owed)], [r for r in bare if r.startswith(owed)], unknown
    )


def proof_of_the_project() -> Proof:
    """The statements and tests of this checkout."""
    ids = [rule for path in STATEMENTS for rule in statements(path.read_text(encoding="utf-8"))]
    return prove(ids, all_marks(ROOT / "tests"))


def _print(proof: Proof) -> None:
    for rule, by in proof.tests.items():
        state = "owed" if rule in proof.owed else "NO TEST" if rule in proof.missing else ""
        print(f"{rule:<12} {state or by[0]}")
        for test in by[1:]:
            print(f"{'':<12} {test}")
    for mark in proof.unknown:
        print(f"{mark.rule:<12} UNKNOWN, named by {mark.test}")
    proven = sum(1 for by in proof.tests.values() if by)
    print(
        f"{proven} of {len(proof.tests)} statements proven, {len(proof.missing)} without a test, "
        f"{len(proof.owed)} owed to later work, {len(proof.unknown)} unknown ids"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print each statement with its tests; 1 where a statement has none or a mark names none."""
    parser = argparse.ArgumentParser(prog="rules", description="List each rule with the tests that prove it.")
    parser.add_argument("--json", action="store_true", help="print as JSON")
    proof = proof_of_the_project()
    if parser.parse_args(arguments).json:
        print(
            json.dumps(
                {
                    "tests": proof.tests,
                    "missing": proof.missing,
                    "owed": proof.owed,
                    "unknown": [mark._asdict() for mark in proof.unknown],
                },
                indent=1,
            )
        )
    else:
        _print(proof)
    return 1 if proof.missing or proof.unknown else 0


if __name__ == "__main__":
    sys.exit(main())
