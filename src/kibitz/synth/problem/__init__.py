"""What a search for a strategy works on: features of moves, and situations that differ."""
