"""Guest sessions: a random token that only its holder knows; the server keeps a hash of it."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from typing import Final

from noughts.server.storage.database import SessionRow
from noughts.server.storage.writer import Store

__all__ = ["COOKIE", "Sessions", "bearer_or_cookie"]

COOKIE: Final = "noughts_session"
KNOWN: Final = 50_000
TRUSTED_SECONDS: Final = 10.0
"""How long a session found in the store is believed without asking again."""


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def bearer_or_cookie(headers: dict[bytes, bytes]) -> str | None:
    """The token a request carries: as a bearer, else in the cookie."""
    given = headers.get(b"authorization")
    if given is not None:
        scheme, _, token = given.decode("latin-1").partition(" ")
        return token.strip() if scheme.lower() == "bearer" else None
    kept = headers.get(b"cookie")
    if kept is None:
        return None
    for part in kept.decode("latin-1").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return None


class Sessions:
    """All guest sessions, those seen lately in memory."""

    def __init__(self, store: Store, days: float) -> None:
        self.store = store
        self.seconds = days * 86_400
        self._known: OrderedDict[str, tuple[SessionRow, float]] = OrderedDict()

    async def begin(self, name: str) -> tuple[str, SessionRow]:
        """A new session and its token, which is not kept."""
        token = secrets.token_urlsafe(32)
        row = SessionRow(_hash(token), secrets.token_urlsafe(12), name, time.time() + self.seconds)
        await self.store.write(lambda database: database.put_session(row))
        self._remember(row)
        return token, row

    async def find(self, token: str | None) -> SessionRow | None:
        """The session of a token, if it has not ended; one that is used lives on."""
        if not token or len(token) > 100:
            return None
        hash, now = _hash(token), time.time()
        known = self._known.get(hash)
        if known is not None and known[1] > now and known[0].expires > now:
            return known[0]
        row = await self.store.read(lambda database: database.session(hash))
        if row is None or row.expires <= now:
            self._known.pop(hash, None)
            return None
        if row.expires - now < self.seconds * 0.9:
            row = SessionRow(row.hash, row.id, row.name, now + self.seconds)
            lengthened = row
            await self.store.write(lambda database: database.put_session(lengthened))
        self._remember(row)
        return row

    async def rename(self, row: SessionRow, name: str) -> SessionRow:
        """Give a session another name."""
        renamed = SessionRow(row.hash, row.id, name, row.expires)
        await self.store.write(lambda database: database.put_session(renamed))
        self._remember(renamed)
        return renamed

    async def end(self, row: SessionRow) -> None:
        """Forget a session."""
        await self.store.write(lambda database: database.drop_session(row.hash))
        self._known.pop(row.hash, None)

    def _remember(self, row: SessionRow) -> None:
        self._known[row.hash] = (row, time.time() + TRUSTED_SECONDS)
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)
