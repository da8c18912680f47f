"""Which methods a path is for."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

__all__ = ["Methods"]


class Methods:
    """The methods of every path, as the routes say."""

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        self._routes = [(route.path_regex, route.methods or set()) for route in routes if isinstance(route, APIRoute)]

    def of(self, path: str) -> list[str]:
        """The methods that a path is for, sorted; none if no route has it."""
        found: set[str] = set()
        for pattern, methods in self._routes:
            if pattern.match(path):
                found |= methods
        if "GET" in found:
            found.add("HEAD")
        return sorted(found)
