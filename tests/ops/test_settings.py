import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from celery import Celery
from limits.storage import RedisStorage, storage_from_string
from pydantic import ValidationError
from redis import Redis

from pbem import clock, keys
from pbem.brokeraddress import counting_address
from pbem.settings import load
from pbem.supervisor.programs import programs


def test_the_environment_goes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting in both is taken from the environment, the rest from the file, TOML or lines."""
    for name, text in (
        ("pbem.toml", 'domain = "file"\nweb_port = 81'),
        ("pbem.env", "PBEM_DOMAIN=file\nPBEM_WEB_PORT=81"),
    ):
        (tmp_path / name).write_text(text)
        monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / name))
        monkeypatch.setenv("PBEM_DOMAIN", "environment")
        assert (load().domain, load().web_port) == ("environment", 81)


@pytest.mark.parametrize(("name", "text"), [("a.toml", "domian = 'x'"), ("a.env", "PBEM_DOMIAN=x")])
def test_a_misspelt_setting_is_refused(name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is no setting stops the start instead of being passed over."""
    (tmp_path / name).write_text(text)
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / name))
    with pytest.raises(ValidationError):
        load()


def test_secrets_are_not_in_the_text_of_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords do not show where settings are printed."""
    monkeypatch.setenv("PBEM_DATABASE_URL", "postgresql://u:hush@h/d")
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", "hush")
    assert "hush" not in repr(load())
    assert load().database == "postgresql+psycopg://u:hush@h/d"


@pytest.mark.parametrize("address", ["rediss://:hush@h:6379/0", "rediss://h/0?ssl_ca_certs=/ca.pem", "REDISS://h#x"])
def test_a_brokers_certificate_is_verified(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever Celery does by itself: where the address says nothing of it, by all who go there."""
    monkeypatch.setenv("PBEM_REDIS_URL", address)
    made = load().redis_url
    celery = Celery(broker=made, set_as_current=False)
    assert celery.connection_for_write().ssl["ssl_cert_reqs"] is ssl.CERT_REQUIRED
    with Redis.from_url(made.replace("REDISS:", "rediss:")) as client:
        assert client.connection_pool.connection_kwargs["ssl_cert_reqs"] == "required"
    monkeypatch.setenv("PBEM_REDIS_URL", made)
    assert load().redis_url == made, "programs that a program starts are given what it has"


@pytest.mark.parametrize("address", ["", "redis://h/0", "redis+socket:///s", "rediss://h/0?ssl_cert_reqs=none"])
def test_a_brokers_address_is_else_left_as_it_is(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without TLS there is no certificate, and who wants none verified says so."""
    monkeypatch.setenv("PBEM_REDIS_URL", address)
    assert load().redis_url == address


def test_requests_are_counted_in_the_database_of_the_socket_that_is_named() -> None:
    """Celery and the counter of requests have different names for its number."""
    storage = storage_from_string(counting_address("redis+socket:///run/x?virtual_host=3"))
    assert isinstance(storage, RedisStorage)
    made = storage.storage.connection_pool.connection_kwargs
    assert (made["path"], made["db"]) == ("/run/x", 3)


def test_pages_on_an_address_with_colons_have_it_in_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the server, and in links."""
    monkeypatch.setenv("PBEM_WEB_HOST", "::1")
    assert load().url == "http://[::1]:8000"
    web = next(each for group in programs(load()) for each in group if each.name == "web")
    assert "[::1]:8000" in web.command


def test_the_clock_runs_at_its_rate_in_every_process() -> None:
    """Two clocks made from the same settings show the same time, whenever they were made."""
    origin = datetime(2026, 1, 1, tzinfo=UTC)
    first = clock.Clock(timedelta(days=3), 1000, origin)
    before = first.now()
    second = clock.Clock(timedelta(days=3), 1000, origin)
    assert before <= second.now() < before + timedelta(hours=12)
    assert 0 < first.seconds_until(first.now() + timedelta(seconds=100_000)) <= 100


def test_a_shifted_clock_is_ahead() -> None:
    """Tests put the clock of their process ahead."""
    before = clock.now()
    clock.shift(timedelta(days=60))
    assert clock.now() - before >= timedelta(days=60)
    clock.use(None)


def test_keys_are_made_once_for_the_owner_only(tmp_path: Path) -> None:
    """The first start makes a key that only its owner reads; the next start keeps it."""
    path = tmp_path / "data" / "keys"
    keys.ensure(path)
    first = keys.load(path)
    keys.ensure(path)
    assert keys.load(path) == first
    assert path.stat().st_mode & 0o777 == 0o600


def test_old_keys_stay_valid_while_listed(tmp_path: Path) -> None:
    """A new line on top signs from then on, the older ones are still there to prove."""
    path = tmp_path / "keys"
    keys.ensure(path)
    old = keys.load(path)
    path.write_text("ab" * 32 + "\n" + path.read_text())
    assert keys.load(path) == (bytes.fromhex("ab" * 32), *old)


def test_a_key_file_that_others_read_is_refused(tmp_path: Path) -> None:
    """Keys that others may read are not used."""
    path = tmp_path / "keys"
    keys.ensure(path)
    path.chmod(0o644)
    with pytest.raises(keys.BadKeys):
        keys.load(path)
