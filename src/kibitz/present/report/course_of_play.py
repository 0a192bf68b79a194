"""Solution in; out how long play lasts, how wide it is, how it ends, and where it is decided."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz.present.report.figures import Branching, DecisionFigures, Lengths, OutcomeChances
from kibitz.present.report.forward_walk import ForwardWalk, walk_forward
from kibitz.present.report.optimal_play import PERFECT, Marks, ModelPlayer, optimal_play_edges, seat
from kibitz.solve import NEVER, Listed, edge_sources
from kibitz.space import StateSpace, reachable_under
from kibitz.wording import DRAW

__all__ = [
    "branching_of",
    "decisions_of",
    "first_mover",
    "lengths_of",
    "matters",
    "meet",
    "outcome_of",
    "values_of_states",
]

_LOOKS = 200_000_000
"""Edges that are followed for all pairs of players together."""


def lengths_of(found: ForwardWalk) -> Lengths:
    """Describe how long matches are."""
    chances = tuple(map(float, found.lengths))
    return Lengths(found.shortest, found.longest, found.mean, found.rest, chances)


def branching_of(space: StateSpace, random: ForwardWalk) -> Branching:
    """Describe how many joint moves there are to choose from."""
    sizes = np.diff(space.first_edge)
    inner = sizes > 0
    visits = random.visits[inner]
    total = max(float(visits.sum()), 1e-300)
    return Branching(
        over_states=float(sizes[inner].mean()) if inner.any() else 0.0,
        in_random_play=float(visits @ sizes[inner]) / total,
        most=int(sizes.max(initial=0)),
        forced=float(visits @ (sizes[inner] == 1)) / total,
    )


def first_mover(space: StateSpace) -> int | None:
    """Return the role that has the first choice; None if several have, or no role ever has."""
    state, seen = 0, set[int]()
    while space.turn[state] == -1 and state not in seen and space.moves(state):
        seen.add(state)
        state = int(space.target[space.first_edge[state]])
    turn = int(space.turn[state])
    return turn if turn >= 0 else None


def outcome_of(
    found: ForwardWalk, players: Sequence[str], *, total: int = 100, best: int | None = None
) -> OutcomeChances:
    """Describe how matches ended; those that do not end give each role the middle value.

    `best` is what a single role gets in best play.
    """
    space, roles = found.space, found.space.game.roles
    ends = found.ends[space.terminal[found.ends]]
    mass = found.visits[ends]
    goals = space.goals[ends].astype(np.float64)
    open_ = max(0.0, 1.0 - float(mass.sum()))
    if open_ < 1e-9:
        open_ = 0.0
    middle = total / max(2, len(roles))
    means = mass @ goals + open_ * middle
    if len(roles) == 1:
        wins = [float(mass @ (goals[:, 0] >= (100 if best is None else best)))]
        drawn = 0.0
    else:
        ordered = np.sort(goals, axis=1)
        alone = ordered[:, -1] > ordered[:, -2]
        wins = [float(mass @ (alone & (goals[:, i] == ordered[:, -1]))) for i in range(len(roles))]
        drawn = float(mass @ ((ordered[:, 0] == DRAW) & (ordered[:, -1] == DRAW)))
    return OutcomeChances(
        dict(zip(roles, players, strict=True)),
        dict(zip(roles, map(float, means), strict=True)),
        dict(zip(roles, wins, strict=True)),
        drawn,
        open_,
    )


def meet(solution: Listed, players: Sequence[ModelPlayer]) -> list[OutcomeChances]:
    """Let players meet: each kind each other of two roles, else each seat the weakest's.

    With more than two roles that is all of one kind, and one at a time among those of the first.
    """
    space = solution.space
    roles = len(space.game.roles)
    total = 100 if solution.total is None else solution.total
    best = int(solution.values[0]) if solution.kind == "exact" else None
    tables: list[list[ModelPlayer]] = [[player] * roles for player in players]
    if roles == 2:
        tables = [[one, other] for one in players for other in players]
    elif roles > 2:
        for player in players[1:]:
            for role in range(roles):
                tables.append([players[0]] * roles)
                tables[-1][role] = player
    found = []
    looks = max(_LOOKS // len(tables), 2 * space.edges)
    for table in tables:
        chances = seat(solution, dict(enumerate(table[1:], start=1)), table[0])
        went = walk_forward(space, chances, most_looks=looks)
        names = [player.name for player in table]
        found.append(outcome_of(went, names, total=total, best=best))
    return found


def matters(solution: Listed, optimal: Marks) -> npt.NDArray[np.bool_]:
    """Mark the states in which the role to move has optimal moves and others."""
    space = solution.space
    source = edge_sources(space)
    right = np.bincount(source, weights=optimal, minlength=len(space))
    return np.asarray((space.turn >= 0) & (right > 0) & (right < np.diff(space.first_edge)))


def decisions_of(
    solution: Listed, random: ForwardWalk, players: Sequence[ModelPlayer]
) -> DecisionFigures | None:
    """Count the decisions that matter; None where best play mixes moves."""
    optimal = optimal_play_edges(solution)
    if optimal is None:
        return None
    space = solution.space
    here = matters(solution, optimal)
    right = np.bincount(edge_sources(space), weights=optimal, minlength=len(space))
    perfect = next(player for player in players if player.name == PERFECT)
    best = walk_forward(space, perfect.chances)
    on = reachable_under(space, optimal).seen
    visits = random.visits[here]
    wrong = 1 - right[here] / np.diff(space.first_edge)[here]
    return DecisionFigures(
        with_choice=int((space.turn >= 0).sum()),
        that_matter=int(here.sum()),
        by_role={
            role: int((here & (space.turn == i)).sum()) for i, role in enumerate(space.game.roles)
        },
        on_best_play=int((here & on).sum()),
        off_best_play=int((here & ~on).sum()),
        only_move=int((here & (right == 1)).sum()),
        per_random_match=float(visits.sum()),
        per_best_match=float(best.visits[here].sum()),
        mistakes=float(visits @ wrong / visits.sum()) if visits.sum() else 0.0,
    )


def values_of_states(solution: Listed) -> dict[str, int]:
    """Count states by their value: won by whom, or drawn; by the goal with one role.

    Where both get the same it is a draw only if that is 50 each, and if play ends.
    """
    if solution.kind != "exact":
        return {}
    roles = solution.space.game.roles
    if len(roles) == 1:
        counts = np.bincount(solution.values, minlength=101)
        return {f"worth {goal}": int(n) for goal, n in enumerate(counts) if n}
    double = 2 * solution.values.astype(np.int16)
    even = double == solution.total
    endless = even & (solution.distance == NEVER)
    drawn = even & ~endless & (solution.values == DRAW)
    kinds = {
        f"won by {roles[0]}": double > solution.total,
        "drawn": drawn,
        f"won by {roles[1]}": double < solution.total,
    }
    more = {"without an end": endless, "the same for both": even & ~endless & ~drawn}
    kinds |= {name: states for name, states in more.items() if states.any()}
    return {name: int(states.sum()) for name, states in kinds.items()}
