"""The page: the built files of the web client, and the manual of the API."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

from noughts.server.manual import STYLE, manual
from noughts.server.settings import Settings

__all__ = ["add_page", "page_directory"]


def page_directory(settings: Settings) -> Path | None:
    """Where the built page is, if there is one."""
    folder = Path(settings.page) if settings.page else Path(__file__).with_name("page")
    return folder if (folder / "index.html").is_file() else None


def add_page(app: FastAPI, settings: Settings) -> None:
    """Serve the manual, and the page: its files, and its front page for every other address a browser opens."""

    @app.get("/docs", include_in_schema=False)
    async def docs(request: Request) -> Response:
        """The manual of the API."""
        return Response(manual(app.openapi()), media_type="text/html; charset=utf-8")

    @app.get("/docs/manual.css", include_in_schema=False)
    async def style(request: Request) -> Response:
        """How the manual looks."""
        return Response(STYLE, media_type="text/css")

    folder = page_directory(settings)
    if folder is None:
        return
    files = StaticFiles(directory=folder)

    @app.get("/{path:path}", include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        """A file of the page, or its front page."""
        if path:
            try:
                found = await files.get_response(path, request.scope)
                if path.startswith("assets/"):
                    # Their names change with their contents.
                    found.headers["cache-control"] = "public, max-age=31536000, immutable"
                return found
            except HTTPException as error:
                if error.status_code != 404 or "text/html" not in request.headers.get("accept", ""):
                    raise
        return FileResponse(folder / "index.html", headers={"cache-control": "no-cache"})
