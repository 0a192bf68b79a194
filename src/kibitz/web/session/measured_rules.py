"""Views of rules that are found by matches: the list and its measurements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kibitz.engine import CompiledGame, Role
from kibitz.errors import InputError
from kibitz.measured import SearchOptions, find_measured_rules
from kibitz.present import accuracy_sentence, measured_heading, strength_rows, yardstick_sentences
from kibitz.web.server.child_jobs import in_child
from kibitz.web.server.jobs import Job, Report
from kibitz.web.session.sessions import Session

_EFFORT, _SLOW_S = 0.3, 30.0
"""The share of the usual work, so that visitors wait for seconds and not for minutes; and how long
is looked where matches take long.
"""


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """Points of 100 against an opponent, their interval, and the number of matches, as shown."""

    against: str
    points: str
    interval: str
    matches: str


@dataclass(frozen=True, slots=True)
class MeasuredView:
    """A list for a role as text, what it is, and what was measured; nothing of it is proved."""

    role: str
    text: str
    told: str
    strength: tuple[MeasuredRow, ...]
    sentences: tuple[str, ...]
    measured: dict[str, Any]


def measuring_job(
    session: Session, role: Role, rules: int, *, seed: int = 0
) -> Callable[[Job], MeasuredView]:
    """Return the work of a job that finds one list for all roles, and shows it for one of them."""
    game = session.game
    game.check_role(role)
    if not isinstance(game, CompiledGame):
        raise InputError("rules are found by matches only where the game is compiled")
    options = SearchOptions(most_rules=rules, rounds=1, slow_s=_SLOW_S, seed=seed, effort=_EFFORT)

    def work(report: Report) -> MeasuredView:
        return _view(find_measured_rules(game, options=options, report=report).as_json(), role)

    return lambda job: in_child(
        work,
        budget=session.allowance.working,
        doing="finding rules by matches",
        report=job.report,
        check=job.check,
    )


def _view(measured: dict[str, Any], role: Role) -> MeasuredView:
    sentences = (yardstick_sentences(measured), accuracy_sentence(measured))
    return MeasuredView(
        role=role,
        text=measured["strategies"][role],
        told=measured_heading(measured),
        strength=tuple(MeasuredRow(*row) for row in strength_rows(measured)),
        sentences=tuple(sentence for sentence in sentences if sentence),
        measured=measured,
    )
