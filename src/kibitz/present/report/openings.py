"""Solution in, first moves out: the value of each, and which are best for players of any skill."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.present.report.course_of_play import first_mover, outcome_of
from kibitz.present.report.figures import Opening
from kibitz.present.report.forward_walk import walk_forward
from kibitz.present.report.optimal_play import ModelPlayer, optimal_play_edges
from kibitz.solve import Listed
from kibitz.space import StateId, Symmetries

__all__ = ["find_openings"]

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
