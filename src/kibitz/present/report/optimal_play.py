"""Any Solution in; out which edges best play may take, and players of several skills."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.present.report.forward_walk import Chances, anyhow
from kibitz.puzzles import DepthSkill, MoveChances, OptimalSkill, Skill, choose_all
from kibitz.solve import Listed, MaxnSolution, edge_sources, keeping_edges

__all__ = ["PERFECT", "ModelPlayer", "optimal_play_edges", "players_of", "seat"]

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
