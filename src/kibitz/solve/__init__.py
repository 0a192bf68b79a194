"""StateSpace in, Solution out: a value and a distance for every state."""

from kibitz.solve.retrograde import NEVER, Solution, solve
from kibitz.solve.winning import WinningSets, winning_sets

__all__ = ["NEVER", "Solution", "WinningSets", "solve", "winning_sets"]
