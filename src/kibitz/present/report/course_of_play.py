"""Measure the course of best play: how long it lasts, how wide it is, how it turns.

Chances for the edges of a space make a Markov chain of it. The chance to be in each state is
carried from one move to the next until all matches have ended, which is exact up to rounding; only
where play can cycle is it broken off, and then the share of matches that are left is reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.present.report.figures import Branching, DecisionFigures, Lengths, OutcomeChances
from kibitz.puzzles import DepthSkill, MoveChances, OptimalSkill, Skill, choose_all
from kibitz.solve import NEVER, Listed, MaxnSolution, edge_sources, keeping_edges
from kibitz.space import StateId, StateSpace, edges_of, longest_matches, reachable_under
from kibitz.wording import DRAW

Chances = npt.NDArray[np.float64]
"""For each edge of a space the chance that it is taken in the state that it leaves."""

MOST_LOOKS = 100_000_000
"""Edges that are followed, each as often as a match may come to it, before it is broken off."""
_MOST_MOVES = 20_000
_MANY_MOVES = 500
"""After this many moves, play that cannot end any more is not followed."""
_NOTHING = 1e-9


@dataclass(frozen=True, eq=False)
class ForwardWalk:
    """How play went from a state: `lengths[n]` of all matches ended after n moves.

    `visits` says how often a match comes to each state on average, and `rest` how many matches
    were still going on when they were broken off.
    """

    space: StateSpace
    lengths: Chances
    visits: Chances
    rest: float

    @property
    def is_whole(self) -> bool:
        """Whether all matches have ended, but for so few that they make no difference."""
        return self.rest < _NOTHING

    @property
    def shortest(self) -> int | None:
        """The moves of the shortest match; None if none ended."""
        ended = np.flatnonzero(self.lengths)
        return int(ended[0]) if len(ended) else None

    @property
    def longest(self) -> int | None:
        """The moves of the longest match; None if a match need not end."""
        ended = np.flatnonzero(self.lengths)
        return int(ended[-1]) if len(ended) and self.rest == 0 else None

    @property
    def mean(self) -> float | None:
        """The moves of a match on average; None if not all ended."""
        numbers = np.arange(len(self.lengths))
        return float(self.lengths @ numbers) if self.is_whole else None

    @property
    def ends(self) -> npt.NDArray[np.int64]:
        """The states in which matches ended."""
        over = np.diff(self.space.first_edge) == 0
        return np.flatnonzero(over & (self.visits > 0))


def anyhow(space: StateSpace) -> Chances:
    """Give every edge of a state the same chance: each role picks any of its moves.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> anyhow(explore(CompiledGame(load_sheet("nim:2")))).tolist()
    [0.5, 0.5, 1.0]
    """
    moves = np.diff(space.first_edge)
    return np.repeat(1.0 / np.maximum(moves, 1), moves)


def walk_forward(
    space: StateSpace, chances: Chances, *, start: StateId = 0, most_looks: int = MOST_LOOKS
) -> ForwardWalk:
    """Follow play from a state, with a chance for every edge.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("nim:2")))
    >>> found = walk_forward(space, anyhow(space))
    >>> found.lengths.tolist(), found.mean
    ([0.0, 0.5, 0.5], 1.5)
    """
    states = np.array([start], dtype=np.int64)
    weights: Chances = np.ones(1)
    visits = np.zeros(len(space))
    lengths: list[float] = []
    looks = 0
    ending = np.ones(len(space), dtype=bool)
    while len(states) and len(lengths) <= _MOST_MOVES and looks <= most_looks:
        if len(lengths) == _MANY_MOVES:
            ending = _can_end(space, chances)
        if len(lengths) >= _MANY_MOVES and not ending[states].any():
            break  # What is left cycles forever.
        visits[states] += weights
        sizes = space.first_edge[states + 1] - space.first_edge[states]
        lengths.append(float(weights[sizes == 0].sum()))
        edges, _ = edges_of(space.first_edge, states)
        looks += len(edges)
        weight: Chances = np.repeat(weights, sizes) * chances[edges]
        taken = weight > 0
        targets, weight = space.target[edges[taken]].astype(np.int64), weight[taken]
        if not len(targets) or weight.sum() < _NOTHING**2:
            states, weights = targets, weight
            break
        low = int(targets.min())
        sums: Chances = np.bincount(targets - low, weights=weight).astype(np.float64)
        found = np.flatnonzero(sums)
        states, weights = found + low, sums[found]
    return ForwardWalk(
        space, np.array(lengths), visits, float(weights.sum()) if len(states) else 0.0
    )


def _can_end(space: StateSpace, chances: Chances) -> npt.NDArray[np.bool_]:
    """Mark the states from which play can end by edges that have a chance."""
    taken = np.flatnonzero(chances > 0)
    sizes = np.diff(space.first_edge)
    source, target = np.repeat(np.arange(len(space)), sizes)[taken], space.target[taken]
    ending: npt.NDArray[np.bool_] = sizes == 0
    before = -1
    while before < (before := int(ending.sum())):
        ending[source[ending[target]]] = True
    return ending


def count_matches(space: StateSpace) -> float | None:
    """Count the different matches; None where play can cycle.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> count_matches(explore(CompiledGame(load_sheet("tictactoe"))))
    255168.0
    """
    if longest_matches(space)[0] < 0:
        return None
    return float(walk_forward(space, np.ones(space.edges), most_looks=1 << 62).lengths.sum())


Marks = npt.NDArray[np.bool_]

PERFECT = "perfect"
_SLIP = 0.1


@dataclass(frozen=True, eq=False)
class ModelPlayer:
    """A name, and how likely such a player is to take each edge where it is its turn."""

    name: str
    chances: Chances


def optimal_play_edges(solution: Listed) -> Marks | None:
    """Mark the edges that best play may take; None where best play mixes moves.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> optimal_play_edges(solve(explore(CompiledGame(load_sheet("nim:2"))))).tolist()
    [True, False, True]
    """
    if solution.kind == "exact":
        return keeping_edges(solution)
    if solution.kind == "outcomes":
        return _maxn_edges(solution)
    return None


def players_of(solution: Listed) -> list[ModelPlayer]:
    """Return players from one who picks any move to one who makes no mistake.

    Opposed roles have depth-k players of paper 003 and one who slips in one move of ten between
    the two.
    """
    space = solution.space
    players = [ModelPlayer("random", anyhow(space))]
    if solution.kind == "outcomes":
        return [*players, ModelPlayer(PERFECT, MoveChances(_maxn_edges(solution)).chances(space))]
    if solution.kind != "exact":
        return players
    skills: list[Skill] = [OptimalSkill(_SLIP), OptimalSkill()]
    names = [f"slips {_SLIP:.0%}", PERFECT]
    try:
        depths = choose_all([(DepthSkill(k), 0) for k in (1, 2)], solution)
    except KibitzError:  # such as more threats than can be counted
        depths = []
    choices = [*depths, *(skill.choose(solution, 0) for skill in skills)]
    names = [*(f"depth {k}" for k in (1, 2)[: len(depths)]), *names]
    found = zip(names, choices, strict=True)
    return [*players, *(ModelPlayer(name, choice.chances(space)) for name, choice in found)]


def seat(solution: Listed, players: dict[int, ModelPlayer], other: ModelPlayer) -> Chances:
    """Return the chances of edges when some roles have one player, and all others another."""
    space = solution.space
    mover = space.turn[edge_sources(space)]
    chances = other.chances.copy()
    for role, player in players.items():
        mine = mover == role
        chances[mine] = player.chances[mine]
    return chances


def _maxn_edges(solution: MaxnSolution) -> Marks:
    """Mark the edges whose best case for the mover is no worse than what it is guaranteed."""
    space = solution.space
    source = edge_sources(space).astype(np.int64)
    mover = space.turn[source]
    optimal = np.ones(space.edges, dtype=bool)
    for role in range(len(space.game.roles)):
        low = np.full(len(space), 127, dtype=np.int8)
        high = np.full(len(space), -1, dtype=np.int8)
        for bit, goals in enumerate(solution.outcomes):
            word = solution.possible[:, bit // 64] >> np.uint64(bit % 64)
            there = (word & np.uint64(1)).astype(bool)
            low[there] = np.minimum(low[there], goals[role])
            high[there] = np.maximum(high[there], goals[role])
        guaranteed = np.full(len(space), -1, dtype=np.int8)
        np.maximum.at(guaranteed, source, low[space.target])
        mine = mover == role
        optimal[mine] = (high[space.target] >= guaranteed[source])[mine]
    return optimal


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
