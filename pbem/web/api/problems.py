"""What the API says when it does not do something: problem+json (RFC 9457), in the words of who asks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from flask import Response
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import ErrorDetails

from pbem.words import Words

MEDIA_TYPE = "application/problem+json"
MAX_BODY = 150_000
"""Bytes: the longest text with every character escaped."""
MOST_TOLD = 20
"""Things wrong with one body that are told."""
RETRY_AFTER = "60"
"""Seconds after which who asked too often may ask again: rates are counted by the minute."""


class Wrong(BaseModel):
    """One thing that is wrong with what was sent."""

    model_config = ConfigDict(extra="forbid")

    where: str = Field(description="A JSON pointer into the body; empty for all of it.")
    wrong: str
    right: str = Field(description="What would be right there.")


class Problem(BaseModel):
    """Why a call was not carried out. Nothing was changed."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(description="A URN with the code: it does not change with language or wording.")
    title: str
    status: int
    detail: str = Field(description="What was wrong, and what would be right.")
    errors: list[Wrong] = Field(default=[], description="For a body that can't be used: each thing that is wrong.")


@dataclass
class Refusal(Exception):
    """A call that is not carried out. `code` is one of `_texts`; `errors` tell what is wrong with a body."""

    status: int
    code: str
    params: Mapping[str, object] = field(default_factory=dict)
    errors: Sequence[Wrong] = ()


def response(words: Words, refusal: Refusal) -> Response:
    """The problem as it is sent."""
    title, detail = _texts(words)[refusal.code]
    return _sent(refusal, title, detail % refusal.params)


def because(words: Words, status: int, code: str, reason: str) -> Response:
    """A problem whose reason is a sentence that is made elsewhere."""
    return _sent(Refusal(status, code), words.gettext("That can't be done now"), reason)


def plain(words: Words, status: int) -> Response:
    """The problem for a status of HTTP that says it all."""
    codes = {
        404: "not_found",
        405: "wrong_method",
        413: "too_long",
        415: "not_json",
        429: "too_often",
        500: "failed",
        503: "busy",
    }
    found = Refusal(status, codes.get(status, "not_understood" if status < 500 else "failed"))
    made = response(words, found)
    if status == 429:
        made.headers["Retry-After"] = RETRY_AFTER
    return made


def _sent(refusal: Refusal, title: str, detail: str) -> Response:
    told = Problem(
        type=f"urn:pbem:problem:{refusal.code}",
        title=title,
        status=refusal.status,
        detail=detail,
        errors=list(refusal.errors),
    )
    return Response(told.model_dump_json(), refusal.status, content_type=MEDIA_TYPE)


def _texts(words: Words) -> Mapping[str, tuple[str, str]]:
    """Title and detail by code."""
    _ = words.gettext
    return {
        "no_token": (
            _("A token is needed"),
            _(
                "There is no token, or none that is good. Make one on the page of your account, and send it in the"
                " header `Authorization: Bearer TOKEN`."
            ),
        ),
        "read_only": (
            _("The token is for reading"),
            _("This changes something, and the token is good for reading alone. Make one that is good for playing."),
        ),
        "not_found": (
            _("There is nothing here"),
            _("It does not exist, or it is not yours to see. The address of a call is as the document has it."),
        ),
        "wrong_method": (
            _("The method is wrong"),
            _("There is something here, but not for this method. The header `Allow` names those that there are."),
        ),
        "too_long": (
            _("That is too long"),
            _("Nothing was read. A body has at most %(most)s bytes.") % {"most": words.number(MAX_BODY)},
        ),
        "not_json": (
            _("The body is not JSON"),
            _("Send JSON in UTF-8, with the header `Content-Type: application/json`."),
        ),
        "bad_body": (_("The body can't be used"), _("Nothing was done. What is wrong, and what would be right:")),
        "no_orders_now": (
            _("No orders are taken now"),
            _("Nothing was kept: the game is not being played. Its `status` and `state` say why."),
        ),
        "too_often": (
            _("That was too often"),
            _("Nothing was done. Wait for as many seconds as the header `Retry-After` says."),
        ),
        "busy": (
            _("The service is busy"),
            _("Nothing was lost or kept. Send it again in a moment, with the same key."),
        ),
        "not_understood": (_("That did not work"), _("The service does not understand this request.")),
        "failed": (
            _("Something went wrong here"),
            _("The fault is the service's, not yours. The operator finds it in the log."),
        ),
        "not_sent": (_("The message was not sent"), "%(reason)s"),
    }


def wrong(found: ErrorDetails, words: Words) -> Wrong:
    """What pydantic says of a part of a body."""
    where = "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in found["loc"])
    given = found.get("ctx", {})
    texts = _wrongs(words)
    said, right = texts.get(found["type"], texts["other"])
    return Wrong(where=where, wrong=said, right=right % _plain_values(given))


def _plain_values(given: Mapping[str, object]) -> Mapping[str, object]:
    return {"max_length": 0, "min_length": 0, "pattern": "", "expected": "", **given}


def _wrongs(words: Words) -> Mapping[str, tuple[str, str]]:
    """What is wrong and what would be right, by pydantic's type of error."""
    _ = words.gettext
    an_object = _("a JSON object with the fields that the document names")
    return {
        "missing": (_("it is missing"), _("the field, as the document has it")),
        "extra_forbidden": (_("there is no such field"), _("the fields that the document names, and no others")),
        "string_type": (_("it is no string"), _("a string")),
        "string_too_long": (_("it is too long"), _("at most %(max_length)s characters")),
        "string_too_short": (_("it is too short"), _("at least %(min_length)s characters")),
        "string_pattern_mismatch": (_("it has another form"), _("what fits `%(pattern)s`")),
        "bool_type": (_("it is no truth value"), _("true or false")),
        "list_type": (_("it is no list"), _("a list")),
        "too_long": (_("it has too many entries"), _("at most %(max_length)s entries")),
        "too_short": (_("it has too few entries"), _("at least %(min_length)s entries")),
        "model_type": (_("it is no object"), an_object),
        "json_invalid": (_("it can't be read as JSON"), an_object),
        "unknown_reader": (_("there is no such reader"), _("one of: %(expected)s")),
        "other": (_("it can't be used"), _("what the document names")),
    }


def unknown_reader(place: int, known: str, words: Words) -> Wrong:
    """A recipient that the game does not have."""
    said, right = _wrongs(words)["unknown_reader"]
    return Wrong(where=f"/to/{place}", wrong=said, right=right % {"expected": known})
