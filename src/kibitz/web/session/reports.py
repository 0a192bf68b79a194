"""View of the report on a game: whether it is fair, its figures, hard positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kibitz.engine import Role
from kibitz.gdl import parse_terms
from kibitz.present import Fairness, Report, Wish, fairness_of, make_report, report_rows
from kibitz.web.server.child_jobs import in_child
from kibitz.web.server.jobs import Job
from kibitz.web.session.positions import move_words
from kibitz.web.session.sessions import Session

_MOST_OPENINGS = 20
_RULES_S = 10.0
"""How long rules are searched for, for each role."""


@dataclass(frozen=True, slots=True)
class HardView:
    """A hard position: its board, who is to move, and what is right, as terms and in words."""

    svg: str
    role: str
    good: tuple[str, ...]
    good_words: tuple[str, ...]
    moves: int


@dataclass(frozen=True, slots=True)
class OpeningView:
    """A first move: how many are like it, whether it keeps the value, is best at every skill."""

    move: str
    words: str
    alike: int
    keeps_value: bool
    is_dominant: bool


@dataclass(frozen=True, slots=True)
class ReportView:
    """The report of `kibitz report`: whether the game is fair, its rows, and hard positions."""

    game: str
    kind: str
    fairness: Fairness
    rows: tuple[tuple[str, str], ...]
    openings: tuple[OpeningView, ...]
    hardest: tuple[HardView, ...]
    seconds: float


def report_job(session: Session, *, is_brief: bool) -> Callable[[Job], ReportView]:
    """Return the work of a job that makes the report; a brief one leaves out rules and positions.

    It takes half of the time and memory that a job may have, and says what it left out.
    """
    sheet = session.game.sheet
    budget = session.allowance.working
    wish = Wish(
        seconds=budget.seconds / (4 if is_brief else 2),
        bytes=budget.bytes // 2,
        rule_seconds=0 if is_brief else min(_RULES_S, budget.seconds / 12),
        positions=0 if is_brief else 3,
    )

    def report(job: Job) -> ReportView:
        found = in_child(
            lambda tell: make_report(sheet, wish, progress=tell),
            budget=budget,
            doing="making the report",
            report=job.report,
            check=job.check,
        )
        return _view(session, found)

    return report


def _view(session: Session, found: Report) -> ReportView:
    openings = tuple(
        OpeningView(
            one.move,
            _words(session, found.first or session.game.roles[0], one.move),
            one.alike,
            one.keeps_value,
            one.is_dominant,
        )
        for one in found.openings[:_MOST_OPENINGS]
    )
    hardest = tuple(
        HardView(
            hard.picture,
            hard.role,
            hard.good,
            tuple(_words(session, hard.role, move) for move in hard.good),
            hard.moves,
        )
        for hard in found.hardest
    )
    rows = tuple(row for row in report_rows(found) if row[0] != "opening")
    fairness, seconds = fairness_of(found), round(found.seconds, 1)
    return ReportView(session.key, found.kind, fairness, rows, openings, hardest, seconds)


def _words(session: Session, role: Role, text: str) -> str:
    """Write a move in words, given as a term."""
    moves = parse_terms(text, name="move")
    return move_words(session, role, moves)[0] if moves else text
