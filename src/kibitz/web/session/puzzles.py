"""What the page shows of puzzles: positions without their answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kibitz.puzzles import (
    Level,
    Puzzle,
    PuzzleSet,
    Wanted,
    choose_balanced,
    choose_puzzles,
    positions_of,
    question_of,
    read_skill,
)
from kibitz.solve import Solution
from kibitz.strategy import symmetries_of
from kibitz.web.server.child_jobs import in_child
from kibitz.web.server.jobs import Job, Report
from kibitz.web.session.lines import write_line
from kibitz.web.session.sessions import Session

__all__ = ["PuzzleView", "PuzzleWish", "PuzzlesView", "job_of", "make_puzzles"]


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
    """Which puzzles are wanted; `win_in` is not asked of balanced positions."""

    role: str
    win_in: int = 1
    level: str | None = None
    k1: str = "1"
    k2: str = "3"
    count: int = 10
    unique: bool = False
    balanced: bool = False
    seed: int = 1


def job_of(session: Session, wish: PuzzleWish) -> Callable[[Job], PuzzlesView]:
    """Return the work of a job that finds puzzles in a child; raise where it cannot begin."""
    session.need_turns()
    session.game.check_role(wish.role)

    def work(job: Job) -> PuzzlesView:
        job.report("preparing")
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
    solution = session.need_turns()
    report("looking for positions")
    wanted = Wanted(
        wish.count,
        Level(wish.level) if wish.level else None,
        wish.unique,
        symmetries_of(session.game) if session.carriers else None,
        wish.seed,
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
    return PuzzleView(
        puzzle.name,
        write_line(session.line_to(puzzle.number)),
        puzzle.role,
        puzzle.win_in,
        puzzle.level.value,
        puzzle.rating,
        dict(puzzle.chances),
        puzzle.score,
        f"{question_of(puzzle)}, as {puzzle.role}",
    )
