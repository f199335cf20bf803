"""The guide to the API is true: its examples are sent as they stand, and the document describes what there is."""

import json
import re
from typing import Any

import jsonschema_rs

from pbem.storage.sessions import Database
from pbem.web import create_app
from pbem.web.api.routes import CALLS
from pbem.web.guards import CALLS as A_MINUTE
from pbem.web.guards import CLIENT_CALLS
from tests.ops.test_docs import DOCS
from tests.pbem.playing import begun, service_on
from tests.pbem.web.api.calling import DOCUMENT, ROOT, program

GUIDE = (DOCS / "api.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"^```http\n(GET|POST) (\S+)\n(.*?)```\n\n```json\n(.*?)```$", re.MULTILINE | re.DOTALL)


def test_examples_are_answered_as_the_guide_says(database: Database) -> None:
    """One after the other, by a program of Red; what the guide shows of an answer is in it."""
    match = begun(service_on(database), "rockwell", 4, pace="brisk", code="pond", title="Pond")
    api = program(match)
    examples = EXAMPLE.findall(GUIDE)
    assert len(examples) == GUIDE.count("```http\n") >= 10
    for method, path, body, shown in examples:
        expected: dict[str, Any] = json.loads(shown)
        status = expected.get("status", 200)
        found = api.get(path, status) if method == "GET" else api.post(path, status, **json.loads(body))
        assert _part(found, expected) == expected, path


def _part(found: Any, shown: Any) -> Any:
    """As much of an answer as is shown of it: lists whole, of objects the fields that are named."""
    if isinstance(shown, dict):
        return {name: _part(found[name], value) for name, value in shown.items()}
    if isinstance(shown, list) and shown and isinstance(shown[0], dict):
        assert len(found) == len(shown)
        return [_part(one, other) for one, other in zip(found, shown, strict=True)]
    return found


def test_limits_in_the_guide_are_those_that_hold() -> None:
    """Calls a minute."""
    for limit in (A_MINUTE, CLIENT_CALLS):
        number, _, unit = limit.split()
        assert unit == "minute"
        assert re.search(rf"\b{number} (calls in a minute|from an address)", GUIDE)


def test_the_document_describes_every_route_and_no_other(database: Database) -> None:
    """It needs no token, and is what the calls' types make of it."""
    app = create_app(begun(service_on(database), pace="brisk").service)
    told = app.test_client().get(f"{ROOT}/openapi.json").get_json()
    assert told == DOCUMENT
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("api.") and rule.endpoint != "api.described"
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {
        (path, method.upper()) for path, item in told["paths"].items() for method in item if method != "parameters"
    }
    assert described == routes
    assert len(CALLS) == len(described) == 10


def test_the_document_is_openapi_and_its_schemas_are_schemas() -> None:
    """Each schema of it is one of JSON Schema's 2020-12, which OpenAPI 3.1 takes; each place that it names is there."""
    for name, schema in DOCUMENT["components"]["schemas"].items():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
        assert schema["type"] == "object", name
    for place in re.findall(r'"#/components/(\w+)/(\w+)"', json.dumps(DOCUMENT)):
        assert place[1] in DOCUMENT["components"][place[0]]
    assert DOCUMENT["openapi"] == "3.1.0"
