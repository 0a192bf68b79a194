"""Views of puzzles: positions without their answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kibitz.engine import require_compiled
from kibitz.puzzles import (
    Level,
    Puzzle,
    PuzzleSet,
    Wanted,
    check_theme,
    choose_balanced,
    choose_puzzles,
    positions_of,
    question_of,
    read_skill,
    read_solver,
    search_puzzles,
)
from kibitz.solve import Solution
from kibitz.strategy import Strategy, symmetries_of
from kibitz.web.server.child_jobs import in_child
from kibitz.web.server.jobs import Job, Report
from kibitz.web.session.lines import joint_number, write_line
from kibitz.web.session.sessions import Session
from kibitz.web.session.strategies import read
from kibitz.wording import side_name

_SEARCH_S = 40.0
"""How long puzzles are searched for in a game that is not solved."""


@dataclass(frozen=True, slots=True)
class PuzzleView:
    """A puzzle as it is asked: a line leads to its position; the answer is not here.

    A balanced position has no number of moves to win in, and the score that the role may expect.
    """

    id: str
    line: str
    role: str
    win_in: int | None
    level: str
    rating: int
    chances: dict[str, float]
    score: float | None
    text: str
    themes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PuzzlesView:
    """Puzzles from easy to hard, or balanced positions from short to long."""

    game: str
    role: str
    is_balanced: bool
    puzzles: tuple[PuzzleView, ...]
    positions: int
    of_level: int
    counts: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class PuzzleWish:
    """Which puzzles are wanted; `win_in` is not asked of balanced positions.

    `rules` is the text of a strategy, whose rules are themes: a puzzle has the one that solves it.
    """

    role: str
    win_in: int = 1
    level: str | None = None
    k1: str = "1"
    k2: str = "3"
    count: int = 10
    unique: bool = True
    balanced: bool = False
    seed: int = 1
    theme: str | None = None
    rules: str = ""


def job_of(session: Session, wish: PuzzleWish) -> Callable[[Job], PuzzlesView]:
    """Return the work of a job that finds puzzles in a child; raise where it cannot begin.

    In a game that could not be solved, they are searched for; even chances need a solution.
    """
    if wish.balanced or not _is_too_large(session):
        session.need_turns()
    session.game.check_role(wish.role)
    check_theme(wish.theme, _rules_of(session, wish), wish.role)

    def work(job: Job) -> PuzzlesView:
        job.report("preparing")
        if not _is_too_large(session):
            session.prepare()
        return in_child(
            lambda report: make_puzzles(session, wish, report),
            budget=session.allowance.working,
            doing="finding puzzles",
            report=job.report,
            check=job.check,
        )

    return work


def make_puzzles(session: Session, wish: PuzzleWish, report: Report) -> PuzzlesView:
    """Find puzzles."""
    if _is_too_large(session):
        return _searched(session, wish, report)
    solution = session.need_turns()
    report("looking for positions")
    wanted = Wanted(
        wish.count,
        Level(wish.level) if wish.level else None,
        wish.unique and not wish.balanced,
        symmetries_of(session.game) if session.carriers else None,
        wish.seed,
        theme=None if wish.balanced else wish.theme,
        rules=_rules_of(session, wish),
    )
    found, counts = _choose(session, solution, wish, wanted, report)
    report("writing them down")
    made = tuple(_view(session, puzzle) for puzzle in found)
    return PuzzlesView(
        session.key,
        wish.role,
        wish.balanced,
        made,
        found.positions,
        found.of_level,
        counts,
        found.why,
    )


def _rules_of(session: Session, wish: PuzzleWish) -> Strategy | None:
    """Read the strategy whose rules are themes."""
    return read(session, wish.rules, wish.role)[0] if wish.rules.strip() else None


def _is_too_large(session: Session) -> bool:
    """Return whether solving the game has failed."""
    return session.solution is None and session.job is not None and session.job.error is not None


def _searched(session: Session, wish: PuzzleWish, report: Report) -> PuzzlesView:
    """Find puzzles in matches of a game that is not solved."""
    game = require_compiled(session.game)
    players = dict.fromkeys([wish.k1, "1", "uct:100"])
    found = search_puzzles(
        game,
        wish.role,
        rounds=wish.win_in,
        solvers=[read_solver(name, game) for name in players],
        wanted=Wanted(
            wish.count,
            Level(wish.level) if wish.level else None,
            seed=wish.seed,
            theme=wish.theme,
            rules=_rules_of(session, wish),
        ),
        seconds=min(_SEARCH_S, session.allowance.working.seconds / 2),
        progress=report,
    )
    made = tuple(_view_of(puzzle, _line_to(puzzle)) for puzzle in found)
    return PuzzlesView(
        session.key, wish.role, False, made, found.positions, found.of_level, (), found.why
    )


def _line_to(puzzle: Puzzle) -> str:
    """Write the match that led to a puzzle as the page writes lines."""
    state, numbers = puzzle.state.game.initial(), []
    for joint in puzzle.played:
        numbers.append(joint_number(state, joint))
        state = state.step(joint)
    return write_line(numbers)


def _choose(
    session: Session, solution: Solution, wish: PuzzleWish, wanted: Wanted, report: Report
) -> tuple[PuzzleSet, tuple[int, ...]]:
    """Choose puzzles, and count the positions that are won in 1, 2, 3, … moves."""
    index = session.game.roles.index(wish.role)
    own, other = (read_skill(text, session.game) for text in (wish.k1, wish.k2))
    if wish.balanced:
        return choose_balanced(solution, index, own=own, other=other, wanted=wanted), ()
    rounds = wish.win_in
    positions = positions_of(solution, wish.role, rounds)
    report("measuring how hard they are")
    found = choose_puzzles(positions, rounds, own=own, other=other, wanted=wanted)
    return found, positions.counts


def _view(session: Session, puzzle: Puzzle) -> PuzzleView:
    return _view_of(puzzle, write_line(session.line_to(puzzle.number)))


def _view_of(puzzle: Puzzle, line: str) -> PuzzleView:
    roles = puzzle.state.game.roles
    return PuzzleView(
        puzzle.name,
        line,
        puzzle.role,
        puzzle.win_in,
        puzzle.level.value,
        puzzle.rating,
        dict(puzzle.chances) or {one.player: one.share for one in puzzle.attempts},
        puzzle.score,
        question_of(puzzle) + (f", as {side_name(puzzle.role)}" if len(roles) > 1 else ""),
        puzzle.themes,
    )
