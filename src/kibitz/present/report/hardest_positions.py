"""Solution in; out the positions in which optimal moves are the hardest to find, with pictures."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.board import layout_of, mark_move, svg_board, text_board
from kibitz.errors import KibitzError
from kibitz.present.report.course_of_play import matters
from kibitz.present.report.figures import HardPosition
from kibitz.present.report.optimal_play import optimal_play_edges
from kibitz.puzzles import DepthSkill, OptimalSkill, RandomSkill, Skill, measure_all, orbit_leaders
from kibitz.solve import Listed, Solution, edge_sources
from kibitz.space import StateId, Symmetries

__all__ = ["find_hardest"]

Ids = npt.NDArray[np.int64]

_MOST_COMPARED = 2_000
_SHORTEST = 3


def find_hardest(
    solution: Listed, symmetries: Symmetries | None, *, count: int = 3
) -> list[HardPosition]:
    """Find positions in which the role to move can win, and players who look ahead seldom do.

    Those are ordered by how often a depth-1 player wins against perfect play, then a depth-2
    player, then a random one. Where no role can win, they are those with the smallest share of
    moves that keep the value.
    """
    optimal = optimal_play_edges(solution)
    if optimal is None:
        return []
    here = matters(solution, optimal)
    found: list[tuple[StateId, dict[str, float]]] = []
    if solution.kind == "exact":
        for role in range(len(solution.space.game.roles)):
            found += _hard_wins(solution, here, role, symmetries, count)
        found.sort(key=lambda pair: (*(round(c, 9) for c in pair[1].values()), pair[0]))
    if not found:
        found = [(int(state), {}) for state in _narrow(solution, optimal, here, symmetries, count)]
    return [_draw(solution, optimal, state, chances) for state, chances in found[:count]]


def _hard_wins(
    solution: Solution,
    here: npt.NDArray[np.bool_],
    role: int,
    symmetries: Symmetries | None,
    count: int,
) -> list[tuple[StateId, dict[str, float]]]:
    space = solution.space
    own = solution.values if role == 0 else solution.total - solution.values.astype(np.int16)
    # A chance to win is one to end with 100, so it cannot compare positions of smaller value.
    mine = here & (space.turn == role) & (own >= 100) & (solution.distance >= _SHORTEST)
    states = np.flatnonzero(mine)
    if not len(states):
        return []
    skills: list[Skill] = [DepthSkill(1), DepthSkill(2), RandomSkill()]
    try:
        measured = measure_all(
            solution, states, role=role, pairs=[(skill, OptimalSkill()) for skill in skills]
        )
    except KibitzError:
        return []
    chances = np.stack([np.round(m.chance, 9) for m in measured])
    order = np.lexsort((states, *chances[::-1]))[:_MOST_COMPARED]
    chosen = _leaders(solution, states[order], symmetries)[:count]
    place = {int(state): i for i, state in enumerate(states)}
    return [
        (
            int(state),
            {
                skill.name: float(m.chance[place[int(state)]])
                for skill, m in zip(skills, measured, strict=True)
            },
        )
        for state in chosen
    ]


def _narrow(
    solution: Listed,
    optimal: npt.NDArray[np.bool_],
    here: npt.NDArray[np.bool_],
    symmetries: Symmetries | None,
    count: int,
) -> Ids:
    space = solution.space
    right = np.bincount(edge_sources(space), weights=optimal, minlength=len(space))
    states = np.flatnonzero(here)
    share = right[states] / np.diff(space.first_edge)[states]
    order = np.lexsort((states, share))[:_MOST_COMPARED]
    return _leaders(solution, states[order], symmetries)[:count]


def _leaders(solution: Listed, states: Ids, symmetries: Symmetries | None) -> Ids:
    if symmetries is None:
        return states
    try:
        return orbit_leaders(solution.space, states, symmetries)
    except KibitzError:  # more symmetries than can be listed
        return states


def _draw(
    solution: Listed, optimal: npt.NDArray[np.bool_], state: StateId, chances: dict[str, float]
) -> HardPosition:
    space = solution.space
    game = space.game
    turn = int(space.turn[state])
    edges = range(int(space.first_edge[state]), int(space.first_edge[state + 1]))
    right = dict.fromkeys(space.joint_moves[space.action[e]][turn] for e in edges if optimal[e])
    position = space.state(state)
    layout = layout_of(game)
    marks = [mark_move(layout, move, "good") for move in right]
    return HardPosition(
        role=game.roles[turn],
        position=tuple(map(game.write, position.fluents)),
        good=tuple(map(game.write, right)),
        moves=len(edges),
        distance=solution.plies(state),
        chances=chances,
        picture=svg_board(position, layout, marks=marks),
        board=text_board(position, layout),
    )
