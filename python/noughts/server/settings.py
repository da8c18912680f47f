"""Every setting of the server: a flag of ``noughts serve``, or ``NOUGHTS_…`` in the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from noughts.errors import NoughtsError

__all__ = ["InvalidSetting", "Settings", "default_database"]


class InvalidSetting(NoughtsError, ValueError):
    """A setting with a value it cannot have."""

    code = "invalid_setting"


def _setting(default: Any, help: str, metavar: str = "N", flag: str = "") -> Any:
    return field(default=default, metadata={"help": help, "metavar": metavar, "flag": flag})


ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#@\s]+")

SEPARATOR = ";"
"""Between the values of one setting in the environment."""


def default_database() -> str:
    """The SQLite file in the user's data directory."""
    import platformdirs

    return str(Path(platformdirs.user_data_dir("noughts", appauthor=False), "games.db"))


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a server runs."""

    host: str = _setting("127.0.0.1", "the address to listen on; 0.0.0.0 for every one", "ADDRESS")
    port: int = _setting(8000, "the port to listen on; 0 picks a free one", "PORT")
    database: str = _setting(
        "", "an SQLite file or postgresql://… (default: games.db in your data directory)", "FILE|URL"
    )
    bus: str = _setting("", "nats://… to join several servers and AI workers", "URL")
    workers: int = _setting(1, "server processes on this machine")
    ai_threads: int = _setting(2, "AI moves and analyses at once in each process; 0 leaves them to noughts worker")
    ai_seconds: float = _setting(2.0, "the longest an AI move may take", "SECONDS")
    analysis_seconds: float = _setting(5.0, "the longest a hint, an analysis or a review may take", "SECONDS")
    agents: tuple[str, ...] = _setting(
        (),
        "a trained agent, or any other player, that clients may choose as a level: robin=q,path=runs/q-3x3-s0; "
        "may be given several times (environment: ; between)",
        "NAME=SPEC",
        flag="agent",
    )
    ai_queue: int = _setting(64, "AI moves and analyses that may wait before clients are told to come back")
    largest_side: int = _setting(19, "the longest side of a board")
    largest_layers: int = _setting(5, "the longest side of a board with layers")
    rate: float = _setting(50.0, "requests per second a client may make, in the long run; 0 for no limit", "N")
    burst: int = _setting(200, "requests a client may make at once")
    connections: int = _setting(100, "live streams a client may hold open at once; 0 for no limit")
    largest_body: int = _setting(16_384, "the longest request, in bytes", "BYTES")
    session_days: float = _setting(90.0, "days after which a session that is not used ends", "DAYS")
    origins: str = _setting(
        "", "other origins whose pages may use this server (CORS), such as https://play.example, with commas", "ORIGINS"
    )
    proxies: str = _setting("", "addresses of reverse proxies whose X-Forwarded-For counts, with commas", "ADDRESSES")
    secure_cookies: bool = _setting(False, "send cookies over HTTPS only; for servers behind TLS", "")
    cached_games: int = _setting(10_000, "games kept in memory in each process")
    heartbeat: float = _setting(15.0, "seconds between two heartbeats of a live stream", "SECONDS")
    poll: float = _setting(2.0, "seconds between two looks for what the bus may have lost", "SECONDS")
    page: str = _setting("", "a directory with the built page (default: the one that came with noughts)", "DIRECTORY")
    log: str = _setting("info", "what to log, as JSON lines: debug, info, warning or error", "LEVEL")

    def __post_init__(self) -> None:
        """Check every value and fill in the database."""
        for name, low in _LOWEST.items():
            if getattr(self, name) < low:
                raise InvalidSetting(f"--{name.replace('_', '-')} {getattr(self, name)}: must be at least {low}")
        if self.port > 65535:
            raise InvalidSetting(f"--port {self.port}: ports go up to 65535")
        if self.log not in ("debug", "info", "warning", "error"):
            raise InvalidSetting(f"--log {self.log}: must be debug, info, warning or error")
        if self.bus and not self.bus.startswith(("nats://", "tls://")):
            raise InvalidSetting(f"--bus {self.bus}: must begin with nats://")
        if "://" in self.database and not self.database.startswith(("postgresql://", "postgres://", "sqlite:///")):
            raise InvalidSetting("--database: must be a file, sqlite:///file or postgresql://…")
        for origin in filter(None, (part.strip() for part in self.origins.split(","))):
            if not ORIGIN.fullmatch(origin):
                raise InvalidSetting(f"--origins {origin}: must be like https://play.example, without a path")
        for agent in self.agents:
            if SEPARATOR in agent:
                raise InvalidSetting(f"--agent {agent}: cannot hold a {SEPARATOR}")
        path = self.database.removeprefix("sqlite:///")
        if path == ":memory:" or (self.database and not path):
            raise InvalidSetting(
                f"--database {self.database}: games are kept in a file, such as games.db or sqlite:///games.db; "
                "leave it out for the one in your data directory"
            )
        object.__setattr__(self, "database", path or default_database())

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is a file."""
        return not self.database.startswith(("postgresql://", "postgres://"))

    def environment(self) -> dict[str, str]:
        """The same settings as environment variables, for the processes of one server."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {
            f"NOUGHTS_{name.upper()}": SEPARATOR.join(value) if isinstance(value, tuple) else str(value)
            for name, value in values.items()
        }

    @classmethod
    def flags(cls) -> list[tuple[str, Any, str, str]]:
        """Name, default, help and metavar of every setting."""
        return [(f.name, f.default, f.metadata["help"], f.metadata["metavar"]) for f in fields(cls)]

    @classmethod
    def flag(cls, name: str) -> str:
        """The flag of a setting."""
        [own] = [f.metadata["flag"] for f in fields(cls) if f.name == name]
        return f"--{own or name.replace('_', '-')}"

    @classmethod
    def read(cls, given: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> Settings:
        """Settings from flags, then from the environment, then from the defaults."""
        environment = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        for name, default, _, _ in cls.flags():
            variable = f"NOUGHTS_{name.upper()}"
            if given.get(name) is not None:
                values[name] = tuple(given[name]) if isinstance(default, tuple) else given[name]
            elif variable in environment:
                values[name] = _converted(variable, environment[variable], type(default))
        return cls(**values)


def _converted(name: str, text: str, kind: type) -> Any:
    if kind is tuple:
        return tuple(part.strip() for part in text.split(SEPARATOR) if part.strip())
    if kind is bool:
        if text.lower() in ("1", "true", "yes", "on"):
            return True
        if text.lower() in ("", "0", "false", "no", "off"):
            return False
        raise InvalidSetting(f"{name}={text}: must be yes or no")
    try:
        return kind(text)
    except ValueError:
        raise InvalidSetting(f"{name}={text}: must be a {'whole ' if kind is int else ''}number") from None


_LOWEST: dict[str, float] = {
    "port": 0, "workers": 1, "ai_threads": 0, "ai_seconds": 0.01, "analysis_seconds": 0.01, "ai_queue": 1,
    "largest_side": 3, "largest_layers": 2, "rate": 0, "burst": 1, "connections": 0, "largest_body": 256,
    "session_days": 0.001, "cached_games": 1, "heartbeat": 0.1, "poll": 0.05,
}  # fmt: skip
