"""List first moves by value, and the hardest positions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz.board import layout_of, mark_move, svg_board, text_board
from kibitz.errors import KibitzError
from kibitz.present.report.course_of_play import (
    ModelPlayer,
    first_mover,
    matters,
    optimal_play_edges,
    outcome_of,
    walk_forward,
)
from kibitz.present.report.figures import HardPosition, Opening
from kibitz.puzzles import DepthSkill, OptimalSkill, RandomSkill, Skill, measure_all, orbit_leaders
from kibitz.solve import Listed, Solution, edge_sources
from kibitz.space import StateId, Symmetries

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


_ALIKE = 1e-9
_LOOKS = 200_000_000


def find_openings(
    solution: Listed, players: Sequence[ModelPlayer], symmetries: Symmetries | None
) -> list[Opening]:
    """Value the first moves, one of each set that symmetries make equal, the best first.

    Empty where several roles choose at the start, or none does.
    """
    space = solution.space
    role = first_mover(space)
    optimal = optimal_play_edges(solution)
    if role is None or optimal is None:
        return []
    start: StateId = 0
    while space.turn[start] != role:
        start = int(space.target[space.first_edge[start]])
    first = int(space.first_edge[start])
    classes: dict[int, list[int]] = {}
    same = _orbits(symmetries, role) if symmetries is not None and start == 0 else {}
    for edge in range(first, int(space.first_edge[start + 1])):
        move = space.joint_moves[space.action[edge]][role]
        number = space.game.network.moves[role].index(move)
        classes.setdefault(same.get(number, -1 - number), []).append(edge)
    name = space.game.roles[role]
    total = 100 if solution.total is None else solution.total
    best = int(solution.values[0]) if solution.kind == "exact" else None
    looks = max(_LOOKS // (len(classes) * len(players)), 2 * space.edges)
    rows = []
    for edges in classes.values():
        target = int(space.target[edges[0]])
        scores = {}
        for player in players:
            went = walk_forward(space, player.chances, start=target, most_looks=looks)
            names = [player.name] * len(space.game.roles)
            scores[player.name] = outcome_of(went, names, total=total, best=best).goals[name]
        rows.append((edges, target, scores))
    found = []
    for edges, target, scores in rows:
        others = [theirs for _, _, theirs in rows if theirs is not scores]
        described = solution.as_json(target)
        found.append(
            Opening(
                move=space.game.write(space.joint_moves[space.action[edges[0]]][role]),
                alike=len(edges),
                value=described["value"],
                distance=described["distance"],
                keeps_value=bool(optimal[edges[0]]),
                scores=scores,
                is_dominant=bool(others) and all(_beats(scores, theirs) for theirs in others),
            )
        )
    found.sort(key=lambda o: (not o.keeps_value, [-s for s in reversed(o.scores.values())], o.move))
    return found


def _beats(mine: dict[str, float], theirs: dict[str, float]) -> bool:
    """Return whether scores are nowhere worse, and better somewhere unless they are all equal."""
    return all(mine[name] >= theirs[name] - _ALIKE for name in mine) and any(
        mine[name] > theirs[name] + _ALIKE for name in mine
    )


def _orbits(symmetries: Symmetries, role: int) -> dict[int, int]:
    """Map each move of a role to the smallest number of its images."""
    leader = list(range(len(symmetries.moves[role])))
    changed = True
    while changed:
        changed = False
        for generator in symmetries.generators:
            for move, image in enumerate(generator.moves[role]):
                low = min(leader[move], leader[image])
                if leader[move] != low or leader[image] != low:
                    leader[move] = leader[image] = low
                    changed = True
    return dict(enumerate(leader))
