"""The OpenAPI document, made from the calls and the schemas that pydantic makes of their typed models."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from pbem.tokens import PLAY
from pbem.web.api.calls import Call
from pbem.web.api.problems import MEDIA_TYPE, Problem

ROOT = "/api/v1"
_PLACE = "#/components/schemas/{model}"
_PART = re.compile(r"<(?:\w+:)?(\w+)>")
_PARTS = {
    "code": ("The code of a game.", {"type": "string", "pattern": "^[a-z0-9-]{1,40}$"}),
    "number": ("The number of a report, from 1.", {"type": "integer", "minimum": 1, "maximum": 10**9}),
}
_PROBLEMS = {
    "401": "There is no token, or none that is good.",
    "403": "The token is good for reading alone.",
    "404": "It does not exist, or is not yours to see.",
    "409": "It can't be done as things stand; nothing was changed.",
    "413": "It is too long; nothing of it was read.",
    "415": "The body is not JSON.",
    "422": "The body can't be used: what is wrong, where, and what would be right.",
    "429": "That was too often; `Retry-After` says when it may be tried again.",
    "503": "The game or the service is busy: try again in a moment; or the game's rules are not installed here.",
}
_HEADERS = {
    "401": ("WWW-Authenticate", "`Bearer`."),
    "429": ("Retry-After", "Seconds."),
    "503": ("Retry-After", "Seconds."),
}
_DESCRIPTION = (
    "Games played by mail, for players' own programs: what is asked, reports, orders, messages. A program sends a token"
    " that its player has made, in the header `Authorization`."
)
Model = type[BaseModel]


def document(calls: Iterable[Call]) -> dict[str, Any]:
    """The document as plain values."""
    every = list(calls)
    paths: dict[str, dict[str, Any]] = {}
    for call in every:
        path = ROOT + _PART.sub(r"{\1}", call.path)
        known = paths.setdefault(path, {"parameters": [_parameter(name) for name in _PART.findall(call.path)]})
        known[call.method.lower()] = _operation(call)
    return {
        "openapi": "3.1.0",
        "info": {"title": "pbem", "version": "1", "description": _DESCRIPTION},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": _schemas(every),
            "responses": {f"Problem{status}": _problem(status, said) for status, said in _PROBLEMS.items()},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "Made on the page of your account."}
            },
        },
    }


def _operation(call: Call) -> dict[str, Any]:
    responses: dict[str, Any] = {"200": {"description": "Done.", "content": _json(call.answer)}}
    responses |= {status: {"$ref": f"#/components/responses/Problem{status}"} for status in _statuses(call)}
    made = {"operationId": call.name, "summary": " ".join((call.does.__doc__ or "").split()), "responses": responses}
    if call.scope == PLAY:
        made["description"] = "Needs a token that is good for playing."
    if call.body is not None:
        made["requestBody"] = {"required": True, "content": _json(call.body)}
    return made


def _statuses(call: Call) -> list[str]:
    """Of the problems those that the call may have."""
    without = {"403"} if call.scope != PLAY else set()
    if "<" not in call.path:
        without.add("404")
    if call.body is None:
        without |= {"409", "413", "415", "422"}
    return [status for status in _PROBLEMS if status not in without]


def _parameter(name: str) -> dict[str, Any]:
    said, schema = _PARTS[name]
    return {"name": name, "in": "path", "required": True, "description": said, "schema": schema}


def _problem(status: str, said: str) -> dict[str, Any]:
    made: dict[str, Any] = {"description": said, "content": {MEDIA_TYPE: {"schema": _named(Problem)}}}
    if status in _HEADERS:
        name, meaning = _HEADERS[status]
        made["headers"] = {name: {"description": meaning, "schema": {"type": "string"}}}
    return made


def _json(model: Model) -> dict[str, Any]:
    return {"application/json": {"schema": _named(model)}}


def _named(model: Model) -> dict[str, str]:
    return {"$ref": _PLACE.format(model=model.__name__)}


def _schemas(calls: Iterable[Call]) -> Mapping[str, Any]:
    answers: set[Model] = {Problem, *(call.answer for call in calls)}
    bodies: set[Model] = {call.body for call in calls if call.body is not None}
    wanted: list[tuple[Model, JsonSchemaMode]] = [(each, "serialization") for each in answers]
    wanted += [(each, "validation") for each in bodies]
    _, made = models_json_schema(sorted(wanted, key=lambda each: each[0].__name__), ref_template=_PLACE)
    return dict(sorted(made["$defs"].items()))
