"""What is compiled once in a process, for all its databases and applications: each test makes its own, all alike.

To compile anew took a fifth of the tests' time for statements, and most of what it takes to make an application for
what builds the addresses of its routes.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy.orm import Mapper
from werkzeug.routing import Rule

from pbem.storage.sessions import Database


class _Statements(dict[tuple[Any, ...], Any]):
    """Compiled statements by the sort of database and what they say, whichever engine they were compiled for."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        """The compiled statement, if it is there."""
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        """Keep it."""
        super().__setitem__((key[0].name, *key[1:]), compiled)


_STATEMENTS = _Statements()


def share_statements() -> None:
    """Let every database, whoever opens it, have what was compiled for others of its sort, and so every mapper."""
    Mapper._compiled_cache = _STATEMENTS  # type: ignore[method-assign, assignment]
    begin = Database.__init__

    def opened(self: Database, *args: Any, **named: Any) -> None:
        begin(self, *args, **named)
        for engine in (self.writer, self.reader):
            engine.update_execution_options(compiled_cache=_STATEMENTS)

    Database.__init__ = opened  # type: ignore[method-assign]


def share_routes() -> None:
    """Let a route of an application have what was compiled for the same one of another."""
    compile_builder = Rule._compile_builder
    compiled: dict[Any, Callable[..., tuple[str, str]]] = {}

    def shared(self: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        key = self.rule, tuple(self._trace), tuple((self.defaults or {}).items()), append_unknown
        if key not in compiled:
            compiled[key] = compile_builder(self, append_unknown)
        return compiled[key]

    Rule._compile_builder = shared  # type: ignore[method-assign]
