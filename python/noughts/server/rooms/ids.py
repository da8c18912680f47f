"""Ids of games: one that lets its holder play, and one that only watches."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Final

from noughts.server.errors import Refused

__all__ = ["WATCH_PREFIX", "digest", "is_watch_id", "new_ids"]

WATCH_PREFIX: Final = "w-"
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def new_ids() -> tuple[str, str]:
    """A new game id and its watch id, 128 random bits each."""
    return "g" + secrets.token_urlsafe(16), WATCH_PREFIX + secrets.token_urlsafe(16)


def is_watch_id(id: str) -> bool:
    """Whether an id only watches; refuses text that is no id at all."""
    if not _ID.fullmatch(id):
        raise Refused("game_not_found", "no game has this id")
    return id.startswith(WATCH_PREFIX)


def digest(game: str) -> str:
    """A name for a game that does not reveal its id, for logs and the bus."""
    return hashlib.blake2b(game.encode(), digest_size=12).hexdigest()
