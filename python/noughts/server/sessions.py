"""Guest sessions: a random token that only its holder knows; the server stores a hash of it."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from noughts.server.storage.database import SessionRow
from noughts.server.storage.storage import Storage

__all__ = ["COOKIE", "Sessions", "read_token"]

COOKIE: Final = "noughts_session"
MAX_CACHED_SESSIONS: Final = 50_000
MAX_TOKEN_LENGTH: Final = 100

CACHE_SECONDS: Final = 10.0
"""How long a session that was read from the database counts without being read again."""


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def read_token(headers: dict[bytes, bytes]) -> str | None:
    """The token of a request: from the Authorization header, else from the cookie."""
    authorization = headers.get(b"authorization")
    if authorization is not None:
        scheme, _, token = authorization.decode("latin-1").partition(" ")
        return token.strip() if scheme.lower() == "bearer" else None
    cookies = headers.get(b"cookie")
    if cookies is None:
        return None
    for part in cookies.decode("latin-1").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return None


class Sessions:
    """All guest sessions; those used recently are cached. ``clock`` is the one by which they expire."""

    def __init__(self, storage: Storage, days: float, clock: Callable[[], float]) -> None:
        self.storage = storage
        self.seconds = days * 86_400
        self.clock = clock
        self._cache: OrderedDict[str, tuple[SessionRow, float]] = OrderedDict()

    async def start(self, name: str) -> tuple[str, SessionRow]:
        """A new session and its token, which is not stored."""
        token = secrets.token_urlsafe(32)
        now = self.clock()
        row = SessionRow(_hash(token), secrets.token_urlsafe(12), name, now + self.seconds)
        await self.storage.write(lambda database: database.put_session(row, now))
        self._remember(row)
        return token, row

    async def find(self, token: str | None) -> SessionRow | None:
        """The session of a token, if it has not expired; using it puts its expiry off."""
        if not token or len(token) > MAX_TOKEN_LENGTH:
            return None
        hash, now = _hash(token), self.clock()
        cached = self._cache.get(hash)
        if cached is not None and cached[1] > now and cached[0].expires > now:
            return cached[0]
        row = await self.storage.read(lambda database: database.session(hash))
        if row is None or row.expires <= now:
            self._cache.pop(hash, None)
            return None
        if row.expires - now < self.seconds * 0.9:
            row = SessionRow(row.hash, row.id, row.name, now + self.seconds)
            extended = row
            await self.storage.write(lambda database: database.put_session(extended, now))
        self._remember(row)
        return row

    async def rename(self, row: SessionRow, name: str) -> SessionRow:
        """Give a session another name."""
        renamed = SessionRow(row.hash, row.id, name, row.expires)
        await self.storage.write(lambda database: database.put_session(renamed, self.clock()))
        self._remember(renamed)
        return renamed

    async def end(self, row: SessionRow) -> None:
        """Delete a session."""
        await self.storage.write(lambda database: database.drop_session(row.hash))
        self._cache.pop(row.hash, None)

    def _remember(self, row: SessionRow) -> None:
        self._cache[row.hash] = (row, self.clock() + CACHE_SECONDS)
        if len(self._cache) > MAX_CACHED_SESSIONS:
            self._cache.popitem(last=False)
