"""Game tree search, and plans for one role."""
