"""Game in, StateSpace out: every reachable state and every move between them."""

from kibitz.space.explore import Limits, explore
from kibitz.space.lengths import longest_matches
from kibitz.space.space import NOBODY, SEVERAL, StateId, StateSpace
from kibitz.space.stuck import Stuck, find_stuck, require_no_stuck
from kibitz.space.symmetry import Symmetries, Symmetry, find_symmetries

__all__ = [
    "NOBODY",
    "SEVERAL",
    "Limits",
    "StateId",
    "StateSpace",
    "Stuck",
    "Symmetries",
    "Symmetry",
    "explore",
    "find_stuck",
    "find_symmetries",
    "longest_matches",
    "require_no_stuck",
]
