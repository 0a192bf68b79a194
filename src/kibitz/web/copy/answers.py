"""Collect every answer that the page may request about a solved game, as values for JSON.

Every state is there once. What many states share (pieces of pictures, moves, values) stands in one
table, and states name it by number: the 5,478 states of tic-tac-toe take three megabytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from kibitz.errors import InputError, KibitzError
from kibitz.web.server.jobs import Job, Report
from kibitz.web.session.games import game_view
from kibitz.web.session.lessons import about_view, lesson_job
from kibitz.web.session.lines import PlayedLine, joint_number
from kibitz.web.session.positions import PositionView, position_view
from kibitz.web.session.puzzles import PuzzleWish, job_of
from kibitz.web.session.reviews import hint_view
from kibitz.web.session.sessions import Session

MOST_STATES = 30_000
"""States of a game whose positions are all written."""
_LENGTHS = range(5)
"""Puzzles that are won in so many more rounds are written."""
_FACTS = ("turns", "roles", "chooses", "counts", "is_terminal", "goals", "result", "decides")


class _Table:
    """Values that are written once, each by its number."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[str, int] = {}

    def number(self, value: Any) -> int:
        key = json.dumps(value, sort_keys=True)
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value)
        return self._numbers[key]

    def picture(self, svg: str) -> list[int]:
        """Return the pieces of a picture, one for each cell."""
        return [self.number(piece) for piece in re.split(r"(?=<g |<text |<circle )", svg) if piece]


def answers_of(session: Session, report: Report = lambda _news: None) -> dict[str, Any]:
    """Return the answers for a game that is solved, and small enough."""
    states = len(session.need_solution().space)
    if states > MOST_STATES:
        raise InputError(
            f"{session.name} has {states:,} states, and a copy has {MOST_STATES:,} at most",
            hint="kibitz web shows it with a server",
        )
    table = _Table()
    found = list(_states(session, table, report))
    lessons = _lessons(session, report)  # before it is asked what was taught
    game = asdict(game_view(session)) | {"solving": None}
    assert session.job is not None
    return {
        "game": game,
        "solution": session.job.result,
        "about": asdict(about_view(session, is_whole=True)),
        "lessons": lessons,
        "puzzles": _puzzles(session, report),
        "table": table.values,
        "states": found,
    }


def _states(session: Session, table: _Table, report: Report) -> Iterator[dict[str, Any]]:
    """Walk all states from the first on; `next` has the number of each joint move's state."""
    space = session.need_solution().space
    queue = [(0, session.walk(""))]
    places = {0: 0}
    for at, (number, here) in enumerate(queue):
        if at % 500 == 0:
            report(f"{at:,} of {len(space):,} states")
        following: dict[int, int] = {}
        for joint, target in space.moves(number):
            played = joint_number(here.state, joint)
            if target not in places:
                places[target] = len(queue)
                numbers, joints = (*here.numbers, played), (*here.joints, joint)
                states = (*here.states, here.state.step(joint))
                queue.append((target, PlayedLine(numbers, states, joints)))
            following[played] = places[target]
        found = _state(session, table, here)
        yield found | {"next": [following[n] for n in sorted(following)]}


def _state(session: Session, table: _Table, here: PlayedLine) -> dict[str, Any]:
    plain = position_view(session, here, last=False)
    valued = position_view(session, here, values=True, last=False)
    facts = asdict(plain)
    moves = []
    for move, best in zip(facts["moves"], _best(plain), strict=True):
        worth = move.pop("worth")
        moves.append([table.number(move), None if worth is None else table.number(worth), best])
    hints = [] if plain.is_terminal else [_hint(session, table, here, n) for n in (1, 2, 3)]
    return {
        "svg": table.picture(plain.svg),
        "valued": table.picture(valued.svg),
        "caption": table.picture(plain.caption),
        "moves": moves,
        "worth": table.number(facts["worth"]),
        "facts": table.number({name: facts[name] for name in _FACTS}),
        "hints": hints,
    }


def _best(plain: PositionView) -> list[bool]:
    """Say of each move whether none of its role is better."""
    best: dict[str, Any] = {}
    for move in plain.moves:
        if move.worth is not None:
            best[move.role] = max(best.get(move.role, move.worth.rank), move.worth.rank)
    return [move.worth is None or move.worth.rank == best[move.role] for move in plain.moves]


def _hint(session: Session, table: _Table, here: PlayedLine, step: int) -> int | None:
    try:
        return table.number(asdict(hint_view(session, here, step)))
    except KibitzError:
        return None


def _lessons(session: Session, report: Report) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for role in (None, *session.game.roles):
        report(f"the lesson for {role or 'whoever has rules'}")
        try:
            lesson = asdict(lesson_job(session, role)(Job("lesson", session.key)))
        except KibitzError as error:
            found[role or ""] = {"error": error.message}
        else:
            found[role or ""] = found[lesson["role"]] = lesson
    return found


def _puzzles(session: Session, report: Report) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for role in session.game.roles:
        for length in _LENGTHS:
            report(f"puzzles for {role}, won in {length}")
            try:
                wish = PuzzleWish(role, win_in=length)
                puzzles = job_of(session, wish)(Job("puzzles", session.key))
            except KibitzError as error:
                found[f"{role} {length}"] = {"error": error.message}
            else:
                found[f"{role} {length}"] = asdict(puzzles)
    return found
