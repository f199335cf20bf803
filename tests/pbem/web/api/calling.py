"""A program that calls the API with a token, and holds each answer against the document."""

from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from jsonschema_rs import Draft202012Validator
from werkzeug.test import TestResponse

from pbem.tokens import PLAY, make_token
from pbem.web import create_app
from pbem.web.api.document import document
from pbem.web.api.routes import CALLS
from tests.pbem.playing import Match

ROOT = "/api/v1"
DOCUMENT = document(CALLS)


class Program:
    """One program of one player. What it is answered is what the document says that it can be."""

    def __init__(self, app: Flask, token: str) -> None:
        self.client: FlaskClient = app.test_client()
        self.token = token

    def get(self, path: str, status: int = 200) -> dict[str, Any]:
        """What a call that reads answers."""
        return self._seen(self.client.get(f"{ROOT}{path}", headers=self._headers), status)

    def post(self, path: str, status: int = 200, **given: Any) -> dict[str, Any]:
        """What a call with a body answers."""
        return self._seen(self.client.post(f"{ROOT}{path}", json=given, headers=self._headers), status)

    def raw(self, path: str, body: bytes, status: int, kind: str = "application/json") -> dict[str, Any]:
        """What is answered to bytes."""
        return self._seen(
            self.client.post(f"{ROOT}{path}", data=body, content_type=kind, headers=self._headers), status
        )

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def _seen(self, response: TestResponse, status: int) -> dict[str, Any]:
        assert response.status_code == status, response.text[:1500]
        is_problem = status >= 400
        assert response.content_type == ("application/problem+json" if is_problem else "application/json")
        found: dict[str, Any] = response.get_json(force=True)
        if is_problem:
            _fits("Problem", found)
            assert found["detail"]
        else:
            request = response.request
            endpoint, _ = self.client.application.url_map.bind("").match(request.path, request.method)
            call = next(each for each in CALLS if endpoint == f"api.{each.name}")
            _fits(call.answer.__name__, found)
        return found


def _fits(name: str, found: object) -> None:
    """What is answered is what the document says of it."""
    Draft202012Validator({"$ref": f"#/components/schemas/{name}", **DOCUMENT}, validate_formats=True).validate(found)


def program(match: Match, seat: int = 0, scope: str = PLAY, app: Flask | None = None) -> Program:
    """A program of the player of a seat."""
    account = match.seats[seat].account_id
    assert account is not None
    token = make_token(match.service, account, f"program {match.posted} {seat} {scope}", scope)
    match.posted += 1
    return Program(app or create_app(match.service), token)
