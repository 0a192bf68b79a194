"""Game in, a short list of rules out for games too large to solve, with its measured strength."""
