"""The interface for programs: one function for each request; thin, since views do the work."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import FastAPI, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from kibitz.errors import InputError
from kibitz.strategy import shipped_names, shipped_text
from kibitz.web.server import downloads
from kibitz.web.server.jobs import Job, Jobs, JobView, visitor
from kibitz.web.server.requests import (
    AnalyseWork,
    Beside,
    CheckedRules,
    LessonWork,
    LineQuery,
    LinesFile,
    ListWork,
    MeasureWork,
    NewRule,
    Pair,
    PuzzleWork,
    ReplyRequest,
    ReportWork,
    RoleName,
    Rules,
    SolveWork,
    StrategyFile,
    Work,
)
from kibitz.web.session import (
    games,
    lessons,
    measured_rules,
    opponents,
    positions,
    puzzles,
    reports,
    reviews,
    rule_editing,
    strategies,
)
from kibitz.web.session.sessions import Session, Sessions


def add_games(app: FastAPI, sessions: Sessions) -> None:
    """Add the requests about games and positions."""

    @app.get("/api/games")
    def list_games() -> games.CatalogueView:
        """List the games of the library."""
        return games.catalogue_view()

    @app.get("/api/gallery")
    def get_gallery() -> games.GalleryView:
        """Return the games of the start page: boards, values and numbers of rules."""
        return games.gallery_view()

    @app.post("/api/games")
    def add_game(rules: Rules) -> games.GameView:
        """Open the game that a rule sheet describes, and begin to solve it."""
        session = sessions.add(rules.text, rules.name)
        sessions.solve(session)
        return games.game_view(session)

    @app.post("/api/check")
    def check_rules(rules: CheckedRules) -> games.CheckView:
        """Check a rule sheet, and play its game if that is asked for."""
        return games.check_view(sessions, rules.text, play=rules.play)

    @app.get("/api/templates")
    def get_templates() -> games.TemplatesView:
        """List kinds of games to begin a design with, and sentences to add to its rules."""
        return games.templates_view()

    @app.post("/api/design")
    def post_design(rules: Rules) -> games.DesignView:
        """Split rules in English into sentences, and draw the board as play begins."""
        return games.design_view(sessions, rules.text)

    @app.get("/api/games/{key}")
    def get_game(key: str) -> games.GameView:
        """Open a game by its name or key, and begin to solve it."""
        session = sessions.open(key)
        sessions.solve(session)
        return games.game_view(session)

    @app.get("/api/games/{key}/position")
    def get_position(
        key: str,
        line: LineQuery = "",
        flip: bool = False,
        values: bool = False,
        hide: bool = False,
        legal: bool = False,
    ) -> positions.PositionView:
        """Return a position: its board, moves, and their values unless hidden.

        With `legal` a line is followed as far as it is legal, and `line` says how far.
        """
        session = sessions.open(key)
        return session.look(
            lambda: positions.position_view(
                session,
                session.walk(line, as_far=legal),
                flip=flip,
                values=values and not hide,
                worths=not hide,
            ),
            doing="drawing the position",
        )

    @app.get("/api/games/{key}/about")
    def get_about(key: str, whole: bool = False) -> lessons.AboutView:
        """Describe a game in words: its rules, and how it ends with best play once it is solved.

        With `whole` sentences are looked for that are all of the rules.
        """
        return lessons.about_view(sessions.open(key), is_whole=whole)

    @app.post("/api/games/{key}/review")
    def post_review(key: str, beside: Beside) -> reviews.ReviewView:
        """Find the mistakes of a match of a solved game, each with a rule that avoids it.

        The rule is of the strategy, or of the lesson if one was made, or new.
        """
        session = sessions.open(key)
        return reviews.review_view(session, session.walk(beside.line), beside.text, beside.role)

    @app.get("/api/games/{key}/timeline")
    def get_timeline(key: str, line: LineQuery = "") -> reviews.TimelineView:
        """Return the value of every position of a line."""
        session = sessions.open(key)
        return reviews.timeline_view(session, session.walk(line))

    @app.get("/api/games/{key}/why")
    def get_why(
        key: str,
        move: Annotated[int, Query(ge=0, le=10**12)],
        line: LineQuery = "",
        role: Annotated[str | None, Query(max_length=200)] = None,
    ) -> reviews.WhyView:
        """Describe why a move is optimal or not, by the number of a joint move.

        Where several roles choose at once, `role` says whose move is meant.
        """
        session = sessions.open(key)
        return reviews.why_view(session, session.walk(line), move, role)

    @app.get("/api/games/{key}/estimate")
    def get_estimate(key: str, line: LineQuery = "") -> opponents.EstimateView:
        """Estimate the values of moves by a short search; for games that are not solved."""
        session = sessions.open(key)
        return opponents.estimate_view(session, session.walk(line))

    @app.get("/api/games/{key}/hint")
    def get_hint(
        key: str, step: Annotated[int, Query(ge=1, le=3)] = 1, line: LineQuery = ""
    ) -> reviews.HintView:
        """Return a hint, a little more with each step."""
        session = sessions.open(key)
        return reviews.hint_view(session, session.walk(line), step)

    @app.get("/api/levels")
    def get_levels() -> opponents.LevelsView:
        """List the levels of players, and how each was rated on which games."""
        return opponents.levels_view()

    @app.post("/api/games/{key}/reply")
    def post_reply(key: str, wish: ReplyRequest) -> opponents.ReplyView:
        """Let a player of some kind choose a move."""
        session = sessions.open(key)
        return session.look(
            lambda: opponents.reply(
                session,
                session.walk(wish.line),
                wish.role,
                opponent=wish.opponent,
                depth=wish.depth,
                level=wish.level,
                strategy=wish.strategy,
                rules=wish.rules,
                seed=wish.seed,
            ),
            doing="choosing a move",
        )

    @app.get("/api/games/{key}/export", response_class=Response)
    def get_export(
        key: str,
        form: Literal["svg", "png", "tex", "html", "md", "txt", "json", "dot"] = "svg",
        line: LineQuery = "",
        what: Literal["position", "match"] = "position",
    ) -> Response:
        """Return a position as a file, or every state of the match that led to it."""
        session = sessions.open(key)
        return downloads.position_file(session, session.walk(line), form, what)

    @app.post("/api/games/{key}/lines/export", response_class=Response)
    def post_lines(key: str, tried: LinesFile) -> Response:
        """Return lines that were tried as a file: a tree for Graphviz, JSON, or moves as text."""
        session = sessions.open(key)
        return downloads.lines_file(
            session, [session.walk(line) for line in tried.lines], tried.form
        )


def add_strategies(app: FastAPI, sessions: Sessions) -> None:
    """Add the requests about strategies."""

    @app.get("/api/strategies")
    def list_strategies() -> dict[str, str]:
        """Return the strategies that come with Kibitz, by name."""
        return {name: shipped_text(name) for name in shipped_names()}

    @app.get("/api/games/{key}/strategies")
    def list_strategies_here(key: str) -> dict[str, str]:
        """Return the strategies that come with Kibitz and can be read for a game, by name."""
        return strategies.shipped_here(sessions.open(key))

    @app.post("/api/games/{key}/strategy")
    def post_strategy(key: str, beside: Beside) -> strategies.StrategyView:
        """Read and check a strategy, and show what it does in a position."""
        session = sessions.open(key)
        return strategies.strategy_view(
            session, beside.text, beside.role, session.walk(beside.line)
        )

    @app.post("/api/games/{key}/strategy/rule")
    def post_rule(key: str, rule: NewRule) -> rule_editing.EditedRule:
        """Write a rule from literals and moves."""
        literals = [(part.fluent, part.holds) for part in rule.literals]
        return rule_editing.write_rule_view(sessions.open(key), literals, rule.moves, rule.role)

    @app.get("/api/games/{key}/concepts")
    def get_concepts(key: str, role: RoleName) -> tuple[rule_editing.ConceptView, ...]:
        """Return what rules can be made of by choosing."""
        return rule_editing.concepts_view(sessions.open(key), role)

    @app.post("/api/games/{key}/strategy/suggest")
    def post_suggest(key: str, beside: Beside) -> rule_editing.EditedRule:
        """Find a rule for a position that is optimal wherever it applies, and its place."""
        session = sessions.open(key)
        role = beside.role or session.game.roles[0]
        return rule_editing.suggest_view(session, role, session.walk(beside.line), beside.text)

    @app.post("/api/games/{key}/strategy/export", response_class=Response)
    def post_export(key: str, wish: StrategyFile) -> Response:
        """Return a strategy as a file."""
        session = sessions.open(key)
        strategy, role = strategies.read(session, wish.text, wish.role)
        return downloads.strategy_file(session, strategy, role, wish.form)

    @app.post("/api/games/{key}/strategy/compare")
    def post_compare(key: str, pair: Pair) -> rule_editing.CompareView:
        """Describe where two strategies choose differently."""
        return rule_editing.compare_view(sessions.open(key), pair.text, pair.other, pair.role)


def add_jobs(app: FastAPI, sessions: Sessions, jobs: Jobs) -> None:
    """Add the requests about long work: begin it, watch it, cancel it."""

    @app.post("/api/open")
    def open_rules(rules: Rules) -> JobView:
        """Begin to open the game that a rule sheet describes; the result is the game."""
        who = visitor.get()

        def work(job: Job) -> games.GameView:
            visitor.set(who)
            session = sessions.add(rules.text, rules.name, job)
            sessions.solve(session)
            return games.game_view(session)

        return jobs.start("open", rules.name, work).view()

    @app.post("/api/games/{key}/jobs")
    def post_job(key: str, work: Work) -> JobView:
        """Begin long work."""
        return _start(sessions, jobs, sessions.open(key), work).view()

    @app.get("/api/jobs/{job}")
    def get_job(job: str) -> JobView:
        """Return the progress of a job."""
        return jobs.find(job).view()

    @app.delete("/api/jobs/{job}")
    def cancel_job(job: str) -> JobView:
        """Cancel a job."""
        found = jobs.find(job)
        found.cancel()
        return found.view()

    @app.get("/api/jobs/{job}/events", response_class=StreamingResponse)
    async def watch_job(job: str) -> StreamingResponse:
        """Stream the job as it changes, as server-sent events."""
        found = jobs.find(job)

        async def events() -> AsyncIterator[str]:
            async for view in found.changes():
                data = json.dumps(view, default=asdict) if view else ""
                yield f"data: {data}\n\n" if view else ": still there\n\n"

        return StreamingResponse(
            events(), media_type="text/event-stream", headers={"cache-control": "no-store"}
        )


def _start(sessions: Sessions, jobs: Jobs, session: Session, work: BaseModel) -> Job:
    match work:
        case SolveWork():
            return sessions.solve(session)
        case AnalyseWork():
            sessions.make_room(session)
            return jobs.start(
                "analyse", session.key, positions.analysis_job(session, session.walk(work.line))
            )
        case ListWork():
            do = rule_editing.job_of(session, work.kind, work.text, work.role, work.seconds)
            return jobs.start(work.kind, session.key, do)
        case MeasureWork():
            do_measure = measured_rules.measuring_job(
                session, work.role, work.rules, seed=work.seed
            )
            return jobs.start("measure", session.key, do_measure)
        case LessonWork():
            return jobs.start("lesson", session.key, lessons.lesson_job(session, work.role))
        case ReportWork():
            return jobs.start(
                "report", session.key, reports.report_job(session, is_brief=work.brief)
            )
        case PuzzleWork():
            wish = puzzles.PuzzleWish(**work.model_dump(exclude={"kind"}))
            return jobs.start("puzzles", session.key, puzzles.job_of(session, wish))
    raise InputError("no such work")
