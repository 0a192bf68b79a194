"""Players: everything that chooses moves in a match."""
