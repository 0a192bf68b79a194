"""A position of an unsolved game in, what a search proves of its moves out, as it comes."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from kibitz.engine import Move, Role
from kibitz.errors import BudgetExceededError, InputError
from kibitz.prove import Analysis
from kibitz.solve import RoleValue
from kibitz.web.server.jobs import Job
from kibitz.web.server.memory import MEMORY
from kibitz.web.session.lines import PlayedLine, write_line
from kibitz.web.session.opponents import estimate_view
from kibitz.web.session.sessions import Session
from kibitz.wording import counted, result_text, side_name, side_names

__all__ = ["AnalysisView", "analysis_job", "values_of"]

_SHOW_S = 0.2
"""How often a page hears how far the search has come, if nothing else is new."""
_MOST_KEPT = 64
_DEEPER_S = (3, 7, 15, 30)
"""When the estimates of open moves get another second of search, in seconds since it began."""


@dataclass(frozen=True, slots=True)
class AnalysedMove:
    """A move, its value as far as it is proved, and in words; and how much was searched for it."""

    role: str
    number: int
    move: str
    worth: RoleValue
    is_proved: bool
    text: str
    positions: int


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """What is proved of a position and its moves by now. `text` says it of the position.

    `note` says why more search would decide nothing, where that is so. `playouts` are the matches
    behind the estimates of open moves, once those were deepened.
    """

    game: str
    line: str
    role: str
    text: str
    worth: RoleValue
    moves: tuple[AnalysedMove, ...]
    proved: int
    positions: int
    seconds: float
    is_complete: bool
    note: str
    playouts: int


def analysis_job(session: Session, went: PlayedLine) -> Callable[[Job], AnalysisView]:
    """Return the work of a job that proves the moves of a position, until all are or time is up."""
    if went.state.is_terminal:
        raise InputError("play has ended here", hint="go back a move")
    if session.solution is not None:
        raise InputError(f"{session.name} is solved", hint="the position has the values")

    def work(job: Job) -> AnalysisView:
        with session.analysing():
            analyser = session.analyser
        steps = analyser.analyse(went.state, seconds=session.allowance.analysis.seconds)
        shown, begun = 0.0, time.monotonic()
        seen: tuple[object, ...] = ()
        view: AnalysisView | None = None
        deeper, playouts = list(_DEEPER_S), 0
        while True:
            with session.analysing():
                known = next(steps, None)
            if known is None:
                assert view is not None
                job.show(view)
                return view
            if deeper and time.monotonic() > begun + deeper[0]:
                del deeper[0]
                if write_line(went.numbers) in session.estimates:
                    with suppress(BudgetExceededError):  # others are at work
                        playouts = estimate_view(session, went).playouts
                        seen = ()  # to be shown
            view = _view(session, went, known, playouts)
            bounds = tuple(one.bounds for one in known.moves)
            if bounds != seen:
                session.remember(session.analyses, view.line, _kept(known), most=_MOST_KEPT)
            if bounds != seen or time.monotonic() > shown + _SHOW_S:
                shown, seen = time.monotonic(), bounds
                job.show(view)
            job.check()
            MEMORY.check()

    return work


def values_of(session: Session, went: PlayedLine) -> dict[tuple[Role, Move], RoleValue]:
    """Return what is known of the moves of a position: proved, or else estimated, or bounds."""
    line = write_line(went.numbers)
    found = dict(session.estimates.get(line, {}))
    for key, value in session.analyses.get(line, {}).items():
        known = found.get(key)
        if known is not None and (value.kind == "bounds" or known.plies is not None):
            continue  # an estimate says more than bounds, and a proof of a short search has plies
        found[key] = value
    return found


def _kept(known: Analysis) -> dict[tuple[Role, Move], RoleValue]:
    return {(known.mover, one.move): known.move_value(one) for one in known.moves}


def _view(session: Session, went: PlayedLine, known: Analysis, playouts: int) -> AnalysisView:
    write, legal = session.game.write, went.state.legal(known.mover)
    moves = []
    for one in known.moves:
        value = known.move_value(one)
        searched = f"{value.text}, {counted(one.positions, 'position')} searched"
        moves.append(
            AnalysedMove(
                known.mover,
                legal.index(one.move),
                write(one.move),
                value,
                one.is_proved,
                value.text if one.is_proved else searched,
                one.positions,
            )
        )
    return AnalysisView(
        game=session.key,
        line=write_line(went.numbers),
        role=known.mover,
        text=_text(known),
        worth=known.value,
        moves=tuple(moves),
        proved=known.proved,
        positions=known.positions,
        seconds=round(known.seconds, 1),
        is_complete=known.is_complete,
        note=known.why_open,
        playouts=playouts,
    )


def _text(known: Analysis) -> str:
    """Say what is proved of the position."""
    if all(low == high for low, high in known.bounds.values()):
        goals = {role: low for role, (low, _) in known.bounds.items()}
        result = result_text(goals, side_names(list(goals)))
        return f"Proved: with best play {result}."
    if known.bounds == known.whole:
        return "The value is not decided yet."
    return f"Proved so far: {side_name(known.mover)} gets {known.value.text}."
