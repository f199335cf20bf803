"""Celery's own lines about a task say which it is, in the process that does it and in the one that hears how it ended.

They are written outside of the task: where it has raised, ran out of time, or ended its process.
"""

from collections.abc import Sequence
from typing import Any

from celery import Task
from celery.signals import task_postrun, task_prerun
from celery.worker.request import Request
from structlog.contextvars import bind_contextvars, bound_contextvars, unbind_contextvars

from pbem.door import name_of


class NamedRequest(Request):  # type: ignore[misc]
    """A task as the parent of those that work sees it."""

    def on_failure(self, *args: Any, **kwargs: Any) -> Any:
        """It has raised, or ended its process."""
        with bound_contextvars(**_names(self.name, self.args)):
            return super().on_failure(*args, **kwargs)

    def on_timeout(self, *args: Any, **kwargs: Any) -> Any:
        """It takes too long."""
        with bound_contextvars(**_names(self.name, self.args)):
            return super().on_timeout(*args, **kwargs)


class NamedTask(Task):  # type: ignore[misc]
    """What all tasks are made of."""

    Request = NamedRequest


@task_prerun.connect  # type: ignore[untyped-decorator]
def _begins(task: Task, args: Sequence[int], **_: Any) -> None:
    bind_contextvars(**_names(task.name, args))


@task_postrun.connect  # type: ignore[untyped-decorator]
def _ended(**_: Any) -> None:
    unbind_contextvars("task", "number")


def _names(task: str, args: Sequence[int]) -> dict[str, str | int]:
    return {"task": name_of(task)} | dict(zip(("number",), args, strict=False))
