"""Whatever is sent to the API, it answers as its document says."""

import os

import pytest
from schemathesis.core.failures import FailureGroup

from pbem.storage.sessions import Database
from pbem.web.api.problems import Refusal, Wrong
from pbem.web.api.routes import CALLS
from tests.pbem.playing import begun, service_on
from tests.pbem.web.api.fuzzing import fuzz, today

EXAMPLES = 4


def test_every_call_answers_as_the_document_says_whatever_is_sent(database: Database) -> None:
    """Called at random, another seed every day unless the environment names one; longer in `./run soak api`."""
    seed = int(os.environ.get("API_SEED", today()))
    print(f"API_SEED={seed}")
    match = begun(service_on(database), pace="brisk", policy={"press": "choose"})
    counted = fuzz(match, seed, EXAMPLES)
    print(dict(counted))
    answered = {key.rpartition(" ")[0] for key in counted if key.endswith(" 200")}
    assert len(answered) == len(CALLS)
    assert {"404", "422"} <= {key.rpartition(" ")[2] for key in counted}


@pytest.mark.parametrize(
    ("place", "what"),
    [
        ("pbem.web.api.games.rows_of", RuntimeError("a fault")),
        ("pbem.web.api.orders.submit_in_turn", Refusal(418, "busy")),
        ("pbem.web.api.games.seat_told", Wrong(where="", wrong="", right="")),
    ],
)
def test_what_the_document_does_not_have_is_found(
    database: Database, place: str, what: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault, a status and an answer that it does not know."""

    def wrong(*_: object) -> object:
        if isinstance(what, Exception):
            raise what
        return what

    monkeypatch.setattr(place, wrong)
    match = begun(service_on(database), pace="brisk")
    with pytest.raises((FailureGroup, RuntimeError)):
        fuzz(match, 1, 2)
