"""What the moves of a position are worth to whoever makes them, and which of them are alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kibitz.engine import Move, Role, State
from kibitz.solve import NEVER, Solution
from kibitz.space import StateId
from kibitz.strategy.images import Carrier

__all__ = ["Worth", "alike", "moves_worth", "state_worth", "worth_to"]

Outcome = Literal["win", "draw", "loss"]
_SIGN = {"win": "+", "draw": "=", "loss": "−"}


@dataclass(frozen=True, slots=True)
class Worth:
    """What something is worth to a role: its goal under best play, and plies to the end.

    `label` says it in brief, such as W3, D or L5.
    """

    outcome: Outcome
    goal: int
    plies: int | None
    label: str
    sign: str

    @property
    def rank(self) -> tuple[int, int]:
        """Grows with how good it is: quick wins first, then slow losses."""
        plies = self.plies or 0
        return self.goal, -plies if self.outcome == "win" else plies


def worth_to(solution: Solution, state: StateId, role: Role, *, ahead: int = 0) -> Worth:
    """Tell what a state is worth to a role, seen from some plies before it."""
    goal = solution.values(state)[role]
    total = solution.total
    outcome: Outcome = "win" if 2 * goal > total else "loss" if 2 * goal < total else "draw"
    distance = int(solution.distance[state])
    plies = None if distance == NEVER else distance + ahead
    letter = outcome[0].upper()
    label = letter if outcome == "draw" or plies is None else f"{letter}{plies}"
    return Worth(outcome, goal, plies, label, _SIGN[outcome])


def state_worth(solution: Solution, state: StateId) -> dict[Role, Worth]:
    """Tell what a state is worth to each role."""
    return {role: worth_to(solution, state, role) for role in solution.space.game.roles}


def moves_worth(solution: Solution, state: StateId) -> dict[tuple[Role, Move], Worth]:
    """Tell what each move of whoever is to move is worth to them.

    >>> from kibitz.engine.compiled import CompiledGame
    >>> from kibitz.games import load
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load("nim:1,2"))))
    >>> sorted(worth.label for worth in moves_worth(solution, 0).values())
    ['L2', 'L2', 'W3']
    """
    space = solution.space
    turn = max(0, int(space.turn[state]))
    role = space.game.roles[turn]
    return {
        (role, joint[turn]): worth_to(solution, to, role, ahead=1)
        for joint, to in space.moves(state)
    }


def alike(state: State, role: Role, carriers: list[Carrier]) -> list[int]:
    """Number the legal moves of a role so that those that mirror one another have one number."""
    legal = state.legal(role)
    group = {move: i for i, move in enumerate(legal)}
    fluents = frozenset(state.fluents)
    for carrier in carriers:
        if frozenset(carrier.fluents.get(f, f) for f in fluents) != fluents:
            continue
        moves = carrier.moves[role]
        for move in legal:
            image = moves.get(move, move)
            if image in group and group[image] != group[move]:
                low, high = sorted((group[image], group[move]))
                group = {m: low if g == high else g for m, g in group.items()}
    order = {g: i for i, g in enumerate(dict.fromkeys(group.values()))}
    return [order[group[move]] for move in legal]
