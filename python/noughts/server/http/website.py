"""The page: the built files of the web client, and its front page for every other address."""

from __future__ import annotations

from pathlib import Path

import orjson
from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

from noughts.server.http.apidocs import STYLE, api_page
from noughts.server.http.dependencies import CurrentService
from noughts.server.http.methods import Methods
from noughts.server.settings import Settings

__all__ = ["add_page", "page_directory"]

ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
"""Encodings by preference; the build writes every text file in each of them."""

TYPES = {".webmanifest": "application/manifest+json"}
"""Media types that the system may not know."""


NOT_BUILT = """\
<!doctype html><html lang="en"><meta charset="utf-8"><title>noughts</title>
<h1>noughts</h1>
<p>The server runs, but the page is not built: <code>make web</code> in the sources builds it, then start again.</p>
<p><a href="/docs">The documentation of the API</a> works all the same.</p>
"""


def page_directory(settings: Settings) -> Path | None:
    """Where the built page is, if there is one."""
    folder = Path(settings.page) if settings.page else Path(__file__).parents[1] / "page"
    return folder if (folder / "index.html").is_file() else None


def add_page(app: FastAPI, settings: Settings, methods: Methods) -> None:
    """Serve the documentation of the API and the page: its files, and its front page for every other address."""

    @app.get("/openapi.json", include_in_schema=False)
    async def document(service: CurrentService) -> Response:
        """The description of the API for programs."""
        text = await service.written("openapi", lambda: orjson.dumps(app.openapi()))
        return Response(text, media_type="application/json")

    @app.get("/docs", include_in_schema=False)
    async def docs(service: CurrentService) -> Response:
        """The documentation of the API."""
        text = await service.written("docs", lambda: api_page(app.openapi()).encode())
        return Response(text, media_type="text/html; charset=utf-8")

    @app.get("/docs/style.css", include_in_schema=False)
    async def style(request: Request) -> Response:
        """The style sheet of the documentation."""
        return Response(STYLE, media_type="text/css")

    folder = page_directory(settings)
    files = None if folder is None else StaticFiles(directory=folder)

    @app.get("/{path:path}", include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        """A file of the page, or its front page."""
        if methods.of(f"/{path}"):
            # There is such a path, but not for GET.
            raise HTTPException(405)
        if files is None:
            if "text/html" not in request.headers.get("accept", ""):
                raise HTTPException(404)
            return Response(NOT_BUILT, 404, media_type="text/html; charset=utf-8")
        found = path or "index.html"
        try:
            response = await _file(files, request, found)
        except HTTPException as error:
            if error.status_code != 404 or "text/html" not in request.headers.get("accept", ""):
                raise
            found = "index.html"
            response = await _file(files, request, found)
        # The names of assets change with their contents; everything else is asked for again.
        lasts = found.startswith("assets/")
        response.headers["cache-control"] = "public, max-age=31536000, immutable" if lasts else "no-cache"
        return response


async def _file(files: StaticFiles, request: Request, path: str) -> Response:
    """A file in the best encoding that the browser takes."""
    accepted = {part.partition(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    plain = await files.get_response(path, request.scope)
    for name, ending in ENCODINGS:
        if name not in accepted or not isinstance(plain, FileResponse):
            continue
        try:
            small = await files.get_response(path + ending, request.scope)
        except HTTPException:
            continue
        small.headers["content-encoding"] = name
        small.headers["content-type"] = TYPES.get(Path(path).suffix) or plain.headers["content-type"]
        small.headers["vary"] = "accept-encoding"
        return small
    if Path(path).suffix in TYPES:
        plain.headers["content-type"] = TYPES[Path(path).suffix]
    return plain
