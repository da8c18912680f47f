"""Every setting of the server and of its workers: a flag of the command, or ``NOUGHTS_…`` in the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from noughts.server.errors import InvalidSetting

__all__ = ["Settings", "WorkerSettings", "default_database", "split"]

PREFIX: Final = "NOUGHTS_"
SEPARATOR: Final = ";"
"""Between the values of one setting in the environment."""

_ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#@\s]+")
_HOST: Final = re.compile(r"(\*\.)?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\]")


def default_database() -> str:
    """The SQLite file in the user's data directory."""
    import platformdirs

    return str(Path(platformdirs.user_data_dir("noughts", appauthor=False), "games.db"))


def _setting(
    default: Any, help: str, metavar: str = "N", flag: str = "", *, ge: float | None = None, le: float | None = None
) -> Any:
    extra: dict[str, Any] = {"metavar": metavar, "flag": flag}
    return Field(default=default, description=help, json_schema_extra=extra, ge=ge, le=le)


class _CommandSettings(BaseSettings):
    """Settings that a command reads from its flags, then from the environment."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid", validate_default=True
    )

    @classmethod
    def flags(cls) -> Mapping[str, FieldInfo]:
        """Every setting by name."""
        return cls.model_fields

    @classmethod
    def flag(cls, name: str) -> str:
        """The flag of a setting."""
        return f"--{_extra(cls.model_fields[name])['flag'] or name.replace('_', '-')}"

    @classmethod
    def metavar(cls, name: str) -> str:
        """What stands for the value of a setting in the help."""
        return str(_extra(cls.model_fields[name])["metavar"])

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Settings from flags, then from the environment, then the defaults.

        :class:`InvalidSetting` names the flag or the variable at fault.
        """
        flags = {name: given[name] for name in cls.model_fields if given.get(name) is not None}
        try:
            return cls(**flags)
        except ValidationError as error:
            [first, *_] = error.errors(include_url=False)
            name, value = str(first["loc"][0]), first["input"]
            variable = f"{PREFIX}{name.upper()}"
            from_environment = name not in flags and variable in os.environ
            where = f"{variable}={value}" if from_environment else f"{cls.flag(name)} {value or '(missing)'}"
            raise InvalidSetting(f"{where}: {_explained(first)}") from None


def _extra(field: FieldInfo) -> dict[str, Any]:
    assert isinstance(field.json_schema_extra, dict)
    return field.json_schema_extra


def _explained(error: Mapping[str, Any]) -> str:
    """What is wrong with a value, in a few words."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "greater_than_equal":
        return f"must be at least {context['ge']:g}"
    if kind == "less_than_equal":
        return f"must be at most {context['le']:g}"
    if kind == "literal_error":
        return f"must be {context['expected']}".replace("'", "")
    if kind == "value_error":
        return str(context["error"])
    expected = {"int": "a whole number", "float": "a number", "bool": "yes or no"}.get(kind.partition("_")[0])
    return str(error["msg"]) if expected is None else f"must be {expected}"


def _several(value: Any) -> Any:
    """The values of a setting that may be given several times."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(SEPARATOR) if part.strip())
    return value


_AGENTS_HELP = "a trained agent, or any other player, that clients may choose as a level: robin=q,path=runs/q-3x3-s0"

Agents = Annotated[tuple[str, ...], NoDecode]


def _checked_agents(agents: tuple[str, ...]) -> tuple[str, ...]:
    for agent in agents:
        if SEPARATOR in agent:
            raise ValueError(f"cannot contain a {SEPARATOR}")
    return agents


class WorkerSettings(_CommandSettings):
    """How an AI worker runs."""

    bus: str = _setting("", "the NATS server that the servers use, as nats://…", "URL")
    agents: Agents = _setting(
        (), "an agent that the servers have; may be given several times (environment: ; between)", "NAME=SPEC", "agent"
    )
    threads: int = _setting(os.cpu_count() or 1, "tasks to do at once (default: one for each core)", ge=1)

    _split_agents = field_validator("agents", mode="before")(_several)
    _check_agents = field_validator("agents")(_checked_agents)

    @field_validator("bus")
    @classmethod
    def _check_bus(cls, bus: str) -> str:
        if not bus.startswith(("nats://", "tls://")):
            raise ValueError("must begin with nats://")
        return bus


class Settings(_CommandSettings):
    """How a server runs."""

    host: str = _setting("127.0.0.1", "the address to listen on; 0.0.0.0 for every one", "ADDRESS")
    port: int = _setting(8000, "the port to listen on; 0 picks a free one", "PORT", ge=0, le=65535)
    metrics: str = _setting(
        "", "the address to serve /metrics at, for Prometheus, e.g. 127.0.0.1:9400 (default: nowhere)", "ADDRESS:PORT"
    )
    database: str = _setting(
        "", "an SQLite file or postgresql://… (default: games.db in your data directory)", "FILE|URL"
    )
    database_seconds: float = _setting(
        2.5, "the longest that the database may take to answer; then clients get 503", "SECONDS", ge=0.1
    )
    bus: str = _setting("", "nats://… to connect several servers and AI workers", "URL")
    workers: int = _setting(1, "server processes on this machine", ge=1)
    ai_threads: int = _setting(
        2, "AI moves at once in each process; 0 leaves them, and analyses, to noughts worker", ge=0
    )
    analysis_threads: int = _setting(
        1, "hints, analyses and reviews at once in each process; 0 leaves them to noughts worker", ge=0
    )
    ai_seconds: float = _setting(2.0, "the longest an AI move may take", "SECONDS", ge=0.01)
    analysis_seconds: float = _setting(5.0, "the longest a hint, an analysis or a review may take", "SECONDS", ge=0.01)
    agents: Agents = _setting(
        (), f"{_AGENTS_HELP}; may be given several times (environment: ; between)", "NAME=SPEC", "agent"
    )
    ai_queue: int = _setting(
        64, "AI moves that may wait, and as many analyses, before clients are told to come back", ge=1
    )
    largest_side: int = _setting(19, "the longest side of a board", ge=3)
    largest_layers: int = _setting(5, "the longest side of a board with layers", ge=2)
    rate: float = _setting(50.0, "requests per second a client may make, in the long run; 0 for no limit", ge=0)
    burst: int = _setting(200, "requests a client may make at once", ge=1)
    connections: int = _setting(100, "live streams a client may have open at once; 0 for no limit", ge=0)
    sockets: int = _setting(
        0, "connections of any kind open at once in each process; 0 for as many as there are descriptors", ge=0
    )
    client_sockets: int = _setting(256, "connections a client may have open at once; 0 for no limit", ge=0)
    header_seconds: float = _setting(10.0, "the longest that the headers of a request may take", "SECONDS", ge=0.01)
    body_seconds: float = _setting(20.0, "the longest that the body of a request may take", "SECONDS", ge=0.01)
    idle_seconds: float = _setting(30.0, "seconds until a connection without a request is closed", "SECONDS", ge=0.01)
    reader_seconds: float = _setting(
        30.0, "seconds until a client that does not read its answer is cut off", "SECONDS", ge=0.01
    )
    largest_body: int = _setting(16_384, "the longest request, in bytes", "BYTES", ge=256)
    session_days: float = _setting(90.0, "days after which an unused session expires", "DAYS", ge=0.001)
    expire_days: float = _setting(
        90.0, "days after which a game that nobody finished or looked at is deleted; 0 for never", "DAYS", ge=0
    )
    max_games: int = _setting(1_000_000, "games to keep; no more are started then (0: no limit)", ge=0)
    games_per_day: int = _setting(500, "games that a client address may start in a day; 0 for no limit", ge=0)
    hosts: str = _setting(
        "",
        "names that this server goes by, e.g. play.example,*.play.example; * for any "
        "(default: on a loopback address without --proxies its own names, else any)",
        "NAMES",
    )
    origins: str = _setting(
        "", "other origins whose pages may use this server (CORS), e.g. https://play.example, with commas", "ORIGINS"
    )
    proxies: str = _setting("", "addresses of reverse proxies whose X-Forwarded-For counts, with commas", "ADDRESSES")
    secure_cookies: bool = _setting(False, "send cookies over HTTPS only; for servers behind TLS", "")
    cached_games: int = _setting(10_000, "games kept in memory in each process", ge=1)
    heartbeat: float = _setting(15.0, "seconds between two heartbeats of a live stream", "SECONDS", ge=0.1)
    poll: float = _setting(2.0, "seconds between two looks for what the bus may have lost", "SECONDS", ge=0.05)
    otlp: str = _setting(
        "", "send traces to this OpenTelemetry collector, e.g. http://127.0.0.1:4318; needs noughts[telemetry]", "URL"
    )
    page: str = _setting("", "a directory with the built page (default: the one that came with noughts)", "DIRECTORY")
    log: Literal["debug", "info", "warning", "error"] = _setting(
        "info", "what to log, as JSON lines: debug, info, warning or error", "LEVEL"
    )

    _split_agents = field_validator("agents", mode="before")(_several)
    _check_agents = field_validator("agents")(_checked_agents)

    @field_validator("bus")
    @classmethod
    def _check_bus(cls, bus: str) -> str:
        if bus and not bus.startswith(("nats://", "tls://")):
            raise ValueError("must begin with nats://")
        return bus

    @field_validator("otlp")
    @classmethod
    def _check_otlp(cls, otlp: str) -> str:
        if otlp and not otlp.startswith(("http://", "https://")):
            raise ValueError("must begin with http:// or https://")
        return otlp

    @field_validator("origins")
    @classmethod
    def _check_origins(cls, origins: str) -> str:
        for origin in split(origins):
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{origin} must be like https://play.example, without a path")
        return origins

    @field_validator("metrics")
    @classmethod
    def _check_metrics(cls, metrics: str) -> str:
        host, _, port = metrics.rpartition(":")
        if metrics and not (host and port.isdecimal() and int(port) < 1 << 16):
            raise ValueError("must be an address and a port, e.g. 127.0.0.1:9400; port 0 picks a free one")
        return metrics

    @field_validator("hosts")
    @classmethod
    def _check_hosts(cls, hosts: str) -> str:
        for host in split(hosts):
            if host != "*" and not _HOST.fullmatch(host):
                raise ValueError(f"{host} must be like play.example or *.play.example, without a port")
        return hosts

    @field_validator("database")
    @classmethod
    def _check_database(cls, database: str) -> str:
        """A path or the URL of a PostgreSQL database."""
        if "://" in database and not database.startswith(("postgresql://", "postgres://", "sqlite:///")):
            raise ValueError("must be a file, sqlite:///file or postgresql://…")
        path = database.removeprefix("sqlite:///")
        if path == ":memory:" or (database and not path):
            raise ValueError(
                "games are kept in a file, e.g. games.db or sqlite:///games.db; "
                "leave it out for the one in your data directory"
            )
        return path or default_database()

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is a file."""
        return not self.database.startswith(("postgresql://", "postgres://"))

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Where the metrics are served, if anywhere."""
        host, _, port = self.metrics.rpartition(":")
        return (host, int(port)) if host else None

    @property
    def allowed_origins(self) -> list[str]:
        """The other origins whose pages may use this server."""
        return split(self.origins)

    def environment(self) -> dict[str, str]:
        """The same settings as environment variables, for the processes of one server."""
        return {
            f"{PREFIX}{name.upper()}": SEPARATOR.join(value) if isinstance(value, tuple) else str(value)
            for name, value in self
        }


def split(text: str) -> list[str]:
    """The parts of a setting that has commas between them."""
    return [part.strip() for part in text.split(",") if part.strip()]
