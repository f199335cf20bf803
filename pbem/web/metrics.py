"""`/metrics` for Prometheus: what is in the database, so that every web process says the same. Closed until a token
for it is configured."""

import hmac
from collections.abc import Iterable, Iterator, Mapping

from flask import Blueprint, Response, abort, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from pbem.measures import Measures, measures
from pbem.web.pages import service

routes = Blueprint("metrics", __name__)


@routes.get("/metrics")
def show() -> Response:
    """All gauges, in the text form of Prometheus."""
    token = service().settings.metrics_token
    if not token:
        abort(404)
    given = request.authorization
    said = given.token if given is not None and given.type == "bearer" else None
    if not hmac.compare_digest((said or "").encode(), token.encode()):
        abort(401)
    with service().reading() as reading:
        found = measures(reading)
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Gauges(found))
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class _Gauges(Collector):
    """The measures as gauges."""

    def __init__(self, found: Measures) -> None:
        self._found = found

    def collect(self) -> Iterable[Metric]:
        """Each with what it answers."""
        found = self._found
        yield _by("pbem_games", "Games by status.", "status", found.games)
        yield GaugeMetricFamily("pbem_games_aside", "Games given up for now after failures.", found.aside)
        yield GaugeMetricFamily("pbem_tasks_aside", "Small tasks given up for a while.", found.tasks_aside)
        awaiting = "Games that wait for orders: none that is paused, set aside or held for review."
        yield GaugeMetricFamily("pbem_games_waiting_for_players", awaiting, found.awaiting_players)
        yield _by("pbem_mails", "Mails that came in, by status.", "status", found.mails)
        given_up = "Mails given up after failures in the last days."
        yield GaugeMetricFamily("pbem_mails_aside", given_up, found.mails_aside)
        yield _by("pbem_letters", "Letters by fate.", "fate", found.letters)
        owed = found.owed
        numbers = {task: each.number for task, each in owed.items()}
        yield _by("pbem_owed", "Work that waits for us now, by task.", "task", numbers)
        oldest = {task: each.oldest for task, each in owed.items()}
        yield _by("pbem_owed_oldest_seconds", "For how long the oldest of it has been owed.", "task", oldest)
        lag = "The longest time since a missed deadline and the game's grace after it."
        yield GaugeMetricFamily("pbem_deadline_lag_seconds", lag, found.lag)
        yield _by("pbem_heartbeat_age_seconds", "Seconds since a process said that it lives.", "name", found.beats)

    def describe(self) -> Iterator[Metric]:
        """Nothing is known ahead."""
        yield from ()


def _by(name: str, means: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, means, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family
