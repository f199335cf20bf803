"""The API called at random from its own document: what fits it, and what does not.

Each answer must be one that the document has for that call, of the form that it says, and never a fault; what does not
fit the document must be refused.
"""

from collections import Counter
from typing import Any
from unittest import mock

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode, checks
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation

from pbem import clock
from pbem.tokens import PLAY, make_token
from pbem.web import create_app, guards
from tests.pbem.playing import Match

TEXTS = (
    "bid 1\nattack green with 6\ndefend 2",
    "always defend 3\nif hand has 6, attack green with 6 or nobody",
    "bid nothing\nready",
    "not ready\nclear\nundo\nuse",
    "check\nshow orders\nshow report\nhistory 3\nstatus\nhelp",
    "to green: hello\n\nto all anonymously: boo\n\nto writer: what?",
    "absent 3 Dec to 10 Dec\nback\nextend 24h: late",
    "mail daily at 8:00\nquiet 22:00 to 7:00\nremind 6h\nmute green\nresign\nnew token",
    "propose draw\nvote yes\nconcede to green",
    "bid " + "9" * 400,
)
"""What no document tells of: orders and commands."""
READERS = ("green", "blue", "all", "moderator")
ANSWERED = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
REFUSED = [*ANSWERED, checks.negative_data_rejection]
MANY = "1000000 per minute"


def today() -> int:
    """Another seed every day."""
    return clock.now().date().toordinal()


def fuzz(match: Match, first_seed: int, examples: int) -> Counter[str]:
    """Call everything, each so often in each way, with a token for playing; what was answered how often."""
    account = match.seats[0].account_id
    assert account is not None
    with mock.patch.multiple(guards, CALLS=MANY, CLIENT_CALLS=MANY):
        app = create_app(match.service)
    headers = {"Authorization": f"Bearer {make_token(match.service, account, 'fuzz', PLAY)}"}
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    counted: Counter[str] = Counter()
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        for mode in GenerationMode:
            _call(found.ok(), mode, match.code, headers, first_seed, examples, counted)
    return counted


def _call(
    operation: APIOperation[Any, Any, Any, Any],
    mode: GenerationMode,
    code: str,
    headers: dict[str, str],
    first_seed: int,
    examples: int,
    counted: Counter[str],
) -> None:
    if mode is GenerationMode.NEGATIVE and not (operation.body or operation.path_parameters):
        return
    is_good = mode is GenerationMode.POSITIVE
    known = {"code": code, "number": 1} if is_good or operation.body else {}
    parts = {name: value for name, value in known.items() if f"{{{name}}}" in operation.path}
    cases = operation.as_strategy(mode, path_parameters=parts or None, headers=headers)

    @seed(first_seed)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases, text=st.sampled_from(("", *TEXTS)), to=st.lists(st.sampled_from(READERS), min_size=1))
    def one(case: Case[Any], text: str, to: list[str]) -> None:
        if is_good and text and isinstance(case.body, dict):
            said: dict[str, Any] = {"text": text, "to": to}
            case.body.update({name: value for name, value in said.items() if name in case.body})
        answer = case.call()
        counted[f"{operation.method.upper()} {operation.path} {answer.status_code}"] += 1
        case.validate_response(answer, checks=ANSWERED if is_good else REFUSED)

    one()
