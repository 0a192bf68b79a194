"""A solved state in, its value and those of its moves for each role out: RoleValue.

How much can be said depends on the game: a win, a draw or a loss in so many plies; what each role
gets where everybody cares for themselves; averages where roles choose at once and so mix their
moves; or, for games that are too large to be solved, estimates of a search, and bounds that one
has proved.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from kibitz.engine import Move, Role
from kibitz.solve.algorithms.maxn import MaxnSolution
from kibitz.solve.algorithms.mixed import MixedSolution
from kibitz.solve.algorithms.retrograde import Solution
from kibitz.solve.any_solution import AnySolution
from kibitz.solve.summary import describe_value
from kibitz.space import SEVERAL, StateId
from kibitz.wording import DRAW, bounds_text, number_text, outcome_text

__all__ = [
    "Bounds",
    "RoleValue",
    "bounds_value",
    "move_values",
    "role_value",
    "state_values",
]

Outcome = Literal["win", "draw", "loss"]
Kind = Literal["exact", "maxn", "mixed", "estimate", "bounds"]
Bounds = tuple[float, float]
_EVEN = 5
"""How far the shares of two may be apart for an estimate to call it even."""
_SIGN = {"win": "+", "draw": "=", "loss": "−"}


@dataclass(frozen=True, slots=True)
class RoleValue:
    """The value of a state or move for a role: its goal under best play, and plies to the end.

    `label` says it in brief, such as W3, D or L5; a goal where there is more than to win or lose.
    `text` says it in words.
    `kind` says how it is known. `goals` has the least and the most that each role gets, if that
    does not follow, and `share` how often a move is played where moves are mixed. `own_moves`
    counts the winner's own moves, where players alternate.
    """

    outcome: Outcome
    goal: float
    plies: int | None
    label: str
    sign: str
    kind: Kind = "exact"
    goals: dict[str, Bounds] = field(default_factory=dict)
    share: float | None = None
    text: str = ""
    own_moves: int | None = None

    @property
    def is_draw(self) -> bool:
        """Whether all get 50 at an end; another value that both share is no draw."""
        return self.label == "D"

    @property
    def rank(self) -> tuple[float, int]:
        """Grows with how good it is: quick wins first, then slow losses."""
        plies = self.plies or 0
        return self.goal, -plies if self.outcome == "win" else plies


def role_value(
    goal: float,
    plies: int | None,
    *,
    total: float = 100,
    kind: Kind = "exact",
    goals: dict[str, Bounds] | None = None,
    share: float | None = None,
    ends: bool | None = None,
    own_moves: int | None = None,
) -> RoleValue:
    """Make the value of a goal, of a total that two share.

    `ends` says that play comes to an end, if the plies are not known; else they say so.

    >>> role_value(100, 5, own_moves=3).label, role_value(50, 8).label
    ('W3', 'D')
    >>> role_value(62.54, None, kind="estimate").label
    '≈63'
    """
    lead = round(2 * goal - total, 3)
    slack = _EVEN if kind == "estimate" else 0
    outcome: Outcome = "win" if lead > slack else "loss" if lead < -slack else "draw"
    if outcome == "draw" and kind == "exact" and goal in (0, 100):  # both lose, or both win
        outcome = "win" if goal else "loss"
    letter = outcome[0].upper()
    match kind:
        case "exact":
            if outcome == "draw":  # 50 each at an end is a draw, all else that is even is not
                is_end = plies is not None if ends is None else ends
                label = "D" if goal == DRAW and is_end else "="
            else:
                label = letter if plies is None else f"{letter}{own_moves or plies}"
            text = (
                outcome_text(outcome, plies, own_moves) if label != "=" else "gives the same to all"
            )
        case "estimate":
            label = f"≈{goal:.0f}"
            text = f"estimated at {goal:.0f} of 100"
        case _:
            label = number_text(goal)
            text = f"goal {label}"
    if share is not None:
        text = f"{label} on average, played {share:.0%} of the time"
    sign = _SIGN[outcome]
    return RoleValue(outcome, goal, plies, label, sign, kind, goals or {}, share, text, own_moves)


def bounds_value(
    low: int, high: int, *, whole: tuple[int, int] = (0, 100), total: float = 100, roles: int = 2
) -> RoleValue:
    """Make the value of a goal of which a search proved bounds, from ends that play comes to.

    `whole` has the least and the most that a role can get by the rules.

    >>> bounds_value(100, 100).label, bounds_value(50, 50).label, bounds_value(50, 100).label
    ('W', 'D', '≥D')
    >>> bounds_value(0, 100).label, bounds_value(20, 60, whole=(0, 80)).text
    ('?', 'at least 20 and at most 60')
    """
    if low == high:
        is_graded = roles == 1 and low not in (0, 100)
        return role_value(low, None, total=total, kind="maxn" if is_graded else "exact", ends=True)
    text = bounds_text(low, high, whole, roles=roles)
    label = f"{low}–{high}"
    if (low, high) == whole:
        label = "?"
    elif "draw" in text:
        label = "≥D" if low == DRAW else "≤D"
    outcome: Outcome = "win" if 2 * low > total else "loss" if 2 * high < total else "draw"
    return RoleValue(outcome, low, None, label, "", "bounds", text=text)


def state_values(solution: AnySolution, state: StateId) -> dict[Role, RoleValue]:
    """Return the value of a state for each role.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_any
    >>> from kibitz.space import explore
    >>> solution = solve_any(explore(CompiledGame(load_sheet("nim:1,2"))))
    >>> {role: value.text for role, value in state_values(solution, 0).items()}
    {'player1': 'wins in 2 moves', 'player2': 'loses in 2 moves'}
    """
    return {role: _seen(solution, state, role, 0) for role in solution.space.game.roles}


def move_values(solution: AnySolution, state: StateId) -> dict[tuple[Role, Move], RoleValue]:
    """Return the value of each move for the role that chooses it.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_any
    >>> from kibitz.space import explore
    >>> solution = solve_any(explore(CompiledGame(load_sheet("nim:1,2"))))
    >>> sorted(value.label for value in move_values(solution, 0).values())
    ['L1', 'L1', 'W2']
    """
    space = solution.space
    turn = int(space.turn[state])
    if turn == SEVERAL and isinstance(solution, MixedSolution):
        return _mixed_moves(solution, state)
    role = space.game.roles[max(0, turn)]
    return {
        (role, joint[max(0, turn)]): _seen(solution, to, role, 1)
        for joint, to in space.moves(state)
    }


def _seen(solution: AnySolution, state: StateId, role: Role, ahead: int) -> RoleValue:
    """Return the value of a state for a role, seen from some plies before it."""
    plies = solution.plies(state)
    seen = None if plies is None else plies + ahead
    match solution:
        case Solution() if _is_puzzle_with_grades(solution):
            grade = float(solution.values(state)[role])
            return role_value(grade, seen, kind="maxn", goals={role: (grade, grade)})
        case Solution():
            goal = solution.values(state)[role]
            made = describe_value(solution, state).get(
                "own_moves"
            )  # after a move of the role, which counts as well
            made = None if made is None else made + ahead * (goal == 100)
            return role_value(goal, seen, total=solution.total, own_moves=made)
        case MaxnSolution():
            goals: dict[str, Bounds] = dict(solution.bounds(state))
            low, high = goals[role]
            found = role_value(low, seen, kind="maxn", goals=goals)
            if low == high:
                return found
            return replace(found, label=f"{low:g}–{high:g}", text=f"goal {low:g}–{high:g}")
        case MixedSolution():
            values = solution.values(state)
            both: dict[str, Bounds] = {who: (value, value) for who, value in values.items()}
            total = solution.total
            return role_value(values[role], seen, total=total, kind="mixed", goals=both)


def _is_puzzle_with_grades(solution: Solution) -> bool:
    """Return whether there is one role, which may get more than all or nothing."""
    space = solution.space
    if len(space.game.roles) > 1:
        return False
    return not set(space.goals[space.terminal, 0].tolist()) <= {0, 100}


def _mixed_moves(solution: MixedSolution, state: StateId) -> dict[tuple[Role, Move], RoleValue]:
    """Judge the moves of both who choose at once by what they bring against the other's mix."""
    mixes = solution.mixes(state)
    brought: dict[tuple[int, Move], float] = {}
    for joint, to in solution.space.moves(state):
        values = list(solution.values(to).values())
        for role in (0, 1):
            weight = mixes[1 - role].get(joint[1 - role], 0.0)
            key = role, joint[role]
            brought[key] = brought.get(key, 0.0) + weight * values[role]
    roles = solution.space.game.roles
    return {
        (roles[role], move): role_value(
            round(goal, 4),
            None,
            total=solution.total,
            kind="mixed",
            share=mixes[role].get(move, 0.0),
        )
        for (role, move), goal in brought.items()
    }
