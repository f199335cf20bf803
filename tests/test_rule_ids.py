"""Every statement of the rules is named by a test, and every mark names a statement."""

import textwrap
from pathlib import Path

import pytest

from tests import rule_ids


def test_every_statement_has_a_test_that_names_it() -> None:
    """No rule of a game stands unproven, but those listed as owed to later work."""
    assert rule_ids.proof_of_the_project().missing == []


def test_every_mark_names_a_statement() -> None:
    """A mark with a slip in its id would prove nothing unnoticed."""
    assert rule_ids.proof_of_the_project().unknown == []


def test_marks_are_found_on_tests_classes_cases_and_modules(tmp_path: Path) -> None:
    """Wherever pytest takes a mark, the list finds it and says whose it is."""
    path = tmp_path / "test_some.py"
    path.write_text(
        textwrap.dedent("""
        import pytest
        pytestmark = pytest.mark.rule("RW-A-1")

        @pytest.mark.rule("RW-A-2", "RW-A-3")
        def test_one(): ...

        @pytest.mark.rule("RW-A-4")
        class TestMany:
            @pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.rule("RW-A-5"))])
            def test_two(self, n): ...
        """)
    )
    assert sorted(rule_ids.marks(path, "t.py")) == [
        ("RW-A-1", "t.py"),
        ("RW-A-2", "t.py::test_one"),
        ("RW-A-3", "t.py::test_one"),
        ("RW-A-4", "t.py::TestMany"),
        ("RW-A-5", "t.py::TestMany::test_two"),
    ]


def test_a_mark_whose_id_is_not_written_out_is_refused(tmp_path: Path) -> None:
    """The list reads the tests, so an id that is computed could not be seen."""
    path = tmp_path / "test_some.py"
    path.write_text("import pytest\npytestmark = pytest.mark.rule(f'RW-A-{1}')\n")
    with pytest.raises(SystemExit, match=r"t\.py:2"):
        list(rule_ids.marks(path, "t.py"))


def test_a_statement_without_a_test_fails_unless_it_is_owed() -> None:
    """The list tells the unproven from the owed, and slips from both."""
    proof = rule_ids.prove(
        ["RW-A-1", "RW-A-2", "RW-L-1"],
        [rule_ids.Mark("RW-A-1", "t"), rule_ids.Mark("RW-X-1", "t")],
        owed=("RW-L-",),
    )
    assert (proof.missing, proof.owed, proof.unknown) == (["RW-A-2"], ["RW-L-1"], [("RW-X-1", "t")])
