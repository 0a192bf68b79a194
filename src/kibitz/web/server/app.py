"""Assemble the application: routes, errors, the page and that of its interface."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from kibitz import __version__
from kibitz.errors import KibitzError
from kibitz.pages import THEME_CSS, write_page
from kibitz.web.server.jobs import MEMORY, Jobs
from kibitz.web.server.request_guard import ErrorView, Guard, error_view
from kibitz.web.server.requests import ErrorAnswer
from kibitz.web.server.routes import add_games, add_jobs, add_strategies
from kibitz.web.session.sessions import CLASSROOM, Allowance, Sessions


def reference_page(schema: dict[str, Any]) -> str:
    """List every request of the interface, what it takes and what it returns.

    >>> "<h1>" in reference_page({"info": {"title": "T", "version": "1"}, "paths": {}})
    True
    """
    return write_page("interface", schema=schema)


STATIC = Path(__file__).parent.parent / "static"

_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": description}
    for status, description in (
        (400, "Something in the request cannot be used"),
        (403, "Another host or origin"),
        (404, "No such game"),
        (409, "The game is not solved"),
        (413, "Too large"),
        (422, "The request, a rule sheet or a strategy has an error"),
        (429, "Too many requests at once, where the page is read only"),
        (503, "The budget is too small"),
    )
}


def make_app(
    *,
    game: str | None = None,
    hosts: frozenset[str] = frozenset(),
    allowance: Allowance | None = None,
    is_read_only: bool = False,
    as_gdl1: bool = False,
    memory: float = math.inf,
) -> FastAPI:
    """Make the application; it opens and solves `game` at its start.

    It and its children keep to `memory` bytes together. One that `is_read_only` takes no rules of
    visitors, and gives each of them less.

    >>> make_app().title
    'Kibitz'
    """
    MEMORY.bound = memory
    jobs = Jobs(each=3) if is_read_only else Jobs()
    sessions = Sessions(jobs, allowance or (CLASSROOM if is_read_only else None), as_gdl1=as_gdl1)

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        if game:
            jobs.start("open", game, lambda _job: sessions.solve(sessions.open(game)).id)
        yield
        jobs.close()

    app = FastAPI(
        title="Kibitz",
        version=__version__,
        description="Games from their rules: positions, values, strategies, puzzles.",
        docs_url=None,
        redoc_url=None,
        lifespan=life,
        responses=_ERRORS,
    )
    app.state.sessions, app.state.jobs = sessions, jobs
    app.add_middleware(Guard, hosts=hosts, is_read_only=is_read_only)
    _add_errors(app)
    add_games(app, sessions)
    add_strategies(app, sessions)
    add_jobs(app, sessions, jobs)
    _add_page(app, game, is_read_only=is_read_only)
    return app


def _add_errors(app: FastAPI) -> None:
    def answer(status: int, view: ErrorView) -> JSONResponse:
        return JSONResponse({"error": asdict(view)}, status)

    @app.exception_handler(KibitzError)
    def _kibitz(_request: Request, error: KibitzError) -> JSONResponse:
        return answer(*error_view(error))

    @app.exception_handler(RequestValidationError)
    def _invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return answer(422, ErrorView("request", f"{where}: {first['msg']}"))

    @app.exception_handler(HTTPException)
    def _http(_request: Request, error: HTTPException) -> JSONResponse:
        found = answer(error.status_code, ErrorView("http", str(error.detail)))
        found.headers.update(error.headers or {})
        return found

    @app.exception_handler(Exception)
    def _mistake(_request: Request, _error: Exception) -> JSONResponse:
        message = "Kibitz made a mistake; the log of the server has more"
        return answer(500, ErrorView("internal", message))


def _add_page(app: FastAPI, game: str | None, *, is_read_only: bool) -> None:
    index = (STATIC / "index.html").read_text("utf-8")
    start = json.dumps(game or "").replace('"', "&quot;").replace("<", "&lt;")
    page = index.replace("{{start}}", start)
    if is_read_only:
        page = page.replace("<body ", "<body data-read-only ", 1)
    shown = partial(
        app.api_route, methods=["GET", "HEAD"], response_class=HTMLResponse, include_in_schema=False
    )

    @app.api_route(
        "/", methods=["GET", "HEAD"], response_class=HTMLResponse, include_in_schema=False
    )
    def _page() -> HTMLResponse:
        return HTMLResponse(page, headers={"cache-control": "no-cache"})

    @shown("/docs")
    def _docs() -> HTMLResponse:
        return HTMLResponse(reference_page(app.openapi()))

    @app.get("/favicon.ico", include_in_schema=False)
    def _icon() -> Response:
        return Response(status_code=204)

    @app.get("/static/theme.css", include_in_schema=False)
    def _theme() -> FileResponse:
        return FileResponse(THEME_CSS, media_type="text/css")

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
