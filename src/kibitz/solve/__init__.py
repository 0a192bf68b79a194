"""StateSpace in, Solution out: a value and a distance for every state."""

from kibitz.solve.retrograde import NEVER, Solution, solve

__all__ = ["NEVER", "Solution", "solve"]
