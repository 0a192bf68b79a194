"""Search problem of strategy synthesis: features of moves, and situations that differ."""
