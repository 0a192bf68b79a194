"""RoleValue: what a position or a move is to a role, with its label and in words.

How much can be said depends on the game: a win, a draw or a loss in so many plies; what each role
gets where everybody cares for themselves; averages where roles choose at once and so mix their
moves; or, for games that are too large to be solved, estimates of a search, and bounds that one
has proved.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from kibitz.engine import Move, Role
from kibitz.solve.values import Known, Place, Values
from kibitz.wording import DRAW, bounds_text, number_text, outcome_text

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
    low: float, high: float, *, whole: Bounds = (0, 100), total: float = 100, roles: int = 2
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


def state_values(values: Values, at: Place | None = None) -> dict[Role, RoleValue]:
    """Return the value of a position for each role.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_game
    >>> values = solve_game(CompiledGame(load_sheet("nim:1,2")))
    >>> {role: value.text for role, value in state_values(values).items()}
    {'player1': 'wins in 2 moves', 'player2': 'loses in 2 moves'}
    """
    known = values.look(at)
    return {role: _seen(values, at, known, role, 0) for role in values.game.roles}


def move_values(values: Values, at: Place | None = None) -> dict[tuple[Role, Move], RoleValue]:
    """Return the value of each move for the role that chooses it.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_game
    >>> values = solve_game(CompiledGame(load_sheet("nim:1,2")))
    >>> sorted(value.label for value in move_values(values).values())
    ['L1', 'L1', 'W2']
    """
    choices = list(values.moves(at))
    roles = values.game.roles
    turn = [i for i in range(len(roles)) if len({made.joint[i] for made in choices}) > 1]
    if len(turn) > 1:
        return _mixed_moves(values, at)
    index = turn[0] if turn else 0
    return {
        (roles[index], made.joint[index]): _seen(values, made.to, made.known, roles[index], 1)
        for made in choices
    }


def _seen(values: Values, at: Place | None, known: Known, role: Role, ahead: int) -> RoleValue:
    """Return the value of a position for a role, seen from some plies before it."""
    plies, (low, high) = known.length, known.bounds[role]
    seen = None if plies is None else plies + ahead
    roles, total = values.game.roles, 100 if values.total is None else values.total
    match values.kind:
        case "exact" if values.is_graded:
            return role_value(low, seen, kind="maxn", goals={role: (low, low)})
        case "exact":
            # After a move of the role, that counts as well.
            own = values.own_moves(at, known)
            own = None if own is None else own + ahead * (low == 100)
            return role_value(low, seen, total=total, own_moves=own)
        case "outcomes":
            found = role_value(low, seen, kind="maxn", goals=dict(known.bounds))
            if low == high:
                return found
            return replace(found, label=f"{low:g}–{high:g}", text=f"goal {low:g}–{high:g}")
        case "average":
            both = {who: (goal, goal) for who, goal in known.value.items() if goal is not None}
            return role_value(both[role][0], seen, total=total, kind="mixed", goals=both)
        case "bounds":
            return bounds_value(low, high, total=total, roles=len(roles))


def _mixed_moves(values: Values, at: Place | None) -> dict[tuple[Role, Move], RoleValue]:
    """Judge the moves of both who choose at once by what they bring against the other's mix."""
    roles, mixes = values.game.roles, values.mixes(at)
    brought: dict[tuple[Role, Move], float] = {}
    for joint, _, known in values.moves(at):
        for role, other in (roles, reversed(roles)):
            move, theirs = (joint[roles.index(who)] for who in (role, other))
            goal = mixes[other].get(theirs, 0.0) * (known.value[role] or 0)
            brought[role, move] = brought.get((role, move), 0.0) + goal
    return {
        (role, move): role_value(
            round(goal, 4),
            None,
            total=100 if values.total is None else values.total,
            kind="mixed",
            share=mixes[role].get(move, 0.0),
        )
        for (role, move), goal in brought.items()
    }
