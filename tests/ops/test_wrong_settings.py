"""Settings that would break players' mail, or the service hours later, are refused by each command, with the remedy."""

import json

import pytest
from pydantic import ValidationError

from pbem.settings import Settings
from pbem.words import languages
from tests.ops.test_told import SECRET, Run, run, said

__all__ = ["run"]  # the fixture

ADDRESS, DOMAIN, PAGES = "me@example.org", "games.example.org", "https://games.example.org"
HOST = "mail.example.org"
SIGN_IN = ("SMTP_USER", "SMTP_PASSWORD", "IMAP_USER", "IMAP_PASSWORD", "HOOK_SECRET", "METRICS_TOKEN")
"""What goes to a server, or comes from a client, in a form that is ASCII alone."""
BROKER = "redis://:password@host:6379/0"
WRONG = [
    *(("OPERATOR", value, ADDRESS) for value in (f"Me <{ADDRESS}>", "nonsense", "a@b.org, c@d.org", "me@", "@x.org")),
    *(
        ("DOMAIN", value, DOMAIN)
        for value in ("", f"http://{DOMAIN}", "games example", "a\nb", "a@b", "x.org.", ".org", "-a.org", "127.0.0.1")
    ),
    ("DOMAIN", "long." * 50 + "org", DOMAIN),
    *(
        ("BASE_URL", value, PAGES)
        for value in (
            DOMAIN,
            f"ftp://{DOMAIN}",
            "https://",
            f"https://ann:{SECRET}@{DOMAIN}",
            f"{PAGES}/?a=b",
            f"{PAGES}/#a",
            f"{PAGES}:99999",
            f"{PAGES}/a b",
            f"{PAGES}\n",
            "https://spiele.größe.example",
        )
    ),
    *(
        ("REDIS_URL", value, BROKER)
        for value in (
            "localhost:6379",
            f"http://ann:{SECRET}@x/y",
            "unix:///run/redis.sock",
            "redis://",
            f"redis://:{SECRET}#@host/0",
            f"redis://:{SECRET}@host:{SECRET}/0",
            f"redis://host/{SECRET}",
            "redis+socket://",
            f"redis+socket:///run/redis.sock?virtual_host={SECRET}",
            "redis+socket:///run/redis.sock?virtual_host=1&socket_timeout=3",
            f"rediss://:{SECRET}@host/0?ssl_cert_reqs=bogus",
            "rediss://host/0?ssl_cert_reqs=CERT_NONE",
            "rediss://host/0?ssl_min_version=TLSv1_2",
            "rediss://host/0?ssl_cert=/cert.pem",
            "redis://host/0?ssl_cert_reqs=none",
            "redis://host/0?socket_timeout=abc",
            "redis://host/0?db=1",
            "redis://mail..example.org/0",
        )
    ),
    *(
        (f"{name}_HOST", value, HOST)
        for name in ("SMTP", "IMAP", "MAIL", "WEB")
        for value in ("mail..example.org", f"https://{HOST}", f"{HOST}:25", "mail example", "x" * 64, "[::1]")
    ),
    *((f"{name}_HOST", "", HOST) for name in ("SMTP", "MAIL", "WEB")),
    *((name, f"{SECRET}é", "ASCII") for name in SIGN_IN),
    *((name, f"{SECRET}\n", "ASCII") for name in SIGN_IN),
    ("AUTHSERV_ID", f"{HOST}; {HOST}", "blanks"),
    ("AUTHSERV_ID", f" {HOST}", "blanks"),
    ("MAIL_SOCKET", "/run/" + "x" * 120, "103"),
    ("MAIL_NAME", "play.", "pattern"),
    ("MAIL_NAME", "play..er", "pattern"),
    *((name, f"{SECRET}\udce9", "UTF-8") for name in ("SENDER_NAME", "DATA_DIR", "MAILGUN_KEY", "SMTP_PASSWORD")),
    *(("DATABASE_URL", value, "SQLite") for value in ("sqlite://", "sqlite:///:memory:", "sqlite+aiosqlite:///x")),
    ("LANGUAGE", "xx", "en"),
    ("TIME_ZONE", "Mars/Phobos", "Europe/Berlin"),
    ("POSTMARK_LOGIN", SECRET, "name:password"),
    ("CLOCK_RATE", "inf", "finite"),
    ("CLOCK_RATE", "0", "greater"),
    ("CLOCK_OFFSET", "1e18", "less than"),
    ("CLOCK_OFFSET", "-1e18", "greater than"),
]
NUMBERS = [name for name, field in Settings.model_fields.items() if field.annotation in (int, float)]


@pytest.mark.parametrize(("name", "value", "right"), WRONG)
def test_a_setting_that_would_break_something_later_is_refused_at_once(
    run: Run, name: str, value: str, right: str
) -> None:
    """Addresses, domains, languages and times: by name, with what would be right."""
    for command in ("migrate", "status"):
        refused = said(run(command, **{f"PBEM_{name}": value}))
        assert f"PBEM_{name}: " in refused
        assert right in refused


def test_a_clock_that_shows_no_time_that_can_be_reckoned_with_is_refused(run: Run) -> None:
    """Where it is the rate that does it, since an origin long ago, as well."""
    for given in (
        {"PBEM_CLOCK_ORIGIN": "0001-01-01T00:00:00", "PBEM_CLOCK_RATE": "2"},
        {"PBEM_CLOCK_ORIGIN": "2001-01-01T00:00:00", "PBEM_CLOCK_RATE": "100000"},
    ):
        assert "between the years 1970 and 3000" in said(run("migrate", **given))


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", ["inf", "-inf", "nan", "1e18", "9" * 30])
def test_no_number_is_beyond_what_can_be_reckoned_with(name: str, value: str) -> None:
    """Whichever setting it is: a time in it can be added to any other."""
    with pytest.raises(ValidationError) as refused:
        Settings.model_validate({name: value})
    assert [each["loc"] for each in refused.value.errors()] == [(name,)]


@pytest.mark.parametrize(
    ("name", "given", "used"),
    [
        ("operator", "Op@Example.org", "op@example.org"),
        ("operator", "op@müller.example", "op@xn--mller-kva.example"),
        ("operator", "", ""),
        ("domain", "Games.Example.org", "Games.Example.org"),
        ("domain", "müller.example", "xn--mller-kva.example"),
        ("base_url", "http://[::1]:8000", "http://[::1]:8000"),
        ("base_url", "https://example.org/games/", "https://example.org/games/"),
        ("redis_url", "REDIS://:a@b@host:6379", "redis://:a@b@host:6379"),
        ("redis_url", "redis+socket:///run/redis.sock?virtual_host=3", "redis+socket:///run/redis.sock?virtual_host=3"),
        ("redis_url", "rediss://h/0?ssl_cert_reqs=none", "rediss://h/0?ssl_cert_reqs=none"),
        ("smtp_host", "müller.example", "xn--mller-kva.example"),
        ("smtp_host", "mail_server", "mail_server"),
        ("mail_host", "0.0.0.0", "0.0.0.0"),
        ("web_host", "::1", "::1"),
        ("imap_host", "", ""),
        ("smtp_password", ' a"\\b', ' a"\\b'),
        ("sender_name", "Spiele für alle", "Spiele für alle"),
        ("mail_name", "play-1.x_y", "play-1.x_y"),
        *((each, "", None) for each in ("maildir", "mail_socket", "keys_file", "game_templates")),
        ("postmark_login", "name:pass:word", "name:pass:word"),
        *(("language", each, each) for each in languages()),
    ],
)
def test_settings_that_are_right_are_taken(name: str, given: str, used: str | None) -> None:
    """As addresses and domains are kept and compared."""
    assert getattr(Settings.model_validate({name: given}), name) == used


def test_whether_a_secret_is_set_is_shown(run: Run) -> None:
    """One that is empty is shown as empty, one that is set is not shown."""
    shown = run("settings", "--json", PBEM_HOOK_SECRET=SECRET)
    assert SECRET not in shown.output
    values = {row["name"]: row["value"] for row in json.loads(shown.stdout)}
    assert values["PBEM_HOOK_SECRET"] == "…"
    assert {values[f"PBEM_{name}"] for name in ("SMTP_PASSWORD", "METRICS_TOKEN", "DATABASE_URL", "REDIS_URL")} == {""}
