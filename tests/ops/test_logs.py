import io
import json
import logging
from email import message_from_string

import pytest
from celery import Celery
from celery.app.trace import build_tracer
from flufl.bounce import all_failures

from pbem import logs
from tests.limits import in_time_for_a_task


def _logged(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    logs.configure("info", as_json=True)
    return stream


def test_secrets_do_not_reach_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fields that carry secrets, addresses, tokens and what an exception says are masked, in libraries' logs too."""
    stream = _logged(monkeypatch)
    logs.get("ours").info("mail stored", order="bid 1900", sender="ann@example.org", game=7)
    logging.getLogger("library").warning("refused bob@example.org, token k3jx72mmq0pd5v8znt4wq9c1")
    try:
        int("bid 1900 zinc")
    except ValueError:
        logs.get("ours").exception("stage failed", game=7)
    text = stream.getvalue()
    assert not [word for word in ("1900", "ann", "bob", "k3jx72", "zinc") if word in text]
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[0]["game"] == 7
    assert lines[2]["error"] == "ValueError"
    assert lines[2]["at"].startswith("test_logs.py:")


def test_libraries_that_tell_of_each_step_are_not_heard_at_info(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking for a bounce in one mail writes no line for each way of telling one."""
    stream = _logged(monkeypatch)
    assert not all_failures(message_from_string("From: ann@players.example\nSubject: orders\n\nbid 100\n"))[1]
    assert stream.getvalue() == ""


def test_the_log_keeps_its_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is below the level set is not written."""
    stream = _logged(monkeypatch)
    logs.get("ours").debug("detail")
    assert stream.getvalue() == ""


def test_what_a_failed_task_says_does_not_reach_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Celery quotes the exception in its message: its type and its place are left of it, in worker and parent."""
    stream = _logged(monkeypatch)
    app = Celery("fails", broker="memory://", set_as_current=False)

    @app.task(name="fails")  # type: ignore[untyped-decorator]
    def fails() -> None:
        raise RuntimeError("hidden hands")

    build_tracer("fails", fails, app=app)("id", (), {}, {"id": "id", "is_eager": False})
    logging.getLogger("celery.worker.request").error("Task handler raised error: %r", RuntimeError("hidden hands"))
    told = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert "RuntimeError" in told[0]["event"]
    assert told[0]["at"].startswith("test_logs.py:")
    assert len(told) == 2
    assert "hidden hands" not in stream.getvalue()


def test_a_server_that_logs_by_itself_tells_no_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own handlers are taken off, and a request that fails is named by nothing that may be a token."""
    server, past_us = logging.getLogger("gunicorn.error"), io.StringIO()
    monkeypatch.setattr(server, "handlers", [logging.StreamHandler(past_us)])
    monkeypatch.setattr(server, "propagate", False)
    stream = _logged(monkeypatch)
    server.error("Error handling request %s %s", "GET", "/sign-in/k3jxtoken")
    server.error("Exception during worker exit:\n%s", "hidden hands")
    server.error(RuntimeError("hidden hands"))
    told = [json.loads(line)["event"] for line in stream.getvalue().splitlines()]
    assert told == ["Error handling request ***", "Exception during worker exit:", "RuntimeError"]
    assert past_us.getvalue() == ""


def test_a_line_without_an_end_is_scrubbed_in_time() -> None:
    """However long the word is that might have been an address, and what stands behind it is still masked."""
    with in_time_for_a_task():
        assert logs.scrub(f"{'é' * 300_000} ann@players.example") == f"{'é' * 300_000} {logs.MASK}"
