"""Find puzzles in positions of matches, each proved by a search, for games of any size."""
