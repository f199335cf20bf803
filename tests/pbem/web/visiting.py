"""A visitor of the pages without a browser: follows links and sends the forms that are there, as they are there."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import col, select
from werkzeug.test import TestResponse

from pbem.context import Service
from pbem.storage.models import Letter
from pbem.web import create_app


@dataclass
class Form:
    """A form of a page. `fields` are what it would send as it stands."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.area = ""
        self.select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.forms.append(Form(given.get("action") or "", given.get("method") or "get"))
        if not self.forms:
            return
        form, name = self.forms[-1], given.get("name") or ""
        if tag == "input" and name and given.get("type") != "checkbox":
            form.fields[name] = given.get("value") or ""
        elif tag == "textarea":
            self.area = name
            form.fields[name] = ""
        elif tag == "select":
            self.select = name
        elif tag == "option" and "selected" in given:
            form.fields[self.select] = given.get("value") or ""
        elif tag == "button" and name:
            form.buttons.append((name, given.get("value") or ""))

    def handle_data(self, data: str) -> None:
        if self.area:
            self.forms[-1].fields[self.area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.forms[-1].fields[self.area] = self.forms[-1].fields[self.area].removeprefix("\n")
            self.area = ""


def forms(page: str) -> list[Form]:
    """The forms of a page."""
    parser = _Forms()
    parser.feed(page)
    return parser.forms


class Visit:
    """One browser. Where a page leads on, it follows."""

    def __init__(self, app: Flask, service: Service, address: str = "") -> None:
        self.client: FlaskClient = app.test_client()
        self.service = service
        self.page = ""
        if address:
            self.sign_in(address)

    def get(self, path: str, status: int = 200) -> str:
        """A page; its status is what it should be."""
        return self._seen(self.client.get(path, follow_redirects=True), status)

    def send(self, action: str, status: int = 200, **values: Any) -> str:
        """Send the form of the present page that goes there, with some fields filled in."""
        form = next(form for form in forms(self.page) if form.action == action)
        return self.post(action, status, **{**form.fields, **values})

    def post(self, action: str, status: int = 200, **values: Any) -> str:
        """Send fields, whatever the page."""
        return self._seen(self.client.post(action, data=values, follow_redirects=True), status)

    def sign_in(self, address: str, start: str = "/sign-in") -> str:
        """By the link in the mail."""
        self.get(start)
        self.send("/sign-in", address=address)
        self.get(link(self.service, address))
        return self.send(forms(self.page)[0].action)

    def _seen(self, response: TestResponse, status: int) -> str:
        assert response.status_code == status, response.text[-1500:]
        self.page = response.text
        return self.page


def app_on(service: Service) -> Flask:
    """The application on a service, with errors as a visitor meets them."""
    return create_app(service)


def letters_to(service: Service, address: str, kind: str = "signin") -> list[Letter]:
    """The letters of a kind to an address, oldest first."""
    query = select(Letter).where(col(Letter.recipient) == address, col(Letter.kind) == kind)
    with service.reading() as session:
        return list(session.exec(query.order_by(col(Letter.queued), col(Letter.id))))


def link(service: Service, address: str, kind: str = "signin") -> str:
    """The path of the newest link to sign in, in a letter of that kind."""
    found = re.search(r"/sign-in/[\w-]+", letters_to(service, address, kind)[-1].text)
    assert found is not None
    return found[0]
