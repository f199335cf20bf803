"""The settings of the service, from the environment (PBEM_…) and one file that PBEM_CONFIG names.

The file is TOML (`domain = "example.org"`) or, ending in `.env`, lines such as `PBEM_DOMAIN=example.org`. What stands
in the environment goes before what stands in the file. The page of settings in the operator's guide is made from the
descriptions below.
"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from pbem import settingchecks as checks
from pbem.brokeraddress import broker_address
from pbem.crashing import FOLDER as CRASHES

PREFIX = "PBEM_"
CONFIG = PREFIX + "CONFIG"
READY_FILE = PREFIX + "READY_FILE"
NO_SETTINGS = frozenset({CONFIG, READY_FILE, CRASHES})
"""What else the environment may have: the file of settings, and what processes are told by whoever starts them."""
MINUTES, HOURS, DAYS = 525_600, 87_600, 36_500
"""Longest times: a year, ten, a hundred. No sum of a time and one of them is beyond the calendar."""
ONE_DAY = 86_400
"""Longest waits, in seconds."""
MANY = 1000
"""What no process can have more of."""


OptionalPath = Annotated[Path | None, BeforeValidator(checks.optional_path)]


class UnknownSettings(ValueError):
    """Names in the environment that are no settings, though they begin like them."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(", ".join(names))
        self.names = tuple(names)


class Settings(BaseSettings):
    """Every setting, with its default. Secrets are kept out of `repr`."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="forbid", frozen=True, hide_input_in_errors=True, allow_inf_nan=False
    )

    data_dir: Path = Field(default=Path("data"), description="folder of database, keys and sockets, one service's own")
    database_url: Annotated[str, AfterValidator(checks.database_address)] = Field(
        default="", repr=False, description="PostgreSQL address; empty for SQLite in the data folder"
    )
    database_connections: int = Field(
        default=15,
        ge=1,
        le=MANY,
        description="most connections of one process to PostgreSQL, for reading and for writing each",
    )
    database_wait_seconds: float = Field(
        default=30,
        gt=0,
        le=ONE_DAY,
        description="how long is waited for a connection that is free, or for another writer of SQLite",
    )
    statement_seconds: float = Field(
        default=40, ge=0, le=ONE_DAY, description="after which PostgreSQL ends a statement; 0 for its own setting"
    )
    idle_transaction_seconds: float = Field(
        default=60,
        ge=0,
        le=ONE_DAY,
        description="after which PostgreSQL ends a transaction in which nothing is asked; 0 for its own setting",
    )
    redis_url: Annotated[str, AfterValidator(broker_address)] = Field(
        default="", repr=False, description="Redis address; empty for a server of our own in the data folder"
    )

    domain: Annotated[str, AfterValidator(checks.domain_name)] = Field(
        default="localhost", description="what stands after the @ in the service's addresses"
    )
    sender_name: str = Field(
        default="Play by email", description="the name beside the service's address in its letters"
    )
    operator: Annotated[str, AfterValidator(checks.mail_address)] = Field(
        default="", description="the operator's own address, told when a game or a mail is set aside"
    )
    mail_host: Annotated[str, AfterValidator(checks.host)] = Field(
        default="127.0.0.1", description="where the listener takes mail"
    )
    mail_port: int = Field(default=8025, ge=0, le=65535, description="the listener's port")
    mail_protocol: Literal["smtp", "lmtp"] = Field(
        default="smtp", description="what the listener speaks; lmtp behind a mail server"
    )
    mail_socket: Annotated[OptionalPath, AfterValidator(checks.socket_path)] = Field(
        default=None, description="a unix socket to listen on in place of host and port, for LMTP from the same machine"
    )
    mail_name: str = Field(
        default="play",
        pattern=r"^[a-z0-9](?:[a-z0-9_-]|\.[a-z0-9_-])*$",
        max_length=20,
        description="what stands before the + in reply addresses; the name of the mailbox where letters are fetched",
    )
    authserv_id: Annotated[str, AfterValidator(checks.authserv_id)] = Field(
        default="", description="the name that our own mail server signs Authentication-Results with"
    )

    imap_host: Annotated[str, AfterValidator(checks.optional_host)] = Field(
        default="", description="a mailbox to fetch mail from; empty for none"
    )
    imap_port: int = Field(default=993, ge=1, le=65535, description="its port")
    imap_tls: Literal["none", "starttls", "tls"] = Field(
        default="tls", description="how the connection to it is secured"
    )
    imap_user: Annotated[str, AfterValidator(checks.in_ascii)] = Field(
        default="", description="the name to sign in with there"
    )
    imap_password: Annotated[str, AfterValidator(checks.in_ascii)] = Field(
        default="", repr=False, description="the password to sign in with there"
    )
    imap_folder: str = Field(default="INBOX", description="its folder")
    imap_seconds: int = Field(
        default=60, ge=5, le=ONE_DAY, description="real seconds between two looks where it tells of nothing"
    )
    postmark_login: Annotated[str, AfterValidator(checks.login)] = Field(
        default="",
        repr=False,
        description="`name:password` that Postmark gives at /hooks/postmark; empty: closed",
    )
    mailgun_key: str = Field(
        default="", repr=False, description="the key that Mailgun signs with at /hooks/mailgun; empty: closed"
    )
    hook_secret: Annotated[str, AfterValidator(checks.bearer_token)] = Field(
        default="", repr=False, description="the bearer token for raw mails at /hooks/raw; empty: closed"
    )

    smtp_host: Annotated[str, AfterValidator(checks.host)] = Field(
        default="127.0.0.1", description="the mail server that takes our letters"
    )
    smtp_port: int = Field(default=25, ge=1, le=65535, description="its port")
    smtp_user: Annotated[str, AfterValidator(checks.in_ascii)] = Field(
        default="", description="the name to sign in with there; empty for none"
    )
    smtp_password: Annotated[str, AfterValidator(checks.in_ascii)] = Field(
        default="", repr=False, description="the password to sign in with there"
    )
    smtp_tls: Literal["none", "starttls", "tls"] = Field(
        default="none", description="how the connection to it is secured"
    )
    sendmail: str = Field(
        default="", description="a program such as /usr/sbin/sendmail that takes our letters in place of a server"
    )
    maildir: OptionalPath = Field(
        default=None, description="put letters into folders here, one for each address, and send nothing"
    )

    web_host: Annotated[str, AfterValidator(checks.host)] = Field(
        default="127.0.0.1", description="where the web pages are served"
    )
    web_port: int = Field(default=8000, ge=0, le=65535, description="the port of the web pages")
    base_url: Annotated[str, AfterValidator(checks.web_address)] = Field(
        default="", description="the address of the web pages as players write it; empty for host and port"
    )
    web_threads: int = Field(default=8, ge=1, le=MANY, description="requests answered at the same time")
    trusted_proxies: int = Field(
        default=0, ge=0, le=100, description="proxies before us whose X-Forwarded headers are believed"
    )
    metrics_token: Annotated[str, AfterValidator(checks.bearer_token)] = Field(
        default="",
        repr=False,
        description="the bearer token that Prometheus shows; `/metrics` is closed without",
    )
    session_days: int = Field(default=30, ge=1, le=DAYS, description="how long a browser stays signed in")
    link_minutes: int = Field(default=30, ge=1, le=MINUTES, description="how long a sign-in link can be used")

    keys_file: OptionalPath = Field(
        default=None, description="signing keys, newest first; empty for `keys` in the data folder"
    )

    clock_offset: float = Field(
        default=0, ge=-3_200_000_000, le=3_200_000_000, description="seconds by which the service's clock is ahead"
    )
    clock_rate: float = Field(
        default=1, ge=0.001, le=100_000, description="seconds that the service's clock runs in one second"
    )
    clock_origin: datetime = Field(
        default=datetime(2026, 1, 1, tzinfo=UTC),
        validate_default=True,
        description="the moment from which on the clock runs at its rate",
    )
    sweep_seconds: float = Field(
        default=1, gt=0, le=3600, description="real seconds between two looks for what is owed"
    )

    language: Annotated[str, AfterValidator(checks.language)] = Field(
        default="en", description="the language of those who have chosen none"
    )
    time_zone: Annotated[str, AfterValidator(checks.time_zone)] = Field(
        default="UTC", description="the time zone of those who have chosen none"
    )
    stage_hours: float = Field(default=48, gt=0, le=HOURS, description="time for a stage in a game that names none")
    settle_minutes: float = Field(
        default=10, ge=0, le=MINUTES, description="wait after the last seat became ready in a game that names none"
    )

    undelivered_hours: float = Field(
        default=24,
        ge=0,
        le=HOURS,
        description="how long a deadline is put off, once, where a report did not arrive; 0 for never",
    )
    invitations_a_day: int = Field(
        default=50, ge=1, le=1_000_000, description="most invitations a day by one moderator"
    )

    game_templates: OptionalPath = Field(
        default=None, description="folder of game templates of your own; empty for `templates` in the data folder"
    )
    invitation_hours: float = Field(
        default=336, gt=0, le=HOURS, description="how long a seat is kept for who is invited to it and does not answer"
    )
    invitation_reminder_hours: float = Field(
        default=96, ge=0, le=HOURS, description="when who has not answered an invitation is reminded, once; 0 for never"
    )
    offer_hours: float = Field(
        default=72,
        gt=0,
        le=HOURS,
        description="how long a seat of a running game is kept for who is asked to take it over",
    )

    what_ifs_each: int = Field(
        default=5, ge=0, le=10_000, description="most what-if copies of games that one account can have"
    )
    what_if_days: float = Field(default=30, gt=0, le=DAYS, description="how long a what-if copy of a game is kept")

    max_message_bytes: int = Field(
        default=10_000_000, ge=1000, le=500_000_000, description="longest mail that is taken"
    )
    max_message_parts: int = Field(default=100, ge=1, le=100_000, description="most MIME parts that are read")
    max_message_depth: int = Field(default=20, ge=1, le=100, description="deepest nesting of MIME parts that is read")
    answers_a_day: int = Field(
        default=50, ge=1, le=1_000_000, description="most automatic answers a day to one address"
    )
    attempts: int = Field(
        default=3, ge=1, le=MANY, description="failures after which a game, mail or letter is set aside"
    )
    lease_seconds: float = Field(
        default=120,
        ge=1,
        le=ONE_DAY,
        description="how long a worker may hold a letter or a task; less than 90 takes slow ones for dead",
    )
    worker_processes: int = Field(
        default=2, ge=1, le=MANY, description="worker processes, on several machines of all of them together"
    )
    backups: int = Field(default=5, ge=1, le=10_000, description="backups made before migrations that are kept")

    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="least that is logged")
    log_json: bool = Field(default=False, description="log lines as JSON")

    @field_validator("*", mode="before")
    @classmethod
    def _is_text(cls, value: object) -> object:
        return checks.text(value)

    @field_validator("clock_origin")
    @classmethod
    def _shows_a_time(cls, value: datetime, info: ValidationInfo) -> datetime:
        origin = value if value.tzinfo else value.replace(tzinfo=UTC)
        if {"clock_offset", "clock_rate"} <= info.data.keys():  # where one of them is wrong, that is told
            checks.clock_of(info.data["clock_offset"], info.data["clock_rate"], origin)
        return origin

    @property
    def database(self) -> str:
        """The database's address for SQLAlchemy."""
        return self.database_url or f"sqlite:///{self.data_dir.resolve() / 'pbem.sqlite3'}"

    @property
    def keys(self) -> Path:
        """The file of the signing keys."""
        return self.keys_file or self.data_dir / "keys"

    @property
    def templates(self) -> Path:
        """The folder of the service's own game templates, which need not be there."""
        return self.game_templates or self.data_dir / "templates"

    @property
    def url(self) -> str:
        """The web pages' address, without a slash at its end."""
        return self.base_url.rstrip("/") or f"http://{self.web_at}"

    @property
    def web_at(self) -> str:
        """Host and port of the web pages in one, as they stand in an address."""
        return f"[{self.web_host}]:{self.web_port}" if ":" in self.web_host else f"{self.web_host}:{self.web_port}"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment goes before the file."""
        config = os.environ.get(CONFIG, "")
        if config.endswith(".toml"):
            return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, Path(config))
        if config:
            return init_settings, env_settings, DotEnvSettingsSource(settings_cls, Path(config))
        return init_settings, env_settings


def load() -> Settings:
    """Read the settings anew.

    Raises FileNotFoundError where the file is not there, TOMLDecodeError or UnicodeDecodeError where it says nothing,
    UnknownSettings, and ValidationError for bad ones.
    """
    config = os.environ.get(CONFIG, "")
    if config and not Path(config).is_file():
        raise FileNotFoundError(config)
    known = NO_SETTINGS | {PREFIX + name.upper() for name in Settings.model_fields}
    unknown = [name for name in os.environ if name.upper().startswith(PREFIX) and name.upper() not in known]
    if unknown:
        raise UnknownSettings(unknown)
    return Settings()


@cache
def settings() -> Settings:
    """The settings of this process, read once."""
    return load()
