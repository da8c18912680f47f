"""Ids of games: one that lets its holder play, and one that only watches."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from typing import Final

from noughts.server.errors import Refused

__all__ = ["WATCH_PREFIX", "digest", "is_watch_id", "keyed_ids", "new_ids"]

WATCH_PREFIX: Final = "w-"
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def new_ids() -> tuple[str, str]:
    """A new game id and its watch id, 128 random bits each."""
    return "g" + secrets.token_urlsafe(16), WATCH_PREFIX + secrets.token_urlsafe(16)


def keyed_ids(*secrets_of_client: str) -> tuple[str, str]:
    """The game id that belongs to what only the client knows, the same every time, and a new watch id."""
    text = "\0".join(secrets_of_client).encode()
    made = hashlib.blake2b(text, digest_size=16, person=b"noughts game id").digest()
    return "g" + base64.urlsafe_b64encode(made).decode().rstrip("="), new_ids()[1]


def is_watch_id(id: str) -> bool:
    """Whether an id only watches; refuses text that is no id at all."""
    if not _ID.fullmatch(id):
        raise Refused("game_not_found", "no game has this id")
    return id.startswith(WATCH_PREFIX)


def digest(game: str) -> str:
    """A name for a game that does not reveal its id, for logs and the bus."""
    return hashlib.blake2b(game.encode(), digest_size=12).hexdigest()
