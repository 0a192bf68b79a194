"""StateSpace in, Solution out: a value and a distance for every state."""

from kibitz.solve.kinds import AnySolution, solve_any
from kibitz.solve.maxn import MaxnSolution, solve_maxn
from kibitz.solve.mixed import MixedSolution, solve_mixed
from kibitz.solve.moves import edge_sources, optimal_edges, progress_edges
from kibitz.solve.retrograde import NEVER, Solution, endless_goal, solve, sums_of_goals
from kibitz.solve.winning import WinningSets, winning_sets

__all__ = [
    "NEVER",
    "AnySolution",
    "MaxnSolution",
    "MixedSolution",
    "Solution",
    "WinningSets",
    "edge_sources",
    "endless_goal",
    "optimal_edges",
    "progress_edges",
    "solve",
    "solve_any",
    "solve_maxn",
    "solve_mixed",
    "sums_of_goals",
    "winning_sets",
]
