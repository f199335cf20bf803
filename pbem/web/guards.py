"""Headers that every answer carries, and how often one client may ask."""

from typing import Any

from flask import Flask, Response, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

from pbem.brokeraddress import counting_address
from pbem.door import PATIENCE
from pbem.web.api.access import counted_as
from pbem.web.pages import account_in_session

POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
REQUESTS = "300 per minute"
CHANGES = "60 per minute"
LINKS = "20 per hour"
"""Requests for a link to sign in, from one client."""
TRIES = "60 per hour"
"""Uses of a link, good or made up, from one client."""
READINGS = "120 per minute"
"""Readings of a text while it is typed: they change nothing, and are not counted among the changes."""
MAILS = "1200 per minute"
"""Mails that one provider may post."""
CALLS = "120 per minute"
"""Calls of the API with one token."""
CLIENT_CALLS = "600 per minute"
"""Calls of the API from one client, whatever the tokens."""
FREE = frozenset({"health.alive", "health.ready", "metrics.show", "files.style", "files.script", "files.icon"})


def add_headers(response: Response) -> Response:
    """No frames, no scripts but our own files, nothing from elsewhere, no copies of private pages."""
    for name, value in {
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": "no-store",
    }.items():
        response.headers.setdefault(name, value)
    return response


def limit_rates(app: Flask, redis_url: str) -> None:
    """Bound what one account, or one address without an account, may ask; counted in Redis where there is one."""
    limiter = Limiter(
        _who,
        app=app,
        storage_uri=counting_address(redis_url) or "memory://",
        default_limits=[REQUESTS],
        storage_options={"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE} if redis_url else {},
        in_memory_fallback_enabled=bool(redis_url),
    )
    limits = {"signin.send": (LINKS,), "signin.use": (TRIES,), "addresses.use": (TRIES,), "leaving.do": (TRIES,)}
    views: dict[str, Any] = app.view_functions
    for endpoint, view in list(views.items()):
        if endpoint in FREE:
            views[endpoint] = limiter.exempt(view)
            continue
        if endpoint.startswith("hooks."):
            views[endpoint] = limiter.limit(MAILS, key_func=get_remote_address)(view)
            continue
        if endpoint == "seat.reading":
            views[endpoint] = limiter.limit(READINGS)(view)
            continue
        if endpoint.startswith("api."):
            by_token = limiter.shared_limit(CALLS, scope="calls", key_func=counted_as)
            by_client = limiter.shared_limit(CLIENT_CALLS, scope="client calls", key_func=get_remote_address)
            views[endpoint] = by_client(by_token(view))
            continue
        for limit in limits.get(endpoint, ()):
            views[endpoint] = limiter.limit(limit, key_func=get_remote_address, override_defaults=False)(
                views[endpoint]
            )
        if any("POST" in (rule.methods or ()) for rule in app.url_map.iter_rules(endpoint)):
            shared = limiter.shared_limit(CHANGES, scope="changes", override_defaults=False)
            views[endpoint] = shared(views[endpoint])


def _who() -> str:
    account = account_in_session()
    return f"account {account[0]}" if account else request.remote_addr or "unknown"
