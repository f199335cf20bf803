"""What a call is: a function with typed parameters, of which both its route and its place in the document are made."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, get_type_hints

from flask import Response, request
from pydantic import BaseModel, ConfigDict, ValidationError

from pbem.tokens import PLAY, READ
from pbem.web.api import access, problems
from pbem.web.api.problems import MAX_BODY, Refusal

T = TypeVar("T", bound=Callable[..., Any])


class Body(BaseModel):
    """What is sent with a call."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Answer(BaseModel):
    """What is answered."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Call:
    """One call. `does` gets the caller, the parts of the path by name and, where there is a body, `given`."""

    method: str
    path: str
    scope: str
    does: Callable[..., Answer]

    @property
    def name(self) -> str:
        """Its name, unique in the API."""
        return self.does.__name__

    @property
    def answer(self) -> type[Answer]:
        """What is answered."""
        found: type[Answer] = get_type_hints(self.does)["return"]
        return found

    @property
    def body(self) -> type[Body] | None:
        """What is sent with it."""
        return get_type_hints(self.does).get("given")

    def view(self, **parts: Any) -> Response:
        """Who calls is looked at first, then the size of the body, and then what is in it."""
        who = access.caller(self.scope)
        if self.body is not None:
            parts["given"] = _read(self.body)
        return Response(self.does(who, **parts).model_dump_json(), content_type="application/json")


class Calls:
    """The calls of one module."""

    def __init__(self) -> None:
        self._calls: list[Call] = []

    def __iter__(self) -> Iterator[Call]:
        return iter(self._calls)

    def get(self, path: str) -> Callable[[T], T]:
        """A call that reads."""
        return self._adding("GET", path, READ)

    def check(self, path: str) -> Callable[[T], T]:
        """A call that is sent something and keeps nothing."""
        return self._adding("POST", path, READ)

    def post(self, path: str) -> Callable[[T], T]:
        """A call that changes something."""
        return self._adding("POST", path, PLAY)

    def _adding(self, method: str, path: str, scope: str) -> Callable[[T], T]:
        def add(does: T) -> T:
            self._calls.append(Call(method, path, scope, does))
            return does

        return add


def _read(body: type[Body]) -> Body:
    """The body. Raises Refusal, and RequestEntityTooLarge before any of it is parsed."""
    request.max_content_length = MAX_BODY
    if request.mimetype != "application/json":
        raise Refusal(415, "not_json")
    raw = request.get_data(cache=False)
    try:
        return body.model_validate_json(raw)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[: problems.MOST_TOLD]
        told = [problems.wrong(each, access.words()) for each in found]
        raise Refusal(422, "bad_body", errors=told) from None
