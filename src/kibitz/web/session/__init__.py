"""What the page shows of open games, positions, strategies and puzzles."""
