"""Games in, rule books out: sentences that are translated back and compared with the game."""
