"""The routes of the page and its interface for programs; thin, for views do the work."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import Body, FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, StreamingResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from kibitz import __version__
from kibitz.errors import InputError, KibitzError
from kibitz.render import export, play_through
from kibitz.strategy import shipped_names, shipped_text
from kibitz.web import puzzling, strategies, views
from kibitz.web.guard import ErrorView, Guard, error_view
from kibitz.web.jobs import Job, Jobs, JobView
from kibitz.web.reference import reference_page
from kibitz.web.sessions import MOST_RULES, Allowance, Session, Sessions

__all__ = ["make_app"]

STATIC = Path(__file__).parent / "static"

LineQuery = Annotated[
    str, Query(max_length=8000, description="Numbers of joint moves, such as 4.0.7.")
]
RoleName = Annotated[str, Field(max_length=200)]
StrategyText = Annotated[str, Field(max_length=strategies.MOST_STRATEGY)]
LineText = Annotated[str, Field(max_length=8000)]


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """The one shape of all errors."""

    error: ErrorView


class Rules(BaseModel):
    """A rule sheet."""

    text: str = Field(max_length=MOST_RULES)
    name: str = Field("pasted", max_length=60, pattern=r"^[\w .:,+-]{1,60}$")


class Reply(BaseModel):
    """Who shall play a role in a position."""

    line: LineText = ""
    role: RoleName
    opponent: Literal["perfect", "random", "depth", "strategy"] = "perfect"
    depth: int = Field(1, ge=1, le=12)
    strategy: StrategyText = ""
    rules: int | None = Field(None, ge=1, le=150)
    seed: int = Field(0, ge=0, le=2**31)


class Beside(BaseModel):
    """A strategy beside a position."""

    text: StrategyText = ""
    role: RoleName | None = None
    line: LineText = ""


class LiteralPart(BaseModel):
    """A fluent in KIF, and whether it must hold."""

    fluent: str = Field(max_length=500)
    holds: bool = True


class NewRule(BaseModel):
    """A rule by its parts."""

    literals: list[LiteralPart] = Field(default_factory=list, max_length=100)
    moves: list[Annotated[str, Field(max_length=500)]] = Field(max_length=50)


class Pair(BaseModel):
    """Two strategies to compare."""

    text: StrategyText
    other: StrategyText
    role: RoleName | None = None


class SolveWork(BaseModel):
    """Solve the game."""

    kind: Literal["solve"]


class ListWork(BaseModel):
    """Complete a rule list by synthesis, or simplify it."""

    kind: Literal["complete", "simplify"]
    text: StrategyText = ""
    role: RoleName
    seconds: float = Field(10, ge=0.5, le=60)


class PuzzleWork(BaseModel):
    """Find puzzles."""

    kind: Literal["puzzles"]
    role: RoleName
    win_in: int = Field(1, ge=0, le=200)
    level: Literal["easy", "medium", "hard"] | None = None
    k1: str = Field("1", max_length=60)
    k2: str = Field("3", max_length=60)
    count: int = Field(10, ge=1, le=100)
    unique: bool = False
    seed: int = Field(1, ge=0, le=2**31)


Work = Annotated[SolveWork | ListWork | PuzzleWork, Body(discriminator="kind")]

_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": told}
    for status, told in (
        (400, "Something in the request cannot be used"),
        (403, "Another host or origin"),
        (404, "No such game"),
        (409, "The game is not solved"),
        (413, "Too large"),
        (422, "The request, a rule sheet or a strategy has an error"),
        (503, "The budget does not suffice"),
    )
}


def make_app(
    *,
    game: str | None = None,
    hosts: frozenset[str] = frozenset(),
    allowance: Allowance | None = None,
) -> FastAPI:
    """Make the application; it opens and solves `game` at its start.

    >>> make_app().title
    'Kibitz'
    """
    jobs = Jobs()
    sessions = Sessions(jobs, allowance)

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        if game:
            jobs.start("open", game, lambda _report: sessions.solve(sessions.open(game)).id)
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
    app.add_middleware(Guard, hosts=hosts)
    _add_errors(app)
    _add_games(app, sessions)
    _add_strategies(app, sessions)
    _add_jobs(app, sessions, jobs)
    _add_page(app, game)
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
        told = "Kibitz made a mistake; the log of the server has more"
        return answer(500, ErrorView("internal", told))


def _add_games(app: FastAPI, sessions: Sessions) -> None:
    @app.get("/api/games")
    def list_games() -> views.CatalogueView:
        """List the games of the library."""
        return views.catalogue_view()

    @app.post("/api/games")
    def add_game(rules: Rules) -> views.GameView:
        """Open the game that a rule sheet describes, and begin to solve it."""
        session = sessions.add(rules.text, rules.name)
        sessions.solve(session)
        return views.game_view(session)

    @app.post("/api/check")
    def check_rules(rules: Rules) -> views.CheckView:
        """Check a rule sheet."""
        return views.check_view(rules.text)

    @app.get("/api/games/{key}")
    def get_game(key: str) -> views.GameView:
        """Open a game by its name or key, and begin to solve it."""
        session = sessions.open(key)
        sessions.solve(session)
        return views.game_view(session)

    @app.get("/api/games/{key}/position")
    def get_position(
        key: str, line: LineQuery = "", flip: bool = False, values: bool = False, hide: bool = False
    ) -> views.PositionView:
        """Give a position: its board, moves, and what they are worth unless hidden."""
        session = sessions.open(key)
        return views.position_view(
            session, session.walk(line), flip=flip, values=values and not hide, worths=not hide
        )

    @app.get("/api/games/{key}/timeline")
    def get_timeline(key: str, line: LineQuery = "") -> views.TimelineView:
        """Give what every position of a line is worth."""
        session = sessions.open(key)
        return views.timeline_view(session, session.walk(line))

    @app.get("/api/games/{key}/why")
    def get_why(
        key: str, move: Annotated[int, Query(ge=0, le=10**12)], line: LineQuery = ""
    ) -> views.WhyView:
        """Say why a joint move is right or wrong, by its number."""
        session = sessions.open(key)
        return views.why_view(session, session.walk(line), move)

    @app.get("/api/games/{key}/hint")
    def get_hint(
        key: str, step: Annotated[int, Query(ge=1, le=3)] = 1, line: LineQuery = ""
    ) -> views.HintView:
        """Give a hint, a little more with each step."""
        session = sessions.open(key)
        return views.hint_view(session, session.walk(line), step)

    @app.post("/api/games/{key}/reply")
    def post_reply(key: str, wish: Reply) -> puzzling.ReplyView:
        """Let a player of some kind choose a move."""
        session = sessions.open(key)
        return puzzling.reply(
            session,
            session.walk(wish.line),
            wish.role,
            opponent=wish.opponent,
            depth=wish.depth,
            strategy=wish.strategy,
            rules=wish.rules,
            seed=wish.seed,
        )

    @app.get("/api/games/{key}/export", response_class=Response)
    def get_export(
        key: str,
        form: Literal["svg", "png", "tex", "html", "md", "txt", "json"] = "svg",
        line: LineQuery = "",
    ) -> Response:
        """Give a position or a match as a file."""
        session = sessions.open(key)
        went = session.walk(line)
        moments = play_through(session.game, went.joints)
        found = export(moments, form, session.layout)
        kind = {"svg": "image/svg+xml", "png": "image/png", "json": "application/json"}
        return Response(
            found,
            media_type=kind.get(form, "text/plain; charset=utf-8"),
            headers={"content-disposition": f'attachment; filename="position.{form}"'},
        )


def _add_strategies(app: FastAPI, sessions: Sessions) -> None:
    @app.get("/api/strategies")
    def list_strategies() -> dict[str, str]:
        """Give the strategies that come with Kibitz, by name."""
        return {name: shipped_text(name) for name in shipped_names()}

    @app.post("/api/games/{key}/strategy")
    def post_strategy(key: str, beside: Beside) -> strategies.StrategyView:
        """Read and check a strategy, and say what it does in a position."""
        session = sessions.open(key)
        return strategies.strategy_view(
            session, beside.text, beside.role, session.walk(beside.line)
        )

    @app.post("/api/games/{key}/strategy/rule")
    def post_rule(key: str, rule: NewRule) -> strategies.RuleText:
        """Write a rule from literals and moves."""
        literals = [(part.fluent, part.holds) for part in rule.literals]
        return strategies.write_rule_view(sessions.open(key), literals, rule.moves)

    @app.post("/api/games/{key}/strategy/suggest")
    def post_suggest(key: str, beside: Beside) -> strategies.RuleText:
        """Find a rule for a position that is right wherever it applies."""
        session = sessions.open(key)
        role = beside.role or session.game.roles[0]
        return strategies.suggest_view(session, role, session.walk(beside.line))

    @app.post("/api/games/{key}/strategy/compare")
    def post_compare(key: str, pair: Pair) -> strategies.CompareView:
        """Say where two strategies choose differently."""
        return strategies.compare_view(sessions.open(key), pair.text, pair.other, pair.role)


def _add_jobs(app: FastAPI, sessions: Sessions, jobs: Jobs) -> None:
    @app.post("/api/games/{key}/jobs")
    def post_job(key: str, work: Work) -> JobView:
        """Begin long work."""
        return _start(sessions, jobs, sessions.open(key), work).view()

    @app.get("/api/jobs/{job}")
    def get_job(job: str) -> JobView:
        """Say how far a job is."""
        return jobs.find(job).view()

    @app.delete("/api/jobs/{job}")
    def cancel_job(job: str) -> JobView:
        """Cancel a job."""
        found = jobs.find(job)
        found.cancel()
        return found.view()

    @app.get("/api/jobs/{job}/events", response_class=StreamingResponse)
    def watch_job(job: str) -> StreamingResponse:
        """Stream the job as it changes, as server-sent events."""
        found = jobs.find(job)

        def events() -> Iterator[str]:
            for view in found.changes():
                data = json.dumps(view, default=asdict) if view else ""
                yield f"data: {data}\n\n" if view else ": still there\n\n"

        return StreamingResponse(
            events(), media_type="text/event-stream", headers={"cache-control": "no-store"}
        )


def _start(sessions: Sessions, jobs: Jobs, session: Session, work: BaseModel) -> Job:
    match work:
        case SolveWork():
            return sessions.solve(session)
        case ListWork(kind="complete"):
            session.need_solution()
            return jobs.start(
                "complete",
                session.key,
                lambda report: strategies.complete(
                    session, work.text, work.role, work.seconds, report
                ),
            )
        case ListWork():
            session.need_solution()
            return jobs.start(
                "simplify",
                session.key,
                lambda report: strategies.simplify(session, work.text, work.role, report),
            )
        case PuzzleWork():
            session.need_solution()
            wish = puzzling.PuzzleWish(
                work.role,
                work.win_in,
                work.level,
                work.k1,
                work.k2,
                work.count,
                work.unique,
                work.seed,
            )
            return jobs.start(
                "puzzles", session.key, lambda report: puzzling.make_puzzles(session, wish, report)
            )
    raise InputError("no such work")


def _add_page(app: FastAPI, game: str | None) -> None:
    index = (STATIC / "index.html").read_text("utf-8")
    start = json.dumps(game or "tictactoe").replace('"', "&quot;").replace("<", "&lt;")
    page = index.replace("{{start}}", start)

    @app.get("/", response_class=HTMLResponse, include_in_schema=False)
    def _page() -> HTMLResponse:
        return HTMLResponse(page, headers={"cache-control": "no-cache"})

    @app.get("/docs", response_class=HTMLResponse, include_in_schema=False)
    def _docs() -> HTMLResponse:
        return HTMLResponse(reference_page(app.openapi()))

    @app.get("/favicon.ico", include_in_schema=False)
    def _icon() -> Response:
        return Response(status_code=204)

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
