"""Views for the page: open games, positions, strategies and puzzles."""
