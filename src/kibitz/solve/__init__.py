"""StateSpace in, Solution out: a value and a distance for every state."""

from kibitz.solve.moves import edge_sources, optimal_edges, progress_edges
from kibitz.solve.retrograde import NEVER, Solution, solve
from kibitz.solve.winning import WinningSets, winning_sets

__all__ = [
    "NEVER",
    "Solution",
    "WinningSets",
    "edge_sources",
    "optimal_edges",
    "progress_edges",
    "solve",
    "winning_sets",
]
