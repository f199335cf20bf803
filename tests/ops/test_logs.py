import io
import json
import logging

import pytest

from pbem import logs


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


def test_the_log_keeps_its_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is below the level set is not written."""
    stream = _logged(monkeypatch)
    logs.get("ours").debug("detail")
    assert stream.getvalue() == ""
