"""What Prometheus is told: how much waits for us, since when, and nothing to who does not show the token."""

import re
from datetime import timedelta
from pathlib import Path

from pbem import clock
from pbem.mail.intake import Arrived, store
from pbem.storage.sessions import Database
from pbem.sweep import sweep
from tests.pbem.playing import begun, service_on
from tests.pbem.web.visiting import app_on

TOKEN = "prometheus-may-look"


def test_metrics_are_closed_until_a_token_is_set(database: Database) -> None:
    """Not there at all without one, and refused to who does not show it."""
    closed = app_on(service_on(database)).test_client()
    assert closed.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    client = app_on(service_on(database, metrics_token=TOKEN)).test_client()
    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer guessed"}).status_code == 401
    assert client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_metrics_tell_what_waits_for_us_and_since_when(database: Database) -> None:
    """A game waits for its players until its deadline has passed, then for us, as a mail does that nobody has read."""
    service = service_on(database, metrics_token=TOKEN)
    match = begun(service, stage_hours=1)
    client = app_on(service).test_client()

    def gauge(line: str) -> float:
        page = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
        (found,) = [each.split()[-1] for each in page.splitlines() if each.startswith(line + " ")]
        return float(found)

    assert gauge('pbem_games{status="playing"}') == 1
    assert gauge("pbem_games_waiting_for_players") == 1
    assert gauge('pbem_owed{task="play"}') == gauge("pbem_deadline_lag_seconds") == 0
    store(service, [Arrived(b"Subject: hello\r\n\r\nhello\r\n", clock.now(), "<ann@players.example>", ())])
    clock.shift(timedelta(hours=1, minutes=5))
    assert gauge("pbem_games_waiting_for_players") == 0
    assert gauge('pbem_owed{task="play"}') == 1
    assert 290 < gauge("pbem_deadline_lag_seconds") < 310
    assert gauge('pbem_owed{task="read"}') == 1
    assert gauge('pbem_owed_oldest_seconds{task="read"}') > 3600
    match.settle()
    assert gauge('pbem_owed{task="play"}') == gauge('pbem_owed{task="read"}') == 0
    assert gauge("pbem_games_waiting_for_players") == 1


def test_gauges_named_in_the_guide_are_the_gauges_that_there_are(database: Database) -> None:
    """Each with the labels that it has, and none is left out."""
    guide = (Path(__file__).parents[3] / "docs" / "operator.md").read_text(encoding="utf-8")
    service = service_on(database, metrics_token=TOKEN)
    match = begun(service)
    store(service, [Arrived(b"Subject: hello\r\n\r\nhello\r\n", clock.now(), "<ann@players.example>", ())])
    match.settle()
    sweep(service)
    page = app_on(service).test_client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
    told = dict.fromkeys(re.findall(r"^# TYPE (\S+) gauge$", page, re.MULTILINE), "")
    told |= dict(re.findall(r"^(pbem_\w+){(\w+)=", page, re.MULTILINE))
    rows = [name for row in re.findall(r"^\| (`pbem_.*?) \|", guide, re.MULTILINE) for name in row.split(", ")]
    assert dict(re.findall(r"`(pbem_\w+?)(?:{(\w+)})?`", " ".join(rows))) == told
    assert set(re.findall(r"\b(pbem_[a-z_]+)", guide)) <= set(told)
